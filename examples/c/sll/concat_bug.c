// Appends one list to another, each of which may be empty.
//
// expect: use-after-free at 41
// twin of: concat.c — the second list is freed although it has become a part of the first
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct word {
    char letter;
    struct word *next;
};

static struct word *spell(char letter)
{
    struct word *w = NULL;
    while (__VERIFIER_nondet_int()) {
        struct word *c = malloc(sizeof *c);
        c->letter = letter;
        c->next = w;
        w = c;
    }
    return w;
}

static struct word *concat(struct word *a, struct word *b)
{
    struct word *p = a;

    if (a == NULL)
        return b;
    while (p->next != NULL)
        p = p->next;
    p->next = b;
    return a;
}

static void erase(struct word *w)
{
    while (w != NULL) {
        struct word *rest = w->next;
        free(w);
        w = rest;
    }
}

int main(void)
{
    struct word *a = spell('a');
    struct word *b = spell('b');

    a = concat(a, b);
    erase(a);
    erase(b);
    return 0;
}
