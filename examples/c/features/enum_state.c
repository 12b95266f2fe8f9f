// A machine with states: a record is open in one of them, and only there.
//
// expect: proved
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

enum state { IDLE, INSIDE, FINISHED };

struct record {
    int fields;
    struct record *next;
};

int main(void)
{
    enum state state = IDLE;
    struct record *records = NULL;
    struct record *open = NULL;

    while (state != FINISHED) {
        int input = __VERIFIER_nondet_int();
        switch (state) {
        case IDLE:
            if (input == 0) {
                state = FINISHED;
            } else {
                open = malloc(sizeof *open);
                open->fields = 0;
                state = INSIDE;
            }
            break;
        case INSIDE:
            if (input == 0) {
                open->next = records;
                records = open;
                open = NULL;
                state = IDLE;
            } else {
                open->fields = input;
            }
            break;
        case FINISHED:
            break;
        }
    }
    while (records != NULL) {
        struct record *r = records;
        records = r->next;
        free(r);
    }
    return 0;
}
