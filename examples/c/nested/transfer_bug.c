// Departments have lists of people. A person moves from one department to the other.
//
// expect: leak at 34
// twin of: transfer.c — everybody else in the first department is forgotten
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct person {
    int number;
    struct person *next;
};

struct department {
    struct person *staff;
};

static void hire(struct department *d, int number)
{
    struct person *p = malloc(sizeof *p);

    p->number = number;
    p->next = d->staff;
    d->staff = p;
}

static void transfer(struct department *from, struct department *to)
{
    struct person *p = from->staff;

    if (p == NULL)
        return;
    from->staff = NULL;
    p->next = to->staff;
    to->staff = p;
}

static void close_department(struct department *d)
{
    struct person *p = d->staff;

    while (p != NULL) {
        struct person *next = p->next;
        free(p);
        p = next;
    }
    free(d);
}

int main(void)
{
    struct department *sales = calloc(1, sizeof *sales);
    struct department *support = calloc(1, sizeof *support);
    int number = 0;

    do {
        hire(__VERIFIER_nondet_int() ? sales : support, ++number);
    } while (__VERIFIER_nondet_int());
    transfer(sales, support);
    transfer(support, sales);
    close_department(sales);
    close_department(support);
    return 0;
}
