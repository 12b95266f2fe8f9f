// Payloads behind void pointers, and functions that are declared without parameters.
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

struct cell { void *data; struct cell *next; };
struct a { int x; };
struct b { struct a *to; int y; };

static void push(void *data, struct cell **list)
{
    struct cell *c = malloc(sizeof(struct cell));
    c->data = data;
    c->next = *list;
    *list = c;
}
static void *pop(struct cell **list)
{
    struct cell *c = *list;
    void *data = c->data;
    *list = c->next;
    free(c);
    return data;
}
static void put(list) struct a **list; { *list = malloc(sizeof(struct a)); (*list)->x = 5; }
static void *create(void (*f)()) { void *made = 0; f(&made); return made; }

int main(void)
{
    struct cell *stack = 0;
    struct a *a = malloc(sizeof *a);
    struct b *b = malloc(sizeof *b);
    void *bytes = malloc(100);
    int number = 17;
    a->x = 3;
    b->to = a;
    b->y = 4;
    push(a, &stack);
    push(b, &stack);
    push(&number, &stack);
    push(bytes, &stack);
    check(pop(&stack) == bytes);
    check(*(int *)pop(&stack) == 17);
    b = pop(&stack);
    check(b->y == 4 && b->to == stack->data && ((struct a *)stack->data)->x == 3);
    free(pop(&stack));
    free(b);
    free(bytes);
    a = create(put);
    check(a->x == 5);
    free(a);
    return 0;
}
