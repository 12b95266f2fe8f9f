// Frees a list of lists.
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

void destroy(struct row *first)
{
    trifold_assume(rows(first));
    while (first != NULL) {
        struct row *next = first->next;
        struct item *i = first->items;
        while (i != NULL) {
            struct item *following = i->next;
            free(i);
            i = following;
        }
        free(first);
        first = next;
    }
}
