typedef unsigned long size_t; void *malloc(size_t); void free(void *); int zero(void); int one(void);
// == fails: a function that nothing defines
extern void missing(void) __attribute__((weak)); int main(void) { int *p = 0; if (!missing) return *p; return 0; }
// == fails: the address of a function that nothing defines
extern void missing(void) __attribute__((weak));
int main(void) { void (*f)(void) = missing; int *p = 0; if (f == 0) return *p; return 0; }
// == fails: a call of a function that nothing defines
extern void missing(void) __attribute__((weak)); int main(void) { missing(); return 0; }
// == fails: a variable that nothing defines
extern int missing __attribute__((weak)); int main(void) { int *p = 0; if (&missing == 0) return *p; return 0; }
// == fails: a pragma says that nothing may define it
#pragma weak missing
extern void missing(void); int main(void) { int *p = 0; if (!missing) return *p; return 0; }
// == proved: a weak function that is defined
__attribute__((weak)) int there(void) { return 1; } int main(void) { int *p = 0; if (!there) return *p; return 0; }
// == proved: a weak function that is not used
extern void missing(void) __attribute__((__weak__)); int main(void) { return 0; }
// == fails: a layout of another compiler
struct s { char a; char b : 4; int c : 3; } __attribute__((ms_struct));
int main(void) { int *p = 0; if (sizeof(struct s) != 4) return *p; return 0; }
// == fails: bytes in another order
struct s { int a; } __attribute__((scalar_storage_order("big-endian"))); union u { struct s s; int i; };
int main(void) { union u u; int *p = 0; u.s.a = 1; if (u.i != 1) return *p; return 0; }
