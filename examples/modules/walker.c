// A list with an iterator that can remove the element it is at.
//
// expect: proved without sharing
#include <stdlib.h>

struct stop {
    struct stop *next;
    int number;
};

struct route {
    struct stop *stops;
};

struct walker {
    struct route *route;
    struct stop *before;
    struct stop *at;
};

struct route *route_new(void) {
    struct route *route = malloc(sizeof *route);
    if (route == NULL)
        return NULL;
    route->stops = NULL;
    return route;
}

int route_add(struct route *route, int number) {
    struct stop *stop = malloc(sizeof *stop);
    if (stop == NULL)
        return 0;
    stop->number = number;
    stop->next = route->stops;
    route->stops = stop;
    return 1;
}

void route_free(struct route *route) {
    struct stop *stop = route->stops;
    while (stop != NULL) {
        struct stop *next = stop->next;
        free(stop);
        stop = next;
    }
    free(route);
}

void walker_start(struct walker *walker, struct route *route) {
    walker->route = route;
    walker->before = NULL;
    walker->at = route->stops;
}

int walker_next(struct walker *walker) {
    if (walker->at == NULL)
        return 0;
    walker->before = walker->at;
    walker->at = walker->at->next;
    return 1;
}

void walker_remove(struct walker *walker) {
    struct stop *stop = walker->at;
    if (stop == NULL)
        return;
    if (walker->before == NULL)
        walker->route->stops = stop->next;
    else
        walker->before->next = stop->next;
    walker->at = stop->next;
    free(stop);
}
