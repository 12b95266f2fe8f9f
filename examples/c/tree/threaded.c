// A binary search tree whose elements are also threaded on a list, by which they are freed.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct symbol {
    int name;
    struct symbol *left, *right;
    struct symbol *older;
};

static struct symbol *root;
static struct symbol *newest;

static struct symbol *intern(int name)
{
    struct symbol *s = root, *parent = NULL;

    while (s != NULL) {
        if (s->name == name)
            return s;
        parent = s;
        s = name < s->name ? s->left : s->right;
    }
    s = malloc(sizeof *s);
    s->name = name;
    s->left = s->right = NULL;
    s->older = newest;
    newest = s;
    if (parent == NULL)
        root = s;
    else if (name < parent->name)
        parent->left = s;
    else
        parent->right = s;
    return s;
}

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        int name = __VERIFIER_nondet_int();
        struct symbol *s = intern(name);
        if (s->name != name)
            abort();
    }
    root = NULL;
    while (newest != NULL) {
        struct symbol *s = newest;
        newest = s->older;
        free(s);
    }
    return 0;
}
