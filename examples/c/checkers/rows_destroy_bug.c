// Frees a list of lists.
//
// expect: leak at 27
// twin of: rows_destroy.c — only the first item of each list is freed
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

void destroy(struct row *first)
{
    trifold_assume(rows(first));
    while (first != NULL) {
        struct row *next = first->next;
        struct item *i = first->items;
        free(i);
        free(first);
        first = next;
    }
}
