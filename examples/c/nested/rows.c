// A list of lists: rows of cells, built and freed.
//
// expect: proved
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

static void free_cells(struct cell *c)
{
    while (c != NULL) {
        struct cell *next = c->next;
        free(c);
        c = next;
    }
}

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
        free_cells(r->cells);
        free(r);
    }
    return 0;
}
