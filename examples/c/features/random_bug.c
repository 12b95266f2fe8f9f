// Random numbers of the standard library decide where elements are inserted.
//
// expect: null-dereference at 23
// twin of: random.c — the list may be empty
#include <stdio.h>
#include <stdlib.h>

typedef struct node {
    int value;
    struct node *next;
} node_t;

static node_t *insert_anywhere(node_t *list, int value)
{
    node_t *place = list;
    node_t *n = malloc(sizeof(node_t));

    n->value = value;
    if (rand() % 2 == 0) {
        n->next = list;
        return n;
    }
    while (place->next != NULL && rand() % 3 != 0)
        place = place->next;
    n->next = place->next;
    place->next = n;
    return list;
}

int main(void)
{
    node_t *list = NULL;
    int value = 0;

    while (rand() % 8 != 0)
        list = insert_anywhere(list, value++);
    while (list != NULL) {
        node_t *n = list;
        printf("%d\n", n->value);
        list = list->next;
        free(n);
    }
    return 0;
}
