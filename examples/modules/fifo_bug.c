// A queue with pointers to its first and its last element.
//
// expect: use-after-free
// twin: fifo.c
#include <stdlib.h>

struct item {
    struct item *next;
    int value;
};

struct fifo {
    struct item *first;
    struct item *last;
};

struct fifo *fifo_new(void) {
    struct fifo *fifo = malloc(sizeof *fifo);
    if (fifo == NULL)
        return NULL;
    fifo->first = NULL;
    fifo->last = NULL;
    return fifo;
}

int fifo_put(struct fifo *fifo, int value) {
    struct item *item = malloc(sizeof *item);
    if (item == NULL)
        return 0;
    item->value = value;
    item->next = NULL;
    if (fifo->last == NULL)
        fifo->first = item;
    else
        fifo->last->next = item;
    fifo->last = item;
    return 1;
}

int fifo_take(struct fifo *fifo, int *value) {
    struct item *item = fifo->first;
    if (item == NULL)
        return 0;
    *value = item->value;
    fifo->first = item->next;
    free(item);
    return 1;
}

void fifo_free(struct fifo *fifo) {
    struct item *item = fifo->first;
    while (item != NULL) {
        struct item *next = item->next;
        free(item);
        item = next;
    }
    free(fifo);
}
