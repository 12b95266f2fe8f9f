// A graph with lists of edges: a vertex is removed together with the edges that lead to it.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct vertex {
    int mark;
    struct edge *out;
    struct vertex *next;
};

struct edge {
    struct vertex *to;
    struct edge *next;
};

static struct vertex *add_vertex(struct vertex *graph)
{
    struct vertex *v = calloc(1, sizeof *v);

    v->next = graph;
    return v;
}

static void connect(struct vertex *from, struct vertex *to)
{
    struct edge *e = malloc(sizeof *e);

    e->to = to;
    e->next = from->out;
    from->out = e;
}

static void disconnect(struct vertex *from, const struct vertex *to)
{
    struct edge **link = &from->out;

    while (*link != NULL) {
        struct edge *e = *link;
        if (e->to == to) {
            *link = e->next;
            free(e);
        } else {
            link = &e->next;
        }
    }
}

static struct vertex *remove_first(struct vertex *graph)
{
    struct vertex *rest = graph->next;
    struct vertex *v;

    for (v = graph; v != NULL; v = v->next)
        disconnect(v, graph);
    while (graph->out != NULL) {
        struct edge *e = graph->out;
        graph->out = e->next;
        free(e);
    }
    free(graph);
    return rest;
}

int main(void)
{
    struct vertex *graph = NULL;
    struct vertex *v, *w;

    while (__VERIFIER_nondet_int())
        graph = add_vertex(graph);
    for (v = graph; v != NULL; v = v->next)
        for (w = graph; w != NULL; w = w->next)
            if (__VERIFIER_nondet_int())
                connect(v, w);

    while (graph != NULL) {
        for (v = graph; v != NULL; v = v->next) {
            struct edge *e;
            for (e = v->out; e != NULL; e = e->next)
                e->to->mark = 1;
        }
        graph = remove_first(graph);
    }
    return 0;
}
