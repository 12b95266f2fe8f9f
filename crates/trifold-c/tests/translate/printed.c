// A name is printed after its element was freed.
// expect: use-after-free
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

struct person { char name[32]; struct person *next; };

int main(void)
{
    struct person *p = malloc(sizeof *p);
    strcpy(p->name, "Ada");
    free(p);
    printf("%s\n", p->name);
    return 0;
}
