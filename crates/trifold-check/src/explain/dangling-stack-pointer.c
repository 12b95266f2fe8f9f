struct list { struct list *next; };

static struct list *make(void) {
  struct list local = { 0 };
  return &local;
}

int main(void) {
  return make()->next != 0;             /* local is gone */
}
