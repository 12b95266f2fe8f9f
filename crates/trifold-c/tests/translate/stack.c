// The address of a local variable leaves its function, or its block.
// expect: dangling-stack-pointer
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

static struct node *make(void)
{
    struct node n = {0, 1};
    struct node *p = &n;
    return p;
}

int main(void)
{
    struct node *p = 0;
    if (__VERIFIER_nondet_int()) {
        struct node inner = {0, 2};
        p = &inner;
    } else {
        p = make();
    }
    return p->value;
}
