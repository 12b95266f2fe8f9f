// Frees a list of lists by recursion over both.
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

static void destroy_items(struct item *i)
{
    if (i != NULL) {
        destroy_items(i->next);
        free(i);
    }
}

void destroy(struct row *first)
{
    trifold_assume(rows(first));
    if (first == NULL)
        return;
    destroy_items(first->items);
    destroy(first->next);
    free(first);
}
