// Functions that are called when something happens, each with data of its own.
//
// expect: use-after-free
// twin: listeners.c
#include <stdlib.h>

typedef void (*handler)(void *data, int event);

struct listener {
    handler handle;
    void *data;
    struct listener *next;
};

struct source {
    struct listener *listeners;
};

struct source *source_new(void) {
    struct source *s = calloc(1, sizeof *s);
    return s;
}

int source_listen(struct source *s, handler handle, void *data) {
    struct listener *l = malloc(sizeof *l);
    if (l == NULL)
        return -1;
    l->handle = handle;
    l->data = data;
    l->next = s->listeners;
    s->listeners = l;
    return 0;
}

void source_fire(struct source *s, int event) {
    for (struct listener *l = s->listeners; l != NULL; l = l->next)
        l->handle(l->data, event);
}

int source_forget(struct source *s, void *data) {
    struct listener **at = &s->listeners;
    while (*at != NULL) {
        struct listener *l = *at;
        if (l->data == data) {
            *at = l->next;
            free(l);
        }
        at = &l->next;
    }
    return 0;
}

void source_free(struct source *s) {
    struct listener *l = s->listeners;
    while (l != NULL) {
        struct listener *next = l->next;
        free(l);
        l = next;
    }
    free(s);
}
