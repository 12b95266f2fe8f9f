//! Drivers in C: a file that includes the program, and calls it.
//!
//! For example, for a leak in `main`:
//!
//! ```c
//! #define main trifold_main
//! #include "list.c"
//! #undef main
//! static const long long trifold_choices[] = { 1, 0, 0 };
//! long long trifold_rand(void) __asm__("rand");
//! long long trifold_rand(void) { return trifold_choose(); }
//! int main(void) { trifold_main(); trifold_scrub(); return 0; }
//! ```
//!
//! What the sanitizers must be told stands in the driver, so that it fails however it is started. Memory without a
//! value has a pattern that is no address, or zeros if the run read zeros there. Leaks are looked for in the end, or
//! where the choices end, after the stack below has been overwritten.

use super::c_heap::Heap;
use super::c_library::{ALLOCATORS, PRELUDE, definition, is_agreed_input};
use super::c_number::number;
use super::{MARK, Setting, Task};
use crate::confirm::Call;
use crate::options::Language;
use crate::reproducer::{Command, Reproducer};
use crate::source::{Function, Translated};
use std::collections::BTreeSet;
use std::fmt::Write;
use trifold_ir::{Asked, Condition, FindingKind, MadeChoice, ProcId, Program, Statement, Type};

/// The header with checkers, where the compiler finds it.
const CHECKERS: &str = "trifold/checkers.h";

pub(super) fn reproducer(task: &Task<'_>, name: &str) -> Result<Reproducer, String> {
    let driver = Driver::new(task)?;
    let (compile, run) = commands(task.setting, name, driver.filling);
    let mut files = vec![(format!("{name}.c"), driver.text(&[&compile, &run])?)];
    // The preprocessor leaves the names of the headers that it read.
    if task.translated.sources.files().iter().any(|file| file.text.contains(CHECKERS)) {
        files.push((CHECKERS.to_string(), format!("/* {MARK}. */\n{}", trifold_heap_sl::HEADER)));
    }
    let program = &task.translated.program;
    let checkers =
        trifold_heap_sl::checkers(program).into_iter().map(|checker| program[checker].name.clone()).collect();
    let (kind, language, is_shared) = (task.finding.kind, Language::C, task.incident.is_shared);
    Ok(Reproducer { kind, language, files, compile: vec![compile], run, checkers, is_shared })
}

/// The values of memory without a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Filling {
    /// The run reads none.
    Any,
    /// Zeros.
    Zeros,
    /// Bytes that make no address.
    Pattern,
}

fn commands(setting: &Setting, name: &str, filling: Filling) -> (Command, Command) {
    let Setting { directory, compiler, flags, is_32_bit } = setting;
    let mut words = compiler.clone();
    let fixed = ["-g", "-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    words.extend(fixed.map(String::from));
    match filling {
        Filling::Any => {}
        Filling::Zeros => words.push("-ftrivial-auto-var-init=zero".to_string()),
        Filling::Pattern => words.push("-ftrivial-auto-var-init=pattern".to_string()),
    }
    if *is_32_bit {
        words.push("-m32".to_string());
    }
    words.extend(["-iquote", "."].map(String::from));
    words.extend(flags.iter().cloned());
    words.extend(["-idirafter".to_string(), directory.clone()]);
    let program = format!("{directory}/{name}");
    let program =
        if program.contains("..") || program.starts_with(['/', '.']) { program } else { format!("./{program}") };
    words.extend(["-o".to_string(), program.clone(), format!("{directory}/{name}.c")]);
    (Command::new(words), Command::new([program]))
}

struct Driver<'a> {
    task: &'a Task<'a>,
    program: &'a Program,
    /// All words of the program.
    words: BTreeSet<&'a str>,
    filling: Filling,
}

