// Numbers: conversions, operators, short circuits, conditional and comma expressions, increments.
// expect: safe
typedef unsigned long size_t;
void *malloc(size_t);
void *calloc(size_t, size_t);
void free(void *);
void abort(void);
void exit(int);
void reach_error(void);
int __VERIFIER_nondet_int(void);
static void check(int holds) { if (!holds) reach_error(); }

enum colour { RED, GREEN = 5, BLUE };
static int calls;
static int called(int result) { calls++; return result; }

int main(void)
{
    unsigned char c = 250;
    signed char s = (signed char)200;
    unsigned u = -1;
    long l = u;
    _Bool b = 256;
    int i = 3, j;
    enum colour k = BLUE;
    struct { unsigned f : 3; int g : 4; _Bool h : 1; } bits = {9, -3, 2};
    c += 10;
    check(c == 4 && s == -56 && l == 4294967295 && b == 1 && k == 6 && k - GREEN == 1);
    check(-7 / 2 == -3 && -7 % 2 == -1 && (u >> 28) == 15 && (-8 >> 1) == -4 && (1 << 4 | 1) == 17);
    check((0 && called(1)) == 0 && (1 || called(1)) && calls == 0);
    check((called(0) || called(2)) == 1 && calls == 2);
    j = i++ + 10;
    check(i == 4 && j == 13 && --i == 3 && i-- == 3 && i == 2);
    j = (i = 7, i + 1);
    check(j == 8 && (i > 5 ? i : called(1)) == 7 && calls == 2);
    check((called(4) ?: 9) == 4 && (0 ?: 9) == 9 && calls == 3);
    i = j = 2;
    i <<= j;
    i ^= 1;
    check(i == 9 && !i == 0 && !!i == 1 && ~i == -10 && -i == -9);
    check(bits.f == 1 && bits.g == -3 && bits.h == 1);
    bits.f += 8;
    bits.g--;
    check(bits.f == 1 && bits.g == -4 && (bits.f = 10) == 2);
    check(sizeof(struct { char c; long l; }) == 16 && sizeof i == 4);
    check(({ int t = i; t * 2; }) == 18);
    b = i;
    b++;
    check(b == 1);
    b--;
    check(b == 0 && 'a' == 97);
    j = __VERIFIER_nondet_int();
    check((j & 1) == 0 || (j | 2) != 0);
    i = __VERIFIER_nondet_int() / 2;
    check(i < 1073741824 && i >= -1073741824);
    return 0;
}
