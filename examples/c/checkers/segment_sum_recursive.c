// Adds up the values of a list up to some element, by recursion.
//
// expect: proved
#include <assert.h>
#include "trifold/checkers.h"

struct node {
    struct node *next;
    int value;
};

TRIFOLD_SEGMENT(segment, struct node, next)

int sum(struct node *from, struct node *to)
{
    int rest;

    trifold_assume(segment(from, to));
    if (from == to)
        return 0;
    rest = sum(from->next, to);
    assert(segment(from, to));
    return (from->value & 255) + (rest & 255);
}
