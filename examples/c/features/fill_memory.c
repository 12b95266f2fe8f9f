// Objects that are filled with bytes: as a whole, in part, and with something else than zero.
//
// expect: proved
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct counters {
    unsigned int hits;
    unsigned int misses;
    double ratio;
};

struct entry {
    struct counters counters;
    struct entry *next;
    struct entry *previous;
};

static void *zeroed(size_t count, size_t size) {
    void *memory = malloc(count * size);
    return memset(memory, 0, count * size);
}

int main(void) {
    struct counters counters;
    memset(&counters, 0xff, sizeof counters);
    assert(counters.hits == 0xffffffffu);
    struct entry *entry = zeroed(1, sizeof *entry);
    entry->next = malloc(sizeof *entry->next);
    memset(entry->next, 0, sizeof *entry->next);
    // The links stay as they are.
    memset(entry, 0, sizeof entry->counters);
    assert(entry->counters.misses == 0 && entry->next != NULL && entry->previous == NULL);
    free(entry->next);
    free(entry);
    return 0;
}
