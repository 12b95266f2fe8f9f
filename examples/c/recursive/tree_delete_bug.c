// Deletes from a binary search tree by recursion; the least element on the right replaces one with two subtrees.
//
// expect: leak at 50
// twin of: tree_delete.c — the replacement does not get the left subtree
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    int key;
    struct tree *left, *right;
};

static void insert(struct tree **t, int key)
{
    if (*t == NULL) {
        *t = calloc(1, sizeof **t);
        (*t)->key = key;
    } else {
        insert(key < (*t)->key ? &(*t)->left : &(*t)->right, key);
    }
}

// Takes the least element out of a tree that is not empty.
static struct tree *take_least(struct tree **t)
{
    struct tree *least = *t;

    if (least->left != NULL)
        return take_least(&least->left);
    *t = least->right;
    return least;
}

static void delete(struct tree **t, int key)
{
    struct tree *dead = *t;

    if (dead == NULL)
        return;
    if (key != dead->key) {
        delete(key < dead->key ? &dead->left : &dead->right, key);
    } else {
        if (dead->right == NULL) {
            *t = dead->left;
        } else {
            *t = take_least(&dead->right);
            (*t)->right = dead->right;
        }
        free(dead);
    }
}

int main(void)
{
    struct tree *root = NULL;

    while (__VERIFIER_nondet_int())
        insert(&root, __VERIFIER_nondet_int());
    while (root != NULL)
        delete(&root, root->key);
    return 0;
}
