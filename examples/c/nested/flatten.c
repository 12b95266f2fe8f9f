// Takes a list of lists apart: its inner lists are joined to one list.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct word {
    int length;
    struct word *next;
};

struct sentence {
    struct word *first;
    struct sentence *next;
};

static struct sentence *read_text(void)
{
    struct sentence *text = NULL;

    while (__VERIFIER_nondet_int()) {
        struct sentence *s = malloc(sizeof *s);
        s->first = NULL;
        while (__VERIFIER_nondet_int()) {
            struct word *w = malloc(sizeof *w);
            w->length = __VERIFIER_nondet_int();
            w->next = s->first;
            s->first = w;
        }
        s->next = text;
        text = s;
    }
    return text;
}

static struct word *flatten(struct sentence *text)
{
    struct word *all = NULL;

    while (text != NULL) {
        struct sentence *s = text;
        struct word *last = s->first;
        if (last != NULL) {
            while (last->next != NULL)
                last = last->next;
            last->next = all;
            all = s->first;
        }
        text = s->next;
        free(s);
    }
    return all;
}

int main(void)
{
    struct word *words = flatten(read_text());

    while (words != NULL) {
        struct word *w = words;
        words = w->next;
        free(w);
    }
    return 0;
}
