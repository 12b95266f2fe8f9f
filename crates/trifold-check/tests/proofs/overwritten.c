// Fields that are overwritten after a call, which the callee may look at all the same; and parameters that are declared
// not to be NULL.
typedef unsigned long size_t;
void *malloc(size_t);
void free(void *);
int zero(void);
int one(void);
struct node { struct node *next; int v; };
// == proved: nobody looks at the old value
static int value(struct node *x) { return x->v; }
int main(void) { struct node *x = malloc(sizeof *x); if (!x) return 0; x->v = 1; x->next = x; int r = value(x);
    x->next = 0; free(x); return r - 1; }
// == fails: the callee compares the old value with another pointer
static int self(struct node *x) { int *z = 0; if (x->next == x) return *z; return 0; }
int main(void) { struct node *x = malloc(sizeof *x); if (!x) return 0; x->v = 1; x->next = x; int r = self(x);
    x->next = 0; free(x); return r; }
// == fails: the callee compares the old value with NULL, and it is not
static int more(struct node *x) { int *z = 0; struct node *k = x->next; if (k != 0) return *z; return 0; }
int main(void) { struct node *x = malloc(sizeof *x); if (!x) return 0; x->v = 1; x->next = x; int r = more(x);
    x->next = 0; free(x); return r; }
// == fails: the callee compares the old value with NULL, and it is
static int last(struct node *x) { int *z = 0; struct node *k = x->next; if (!k) return *z; return 0; }
int main(void) { struct node *x = malloc(sizeof *x); if (!x) return 0; x->v = 1; x->next = 0; int r = last(x);
    x->next = 0; free(x); return r; }
// == fails: the callee frees what the old value leads to
static void cut(struct node *x) { free(x->next); }
int main(void) { struct node *x = malloc(sizeof *x), *y = malloc(sizeof *y); x->next = y; cut(x); x->next = 0;
    y->v = 1; free(x); return 0; }
// == fails: NULL for a parameter that is declared not to be
static int __attribute__((nonnull, noinline)) is_there(struct node *x) { return x != 0; }
int main(void) { struct node *x = zero() ? malloc(sizeof *x) : 0; return is_there(x); }
// == proved: an object for a parameter that is declared not to be NULL
static int __attribute__((nonnull(2))) sum(int n, struct node *x, int *out) { if (out) *out = n; return n + x->v; }
int main(void) { struct node x = { 0, 1 }; return sum(-1, &x, 0); }
