// Reverses a list in place.
//
// expect: leak at 51
// twin of: reverse.c — the new head is ignored: all but the old first element get lost
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

typedef struct node {
    struct node *next;
    int value;
} Node;

static Node *cons(int value, Node *next)
{
    Node *n = malloc(sizeof(Node));
    n->value = value;
    n->next = next;
    return n;
}

static Node *reverse(Node *x)
{
    Node *y = NULL;

    while (x != NULL) {
        Node *t = x->next;
        x->next = y;
        y = x;
        x = t;
    }
    return y;
}

static void release(Node *x)
{
    Node *t;
    for (; x != NULL; x = t) {
        t = x->next;
        free(x);
    }
}

int main(void)
{
    Node *x = NULL;
    int i = 0;

    while (__VERIFIER_nondet_int())
        x = cons(i++, x);
    reverse(x);
    release(x);
    return 0;
}
