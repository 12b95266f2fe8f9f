// Objects are built step by step; when a step fails, the way back through labels frees the parts that are there.
//
// expect: leak at 37
// twin of: goto_cleanup.c — the way back from the second step leaves out the second buffer
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct buffer {
    int size;
};

struct connection {
    struct buffer *input;
    struct buffer *output;
    struct connection *next;
};

static struct connection *open_connection(struct connection *next)
{
    struct connection *c = malloc(sizeof *c);

    c->input = malloc(sizeof *c->input);
    if (__VERIFIER_nondet_int())
        goto no_input;
    c->input->size = 64;
    c->output = malloc(sizeof *c->output);
    if (__VERIFIER_nondet_int())
        goto no_output;
    c->output->size = 64;
    c->next = next;
    return c;

no_output:
no_input:
    free(c->input);
    free(c);
    return next;
}

int main(void)
{
    struct connection *all = NULL;

    while (__VERIFIER_nondet_int())
        all = open_connection(all);
    while (all != NULL) {
        struct connection *c = all;
        all = c->next;
        free(c->input);
        free(c->output);
        free(c);
    }
    return 0;
}
