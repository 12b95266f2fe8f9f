// Appends to a list that is empty at first. In the twin nothing was reported.
//
// expect: null-dereference at 23
// twin of: add_last.c — it is not asked whether the list is empty
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct link {
    int item;
    struct link *next;
};

typedef struct link *LINK;

static LINK add_last(int item, LINK list)
{
    LINK fresh = malloc(sizeof(struct link));
    LINK last = list;

    fresh->item = item;
    fresh->next = NULL;
    while (last->next != NULL)
        last = last->next;
    last->next = fresh;
    return list;
}

int main(void)
{
    LINK list = NULL;

    list = add_last(1, list);
    while (__VERIFIER_nondet_int())
        list = add_last(2, list);
    while (list != NULL) {
        LINK next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
