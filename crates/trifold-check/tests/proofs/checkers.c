typedef unsigned long size_t; void *malloc(size_t); void free(void *); int zero(void); int one(void); void reach_error(void);
void abort(void); struct cell { struct cell *next; }; struct queue { struct cell *first, *last; };
// == open: a predicate that is no checker is assumed
static int cells(struct cell *from, struct cell *before, struct cell *last) {
    if (!from) return before == last;
    return cells(from->next, from, last);
}
static int queue(struct queue *q) { return q && q->first && cells(q->first, 0, q->last); }
void f(struct queue *q) { if (!(queue(q))) abort(); reach_error(); }
// == open: a predicate with a loop is assumed
static int list(struct cell *l) { int n = 0; while (l) { l = l->next; n++; } return n > 2; }
void f(struct cell *l) { if (!(list(l))) abort(); reach_error(); }
// == open: a predicate on two arguments that share
static int within(struct cell *a, struct cell *b) { if (!a) return 0; return a == b || within(a->next, b); }
void f(struct cell *a, struct cell *b) { if (!(within(a, b))) abort(); reach_error(); }
// == open: a checker is assumed
static int list(struct cell *l) { if (!l) return 1; return list(l->next); }
void f(struct cell *l) { if (!(list(l))) abort(); reach_error(); }
// == proved-open: a checker is assumed, and the list walked
static int list(struct cell *l) { if (!l) return 1; return list(l->next); }
void f(struct cell *l) { if (!(list(l))) abort(); while (l) l = l->next; }
// == open: a checker asserted on a cycle
static int list(struct cell *l) { if (!l) return 1; return list(l->next); }
void f(int c) { struct cell *a = malloc(sizeof *a); a->next = c == 77 ? a : 0; if (!list(a)) reach_error(); free(a); }
// == open: a walk around a cycle before an error
static int list(struct cell *l) { if (!l) return 1; return list(l->next); }
void assert(int);
void f(int c) { struct cell *a = malloc(sizeof *a); a->next = c == 77 ? a : 0; assert(list(a)); free(a); }
// == proved-open: a checker asserted on a list
static int list(struct cell *l) { if (!l) return 1; return list(l->next); }
void assert(int);
void f(int c) { struct cell *a = malloc(sizeof *a); a->next = 0; assert(list(a)); free(a); }
// == open: a predicate that is no checker is assumed by a function that is called
static int cells(struct cell *from, struct cell *before, struct cell *last) {
    if (!from) return before == last;
    return cells(from->next, from, last);
}
static void need(struct queue *q) { if (!(q && q->first && cells(q->first, 0, q->last))) abort(); }
void f(struct queue *q) { need(q); reach_error(); }
// == fails: a predicate that is no checker holds of the memory that a program has
static int cells(struct cell *from, struct cell *before, struct cell *last) {
    if (!from) return before == last;
    return cells(from->next, from, last);
}
int main(void) {
    struct cell a = { 0 }; struct queue q = { &a, &a };
    if (!cells(q.first, 0, q.last)) abort();
    reach_error(); return 0;
}
