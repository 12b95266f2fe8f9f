// Text and other data in arrays, the contents of which do not matter for the links.
// expect: safe
typedef unsigned long size_t;
void *malloc(size_t);
void free(void *);
int printf(const char *, ...);
int strcmp(const char *, const char *);
char *strncpy(char *, const char *, size_t);
char *strcpy(char *, const char *);
int snprintf(char *, size_t, const char *, ...);
void reach_error(void);
int __VERIFIER_nondet_int(void);
static void check(int holds) { if (!holds) reach_error(); }

struct person { char name[32]; double height; int marks[20]; char initial[2]; struct person *next; };

static struct person *add(struct person *list, const char *name, int mark)
{
    struct person *person = malloc(sizeof *person);
    strncpy(person->name, name, sizeof person->name - 1);
    person->name[31] = 0;
    strcpy(person->initial, "x");
    for (int i = 0; i < 20; i++)
        person->marks[i] = mark;
    person->height = mark * 1.5;
    person->next = list;
    return person;
}

int main(int argc, char **argv)
{
    struct person *list = 0, copy;
    char line[100] = "start";
    static const int primes[18] = {2, 3, 5, 7};
    union { int i; unsigned char bytes[4]; } number = {5};
    int count = 0;
    list = add(list, "Ada", 1);
    list = add(list, "Grace", 2);
    list = add(list, argc > 1 ? "given" : "none", 3);
    snprintf(line, sizeof line, "%s %d", list->name, list->marks[3]);
    printf("%s %f\n", line, list->height);
    copy = *list;
    for (struct person *p = &copy; p; p = p->next)
        count++;
    number.i = primes[2];
    if (number.bytes[1] > 7)
        count += 0;
    check(count == 3 && copy.next == list->next);
    while (list) {
        struct person *next = list->next;
        if (list->height > 1.0)
            printf("%s\n", list->name);
        free(list);
        list = next;
    }
    return 0;
}
