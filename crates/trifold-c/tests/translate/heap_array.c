// Arrays on the heap, which other functions fill and free.
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

struct slot { int value; struct slot *next; };

static void fill(struct slot **slots, int count)
{
    for (int i = 0; i < count; i++) {
        slots[i] = malloc(sizeof *slots[i]);
        slots[i]->value = i;
        slots[i]->next = 0;
    }
}

static void empty(struct slot **slots)
{
    for (int i = 0; i < 3; i++)
        free(slots[i]);
    free(slots);
}

int main(void)
{
    struct slot **slots = malloc(3 * sizeof *slots), **none = 0;
    fill(slots, 3);
    check(slots[0]->value == 0 && slots[1]->value == 1 && slots[2]->value == 2);
    int i = __VERIFIER_nondet_int();
    if (i >= 0 && i < 3)
        check(slots[i]->value == i && *slots == slots[0]);
    struct slot *kept = slots[1];
    slots[1] = slots[2];
    slots[2] = kept;
    check(slots[2]->value == 1);
    empty(slots);
    free(none);
    struct slot **zeroed = calloc(3, sizeof *zeroed);
    check(!zeroed[0] && !zeroed[2]);
    free(zeroed);
    return 0;
}
