// A copy of text is lost with the element that leads to it.
// expect: leak
typedef unsigned long size_t;
void *malloc(size_t);
void free(void *);
char *strdup(const char *);

struct person { char *name; };

int main(void)
{
    struct person *person = malloc(sizeof *person);
    person->name = strdup("Ada");
    free(person);
    return 0;
}
