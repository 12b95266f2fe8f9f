// A bag of numbers in a variable of its user, which is initialised and cleared.
//
// expect: proved
#include <stdlib.h>

struct entry {
    struct entry *next;
    int number;
};

struct bag {
    struct entry *entries;
    int count;
};

void bag_init(struct bag *bag) {
    bag->entries = NULL;
    bag->count = 0;
}

int bag_add(struct bag *bag, int number) {
    struct entry *entry = malloc(sizeof *entry);
    if (entry == NULL)
        return 0;
    entry->number = number;
    entry->next = bag->entries;
    bag->entries = entry;
    bag->count++;
    return 1;
}

int bag_count(const struct bag *bag) {
    return bag->count;
}

void bag_clear(struct bag *bag) {
    struct entry *entry = bag->entries;
    while (entry != NULL) {
        struct entry *next = entry->next;
        free(entry);
        entry = next;
    }
    bag->entries = NULL;
    bag->count = 0;
}
