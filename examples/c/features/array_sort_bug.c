// Sorts an array of any length by insertion; then a pointer walks over it.
//
// expect: invalid-dereference at 12
// twin of: array_sort.c — there is no element before the first
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static void sort(int *numbers, int length) {
    for (int i = 1; i < length; i++) {
        int number = numbers[i], j = i;
        while (numbers[j - 1] > number) {
            numbers[j] = numbers[j - 1];
            j--;
        }
        numbers[j] = number;
    }
}

int main(void) {
    int length = __VERIFIER_nondet_int();
    if (length < 1 || length > 100000)
        return 0;
    int *numbers = malloc(length * sizeof(int));
    for (int i = 0; i < length; i++)
        numbers[i] = __VERIFIER_nondet_int();
    sort(numbers, length);
    int sum = 0;
    for (int *p = numbers; p != numbers + length; p++)
        sum ^= *p;
    free(numbers);
    return sum;
}
