/* Expressions, and the types that they have. */
#pragma once
struct list { struct list *next; int data; unsigned char small : 3; };
struct list f(int, ...);
int i; unsigned u; long l; char c; short s; float r; double d; void *v; char *string; struct list x, *p; int m[2][3];
_Bool truth;
enum e { A, B } e;
#pragma GCC diagnostic ignored "-Wunused"
_Static_assert(__builtin_types_compatible_p(typeof(c + s), int), "promotion");
_Static_assert(__builtin_types_compatible_p(typeof(i + u), unsigned), "rank");
_Static_assert(__builtin_types_compatible_p(typeof(u + l), long), "size");
_Static_assert(__builtin_types_compatible_p(typeof(l + 1ull), unsigned long long), "rank before size");
_Static_assert(__builtin_types_compatible_p(typeof(r * 2), float), "floating");
_Static_assert(__builtin_types_compatible_p(typeof(r + d), double), "floating rank");
_Static_assert(__builtin_types_compatible_p(typeof(u << l), unsigned), "shifts have the left type");
_Static_assert(__builtin_types_compatible_p(typeof(~c), int), "promotion of one operand");
_Static_assert(__builtin_types_compatible_p(typeof(!d), int), "negation");
_Static_assert(__builtin_types_compatible_p(typeof(x.small + 0), int), "bit-fields fit into int");
_Static_assert(__builtin_types_compatible_p(typeof(p - p), long), "difference");
_Static_assert(__builtin_types_compatible_p(typeof(&m[1]), int (*)[3]), "address of a row");
_Static_assert(__builtin_types_compatible_p(typeof(m[1] + 1), int *), "decay");
_Static_assert(__builtin_types_compatible_p(typeof(*m), int[3]), "a row");
_Static_assert(__builtin_types_compatible_p(typeof(&f), struct list (*)(int, ...)), "address of a function");
_Static_assert(__builtin_types_compatible_p(typeof(*f), struct list(int, ...)), "a function");
_Static_assert(__builtin_types_compatible_p(typeof(f(1, 2).next->data), int), "member of a value");
_Static_assert(__builtin_types_compatible_p(typeof(1 ? 0 : p), struct list *), "null and pointer");
_Static_assert(__builtin_types_compatible_p(typeof(1 ? v : p), void *), "void and pointer");
_Static_assert(__builtin_types_compatible_p(typeof(1 ? (void *)0 : p), struct list *), "null pointer and pointer");
_Static_assert(__builtin_types_compatible_p(typeof(e + 0), unsigned), "an enumeration");
_Static_assert(__builtin_types_compatible_p(typeof(A), int), "a constant of an enumeration");
_Static_assert(__builtin_types_compatible_p(typeof('a'), int), "a character");
_Static_assert(__builtin_types_compatible_p(typeof("abc"), char[4]), "a string");
_Static_assert(__builtin_types_compatible_p(typeof(L"abc"), int[4]), "a wide string");
_Static_assert(!__builtin_types_compatible_p(char *, const char *), "qualifiers of what is pointed to count");
_Static_assert(__builtin_types_compatible_p(const int, int), "qualifiers of the type do not");
_Static_assert(_Generic(p->next, struct list *: 1, default: 0), "selection");
_Static_assert(_Generic((const char *)0, char *: 0, const char *: 1), "selection by qualifiers");
_Static_assert(_Generic(1.0f, double: 0, float: 1), "selection of a float");
_Static_assert(sizeof(int[3]) == 12 && sizeof m == 24 && sizeof *m == 12 && sizeof(m[0][0]) == 4, "sizes");
_Static_assert(sizeof f(1).data == 4 && sizeof(char) + 1 == 2 && sizeof -1 == 4, "sizeof binds like a prefix");
_Static_assert((unsigned char)300 == 44 && (signed char)200 == -56 && -1 > 0u && (_Bool)7 == 1, "conversions");
_Static_assert(7 / -2 == -3 && 7 % -2 == 1 && -8 >> 1 == -4 && (1u << 31) == 2147483648, "arithmetic");
_Static_assert((0 && 1 / 0) == 0 && (1 || 1 / 0) == 1 && (1 ? 2 : 1 / 0) == 2 && (3 ?: 4) == 3, "lazy");
_Static_assert((int)2.9 == 2 && 0.1 + 0.2 > 0.3 && 'ab' == 24930 && '\377' == -1, "floats and characters");
_Static_assert(__builtin_offsetof(struct list, data) == 8 && (long)&((struct list *)0)->data == 8, "offsets");
_Static_assert(__builtin_constant_p(1 + 1) && !__builtin_constant_p(i), "constants");
_Static_assert(__builtin_choose_expr(1, 5, (void)0) == 5, "choice");
_Static_assert((__int128)1 << 100 > 0, "wide integers");
_Static_assert(0x1p4 == 16 && 1e2 == 100.0f && 0b11 == 3 && 017 == 15, "numbers");

int expressions(int n, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, n);
    int k = __builtin_va_arg(list, int);
    __builtin_va_end(list);
    int vla[n], (*pointer)[n] = &vla;
    k = sizeof vla + sizeof *pointer + sizeof(int[n + 1]);
    k += p->next->next->data ? 1 : 2 == 3;
    k = i = c, s, m[1][2]++, --*string, 2[string];
    p = &(struct list){ .data = 1 }, x = (struct list){ p, 2 };
    (*f)(1), (&f)(2), (**f)(3, x, 1.0f, c);
    int (*functions[2])(int, ...) = { expressions, &expressions };
    functions[k > 0](1);
    v = p, p = v, p++, p += 2, p = p + 1, p = 1 + p, k = p == v || p != 0 && !p && p < p + 1;
    void *computed = &&here;
    goto *computed;
here:
    truth = p, d = __real__ (1.0 + 2.0i), r = -d;
    k = ({ int t = k; t > 0 ? t : -t; }) + (i ?: n) + (__extension__ 1) + _Alignof(int) + __alignof__ x;
    __auto_type same = x.next;
    same = (typeof(same))(unsigned long)same;
    __sync_fetch_and_add(&k, 1), __atomic_load_n(&k, 0), __builtin_add_overflow(k, 1, &k);
    if (__builtin_expect(!!(k > 1), 0)) __builtin_unreachable();
    k <<= l, u >>= 1, l %= 3, e = B, e |= A, d *= k, string -= 1;
    string = (char *)__func__;
    nullptr == p, k = true + false;
    return k;
}
