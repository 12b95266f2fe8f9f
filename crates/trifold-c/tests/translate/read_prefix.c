// The length of a word at the beginning of text is asked for, which may be null.
// expect: null-dereference
typedef unsigned long size_t;
size_t strcspn(const char *, const char *);
int __VERIFIER_nondet_int(void);

int main(void)
{
    const char *text = 0;
    if (__VERIFIER_nondet_int())
        text = "two words";
    return strcspn(text, " ") > 3;
}
