// Loops, switches that fall through, jumps, break and continue.
// expect: safe
typedef unsigned long size_t;
void *malloc(size_t);
void *calloc(size_t, size_t);
void free(void *);
void abort(void);
void exit(int);
void reach_error(void);
int __VERIFIER_nondet_int(void);
static void check(int holds) { if (!holds) reach_error(); }

static int classify(int n)
{
    int r = 0;
    switch (n) {
    case 0:
        r += 1;
    case 1:
    case 2:
        r += 10;
        break;
    case 3 ... 5:
        return 7;
    default:
        r = -1;
        break;
    }
    return r;
}

static int skips(int n)
{
    int i, sum = 0;
    for (i = 0;; i++) {
        if (i % 2)
            continue;
        if (i > n)
            break;
        sum += i;
    }
    do {
        sum++;
        if (sum > 100)
            goto out;
    } while (sum % 10);
again:
    if (sum < 25) {
        sum += 3;
        goto again;
    }
out:
    return sum;
}

int main(void)
{
    int i = 0;
    check(classify(0) == 11 && classify(2) == 10 && classify(4) == 7 && classify(-3) == -1);
    check(skips(4) == 25);
    check(skips(20) == 111);
    while (1) {
        switch (i++) {
        case 3:
            goto done;
        default:
            continue;
        }
    }
done:
    check(i == 4);
    for (; i--;)
        ;
    check(i == -1);
    if (i > 0)
        check(0);
    else if (i == -1)
        i = 5;
    else
        check(0);
    check(i == 5);
    return 0;
}
