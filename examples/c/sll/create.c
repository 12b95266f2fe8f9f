// Creates a list of unknown length by appending at a tail pointer, walks over it and frees it.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static struct node *create(void)
{
    struct node *head = NULL;
    struct node *tail = NULL;

    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->value = __VERIFIER_nondet_int();
        n->next = NULL;
        if (tail == NULL)
            head = n;
        else
            tail->next = n;
        tail = n;
    }
    return head;
}

static int count_positive(const struct node *l)
{
    int count = 0;
    for (; l != NULL; l = l->next)
        if (l->value > 0)
            count++;
    return count;
}

static void destroy(struct node *l)
{
    while (l != NULL) {
        struct node *next = l->next;
        free(l);
        l = next;
    }
}

int main(void)
{
    struct node *list = create();
    int positive = count_positive(list);

    destroy(list);
    return positive > 0;
}
