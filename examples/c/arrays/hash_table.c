// A hash table: an array of 64 buckets, each with a chain of entries.
//
// expect: proved
#include <stdlib.h>

#define BUCKETS 64

extern int __VERIFIER_nondet_int(void);

struct entry {
    unsigned key;
    int value;
    struct entry *next;
};

static struct entry *buckets[BUCKETS];

static unsigned hash(unsigned key)
{
    return key * 2654435761u;
}

static struct entry *find(unsigned key)
{
    struct entry *e = buckets[hash(key) % BUCKETS];

    while (e != NULL && e->key != key)
        e = e->next;
    return e;
}

static void put(unsigned key, int value)
{
    struct entry *e = find(key);

    if (e == NULL) {
        unsigned h = hash(key) % BUCKETS;

        e = malloc(sizeof *e);
        e->key = key;
        e->next = buckets[h];
        buckets[h] = e;
    }
    e->value = value;
}

static void drop(unsigned key)
{
    unsigned h = hash(key) % BUCKETS;
    struct entry *e = buckets[h];
    struct entry *before = NULL;

    while (e != NULL && e->key != key) {
        before = e;
        e = e->next;
    }
    if (e == NULL)
        return;
    if (before == NULL)
        buckets[h] = e->next;
    else
        before->next = e->next;
    free(e);
}

static void drop_all(void)
{
    for (int i = 0; i < BUCKETS; i++) {
        while (buckets[i] != NULL) {
            struct entry *e = buckets[i];

            buckets[i] = e->next;
            free(e);
        }
    }
}

int main(void)
{
    int command;

    while ((command = __VERIFIER_nondet_int()) != 0) {
        unsigned key = (unsigned)__VERIFIER_nondet_int();

        if (command > 0)
            put(key, command);
        else
            drop(key);
    }
    drop_all();
    return 0;
}
