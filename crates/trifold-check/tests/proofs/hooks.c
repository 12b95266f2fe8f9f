// Functions of the library that are called through pointers.
typedef unsigned long size_t;
void *malloc(size_t);
void *calloc(size_t, size_t);
void free(void *);
int zero(void);
int one(void);
struct node { struct node *next; int v; };
struct hooks { void *(*get)(size_t); void *(*zeroed)(size_t, size_t); void (*put)(void *); };
// == proved: allocated and freed through members
int main(void) { struct hooks h = { malloc, calloc, free }; struct node *p = h.zeroed(1, sizeof *p);
    if (!p) return 1; p->v = 1; h.put(p); return 0; }
// == fails: freed twice, once through a pointer
int main(void) { void (*put)(void *) = free; struct node *p = malloc(sizeof *p); put(p); free(p); return 0; }
// == fails: used after it was freed through a member
int main(void) { struct hooks h = { malloc, calloc, free }; struct node *p = h.zeroed(1, sizeof *p);
    if (!p) return 1; h.put(p); return p->v; }
// == fails: lost, allocated through a pointer
int main(void) { void *(*get)(size_t) = malloc; struct node *p = get(sizeof *p); p = 0; return p != 0; }
// == fails: too little memory through a pointer
int main(void) { void *(*get)(size_t) = malloc; struct node *p = get(4); if (!p) return 1; p->v = 1; free(p); return 0; }
// == fails: the argument is evaluated once
int main(void) { struct node *a[2] = { malloc(sizeof **a), malloc(sizeof **a) }; int i = 0;
    void (*put)(void *) = free; put(a[i++]); if (i == 1) { int *q = 0; *q = 1; } free(a[1]); return 0; }
// == fails: a pointer that is null on one way
int main(void) { void (*put)(void *) = one() ? 0 : free; put(malloc(1)); return 0; }
// == fails: one of two functions frees
static void keep(void *p) { }
int main(void) { void (*put)(void *) = zero() ? free : keep; struct node *p = malloc(sizeof *p); put(p); return 0; }
