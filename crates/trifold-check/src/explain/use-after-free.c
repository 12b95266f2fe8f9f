#include <stdlib.h>
struct list { struct list *next; };

int main(void) {
  struct list *list = calloc(1, sizeof *list);
  free(list);
  return list->next != NULL;            /* list has been freed */
}
