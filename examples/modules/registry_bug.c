// Names with values. The registry has copies of its names, and frees them.
//
// expect: leak
// twin: registry.c
#include <stdlib.h>
#include <string.h>

struct pair {
    struct pair *next;
    char *name;
    int value;
};

struct registry {
    struct pair *pairs;
};

struct registry *registry_new(void) {
    struct registry *registry = malloc(sizeof *registry);
    if (registry == NULL)
        return NULL;
    registry->pairs = NULL;
    return registry;
}

int registry_set(struct registry *registry, const char *name, int value) {
    struct pair *pair = malloc(sizeof *pair);
    if (pair == NULL)
        return 0;
    pair->name = strdup(name);
    if (pair->name == NULL) {
        return 0;
    }
    pair->value = value;
    pair->next = registry->pairs;
    registry->pairs = pair;
    return 1;
}

void registry_free(struct registry *registry) {
    while (registry->pairs != NULL) {
        struct pair *pair = registry->pairs;
        registry->pairs = pair->next;
        free(pair->name);
        free(pair);
    }
    free(registry);
}
