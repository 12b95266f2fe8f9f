struct pair { int a, b; };
main(void)
{
    struct pair p = { 1, 2, 3 };
    char s[2] = "abc";
    int *x = malloc(sizeof(int));
    free(x);
    undeclared(1, 2.0f);
    static y = 1;
    return;
}
void returns(void) { return 1; }
