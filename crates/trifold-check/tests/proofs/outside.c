typedef unsigned long size_t; typedef struct _IO_FILE FILE;
void *malloc(size_t); void free(void *); void exit(int);
size_t strlen(const char *); int atoi(const char *); int strcmp(const char *, const char *); char *strdup(const char *);
int printf(const char *, ...); int fprintf(FILE *, const char *, ...); int puts(const char *);
int fputs(const char *, FILE *); int fputc(int, FILE *); int fclose(FILE *); int fflush(FILE *); FILE *fopen(const char *, const char *);
char *getenv(const char *); void perror(const char *); extern FILE *stdout, *stderr, *stdin;
int snprintf(char *, size_t, const char *, ...); char *strncpy(char *, const char *, size_t);
// == fails: an argument that is not there
int main(int argc, char **argv) { return atoi(argv[1]); }
// == proved: an argument that is there
int main(int argc, char **argv) { if (argc > 1) return atoi(argv[1]) * 0; return 0; }
// == fails: an argument after the last one
int main(int argc, char **argv) { if (argc > 0) return atoi(argv[argc]); return 0; }
// == fails: an argument that is printed
int main(int argc, char **argv) { return (int)strlen(argv[1]); }
// == fails: an argument behind another one
int main(int argc, char **argv) { if (argc >= 1) return (int)strlen(argv[2]); return 0; }
// == fails: a negative index
int main(int argc, char **argv) { return (int)strlen(argv[-2]); }
// == fails: arguments that were moved
int main(int argc, char **argv) { argv = argv + 1; return atoi(argv[0]); }
// == open: text of another file
extern char *config; int main(void) { return (int)strlen(config); }
// == fails: a stream that is none
int main(void) { FILE *log = 0; fprintf(log, "x"); return 0; }
// == fails: a stream that is none, in a global
static FILE *log_file; int main(void) { fputs("x", log_file); return 0; }
// == fails: a file that is not there
int main(void) { FILE *f = fopen("/nowhere/at/all", "r"); fclose(f); return 0; }
// == fails: a file that is closed and is not there
int main(void) { FILE *f = 0; fclose(f); return 0; }
// == fails: a file that is closed twice
int main(void) { FILE *f = fopen("/dev/null", "w"); if (!f) return 0; fclose(f); fclose(f); return 0; }
// == open: a file that is used after it was closed
int main(void) { FILE *f = fopen("/dev/null", "w"); if (!f) return 0; fclose(f); fputs("x", f); fprintf(f, "%d", 1); fflush(f); return 0; }
// == clean: a file that is there
int main(void) { FILE *f = fopen("/dev/null", "w"); if (f) { fputs("x", f); fclose(f); } return 0; }
// == proved: the streams of the C library
int main(void) { fprintf(stderr, "x"); fputs("y", stdout); fflush(stdout); fflush(0); fputc('a', stdout); return 0; }
// == fails: an environment variable that is not set
int main(void) { return (int)strlen(getenv("THIS_IS_NOT_SET")); }
// == clean: an environment variable that may be set
int main(void) { char *home = getenv("HOME"); return home ? (int)strlen(home) * 0 : 0; }
// == fails: the length of no text
int main(void) { char *p = 0; return (int)strlen(p); }
// == open: text that is freed, as a message
int main(void) { char *p = strdup("abc"); free(p); perror(p); return 0; }
// == proved: text as a message
int main(void) { char *p = strdup("abc"); perror(p); perror(0); free(p); return 0; }
// == fails: text that is freed and printed
int main(void) { char *p = strdup("abc"); free(p); printf("%s", p); return 0; }
// == fails: text that is freed, of which some is printed
int main(void) { char *p = strdup("abc"); free(p); printf("%.2s", p); return 0; }
// == open: no text, printed
int main(void) { char *p = 0; printf("%s", p); return 0; }
// == open: wide text that is none
int main(void) { char *p = strdup("abc"); free(p); printf("%S", (int *)p); return 0; }
// == open: wide text that is freed
int main(void) { int *p = malloc(sizeof *p); *p = 0; free(p); printf("%ls", p); return 0; }
// == fails: text that is null in a struct
struct s { const char *name; }; int main(void) { struct s s = { 0 }; return (int)strlen(s.name); }
// == fails: text that is compared and null
static const char *name; int main(void) { return strcmp(name, "a") == 0; }
// == fails: text that is freed and compared
int main(void) { char *p = strdup("abc"); free(p); return strcmp(p, "a") == 0; }
// == fails: text that is null and copied
int main(void) { char a[8]; const char *p = 0; strncpy(a, p, 8); return 0; }
// == fails: a stream that is a number
int main(void) { fputs("x", (FILE *)8); return 0; }
// == fails: a stream that is freed
int main(void) { FILE *f = malloc(400); free(f); fputs("x", f); return 0; }
// == open: a stream of another file
extern FILE *log_file; int main(void) { fputs("x", log_file); return 0; }
// == open: an array of another file
extern char *names[]; int main(void) { return (int)strlen(names[3]); }
// == proved-open: text of another file
extern const char version[]; int main(void) { return (int)strlen(version) * 0; }
// == open: the standard stream that is closed twice
int main(void) { fclose(stdout); fclose(stdout); return 0; }
// == open: arguments that are handed on
int use(char **argv) { return (int)strlen(argv[1]); } int main(int argc, char **argv) { return use(argv); }
// == fails: the environment
int main(int argc, char **argv, char **env) { int n = 0; return (int)strlen(env[5000]); }
