#include <stdlib.h>
struct list { struct list *next; };

int main(void) {
  struct list *list = calloc(1, sizeof *list);
  list->next = calloc(1, sizeof *list);
  free(list);                           /* nothing leads to list->next now */
  return 0;
}
