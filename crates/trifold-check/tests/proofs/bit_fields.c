typedef unsigned long size_t; void *malloc(size_t); void free(void *); int zero(void);
struct s { unsigned b : 3; int c : 3; unsigned long w : 40; _Bool f : 1; };
// == fails: a small bit-field after it was decremented
int main(void) { struct s s = { 1 }; int *p = 0; if (s.b-- > -1) return *p; return 0; }
// == fails: a small bit-field before it is incremented
int main(void) { struct s s = { 1 }; int *p = 0; if (++s.b > -1) return *p; return 0; }
// == fails: an assignment to a small bit-field
int main(void) { struct s s = { 1 }; int *p = 0; if ((s.b = 2) > -1) return *p; return 0; }
// == fails: an assignment with an operator
int main(void) { struct s s = { 1 }; int *p = 0; if ((s.b += 2) > -1) return *p; return 0; }
// == fails: a bit-field after a comma
int main(void) { struct s s = { 1 }; int *p = 0; if ((0, s.b) > -1) return *p; return 0; }
// == fails: a bit-field that is chosen
int main(void) { struct s s = { 1 }; int *p = 0; if ((zero() ? s.b : s.b) > -1) return *p; return 0; }
// == fails: a bit-field that is loaded
int main(void) { struct s s = { 1 }; int *p = 0; if (s.b > -1) return *p; return 0; }
// == fails: a bit-field that is shifted
int main(void) { struct s s = { 7 }; int *p = 0; if ((s.b << 29) < 0) return *p; return *p; }
// == fails: a wide bit-field
int main(void) { struct s s = { .w = 1 }; int *p = 0; if ((s.w << 39) != 0 && (s.w << 40) == 0) return *p; return 0; }
// == fails: a bit-field that overflows
int main(void) { struct s s = { 7 }; int *p = 0; s.b++; if (s.b == 0) return *p; return 0; }
// == fails: a signed bit-field that overflows
int main(void) { struct s s = { .c = 3 }; int *p = 0; s.c++; if (s.c == -4) return *p; return 0; }
// == fails: a bit-field of a truth value
int main(void) { struct s s = { .f = 2 }; int *p = 0; if (s.f == 1) return *p; return 0; }
// == fails: a bit-field in a complement
int main(void) { struct s s = { 0 }; int *p = 0; if (~s.b < 0) return *p; return 0; }
// == fails: a bit-field in a negation
int main(void) { struct s s = { 1 }; int *p = 0; if (-s.b < 0) return *p; return 0; }
// == fails: the value of an assignment to a small bit-field
int main(void) { struct s s = { 0 }; int *p = 0; int n = (s.b = 9); if (n == 1) return *p; return 0; }
// == fails: the size of a struct with an unnamed bit-field of no width
struct z { char a; unsigned : 0; char b; };
int main(void) { int *p = 0; if (sizeof(struct z) == 5) return *p; return 0; }
// == fails: the size of a struct with an aligned bit-field
struct z { char a; int b : 3 __attribute__((aligned(8))); };
int main(void) { int *p = 0; if (sizeof(struct z) == 16) return *p; return 0; }
