# 1 "list.c"
# 1 "<built-in>"
# 1 "<command-line>"
# 1 "list.c"
# 1 "include/list.h" 1
struct list { struct list *next; };

extern struct list *push(struct list *, int);
# 2 "list.c" 2

int main(void)
{
    struct list *l =
# 6 "list.c" 3 4
                    ((void *)0)
# 6 "list.c"
                        ;
    l = push(l);
    return l->data;
}
