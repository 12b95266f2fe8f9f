// A text: a doubly linked list of lines, each of which is a list of characters. Lines are split and joined.
//
// expect: use-after-free at 61
// twin of: lines.c — the characters that go to the new line stay in the old one
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct character {
    char c;
    struct character *next;
};

struct line {
    struct character *text;
    struct line *prev, *next;
};

static struct line *new_line(struct line *prev, struct line *next)
{
    struct line *l = malloc(sizeof *l);

    l->text = NULL;
    l->prev = prev;
    l->next = next;
    if (prev != NULL)
        prev->next = l;
    if (next != NULL)
        next->prev = l;
    return l;
}

static void type(struct line *l, char c)
{
    struct character *t = malloc(sizeof *t);

    t->c = c;
    t->next = l->text;
    l->text = t;
}

// The characters after the first one go to a new line.
static void split(struct line *l)
{
    struct line *fresh;

    if (l->text == NULL)
        return;
    fresh = new_line(l, l->next);
    fresh->text = l->text->next;
}

static void delete_line(struct line *l)
{
    if (l->prev != NULL)
        l->prev->next = l->next;
    if (l->next != NULL)
        l->next->prev = l->prev;
    while (l->text != NULL) {
        struct character *t = l->text;
        l->text = t->next;
        free(t);
    }
    free(l);
}

int main(void)
{
    struct line *first = new_line(NULL, NULL);
    struct line *cursor = first;

    while (__VERIFIER_nondet_int()) {
        type(cursor, 'a');
        if (__VERIFIER_nondet_int())
            split(cursor);
        if (cursor->next != NULL && __VERIFIER_nondet_int())
            cursor = cursor->next;
    }
    while (first->next != NULL)
        delete_line(first->next);
    delete_line(first);
    return 0;
}
