// Copies a list of lists by recursion over both.
//
// expect: assertion at 44
// twin of: rows_copy_recursive.c — the last item of a copy leads anywhere
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

static struct item *copy_items(struct item *i)
{
    struct item *n;

    if (i == NULL)
        return NULL;
    n = malloc(sizeof *n);
    n->value = i->value;
    if (i->next != NULL)
        n->next = copy_items(i->next);
    return n;
}

struct row *copy(struct row *first)
{
    struct row *n;

    trifold_assume(rows(first));
    if (first == NULL)
        return NULL;
    n = malloc(sizeof *n);
    n->items = copy_items(first->items);
    n->next = copy(first->next);
    assert(rows(first) && rows(n));
    return n;
}
