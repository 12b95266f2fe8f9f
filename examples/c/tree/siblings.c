// A tree whose elements have any number of children: the first child, and from each child the next one.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tag {
    int id;
    struct tag *child;
    struct tag *sibling;
};

static struct tag *new_tag(int id)
{
    struct tag *t = malloc(sizeof *t);

    t->id = id;
    t->child = NULL;
    t->sibling = NULL;
    return t;
}

static struct tag *parse(void)
{
    struct tag *root = new_tag(0);
    struct tag *at = root;
    int id;

    while ((id = __VERIFIER_nondet_int()) != 0) {
        struct tag *t = new_tag(id);
        t->sibling = at->child;
        at->child = t;
        if (id > 0)
            at = t;
        else if (id < -1)
            at = root;
    }
    return root;
}

// The children of an element are put after it, before it is freed.
static void destroy(struct tag *t)
{
    while (t != NULL) {
        struct tag *dead = t;
        if (t->child != NULL) {
            struct tag *last = t->child;
            while (last->sibling != NULL)
                last = last->sibling;
            last->sibling = t->sibling;
            t = t->child;
        } else {
            t = t->sibling;
        }
        free(dead);
    }
}

int main(void)
{
    destroy(parse());
    return 0;
}
