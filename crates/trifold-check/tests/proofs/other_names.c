typedef unsigned long size_t; void *malloc(size_t); void free(void *); struct n { int v; };
// == fails: a weak name
void g_free(struct n *p) { free(p); } void clean(struct n *p);
#pragma weak clean = g_free
int main(void) { struct n *p = malloc(sizeof *p); p->v = 0; clean(p); return p->v; }
// == fails: a weak name for a function without arguments
static struct n *g; void g_free(void) { free(g); } void clean(void);
#pragma weak clean = g_free
int main(void) { g = malloc(sizeof *g); g->v = 0; clean(); return g->v; }
// == fails: a reference to another name
static struct n *g; void g_free(void) { free(g); } static void clean(void) __attribute__((weakref("g_free")));
int main(void) { g = malloc(sizeof *g); g->v = 0; clean(); return g->v; }
// == fails: a name that is chosen when the program is loaded
static struct n *g; void g_free(void) { free(g); } static void (*choose(void))(void) { return g_free; }
void clean(void) __attribute__((ifunc("choose")));
int main(void) { g = malloc(sizeof *g); g->v = 0; clean(); return g->v; }
// == fails: a name that is redefined for the linker
static struct n *g; void g_free(void) { free(g); }
#pragma redefine_extname clean g_free
void clean(void);
int main(void) { g = malloc(sizeof *g); g->v = 0; clean(); return g->v; }
// == fails: a name of the assembler
static struct n *g; void g_free(void) { free(g); } void clean(void) __asm__("g_free");
int main(void) { g = malloc(sizeof *g); g->v = 0; clean(); return g->v; }
// == fails: another name
static struct n *g; void g_free(void) { free(g); } void clean(void) __attribute__((alias("g_free")));
int main(void) { g = malloc(sizeof *g); g->v = 0; clean(); return g->v; }
// == fails: another name of an assembler's name
static struct n *g; void g_free(void) __asm__("real_free"); void g_free(void) { free(g); } void clean(void) __asm__("real_free");
int main(void) { g = malloc(sizeof *g); g->v = 0; clean(); return g->v; }
// == fails: a name that the assembler gives a function of the library
int puts(const char *) __asm__("reach_error"); int main(void) { puts("x"); return 0; }
// == fails: a constructor
static struct n *g; static struct n one; __attribute__((constructor)) static void first(void) { g = 0; }
static struct n *g = &one; int main(void) { return g->v; }
// == fails: a destructor
static struct n *g; __attribute__((destructor)) static void last(void) { g->v = 1; } int main(void) { return 0; }
// == fails: a constructor by its section
static struct n one, *g = &one; static void first(void) { g = 0; }
__attribute__((section(".init_array"), used)) static void (*at_start)(void) = first; int main(void) { return g->v; }
// == fails: another name of a variable
int number; extern int other __attribute__((alias("number"))); int main(void) { int *p = 0; number = 1; if (other) return *p; return 0; }
// == fails: another name of a variable for the assembler
int number; extern int other __asm__("number"); int main(void) { int *p = 0; number = 1; if (other) return *p; return 0; }
// == fails: another name of a pointer
struct n first; struct n *g = &first; extern struct n *other __asm__("g"); int main(void) { other = 0; return g->v; }
// == fails: a function that is replaced by the program's wrapper
static struct n *g; void exit(int); void my_exit(int n) __asm__("exit"); void my_exit(int n) { free(g); }
int main(void) { g = malloc(sizeof *g); g->v = 0; exit(0); return g->v; }
// == fails: a function that is called when the program ends
int atexit(void (*)(void)); static struct n *g; static void last(void) { g->v = 1; } int main(void) { atexit(last); return 0; }
// == fails: text in the language of the assembler
__asm__(".globl clean\nclean: jmp g_free\n"); static struct n *g; void g_free(void) { free(g); } void clean(void);
int main(void) { g = malloc(sizeof *g); g->v = 0; clean(); return g->v; }
// == fails: a variable in a section with another one
int a __attribute__((section(".shared"))), b __attribute__((section(".shared"))) = 0;
void change(void) __asm__("swap"); static struct n *g; void swap(void) { free(g); }
int main(void) { g = malloc(sizeof *g); g->v = 0; change(); return g->v; }
