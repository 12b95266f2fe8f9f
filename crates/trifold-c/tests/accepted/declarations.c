/* Declarations and declarators. */
int a, *b, c[3], (*d)(int, char **), *(*e[4])(void), (*(*f)(int))[5];
static const volatile unsigned long long int g = 1ull;
extern int a;
typedef int integer, *pointer, vector[10], function(int);
function h;
integer h(int integer) { return integer; }
int (*signal_like(int number, void (*handler)(int)))(int);
struct forward;
struct forward *future;
struct forward { struct forward *self; unsigned low : 3, : 2, high : 4; int : 0; char rest[]; };
union number { int whole; float real; struct { int x, y; }; };
struct outer { int tag; union { int i; char *s; }; struct { union number n; } named; };
enum color { RED, GREEN = 5, BLUE, LAST = BLUE + 10 } color = GREEN;
enum { BIG = 0xffffffffff };
_Static_assert(LAST == 16 && BIG == 1099511627775, "constants of enumerations");
_Alignas(16) char aligned[3];
_Alignas(double) char aligned_as;
_Noreturn void stop(void);
static inline int twice(int x) { return 2 * x; }
_Thread_local int per_thread;
_Atomic int counter;
_Atomic(long) wide;
int zero_length[0];
int prototype(int n, int matrix[n][n], int [static 3], int [*], int [const]);
int old(x, y, s) int x; char *s; { return x + y + *s; }
static int tentative;
static int tentative;
static int tentative = 4;
extern int open_array[];
int open_array[7];
_Static_assert(sizeof open_array == 28, "the length comes later");
void variadic(const char *format, ...);
typedef struct { int x; } point, *point_pointer;
typedef integer integer;
struct scopes { int scopes; } scopes;
void hides(void)
{
    integer before = 1;
    {
        int integer = 2;
        integer = integer * before;
    }
    integer after;
    after = before;
    typedef char integer;
    _Static_assert(sizeof(integer) == 1, "a type of the block");
    struct forward { char c; };
    _Static_assert(sizeof(struct forward) == 1, "a struct of the block");
    extern int a;
    static int lasting = sizeof lasting;
    for (int i = 0, *p = &i; i < 3; i++) {
        (void)p;
    }
    int typedef_name_as_label;
typedef_name_as_label:
    typedef_name_as_label = after;
}
void tag_in_parameters(struct private *p);
int main(int argc, char *argv[]) { return argc > 1 ? argv[0][0] : 0; }
