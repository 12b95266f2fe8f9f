// Circular doubly linked lists of links that are embedded in objects, as in operating systems.
//
// expect: proved
#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct list_head {
    struct list_head *next, *prev;
};

#define list_entry(link, type, member) ((type *)((char *)(link) - offsetof(type, member)))
#define list_for_each(pos, head) for (pos = (head)->next; pos != (head); pos = pos->next)
#define list_for_each_safe(pos, ahead, head) \
    for (pos = (head)->next, ahead = pos->next; pos != (head); pos = ahead, ahead = pos->next)

static void list_init(struct list_head *head)
{
    head->next = head;
    head->prev = head;
}

static void list_add_tail(struct list_head *fresh, struct list_head *head)
{
    fresh->next = head;
    fresh->prev = head->prev;
    head->prev->next = fresh;
    head->prev = fresh;
}

static void list_del(struct list_head *entry)
{
    entry->next->prev = entry->prev;
    entry->prev->next = entry->next;
}

struct process {
    int id;
    int running;
    struct list_head siblings;
};

static void reap(struct process *p)
{
    list_del(&p->siblings);
    free(p);
}

int main(void)
{
    struct list_head processes;
    struct list_head *pos, *ahead;
    int id = 0;

    list_init(&processes);
    while (__VERIFIER_nondet_int()) {
        struct process *p = malloc(sizeof *p);
        p->id = ++id;
        p->running = __VERIFIER_nondet_int();
        list_add_tail(&p->siblings, &processes);
    }

    list_for_each(pos, &processes)
        if (list_entry(pos, struct process, siblings)->id == 3)
            list_entry(pos, struct process, siblings)->running = 0;
    list_for_each_safe(pos, ahead, &processes)
        if (!list_entry(pos, struct process, siblings)->running)
            reap(list_entry(pos, struct process, siblings));
    list_for_each_safe(pos, ahead, &processes)
        reap(list_entry(pos, struct process, siblings));
    return 0;
}
