// Puts an item in front of each list of a list of lists.
//
// expect: leak at 30
// twin of: rows_push.c — the items that were there before are lost
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

void push(struct row *first, int value)
{
    struct row *r;

    trifold_assume(rows(first));
    for (r = first; r != NULL; r = r->next) {
        struct item *i = malloc(sizeof *i);
        i->value = value;
        i->next = NULL;
        r->items = i;
    }
    assert(rows(first));
}
