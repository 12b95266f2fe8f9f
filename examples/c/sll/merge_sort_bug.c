// Merge sort from the bottom up: runs of one, two, four ... elements are merged until there is one run.
//
// expect: null-dereference at 34
// twin of: merge_sort.c — it is not asked whether the second run has come to its end
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int data;
    struct node *next;
};

static struct node *sort(struct node *list)
{
    int width = 1, merges;

    do {
        struct node *p = list, *tail = NULL;

        list = NULL;
        merges = 0;
        while (p != NULL) {
            struct node *q = p;
            int left = 0, right = width;

            merges++;
            while (left < width && q != NULL) {
                left++;
                q = q->next;
            }
            while (left > 0 || (right > 0 && q != NULL)) {
                struct node *e;
                if (left > 0 && (right == 0 || p->data <= q->data)) {
                    e = p;
                    p = p->next;
                    left--;
                } else {
                    e = q;
                    q = q->next;
                    right--;
                }
                if (tail != NULL)
                    tail->next = e;
                else
                    list = e;
                tail = e;
            }
            p = q;
        }
        if (tail != NULL)
            tail->next = NULL;
        width *= 2;
    } while (merges > 1);
    return list;
}

int main(void)
{
    struct node *list = NULL;

    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->data = __VERIFIER_nondet_int();
        n->next = list;
        list = n;
    }
    list = sort(list);
    while (list != NULL) {
        struct node *n = list;
        list = list->next;
        free(n);
    }
    return 0;
}
