// Lists whose links are members of the elements, as in the Linux kernel.
// expect: safe
typedef unsigned long size_t;
void *malloc(size_t);
void *calloc(size_t, size_t);
void free(void *);
void abort(void);
void exit(int);
void reach_error(void);
int __VERIFIER_nondet_int(void);
static void check(int holds) { if (!holds) reach_error(); }

struct list_head { struct list_head *next, *prev; };
struct task { int id; struct list_head link; struct { int dummy; struct list_head other; } in; };
struct first { struct list_head link; int id; };

static void init(struct list_head *l) { l->next = l; l->prev = l; }
static void add(struct list_head *n, struct list_head *at)
{
    n->next = at->next;
    n->prev = at;
    at->next->prev = n;
    at->next = n;
}
static void del(struct list_head *l) { l->prev->next = l->next; l->next->prev = l->prev; }
static struct list_head all = {&all, &all};

int main(void)
{
    struct list_head others, firsts, *pos, *n;
    int sum = 0;
    init(&others);
    init(&firsts);
    for (int i = 1; i < 4; i++) {
        struct task *t = malloc(sizeof *t);
        struct first *f = malloc(sizeof *f);
        t->id = i;
        f->id = i + 10;
        add(&t->link, &all);
        add(&t->in.other, &others);
        add((struct list_head *)f, &firsts);
    }
    for (pos = all.next; pos != &all; pos = pos->next)
        sum += ((struct task *)((char *)pos - __builtin_offsetof(struct task, link)))->id;
    check(sum == 6);
    for (pos = others.prev; pos != &others; pos = n) {
        struct task *t = ({ const __typeof__(((struct task *)0)->in.other) *m = pos;
            (struct task *)((char *)m - (unsigned long)&((struct task *)0)->in.other); });
        n = pos->prev;
        check(t->id-- >= 1);
        del(&t->link);
        del(&t->in.other);
        free(t);
    }
    check(all.next == &all && others.next == &others);
    for (pos = firsts.next, sum = 0; pos != &firsts; pos = n) {
        struct first *f = (struct first *)pos;
        n = pos->next;
        sum += f->id;
        check(f == (struct first *)&f->link && (struct first *)pos == f && pos == (struct list_head *)f);
        check(f != (struct first *)&firsts);
        if (f->id % 2)
            free((struct first *)((char *)pos - (unsigned long)&((struct first *)0)->link));
        else
            free((struct first *)pos);
    }
    check(sum == 36);
    return 0;
}
