// Windows with lists of buttons; each button knows its window.
//
// expect: null-dereference at 56
// twin of: owner.c — a window may have no buttons
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct window {
    int buttons;
    struct button *first;
    struct window *next;
};

struct button {
    struct window *owner;
    struct button *next;
};

static void add_button(struct window *w)
{
    struct button *b = malloc(sizeof *b);

    b->owner = w;
    b->next = w->first;
    w->first = b;
    w->buttons++;
}

static void remove_button(struct button *b)
{
    struct window *w = b->owner;

    w->first = b->next;
    w->buttons--;
    free(b);
}

int main(void)
{
    struct window *desktop = NULL;
    struct window *w;

    while (__VERIFIER_nondet_int()) {
        w = malloc(sizeof *w);
        w->buttons = 0;
        w->first = NULL;
        w->next = desktop;
        desktop = w;
        while (__VERIFIER_nondet_int())
            add_button(w);
    }
    while (desktop != NULL) {
        w = desktop;
        desktop = w->next;
        while (w->first->next != NULL)
            remove_button(w->first);
        remove_button(w->first);
        free(w);
    }
    return 0;
}
