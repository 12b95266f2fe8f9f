struct list { struct list *next; };

int main(void) {
  struct list one = { 0 };
  struct list *list = (struct list *)((long)&one | 1);   /* arithmetic on addresses */
  return list->next != 0;
}
