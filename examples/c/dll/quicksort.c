// Quicksort of a doubly linked list, which tells its last element; it is freed from there.
//
// expect: proved
#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct card {
    int rank;
    struct card *above, *below;
};

static void lay_on(struct card **pile, struct card *card)
{
    card->above = NULL;
    card->below = *pile;
    if (*pile != NULL)
        (*pile)->above = card;
    *pile = card;
}

static struct card *sort(struct card **pile)
{
    struct card *middle = *pile, *low = NULL, *high = NULL;

    if (middle == NULL || middle->below == NULL)
        return middle;
    for (struct card *card = middle->below; card != NULL;) {
        struct card *next = card->below;

        lay_on(card->rank < middle->rank ? &low : &high, card);
        card = next;
    }

    struct card *last_low = sort(&low);
    struct card *last = sort(&high);

    *pile = low != NULL ? low : middle;
    middle->above = last_low;
    if (last_low != NULL)
        last_low->below = middle;
    middle->below = high;
    if (high != NULL)
        high->above = middle;
    return last != NULL ? last : middle;
}

int main(void)
{
    struct card *pile = NULL;

    while (__VERIFIER_nondet_int()) {
        struct card *card = malloc(sizeof *card);

        if (card == NULL)
            break;
        card->rank = __VERIFIER_nondet_int();
        lay_on(&pile, card);
    }

    struct card *last = sort(&pile);

    // From the last one back to the first.
    while (last != NULL) {
        struct card *above = last->above;

        free(last);
        last = above;
    }
    return 0;
}
