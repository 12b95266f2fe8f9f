// An array whose length is known when it comes to life, and a table of fixed length that functions get the address of.
//
// expect: invalid-dereference at 10
// twin of: variable_array.c — the last element is after the end
extern int __VERIFIER_nondet_int(void);

static int sum(const int *numbers, int length) {
    int all = 0;
    for (int i = 0; i < length; i++)
        all += numbers[i];
    return all;
}

static int reversed(const int *numbers, int length) {
    int copy[length];
    for (int i = 0; i < length; i++)
        copy[i] = numbers[length - 1 - i];
    return sum(copy, length);
}

int main(void) {
    int table[50];
    for (int i = 0; i < 50; i++)
        table[i] = i;
    int length = __VERIFIER_nondet_int();
    if (length < 1 || length > 50)
        return 0;
    int all = reversed(table, length);
    // BUG: there are 40 from there.
    return all + sum(table + 10, 41);
}
