// An index leaves its array.
// expect: invalid-dereference
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
    int a[4] = {0}, i = __VERIFIER_nondet_int();
    if (i < 0 || i > 4)
        return 0;
    a[i] = 1;
    return 0;
}
