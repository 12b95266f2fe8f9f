// A character driver that keeps what is written to it in memory, in the manner of scull.
//
// expect: assertion at 474
// twin of: scull.c — a device that was emptied keeps its freed sets
#include <assert.h>
#include "trifold/checkers.h"

enum { QUANTUM_WORDS = 4, SET_QUANTA = 8, MAX_MINORS = 16 };

enum status { OK = 0, NO_MEMORY = -1, NO_DEVICE = -2, BUSY = -3, INVALID = -4, END = -5 };

enum mode { MODE_READ = 1, MODE_WRITE = 2 };

enum command { CMD_RESET, CMD_SET_QUANTUM, CMD_GET_QUANTUM, CMD_SET_SIZE, CMD_GET_SIZE, CMD_COUNT, CMD_TRIM };

// A buffer.
struct quantum {
    struct quantum *next;
    int used;
    int first;
    int second;
    int third;
    int fourth;
};

// A few buffers.
struct qset {
    struct qset *next;
    struct quantum *quanta;
    int count;
};

// A device.
struct device {
    struct device *next;
    struct qset *sets;
    int minor;
    int users;
    int quantum_size;
    int set_size;
    long length;
};

// A file that is open.
struct file {
    struct file *next;
    struct file *prev;
    int minor;
    int mode;
    long position;
};

// A request that waits for its device.
struct request {
    struct request *next;
    int minor;
    int write;
    int word;
};

TRIFOLD_LIST(quanta, struct quantum, next)
TRIFOLD_LISTS(qsets, struct qset, next, quanta, quanta)
TRIFOLD_LISTS(devices, struct device, next, sets, qsets)
TRIFOLD_DLL(files, struct file, next, prev)
TRIFOLD_CIRCULAR(requests, struct request, next)

// ---------------------------------------------------------------------------------------------------------------------
// Quanta
// ---------------------------------------------------------------------------------------------------------------------

static struct quantum *new_quantum(struct quantum *next)
{
    struct quantum *q = malloc(sizeof *q);

    q->next = next;
    q->used = 0;
    q->first = 0;
    q->second = 0;
    q->third = 0;
    q->fourth = 0;
    return q;
}

static void free_quanta(struct quantum *q)
{
    while (q != NULL) {
        struct quantum *next = q->next;
        free(q);
        q = next;
    }
}

static int quantum_get(const struct quantum *q, int offset)
{
    switch (offset) {
    case 0:
        return q->first;
    case 1:
        return q->second;
    case 2:
        return q->third;
    default:
        return q->fourth;
    }
}

static void quantum_put(struct quantum *q, int offset, int word)
{
    switch (offset) {
    case 0:
        q->first = word;
        break;
    case 1:
        q->second = word;
        break;
    case 2:
        q->third = word;
        break;
    default:
        q->fourth = word;
        break;
    }
    if (q->used <= offset)
        q->used = offset + 1;
}

// Puts a quantum after the last one.
struct quantum *quanta_append(struct quantum *first)
{
    struct quantum *last, *q;

    trifold_assume(quanta(first));
    q = new_quantum(NULL);
    if (first == NULL) {
        first = q;
    } else {
        last = first;
        while (last->next != NULL)
            last = last->next;
        last->next = q;
    }
    assert(quanta(first));
    return first;
}

// The quantum at a place; quanta that are missing on the way there are made.
struct quantum *quanta_extend(struct quantum *first, int index)
{
    struct quantum *q;

    trifold_assume(quanta(first));
    if (first == NULL)
        first = new_quantum(NULL);
    q = first;
    while (index > 0) {
        if (q->next == NULL)
            q->next = new_quantum(NULL);
        q = q->next;
        index--;
    }
    q->used = 0;
    assert(quanta(first));
    return first;
}

// Frees the quanta after a number of them.
struct quantum *quanta_truncate(struct quantum *first, int keep)
{
    struct quantum *q, *rest;

    trifold_assume(quanta(first));
    if (keep <= 0) {
        free_quanta(first);
        return NULL;
    }
    q = first;
    while (q != NULL && keep > 1) {
        q = q->next;
        keep--;
    }
    if (q != NULL) {
        rest = q->next;
        q->next = NULL;
        free_quanta(rest);
    }
    assert(quanta(first));
    return first;
}

// Frees the quanta that hold nothing.
struct quantum *quanta_compact(struct quantum *first)
{
    struct quantum *q = first, *before = NULL;

    trifold_assume(quanta(first));
    while (q != NULL) {
        struct quantum *next = q->next;
        if (q->used == 0) {
            if (before == NULL)
                first = next;
            else
                before->next = next;
            free(q);
        } else {
            before = q;
        }
        q = next;
    }
    assert(quanta(first));
    return first;
}

