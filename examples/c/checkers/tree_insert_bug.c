// Inserts a key into a binary search tree.
//
// expect: leak at 29
// twin of: tree_insert.c — the old elements are lost
#include <assert.h>
#include "trifold/checkers.h"

struct tree {
    struct tree *left;
    struct tree *right;
    int key;
};

TRIFOLD_TREE(tree, struct tree, left, right)

struct tree *insert(struct tree *root, int key)
{
    struct tree *n, *p = root;

    trifold_assume(tree(root));
    n = malloc(sizeof *n);
    n->key = key;
    n->left = NULL;
    n->right = NULL;
    if (root == NULL)
        return n;
    for (;;) {
        if (key < p->key) {
            p->left = n;
            break;
        } else {
            if (p->right == NULL) {
                p->right = n;
                break;
            }
            p = p->right;
        }
    }
    assert(tree(root));
    return root;
}
