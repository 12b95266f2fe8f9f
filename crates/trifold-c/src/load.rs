//! Loading a file: lex, parse, resolve.

use crate::ast::{Block, Declaration, Derivation, FunctionDefinition, InitDeclarator, Item, Name, TranslationUnit};
use crate::lex::{Lexed, lex};
use crate::limits::MAX_BYTES;
use crate::names::{Names, Symbol};
use crate::parse;
use crate::scope::Scoped;
use crate::sema::Sema;
use crate::typed::Program;
use crate::types::Target;
use std::collections::{BTreeMap, BTreeSet};
use trifold_passes::contracts::{Written, read};
use trifold_source::{Diagnostic, Failure, FileId, Sink, SourceMap, Span, Trail};

/// The names that GNU C has built in, as declarations.
const PRELUDE: &str = include_str!("prelude.h");

/// A file, ready to be translated.
#[derive(Debug)]
pub struct Loaded {
    /// The typed trees.
    pub program: Program,
    /// The text.
    pub sources: SourceMap,
    /// The warnings about it.
    pub warnings: Vec<Diagnostic>,
}

/// Has the text a directive that only a preprocessor understands? Line markers and `#pragma` do not count.
pub fn needs_preprocessor(text: &str) -> bool {
    !lex(text, FileId(0), &mut Names::default(), &mut Sink::default()).directives.is_empty()
}

/// Can there be a contract in a text?
pub fn may_have_contracts(text: &str) -> bool {
    text.contains("/*@") || text.contains("//@")
}

/// The headers that the preprocessor's output enters and that are not of the system. Only such ones have contracts.
pub fn own_headers(preprocessed: &str) -> impl Iterator<Item = &str> {
    preprocessed.lines().filter_map(own_header)
}

/// The header that a line of the preprocessor's output enters, if it is not of the system. Only such ones have
/// contracts.
fn own_header(line: &str) -> Option<&str> {
    let (name, flags) = line.strip_prefix("# ")?.rsplit_once('"')?;
    let has = |flag: &str| flags.split_whitespace().any(|found| found == flag);
    let (_, path) = name.split_once('"')?;
    (has("1") && !has("3")).then_some(path)
}

/// The contracts of functions, by name. Each stands directly before a definition or declaration.
fn contracts(
    text: &str,
    lexed: &Lexed,
    unit: &TranslationUnit,
    names: &Names,
    sink: &mut Sink,
) -> BTreeMap<String, Vec<Written>> {
    let mut contracts: BTreeMap<String, Vec<Written>> = BTreeMap::new();
    for (comment, token) in &lexed.contracts {
        let Some(written) = read(text, *comment, sink) else { continue };
        let next = lexed.tokens.get(*token).map(|token| token.span.start);
        match unit.items.iter().find_map(|item| function_at(item, next)) {
            Some(name) => contracts.entry(names.text(name.symbol).to_string()).or_default().extend(written),
            None => {
                let message = "this contract is about nothing: it does not stand directly before a function";
                sink.push(Diagnostic::error("contract", *comment, message));
            }
        }
    }
    contracts
}

/// The function that something outside of functions defines or declares, if it starts there.
fn function_at(item: &Item, start: Option<u32>) -> Option<Name> {
    match item {
        Item::Function(function) => function.declarator.name.filter(|_| Some(function.span.start) == start),
        Item::Declaration(declaration) => {
            declared_function(declaration).filter(|_| Some(declaration.span.start) == start)
        }
        Item::StaticAssert(_) | Item::Asm(_) => None,
    }
}

/// The function that a declaration is about, if that is all that it is about.
fn declared_function(declaration: &Declaration) -> Option<Name> {
    let [InitDeclarator { declarator, .. }] = &declaration.declarators[..] else { return None };
    declarator.name.filter(|_| matches!(declarator.derivations.first(), Some(Derivation::Function(..))))
}

/// Functions with contracts that are declared only get bodies, so that they can be called as others are. Their effect
/// is in their contracts.
fn define_declared(
    unit: &mut TranslationUnit,
    contracts: &BTreeMap<String, Vec<Written>>,
    names: &Names,
) -> BTreeSet<String> {
    let defined = unit.items.iter().filter_map(|item| match item {
        Item::Function(function) => function.declarator.name.map(|name| name.symbol),
        _ => None,
    });
    let defined: BTreeSet<Symbol> = defined.collect();
    let mut declared = BTreeSet::new();
    for item in &mut unit.items {
        let Item::Declaration(declaration) = item else { continue };
        let Some(name) = declared_function(declaration).filter(|name| !defined.contains(&name.symbol)) else {
            continue;
        };
        let text = names.text(name.symbol);
        if !contracts.contains_key(text) || !declared.insert(text.to_string()) {
            continue;
        }
        let span = declaration.span;
        if let Item::Declaration(Declaration { specifiers, mut declarators, .. }) =
            std::mem::replace(item, Item::Asm(span))
            && let Some(InitDeclarator { declarator, .. }) = declarators.pop()
        {
            let body = Block { statements: Vec::new(), span };
            *item = Item::Function(FunctionDefinition { specifiers, declarator, old_style: Vec::new(), body, span });
        }
    }
    declared
}

/// Loads a preprocessed text, or one that needs no preprocessor, for x86-64.
pub fn load(path: &str, text: &str) -> Result<Loaded, Box<Failure>> {
    load_for(Target::Lp64, path, text)
}

/// Loads a preprocessed text, or one that needs no preprocessor, for a target.
pub fn load_for(target: Target, path: &str, text: &str) -> Result<Loaded, Box<Failure>> {
    let (mut sources, mut sink) = (SourceMap::default(), Sink::default());
    let (mut names, mut kinds) = (Names::default(), Scoped::new());
    let prelude_file = sources.add("<built-in>", PRELUDE.into());
    let prelude = lex(PRELUDE, prelude_file, &mut names, &mut sink);
    let prelude = parse::parse(PRELUDE, &prelude.tokens, &mut kinds, &mut sink);
    kinds.open();

    let file = sources.add(path, text.into());
    if text.len() > MAX_BYTES {
        let span = Span { file, start: 0, end: 0, trail: Trail::NONE };
        sink.push(Diagnostic::error("too-large", span, format!("a file of more than {MAX_BYTES} bytes")));
        return Err(Failure::new(sink, sources));
    }
    let mut lexed = lex(text, file, &mut names, &mut sink);
    sources.mark(file, std::mem::take(&mut lexed.markers));
    if let Some(directive) = lexed.directives.first() {
        let error = Diagnostic::error("directive", *directive, "this file has not been preprocessed");
        sink.push(error.help("run it through `cc -E` first"));
        return Err(Failure::new(sink, sources));
    }
    let mut unit = parse::parse(text, &lexed.tokens, &mut kinds, &mut sink);
    let strange = std::mem::take(&mut unit.strange);
    let contracts = contracts(text, &lexed, &unit, &names, &mut sink);
    let declared = define_declared(&mut unit, &contracts, &names);
    drop(lexed.tokens);
    // Names that could not be parsed would be missed: errors about them would only repeat the errors of the parser.
    if sink.failed() {
        return Err(Failure::new(sink, sources));
    }
    let mut program = Sema::new(names, target, &mut sink).program(&prelude, &unit);
    (program.contracts, program.declared) = (contracts, declared);
    program.linked.append(&mut lexed.renames);
    program.strange = strange;
    if sink.failed() {
        return Err(Failure::new(sink, sources));
    }
    Ok(Loaded { program, sources, warnings: sink.finish().0 })
}
