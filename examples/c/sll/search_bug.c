// Looks for a key; a list is used only if it was found.
//
// expect: null-dereference at 40
// twin of: search.c — the result of the search is used without a look at it
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct entry {
    int key;
    int hits;
    struct entry *next;
};

static struct entry *find(struct entry *table, int key)
{
    struct entry *e;
    for (e = table; e; e = e->next)
        if (e->key == key)
            break;
    return e;
}

int main(void)
{
    struct entry *table = NULL;
    struct entry *e;
    int key;

    while (__VERIFIER_nondet_int()) {
        e = malloc(sizeof *e);
        e->key = __VERIFIER_nondet_int();
        e->hits = 0;
        e->next = table;
        table = e;
    }

    while ((key = __VERIFIER_nondet_int()) != 0) {
        e = find(table, key);
        e->hits++;
    }

    while (table != NULL) {
        e = table->next;
        free(table);
        table = e;
    }
    return 0;
}
