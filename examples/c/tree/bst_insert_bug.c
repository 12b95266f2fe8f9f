// Inserts keys into a binary search tree, without recursion; frees it by rotating left children away.
//
// expect: uninitialised-pointer at 39
// expect: uninitialised-pointer at 50
// expect: uninitialised-pointer at 52
// twin of: bst_insert.c — the right link of a new leaf is not set
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    int key;
    struct tree *left;
    struct tree *right;
};

static struct tree *leaf(int key)
{
    struct tree *t = malloc(sizeof *t);
    t->key = key;
    t->left = NULL;
    return t;
}

static struct tree *insert(struct tree *root, int key)
{
    struct tree *t = root;

    if (root == NULL)
        return leaf(key);
    for (;;) {
        if (key < t->key) {
            if (t->left == NULL) {
                t->left = leaf(key);
                return root;
            }
            t = t->left;
        } else {
            if (t->right == NULL) {
                t->right = leaf(key);
                return root;
            }
            t = t->right;
        }
    }
}

static void destroy(struct tree *t)
{
    while (t != NULL) {
        struct tree *l = t->left;
        if (l != NULL) {
            t->left = l->right;
            l->right = t;
            t = l;
        } else {
            struct tree *r = t->right;
            free(t);
            t = r;
        }
    }
}

int main(void)
{
    struct tree *root = NULL;

    while (__VERIFIER_nondet_int())
        root = insert(root, __VERIFIER_nondet_int());
    destroy(root);
    return 0;
}
