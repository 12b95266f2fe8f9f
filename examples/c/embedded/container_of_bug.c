// The link is a member in the middle of an object; the object is found from it by its offset.
//
// expect: invalid-free at 52
// twin of: container_of.c — the link is freed instead of the object around it
#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

#define container_of(pointer, type, member) ((type *)((char *)(pointer) - offsetof(type, member)))

struct link {
    struct link *next;
};

struct packet {
    int length;
    struct link link;
    int checksum;
};

static struct link *push(struct link *list, struct link *l)
{
    l->next = list;
    return l;
}

static int bytes_left(const struct link *list, int limit)
{
    for (; list != NULL; list = list->next) {
        const struct packet *p = container_of(list, struct packet, link);
        if (p->length > limit)
            return 1;
    }
    return 0;
}

int main(void)
{
    struct link *queue = NULL;
    int left;

    while (__VERIFIER_nondet_int()) {
        struct packet *p = malloc(sizeof *p);
        p->length = __VERIFIER_nondet_int();
        p->checksum = 0;
        queue = push(queue, &p->link);
    }
    left = bytes_left(queue, 3);
    while (queue != NULL) {
        struct link *next = queue->next;
        free(queue);
        queue = next;
    }
    return left;
}
