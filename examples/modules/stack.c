// A stack of numbers, on a list.
//
// expect: proved
#include <stdlib.h>

struct cell {
    struct cell *below;
    int value;
};

struct stack {
    struct cell *top;
};

struct stack *stack_new(void) {
    struct stack *stack = malloc(sizeof *stack);
    if (stack == NULL)
        return NULL;
    stack->top = NULL;
    return stack;
}

int stack_push(struct stack *stack, int value) {
    struct cell *cell = malloc(sizeof *cell);
    if (cell == NULL)
        return 0;
    cell->value = value;
    cell->below = stack->top;
    stack->top = cell;
    return 1;
}

int stack_is_empty(const struct stack *stack) {
    return stack->top == NULL;
}

int stack_pop(struct stack *stack) {
    struct cell *cell = stack->top;
    if (cell == NULL)
        return -1;
    int value = cell->value;
    stack->top = cell->below;
    free(cell);
    return value;
}

void stack_free(struct stack *stack) {
    while (!stack_is_empty(stack))
        stack_pop(stack);
    free(stack);
}
