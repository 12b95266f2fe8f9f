// A counted list that knows its last entry, and holds what its users give it. Entries are put in front, at the end and
// at any place, and taken from the front.
//
// expect: proved
#include <stdlib.h>

struct entry {
    void *what;
    struct entry *next;
};

struct agenda {
    size_t count;
    struct entry *first, *last;
};

struct agenda *agenda_new(void)
{
    return calloc(1, sizeof(struct agenda));
}

void agenda_free(struct agenda *a)
{
    struct entry *e = a->first;

    while (e != NULL) {
        struct entry *next = e->next;

        free(e);
        e = next;
    }
    free(a);
}

int agenda_add(struct agenda *a, void *what)
{
    struct entry *e = calloc(1, sizeof *e);

    if (e == NULL)
        return 0;
    e->what = what;
    if (a->count == 0)
        a->first = e;
    else
        a->last->next = e;
    a->last = e;
    a->count++;
    return 1;
}

int agenda_add_first(struct agenda *a, void *what)
{
    struct entry *e = calloc(1, sizeof *e);

    if (e == NULL)
        return 0;
    e->what = what;
    e->next = a->first;
    a->first = e;
    if (a->count == 0)
        a->last = e;
    a->count++;
    return 1;
}

/* Puts it where the entry of this number is, which must be there. */
int agenda_add_at(struct agenda *a, void *what, size_t place)
{
    struct entry *before = NULL, *e;

    if (place >= a->count)
        return 0;
    for (size_t i = 0; i < place; i++)
        before = before == NULL ? a->first : before->next;
    if (before == NULL)
        return agenda_add_first(a, what);
    e = calloc(1, sizeof *e);
    if (e == NULL)
        return 0;
    e->what = what;
    e->next = before->next;
    before->next = e;
    a->count++;
    return 1;
}

int agenda_has(const struct agenda *a, const void *what)
{
    for (const struct entry *e = a->first; e != NULL; e = e->next)
        if (e->what == what)
            return 1;
    return 0;
}

void *agenda_next(struct agenda *a)
{
    struct entry *e = a->first;
    void *what;

    if (a->count == 0)
        return NULL;
    what = e->what;
    a->first = e->next;
    if (--a->count == 0)
        a->last = NULL;
    free(e);
    return what;
}
