int a = 08, b = 0x, c = 1.5q5, d = 12u7;
int e = @;
char f = '', g = 'abcdef', *s = "\xfff";
int “quoted”;
char *open = "abc;
int after;
int h = 99999999999999999999999;
/* never closed
int i;
