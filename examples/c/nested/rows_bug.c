// A list of lists: rows of cells, built and freed.
//
// expect: leak at 40
// twin of: rows.c — the cells of a row are not freed
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
    int value;
    struct cell *next;
};

struct row {
    struct cell *cells;
    struct row *next;
};

int main(void)
{
    struct row *table = NULL;
    struct row *r;

    while (__VERIFIER_nondet_int()) {
        r = malloc(sizeof *r);
        r->cells = NULL;
        r->next = table;
        table = r;
        while (__VERIFIER_nondet_int()) {
            struct cell *c = malloc(sizeof *c);
            c->value = __VERIFIER_nondet_int();
            c->next = r->cells;
            r->cells = c;
        }
    }

    while (table != NULL) {
        r = table;
        table = r->next;
        free(r);
    }
    return 0;
}