// A copy of quanta.
struct quantum *quanta_copy(struct quantum *first)
{
    struct quantum *result = NULL, *last = NULL, *q;

    trifold_assume(quanta(first));
    for (q = first; q != NULL; q = q->next) {
        struct quantum *copy = new_quantum(NULL);
        copy->used = q->used;
        copy->first = q->first;
        copy->second = q->second;
        copy->third = q->third;
        copy->fourth = q->fourth;
        if (last == NULL)
            result = copy;
        else
            last->next = copy;
        last = copy;
    }
    assert(quanta(first));
    assert(quanta(result));
    return result;
}

// How many words quanta hold.
int quanta_words(struct quantum *first)
{
    struct quantum *q;
    int words = 0;

    trifold_assume(quanta(first));
    for (q = first; q != NULL; q = q->next)
        words += q->used;
    assert(quanta(first));
    return words;
}

// ---------------------------------------------------------------------------------------------------------------------
// Quantum sets
// ---------------------------------------------------------------------------------------------------------------------

static struct qset *new_qset(void)
{
    struct qset *set = malloc(sizeof *set);

    set->next = NULL;
    set->quanta = NULL;
    set->count = 0;
    return set;
}

static void free_qsets(struct qset *set)
{
    while (set != NULL) {
        struct qset *next = set->next;
        free_quanta(set->quanta);
        free(set);
        set = next;
    }
}

// Sets up to a place; those that are missing are made.
struct qset *qsets_follow(struct qset *first, int index)
{
    struct qset *set;

    trifold_assume(qsets(first));
    if (first == NULL)
        first = new_qset();
    set = first;
    while (index > 0) {
        if (set->next == NULL)
            set->next = new_qset();
        set = set->next;
        index--;
    }
    set->count = 0;
    assert(qsets(first));
    return first;
}

// Puts a quantum in front of those of a set, if there is such a set.
int qsets_add_quantum(struct qset *first, int index)
{
    struct qset *set = first;

    trifold_assume(qsets(first));
    while (set != NULL && index > 0) {
        set = set->next;
        index--;
    }
    if (set == NULL)
        return NO_DEVICE;
    set->quanta = new_quantum(set->quanta);
    set->count++;
    assert(qsets(first));
    return OK;
}

// Frees the sets after a number of them.
struct qset *qsets_truncate(struct qset *first, int keep)
{
    struct qset *set, *rest;

    trifold_assume(qsets(first));
    if (keep <= 0) {
        free_qsets(first);
        return NULL;
    }
    set = first;
    while (set != NULL && keep > 1) {
        set = set->next;
        keep--;
    }
    if (set != NULL) {
        rest = set->next;
        set->next = NULL;
        free_qsets(rest);
    }
    assert(qsets(first));
    return first;
}

// Sets in the opposite order.
struct qset *qsets_reverse(struct qset *first)
{
    struct qset *result = NULL;

    trifold_assume(qsets(first));
    while (first != NULL) {
        struct qset *next = first->next;
        first->next = result;
        result = first;
        first = next;
    }
    assert(qsets(result));
    return result;
}

// How many words sets hold.
long qsets_words(struct qset *first)
{
    struct qset *set;
    long words = 0;

    trifold_assume(qsets(first));
    for (set = first; set != NULL; set = set->next) {
        struct quantum *q;
        for (q = set->quanta; q != NULL; q = q->next)
            words += q->used;
    }
    assert(qsets(first));
    return words;
}

// ---------------------------------------------------------------------------------------------------------------------
// Devices
// ---------------------------------------------------------------------------------------------------------------------

static struct device *new_device(int minor)
{
    struct device *dev = malloc(sizeof *dev);

    dev->next = NULL;
    dev->sets = NULL;
    dev->minor = minor;
    dev->users = 0;
    dev->quantum_size = QUANTUM_WORDS;
    dev->set_size = SET_QUANTA;
    dev->length = 0;
    return dev;
}

static struct device *find_device(struct device *all, int minor)
{
    while (all != NULL && all->minor != minor)
        all = all->next;
    return all;
}

// Makes the table when the driver is loaded.
struct device *driver_init(struct device *all, int count)
{
    int minor;

    trifold_assume(devices(all));
    for (minor = 0; minor < count && minor < MAX_MINORS; minor++) {
        struct device *dev = new_device(minor);
        dev->next = all;
        all = dev;
    }
    assert(devices(all));
    return all;
}

// Frees the table when the driver is removed.
void driver_cleanup(struct device *all)
{
    trifold_assume(devices(all));
    while (all != NULL) {
        struct device *next = all->next;
        free_qsets(all->sets);
        free(all);
        all = next;
    }
}

