// A value is a number or a list of values: a union whose members lie on top of each other, with a tag beside it.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

enum tag { NUMBER, LIST };

struct value {
    enum tag tag;
    union {
        int number;
        struct value *first;
    } u;
    struct value *next;
};

static struct value *make(struct value *next) {
    struct value *value = malloc(sizeof *value);
    value->next = next;
    if (__VERIFIER_nondet_int()) {
        value->tag = LIST;
        value->u.first = malloc(sizeof *value->u.first);
        value->u.first->tag = NUMBER;
        value->u.first->u.number = 3;
        value->u.first->next = NULL;
    } else {
        value->tag = NUMBER;
        value->u.number = 7;
    }
    return value;
}

static void drop(struct value *value) {
    if (value->tag == LIST)
        free(value->u.first);
    free(value);
}

int main(void) {
    struct value *a = make(NULL);
    struct value *b = make(a);
    union {
        int number;
        struct value *both;
    } held;
    held.both = b->next;
    drop(b);
    drop(held.both);
    return 0;
}
