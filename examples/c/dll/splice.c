// Splices one doubly linked list into another, after a given element.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct line {
    int number;
    struct line *prev, *next;
};

static struct line *read_lines(void)
{
    struct line *first = NULL, *last = NULL;
    int number = 0;

    do {
        struct line *l = malloc(sizeof *l);
        l->number = ++number;
        l->next = NULL;
        l->prev = last;
        if (last == NULL)
            first = l;
        else
            last->next = l;
        last = l;
    } while (__VERIFIER_nondet_int());
    return first;
}

static void splice(struct line *after, struct line *list)
{
    struct line *rest = after->next;
    struct line *end = list;

    while (end->next != NULL)
        end = end->next;
    after->next = list;
    list->prev = after;
    end->next = rest;
    if (rest != NULL)
        rest->prev = end;
}

int main(void)
{
    struct line *text = read_lines();
    struct line *cursor = text;
    struct line *l;

    while (cursor->next != NULL && __VERIFIER_nondet_int())
        cursor = cursor->next;
    splice(cursor, read_lines());

    // Back to the first line, the way that the links back show.
    while (cursor->prev != NULL)
        cursor = cursor->prev;
    while (cursor != NULL) {
        l = cursor;
        cursor = cursor->next;
        free(l);
    }
    return 0;
}
