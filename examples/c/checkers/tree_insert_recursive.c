// Inserts a key into a binary search tree by recursion.
//
// expect: proved
#include <assert.h>
#include "trifold/checkers.h"

struct tree {
    struct tree *left;
    struct tree *right;
    int key;
};

TRIFOLD_TREE(tree, struct tree, left, right)

struct tree *insert(struct tree *t, int key)
{
    trifold_assume(tree(t));
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
    assert(tree(t));
    return t;
}
