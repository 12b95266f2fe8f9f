// Parameters that are declared not to be NULL: a call with NULL is an error, also where the function would not mind.
//
// expect: null-dereference

struct node {
    struct node *next;
    int value;
};

static int sum(int start, struct node *list, const char *name) __attribute__((nonnull(2)));

static int sum(int start, struct node *list, const char *name)
{
    for (; list != 0; list = list->next)
        start += list->value;
    return name ? start : -start;
}

__attribute__((__nonnull__)) static int same(const struct node *a, int factor, const struct node *b)
{
    return a == b ? factor : 0;
}

static int first(int values[static 1])
{
    return values ? values[0] : 0;
}

int nondet(void);

int main(void)
{
    struct node one = { 0, 1 };
    int value = 7;
    // These are as they are declared.
    int total = sum(1, &one, 0) + same(&one, 2, &one) + first(&value);
    if (nondet())
        total += first(0);
    struct node *list = nondet() ? &one : 0;
    if (nondet())
        return sum(total, list, "list");
    return same(list, 1, &one);
}
