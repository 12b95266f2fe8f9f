// A tree with links to the parents, which lead the way back while it is freed.
//
// expect: use-after-free at 43
// twin of: parent.c — the parent still leads to the child that was freed
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct dir {
    struct dir *parent;
    struct dir *left, *right;
};

static struct dir *new_dir(struct dir *parent)
{
    struct dir *d = malloc(sizeof *d);
    d->parent = parent;
    d->left = NULL;
    d->right = NULL;
    return d;
}

static void grow(struct dir *d)
{
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int() > 1 && d->parent != NULL) {
            d = d->parent;
        } else if (d->left == NULL) {
            d->left = new_dir(d);
            d = d->left;
        } else if (d->right == NULL) {
            d->right = new_dir(d);
            d = d->right;
        } else {
            d = d->left;
        }
    }
}

static void destroy(struct dir *d)
{
    while (d != NULL) {
        if (d->left != NULL) {
            d = d->left;
        } else if (d->right != NULL) {
            d = d->right;
        } else {
            struct dir *parent = d->parent;
            free(d);
            d = parent;
        }
    }
}

int main(void)
{
    struct dir *root = new_dir(NULL);

    grow(root);
    destroy(root);
    return 0;
}
