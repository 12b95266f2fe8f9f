struct pair { int a, b; unsigned bits : 3; } pair;
struct unknown;
void nothing(void);
int two(int, struct pair *);
int x, *p, array[3];
double d;
struct unknown *u;
int f(int n)
{
    x = pair + 1;
    x = p * 2;
    pair = 3;
    x = nothing();
    *x = 1;
    1 = x;
    array = p;
    &1;
    &pair.bits;
    two(1);
    two(1, 2, 3);
    two(pair, p);
    x(3);
    d % 2;
    p = (int *)d;
    u + 1;
    *u;
    sizeof(struct unknown);
    x[x];
    if (pair) return 1;
    switch (d) { case 1: break; case 1: break; default: default: ; }
    case 3: break;
    continue;
    struct unknown incomplete;
    int negative[-1], by_pointer[p], functions[2](void);
    switch (n) { case 1 ... 5: case 3: case n: break; }
    x = _Generic(d, int: 1, char: 2);
    static int s = {1, 2};
    return pair;
}
int outside[x];
_Static_assert(sizeof(int) == 8, "int has eight bytes");
_Static_assert(x, "not constant");
enum { E = x };
struct bad { void v; int f(void); int flexible[]; int after; int wide : 40; double b : 2; };
int initial[2] = { 1, 2, 3 }, index[2] = { [5] = 1, [-1] = 2, [x] = 3 }, whole[2] = 5;
struct pair named = { .c = 1, [0] = 2, .a.b = 3 };
int (returns_array(void))[3];
void v;
__auto_type no_value;
