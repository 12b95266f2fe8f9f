// Strings are copied to the heap and freed; their contents are never asked for, so that the machine goes the same way.
// expect: safe
typedef unsigned long size_t;
void *malloc(size_t);
void free(void *);
char *strdup(const char *);
char *strndup(const char *, size_t);
int __VERIFIER_nondet_int(void);

struct person { char *name; struct person *next; };

int main(void)
{
    struct person *list = 0;
    while (__VERIFIER_nondet_int() > 0) {
        struct person *person = malloc(sizeof *person);
        person->name = __VERIFIER_nondet_int() ? strdup("Ada") : strndup("Grace", 2);
        person->next = list;
        list = person;
    }
    while (list) {
        struct person *next = list->next;
        free(list->name);
        free(list);
        list = next;
    }
    return 0;
}
