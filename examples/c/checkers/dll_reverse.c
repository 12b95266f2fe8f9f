// Reverses a doubly linked list.
//
// expect: proved
#include <assert.h>
#include "trifold/checkers.h"

struct node {
    struct node *next;
    struct node *prev;
    int value;
};

TRIFOLD_DLL(dll, struct node, next, prev)

struct node *reverse(struct node *head)
{
    struct node *result = NULL;

    trifold_assume(dll(head, NULL));
    while (head != NULL) {
        struct node *next = head->next;
        head->next = result;
        head->prev = NULL;
        if (result != NULL)
            result->prev = head;
        result = head;
        head = next;
    }
    assert(dll(result, NULL));
    return result;
}
