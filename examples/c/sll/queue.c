// A queue with a pointer to its last element, in a struct on the stack.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct message {
    int code;
    struct message *next;
};

struct queue {
    struct message *first;
    struct message *last;
};

static void put(struct queue *q, int code)
{
    struct message *m = malloc(sizeof *m);

    m->code = code;
    m->next = NULL;
    if (q->first == NULL)
        q->first = m;
    else
        q->last->next = m;
    q->last = m;
}

static int get(struct queue *q)
{
    struct message *m = q->first;
    int code = m->code;

    q->first = m->next;
    if (q->first == NULL)
        q->last = NULL;
    free(m);
    return code;
}

int main(void)
{
    struct queue q = {NULL, NULL};
    int code;

    while ((code = __VERIFIER_nondet_int()) != 0) {
        if (code > 0)
            put(&q, code);
        else if (q.first != NULL)
            get(&q);
    }
    while (q.first != NULL)
        get(&q);
    return q.last != NULL;
}
