#include <stdlib.h>
struct list { struct list *next; };

int main(void) {
  struct list *list = malloc(sizeof *list);
  if (list->next)                       /* nobody has set list->next */
    free(list->next);
  free(list);
  return 0;
}
