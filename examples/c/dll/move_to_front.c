// A list that organises itself: an element that is looked up moves to the front.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct entry {
    int key;
    struct entry *prev, *next;
};

static struct entry *head;

static void add(int key)
{
    struct entry *e = calloc(1, sizeof *e);
    e->key = key;
    e->next = head;
    if (head != NULL)
        head->prev = e;
    head = e;
}

static struct entry *lookup(int key)
{
    struct entry *e = head;

    while (e != NULL && e->key != key)
        e = e->next;
    if (e == NULL || e == head)
        return e;
    e->prev->next = e->next;
    if (e->next != NULL)
        e->next->prev = e->prev;
    e->prev = NULL;
    e->next = head;
    head->prev = e;
    head = e;
    return e;
}

int main(void)
{
    int key;

    while ((key = __VERIFIER_nondet_int()) != 0)
        add(key);
    while ((key = __VERIFIER_nondet_int()) != 0) {
        struct entry *e = lookup(key);
        if (e != NULL && e->prev != NULL)
            abort();
    }
    while (head != NULL) {
        struct entry *e = head;
        head = e->next;
        free(e);
    }
    return 0;
}
