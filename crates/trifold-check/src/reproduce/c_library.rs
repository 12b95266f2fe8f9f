//! Definitions, in a driver, of the functions by which a C program gets its input, and says what must hold.
//!
//! They are defined under names of their own, with the symbol of the function, so that they agree with any declaration
//! of it in the program. For example, `long long trifold_rand(void) __asm__("rand")` is `rand`.

use std::fmt::Write;

/// What a function does in a driver.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// The next choice is its result.
    Integer,
    Double,
    Float,
    /// `scanf`.
    Scan,
    /// The run counts only if the argument is not zero.
    Assume,
    /// The argument must not be zero.
    Assert,
    /// It must not be called.
    Fail,
    Nothing,
}

/// Functions of the library that are input. All others whose names begin with [`NONDET`] are numbers.
const SYSTEM: [(&str, Part); 7] = [
    ("rand", Part::Integer),
    ("random", Part::Integer),
    ("getchar", Part::Integer),
    ("scanf", Part::Scan),
    ("__isoc99_scanf", Part::Scan),
    ("__isoc23_scanf", Part::Scan),
    ("assert", Part::Assert),
];

const NONDET: &str = "__VERIFIER_nondet_";

/// Functions with which programs are written to be verified.
const VERIFIER: [(&str, Part); 13] = [
    ("__VERIFIER_nondet_double", Part::Double),
    ("__VERIFIER_nondet_float", Part::Float),
    ("__VERIFIER_assume", Part::Assume),
    ("__VERIFIER_assert", Part::Assert),
    ("__VERIFIER_error", Part::Fail),
    ("reach_error", Part::Fail),
    ("___sl_error", Part::Fail),
    ("__VERIFIER_atomic_begin", Part::Nothing),
    ("__VERIFIER_atomic_end", Part::Nothing),
    ("__VERIFIER_plot", Part::Nothing),
    ("___sl_break", Part::Nothing),
    ("___sl_plot_trace_now", Part::Nothing),
    ("___sl_plot_trace_once", Part::Nothing),
];

fn part(name: &str) -> Option<Part> {
    let known = SYSTEM.iter().chain(&VERIFIER).find(|(known, _)| *known == name);
    known.map(|(_, part)| *part).or_else(|| name.starts_with(NONDET).then_some(Part::Integer))
}

/// Is a function input of the programs that call it, by agreement, even if they define it?
pub(super) fn is_agreed_input(name: &str) -> bool {
    name.starts_with(NONDET)
}

/// The definition of a function, if it has a part in drivers.
pub(super) fn definition(name: &str) -> Option<String> {
    let mut text = String::new();
    let mut define = |result: &str, parameters: &str, body: &str| {
        let _ = writeln!(text, "{result} trifold_{name}({parameters}) __asm__(\"{name}\");");
        let _ = writeln!(text, "{result} trifold_{name}({parameters})\n{{\n{body}}}\n");
    };
    match part(name)? {
        Part::Integer => define("long long", "void", "    return trifold_choose();\n"),
        Part::Double => define("double", "void", "    return trifold_double(trifold_choose());\n"),
        Part::Float => define("float", "void", "    return trifold_float(trifold_choose());\n"),
        Part::Scan => define("int", "const char *format, ...", SCAN),
        Part::Assume => define(
            "void",
            "int condition",
            "    if (!condition)\n        trifold_leave(\"an assumption does not hold\");\n",
        ),
        Part::Assert => define("void", "int condition", "    if (!condition)\n        trifold_fail();\n"),
        Part::Fail => define("void", "void", "    trifold_fail();\n"),
        Part::Nothing => define("void", "void", ""),
    }
    Some(text)
}

/// First how many numbers are read, then these.
const SCAN: &str = r#"    long long count = trifold_choose();
    __builtin_va_list arguments;
    int read = 0;
    __builtin_va_start(arguments, format);
    for (; *format && read < count; format++) {
        int size = sizeof(int);
        if (*format != '%' || *++format == '%')
            continue;
        for (; *format && __builtin_strchr("hlzjt0123456789", *format); format++)
            size = *format == 'h' ? size / 2 : __builtin_strchr("lzjt", *format) ? (int)sizeof(long) : size;
        long long number = trifold_choose();
        __builtin_memcpy(__builtin_va_arg(arguments, void *), &number, size);
        read++;
    }
    __builtin_va_end(arguments);
    return (int)count;
"#;

/// What all drivers begin with, after the program and the choices.
pub(super) const PRELUDE: &str = r#"static unsigned long trifold_made;

long trifold_write(int, const void *, unsigned long) __asm__("write");
void trifold_exit(int) __asm__("_exit");
void trifold_abort(void) __asm__("abort");
int __lsan_do_recoverable_leak_check(void);
void __asan_set_death_callback(void (*)(void));

/* Overwrites what calls that have returned left on the stack, where it would look like a reference. */
static __attribute__((noinline, no_sanitize("address", "undefined"))) void trifold_scrub(void)
{
    volatile char waste[1 << 16];
    for (unsigned long i = 0; i < sizeof waste; i++)
        waste[i] = 0;
}

/* A leak counts even if the program then fails otherwise. If its stack has overflowed, this runs on a small one. */
static void trifold_leaks(void)
{
    __lsan_do_recoverable_leak_check();
}

static void trifold_say(const char *text)
{
    trifold_write(2, text, __builtin_strlen(text));
}

/* This is not the run that was to be shown. */
static void trifold_leave(const char *why)
{
    /* It counts as well if the program goes on after the run that was to be shown. */
    if (TRIFOLD_LEAK) {
        trifold_scrub();
        trifold_leaks();
    }
    trifold_say("trifold: the run left the witness: ");
    trifold_say(why);
    trifold_say("\n");
    trifold_exit(125);
}

static __attribute__((unused)) void trifold_fail(void)
{
    trifold_say("trifold: Assertion failed\n");
    trifold_abort();
}

static __attribute__((unused)) long long trifold_choose(void)
{
    if (trifold_made == sizeof trifold_choices / sizeof *trifold_choices - 1)
        trifold_leave("it asks for more input");
    return trifold_choices[trifold_made++];
}

static __attribute__((unused)) double trifold_double(long long bits)
{
    double number;
    __builtin_memcpy(&number, &bits, sizeof number);
    return number;
}

static __attribute__((unused)) float trifold_float(long long bits)
{
    int low = (int)bits;
    float number;
    __builtin_memcpy(&number, &low, sizeof number);
    return number;
}

/* The value of a number of 8 bytes, for an integer or a float; there is none for a pointer. */
#define TRIFOLD_BITS(place, bits) \
    (sizeof(char[1 - 2 * (__builtin_classify_type(place) == 5)]), \
     _Generic((place), double: trifold_double(bits), float: trifold_float(bits), default: (bits)))

"#;

/// Allocators that return null where the run chose it.
pub(super) const ALLOCATORS: [(&str, &str); 2] = [
    (
        "malloc",
        "void *trifold_malloc(unsigned long size)
{
    return trifold_choose_failure() ? 0 : __builtin_malloc(size);
}
",
    ),
    (
        "calloc",
        "void *trifold_calloc(unsigned long count, unsigned long size)
{
    return trifold_choose_failure() ? 0 : __builtin_calloc(count, size);
}
",
    ),
];
