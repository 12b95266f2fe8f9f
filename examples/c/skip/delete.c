// Deletes from a skip list with two levels: an element that is on the upper list leaves both.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int key;
    struct node *next;
    struct node *skip;
};

static struct node *push(struct node *head, int key, int tall)
{
    struct node *n = malloc(sizeof *n);

    n->key = key;
    n->skip = NULL;
    n->next = head->next;
    head->next = n;
    if (tall) {
        n->skip = head->skip;
        head->skip = n;
    }
    return n;
}

static void delete(struct node *head, int key)
{
    struct node *low = head, *up = head;
    struct node *dead;

    while (low->next != NULL && low->next->key != key)
        low = low->next;
    dead = low->next;
    if (dead == NULL)
        return;
    while (up->skip != NULL && up->skip != dead)
        up = up->skip;
    if (up->skip == dead)
        up->skip = dead->skip;
    low->next = dead->next;
    free(dead);
}

int main(void)
{
    struct node *head = malloc(sizeof *head);
    struct node *n;
    int tall = 0;

    head->next = head->skip = NULL;
    while (__VERIFIER_nondet_int()) {
        int key = __VERIFIER_nondet_int();
        push(head, key, __VERIFIER_nondet_int());
    }
    while (__VERIFIER_nondet_int())
        delete(head, __VERIFIER_nondet_int());

    for (n = head->skip; n != NULL; n = n->skip)
        tall |= n->key > 0;
    while (head != NULL) {
        n = head;
        head = n->next;
        free(n);
    }
    return tall;
}
