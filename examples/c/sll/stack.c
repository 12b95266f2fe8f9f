// A stack with push, pop and peek.
//
// expect: proved
#include <stdbool.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

typedef struct frame {
    int value;
    struct frame *below;
} Frame;

static Frame *top;

static bool empty(void)
{
    return top == NULL;
}

static void push(int value)
{
    Frame *f = malloc(sizeof *f);
    f->value = value;
    f->below = top;
    top = f;
}

static int peek(void)
{
    return top->value;
}

static int pop(void)
{
    Frame *f = top;
    int value = f->value;
    top = f->below;
    free(f);
    return value;
}

int main(void)
{
    int last = 0;

    while (__VERIFIER_nondet_int()) {
        push(__VERIFIER_nondet_int());
        if (!empty() && peek() < 0)
            last = pop();
    }
    while (!empty())
        last = pop();
    return last == 0;
}
