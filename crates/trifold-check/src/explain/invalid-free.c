#include <stdlib.h>
struct list { struct list *next; };

int main(void) {
  struct list list = { NULL };
  free(&list);                          /* list is on the stack */
  return 0;
}
