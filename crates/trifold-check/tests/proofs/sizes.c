typedef unsigned long size_t;
void *malloc(size_t); void *calloc(size_t, size_t); void free(void *); void *alloca(size_t);
void *memset(void *, int, size_t); void *memcpy(void *, const void *, size_t);
char *strncpy(char *, const char *, size_t); int snprintf(char *, size_t, const char *, ...);
int zero(void); void reach_error(void);
struct big { int first; char rest[256]; int last; };
struct node { struct node *next; int value; };
struct pair { struct node *a; struct node *b; };
// == proved: a size that is just right
int main(void) { struct big *p = malloc(264); p->last = 1; free(p); return 0; }
// == fails: a size that is cut off
int main(void) { struct big *p = malloc((unsigned char)264); p->last = 1; free(p); return 0; }
// == proved: a size that is cut off and still large enough
int main(void) { struct node *p = malloc((unsigned char)272); p->value = 1; free(p); return 0; }
// == fails: a product of unsigned numbers that wraps around
int main(void) { struct node *p = malloc(65536u * 65536u); p->value = 1; free(p); return 0; }
// == fails: a product that wraps around in the type of its operands
int main(void) { struct node *p = malloc(268435456u * (unsigned)sizeof *p); p->value = 1; free(p); return 0; }
// == fails: a size of `sizeof` that is cut off
int main(void) { struct big *p = malloc((unsigned char)sizeof(struct big)); p->last = 1; free(p); return 0; }
// == fails: a size that is passed as a character
static void *make(unsigned char size) { return malloc(size); }
int main(void) { struct big *p = make(sizeof *p); p->last = 1; free(p); return 0; }
// == fails: a size that is cut off in a function
static void *make(size_t size) { return malloc((unsigned char)size); }
int main(void) { struct big *p = make(sizeof *p); p->last = 1; free(p); return 0; }
// == proved: a size that is passed on
static void *make(size_t size) { return malloc(size); }
int main(void) { struct big *p = make(sizeof *p); p->last = 1; free(p); return 0; }
// == proved: a size that is passed on as a number that it fits in
static void *make(unsigned short size) { return malloc(size); }
int main(void) { struct big *p = make(sizeof *p); p->last = 1; free(p); return 0; }
// == fails: a size that is passed on by two functions, one of which cuts it off
static void *make(size_t size) { return malloc(size); }
static void *make_some(unsigned char size) { return make(size); }
int main(void) { struct big *p = make_some(sizeof *p); p->last = 1; free(p); return 0; }
// == fails: a count that is cut off
static void *make(unsigned char count, size_t size) { return malloc(count * size); }
int main(void) { struct node *p = make(256, sizeof *p); p->value = 1; free(p); return 0; }
// == fails: a product of parameters that wraps around
static void *make(unsigned count, unsigned size) { return malloc(count * size); }
int main(void) { struct node *p = make(268435456u, sizeof *p); p->value = 1; free(p); return 0; }
// == fails: an object of which a part is cleared
int main(void) {
    struct big *p = malloc(sizeof *p); int *q = 0; p->last = 1;
    memset(p, 0, (unsigned char)sizeof *p);
    if (p->last) *q = 1;
    free(p); return 0;
}
// == proved: an object that is cleared
int main(void) {
    struct big *p = malloc(sizeof *p); int *q = 0; p->last = 1;
    memset(p, 0, sizeof *p);
    if (p->last) *q = 1;
    free(p); return 0;
}
// == fails: an object of which a part is copied
int main(void) {
    struct big *p = calloc(1, sizeof *p), *r = calloc(1, sizeof *r); int *q = 0; p->last = 1;
    memcpy(p, r, (unsigned char)sizeof *p);
    if (p->last) *q = 1;
    free(p); free(r); return 0;
}
// == fails: a negative size
int main(void) { char a[4]; const char *s = "abc"; strncpy(a, s, -1); return 0; }
// == fails: a size that is larger than the array
int main(void) { char a[4]; strncpy(a, "abc", 8); return 0; }
// == proved: a size that is that of the array
int main(void) { char a[4]; strncpy(a, "abc", sizeof a); return 0; }
// == clean: a size that is cut off
int main(void) { char a[4]; strncpy(a, "abc", (unsigned char)258); return 0; }
// == fails: a negative size, which is written to
int main(void) { char a[4]; memset(a, 0, -1); return 0; }
// == fails: a negative size, computed
int main(void) { char a[4]; memset(a, 0, sizeof a - 5); return 0; }
// == fails: a negative number as a size
int main(void) { char a[4]; memset(a, 0, (int)sizeof a - 5); return 0; }
// == fails: a size that is a short
int main(void) { struct node *p = malloc((short)65536); p->value = 1; free(p); return 0; }
// == fails: a size of zero
int main(void) { struct node *p = malloc(0); p->value = 1; free(p); return 0; }
// == fails: no elements
int main(void) { struct node *p = calloc(0, sizeof *p); p->value = 1; free(p); return 0; }
// == fails: a product that is cut off
int main(void) { struct big *p = malloc((unsigned char)(2 * sizeof *p)); p->last = 1; free(p); return 0; }
// == open: an object on the stack that is too small
int main(void) { struct big *p = __builtin_alloca((unsigned char)264); p->last = 1; return 0; }
// == fails: a sum that wraps around
int main(void) { struct node *p = malloc(4294967295u + 2u); p->value = 1; free(p); return 0; }
// == fails: a size shifted out
int main(void) { struct node *p = malloc(sizeof(struct node) << 60); p->value = 1; free(p); return 0; }
// == fails: a truth value as a size
int main(void) { struct node *p = malloc((_Bool)sizeof *p); p->value = 1; free(p); return 0; }
// == fails: a size that is a bit-field
struct size { unsigned bytes : 8; };
int main(void) { struct size s = { 264 }; struct big *p = malloc(s.bytes); p->last = 1; free(p); return 0; }
// == fails: an enumeration constant that is cut off
enum { SIZE = 264 };
int main(void) { struct big *p = malloc((unsigned char)SIZE); p->last = 1; free(p); return 0; }
// == fails: a size that is assigned on the way
int main(void) { unsigned char n = sizeof(struct big); struct big *p = malloc(n); p->last = 1; free(p); return 0; }
// == fails: a pointer to a smaller struct as one to a larger one
int main(void) { struct pair *p = malloc(sizeof(struct node *)); p->b = 0; free(p); return 0; }
// == fails: a size that is passed through a pointer to a function
static void *make(unsigned char size) { return malloc(size); }
static void *call(void *(*f)(unsigned char), size_t n) { return f(n); }
int main(void) { struct big *p = call(make, sizeof *p); p->last = 1; free(p); return 0; }
// == fails: a floating size that is cut off
int main(void) { struct node *p = malloc((int)1.5); p->value = 1; free(p); return 0; }
// == proved: an array of two elements
int main(void) { struct node **p = malloc(2 * sizeof *p); p[0] = 0; p[1] = 0; free(p); return 0; }
// == fails: an array of one element, by its number of bytes
int main(void) {
    struct node **p = malloc(2 * sizeof *p), **q = malloc(8); p[1] = 0; q[1] = 0; free(p); free(q); return 0;
}
// == fails: an array of one element, from another function
static void *make(size_t size) { return malloc(size); }
int main(void) {
    struct node **p = malloc(2 * sizeof *p), **q = make(sizeof *q); p[1] = 0; q[1] = 0; free(p); free(q); return 0;
}
// == fails: an array of one element, whose size is cut off
int main(void) {
    struct node **p = malloc(2 * sizeof *p), **q = malloc((unsigned char)(33 * sizeof *q));
    p[1] = 0; q[1] = 0; free(p); free(q); return 0;
}
// == fails: a variable beside an array on the heap
int main(void) {
    struct node **p = malloc(2 * sizeof *p), *n = 0, **q = &n; p[1] = 0; q[1] = 0; free(p); return 0;
}
// == fails: an element of a larger array beside an array on the heap
struct slot { int a; };
int main(void) {
    struct slot *p = malloc(2 * sizeof *p), one, *q = &one; p[1].a = 0; q[1].a = 0; free(p); return 0;
}
// == proved: an index that is a bit
int main(void) { int n = zero(); struct node a, *t[2] = { &a, &a }; a.value = 0; return t[n & 1]->value; }
// == proved: an index that is a remainder
int main(void) { unsigned n = zero(); struct node a, *t[3] = { &a, &a, &a }; a.value = 0; return t[n % 3]->value; }
// == fails: an index that is a remainder of a negative number
int main(void) { int n = zero() - 1; struct node a, *t[3] = { &a, &a, &a }; a.value = 0; return t[n % 3]->value; }
// == proved: an index of one value
int main(void) { int n = zero(); struct node a, *t[1] = { &a }; a.value = 0; return t[n & 0]->value; }
// == fails: an index that is one too large
int main(void) { int n = zero() + 2; struct node a, *t[2] = { &a, &a }; a.value = 0; return t[n & 2]->value; }
// == proved: an index of a large array
int main(void) { unsigned n = zero(); int t[100] = { 0 }; return t[n % 100] * 0; }
// == proved: an index that is shifted
int main(void) { unsigned char n = zero(); struct node a, *t[4] = { &a, &a, &a, &a }; a.value = 0; return t[n >> 6]->value; }
