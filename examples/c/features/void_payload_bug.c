// A list of anything: its elements carry pointers to void, which their user knows how to free.
//
// expect: double-free at 31
// twin of: void_payload.c — two elements carry the same point
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct list {
    void *data;
    struct list *next;
};

struct point {
    int x, y;
};

static struct list *cons(void *data, struct list *next)
{
    struct list *l = malloc(sizeof *l);

    l->data = data;
    l->next = next;
    return l;
}

static void destroy(struct list *l, void (*release)(void *))
{
    while (l != NULL) {
        struct list *next = l->next;
        release(l->data);
        free(l);
        l = next;
    }
}

int main(void)
{
    struct list *points = NULL;
    struct list *l;
    int right = 0;

    while (__VERIFIER_nondet_int()) {
        struct point *p = malloc(sizeof *p);
        p->x = __VERIFIER_nondet_int();
        p->y = __VERIFIER_nondet_int();
        points = cons(p, cons(p, points));
    }
    for (l = points; l != NULL; l = l->next) {
        struct point *p = l->data;
        if (p->x > p->y)
            right = 1;
    }
    destroy(points, free);
    return right;
}
