// A function says whether it found something, and if so puts it where its caller wants it.
//
// expect: uninitialised-pointer at 35
// twin of: out_parameter.c — the result is not looked at, and the variable is set only if something was found
#include <stdbool.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct entry {
    int key;
    struct entry *next;
};

static bool find(struct entry *list, int key, struct entry **found)
{
    while (list != NULL) {
        if (list->key == key) {
            *found = list;
            return true;
        }
        list = list->next;
    }
    return false;
}

int main(void)
{
    struct entry *list = NULL;
    struct entry *found;
    int key;

    while ((key = __VERIFIER_nondet_int()) != 0) {
        find(list, key, &found);
        if (found != NULL) {
            found->key = -1;
        } else {
            struct entry *e = malloc(sizeof *e);
            e->key = key;
            e->next = list;
            list = e;
        }
    }
    while (list != NULL) {
        struct entry *e = list;
        list = e->next;
        free(e);
    }
    return 0;
}
