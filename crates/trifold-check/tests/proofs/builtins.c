typedef unsigned long size_t; void *malloc(size_t); void free(void *); int zero(void); int one(void);
// == fails: a constant that the compiler knows
int main(void) { int *p = 0; if (__builtin_constant_p(4)) return *p; return 0; }
// == open: a variable whose value the compiler may know
int main(void) { int n = 4, *p = 0; if (__builtin_constant_p(n)) return *p; return 0; }
// == open: an argument whose value the compiler may know
static inline int f(int n) { int *p = 0; return __builtin_constant_p(n) ? *p : 0; } int main(void) { return f(4); }
// == open: a value that the compiler may know after inlining
static inline void *make(size_t n) { return __builtin_constant_p(n) ? 0 : malloc(n); }
int main(void) { int *p = make(sizeof *p); *p = 1; free(p); return 0; }
// == proved: both ways are right
int main(void) { int n = zero(); return __builtin_constant_p(n) ? 0 : n * 0; }
// == proved: a constant condition
int main(void) { int *p = 0; if (!__builtin_constant_p(1)) return *p; return 0; }
// == fails: a choice by a constant
int main(void) { int *p = 0; return __builtin_choose_expr(__builtin_constant_p(1), *p, 0); }
// == fails: a choice by types
int main(void) { int *p = 0; return __builtin_types_compatible_p(int, int) ? *p : 0; }
// == fails: the classification of a type
int main(void) { int *p = 0; long n = 0; return _Generic(n, int: 0, long: *p); }
