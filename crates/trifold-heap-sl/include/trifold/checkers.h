/*
 * Checkers: functions that say of which shape memory is, for `trifold check` and for every C compiler.
 *
 * A macro defines a function for a type, by the names of its fields:
 *
 *     struct node { struct node *next; int value; };
 *     TRIFOLD_LIST(list, struct node, next)
 *
 *     struct node *reverse(struct node *x)
 *     {
 *         trifold_assume(list(x));
 *         ...
 *         assert(list(y));
 *         return y;
 *     }
 *
 * Trifold reads these functions as definitions, and those that you write yourself in the same manner: one case without an element, and
 * one in which the function looks at the fields of its element and calls itself for the next ones. Compiled, they run.
 */
#ifndef TRIFOLD_CHECKERS_H
#define TRIFOLD_CHECKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/* What whoever calls the function promises. A run that does not keep the promise ends here. */
#define trifold_assume(condition) ((condition) ? (void)0 : abort())

/* A list that ends with null: name(p). */
#define TRIFOLD_LIST(name, type, next) \
    static inline bool name(type *p) { return p == NULL || name(p->next); }

/* A list up to some element, which is not part of it: name(p, end). */
#define TRIFOLD_SEGMENT(name, type, next) \
    static inline bool name(type *p, type *end) { return p == end || (p != NULL && name(p->next, end)); }

/* A doubly linked list that ends with null; the first element leads back to `before`: name(p, before). */
#define TRIFOLD_DLL(name, type, next, prev) \
    static inline bool name(type *p, type *before) { return p == NULL || (p->prev == before && name(p->next, p)); }

/* A piece of a doubly linked list from `p` to `last`, behind which comes `end`: name(p, before, end, last). */
#define TRIFOLD_DLL_SEGMENT(name, type, next, prev)                                                  \
    static inline bool name(type *p, type *before, type *end, type *last)                            \
    {                                                                                                \
        return p == end ? before == last : p != NULL && p->prev == before && name(p->next, p, end, last); \
    }

/* A circular list: name(p). Also defines name_rest(p, end), the way from an element to another. */
#define TRIFOLD_CIRCULAR(name, type, next)    \
    TRIFOLD_SEGMENT(name##_rest, type, next)  \
    static inline bool name(type *p) { return p == NULL || name##_rest(p->next, p); }

/* A circular doubly linked list: name(p). Also defines name_rest(p, before, end, last). */
#define TRIFOLD_CIRCULAR_DLL(name, type, next, prev)   \
    TRIFOLD_DLL_SEGMENT(name##_rest, type, next, prev) \
    static inline bool name(type *p) { return p == NULL || name##_rest(p->next, p, p, p->prev); }

/* A binary tree: name(p). */
#define TRIFOLD_TREE(name, type, left, right) \
    static inline bool name(type *p) { return p == NULL || (name(p->left) && name(p->right)); }

/* A binary tree whose elements know the one above; the root leads to `above`: name(p, above). */
#define TRIFOLD_TREE_WITH_PARENT(name, type, left, right, parent)                                \
    static inline bool name(type *p, type *above)                                                \
    {                                                                                            \
        return p == NULL || (p->parent == above && name(p->left, p) && name(p->right, p));       \
    }

/* A skip list of two levels: `skip` leads from each high element to the next high one, `next` over the low ones between them, whose
 * `skip` is null: name(p). Also defines name_low(p, end). */
#define TRIFOLD_SKIP_LIST(name, type, next, skip)                                                \
    static inline bool name##_low(type *p, type *end)                                            \
    {                                                                                            \
        return p == end || (p != NULL && p->skip == NULL && name##_low(p->next, end));           \
    }                                                                                            \
    static inline bool name(type *p) { return p == NULL || (name##_low(p->next, p->skip) && name(p->skip)); }

/* A list of lists: `items` is the checker of what hangs below the field `below` of each element: name(p). */
#define TRIFOLD_LISTS(name, type, next, below, items) \
    static inline bool name(type *p) { return p == NULL || (items(p->below) && name(p->next)); }

#endif
