//! Programs in C. A body is a function of its own for the compiler, and `main` for Trifold.

use super::Feature;

pub const HEADERS: &str = "#include <assert.h>\n#include <stddef.h>\n#include <stdlib.h>\n#include <string.h>\n";

/// The same, as far as the programs use them, without a preprocessor.
pub const DECLARED: &str = "typedef unsigned long size_t;
void assert(int); void *malloc(size_t); void *calloc(size_t, size_t); void free(void *);
size_t strlen(const char *); int strcmp(const char *, const char *); int strncmp(const char *, const char *, size_t);
char *strcpy(char *, const char *); char *strncpy(char *, const char *, size_t); char *strdup(const char *);
void *memset(void *, int, size_t); size_t strspn(const char *, const char *); int atoi(const char *);
";

/// The macros that the programs use.
pub fn expanded(text: &str) -> String {
    text.replace("offsetof(", "__builtin_offsetof(")
}

pub const FEATURES: &[Feature] = &[
    Feature {
        name: "floats",
        declarations: "struct f { double x; struct f *next; };
                       static double half(double x) { return x / 2; }",
        correct: &[
            "double x = 1.0; assert(x == 1.0);",
            "float x = 0.5f; x += 0.25f; assert(x == 0.75f);",
            "double x = 3; int i = x * 1.5; assert(i == 4);",
            "assert(half(5) == 2.5);",
            "float x = 16777216.0f; x = x + 1; assert(x == 16777216.0f);",
            "double x = -2.5; assert((int)x == -2 && x < 0 && !(x > 0));",
            "double s = 0; for (int i = 0; i < 10; i++) s += 0.1; assert(s != 1.0 && s > 0.99);",
            "struct f *p = malloc(sizeof *p); p->x = 1.5; p->next = 0; assert(p->x + p->x == 3); free(p);",
            "double a[20] = {0}; a[7] = 2.25; int *p = 0; if (a[7] < 2) *p = 1; assert(a[8] == 0);",
            "int i = 7; double x = i; x++; assert(x == 8 && (x ? 1 : 0)); x = -x; assert(x == -8);",
        ],
        planted: &[
            "double x = 1.0; assert(x == 1.5);",
            "float x = 0.1f; double y = 0.1; assert(x == y);",
            "double x = 3; int i = x * 1.5; assert(i == 5);",
            "int *p = 0; if (half(5) > 2.4) *p = 1;",
            "float x = 16777216.0f; x = x + 1; assert(x > 16777216.0f);",
            "double x = -2.5; assert((int)x == -3);",
            "double s = 0; for (int i = 0; i < 10; i++) s += 0.1; assert(s == 1.0);",
            "struct f *p = malloc(sizeof *p); p->x = 1.5; double x = p->x; free(p); if (x == 1.5) p->x = 0;",
            "double a[20] = {0}; a[7] = 2.25; int *p = 0; if (a[7] > 2) *p = 1;",
            "int i = 7; double x = i; x++; assert(x == 7);",
        ],
    },
    Feature {
        name: "unions",
        declarations: "union u { int a; int b; unsigned char bytes[4]; float f; short s[2]; };
                       struct tagged { int tag; union u value; };",
        correct: &[
            "union u u; u.a = 5; assert(u.a == 5);",
            "union u u; u.a = 5; assert(u.b == 5);",
            "union u u; u.a = 0x01020304; assert(u.bytes[0] == 4 && u.bytes[3] == 1);",
            "union u u; u.f = 1.0f; assert(u.a == 0x3f800000);",
            "union u u = { 7 }; union u v = u; assert(v.b == 7);",
            "union u u; u.a = -1; u.s[0] = 0; assert(u.a == -65536);",
            "struct tagged t = { 1, { 3 } }; t.value.b++; assert(t.tag == 1 && t.value.a == 4);",
            "static union u u; int *p = 0; if (u.a) *p = 1; assert(u.f == 0);",
            "union u *p = calloc(1, sizeof *p); p->s[1] = 1; assert(p->a == 65536); free(p);",
            "union u u; u.a = 0; for (int i = 0; i < 4; i++) u.bytes[i] = i; assert(u.a == 0x03020100);",
        ],
        planted: &[
            "union u u; u.a = 5; assert(u.a == 6);",
            "union u u; u.a = 5; assert(u.b != 5);",
            "union u u; u.a = 0x01020304; assert(u.bytes[0] == 1);",
            "union u u; u.f = 1.0f; int *p = 0; if (u.a == 0x3f800000) *p = 1;",
            "union u u = { 7 }; union u v = u; v.a = 8; assert(u.b == 8);",
            "union u u; u.a = -1; u.s[0] = 0; assert(u.a == -1);",
            "struct tagged t = { 1, { 3 } }; t.value.b++; assert(t.value.a == 3);",
            "static union u u; int *p = 0; if (!u.a) *p = 1;",
            "union u *p = calloc(1, sizeof *p); p->s[1] = 1; int a = p->a; free(p); if (a == 65536) p->a = 1;",
            "union u u; u.a = 0; for (int i = 0; i < 4; i++) u.bytes[i] = i; assert(u.a == 0);",
        ],
    },
    Feature {
        name: "long arrays",
        declarations: "static int visited[32]; static const int primes[20] = { 2, 3, 5, [10] = 31 };
                       struct table { short t[40]; struct table *next; };",
        correct: &[
            "int *p = 0; if (visited[3]) *p = 1;",
            "visited[3] = 1; visited[4] = 2; assert(visited[3] + visited[4] == 3);",
            "assert(primes[2] == 5 && primes[10] == 31 && primes[11] == 0);",
            "int a[100]; for (int i = 0; i < 100; i++) a[i] = i * i; assert(a[99] == 9801);",
            "unsigned char a[300] = {0}; a[299] = 255; a[299]++; assert(a[299] == 0);",
            "long m[5][20]; for (int i = 0; i < 5; i++) for (int k = 0; k < 20; k++) m[i][k] = i * k;
             assert(m[4][19] == 76);",
            "struct table *p = calloc(1, sizeof *p); p->t[39] = -1; assert(p->t[39] < 0 && !p->t[38]); free(p);",
            "struct table a = { { 1, 2 }, 0 }, b = a; b.t[1] = 9; assert(a.t[1] == 2 && b.t[0] == 1);",
            "int s = 0; for (int i = 0; i < 32; i++) s += visited[i]; assert(s == 0 || s == 3);",
            "int a[20] = {0}; int i = 19; a[i--] = 4; assert(a[19] == 4 && i == 18 && a[i] == 0);",
        ],
        planted: &[
            "int *p = 0; visited[3] = 0; if (!visited[3]) *p = 1;",
            "visited[3] = 1; visited[4] = 2; assert(visited[3] + visited[4] == 4);",
            "assert(primes[11] == 31);",
            "int a[100]; for (int i = 0; i < 100; i++) a[i] = i * i; assert(a[98] == 9801);",
            "unsigned char a[300] = {0}; a[299] = 255; a[299]++; assert(a[299] == 256);",
            "long m[5][20]; for (int i = 0; i < 5; i++) for (int k = 0; k < 20; k++) m[i][k] = i * k;
             int *p = 0; if (m[4][19] == 76) *p = 1;",
            "struct table *p = calloc(1, sizeof *p); p->t[39] = -1; short t = p->t[39]; free(p); if (t < 0) p->t[0] = 1;",
            "struct table a = { { 1, 2 }, 0 }, b = a; b.t[1] = 9; assert(a.t[1] == 9);",
            "int a[20] = {0}; for (int i = 0; i <= 20; i++) a[i] = i;",
            "int a[20] = {0}; int i = 19; a[i--] = 4; assert(a[18] == 4);",
        ],
    },
    Feature {
        name: "strings",
        declarations: "struct named { char name[24]; struct named *next; };",
        correct: &[
            "int *p = malloc(sizeof *p); if (strcmp(\"abc\", \"abc\") == 0) free(p);",
            "assert(strlen(\"hello\") == 5);",
            "const char *s = \"hello\"; assert(strlen(s) == 5 && strcmp(s, \"help\") < 0);",
            "char b[8]; strcpy(b, \"hi\"); assert(strlen(b) == 2 && b[1] == 'i' && b[2] == 0);",
            "char b[40]; strcpy(b, \"long enough\"); assert(strcmp(b, \"long enough\") == 0);",
            "char *s = strdup(\"copy\"); assert(strcmp(s, \"copy\") == 0); free(s);",
            "struct named *n = malloc(sizeof *n); strcpy(n->name, \"first\"); assert(strlen(n->name) == 5); free(n);",
            "char b[20] = \"abc\"; assert(strncmp(b, \"abd\", 2) == 0 && strncmp(b, \"abd\", 3) != 0);",
            "assert(atoi(\" -42x\") == -42 && strspn(\"aab\", \"a\") == 2);",
            "char b[32]; strncpy(b, \"abcdef\", 32); b[3] = 0; assert(strlen(b) == 3 && b[4] == 'e');",
        ],
        planted: &[
            "int *p = malloc(sizeof *p); if (strcmp(\"abc\", \"abd\") == 0) free(p);",
            "assert(strlen(\"hello\") == 6);",
            "const char *s = \"hello\"; assert(strcmp(s, \"help\") == 0);",
            "char b[8]; strcpy(b, \"hi\"); assert(b[1] == 'h');",
            "char b[40]; strcpy(b, \"long enough\"); int *p = 0; if (strlen(b) == 11) *p = 1;",
            "char *s = strdup(\"copy\"); if (strlen(s) == 4) free(s); free(s);",
            "struct named *n = malloc(sizeof *n); strcpy(n->name, \"first\"); assert(strlen(n->name) == 4); free(n);",
            "char b[20] = \"abc\"; assert(strncmp(b, \"abd\", 3) == 0);",
            "assert(atoi(\" -42x\") == 42);",
            "char b[32]; strncpy(b, \"abcdef\", 32); b[3] = 0; assert(strlen(b) == 6);",
        ],
    },
    Feature {
        name: "memset",
        declarations: "struct plain { int a; long b; struct plain *next; };",
        correct: &[
            "char b[40]; memset(b, 7, sizeof b); assert(b[0] == 7 && b[39] == 7);",
            "char b[40] = {0}; memset(b, 'x', 3); assert(strlen(b) == 3);",
            "unsigned char b[8]; memset(b, -1, sizeof b); assert(b[5] == 255);",
            "struct plain p; memset(&p, 0, sizeof p); assert(p.a == 0 && p.next == 0);",
            "struct plain *p = malloc(sizeof *p); memset(p, 0, sizeof *p); assert(p->b == 0); free(p);",
            "char b[20]; memset(b, 0, sizeof b); int *p = 0; if (b[10]) *p = 1;",
            "char b[64]; memset(b, 'a', 63); b[63] = 0; assert(strlen(b) == 63);",
            "char b[17] = \"abcd\"; memset(b, 'z', 2); assert(strcmp(b, \"zzcd\") == 0);",
            "char b[4]; memset(b, 1, 4); assert(b[0] + b[1] + b[2] + b[3] == 4);",
            "char b[32]; memset(b, 0, 32); strcpy(b, \"ok\"); assert(b[2] == 0 && b[31] == 0);",
        ],
        planted: &[
            "char b[40]; memset(b, 7, sizeof b); assert(b[39] == 0);",
            "char b[40] = {0}; memset(b, 'x', 3); assert(strlen(b) == 4);",
            "unsigned char b[8]; memset(b, -1, sizeof b); assert(b[5] == 1);",
            "struct plain p; memset(&p, 0, sizeof p); p.next->a = 1;",
            "struct plain *p = malloc(sizeof *p); memset(p, 0, sizeof *p); if (p->b == 0) free(p); free(p);",
            "char b[20]; memset(b, 0, sizeof b); int *p = 0; if (!b[10]) *p = 1;",
            "char b[64]; memset(b, 'a', 63); b[63] = 0; assert(strlen(b) == 64);",
            "char b[17] = \"abcd\"; memset(b, 'z', 2); assert(strcmp(b, \"abcd\") == 0);",
            "char b[4]; memset(b, 1, 4); assert(b[0] + b[1] + b[2] + b[3] == 3);",
            "char b[32]; memset(b, 0, 32); strcpy(b, \"ok\"); assert(b[1] == 0);",
        ],
    },
    Feature {
        name: "allocation",
        declarations: "struct s { int n; int kind; long extra; }; struct c { char a, b, c; struct c *next; };",
        correct: &[
            "struct s *p = malloc(offsetof(struct s, extra)); p->n = 1; p->kind = 2; assert(p->n == 1); free(p);",
            "struct c *p = malloc(3); p->a = 1; p->b = 2; p->c = 3; assert(p->c == 3); free(p);",
            "struct s *p = malloc(4); p->n = 5; assert(p->n == 5); free(p);",
            "struct s *p = malloc(8), *q = malloc(sizeof *q); q->extra = 1; p->n = q->extra; free(q); free(p);",
            "struct s *p = malloc(12); free(p);",
            "struct c *p = calloc(1, 3); assert(!p->a && !p->c); free(p);",
            "struct s *p = malloc(100); p->extra = 1; free(p);",
            "struct s *p = malloc(offsetof(struct s, kind) + sizeof(int)); p->kind = 1; free(p);",
            "struct s s; struct s *p = malloc(8), *q = &s; q->extra = 4; assert(s.extra == 4); free(p);",
            "struct c *p = malloc(1), *q = malloc(sizeof *q); p->a = 2; q->a = p->a; q->next = 0; free(p); free(q);",
        ],
        planted: &[
            "struct s *p = malloc(offsetof(struct s, extra)); p->extra = 1; free(p);",
            "struct c *p = malloc(3); p->next = 0; free(p);",
            "struct s *p = malloc(4); p->kind = 5; free(p);",
            "struct s *p = malloc(8), *q = malloc(sizeof *q); q->extra = 1; p->extra = q->extra; free(q); free(p);",
            "struct s *p = malloc(12); p->extra = 1; free(p);",
            "struct c *p = calloc(1, 2); assert(!p->c); free(p);",
            "struct s *p = malloc(sizeof p); p->extra = 1; free(p);",
            "struct s *p = malloc(offsetof(struct s, kind)); p->kind = 1; free(p);",
            "struct s s = { 1, 2, 3 }; struct s *p = malloc(8); *p = s; free(p);",
            "struct c *p = malloc(1); p->b = 2; free(p);",
        ],
    },
];

/// Constants of programs for 32 bits, which the compiler judges without a run: there need not be a library for them.
pub const SIZES_32: [&str; 10] = [
    "sizeof(long) == 4",
    "sizeof(void *) == 4",
    "sizeof(long long) == 8",
    "sizeof(struct { char c; double d; }) == 12",
    "sizeof(struct { char c; long long l; }) == 12",
    "sizeof(long double) == 12",
    "(unsigned long)-1 == 4294967295u",
    "sizeof(2147483648) == 8",
    "__builtin_offsetof(struct { char c; long double d; }, d) == 4",
    "sizeof(sizeof(int)) == 4 && (1u - 2L > 0)",
];
