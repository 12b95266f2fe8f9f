// Deletes every element with a given key, keeping a pointer to the element before.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int key;
    struct node *next;
};

static struct node *delete_all(struct node *list, int key)
{
    struct node *prev = NULL;
    struct node *cur = list;

    while (cur != NULL) {
        struct node *next = cur->next;
        if (cur->key == key) {
            if (prev != NULL)
                prev->next = next;
            else
                list = next;
            free(cur);
        } else {
            prev = cur;
        }
        cur = next;
    }
    return list;
}

static void destroy(struct node *list)
{
    while (list != NULL) {
        struct node *dead = list;
        list = list->next;
        free(dead);
    }
}

int main(void)
{
    struct node *list = NULL;

    while (__VERIFIER_nondet_int()) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->key = __VERIFIER_nondet_int();
        fresh->next = list;
        list = fresh;
    }
    list = delete_all(list, __VERIFIER_nondet_int());
    destroy(list);
    return 0;
}
