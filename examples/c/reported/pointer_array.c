// One function allocates the objects that the elements of an array lead to, another one frees it.
//
// expect: proved
#include <stdlib.h>

#define SLOTS 2

struct slot {
    int value;
};

static void fill(struct slot **slots)
{
    for (int i = 0; i < SLOTS; i++) {
        slots[i] = malloc(sizeof *slots[i]);
        slots[i]->value = i;
    }
}

static void empty(struct slot **slots)
{
    for (int i = 0; i < SLOTS; i++)
        free(slots[i]);
}

int main(void)
{
    struct slot **slots = malloc(SLOTS * sizeof *slots);

    fill(slots);
    empty(slots);
    free(slots);
    return 0;
}
