int missing_semicolon
int next;
struct node { int x; struct node *n }
int after_struct;
int f(int a, unknown b);
unknown_t global;
int g(void)
{
    int x = 1 +;
    if (x { return 1; }
    unknown *p;
    unknown q;
    x = (1, 2;
    for (int i = 0; i < 3; i++
        x++;
    else x = 2;
    if (x) int y = 3;
    int nested(void) { return 1; }
    return x
}
long long long too_long;
int h(void) { return 0; } }
int fine;
int i(int x) { goto 3; case: x = 1 }
enum { A, B C };
int last = ;
