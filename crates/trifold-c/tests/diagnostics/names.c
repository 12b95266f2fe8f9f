struct node { struct node *next; int data; };
struct hidden;
typedef int number;
int counter;
int f(struct node *list, struct hidden *h, struct node by_value)
{
    int x = list->nxet->data + list.data + by_value->data + h->x + conuter;
    number y = number + 1;
    x.y = 3;
    goto nowhere;
    undeclared_variable = 1;
    int x;
    return implicit_call(x);
}
int f(int x);
int counter = 1;
int counter = 2;
char counter;
struct node { int again; };
union node *wrong_kind;
enum node wrong_kind_too;
int twice(void) { same: same: return 0; }
int twice(void) { return 1; }
struct members { int a; struct { int a; }; };
