// An assertion fails for some inputs.
// expect: assertion
typedef unsigned long size_t;
void *malloc(size_t);
void *calloc(size_t, size_t);
void free(void *);
void abort(void);
void exit(int);
void reach_error(void);
int __VERIFIER_nondet_int(void);
static void check(int holds) { if (!holds) reach_error(); }

int main(void)
{
    int i = __VERIFIER_nondet_int();
    if (i > 3 && i < 100)
        check(i != 7);
    return 0;
}
