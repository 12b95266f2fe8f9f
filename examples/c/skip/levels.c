// A skip list whose links are an array, one for each level.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

enum { LOW, HIGH, LEVELS };

struct node {
    int key;
    struct node *next[LEVELS];
};

static struct node *find(struct node *head, int key)
{
    struct node *n = head;

    while (n->next[HIGH] != NULL && n->next[HIGH]->key < key)
        n = n->next[HIGH];
    while (n->next[LOW] != NULL && n->next[LOW]->key < key)
        n = n->next[LOW];
    return n->next[LOW];
}

int main(void)
{
    struct node *head = calloc(1, sizeof *head);
    struct node *last[LEVELS] = {head, head};
    struct node *n;
    int key = 0, found;

    while (__VERIFIER_nondet_int()) {
        n = malloc(sizeof *n);
        n->key = ++key;
        n->next[LOW] = NULL;
        n->next[HIGH] = NULL;
        last[LOW]->next[LOW] = n;
        last[LOW] = n;
        if (__VERIFIER_nondet_int()) {
            last[HIGH]->next[HIGH] = n;
            last[HIGH] = n;
        }
    }
    n = find(head, __VERIFIER_nondet_int());
    found = n != NULL ? n->key : 0;

    while (head != NULL) {
        n = head;
        head = head->next[LOW];
        free(n);
    }
    return found != 0;
}
