// Pointer types with names of their own, forward declarations, and functions declared before they are defined.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

typedef struct node *List;
typedef int Element;

static List cons(Element, List);
static void destroy(List);

struct node {
    Element head;
    List tail;
};

static List interval(Element from, Element to)
{
    List l = NULL;

    for (Element e = to; e >= from; e--)
        l = cons(e, l);
    return l;
}

int main(void)
{
    List l = interval(1, 5);

    if (__VERIFIER_nondet_int() && l != NULL)
        l->head = 0;
    destroy(l);
    return 0;
}

static List cons(Element head, List tail)
{
    List l = (List)malloc(sizeof(struct node));

    l->head = head;
    l->tail = tail;
    return l;
}

static void destroy(List l)
{
    while (l) {
        List tail = l->tail;
        free(l);
        l = tail;
    }
}
