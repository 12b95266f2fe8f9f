// A set as a search tree: what was added, or removed, is a member, or not; others are what they were.
//
// After the tree-based set of [Reineke05]; its laws are the assertions. They rest on the order of the tree.
//
// expect: assertion at 116
// twin of: set_tree.c — what is removed is looked for on the wrong side
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    struct tree *left, *right;
    int data;
};

struct set {
    struct tree *tree;
};

// Less than zero, zero, or greater than zero.
static int compare(int a, int b) {
    return a < b ? -1 : a > b;
}

static int is_element(struct set *set, int element) {
    struct tree *tree = set->tree;
    while (tree != NULL) {
        int order = compare(element, tree->data);
        if (order == 0)
            return 1;
        tree = order < 0 ? tree->left : tree->right;
    }
    return 0;
}

static void insert(struct set *set, int element) {
    struct tree *prev = NULL, *tree = set->tree;
    int order = 0;
    while (tree != NULL) {
        order = compare(element, tree->data);
        if (order == 0)
            return;
        prev = tree;
        tree = order < 0 ? tree->left : tree->right;
    }
    tree = malloc(sizeof *tree);
    if (tree == NULL)
        abort();
    tree->data = element;
    tree->left = tree->right = NULL;
    if (prev == NULL)
        set->tree = tree;
    else if (order < 0)
        prev->left = tree;
    else
        prev->right = tree;
}

static void take_out(struct set *set, int element) {
    struct tree *prev = NULL, *tree = set->tree, *top;
    int order = 0;
    while (tree != NULL) {
        int next = compare(element, tree->data);
        if (next == 0)
            break;
        order = next;
        prev = tree;
        tree = order < 0 ? tree->right : tree->left;
    }
    if (tree == NULL)
        return;
    if (tree->left == NULL)
        top = tree->right;
    else if (tree->right == NULL)
        top = tree->left;
    else {
        // The greatest element on the left takes its place.
        struct tree *up = NULL;
        top = tree->left;
        while (top->right != NULL) {
            up = top;
            top = top->right;
        }
        if (up != NULL) {
            up->right = top->left;
            top->left = tree->left;
        }
        top->right = tree->right;
    }
    if (prev == NULL)
        set->tree = top;
    else if (order < 0)
        prev->left = top;
    else
        prev->right = top;
    free(tree);
}

int main(void) {
    static struct set set;
    while (__VERIFIER_nondet_int())
        insert(&set, __VERIFIER_nondet_int());

    int element = __VERIFIER_nondet_int(), other = __VERIFIER_nondet_int();
    int had = is_element(&set, other);
    if (__VERIFIER_nondet_int()) {
        insert(&set, element);
        assert(is_element(&set, element));
        if (had || compare(other, element) == 0)
            assert(is_element(&set, other));
        else
            assert(!is_element(&set, other));
    } else {
        take_out(&set, element);
        assert(!is_element(&set, element));
        if (had && compare(other, element) != 0)
            assert(is_element(&set, other));
        else
            assert(!is_element(&set, other));
    }
    return 0;
}
