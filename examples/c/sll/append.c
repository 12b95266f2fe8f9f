// Appends by walking to the end of the list each time.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct item {
    int id;
    struct item *next;
};

static struct item *append(struct item *list, int id)
{
    struct item *new_item = malloc(sizeof(struct item));
    struct item *last;

    new_item->id = id;
    new_item->next = NULL;
    if (list == NULL)
        return new_item;
    last = list;
    while (last->next != NULL)
        last = last->next;
    last->next = new_item;
    return list;
}

int main(void)
{
    struct item *list = NULL;
    int id = 0;

    while (__VERIFIER_nondet_int() != 0)
        list = append(list, id++);

    while (list != NULL) {
        struct item *first = list;
        list = list->next;
        free(first);
    }
    return 0;
}
