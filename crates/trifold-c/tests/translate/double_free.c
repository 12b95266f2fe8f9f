// Two lists share a tail.
// expect: double-free
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
    struct node *tail = malloc(sizeof *tail), *other = tail;
    free(tail);
    if (__VERIFIER_nondet_int())
        free(other);
    return 0;
}
