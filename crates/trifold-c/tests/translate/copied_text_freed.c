// Text is copied after it was freed.
// expect: use-after-free
typedef unsigned long size_t;
void free(void *);
char *strdup(const char *);
char *strndup(const char *, size_t);

int main(void)
{
    char *text = strdup("Ada");
    free(text);
    text = strndup(text, 2);
    free(text);
    return 0;
}
