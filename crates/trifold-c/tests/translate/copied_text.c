// Text is copied to the heap: by a pointer, from an array of a struct, from a string, as a whole and in part.
// expect: safe
typedef unsigned long size_t;
void *malloc(size_t);
void free(void *);
int printf(const char *, ...);
char *strcpy(char *, const char *);
char *strdup(const char *);
char *strndup(const char *, size_t);
int __VERIFIER_nondet_int(void);

struct person { char nick[8]; char *name; struct person *next; };

static struct person *add(struct person *list, const char *name)
{
    struct person *person = malloc(sizeof *person);
    person->name = strdup(name);
    strcpy(person->nick, "x");
    person->next = list;
    return person;
}

int main(void)
{
    struct person *list = add(add(0, "Ada"), "Grace");
    void *last = list;
    char *part = strndup(list->name, 2);
    while (__VERIFIER_nondet_int() > 0)
        list = add(list, ((struct person *)last)->name);
    free(part);
    while (list) {
        struct person *next = list->next;
        char *copy = strdup(list->nick);
        printf("%s %s\n", list->name, copy);
        free(copy);
        free(list->name);
        free(list);
        list = next;
    }
    return 0;
}