// Adds a device to the table, at its end.
struct device *driver_add(struct device *all, int minor)
{
    struct device *dev, *last;

    trifold_assume(devices(all));
    dev = new_device(minor);
    if (all == NULL) {
        all = dev;
    } else {
        last = all;
        while (last->next != NULL)
            last = last->next;
        last->next = dev;
    }
    assert(devices(all));
    return all;
}

// Removes a device that is not in use from the table.
struct device *driver_remove(struct device *all, int minor)
{
    struct device *dev = all, *before = NULL;

    trifold_assume(devices(all));
    while (dev != NULL && dev->minor != minor) {
        before = dev;
        dev = dev->next;
    }
    if (dev != NULL && dev->users == 0) {
        if (before == NULL)
            all = dev->next;
        else
            before->next = dev->next;
        free_qsets(dev->sets);
        free(dev);
    }
    assert(devices(all));
    return all;
}

// Empties a device.
int device_trim(struct device *all, int minor)
{
    struct device *dev;

    trifold_assume(devices(all));
    dev = find_device(all, minor);
    if (dev == NULL)
        return NO_DEVICE;
    free_qsets(dev->sets);
    dev->length = 0;
    dev->quantum_size = QUANTUM_WORDS;
    dev->set_size = SET_QUANTA;
    assert(devices(all));
    return OK;
}

// Opens a device. One that is opened for writing only is emptied.
int device_open(struct device *all, int minor, int mode)
{
    struct device *dev;

    trifold_assume(devices(all));
    dev = find_device(all, minor);
    if (dev == NULL)
        return NO_DEVICE;
    if (mode == MODE_WRITE) {
        if (dev->users > 0)
            return BUSY;
        free_qsets(dev->sets);
        dev->sets = NULL;
        dev->length = 0;
    }
    dev->users++;
    assert(devices(all));
    return OK;
}

// Closes a device.
int device_release(struct device *all, int minor)
{
    struct device *dev;

    trifold_assume(devices(all));
    dev = find_device(all, minor);
    if (dev == NULL)
        return NO_DEVICE;
    if (dev->users > 0)
        dev->users--;
    assert(devices(all));
    return OK;
}

// Reads a word: the set, the quantum in it, and the word in that say where.
int device_read(struct device *all, int minor, int set_index, int quantum_index, int offset)
{
    struct device *dev;
    struct qset *set;
    struct quantum *q;
    int word;

    trifold_assume(devices(all));
    if (offset < 0 || offset >= QUANTUM_WORDS)
        return INVALID;
    dev = find_device(all, minor);
    if (dev == NULL)
        return NO_DEVICE;
    set = dev->sets;
    while (set != NULL && set_index > 0) {
        set = set->next;
        set_index--;
    }
    if (set == NULL)
        return END;
    q = set->quanta;
    while (q != NULL && quantum_index > 0) {
        q = q->next;
        quantum_index--;
    }
    if (q == NULL || offset >= q->used)
        return END;
    word = quantum_get(q, offset);
    assert(devices(all));
    return word;
}

// Writes a word; sets and quanta that are missing on the way there are made.
int device_write(struct device *all, int minor, int set_index, int quantum_index, int offset, int word)
{
    struct device *dev;
    struct qset *set;
    struct quantum *q;

    trifold_assume(devices(all));
    if (offset < 0 || offset >= QUANTUM_WORDS)
        return INVALID;
    dev = find_device(all, minor);
    if (dev == NULL)
        return NO_DEVICE;
    if (dev->sets == NULL)
        dev->sets = new_qset();
    set = dev->sets;
    while (set_index > 0) {
        if (set->next == NULL)
            set->next = new_qset();
        set = set->next;
        set_index--;
    }
    if (set->quanta == NULL) {
        set->quanta = new_quantum(NULL);
        set->count++;
    }
    q = set->quanta;
    while (quantum_index > 0) {
        if (q->next == NULL) {
            q->next = new_quantum(NULL);
            set->count++;
        }
        q = q->next;
        quantum_index--;
    }
    quantum_put(q, offset, word);
    dev->length++;
    assert(devices(all));
    return OK;
}

// Sets and asks for parameters of a device.
int device_control(struct device *all, int minor, int command, int argument)
{
    struct device *dev;
    struct qset *set;
    int result = OK;

    trifold_assume(devices(all));
    dev = find_device(all, minor);
    if (dev == NULL)
        return NO_DEVICE;
    switch (command) {
    case CMD_RESET:
        dev->quantum_size = QUANTUM_WORDS;
        dev->set_size = SET_QUANTA;
        break;
    case CMD_SET_QUANTUM:
        dev->quantum_size = argument;
        break;
    case CMD_GET_QUANTUM:
        result = dev->quantum_size;
        break;
    case CMD_SET_SIZE:
        dev->set_size = argument;
        break;
    case CMD_GET_SIZE:
        result = dev->set_size;
        break;
    case CMD_COUNT:
        for (set = dev->sets; set != NULL; set = set->next)
            result++;
        break;
    case CMD_TRIM:
        free_qsets(dev->sets);
        dev->sets = NULL;
        dev->length = 0;
        break;
    default:
        result = INVALID;
        break;
    }
    assert(devices(all));
    return result;
}

