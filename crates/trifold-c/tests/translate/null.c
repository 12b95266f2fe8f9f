// The end of a list is dereferenced.
// expect: null-dereference
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
    struct node last = {0, 1}, *n = &last;
    for (int i = __VERIFIER_nondet_int(); i > 0; i--)
        n = n->next;
    return n->value;
}
