// Strings of any length, which end with zero: their length is counted, and they are copied.
//
// expect: invalid-dereference at 30
// twin of: string_walk.c — the end is written after the last character
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);

static int length(const char *text) {
    const char *p = text;
    while (*p != '\0')
        p++;
    return p - text;
}

static void copy(char *to, const char *from) {
    while ((*to++ = *from++) != '\0') {
    }
}

int main(void) {
    int size = __VERIFIER_nondet_int();
    if (size < 1 || size > 1000)
        return 0;
    char *text = malloc(size);
    for (int i = 0; i < size - 1; i++)
        text[i] = __VERIFIER_nondet_char();
    // BUG: one too far.
    text[size] = '\0';
    int count = length(text);
    char *other = malloc(size);
    copy(other, text);
    free(other);
    free(text);
    return count;
}
