//! Rows against declarations: how many parameters there are, whether they are numbers or pointers, what can be written.

use super::super::row::{FREED, Header, NUMBER, Returned, Role, Row, Size};
use super::super::{find, named, rows};
use crate::typed::{Declaration, DeclarationKind, Program};
use crate::types::{Qualifiers, TypeId};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const NONE: [String; 0] = [];

/// Where a declaration says something else than a row, also about what can be written.
fn disagreements(row: &Row, program: &Program, declaration: &Declaration) -> Vec<String> {
    let mut found = super::super::agreement::disagreements(row, program, declaration);
    let function = program.types.callee(declaration.ty);
    let types = function.iter().flat_map(|function| &function.parameters);
    for (parameter, ty) in row.parameters.iter().zip(types) {
        if is_constant(program, *ty).is_some_and(|is| must_be_constant(parameter.role).is_some_and(|must| is != must)) {
            found.push(format!("{:?} is `{}`", parameter.role, program.show(*ty)));
        }
    }
    found
}

fn is_constant(program: &Program, ty: TypeId) -> Option<bool> {
    let to = program.types.pointee(ty)?;
    Some(program.types.qualifiers(to).contains(Qualifiers::CONST))
}

/// Does a parameter point to something constant? What C passes by reference because it is an array cannot be constant.
fn must_be_constant(role: Role) -> Option<bool> {
    match role {
        Role::Text | Role::TextAtMost(_) | Role::PrintFormat | Role::ScanFormat => Some(true),
        Role::Read(size) if size != Size::Object => Some(true),
        Role::Written(_) | Role::Freed | Role::Resized | Role::Stream | Role::Closed => Some(false),
        _ => None,
    }
}

/// The functions that a program declares.
fn functions(program: &Program) -> impl Iterator<Item = (&str, &Declaration)> {
    let declared = program.declarations.iter();
    let declared = declared.filter(|declaration| matches!(declaration.kind, DeclarationKind::Function { .. }));
    declared.filter_map(|declaration| Some((program.text(declaration.name?), declaration)))
}

fn load(path: &str, text: &str) -> Program {
    match crate::load(path, text) {
        Ok(loaded) => loaded.program,
        Err(failure) => panic!("{}", failure.render(false)),
    }
}

/// The compiler, if it is there.
pub(super) fn compiler() -> Option<String> {
    let compiler = std::env::var("CC").unwrap_or("cc".to_string());
    let runs = Command::new(&compiler).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    runs.is_ok_and(|status| status.success()).then_some(compiler)
}

/// A header of the GNU C library with its extensions, preprocessed; other libraries declare less.
fn preprocessed(compiler: &str, header: &str, further: &str) -> Option<String> {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("header.c");
    let text = format!("#include <{header}>\n#ifndef __GLIBC__\nOTHER_LIBRARY\n#endif\n{further}\n");
    std::fs::write(&file, text).unwrap();
    let output = Command::new(compiler).args(["-E", "-D_GNU_SOURCE"]).arg(&file).output().unwrap();
    assert!(output.status.success(), "{header}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (!text.contains("OTHER_LIBRARY")).then_some(text)
}

#[test]
fn headers_of_the_system_agree() {
    let Some(compiler) = compiler() else {
        eprintln!("SKIPPED: there is no C compiler, so the table was compared with no header");
        return;
    };
    let headers: BTreeSet<&str> = rows().filter_map(|row| system_header(row.header)).collect();
    let mut judged = 0;
    for header in headers {
        let macros = rows().filter(|row| row.header == Header::Macro(header));
        let is_macro = |row: &Row| format!("#ifndef {0}\n#error {0} is no macro\n#endif\n", row.name);
        let macros: Vec<String> = macros.map(is_macro).collect();
        let Some(text) = preprocessed(&compiler, header, &macros.concat()) else {
            eprintln!("SKIPPED: this is not the GNU C library");
            return;
        };
        let program = load(header, &text);
        for row in rows().filter(|row| row.header == Header::System(header)) {
            judged += 1;
            judge_by_header(row, &program, header);
        }
    }
    assert!(judged > 40, "only {judged} rows were judged");
}

pub(super) fn system_header(header: Header) -> Option<&'static str> {
    match header {
        Header::System(name) | Header::Macro(name) => Some(name),
        _ => None,
    }
}