impl<'a> Driver<'a> {
    fn new(task: &'a Task<'a>) -> Result<Driver<'a>, String> {
        let Translated { program, sources, .. } = task.translated;
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let words = sources.files().iter().flat_map(|file| file.text.split(move |c| !is_word(c)));
        let mut driver = Driver { task, program, words: words.collect(), filling: Filling::Any };
        driver.filling = driver.filling()?;
        driver.refuse_ways()?;
        Ok(driver)
    }

    fn function_of(&self, procedure: ProcId) -> Option<&'a Function> {
        let Translated { functions, client, .. } = self.task.translated;
        let of_clients = client.iter().flat_map(|client| &client.functions);
        functions.iter().chain(of_clients).find(|function| function.procedures.contains(&procedure))
    }

    /// The filling with which memory without a value has the values of the run.
    fn filling(&self) -> Result<Filling, String> {
        let made_up = self.task.account.call.as_ref().map_or(0, |call| call.state.objects.len());
        let is_unset = |choice: &&MadeChoice| match choice.asked {
            Asked::Field(object, _) => object.index() >= made_up,
            Asked::Variable(_) => true,
            _ => false,
        };
        let unset: Vec<i128> = self.task.made().filter(is_unset).map(|choice| choice.value).collect();
        let other = unset.iter().find(|value| **value != 0);
        match (self.task.finding.kind, unset.is_empty(), other) {
            (FindingKind::UninitialisedPointer, ..) => Ok(Filling::Pattern),
            (_, true, _) => Ok(Filling::Any),
            (_, false, None) => Ok(Filling::Zeros),
            (_, false, Some(value)) => Err(format!("the run takes {value} for memory that has no value")),
        }
    }

    /// No real allocator need give the same memory out twice. A comparison that fails is not decided by chance.
    fn refuse_ways(&self) -> Result<(), String> {
        let end = self.task.incident.visit;
        for choice in self.task.made().filter(|choice| choice.visit < end) {
            let is_equal = match choice.asked {
                Asked::Way(edge) => match &self.program[choice.procedure].edges[edge].statement {
                    Statement::Assume(Condition::Pointers { equal, .. }) => *equal,
                    _ => return Err("the run takes one of several ways by chance".to_string()),
                },
                Asked::Outcome(holds) => holds,
                Asked::Callee(_) => return Err("the run calls one of several functions by chance".to_string()),
                _ => false,
            };
            if is_equal {
                return Err("in the run new memory has the address of memory that was freed".to_string());
            }
        }
        Ok(())
    }

    fn text(&self, commands: &[&Command]) -> Result<String, String> {
        let path = &self.task.translated.files[0];
        if path.contains(['"', '\n', '\\']) {
            return Err("the name of the file cannot be included".to_string());
        }
        let mut text = format!("/* {MARK}.\n *\n * {}\n *\n", comment(&self.task.headline()));
        for command in commands {
            let _ = writeln!(text, " *     {}", comment(&command.to_string()));
        }
        text += " */\n";
        let failures = self.failures()?;
        let replaced: Vec<&str> = if failures.is_empty() { vec!["main"] } else { vec!["main", "malloc", "calloc"] };
        text.extend(replaced.iter().map(|name| format!("#define {name} trifold_{name}\n")));
        let _ = writeln!(text, "#include \"{path}\"");
        text.extend(replaced.iter().map(|name| format!("#undef {name}\n")));
        let _ = writeln!(text, "\n{}", numbers("choices", &self.inputs()?));
        let _ = writeln!(text, "#define TRIFOLD_LEAK {}\n", i32::from(self.task.finding.kind == FindingKind::Leak));
        text += PRELUDE;
        text += &self.options();
        text += &allocators(&failures);
        for name in &self.words {
            if !self.defines(name) {
                text += &definition(name).unwrap_or_default();
            }
        }
        text += &match (&self.task.account.call, self.client()) {
            (Some(call), _) => self.call(call)?,
            (None, Some(client)) => client,
            (None, None) => self.main(),
        };
        Ok(text)
    }

    fn defines(&self, name: &str) -> bool {
        self.task.translated.functions.iter().any(|function| function.name == name)
    }

    /// What the sanitizers are told.
    fn options(&self) -> String {
        let leaks = i32::from(self.task.finding.kind == FindingKind::Leak);
        let byte = if self.filling == Filling::Zeros { 0 } else { 0xbe };
        format!(
            "const char *__asan_default_options(void)\n{{\n    return \"detect_leaks={leaks}:handle_abort={leaks}\"\n           \
             \":detect_stack_use_after_return=1:max_malloc_fill_size=1048576:malloc_fill_byte={byte}\";\n}}\n\n\
             const char *__ubsan_default_options(void)\n{{\n    return \"print_stacktrace=1\";\n}}\n\n"
        )
    }

    /// The input of the program, in order.
    fn inputs(&self) -> Result<Vec<i128>, String> {
        let inputs: Vec<&MadeChoice> = self.of_functions(Asked::Input).collect();
        match self.words.iter().find(|word| is_agreed_input(word) && self.defines(word)) {
            Some(defined) if !inputs.is_empty() => {
                Err(format!("the program defines `{defined}` itself, of which Trifold takes any result"))
            }
            _ => Ok(inputs.into_iter().map(|choice| choice.value).collect()),
        }
    }

    /// Which allocations fail, in order: 1 stands for those that do.
    fn failures(&self) -> Result<Vec<i128>, String> {
        let failures: Vec<i128> = self.of_functions(Asked::Allocation).map(|choice| choice.value).collect();
        let others = ["strdup", "strndup", "kmalloc", "kzalloc"];
        match others.iter().find(|other| self.words.contains(*other)) {
            Some(other) if failures.contains(&1) => Err(format!("allocations fail, and there is `{other}`")),
            _ if failures.contains(&1) => Ok(failures),
            _ => Ok(Vec::new()),
        }
    }

    fn of_functions(&self, asked: Asked) -> impl Iterator<Item = &'a MadeChoice> {
        let is_own = move |choice: &&MadeChoice| choice.asked == asked && self.function_of(choice.procedure).is_some();
        self.task.made().filter(is_own)
    }

    /// A call of `main`. What is chosen before it begins is the number of its arguments.
    fn main(&self) -> String {
        let is_argument =
            |choice: &&MadeChoice| choice.asked == Asked::Input && self.function_of(choice.procedure).is_none();
        let mut arguments = self.task.made().filter(is_argument).map(|choice| number(choice.value));
        let main = self.task.translated.functions.iter().find(|function| function.name == "main");
        let parameters = main.and_then(|main| main.procedures.first()).map(|main| &self.program[*main].parameters);
        let argument = |parameter: &trifold_ir::VarId| match self.program[*parameter].ty {
            Type::Pointer(_) => "0".to_string(),
            Type::Scalar(_) => arguments.next().unwrap_or("0".to_string()),
        };
        let arguments: Vec<String> = parameters.into_iter().flatten().map(argument).collect();
        start("", "", &format!("trifold_main({})", arguments.join(", ")))
    }

    /// A client of the module, if the run is one of it, and its call.
    fn client(&self) -> Option<String> {
        let code = self.task.translated.client.as_ref()?;
        let start_of_run = self.task.account.start?;
        let function = code.functions.iter().find(|function| function.procedures.contains(&start_of_run))?;
        let thens: String = code.clients.starts.iter().map(|start| start.then_text.as_str()).collect();
        let text = format!("#include <stdlib.h>\n\n{}\n{thens}\n", code.clients.text);
        Some(text + &start("", "", &format!("{}()", function.name)))
    }

    /// A call of a function that the program does not call.
    fn call(&self, call: &Call) -> Result<String, String> {
        let function = self.function_of(call.procedure).ok_or("the function has no name")?;
        let heap = Heap::new(self.task, function, call);
        let (made, arguments) = heap.arguments()?;
        let returns_pointer =
            self.program[call.procedure].result.is_some_and(|result| self.program[result].ty.is_pointer());
        let keep = if returns_pointer { "trifold_result = " } else { "" };
        let make = "    trifold_make();\n    trifold_scrub();\n";
        // Its caller would have the result, so that it is no leak.
        let kept = "static const volatile void *trifold_result;\n\n";
        Ok(made + kept + &start(make, keep, &format!("{}({})", function.name, arguments.join(", "))))
    }
}

