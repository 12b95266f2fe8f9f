// Journals whose last entry is remembered in a variable, so that it is found without a way through the list.
//
// expect: proved without sharing
#include <stdlib.h>

struct entry {
    struct entry *next;
    int text;
};

struct journal {
    struct entry *first;
};

static struct entry *last;

struct journal *journal_new(void) {
    struct journal *j = malloc(sizeof *j);
    if (j != NULL)
        j->first = NULL;
    return j;
}

int journal_write(struct journal *j, int text) {
    struct entry *e = malloc(sizeof *e);
    if (e == NULL)
        return -1;
    e->text = text;
    e->next = j->first;
    j->first = e;
    last = e;
    return 0;
}

int journal_last(const struct journal *j) {
    return j->first != NULL && last != NULL ? last->text : 0;
}

void journal_free(struct journal *j) {
    while (j->first != NULL) {
        struct entry *next = j->first->next;
        free(j->first);
        j->first = next;
    }
    last = NULL;
    free(j);
}
