#include <stdlib.h>
struct list { struct list *next; };

int main(void) {
  struct list *first = rand() ? calloc(1, sizeof *first) : NULL;
  struct list *second = first->next;    /* first may be null */
  free(first);
  return second != NULL;
}
