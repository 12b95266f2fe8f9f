// A list of cells that is linked both ways. Users hold a pointer to its first cell, and cells that they have found.
//
// expect: proved without sharing
#include <stdlib.h>

typedef struct cell {
    struct cell *before;
    struct cell *after;
    int value;
} cell;

cell *cells_push(cell **cells, int value) {
    cell *c = malloc(sizeof *c);
    if (c == NULL)
        return NULL;
    c->value = value;
    c->before = NULL;
    c->after = *cells;
    if (*cells != NULL)
        (*cells)->before = c;
    *cells = c;
    return c;
}

cell *cells_find(cell *cells, int value) {
    while (cells != NULL && cells->value != value)
        cells = cells->after;
    return cells;
}

cell *cells_nth(cell *cells, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        if (cells == NULL)
            return NULL;
        cells = cells->after;
    }
    return cells;
}

cell *cells_before(cell *c) {
    return c == NULL ? NULL : c->before;
}

int cells_remove(cell **cells, cell *c) {
    if (c == NULL)
        return 0;
    if (c->before == NULL)
        *cells = c->after;
    else
        c->before->after = c->after;
    if (c->after != NULL)
        c->after->before = c->before;
    free(c);
    return 1;
}

void cells_free(cell *cells) {
    while (cells != NULL) {
        cell *next = cells->after;
        free(cells);
        cells = next;
    }
}
