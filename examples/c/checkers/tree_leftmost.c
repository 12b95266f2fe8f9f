// Finds the least key of a tree.
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

int least(struct tree *root)
{
    struct tree *p = root;

    trifold_assume(tree(root));
    if (root == NULL)
        return 0;
    while (p->left != NULL)
        p = p->left;
    assert(tree(root));
    return p->key;
}
