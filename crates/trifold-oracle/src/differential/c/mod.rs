//! C: programs are compiled together with the sanitizers, and each runs in a process of its own.
//!
//! Names that other programs could see are written with a dollar sign in the generators, `$node`, which becomes the
//! name of the program.

mod examples;
mod heap;
mod machine;
mod memory;
mod proofs;
mod records;
mod values;

use super::random::Random;
use super::{Job, Language, Trace};
use trifold_c::{Stmt, StmtKind, TranslateOptions};
use trifold_check::Source;
use trifold_ir::Program;

/// The language, with its compilers.
pub struct C {
    /// The first of them says what fails.
    pub compilers: Vec<Compiler>,
}

/// A compiler and how far it optimises.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compiler {
    /// The command, such as `cc`.
    pub command: String,
    /// Its option, such as `-O0`.
    pub level: &'static str,
}

impl Default for C {
    fn default() -> C {
        let command = std::env::var("CC").unwrap_or("cc".to_string());
        C { compilers: vec![Compiler { command, level: "-O0" }] }
    }
}

impl C {
    /// The compiler of the system, `clang` where it is installed, both without and with optimisation.
    pub fn with_all_compilers() -> C {
        let mut commands = vec![C::default().compilers[0].command.clone()];
        commands.extend(machine::is_installed("clang").then(|| "clang".to_string()));
        let of = |command: &String| ["-O0", "-O2"].map(|level| Compiler { command: command.clone(), level });
        C { compilers: commands.iter().flat_map(of).collect() }
    }
}

/// The beginning of all programs: functions of the library, and those that note values.
const PREAMBLE: &str = r#"int printf(const char *, ...);
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void free(void *);
void *memcpy(void *, const void *, unsigned long);
void *memset(void *, int, unsigned long);
unsigned long strlen(const char *);
int strcmp(const char *, const char *);
void _Exit(int);
int rand(void);
int __VERIFIER_nondet_int(void);
static void $note_char(char value) { printf("char %d\n", value); }
static void $note_uchar(unsigned char value) { printf("uchar %d\n", value); }
static void $note_short(short value) { printf("short %d\n", value); }
static void $note_ushort(unsigned short value) { printf("ushort %d\n", value); }
static void $note_int(int value) { printf("int %d\n", value); }
static void $note_uint(unsigned value) { printf("uint %u\n", value); }
static void $note_long(long value) { printf("long %ld\n", value); }
static void $note_ulong(unsigned long value) { printf("ulong %lu\n", value); }
static void $note_bool(_Bool value) { printf("bool %d\n", value); }
static void $note_float(float value) { printf("float %.17g\n", (double)value); }
static void $note_double(double value) { printf("double %.17g\n", value); }
static int $fuel = 100;
static int $burn(void) { return --$fuel >= 0; }
static int $say(int value) { $note_int(value); return value; }
"#;

impl Language for C {
    fn name(&self) -> &'static str {
        "C"
    }

    fn leaks(&self) -> bool {
        true
    }

    fn write(&self, seed: u64, name: &str) -> String {
        let mut random = Random::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
        let rest = match random.below(25) {
            0..=4 => heap::program(random),
            5..=10 => values::program(random),
            11..=16 => records::program(random),
            17 => proofs::sizes(&mut random),
            18 => proofs::order(&mut random),
            20..=22 => memory::walks(&mut random),
            23 => memory::unions(&mut random),
            _ => proofs::lifetimes(&mut random),
        };
        format!("{PREAMBLE}{rest}").replace('$', &format!("{name}_"))
    }

    fn adapt(&self, original: &str, name: &str) -> String {
        format!("{PREAMBLE}{}", examples::adapt(original)).replace('$', &format!("{name}_"))
    }

    fn note(&self, place: &str) -> String {
        examples::note(place)
    }

    fn types(&self) -> &'static [&'static str] {
        &["int", "unsigned", "long", "short", "char", "_Bool"]
    }

    fn load(&self, text: &str) -> Result<Program, String> {
        let loaded = match trifold_c::load("test.c", text) {
            Ok(loaded) => loaded.program,
            Err(failure) => {
                return Err(failure.errors().next().map_or_else(String::new, |error| error.message.clone()));
            }
        };
        // A function that is not understood has only this to say.
        for function in &loaded.functions {
            if let [Stmt { kind: StmtKind::NotUnderstood(why), .. }] = &function.body.statements[..] {
                return Err(why.clone());
            }
        }
        Ok(trifold_c::translate(&loaded, &TranslateOptions::default()).program)
    }

    fn source(&self, text: &str) -> Source {
        Source::new("test.c", text)
    }

    fn compilers(&self) -> usize {
        self.compilers.len()
    }

    fn run(&self, compiler: usize, jobs: &[Job]) -> Result<Vec<Trace>, String> {
        machine::run(&self.compilers[compiler], jobs)
    }
}
