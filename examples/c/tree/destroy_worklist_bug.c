// Frees a tree with a list of subtrees that are still to be freed.
//
// expect: use-after-free at 55
// twin of: destroy_worklist.c — the right subtree may be the left one
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    struct tree *left, *right;
};

struct work {
    struct tree *tree;
    struct work *next;
};

static void push(struct work **list, struct tree *tree)
{
    struct work *w;

    if (tree == NULL)
        return;
    w = malloc(sizeof *w);
    w->tree = tree;
    w->next = *list;
    *list = w;
}

static struct tree *pop(struct work **list)
{
    struct work *w = *list;
    struct tree *tree = w->tree;

    *list = w->next;
    free(w);
    return tree;
}

int main(void)
{
    struct tree *root = NULL;
    struct work *todo = NULL;

    while (__VERIFIER_nondet_int()) {
        struct tree *t = malloc(sizeof *t);
        t->left = root;
        t->right = __VERIFIER_nondet_int() ? root : NULL;
        root = t;
    }

    push(&todo, root);
    while (todo != NULL) {
        struct tree *t = pop(&todo);
        push(&todo, t->left);
        push(&todo, t->right);
        free(t);
    }
    return 0;
}
