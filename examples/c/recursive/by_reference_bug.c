// Inserts into a sorted list by recursion over the links: each call gets the address of the next one.
//
// expect: leak at 29
// twin of: by_reference.c — only the first element is freed
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int key;
    struct node *next;
};

static void insert(struct node **link, int key)
{
    if (*link != NULL && (*link)->key < key) {
        insert(&(*link)->next, key);
    } else {
        struct node *n = malloc(sizeof *n);
        n->key = key;
        n->next = *link;
        *link = n;
    }
}

static void clear(struct node **link)
{
    if (*link != NULL) {
        free(*link);
        *link = NULL;
    }
}

int main(void)
{
    struct node *list = NULL;

    while (__VERIFIER_nondet_int())
        insert(&list, __VERIFIER_nondet_int());
    clear(&list);
    return list != NULL;
}