// Moves the contents of one device to another one, which must be empty.
int device_move(struct device *all, int from, int to)
{
    struct device *source, *target;

    trifold_assume(devices(all));
    source = find_device(all, from);
    if (source == NULL)
        return NO_DEVICE;
    target = source->next;
    while (target != NULL && target->minor != to)
        target = target->next;
    if (target == NULL)
        return NO_DEVICE;
    if (target->sets != NULL)
        return BUSY;
    target->sets = source->sets;
    target->length = source->length;
    source->sets = NULL;
    source->length = 0;
    assert(devices(all));
    return OK;
}

// Empties all devices that are not in use.
void driver_shrink(struct device *all)
{
    struct device *dev;

    trifold_assume(devices(all));
    for (dev = all; dev != NULL; dev = dev->next) {
        if (dev->users == 0) {
            free_qsets(dev->sets);
            dev->sets = NULL;
            dev->length = 0;
        }
    }
    assert(devices(all));
}

// ---------------------------------------------------------------------------------------------------------------------
// Files
// ---------------------------------------------------------------------------------------------------------------------

// A new file that is open comes first.
struct file *file_open(struct file *open, int minor, int mode)
{
    struct file *f;

    trifold_assume(files(open, NULL));
    f = malloc(sizeof *f);
    f->minor = minor;
    f->mode = mode;
    f->position = 0;
    f->prev = NULL;
    f->next = open;
    if (open != NULL)
        open->prev = f;
    assert(files(f, NULL));
    return f;
}

// Closes the first file of a device.
struct file *file_close(struct file *open, int minor)
{
    struct file *f = open;

    trifold_assume(files(open, NULL));
    while (f != NULL && f->minor != minor)
        f = f->next;
    if (f != NULL) {
        if (f->prev == NULL)
            open = f->next;
        else
            f->prev->next = f->next;
        if (f->next != NULL)
            f->next->prev = f->prev;
        free(f);
    }
    assert(files(open, NULL));
    return open;
}

// Moves the position of a file.
int file_seek(struct file *open, int minor, long offset, int whence)
{
    struct file *f = open;

    trifold_assume(files(open, NULL));
    while (f != NULL && f->minor != minor)
        f = f->next;
    if (f == NULL)
        return NO_DEVICE;
    switch (whence) {
    case 0:
        f->position = offset;
        break;
    case 1:
        f->position += offset;
        break;
    default:
        return INVALID;
    }
    if (f->position < 0)
        f->position = 0;
    assert(files(open, NULL));
    return OK;
}

// Closes all files.
void files_close(struct file *open)
{
    trifold_assume(files(open, NULL));
    while (open != NULL) {
        struct file *next = open->next;
        free(open);
        open = next;
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Requests
// ---------------------------------------------------------------------------------------------------------------------

// Puts a request at the end of the queue, which is held by its last element.
struct request *request_put(struct request *last, int minor, int write, int word)
{
    struct request *r;

    trifold_assume(requests(last));
    r = malloc(sizeof *r);
    r->minor = minor;
    r->write = write;
    r->word = word;
    if (last == NULL) {
        r->next = r;
    } else {
        r->next = last->next;
        last->next = r;
    }
    assert(requests(r));
    return r;
}

// Takes the first request off the queue.
struct request *request_take(struct request *last, int *word)
{
    struct request *first;

    trifold_assume(requests(last));
    if (last == NULL)
        return NULL;
    first = last->next;
    if (first == last)
        last = NULL;
    else
        last->next = first->next;
    free(first);
    assert(requests(last));
    return last;
}

// How many requests wait for a device.
int requests_waiting(struct request *last, int minor)
{
    struct request *r;
    int count = 0;

    trifold_assume(requests(last));
    if (last == NULL)
        return 0;
    r = last;
    do {
        if (r->minor == minor)
            count++;
        r = r->next;
    } while (r != last);
    assert(requests(last));
    return count;
}

// Drops all requests.
void requests_drop(struct request *last)
{
    struct request *r;

    trifold_assume(requests(last));
    if (last == NULL)
        return;
    r = last->next;
    while (r != last) {
        struct request *next = r->next;
        free(r);
        r = next;
    }
    free(last);
}
