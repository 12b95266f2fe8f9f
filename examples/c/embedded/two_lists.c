// Pages are on a list of all pages, and some of them are also on a list of pages to be written.
//
// expect: proved
#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

#define container_of(pointer, type, member) ((type *)((char *)(pointer) - offsetof(type, member)))

struct link {
    struct link *next;
};

struct page {
    int number;
    struct link all;
    struct link dirty;
};

struct cache {
    struct link *all;
    struct link *dirty;
};

static void load(struct cache *c, int number, int is_dirty)
{
    struct page *p = malloc(sizeof *p);

    p->number = number;
    p->all.next = c->all;
    c->all = &p->all;
    p->dirty.next = NULL;
    if (is_dirty) {
        p->dirty.next = c->dirty;
        c->dirty = &p->dirty;
    }
}

static int write_back(struct cache *c)
{
    int written = 0;

    while (c->dirty != NULL) {
        struct link *l = c->dirty;
        c->dirty = l->next;
        l->next = NULL;
        written |= container_of(l, struct page, dirty)->number > 0;
    }
    return written;
}

static void drop_all(struct cache *c)
{
    while (c->all != NULL) {
        struct page *p = container_of(c->all, struct page, all);
        c->all = p->all.next;
        free(p);
    }
}

int main(void)
{
    struct cache c = {NULL, NULL};
    int written;

    while (__VERIFIER_nondet_int()) {
        int number = __VERIFIER_nondet_int();
        load(&c, number, __VERIFIER_nondet_int());
    }
    written = write_back(&c);
    drop_all(&c);
    return written;
}
