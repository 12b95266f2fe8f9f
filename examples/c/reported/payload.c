// A list of any data, appended to by walking and freed by recursion. A leak was reported where there is none.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct element {
    void *payload;
    struct element *next;
};

struct chain {
    struct element *head;
};

static struct chain *new_chain(void)
{
    return calloc(1, sizeof(struct chain));
}

static void attach(struct chain *chain, struct element *e)
{
    struct element *last = chain->head;

    if (last == NULL) {
        chain->head = e;
        return;
    }
    while (last->next != NULL)
        last = last->next;
    last->next = e;
}

static struct element *add(struct chain *chain, void *payload)
{
    struct element *e = calloc(1, sizeof *e);

    if (e == NULL)
        return NULL;
    e->payload = payload;
    attach(chain, e);
    return e;
}

static void free_elements(struct element *e)
{
    if (e != NULL) {
        free_elements(e->next);
        free(e);
    }
}

static void free_chain(struct chain *chain)
{
    free_elements(chain->head);
    free(chain);
}

int main(void)
{
    int number = 7;
    struct chain *chain = new_chain();

    if (chain == NULL)
        return 1;
    do {
        if (add(chain, &number) == NULL || __VERIFIER_nondet_int() < 0) {
            free_chain(chain);
            return 1;
        }
    } while (__VERIFIER_nondet_int());
    free_chain(chain);
    return 0;
}
