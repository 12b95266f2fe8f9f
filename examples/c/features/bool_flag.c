// Elements that own their text have to free it; others borrow it from a text that is shared.
//
// expect: proved
#include <stdbool.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct text {
    int length;
};

struct label {
    bool owned;
    struct text *text;
    struct label *next;
};

int main(void)
{
    struct text *shared = malloc(sizeof *shared);
    struct label *labels = NULL;

    shared->length = 0;
    while (__VERIFIER_nondet_int()) {
        struct label *l = malloc(sizeof *l);
        l->owned = __VERIFIER_nondet_int() > 0;
        if (l->owned) {
            l->text = malloc(sizeof *l->text);
            l->text->length = 1;
        } else {
            l->text = shared;
        }
        l->next = labels;
        labels = l;
    }
    while (labels != NULL) {
        struct label *l = labels;
        labels = l->next;
        if (l->owned)
            free(l->text);
        free(l);
    }
    free(shared);
    return 0;
}
