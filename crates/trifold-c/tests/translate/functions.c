// Pointers to functions: called, compared, stored, passed on; wrappers around allocation.
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

struct item { struct item *next; int key; };
struct pair { struct item *a, *b; };
typedef int (*operation)(int, int);
struct entry { operation run; int result; };

static int add(int a, int b) { return a + b; }
static int multiply(int a, int b) { return a * b; }
static void *xalloc(size_t size)
{
    void *p = calloc(1, size);
    if (!p)
        exit(1);
    return p;
}
static void *again(size_t size) { return xalloc(size); }
static int fold(struct item *list, int start, operation f)
{
    for (; list; list = list->next)
        start = f(start, list->key);
    return start;
}
static void each(struct item *list, void (*visit)(struct item *))
{
    while (list) {
        struct item *next = list->next;
        visit(list);
        list = next;
    }
}
static void destroy(struct item *i) { free(i); }
static void bump(struct item *i) { (*destroy)(0); i->key++; }

int main(void)
{
    struct item *list = 0, *i;
    struct pair *p = again(sizeof *p);
    struct entry e = {multiply, 0};
    operation f = __VERIFIER_nondet_int() ? add : &multiply;
    for (int k = 1; k < 4; k++) {
        i = xalloc(sizeof(struct item));
        check(i->key == 0 && !i->next);
        i->key = k;
        i->next = list;
        list = i;
    }
    check(!p->a && !p->b);
    p->a = list;
    check(fold(list, 0, add) == 6 && fold(p->a, 1, multiply) == 6);
    e.result = e.run(6, 7);
    check(e.result == 42 && e.run == multiply && e.run != add && f);
    check(f(2, 3) == (f == add ? 5 : 6));
    each(list, bump);
    check((*f)(0, 0) == 0 && fold(list, 0, add) == 9);
    each(list, destroy);
    free(p);
    return 0;
}
