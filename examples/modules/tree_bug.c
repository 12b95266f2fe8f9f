// A search tree: functions take the root and return it.
//
// expect: leak
// twin: tree.c
#include <stdlib.h>

struct tree {
    struct tree *left;
    struct tree *right;
    int key;
};

struct tree *tree_insert(struct tree *root, int key) {
    if (root == NULL) {
        struct tree *leaf = malloc(sizeof *leaf);
        if (leaf == NULL)
            abort();
        leaf->left = NULL;
        leaf->right = NULL;
        leaf->key = key;
        return leaf;
    }
    if (key < root->key)
        root->left = tree_insert(root->left, key);
    else if (key > root->key)
        root->right = tree_insert(root->right, key);
    return root;
}

int tree_has(const struct tree *root, int key) {
    while (root != NULL && root->key != key)
        root = key < root->key ? root->left : root->right;
    return root != NULL;
}

void tree_free(struct tree *root) {
    if (root == NULL)
        return;
    tree_free(root->left);
    free(root);
}
