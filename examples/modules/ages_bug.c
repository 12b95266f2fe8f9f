// A search tree of ages by name, with an order that is a number.
//
// expect: leak
// twin: ages.c
#include <stdlib.h>

struct person {
    int name;
    int age;
    struct person *left;
    struct person *right;
};

struct register_of {
    struct person *root;
};

void register_init(struct register_of *r) {
    r->root = NULL;
}

int register_set(struct register_of *r, int name, int age) {
    struct person **at = &r->root;
    while (*at != NULL && (*at)->name != name)
        at = name < (*at)->name ? &(*at)->left : &(*at)->right;
    if (*at == NULL) {
        struct person *p = malloc(sizeof *p);
        if (p == NULL)
            return 0;
        p->name = name;
        p->left = NULL;
        p->right = NULL;
        *at = p;
    }
    (*at)->age = age;
    return 1;
}

int register_age(const struct register_of *r, int name) {
    const struct person *p = r->root;
    while (p != NULL && p->name != name)
        p = name < p->name ? p->left : p->right;
    return p == NULL ? -1 : p->age;
}

static void drop(struct person *p) {
    if (p == NULL)
        return;
    drop(p->left);
    free(p);
}

void register_clear(struct register_of *r) {
    drop(r->root);
    r->root = NULL;
}
