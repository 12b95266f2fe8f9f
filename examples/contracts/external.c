// Functions that are defined elsewhere are used by their contracts, which stand before their declarations.
//
// expect: proved
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
    all = sorted(all);
    while (all != NULL && count >= 0) {
        struct node *next = all->next;
        free(all);
        all = next;
    }
    return 0;
}
