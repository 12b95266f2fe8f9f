// Appends twice to a list with a tail pointer. The second time, both of its pointers lead to the same element.
//
// expect: proved
#include <stdlib.h>

struct entry {
    struct entry *next;
};

struct log {
    struct entry *oldest;
    struct entry *newest;
};

static void append(struct log *log)
{
    struct entry *e = malloc(sizeof *e);

    e->next = NULL;
    if (log->newest != NULL)
        log->newest->next = e;
    else
        log->oldest = e;
    log->newest = e;
}

static void clear(struct log *log)
{
    struct entry *e = log->oldest;

    while (e != NULL) {
        struct entry *next = e->next;
        free(e);
        e = next;
    }
}

int main(void)
{
    struct log log = {NULL, NULL};

    append(&log);
    append(&log);
    clear(&log);
    return 0;
}
