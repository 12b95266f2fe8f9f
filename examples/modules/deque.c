// A queue with two ends, linked both ways.
//
// expect: proved
#include <stdlib.h>

struct link {
    struct link *next;
    struct link *prev;
    void *data;
};

struct deque {
    struct link *head;
    struct link *tail;
};

struct deque *deque_create(void) {
    struct deque *deque = calloc(1, sizeof *deque);
    return deque;
}

int deque_push_front(struct deque *deque, void *data) {
    struct link *link = malloc(sizeof *link);
    if (link == NULL)
        return -1;
    link->data = data;
    link->prev = NULL;
    link->next = deque->head;
    if (deque->head != NULL)
        deque->head->prev = link;
    else
        deque->tail = link;
    deque->head = link;
    return 0;
}

int deque_push_back(struct deque *deque, void *data) {
    struct link *link = malloc(sizeof *link);
    if (link == NULL)
        return -1;
    link->data = data;
    link->next = NULL;
    link->prev = deque->tail;
    if (deque->tail != NULL)
        deque->tail->next = link;
    else
        deque->head = link;
    deque->tail = link;
    return 0;
}

void *deque_pop_back(struct deque *deque) {
    struct link *link = deque->tail;
    if (link == NULL)
        return NULL;
    void *data = link->data;
    deque->tail = link->prev;
    if (deque->tail != NULL)
        deque->tail->next = NULL;
    else
        deque->head = NULL;
    free(link);
    return data;
}

void deque_destroy(struct deque *deque) {
    while (deque->tail != NULL)
        deque_pop_back(deque);
    free(deque);
}
