// A sequence that takes its last element for one in the middle.
//
// expect: null-dereference
#include <stdbool.h>
#include <stdlib.h>

struct cell {
    int value;
    struct cell *next;
    struct cell *prev;
};

struct sequence {
    size_t size;
    struct cell *first;
    struct cell *last;
};

struct sequence *sequence_new(void) {
    struct sequence *s = malloc(sizeof *s);
    if (s == NULL)
        return NULL;
    s->size = 0;
    s->first = NULL;
    s->last = NULL;
    return s;
}

size_t sequence_size(const struct sequence *s) {
    return s->size;
}

bool sequence_append(struct sequence *s, int value) {
    struct cell *c = malloc(sizeof *c);
    if (c == NULL)
        return false;
    c->value = value;
    c->next = NULL;
    if (s->size == 0) {
        c->prev = NULL;
        s->first = c;
        s->last = c;
    } else {
        c->prev = s->last;
        s->last->next = c;
        s->last = c;
    }
    s->size++;
    return true;
}

bool sequence_prepend(struct sequence *s, int value) {
    struct cell *c = malloc(sizeof *c);
    if (c == NULL)
        return false;
    c->value = value;
    c->prev = NULL;
    if (s->size == 0) {
        c->next = NULL;
        s->first = c;
        s->last = c;
    } else {
        c->next = s->first;
        s->first->prev = c;
        s->first = c;
    }
    s->size++;
    return true;
}

static struct cell *at(const struct sequence *s, size_t index) {
    struct cell *c;
    if (index < s->size / 2) {
        c = s->first;
        for (size_t i = 0; i < index; i++)
            c = c->next;
    } else {
        c = s->last;
        for (size_t i = s->size - 1; i > index; i--)
            c = c->prev;
    }
    return c;
}

bool sequence_get(const struct sequence *s, size_t index, int *out) {
    if (index >= s->size)
        return false;
    *out = at(s, index)->value;
    return true;
}

bool sequence_remove(struct sequence *s, size_t index) {
    if (index >= s->size)
        return false;
    struct cell *c = at(s, index);
    if (s->size == 1) {
        s->first = NULL;
        s->last = NULL;
    } else if (index == 0) {
        s->first = c->next;
        s->first->prev = NULL;
    } else if (index == s->size) {
        s->last = c->prev;
        s->last->next = NULL;
    } else {
        c->prev->next = c->next;
        c->next->prev = c->prev;
    }
    free(c);
    s->size--;
    return true;
}

void sequence_free(struct sequence *s) {
    struct cell *c = s->first;
    for (size_t i = 0; i < s->size; i++) {
        struct cell *next = c->next;
        free(c);
        c = next;
    }
    free(s);
}
