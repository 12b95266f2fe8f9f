// What is const cannot be assigned to.
struct pair { int a; const int b; };
const int table[2] = { 1, 2 };
void change(const int constant, const struct pair *pointer, struct pair *other, int *const fixed)
{
    constant = 1;
    pointer->a++;
    other->b += 2;
    table[1] = 3;
    fixed = &other->a;
    *fixed = 1;
    other->a = constant;
}
