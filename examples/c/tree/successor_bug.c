// Walks through a binary search tree in order by means of links to the parents, then frees it from its leaves.
//
// expect: null-dereference at 47
// twin of: successor.c — the greatest key has no successor
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int key;
    struct node *left, *right, *parent;
};

static struct node *insert(struct node *root, int key)
{
    struct node *n = calloc(1, sizeof *n);
    struct node *p = root;

    n->key = key;
    if (root == NULL)
        return n;
    for (;;) {
        struct node *child = key < p->key ? p->left : p->right;
        if (child == NULL)
            break;
        p = child;
    }
    n->parent = p;
    if (key < p->key)
        p->left = n;
    else
        p->right = n;
    return root;
}

static struct node *least(struct node *n)
{
    while (n->left != NULL)
        n = n->left;
    return n;
}

static struct node *successor(struct node *n)
{
    if (n->right != NULL)
        return least(n->right);
    while (n == n->parent->right)
        n = n->parent;
    return n->parent;
}

int main(void)
{
    struct node *root = NULL;
    struct node *n;
    int even = 0;

    while (__VERIFIER_nondet_int())
        root = insert(root, __VERIFIER_nondet_int());
    if (root == NULL)
        return 0;
    for (n = least(root); n != NULL; n = successor(n))
        even |= n->key % 2 == 0;

    n = root;
    while (n != NULL) {
        struct node *next = n->left != NULL ? n->left : n->right;
        if (next == NULL) {
            next = n->parent;
            if (next != NULL && next->left == n)
                next->left = NULL;
            else if (next != NULL)
                next->right = NULL;
            free(n);
        }
        n = next;
    }
    return even;
}
