struct list { struct list *next; };

int main(void) {
  struct list lists[2] = { { 0 }, { 0 } };
  return lists[2].next != 0;            /* there are lists[0] and lists[1] */
}
