// A loop goes one element too far.
// expect: invalid-dereference
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

static int squares[40];

int main(void)
{
    for (int i = 0; i <= 40; i++)
        squares[i] = i * i;
    return 0;
}
