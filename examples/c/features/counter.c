// A list of a fixed number of elements, which is counted through without a look at its end.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

#define SIZE 4

struct slot {
    int value;
    struct slot *next;
};

int main(void)
{
    struct slot *list = NULL;
    struct slot *s;
    int i;

    for (i = 0; i < SIZE; i++) {
        s = malloc(sizeof *s);
        s->value = 0;
        s->next = list;
        list = s;
    }

    s = list;
    for (i = 0; i < SIZE; i++) {
        s->value = __VERIFIER_nondet_int();
        s = s->next;
    }

    for (i = SIZE; i > 0; i--) {
        s = list;
        list = list->next;
        free(s);
    }
    return 0;
}
