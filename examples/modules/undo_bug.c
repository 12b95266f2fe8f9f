// Two stacks of edits: what is undone can be done again, until something new is done.
//
// expect: leak
// twin: undo.c
#include <stdlib.h>

struct edit {
    int position;
    struct edit *older;
};

struct history {
    struct edit *done;
    struct edit *undone;
};

static void drop(struct edit **edits) {
    while (*edits != NULL) {
        struct edit *older = (*edits)->older;
        free(*edits);
        *edits = older;
    }
}

struct history *history_new(void) {
    struct history *h = malloc(sizeof *h);
    if (h != NULL) {
        h->done = NULL;
        h->undone = NULL;
    }
    return h;
}

int history_do(struct history *h, int position) {
    struct edit *e = malloc(sizeof *e);
    if (e == NULL)
        return 0;
    h->undone = NULL;
    e->position = position;
    e->older = h->done;
    h->done = e;
    return 1;
}

int history_undo(struct history *h) {
    struct edit *e = h->done;
    if (e == NULL)
        return 0;
    h->done = e->older;
    e->older = h->undone;
    h->undone = e;
    return 1;
}

int history_redo(struct history *h) {
    struct edit *e = h->undone;
    if (e == NULL)
        return 0;
    h->undone = e->older;
    e->older = h->done;
    h->done = e;
    return 1;
}

void history_free(struct history *h) {
    if (h == NULL)
        return;
    drop(&h->done);
    drop(&h->undone);
    free(h);
}
