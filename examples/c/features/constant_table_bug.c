// A table of operations that never changes, behind a pointer that could change it and does not.
//
// expect: leak at 29
// expect: use-after-free at 41
// twin of: constant_table.c — the next element is read from one that is gone
#include <stdlib.h>

struct item {
    struct item *next;
};

struct operations {
    struct item *(*make)(struct item *next);
    void (*drop)(struct item *item);
};

struct device {
    struct operations *operations;
    struct item *items;
};

static struct item *make(struct item *next) {
    struct item *item = malloc(sizeof *item);
    item->next = next;
    return item;
}

static void drop(struct item *item) {
    free(item);
}

static const struct operations operations = {make, drop};

int main(void) {
    struct device device = {(struct operations *)&operations, NULL};
    device.items = device.operations->make(NULL);
    device.items = device.operations->make(device.items);
    while (device.items != NULL) {
        // BUG: the next one is read from what is gone.
        device.operations->drop(device.items);
        device.items = device.items->next;
    }
    return 0;
}
