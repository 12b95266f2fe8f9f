// Merges two sorted lists into one. The nodes are moved, not copied.
//
// expect: null-dereference at 46
// twin of: merge.c — the loop goes on when one of the lists has come to its end
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int data;
    struct node *next;
};

static struct node *build(void)
{
    struct node *head = NULL;
    int data = __VERIFIER_nondet_int();

    // The keys fall from one element to the next, and each goes to the front: the list is sorted.
    while (__VERIFIER_nondet_int() && data > -1000) {
        struct node *n = malloc(sizeof *n);
        n->data = data--;
        n->next = head;
        head = n;
    }
    return head;
}

static struct node *merge(struct node *a, struct node *b)
{
    struct node *result, *tail, *t;

    if (a == NULL)
        return b;
    if (b == NULL)
        return a;
    if (a->data <= b->data) {
        result = a;
        a = a->next;
    } else {
        result = b;
        b = b->next;
    }
    tail = result;
    while (a != NULL || b != NULL) {
        if (a->data <= b->data) {
            t = a;
            a = a->next;
        } else {
            t = b;
            b = b->next;
        }
        tail->next = t;
        tail = t;
    }
    tail->next = a != NULL ? a : b;
    return result;
}

int main(void)
{
    struct node *list = build();

    list = merge(list, build());
    while (list != NULL) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
