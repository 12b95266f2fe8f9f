// An index leaves an array on the heap.
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

struct slot { int value; };

int main(void)
{
    struct slot **slots = calloc(4, sizeof *slots);
    int i = __VERIFIER_nondet_int();
    if (i >= 0 && i <= 4)
        slots[i] = 0;
    free(slots);
    return 0;
}
