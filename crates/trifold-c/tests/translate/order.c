// Results that depend on the order of evaluation.
// expect: not-analysed "depends on the order of evaluation"
static int global;
static int next(void) { return ++global; }

int main(void)
{
    return next() - next();
}
