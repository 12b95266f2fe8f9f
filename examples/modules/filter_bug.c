// A list with functions of its users: one decides what stays, one is called for each element.
//
// expect: null-dereference
// twin: filter.c
#include <stdlib.h>

struct value {
    struct value *next;
    int number;
};

struct values {
    struct value *first;
};

struct values *values_new(void) {
    struct values *values = calloc(1, sizeof *values);
    return values;
}

int values_add(struct values *values, int number) {
    struct value *value = malloc(sizeof *value);
    if (value == NULL)
        return 0;
    value->number = number;
    value->next = values->first;
    values->first = value;
    return 1;
}

void values_each(struct values *values, void (*visit)(int number)) {
    if (visit == NULL && values->first == NULL)
        return;
    for (struct value *value = values->first; value != NULL; value = value->next)
        visit(value->number);
}

void values_filter(struct values *values, int (*keep)(int number)) {
    struct value *kept = NULL;
    struct value *value = values->first;
    while (value != NULL) {
        struct value *next = value->next;
        if (keep(value->number)) {
            value->next = kept;
            kept = value;
        } else {
            free(value);
        }
        value = next;
    }
    values->first = kept;
}

void values_free(struct values *values) {
    struct value *value = values->first;
    while (value != NULL) {
        struct value *next = value->next;
        free(value);
        value = next;
    }
    free(values);
}
