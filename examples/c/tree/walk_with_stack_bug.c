// Counts the nodes of a tree in preorder, with a stack of subtrees that are still to be visited; then frees it likewise.
//
// expect: use-after-free at 62
// twin of: walk_with_stack.c — the nodes are freed while they are counted
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    int key;
    struct tree *left, *right;
};

struct frame {
    struct tree *subtree;
    struct frame *next;
};

static struct frame *later(struct frame *stack, struct tree *subtree)
{
    struct frame *f;

    if (subtree == NULL)
        return stack;
    f = malloc(sizeof *f);
    f->subtree = subtree;
    f->next = stack;
    return f;
}

int main(void)
{
    struct tree *root = NULL, *t;
    struct frame *stack, *f;
    int count = 0;

    while (__VERIFIER_nondet_int()) {
        struct tree **link = &root;
        while (*link != NULL)
            link = __VERIFIER_nondet_int() ? &(*link)->left : &(*link)->right;
        *link = calloc(1, sizeof **link);
    }

    stack = later(NULL, root);
    while (stack != NULL) {
        f = stack;
        stack = f->next;
        t = f->subtree;
        free(f);
        count++;
        stack = later(stack, t->right);
        stack = later(stack, t->left);
        free(t);
    }

    stack = later(NULL, root);
    while (stack != NULL) {
        f = stack;
        stack = f->next;
        t = f->subtree;
        free(f);
        stack = later(stack, t->right);
        stack = later(stack, t->left);
        free(t);
    }
    return 0;
}
