// A pool of buffers: those that are given back are used again, and all are freed with the pool.
//
// expect: double-free
// twin: pool.c
#include <stdlib.h>

struct buffer {
    struct buffer *next;
    unsigned used;
};

struct pool {
    struct buffer *idle;
    struct buffer *busy;
};

struct pool *pool_create(void) {
    return calloc(1, sizeof(struct pool));
}

int pool_acquire(struct pool *pool) {
    struct buffer *b = pool->idle;
    if (b != NULL) {
        pool->idle = b->next;
    } else {
        b = malloc(sizeof *b);
        if (b == NULL)
            return -1;
    }
    b->used = 0;
    b->next = pool->busy;
    pool->busy = b;
    return 0;
}

void pool_release(struct pool *pool) {
    struct buffer *b = pool->busy;
    if (b == NULL)
        return;
    pool->busy = b->next;
    b->next = pool->idle;
    pool->idle = b;
}

void pool_trim(struct pool *pool) {
    while (pool->idle != NULL) {
        struct buffer *b = pool->idle;
        pool->idle = b->next;
        free(b);
        if (pool->idle == NULL)
            free(b);
    }
}

void pool_destroy(struct pool *pool) {
    if (pool == NULL)
        return;
    pool_trim(pool);
    while (pool->busy != NULL) {
        struct buffer *b = pool->busy;
        pool->busy = b->next;
        free(b);
    }
    free(pool);
}
