// A queue of embedded links that holds the address of the link at its end.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct job {
    struct job *next;
    int cost;
};

struct queue {
    struct job *first;
    struct job **end; // the link to be set next: that in the last job, or `first`
};

static void init(struct queue *q)
{
    q->first = NULL;
    q->end = &q->first;
}

static void put(struct queue *q, struct job *j)
{
    j->next = NULL;
    *q->end = j;
    q->end = &j->next;
}

static struct job *get(struct queue *q)
{
    struct job *j = q->first;

    if (j == NULL)
        return NULL;
    q->first = j->next;
    if (q->first == NULL)
        q->end = &q->first;
    return j;
}

int main(void)
{
    struct queue q;
    struct job *j;

    init(&q);
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            j = malloc(sizeof *j);
            j->cost = __VERIFIER_nondet_int();
            put(&q, j);
        } else {
            j = get(&q);
            free(j);
        }
    }
    while ((j = get(&q)) != NULL)
        free(j);
    return 0;
}
