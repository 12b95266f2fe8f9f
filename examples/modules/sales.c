// A list of sales without a counter: when their number is needed they are counted, and then walked through by number.
//
// expect: proved
#include <stdlib.h>

struct sale {
    const void *item;
    struct sale *next;
};

struct sales {
    struct sale *first;
};

struct sales *sales_new(void)
{
    return calloc(1, sizeof(struct sales));
}

void sales_free(struct sales *s)
{
    while (s->first != NULL) {
        struct sale *next = s->first->next;

        free(s->first);
        s->first = next;
    }
    free(s);
}

int sales_add(struct sales *s, const void *item)
{
    struct sale *sale = malloc(sizeof *sale);

    if (sale == NULL)
        return 0;
    sale->item = item;
    sale->next = s->first;
    s->first = sale;
    return 1;
}

unsigned int sales_count(const struct sales *s)
{
    unsigned int count = 0;

    for (const struct sale *sale = s->first; sale != NULL; sale = sale->next)
        count++;
    return count;
}

/* All items, in an array that the caller frees. */
const void **sales_items(const struct sales *s)
{
    unsigned int count = sales_count(s);
    const void **items = malloc(count * sizeof *items);
    const struct sale *sale = s->first;

    if (items == NULL)
        return NULL;
    for (unsigned int i = 0; i < count; i++) {
        items[i] = sale->item;
        sale = sale->next;
    }
    return items;
}

/* The item of the first sale of all, which is the last one of the list. */
const void *sales_oldest(const struct sales *s)
{
    unsigned int count = sales_count(s);
    const struct sale *sale = s->first;

    if (count == 0)
        return NULL;
    for (unsigned int i = 1; i < count; i++)
        sale = sale->next;
    return sale->item;
}
