// Two lists become one: the second is empty after that.
//
// expect: proved without sharing
#include <stdlib.h>

struct elem {
    struct elem *next;
    int value;
};

struct chain {
    struct elem *first;
};

struct chain *chain_new(void) {
    struct chain *chain = malloc(sizeof *chain);
    if (chain != NULL)
        chain->first = NULL;
    return chain;
}

int chain_add(struct chain *chain, int value) {
    struct elem *elem = malloc(sizeof *elem);
    if (elem == NULL)
        return 0;
    elem->value = value;
    elem->next = chain->first;
    chain->first = elem;
    return 1;
}

void chain_append(struct chain *chain, struct chain *other) {
    struct elem **end = &chain->first;
    while (*end != NULL)
        end = &(*end)->next;
    *end = other->first;
    other->first = NULL;
}

void chain_free(struct chain *chain) {
    while (chain->first != NULL) {
        struct elem *elem = chain->first;
        chain->first = elem->next;
        free(elem);
    }
    free(chain);
}
