// A variable that is static in a function holds the list between its calls.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct entry {
    int key;
    int value;
    struct entry *next;
};

static int square(int n)
{
    return n > 1000 || n < -1000 ? 0 : n * n;
}

// Remembers what it has computed. The memory lives as long as the program.
static struct entry *memo(int key)
{
    static struct entry *cache = NULL;
    struct entry *e;

    for (e = cache; e != NULL; e = e->next)
        if (e->key == key)
            return e;
    e = malloc(sizeof *e);
    e->key = key;
    e->value = square(key);
    e->next = cache;
    cache = e;
    return e;
}

int main(void)
{
    int largest = 0;

    while (__VERIFIER_nondet_int()) {
        struct entry *e = memo(__VERIFIER_nondet_int());
        if (e->value > largest)
            largest = e->value;
    }
    return largest > 9;
}
