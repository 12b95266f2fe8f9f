void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void free(void *);
void assert(int); void abort(void); void exit(int); int printf(const char *, ...);
typedef unsigned long size_t; typedef unsigned long uintptr_t;
// A list of lists: rows of cells, built and freed.
//
// expect: leak at 40
// twin of: rows.c — the cells of a row are not freed

extern int __VERIFIER_nondet_int(void);

struct cell {
    int value;
    struct cell *next;
};

struct row {
    struct cell *cells;
    struct row *next;
};

int main(void)
{
    struct row *table = 0;
    struct row *r;

    while (__VERIFIER_nondet_int()) {
        r = malloc(sizeof *r);
        r->cells = 0;
        r->next = table;
        table = r;
        while (__VERIFIER_nondet_int()) {
            struct cell *c = malloc(sizeof *c);
            c->value = __VERIFIER_nondet_int();
            r->cells = c;
        }
    }

    while (table != 0) {
        r = table;
        table = r->next;
        free(r);
    }
    return 0;
}