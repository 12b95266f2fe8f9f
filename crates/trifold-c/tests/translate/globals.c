// Globals and statics with initial values, addresses of globals, static variables of functions.
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

struct node { struct node *next; int value; };
static struct node second = {0, 2};
struct node first = {&second, 1};
struct node *head = &first;
static int table[4] = {1, 2, [3] = 4};
static const char *const text = "hello";
int counter = 40 + 2;
static int (*const getter)(void);

static int next_id(void)
{
    static int id = 10;
    static struct node *last = &first;
    last = last->next ? last->next : &first;
    return id++ + last->value;
}

int main(void)
{
    int i, sum = 0;
    check(head->value == 1 && head->next->value == 2 && head->next == &second && !head->next->next);
    check(counter == 42 && *text == 'h' && !getter);
    check(next_id() == 12 && next_id() == 12);
    for (i = 0; i < 4; i++)
        sum += table[i];
    check(sum == 7);
    table[i - 2] = 9;
    check(table[2] == 9);
    second.next = malloc(sizeof *second.next);
    head->next->next->next = 0;
    head->next->next->value = 3;
    for (head = &first; head->next; head = head->next)
        ;
    check(head->value == 3);
    free(second.next);
    second.next = 0;
    return 0;
}
