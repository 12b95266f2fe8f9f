// Lists are built, reversed, searched and freed.
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

struct node { struct node *next; int value; };

static struct node *push(struct node *list, int value)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        abort();
    n->next = list;
    n->value = value;
    return n;
}

static struct node *reverse(struct node *x)
{
    struct node *y = (void *)0, *t;
    while (x) {
        t = x->next;
        x->next = y;
        y = x;
        x = t;
    }
    return y;
}

int main(void)
{
    struct node *l = 0;
    int i, sum = 0, first = 0;
    for (i = 0; i < 5; i++)
        l = push(l, i * i);
    check(l->value == 16 && l->next->next->value == 4);
    l = reverse(l);
    check(l->value == 0);
    for (struct node *p = l; p != 0; p = p->next)
        sum += p->value;
    check(sum == 30);
    while (l) {
        struct node *t = l;
        l = l->next;
        first = t->value;
        free(t);
    }
    check(first == 16);
    return 0;
}
