// Addresses of variables and members: lists changed through the place that leads to a node.
// expect: safe
typedef unsigned long size_t;
void *malloc(size_t);
void *calloc(size_t, size_t);
void free(void *);
void abort(void);
void exit(int);
void reach_error(void);
int __VERIFIER_nondet_int(void);
static void check(int holds) { if (!holds) reach_error(); }

struct node { int value; struct node *next; };

static void insert(struct node **at, int value)
{
    struct node *n = malloc(sizeof(struct node));
    while (*at && (*at)->value < value)
        at = &(*at)->next;
    n->value = value;
    n->next = *at;
    *at = n;
}

static void swap(int *a, int *b)
{
    int t = *a;
    *a = *b;
    *b = t;
}

static struct node *global;

int main(void)
{
    struct node *list = 0;
    struct node **which = __VERIFIER_nondet_int() ? &list : &global;
    struct node ***deep = &which;
    int i = 3, j = 4, last = -100;
    for (int k = 0; k < 4; k++)
        insert(**deep ? *deep : which, (k * 7) % 5);
    swap(&i, &j);
    check(i == 4 && j == 3);
    list = list ? list : global;
    global = 0;
    swap(&list->value, &i);
    check(i == 0 && list->value == 4);
    list->value = -1;
    for (struct node **p = &list; *p;) {
        struct node *n = *p;
        check(last < n->value);
        last = n->value;
        *p = n->next;
        free(n);
    }
    check(last == 4);
    return 0;
}
