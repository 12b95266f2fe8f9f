/* Initializers and layout. */
struct point { int x, y; };
struct line { struct point from, to; };
int scalar = { 1 };
int list[] = { 1, 2, 3, [7] = 4, 5, };
_Static_assert(sizeof list == 9 * sizeof(int), "the length goes with the largest index");
int ranges[] = { [0 ... 3] = 1, [10 ... 12] = 2 };
_Static_assert(sizeof ranges == 13 * sizeof(int), "ranges count");
char text[] = "abc", braced[] = { "abcd" }, exact[3] = "abc", letters[] = { 'a', 'b' };
_Static_assert(sizeof text == 4 && sizeof braced == 5 && sizeof letters == 2, "strings");
int wide[] = L"äö";
_Static_assert(sizeof wide == 12, "wide strings");
struct line flat = { 1, 2, 3, 4 }, nested = { { 1, 2 }, { 3, 4 } }, mixed = { 1, 2, { 3 } };
struct line named = { .to = { .y = 1 }, .from.x = 2, 3 }, old = { from: { 1, 2 } };
struct line many[] = { 1, 2, 3, 4, { { 5 } }, [4].to.y = 6, [5] = { .from = { 7, 8 } } };
_Static_assert(sizeof many == 6 * sizeof(struct line), "flat and braced elements");
union { int i; struct point p; } first = { 1 }, second = { .p = { 1, 2 } };
struct { int n; union { int a; struct { int b, c; }; }; } anonymous = { 1, .b = 2, 3 };
struct { int n; int rest[]; } flexible = { 1, { 1, 2, 3 } };
int matrix[][2] = { 1, 2, 3, 4, { 5 }, };
_Static_assert(sizeof matrix == 24, "rows");
struct point copy_from(struct point p, struct line l)
{
    struct point a = p, b = { 1 }, c = {}, d = (struct point){ 2, 3 };
    struct line e = { p, l.to }, f = { .from = p, 4, 5 }, g = { p };
    char *words[] = { "a", "b" "c", (char[]){ 'x', 0 } };
    const char *table[][2] = { { "a", "b" }, { "c" } };
    int (*functions[])(void) = { 0 };
    return a;
}
struct empty {};
struct empty nothing = {};
_Static_assert(sizeof(struct empty) == 0, "nothing");
struct packed { char c; int i; short s; } __attribute__((packed));
struct aligned { char c; int i __attribute__((aligned(16))); };
struct __attribute__((aligned(32))) outside { char c; };
struct bits { unsigned a : 3, b : 7; unsigned c : 30; char d : 2; long e : 40; };
struct partly { char c; int i __attribute__((packed)); double d; };
struct zero_width { char a : 4; int : 0; char b : 4; };
union sizes { char c[9]; long l; };
struct doubles { char c; long double d; };
_Static_assert(sizeof(struct packed) == 7 && sizeof(struct aligned) == 32 && sizeof(struct outside) == 32, "attributes");
_Static_assert(sizeof(struct bits) == 16 && sizeof(struct partly) == 16 && sizeof(struct zero_width) == 5, "bits");
_Static_assert(sizeof(union sizes) == 16 && sizeof(struct doubles) == 32 && _Alignof(struct doubles) == 16, "padding");
_Static_assert(__builtin_offsetof(struct line, to.y) == 12, "parts of parts");
typedef int byte __attribute__((mode(QI)));
typedef float four __attribute__((vector_size(16)));
_Static_assert(sizeof(byte) == 1 && sizeof(four) == 16, "modes and vectors");
typedef int wide_int __attribute__((aligned(16)));
typedef struct { char c; } loose __attribute__((aligned(8)));
struct uses_typedefs { char c; wide_int w; loose l; const wide_int v; };
_Static_assert(sizeof(struct uses_typedefs) == 48 && sizeof(wide_int) == 4 && _Alignof(loose) == 8, "aligned typedefs");
enum __attribute__((packed)) small { SMALL = 200 };
_Static_assert(sizeof(enum small) == 1, "a packed enumeration");
four sum(four a, four b) { four c = { 1, 2, 3, 4 }; return a + b * c - (four){ 1 }; }
