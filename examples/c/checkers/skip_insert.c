// Inserts a low element after the first one of a skip list.
//
// expect: proved
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
    n->far = NULL;
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
