/* Statements, attributes, assembler text. */
void stop(void) __asm__("halt") __attribute__((__noreturn__, __format__(printf, 1, 2), unused));
extern int value __attribute__((section("data"), aligned(8)));
__asm__(".globl x");
__extension__ typedef long long wide;
static __inline__ __attribute__((always_inline)) int __attribute__((pure)) inlined(const char *__restrict s) { return *s; }
[[nodiscard]] int modern([[maybe_unused]] int x);
static_assert(1, "C23");
static_assert(sizeof(bool) == 1);
int *__attribute__((aligned(16))) *pointer;
void (__attribute__((cdecl)) *callback)(int x __attribute__((unused)));

void release(int *p) {}

int statements(int n, int *p)
{
    if (n) n--; else if (n > 1) n++; else { ; }
    while (n) if (n == 2) continue; else break;
    do n--; while (n > 0);
    for (;;) break;
    for (n = 0; n < 3; n++) ;
    for (struct { int i; } s = { 0 }; s.i < 3; s.i++) n += s.i;
    switch (n) {
        int unreachable;
    case 1: case 2:
    case 3 ... 5:
        n = 1;
        __attribute__((fallthrough));
    case 'a':
        switch (n) default: break;
        [[fallthrough]];
    default:
        n = 2;
    case 100:;
    }
    switch (n) case 1: while (n--) { case 2: continue; }
    goto out;
    {
        __label__ local, other;
    local:
        if (n) goto local;
    other:;
        goto other;
    }
    asm("nop");
    __asm__ __volatile__("mov %1, %0" : "=r"(n), [q] "+m"(*p) : "r"(n + 1), "i"(3) : "memory", "cc");
    asm goto("jmp %l0" : : : : out);
    static const void *targets[] = { &&out, &&end };
    int cleaned __attribute__((cleanup(release))) = 1;
    n = ({ __auto_type t = n; for (int i = 0; i < 3; i++) t += i; t; });
    return n;
out:
    return (void)0, 1;
end:
}
