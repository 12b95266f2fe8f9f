// Functions that get the address of a member: of a link, or of a counter in an object on the heap.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct file {
    int size;
    struct file *next;
};

struct folder {
    struct file *files;
    int count;
};

static void increment(int *counter)
{
    if (*counter < 1000)
        ++*counter;
}

static void add(struct file **files, int *count, int size)
{
    struct file *f = malloc(sizeof *f);

    f->size = size;
    f->next = *files;
    *files = f;
    increment(count);
}

static void insert_behind(struct file *f, int *count)
{
    add(&f->next, count, f->size);
}

int main(void)
{
    struct folder *folder = malloc(sizeof *folder);
    int full;

    folder->files = NULL;
    folder->count = 0;
    while (__VERIFIER_nondet_int()) {
        if (folder->files != NULL && __VERIFIER_nondet_int())
            insert_behind(folder->files, &folder->count);
        else
            add(&folder->files, &folder->count, __VERIFIER_nondet_int());
    }
    while (folder->files != NULL) {
        struct file *f = folder->files;
        folder->files = f->next;
        free(f);
    }
    full = folder->count > 100;
    free(folder);
    return full;
}
