// Turns a tree into a list, in order, by recursion: the right links become the links of the list.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    int key;
    struct tree *left, *right;
};

static struct tree *insert(struct tree *t, int key)
{
    if (t == NULL) {
        t = malloc(sizeof *t);
        t->key = key;
        t->left = NULL;
        t->right = NULL;
    } else if (key < t->key) {
        t->left = insert(t->left, key);
    } else {
        t->right = insert(t->right, key);
    }
    return t;
}

// The elements of the tree, followed by those of the list.
static struct tree *flatten(struct tree *t, struct tree *list)
{
    struct tree *left;

    if (t == NULL)
        return list;
    left = t->left;
    t->left = NULL;
    t->right = flatten(t->right, list);
    return flatten(left, t);
}

int main(void)
{
    struct tree *root = NULL;
    struct tree *list;

    while (__VERIFIER_nondet_int())
        root = insert(root, __VERIFIER_nondet_int());
    list = flatten(root, NULL);
    while (list != NULL) {
        struct tree *next = list->right;
        free(list);
        list = next;
    }
    return 0;
}
