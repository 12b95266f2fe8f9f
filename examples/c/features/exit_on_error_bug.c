// When the input is wrong the program exits from within a function, and leaves freeing to the system.
//
// expect: null-dereference at 39
// twin of: exit_on_error.c — a bad token is skipped, and there may be none before it
#include <stdio.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct token {
    int kind;
    struct token *next;
};

static struct token *read_token(struct token *before)
{
    int kind = __VERIFIER_nondet_int();
    struct token *t;

    if (kind < 0) {
        fprintf(stderr, "bad token %d\n", kind);
        return before;
    }
    t = malloc(sizeof *t);
    if (t == NULL)
        abort();
    t->kind = kind;
    t->next = before;
    return t;
}

int main(void)
{
    struct token *tokens = NULL;
    int count = 0;

    do {
        tokens = read_token(tokens);
    } while (tokens->kind != 0);
    while (tokens != NULL) {
        struct token *t = tokens;
        printf("%d ", t->kind);
        tokens = t->next;
        free(t);
        count++;
    }
    printf("\n%d tokens\n", count);
    return 0;
}
