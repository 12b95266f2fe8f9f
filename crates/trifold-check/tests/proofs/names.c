typedef unsigned long size_t; void *malloc(size_t); void free(void *); int zero(void); void reach_error(void);
// == fails: a function `trap` of the program's own kind
extern void trap(int); int main(void) { int *p = 0; trap(3); return *p; }
// == fails: a function `unreachable`
extern void unreachable(int); int main(void) { int *p = 0; unreachable(3); return *p; }
// == fails: a function `expect` that is defined elsewhere
extern int expect(int, int); int main(void) { int *p = 0; if (!expect(0, 0)) return *p; return 0; }
int real(int a, int b) __asm__("expect"); int real(int a, int b) { return 0; }
// == fails: a function `prefetch`
extern void prefetch(void *); int main(void) { int n = 1, *p = &n; prefetch(&p); return *p; }
// == fails: `random` with another type
struct s { int a; }; extern void random(struct s *p) __asm__("myrandom"); void my(struct s *p) __asm__("myrandom");
void my(struct s *p) { free(p); } int main(void) { struct s *p = malloc(sizeof *p); random(p); return p->a; }
// == fails: `strlen` with another type
struct s { int a; }; extern void my(struct s *p) __asm__("strlen"); void my(struct s *p) { free(p); }
extern void strlen(struct s *p); int main(void) { struct s *p = malloc(sizeof *p); strlen(p); return p->a; }
// == fails: `free` that the program defines with another type
struct s { int a; }; static int exit(struct s **p) { *p = 0; return 1; }
int main(void) { struct s *p = malloc(sizeof *p); free(p); exit(&p); return p->a; }
// == fails: `abort` with another type
static int abort_count; extern int abort(int); int main(void) { int *p = 0; zero(); abort(0); return *p; }
int my_abort(int n) __asm__("abort"); int my_abort(int n) { return 0; }
// == fails: `rand` that is not from zero on
int rand(void); int main(void) { int *p = 0; if (rand() < 0) return *p; return 0; }
int mine(void) __asm__("rand"); int mine(void) { return -1; }
// == fails: a function of verifiers that gets memory
extern void __VERIFIER_nondet_memory(void *, size_t); void mine(void *p, size_t n) __asm__("__VERIFIER_nondet_memory");
void mine(void *p, size_t n) { *(int *)p = 1; }
int main(void) { int n = 0, *p = 0; __VERIFIER_nondet_memory(&n, sizeof n); if (n) return *p; return 0; }
// == fails: a function that only looks like one of verifiers
extern void __VERIFIER_nondet_swap(int **); void mine(int **) __asm__("__VERIFIER_nondet_swap"); void mine(int **p) { *p = 0; }
int main(void) { int n = 0, *p = &n; __VERIFIER_nondet_swap(&p); return *p; }
// == fails: a place that must not be reached
int main(void) { int *p = 0; if (zero()) return 0; __builtin_unreachable(); return *p; }
// == proved: a place that is not reached
int main(void) { int n = 1; if (n) return 0; __builtin_unreachable(); return 1; }
// == clean: the compiler's trap, which ends the program
int main(void) { int *p = 0; if (zero()) __builtin_trap(); return 0; }
// == fails: an assumption about an aligned pointer
int main(void) { int *p = __builtin_assume_aligned((int *)0, 4); return *p; }
// == fails: an intrinsic that is not known
int main(void) { int n = 4, *p = 0; if (__builtin_popcount(n) == 1) return *p; return 0; }
// == fails: an intrinsic that writes
int main(void) { int n = 0, *p = 0; __builtin_add_overflow(1, 2, &n); if (n == 3) return *p; return 0; }
// == fails: an atomic operation
int main(void) { int n = 0, *p = 0; __sync_fetch_and_add(&n, 1); if (n) return *p; return 0; }
// == fails: an atomic exchange of pointers
int main(void) { int n = 0, *p = &n, *q; q = __sync_lock_test_and_set(&p, 0); return *p; }
// == fails: text that is printed by the compiler's function
int main(void) { char *p = malloc(1); *p = 0; free(p); __builtin_puts(p); return 0; }
// == fails: freed by the compiler's function
int main(void) { int *p = malloc(4); __builtin_free(p); return *p; }
// == proved: allocated by the compiler's function
int main(void) { int *p = __builtin_malloc(sizeof *p); *p = 0; __builtin_free(p); return 0; }
// == fails: `assert` that is a function of the program
static void assert(int n) { } int main(void) { int *p = 0; assert(0); return *p; }
// == fails: `kfree` with another type
extern void my(int **p) __asm__("kfree"); void my(int **p) { *p = 0; } extern void kfree(int **);
int main(void) { int n, *p = &n; kfree(&p); return *p; }
// == open: an expectation that has an effect, which may not happen
int main(void) { int n = 0, *p = 0; if (__builtin_expect(1, (p = &n, 1))) return *p; return 0; }
// == open: an expectation that has an effect
int main(void) { int n = 0, *p = &n; if (__builtin_expect(1, (p = 0, 1))) return *p; return 0; }
// == fails: an object size that is not known
int main(void) { int a[2], *p = 0; if (__builtin_object_size(a, 0) == 8) return *p; return 0; }
// == fails: an input of verifiers that the program defines, and that changes something
static int *g; int __VERIFIER_nondet_int(void) { g = 0; return 1; }
int main(void) { int n = 0; g = &n; __VERIFIER_nondet_int(); return *g; }
// == fails: an input that is defined by another name
static int *g; int __VERIFIER_nondet_int(void); int mine(void) __asm__("__VERIFIER_nondet_int");
int mine(void) { g = 0; return 1; } int main(void) { int n = 0; g = &n; __VERIFIER_nondet_int(); return *g; }
// == fails: an assumption of verifiers that the program defines as nothing
void __VERIFIER_assume(int holds) { } int main(void) { int *p = 0; __VERIFIER_assume(p != 0); return *p; }
// == proved: an assumption that the program defines as one
void __VERIFIER_assume(int holds) { while (!holds) { } }
int main(void) { int n = 1, *p = zero() ? 0 : &n; __VERIFIER_assume(p != 0); return *p - 1; }
// == fails: the beginning of what nobody interrupts, defined with an effect
static int *g; void __VERIFIER_atomic_begin(void) { g = 0; }
int main(void) { int n = 0; g = &n; __VERIFIER_atomic_begin(); return *g; }
