typedef unsigned long size_t; void *malloc(size_t); void free(void *); int zero(void);
struct pair { int *a; int *b; }; struct cfg { struct pair cb; int *c; };
// == fails: a later list in braces resets its part
int main(void) { int v = 0; struct cfg c = { .cb = { &v, &v }, .cb = { .b = &v } }; return *c.cb.a; }
// == proved: a later designator of one member leaves the others alone
int main(void) { int v = 0; struct cfg c = { .cb = { &v, &v }, .cb.b = &v }; return *c.cb.a; }
// == fails: a later list in braces of an element
int main(void) { int v = 0; struct pair c[2] = { { &v, &v }, { &v, &v }, [0] = { &v } }; return *c[0].b; }
// == fails: a later range of elements
int main(void) { int v = 0; struct pair c[3] = { { &v, &v }, { &v, &v }, { &v, &v }, [1 ... 2] = { &v } }; return *c[2].b; }
// == fails: an empty list
int main(void) { int v = 0; struct cfg c = { .cb = { &v, &v }, .cb = { } }; return *c.cb.a; }
// == fails: a later list in a static object
static int v; static struct cfg c = { .cb = { &v, &v }, .cb = { .b = &v } }; int main(void) { return *c.cb.a; }
// == fails: a later list within a list
struct outer { struct cfg in; int *d; };
int main(void) { int v = 0; struct outer c = { .in = { { &v, &v }, &v }, .in.cb = { .b = &v } }; return *c.in.cb.a; }
// == fails: a later list resets all of it
struct outer { struct cfg in; int *d; };
int main(void) { int v = 0; struct outer c = { .in = { { &v, &v }, &v }, .in = { .c = &v } }; return *c.in.cb.a; }
// == fails: a value for the whole, and then a list
int main(void) { int v = 0; struct pair p = { &v, &v }; struct cfg c = { .cb = p, .cb = { .b = &v } }; return *c.cb.a; }
// == open: a value for the whole, and then a part of it: compilers differ in what is left of the value
int main(void) { int v = 0; struct pair p = { &v, &v }; struct cfg c = { .cb = p, .cb.b = 0 }; return *c.cb.a; }
// == fails: a value for the whole, and then a part of it
int main(void) { int v = 0; struct pair p = { 0, &v }; struct cfg c = { .cb = p, .cb.b = &v }; return *c.cb.a; }
// == fails: a value after a list
int main(void) { int v = 0; struct pair p = { 0, &v }; struct cfg c = { .cb = { &v, &v }, .cb = p }; return *c.cb.a; }
// == fails: parts that are not mentioned
int main(void) { int v = 0; struct cfg c = { .c = &v }; return *c.cb.a; }
// == fails: a compound literal whose list has a later one
int main(void) { int v = 0; struct cfg *c = &(struct cfg){ .cb = { &v, &v }, .cb = { .b = &v } }; return *c->cb.a; }
// == fails: a scalar that is set again
int main(void) { int v = 0; struct pair c = { .a = &v, .a = 0 }; return *c.a; }
// == proved: a scalar that is set again
int main(void) { int v = 0; struct pair c = { .a = 0, .a = &v }; return *c.a; }
// == fails: an anonymous struct that is set again
struct anonymous { struct { int *a, *b; }; int *c; };
int main(void) { int v = 0; struct anonymous c = { { &v, &v }, &v, .b = 0 }; return *c.b; }
// == fails: elements without a value
int main(void) { int v = 0; int *a[3] = { &v, [2] = &v }; return *a[1]; }
// == fails: a string that is set again by characters
int main(void) { char s[4] = { "abc" }; int *p = 0; struct { char s[4]; } t = { .s = "abc", .s = { 'x' } }; if (!t.s[1]) return *p; return 0; }
// == fails: a union whose member is set again
union u { int *p; int *q; }; struct w { union u u; int n; };
int main(void) { int v = 0; struct w w = { .u = { .p = &v }, .u = { .q = 0 } }; return *w.u.p; }
// == open: an effect of an initializer that is overridden, which may happen or not
int main(void) { int v = 0, *q = &v; struct pair c = { .a = (q = 0), .a = &v }; (void)c; return *q; }
// == open: an effect of an initializer that is overridden, which may not happen
int main(void) { int v = 0, *q = 0; struct pair c = { .a = (q = &v), .a = &v }; (void)c; return *q; }
// == fails: a static object of a loop
int main(void) { for (int i = 0; i < 2; i++) { static int *p; int v = 0; if (i) return *p; p = 0; } return 0; }
// == fails: a variable that a loop makes anew
int main(void) { int *keep = 0; for (int i = 0; i < 2; i++) { int v = i; if (i) return *keep; keep = &v; } return 0; }
// == fails: a struct that a loop initialises anew
int main(void) { int v = 0; for (int i = 0; i < 2; i++) { struct pair p = { &v }; if (i) return *p.b; p.b = &v; } return 0; }
