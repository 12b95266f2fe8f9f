typedef unsigned long size_t; void *malloc(size_t); void free(void *); int zero(void); int one(void);
struct s { int i; struct s *next; };
// == fails: a literal in the condition of an `if`
int main(void) { struct s *p; if ((p = &(struct s){ 1 })->i) { } return p->i; }
// == proved: a literal in the condition of an `if`, used within it
int main(void) { struct s *p; if ((p = &(struct s){ 1 })->i) { return p->i - 1; } return 0; }
// == proved: a literal that lives as long as its block
int main(void) { struct s *p = &(struct s){ 0 }; return p->i; }
// == fails: a literal in the condition of a `while`
int main(void) { struct s *p; while ((p = &(struct s){ 0 })->i) { } return p->i; }
// == fails: a literal in the value of a `switch`
int main(void) { struct s *p; switch ((p = &(struct s){ 1 })->i) { case 1: break; } return p->i; }
// == fails: a literal in the condition of a `do`
int main(void) { struct s *p; do { } while ((p = &(struct s){ 0 })->i); return p->i; }
// == fails: a literal in the body of an `if`
int main(void) { struct s *p; if (one()) p = &(struct s){ 1 }; return p->i; }
// == fails: a literal in the body of a loop
int main(void) { struct s *p = 0; for (int i = 0; i < 2; i++) p = &(struct s){ i }; return p->i; }
// == fails: a literal in the head of a `for`
int main(void) { struct s *p; for (p = &(struct s){ 1 }; p->i; p->i = 0) { } return p->i; }
// == fails: a literal of an inner block
int main(void) { struct s *p; { p = &(struct s){ 1 }; } return p->i; }
// == fails: a literal of an expression with statements
int main(void) { struct s *p = ({ &(struct s){ 1 }; }); return p->i; }
// == fails: a literal of a function that has returned
static struct s *make(void) { return &(struct s){ 1 }; } int main(void) { return make()->i; }
// == fails: two literals are two objects
int main(void) {
    struct s *last = 0, *p; int n = 0;
again:
    p = &(struct s){ n, last }; last = p; if (n++ < 1) goto again;
    int *z = 0; if (p->next == p) return *z; return *z;
}
// == fails: a literal of an earlier round
int main(void) { struct s *p = 0; for (int i = 0; i < 2; i++) { if (p) return p->i; p = &(struct s){ 1 }; } return 0; }
// == fails: a jump past an initialiser
int main(void) { int *q = 0; goto in; { int *p; p = &(int){ 0 }; in: return *q; } }
// == fails: a case past an initialiser
int main(void) { switch (one()) { int *p = &(int){ 0 }; case 1: p = 0; return *p; } return 0; }
// == fails: a case past a variable
int main(void) { int n = 0, *q = &n; switch (one()) { case 0: { int v; q = &v; break; } case 1: q = 0; } return *q; }
// == fails: a variable of a block that has been left by a jump
int main(void) { int *p; { int v = 0; p = &v; goto out; } out: return *p; }
// == fails: a variable of a block that has been left by a break
int main(void) { int *p = 0; while (1) { int v = 0; p = &v; break; } return *p; }
// == fails: a variable of a block that has been left by a continue
int main(void) { int *p = 0; for (int i = 0; i < 2; i++) { if (p) return *p; int v = 0; p = &v; continue; } return 0; }
// == fails: the variable of a `for`
int main(void) { int *p; for (int i = 0; i < 1; i++) p = &i; return *p; }
// == fails: a variable of a case that is left
int main(void) { int *p = 0; switch (one()) { case 1: { int v = 0; p = &v; } } return *p; }
// == fails: a jump back before a variable
int main(void) { int *p = 0; again: if (p) return *p; { int v = 0; p = &v; goto again; } }
// == proved: a jump back before a variable of the same block
int main(void) { int n = 0; again: if (n) return 0; n = 1; goto again; }
