// Text is read where a pointer to anything leads, which may be null.
// expect: null-dereference
typedef unsigned long size_t;
size_t strlen(const char *);
int __VERIFIER_nondet_int(void);

int main(void)
{
    void *text = 0;
    if (__VERIFIER_nondet_int())
        text = "abc";
    return strlen((const char *)text) > 3;
}
