// Inserts into a tree of search, and frees it, by functions that call themselves.
//
// expect: assertion at 16
// twin of: tree.c — the inserted element hangs on both sides
#include <stdlib.h>

struct tree {
    struct tree *left;
    struct tree *right;
    int key;
};

int __VERIFIER_nondet_int(void);

/*@ requires tree(t);
    ensures tree(\result) && \result != NULL; */
struct tree *insert(struct tree *t, int key)
{
    if (t == NULL) {
        t = malloc(sizeof *t);
        t->left = NULL;
        t->right = NULL;
        t->key = key;
    } else if (key < t->key) {
        t->left = insert(t->left, key);
    } else {
        t->right = insert(t->right, key);
        t->left = t->right;
    }
    return t;
}

/*@ requires tree(t); */
void destroy(struct tree *t)
{
    if (t == NULL)
        return;
    destroy(t->left);
    destroy(t->right);
    free(t);
}

int main(void)
{
    struct tree *t = NULL;
    while (__VERIFIER_nondet_int())
        t = insert(t, __VERIFIER_nondet_int());
    destroy(t);
    return 0;
}
