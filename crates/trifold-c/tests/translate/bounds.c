// An allocation is too small.
// expect: invalid-dereference
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

int main(void)
{
    struct node *p = malloc(sizeof p);
    p->value = 1;
    free(p);
    return 0;
}
