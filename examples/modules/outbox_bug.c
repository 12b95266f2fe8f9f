// A queue whose tail is a pointer to the last link, so that appending needs no case for the empty queue.
//
// expect: use-after-free
// twin: outbox.c
#include <stdlib.h>

struct message {
    struct message *next;
    int code;
};

struct outbox {
    struct message *first;
    struct message **last;
};

void outbox_init(struct outbox *box) {
    box->first = NULL;
    box->last = &box->first;
}

int outbox_put(struct outbox *box, int code) {
    struct message *m = malloc(sizeof *m);
    if (m == NULL)
        return -1;
    m->code = code;
    m->next = NULL;
    *box->last = m;
    box->last = &m->next;
    return 0;
}

int outbox_take(struct outbox *box, int *code) {
    struct message *m = box->first;
    if (m == NULL)
        return 0;
    box->first = m->next;
    *code = m->code;
    free(m);
    return 1;
}

void outbox_destroy(struct outbox *box) {
    struct message *m = box->first;
    while (m != NULL) {
        struct message *next = m->next;
        free(m);
        m = next;
    }
    outbox_init(box);
}
