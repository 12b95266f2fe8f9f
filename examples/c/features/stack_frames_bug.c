// A chain of elements that live in the frames of the functions that are active: nothing is allocated.
//
// expect: dangling-stack-pointer at 21
// twin of: stack_frames.c — the chain still begins with the frame of a function that has returned
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

struct frame {
    int level;
    struct frame *caller;
};

static struct frame *current;

static int depth(void)
{
    const struct frame *f;
    int n = 0;

    for (f = current; f != NULL; f = f->caller)
        n++;
    return n;
}

static int inner(void)
{
    struct frame f = {2, current};
    int n;

    current = &f;
    n = depth();
    current = f.caller;
    return n;
}

static int outer(void)
{
    struct frame f = {1, current};
    int n = 0;

    current = &f;
    while (__VERIFIER_nondet_int())
        n = inner();
    return n;
}

int main(void)
{
    int n = outer();

    return n + depth();
}
