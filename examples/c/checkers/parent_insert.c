// Inserts a leaf at the far left of a tree whose elements know the one above.
//
// expect: proved
#include <assert.h>
#include "trifold/checkers.h"

struct tree {
    struct tree *left;
    struct tree *right;
    struct tree *parent;
    int key;
};

TRIFOLD_TREE_WITH_PARENT(tree, struct tree, left, right, parent)

struct tree *insert(struct tree *root, int key)
{
    struct tree *n, *p;

    trifold_assume(tree(root, NULL));
    n = malloc(sizeof *n);
    n->key = key;
    n->left = NULL;
    n->right = NULL;
    n->parent = NULL;
    if (root == NULL)
        return n;
    p = root;
    while (p->left != NULL)
        p = p->left;
    p->left = n;
    n->parent = p;
    assert(tree(root, NULL));
    return root;
}
