// A node is read after it was freed.
// expect: use-after-free
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
    struct node *n = malloc(sizeof *n), *m;
    n->next = 0;
    free(n);
    m = n->next;
    return m != 0;
}
