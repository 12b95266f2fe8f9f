// A set as a search tree: what was added, or removed, is a member, or not; others are what they were.
//
// After the tree-based set of [Reineke05]; its laws are the assertions. That the tree stays in order is what they rest on.
//
// expect: assertion at 111
// twin of: set_tree.c — what takes the place of the element is lost, and the element stays
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
    struct tree *prev = NULL, *tree = set->tree, *gone, *rest;
    int order = 0;
    while (tree != NULL) {
        int next = compare(element, tree->data);
        if (next == 0)
            break;
        order = next;
        prev = tree;
        tree = order < 0 ? tree->left : tree->right;
    }
    if (tree == NULL)
        return;
    gone = tree;
    if (tree->left != NULL && tree->right != NULL) {
        // The greatest element on the left takes its place.
        prev = tree;
        order = -1;
        gone = tree->left;
        while (gone->right != NULL) {
            prev = gone;
            order = 1;
            gone = gone->right;
        }
    }
    rest = gone->left != NULL ? gone->left : gone->right;
    if (prev == NULL)
        set->tree = rest;
    else if (order < 0)
        prev->left = rest;
    else
        prev->right = rest;
    free(gone);
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
