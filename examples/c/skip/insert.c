// A sorted skip list with two levels: every element is on the lower list, some are on the upper one as well.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int key;
    struct node *next; // on the lower list
    struct node *skip; // on the upper list
};

static struct node *new_node(int key)
{
    struct node *n = malloc(sizeof *n);

    n->key = key;
    n->next = NULL;
    n->skip = NULL;
    return n;
}

static void insert(struct node *head, int key, int tall)
{
    struct node *up = head;
    struct node *low, *n;

    while (up->skip != NULL && up->skip->key < key)
        up = up->skip;
    low = up;
    while (low->next != NULL && low->next->key < key)
        low = low->next;

    n = new_node(key);
    n->next = low->next;
    low->next = n;
    if (tall) {
        n->skip = up->skip;
        up->skip = n;
    }
}

int main(void)
{
    struct node *head = new_node(0);

    while (__VERIFIER_nondet_int()) {
        int key = __VERIFIER_nondet_int();
        insert(head, key, __VERIFIER_nondet_int());
    }
    while (head != NULL) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
