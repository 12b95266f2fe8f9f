// Inserts into a binary search tree by recursion, and looks keys up in it.
//
// expect: leak at 23
// twin of: tree_insert.c — the result is ignored
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
        t->left = t->right = NULL;
    } else if (key < t->key) {
        t->left = insert(t->left, key);
    } else if (key > t->key) {
        insert(t->right, key);
    }
    return t;
}

static int contains(const struct tree *t, int key)
{
    if (t == NULL)
        return 0;
    if (t->key == key)
        return 1;
    return contains(key < t->key ? t->left : t->right, key);
}

static void destroy(struct tree *t)
{
    if (t == NULL)
        return;
    destroy(t->left);
    destroy(t->right);
    free(t);
}

int main(void)
{
    struct tree *root = NULL;
    int found;

    while (__VERIFIER_nondet_int())
        root = insert(root, __VERIFIER_nondet_int());
    found = contains(root, __VERIFIER_nondet_int());
    destroy(root);
    return found;
}
