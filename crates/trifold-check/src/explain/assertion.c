#include <assert.h>
#include <stdlib.h>
struct list { struct list *next; };

int main(void) {
  struct list *list = calloc(1, sizeof *list);
  assert(list->next != NULL);           /* calloc has set it to null */
  free(list);
  return 0;
}
