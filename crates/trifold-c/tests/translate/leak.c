// The last reference to a node is overwritten.
// expect: leak
typedef unsigned long size_t;
void *malloc(size_t);
void *calloc(size_t, size_t);
void free(void *);
void abort(void);
void exit(int);
void reach_error(void);
int __VERIFIER_nondet_int(void);
static void check(int holds) { if (!holds) reach_error(); }

struct node { struct node *next; };

int main(void)
{
    struct node *n = malloc(sizeof *n);
    n->next = malloc(sizeof *n);
    n->next->next = 0;
    if (__VERIFIER_nondet_int() > 2)
        n->next = 0;
    else
        free(n->next);
    free(n);
    return 0;
}