fn judge_by_header(row: &Row, program: &Program, header: &str) {
    if let Some(family) = row.name.strip_suffix('*') {
        let members = functions(program).filter(|(name, _)| name.starts_with(family)).count();
        assert!(members > 1, "{header} has no functions `{}`", row.name);
        return;
    }
    let declaration = functions(program).find(|(name, _)| *name == row.name).map(|(_, declaration)| declaration);
    let declaration = declaration.unwrap_or_else(|| panic!("{header} does not declare `{}`", row.name));
    assert_eq!(disagreements(row, program, declaration), NONE, "`{}` of {header}", row.name);
    assert_eq!(declaration.noreturn, row.result == Returned::Never, "does `{}` return?", row.name);
}

/// What GNU C has built in is declared in `prelude.h`, under names of its own.
#[test]
fn the_prelude_agrees() {
    let program = load("none.c", "");
    let mut judged = BTreeSet::new();
    for (name, declaration) in functions(&program) {
        let Some(row) = find(name) else { continue };
        assert_eq!(disagreements(row, &program, declaration), NONE, "`{name}`");
        assert_eq!(declaration.noreturn, row.result == Returned::Never, "does `{name}` return?");
        judged.insert(row.name);
    }
    for row in rows().filter(|row| row.header == Header::BuiltIn) {
        assert!(judged.contains(row.name), "prelude.h does not declare `{}`", row.name);
    }
    assert!(judged.len() > 30, "only {judged:?} were judged");
}

/// Programs that need no headers declare what they call, and nobody else declares what verifiers know.
#[test]
fn programs_agree() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut judged = BTreeSet::new();
    for path in c_files([root.join("tests/translate"), root.join("../../examples/c")].into()) {
        let text = std::fs::read_to_string(&path).unwrap();
        if crate::needs_preprocessor(&text) {
            continue;
        }
        let program = load(&path.to_string_lossy(), &text);
        let defined: BTreeSet<_> = program.functions.iter().map(|function| function.declaration.index()).collect();
        for (index, declaration) in program.declarations.iter().enumerate() {
            let is_function = matches!(declaration.kind, DeclarationKind::Function { .. });
            let row = declaration.name.and_then(|name| named(program.text(name)));
            let Some(row) = row.filter(|_| is_function && !defined.contains(&index)) else { continue };
            assert_eq!(disagreements(row, &program, declaration), NONE, "`{}` of {}", row.name, path.display());
            judged.insert(row.name);
        }
    }
    for name in ["malloc", "__VERIFIER_nondet_int", "reach_error"] {
        assert!(judged.contains(name), "no program declares `{name}`");
    }
}

fn c_files(mut open: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut found = Vec::new();
    while let Some(path) = open.pop() {
        match std::fs::read_dir(&path) {
            Ok(entries) => open.extend(entries.map(|entry| entry.unwrap().path())),
            Err(_) if path.extension().is_some_and(|extension| extension == "c") => found.push(path),
            Err(_) => {}
        }
    }
    found
}

/// The judge can tell: rows that are wrong in one column each.
#[test]
fn wrong_rows_are_noticed() {
    let program = load("none.c", "char *strcpy(char *, const char *); void *malloc(unsigned long);");
    let says = |row: Row| {
        let declared = functions(&program).find(|(name, _)| *name == row.name).map(|(_, declaration)| declaration);
        disagreements(&row, &program, declared.unwrap())
    };
    let (copy, allocate) = (*named("strcpy").unwrap(), *named("malloc").unwrap());
    assert!(says(copy).is_empty() && says(allocate).is_empty());
    let [to, from] = copy.parameters else { panic!("two parameters") };
    for wrong in [
        Row { parameters: &copy.parameters[..1], ..copy },
        Row { rest: Some(*to), ..copy },
        Row { parameters: vec![*from, *to].leak(), ..copy },
        Row { parameters: vec![*to, NUMBER].leak(), ..copy },
        Row { result: Returned::Number, ..copy },
        Row { result: Returned::Nothing, ..allocate },
        Row { result: Returned::SameAs(0), ..allocate },
        Row { parameters: &[FREED], ..allocate },
    ] {
        assert!(!says(wrong).is_empty(), "{wrong:?}");
    }
}
