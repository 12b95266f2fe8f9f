// A global is freed.
// expect: invalid-free
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
static struct node global;

int main(void)
{
    struct node *p = &global;
    free(p);
    return 0;
}
