// Loops in loops with break and continue: elements that occur earlier in the list are removed.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct word {
    int hash;
    struct word *next;
};

static void remove_repeated(struct word *list)
{
    struct word *w, *before, *v;

    for (w = list; w != NULL; w = w->next) {
        before = w;
        for (;;) {
            v = before->next;
            if (v == NULL)
                break;
            if (v->hash != w->hash) {
                before = v;
                continue;
            }
            before->next = v->next;
            free(v);
        }
    }
}

int main(void)
{
    struct word *list = NULL;
    struct word *w;

    for (;;) {
        int hash = __VERIFIER_nondet_int();
        if (hash == 0)
            break;
        w = calloc(1, sizeof *w);
        w->hash = hash;
        w->next = list;
        list = w;
    }
    remove_repeated(list);
    for (w = list; w != NULL; w = list) {
        list = w->next;
        free(w);
    }
    return 0;
}
