// Looks up keys in a binary search tree.
//
// expect: null-dereference at 43
// twin of: bst_search.c — the result of the search is used without a look at it
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

typedef struct tnode {
    int key;
    int count;
    struct tnode *left, *right;
} tnode;

static tnode *search(tnode *t, int key)
{
    while (t != NULL && t->key != key)
        t = key < t->key ? t->left : t->right;
    return t;
}

static void add(tnode **root, int key)
{
    tnode **link = root;

    while (*link != NULL)
        link = key < (*link)->key ? &(*link)->left : &(*link)->right;
    *link = calloc(1, sizeof(tnode));
    (*link)->key = key;
}

int main(void)
{
    tnode *root = NULL;
    tnode *t;
    int key;

    while ((key = __VERIFIER_nondet_int()) != 0)
        if (search(root, key) == NULL)
            add(&root, key);

    t = search(root, __VERIFIER_nondet_int());
    t->count++;

    while (root != NULL) {
        if (root->left != NULL) {
            t = root->left;
            root->left = t->right;
            t->right = root;
            root = t;
        } else {
            t = root->right;
            free(root);
            root = t;
        }
    }
    return 0;
}