/// The entry of a driver, which makes the arguments of a call, and keeps its result.
fn start(make: &str, keep: &str, call: &str) -> String {
    let watch = "    if (TRIFOLD_LEAK)\n        __asan_set_death_callback(trifold_leaks);\n";
    format!("int main(void)\n{{\n{watch}{make}    {keep}{call};\n    trifold_scrub();\n    return 0;\n}}\n")
}

fn allocators(failures: &[i128]) -> String {
    if failures.is_empty() {
        return String::new();
    }
    let choose = "static unsigned long trifold_allocated;

static int trifold_choose_failure(void)
{
    int is_last = trifold_allocated == sizeof trifold_failures / sizeof *trifold_failures - 1;
    return is_last ? 0 : (int)trifold_failures[trifold_allocated++];
}

";
    let defined: String = ALLOCATORS.iter().map(|(_, definition)| format!("{definition}\n")).collect();
    format!("{}\n{choose}{defined}", numbers("failures", failures))
}

/// A table of numbers, which ends with a zero that is not one of them.
fn numbers(name: &str, values: &[i128]) -> String {
    let values: Vec<String> = values.iter().map(|value| number(*value) + ", ").collect();
    format!("static const long long trifold_{name}[] = {{ {}0 }};\n", values.concat())
}

/// Text that cannot end the comment in which it stands.
fn comment(text: &str) -> String {
    trifold_source::printable_line(text).replace("*/", "* /")
}
