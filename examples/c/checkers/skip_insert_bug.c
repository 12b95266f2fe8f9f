// Inserts a low element after the first one of a skip list.
//
// expect: assertion at 31
// twin of: skip_insert.c — the new element takes itself for a high one
#include <assert.h>
#include "trifold/checkers.h"

struct skip {
    struct skip *next;
    struct skip *far;
    int value;
};

TRIFOLD_SKIP_LIST(skip_list, struct skip, next, far)

struct skip *insert(struct skip *head, int value)
{
    struct skip *n;

    trifold_assume(skip_list(head));
    n = malloc(sizeof *n);
    n->value = value;
    n->far = n;
    if (head == NULL) {
        n->next = NULL;
        head = n;
    } else {
        n->next = head->next;
        head->next = n;
    }
    assert(skip_list(head));
    return head;
}
