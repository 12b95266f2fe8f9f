// A set as a list without equal elements: what was added, or removed, is a member, or not; others are what they were.
//
// After the list-based set of [Reineke05]; its laws are the assertions.
//
// expect: assertion at 79
// twin of: set_list.c — an element that is there already is inserted again
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct list {
    struct list *next;
    int data;
};

struct set {
    struct list *list;
};

// Zero if they are equal.
static int compare(int a, int b) {
    return a != b;
}

static int is_element(struct set *set, int element) {
    struct list *list = set->list;
    while (list != NULL) {
        if (compare(list->data, element) == 0)
            return 1;
        list = list->next;
    }
    return 0;
}

static void insert(struct set *set, int element) {
    struct list *list = malloc(sizeof *list);
    if (list == NULL)
        abort();
    list->data = element;
    list->next = set->list;
    set->list = list;
}

static void take_out(struct set *set, int element) {
    struct list *prev = NULL, *list = set->list;
    while (list != NULL && compare(list->data, element) != 0) {
        prev = list;
        list = list->next;
    }
    if (list == NULL)
        return;
    if (prev == NULL)
        set->list = list->next;
    else
        prev->next = list->next;
    free(list);
}

int main(void) {
    struct set *set = malloc(sizeof *set);
    if (set == NULL)
        abort();
    set->list = NULL;
    while (__VERIFIER_nondet_int())
        insert(set, __VERIFIER_nondet_int());

    int element = __VERIFIER_nondet_int(), other = __VERIFIER_nondet_int();
    int had = is_element(set, other);
    insert(set, element);
    assert(is_element(set, element));
    if (had || compare(other, element) == 0)
        assert(is_element(set, other));
    else
        assert(!is_element(set, other));

    had = is_element(set, other);
    take_out(set, element);
    assert(!is_element(set, element));
    if (had && compare(other, element) != 0)
        assert(is_element(set, other));
    else
        assert(!is_element(set, other));

    while (set->list != NULL) {
        struct list *list = set->list;
        set->list = list->next;
        free(list);
    }
    free(set);
    return 0;
}
