typedef unsigned long size_t; typedef unsigned gfp_t; void *malloc(size_t); void *calloc(size_t, size_t); void free(void *); int zero(void);
void *memset(void *, int, size_t); void *memcpy(void *, const void *, size_t); int printf(const char *, ...); char *strdup(const char *);
struct node { struct node *next; int v; };
// == proved: a value for two members
int main(void) { struct node a, b; a.v = b.v = 0; return a.v + b.v; }
// == proved: a value for two members of objects on the heap
int main(void) {
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b); a->v = b->v = 0; int n = a->v; free(a); free(b); return n;
}
// == proved: a pointer for two members
int main(void) {
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b); a->next = b->next = 0; free(a); free(b); return 0;
}
// == fails: freed among arguments
static int add(int a, int b) { return a + b; }
int main(void) { int *p = malloc(sizeof *p); *p = 0; return add((__builtin_free(p), 1), *p); }
// == fails: freed among arguments, on the right
static int add(int a, int b) { return a + b; }
int main(void) { int *p = malloc(sizeof *p); *p = 0; return add(*p, (__builtin_free(p), 1)); }
// == fails: freed among arguments by the library's function
static int add(int a, int b) { return a + b; }
int main(void) { int *p = malloc(sizeof *p); *p = 0; return add(*p, (free(p), 1)); }
// == fails: freed in an operand
static int drop(int *p) { free(p); return 1; }
int main(void) { int *p = malloc(sizeof *p); *p = 0; return drop(p) + *p; }
// == fails: freed in an argument of an allocator
void *kmalloc(size_t n, gfp_t flags) { return malloc(n); }
int main(void) { int *m = malloc(sizeof *m), *p = kmalloc(sizeof *p, (free(m), 0)); free(p); return *m; }
// == open: freed in an argument of an allocator that is defined elsewhere
void *kmalloc(size_t n, gfp_t flags);
int main(void) { int *m = malloc(sizeof *m), *p = kmalloc(sizeof *p, (free(m), 0)); free(p); return *m; }
// == fails: freed in the size of an object
int main(void) { int *m = malloc(sizeof *m), *p = malloc((free(m), sizeof *p)); free(p); return *m; }
// == fails: freed in the count of objects
int main(void) { int *m = malloc(sizeof *m), *p = calloc((free(m), 1), sizeof *p); free(p); return *m; }
// == fails: freed in the byte that is filled
int main(void) { int *m = malloc(sizeof *m), n; memset(&n, (free(m), 0), sizeof n); return *m; }
// == fails: freed in a size that is copied
int main(void) { int *m = malloc(sizeof *m), a = 0, b = 0; memcpy(&a, &b, (free(m), sizeof a)); return *m; }
// == fails: freed in an argument of a function that binds sizes
static void *make(size_t n) { return malloc(n); }
int main(void) { int *m = malloc(sizeof *m), *p = make((free(m), sizeof *p)); free(p); return *m; }
// == fails: freed in what is called
static int one(void) { return 1; }
int main(void) { int *m = malloc(sizeof *m); *m = 0; int n = (free(m), one)(); return *m + n * 0; }
// == fails: freed in what is called by a function that binds functions
static int one(void) { return 1; } static int call(int (*f)(void)) { return f(); }
int main(void) { int *m = malloc(sizeof *m); *m = 0; int n = call((free(m), one)); return *m + n * 0; }
// == fails: freed in an argument that is printed
int main(void) { char *m = strdup("a"); printf("%d", (free(m), 1)); return *m; }
// == fails: freed in what is freed
int main(void) { int *m = malloc(sizeof *m), *p = malloc(sizeof *p); free((free(m), p)); return *m; }
// == open: changed by the function that is called on the right
static int *g; static int drop(void) { free(g); g = 0; return 1; }
int main(void) { g = malloc(sizeof *g); *g = 1; return *g + drop() - 2; }
// == fails: changed through a pointer to a function
static int *g; static int drop(void) { free(g); g = 0; return 1; } static int (*f)(void) = drop;
int main(void) { g = malloc(sizeof *g); *g = 1; return f() + *g; }
// == fails: a store whose place is freed by the value
static int drop(struct node *p) { free(p); return 1; }
int main(void) { struct node *p = malloc(sizeof *p); p->v = drop(p); return 0; }
// == fails: an index and its array
int main(void) { int a[2] = { 0, 0 }, i = 0, *p = 0; a[i] = i++; if (a[0] == 0 && i == 1) return *p; return *p; }
// == fails: an initializer in which one part frees what another one reads
int main(void) { int *m = malloc(sizeof *m); *m = 0; int a[2] = { (free(m), 1), *m }; return a[0] * 0; }
// == fails: an object that is freed in a condition of an argument
static int add(int a, int b) { return a + b; }
int main(void) { int *p = malloc(sizeof *p); *p = 0; return add(p && (free(p), 1), *p); }
// == fails: an object that is freed in statements of an argument
static int add(int a, int b) { return a + b; }
int main(void) { int *p = malloc(sizeof *p); *p = 0; return add(({ free(p); 1; }), *p); }
// == fails: memory that is cleared among arguments
static int use(void *a, struct node *b) { return b->v; }
int main(void) { struct node s = { 0, 1 }, t = { &s, 0 }; return use(memset(&t, 0, sizeof t), t.next); }
// == fails: a member and the struct it lies in
int main(void) { struct node a = { 0, 1 }, b = { &a, 2 }; int n = (b = (struct node){ 0, 0 }, 1) + 0; return b.next->v + n; }
// == proved: arguments that do not touch each other
static int add(int a, int b) { return a + b; }
int main(void) { int *p = malloc(sizeof *p), *q = malloc(sizeof *q); *p = *q = 0; int n = add(*p, *q); free(p); free(q); return n; }
// == proved: a value for three variables
int main(void) { int a, b, c; a = b = c = 0; return a; }
// == fails: two stores to one place
int main(void) { struct node a = { 0, 1 }, *p = &a, *q = 0; p->next = (p = &a)->next = &a; if (a.next) return q->v; return 0; }
