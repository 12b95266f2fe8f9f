// Everything is done a fixed number of times, so that it is known what each element holds in the end.
//
// expect: assertion at 40
// twin of: bounded_rounds.c — the numbers are compared with those of the elements after
#include <assert.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int data;
};

static struct node *ring(int length) {
    struct node *last = malloc(sizeof *last);
    struct node *head = last;
    last->data = 0;
    while (length > 1) {
        struct node *node = malloc(sizeof *node);
        node->next = head;
        node->data = 0;
        head = node;
        length--;
    }
    last->next = head;
    return head;
}

int main(void) {
    const int length = 4;
    struct node *head = ring(length);
    struct node *p = head;
    int count = 1;
    do {
        p->data = count++;
        p = p->next;
    } while (p != head);
    // BUG: that is one too few.
    count -= length - 1;
    do {
        assert(p->data == count++);
        p = p->next;
    } while (p != head);
    p = head->next;
    while (p != head) {
        struct node *next = p->next;
        free(p);
        p = next;
    }
    free(head);
    return 0;
}
