// Moves the first item of the first list to the second one.
//
// expect: proved
#include <assert.h>
#include "trifold/checkers.h"

struct item {
    struct item *next;
    int value;
};

struct row {
    struct row *next;
    struct item *items;
};

TRIFOLD_LIST(items, struct item, next)
TRIFOLD_LISTS(rows, struct row, next, items, items)

void move(struct row *first)
{
    struct item *i;

    trifold_assume(rows(first));
    if (first == NULL || first->next == NULL || first->items == NULL)
        return;
    i = first->items;
    first->items = i->next;
    i->next = first->next->items;
    first->next->items = i;
    assert(rows(first));
}
