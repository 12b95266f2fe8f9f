// Structs as values: on the stack, nested, assigned, passed, returned, compared member by member.
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

struct point { int x, y; };
struct box { struct point low, high; struct { char tag; int count[3]; }; };
typedef struct { struct point *at; struct box box; } holder;

static struct point make(int x, int y)
{
    struct point p = {x, y};
    return p;
}

static struct box grow(struct box b, int by)
{
    b.high.x += by;
    b.high = make(b.high.x, b.high.y + by);
    b.count[1]++;
    return b;
}

static int area(const struct box *b)
{
    return (b->high.x - b->low.x) * (b->high.y - b->low.y);
}

int main(void)
{
    struct box a = {.high = {2, 3}, .tag = 'b', .count = {1, [2] = 5}};
    struct box b = grow(a, 1), *p = &b;
    holder h = {&b.low, a};
    struct local { struct point *next; } local = {0};
    check(area(&a) == 6 && area(p) == 12);
    check(a.count[0] == 1 && a.count[1] == 0 && a.count[2] == 5 && b.count[1] == 1 && b.tag == 'b');
    h.at->x = 1;
    check(b.low.x == 1 && h.box.low.x == 0 && area(&b) == 8);
    *p = h.box;
    check(area(&b) == 6 && p->tag == 98);
    check(make(4, 5).y == 5 && (a = b, a.high.y) == 3);
    local.next = &h.box.high;
    local.next->y = 10;
    check(h.box.high.y == 10 && local.next->x == 2);
    check(((struct point){7, 8}).y == 8);
    return 0;
}
