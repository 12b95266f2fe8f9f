/* A lost window and its button hold each other: the window goes, and the button that only it holds must go with it. */
void *malloc(unsigned long); void free(void *);
extern int __VERIFIER_nondet_int(void);

struct window { int buttons; struct button *first; struct window *next; };
struct button { struct window *owner; struct button *next; };

static void add_button(struct window *w)
{
    struct button *b = malloc(sizeof *b);
    b->owner = w;
    b->next = w->first;
    w->first = b;
}

static void remove_button(struct button *b)
{
    struct window *w = b->owner;
    w->first = b->next;
    free(b);
}

int main(void)
{
    struct window *desktop = 0;
    struct window *w;
    while (__VERIFIER_nondet_int()) {
        w = malloc(sizeof *w);
        w->first = 0;
        desktop = w;
        while (__VERIFIER_nondet_int())
            add_button(w);
    }
    while (desktop != 0) {
        w = desktop;
        desktop = w->next;
        while (w->first != 0)
            remove_button(w->first);
        free(w);
    }
    return 0;
}
