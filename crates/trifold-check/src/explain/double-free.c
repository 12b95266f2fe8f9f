#include <stdlib.h>
struct list { struct list *next; };

int main(void) {
  struct list *list = calloc(1, sizeof *list), *same = list;
  free(list);
  free(same);                           /* for the second time */
  return 0;
}
