typedef unsigned long size_t; void *malloc(size_t); void free(void *);
struct n { struct n *next; int v; }; struct ops { int (*get)(struct n *); };
// == open: a function of an exported table
static int get(struct n *p) { return p->next->v; }
struct ops my_ops = { get };
// == proved-open: a correct function of an exported table
static int get(struct n *p) { return p ? p->v : 0; }
struct ops my_ops = { get };
// == open: a function of a constant table
static int get(struct n *p) { return p->next->v; }
const struct ops my_ops = { .get = get };
// == open: a function of a table in a static variable that is handed out
static int get(struct n *p) { return p->next->v; }
static struct ops my_ops = { get };
struct ops *ops(void) { return &my_ops; }
// == open: a function that is returned
static int get(struct n *p) { return p->next->v; }
int (*getter(void))(struct n *) { return get; }
// == open: a function that is handed to one that is defined elsewhere
void register_getter(int (*)(struct n *));
static int get(struct n *p) { return p->next->v; }
void init(void) { register_getter(get); }
// == open: a function that is stored where callers find it
static int get(struct n *p) { return p->next->v; }
void set(struct ops *o) { if (o) o->get = get; }
// == open: a function that is stored in a global variable
int (*hook)(struct n *);
static int get(struct n *p) { return p->next->v; }
void set(void) { hook = get; }
// == open: a function that nobody calls
static int get(struct n *p) { return p->next->v; }
int other(void) { return 0; }
// == open: a function that only another unreachable one calls
static int get(struct n *p) { return p->next->v; }
static int get_twice(struct n *p) { return get(p) + get(p); }
int other(void) { return 0; }
// == proved-open: a function that is called
static int get(struct n *p) { return p ? p->v : 0; }
int other(struct n *p) { return get(p); }
// == open: a function that is kept for the linker
__attribute__((used)) static int get(struct n *p) { return p->next->v; }
int other(void) { return 0; }
// == open: an inline function that other files call
extern inline int get(struct n *p) { return p->next->v; }
int other(void) { return 0; }
