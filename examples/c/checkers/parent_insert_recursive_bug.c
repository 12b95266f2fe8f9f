// Inserts a leaf into a tree whose elements know the one above, by recursion.
//
// expect: assertion at 31
// twin of: parent_insert_recursive.c — a new leaf leads to the wrong element above
#include <assert.h>
#include "trifold/checkers.h"

struct tree {
    struct tree *left;
    struct tree *right;
    struct tree *parent;
    int key;
};

TRIFOLD_TREE_WITH_PARENT(tree, struct tree, left, right, parent)

struct tree *insert(struct tree *t, struct tree *above, int key)
{
    trifold_assume(tree(t, above));
    if (t == NULL) {
        t = malloc(sizeof *t);
        t->key = key;
        t->left = NULL;
        t->right = NULL;
        t->parent = above;
    } else if (key < t->key) {
        t->left = insert(t->left, above, key);
    } else {
        t->right = insert(t->right, t, key);
    }
    assert(tree(t, above));
    return t;
}
