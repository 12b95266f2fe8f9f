// Structs of numbers that lie in unions are copied to an object that is gone.
// expect: use-after-free
typedef unsigned long size_t;
void *malloc(size_t);
void free(void *);

struct point { int x, y; int more[2]; };
union either { struct point point; int number; };
struct holder { struct holder *next; union either either; };

int main(void)
{
    struct point point = {1, 2, {3, 4}}, other = {5, 6, {7, 8}};
    union either either;
    struct holder *holder = malloc(sizeof *holder);
    holder->next = 0;
    either.point = point;
    free(holder);
    holder->either.point = point;
    other = either.point;
    other = holder->either.point;
    holder->either = either;
    return other.x + other.more[1] > 0 ? 0 : point.x - 1;
}
