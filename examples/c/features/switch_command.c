// An interpreter of commands on a stack, with a switch over an enumeration.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

enum command { QUIT, PUSH, POP, SWAP, CLEAR };

struct cell {
    int value;
    struct cell *below;
};

static struct cell *pop(struct cell *top)
{
    struct cell *below = top->below;

    free(top);
    return below;
}

int main(void)
{
    struct cell *top = NULL;
    struct cell *c;
    enum command command;

    do {
        command = (enum command)__VERIFIER_nondet_int();
        switch (command) {
        case PUSH:
            c = malloc(sizeof *c);
            c->value = __VERIFIER_nondet_int();
            c->below = top;
            top = c;
            break;
        case POP:
            if (top != NULL)
                top = pop(top);
            break;
        case SWAP:
            if (top == NULL || top->below == NULL)
                break;
            c = top->below;
            top->below = c->below;
            c->below = top;
            top = c;
            break;
        case CLEAR:
        case QUIT:
            while (top != NULL)
                top = pop(top);
            break;
        default:
            break;
        }
    } while (command != QUIT);
    return 0;
}
