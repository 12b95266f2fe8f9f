//! Sizes, alignments and offsets of random structs and unions, with bit-fields, packing and alignments.

use crate::{Random, printed, seeds};
use std::fmt::Write;
use trifold_c::{Program, Type};
use trifold_examples::tools::c_compiler;

const RECORDS: u64 = 400;

const INTEGERS: [(&str, u64); 9] = [
    ("char", 8),
    ("unsigned char", 8),
    ("short", 16),
    ("int", 32),
    ("unsigned", 32),
    ("long", 64),
    ("unsigned long long", 64),
    ("_Bool", 1),
    ("enum e", 32),
];

const OTHERS: [&str; 6] = ["char *m", "char m[3]", "int m[2]", "double m", "struct { char a; short b; } m", "float m"];

/// A member, and its name unless it is a bit-field.
fn member(random: &mut Random, number: usize) -> (String, Option<String>) {
    let name = format!("m{number}");
    let attribute = match random.below(14) {
        0 => " __attribute__((aligned(8)))",
        1 => " __attribute__((packed))",
        2 => " __attribute__((aligned(16)))",
        3 => " __attribute__((aligned(2)))",
        _ => "",
    };
    let (ty, bits) = INTEGERS[random.below(INTEGERS.len() as u64) as usize];
    match random.below(8) {
        0..=2 => (format!("{ty} {name} : {}{attribute};", 1 + random.below(bits)), None),
        3 => (format!("{ty} : 0;"), None),
        4 => (format!("{ty} : {};", 1 + random.below(bits)), None),
        5 | 6 => (format!("{ty} {name}{attribute};"), Some(name)),
        _ => (format!("{}{attribute};", random.one_of(&OTHERS).replacen('m', &name, 1)), Some(name)),
    }
}

/// The declarations of all structs, and the names of their members.
fn records(seed: u64) -> (String, Vec<Vec<String>>) {
    let mut random = Random::new(seed);
    let mut text = "enum e { A, B };\n".to_string();
    let mut names = Vec::new();
    for number in 0..RECORDS {
        let kind = if random.below(6) == 0 { "union" } else { "struct" };
        let attribute = match random.below(8) {
            0 => " __attribute__((packed))",
            1 => " __attribute__((aligned(16)))",
            2 => " __attribute__((packed, aligned(4)))",
            _ => "",
        };
        // A struct without named members would be an extension of its own.
        let mut members = vec![("char first;".to_string(), Some("first".to_string()))];
        members.extend((0..1 + random.below(6)).map(|index| member(&mut random, index as usize)));
        let list: Vec<&str> = members.iter().map(|(text, _)| text.as_str()).collect();
        writeln!(text, "{kind} s{number} {{ {} }}{attribute}; {kind} s{number} v{number};", list.join(" ")).unwrap();
        names.push(members.into_iter().filter_map(|(_, name)| name).collect());
    }
    (text, names)
}

fn of_trifold(program: &Program, number: u64, names: &[String]) -> String {
    let variable = format!("v{number}");
    let named =
        |declaration: &&trifold_c::Declaration| declaration.name.is_some_and(|name| program.text(name) == variable);
    let ty = program.declarations.iter().find(named).expect("it is declared").ty;
    let Type::Record(id) = program.types.get(ty) else { panic!("a struct") };
    let members = program.types.record(*id).members.as_deref().expect("it is complete");
    let mut shown = format!("{} {}", program.types.size(ty).unwrap(), program.types.align(ty));
    for name in names {
        let member = members.iter().find(|member| member.name.is_some_and(|symbol| program.text(symbol) == name));
        write!(shown, " {}", member.expect("a member").offset).unwrap();
    }
    shown
}

#[test]
fn records_are_laid_out_as_compiled() {
    let Some(compiler) = c_compiler() else { return };
    seeds().for_each(|seed| compare_records(compiler, seed));
}

fn compare_records(compiler: &str, seed: u64) {
    let (text, names) = records(seed);
    let mut main = String::new();
    for (number, members) in names.iter().enumerate() {
        let kind = if text.contains(&format!("union s{number} {{")) { "union" } else { "struct" };
        let offsets: Vec<String> =
            members.iter().map(|name| format!("(unsigned long)&(({kind} s{number} *)0)->{name}")).collect();
        let holes = " %lu".repeat(members.len());
        let offsets = offsets.join(", ");
        writeln!(main, "printf(\"%lu %lu{holes}\\n\", sizeof v{number}, _Alignof({kind} s{number}), {offsets});")
            .unwrap();
    }
    let whole = format!("int printf(const char *, ...);\n{text}int main(void) {{\n{main}return 0; }}\n");
    let lines = printed(compiler, &whole);
    let loaded = trifold_c::load("layouts.c", &text).unwrap_or_else(|failure| panic!("{}", failure.render(false)));
    let declared: Vec<&str> = text.lines().skip(1).collect();
    let mut wrong = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let ours = of_trifold(&loaded.program, number as u64, &names[number]);
        if ours != *line {
            wrong.push(format!("{}\n  compiled: {line}\n  here:     {ours}", declared[number]));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), lines.len(), wrong.join("\n"));
}
