// A call that sets the members of what it allocates can stand beside the same members of other objects.
// expect: safe
typedef unsigned long size_t;
void *malloc(size_t);
void free(void *);
void reach_error(void);
static void check(int holds) { if (!holds) reach_error(); }

struct node { struct node *next; int value; };

static struct node *make(int value)
{
    struct node *made = malloc(sizeof *made);
    made->next = 0;
    made->value = value;
    return made;
}

static struct node *pair(int value)
{
    struct node *first = make(value), *second = 0;
    second = make(value + 1);
    first->next = second;
    return first;
}

int main(void)
{
    struct node *list = make(1);
    list->next = make(2);
    list->next->next = pair(3);
    check(list->next->next->next->value == 4);
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
