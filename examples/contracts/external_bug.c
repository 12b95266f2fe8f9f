// Functions that are defined elsewhere are used by their contracts, which stand before their declarations.
//
// expect: assertion at 28
// twin of: external.c — memory that was given away is used again
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

/*@ requires list(all);
    ensures list(\result); */
struct node *sorted(struct node *all);

/*@ ensures list(\result) && \result != NULL; */
struct node *read_all(void);

/*@ requires list(all) && all != NULL;
    ensures list(all) && \result >= 0; */
int length(struct node *all);

int main(void)
{
    struct node *all = read_all();
    int count = length(all);
    struct node *other = sorted(all);
    count = length(all);
    while (all != NULL && count >= 0) {
        struct node *next = all->next;
        free(all);
        all = next;
    }
    while (other != NULL) {
        struct node *next = other->next;
        free(other);
        other = next;
    }
    return 0;
}
