//! Loading files: lex, parse, resolve; link, if there are several.

use crate::ast::{
    self, Block, Declaration, Derivation, FunctionDefinition, InitDeclarator, Item, Name, TranslationUnit,
};
use crate::lex::{Lexed, lex};
use crate::limits::MAX_BYTES;
use crate::link::{Symbols, link};
use crate::names::{Names, Symbol};
use crate::parse::{self, NameKind};
use crate::scope::Scoped;
use crate::sema::Sema;
use crate::typed::{DeclarationId, Function, Program, Stmt, StmtKind};
use crate::types::Target;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use trifold_passes::contracts::{Written, read};
use trifold_source::{Diagnostic, Failure, FileId, Sink, SourceMap, Span, Trail};

/// The names that GNU C has built in, as declarations.
const PRELUDE: &str = include_str!("prelude.h");

/// Files, ready to be translated.
#[derive(Debug)]
pub struct Loaded {
    /// The typed trees.
    pub program: Program,
    /// The texts.
    pub sources: SourceMap,
    /// The warnings about them.
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

/// The contracts of functions. Each stands directly before a definition or declaration.
fn contracts(text: &str, lexed: &Lexed, unit: &TranslationUnit, sink: &mut Sink) -> BTreeMap<Symbol, Vec<Written>> {
    let mut contracts: BTreeMap<Symbol, Vec<Written>> = BTreeMap::new();
    for (comment, token) in &lexed.contracts {
        let Some(written) = read(text, *comment, sink) else { continue };
        let next = lexed.tokens.get(*token).map(|token| token.span.start);
        match unit.items.iter().find_map(|item| function_at(item, next)) {
            Some(name) => contracts.entry(name.symbol).or_default().extend(written),
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
fn define_declared(unit: &mut TranslationUnit, contracts: &BTreeMap<Symbol, Vec<Written>>) -> BTreeSet<Symbol> {
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
        if !contracts.contains_key(&name.symbol) || !declared.insert(name.symbol) {
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
    load_units(Target::Lp64, &[(path, text)])
}

/// Loads the texts of files, with their names, that are one program together, for a target.
///
/// An error in a function costs that function, and one in the declaration of a variable those that use it; unless
/// nothing is left.
pub fn load_units(target: Target, units: &[(&str, &str)]) -> Result<Loaded, Box<Failure>> {
    let mut reader = Reader::default();
    let kinds = &mut Scoped::new();
    let prelude_file = reader.sources.add("<built-in>", PRELUDE.into());
    let prelude = lex(PRELUDE, prelude_file, &mut reader.names, &mut reader.sink);
    let prelude = parse::parse(PRELUDE, &prelude.tokens, kinds, &mut reader.sink);
    let mut read: Vec<Unit> = units.iter().filter_map(|(path, text)| reader.read(path, text, kinds)).collect();
    // Names that could not be parsed would be missed: errors about them would only repeat the errors of the parser.
    if reader.sink.failed() {
        return Err(reader.failure());
    }
    let Reader { sources, names, mut sink, mut in_bodies } = reader;
    let mut sema = Sema::new(names, target, &mut sink);
    sema.prelude(&prelude);
    let declared: Vec<_> = read.iter_mut().map(|unit| sema.unit(&mut unit.tree)).collect();
    let (mut program, in_functions) = sema.program();
    for (unit, declared) in read.into_iter().zip(declared) {
        unit.complete(&mut program, &declared);
    }
    in_bodies.absorb(in_functions);
    for declaration in &mut program.declarations {
        let Span { file, start, .. } = declaration.span;
        declaration.system = sources.file(file).marker_at(start).is_some_and(|marker| marker.system);
    }
    if units.len() > 1 && !sink.failed() {
        link(&mut program, &sources, &mut sink);
    }
    if sink.failed() || in_bodies.failed() && !program.functions.iter().any(is_understood) {
        return Err(Reader { sources, names: program.names, sink, in_bodies }.failure());
    }
    Ok(Loaded { program, sources, warnings: sink.finish().0 })
}

/// The names that a text has for the linker, if it can be loaded.
pub fn symbols(target: Target, path: &str, text: &str) -> Option<Symbols> {
    load_units(target, &[(path, text)]).ok().map(|loaded| loaded.program.symbols())
}

/// Is there a function of which all is understood?
fn is_understood(function: &Function) -> bool {
    !matches!(function.body.statements[..], [Stmt { kind: StmtKind::NotUnderstood(_), .. }])
}

/// Reads files, one after the other.
#[derive(Default)]
struct Reader {
    sources: SourceMap,
    names: Names,
    sink: Sink,
    /// Errors that cost one function each.
    in_bodies: Sink,
}

/// A file that was read.
struct Unit {
    tree: TranslationUnit,
    contracts: BTreeMap<Symbol, Vec<Written>>,
    /// Functions with contracts that are declared only.
    declared: BTreeSet<Symbol>,
    /// Pragmas that give names.
    renames: Vec<Span>,
}

impl Unit {
    /// Adds to the program whatever is no declaration.
    fn complete(self, program: &mut Program, linked: &FxHashMap<Symbol, DeclarationId>) {
        let contracts = self.contracts.into_iter();
        program.contracts.extend(contracts.filter_map(|(name, contract)| Some((*linked.get(&name)?, contract))));
        program.declared.extend(self.declared.iter().filter_map(|name| linked.get(name)));
        program.linked.extend(self.renames);
        program.strange.extend(self.tree.strange);
    }
}

impl Reader {
    fn read(&mut self, path: &str, text: &str, kinds: &mut Scoped<NameKind>) -> Option<Unit> {
        let file = self.sources.add(path, text.into());
        if text.len() > MAX_BYTES {
            let span = Span { file, start: 0, end: 0, trail: Trail::NONE };
            self.sink.push(Diagnostic::error("too-large", span, format!("a file of more than {MAX_BYTES} bytes")));
            return None;
        }
        let (mut lexical, mut sink) = (Sink::default(), Sink::default());
        let mut lexed = lex(text, file, &mut self.names, &mut lexical);
        self.sources.mark(file, std::mem::take(&mut lexed.markers));
        if let Some(directive) = lexed.directives.first() {
            let error = Diagnostic::error("directive", *directive, "this file has not been preprocessed");
            self.sink.push(error.help("run it through `cc -E` first"));
            return None;
        }
        kinds.open();
        let mut tree = parse::parse(text, &lexed.tokens, kinds, &mut sink);
        kinds.close();
        let contracts = contracts(text, &lexed, &tree, &mut sink);
        let declared = define_declared(&mut tree, &contracts);
        self.sink.absorb(sink);
        self.sort_out(lexical, &tree);
        self.in_bodies.absorb(std::mem::take(&mut tree.in_bodies));
        Some(Unit { tree, contracts, declared, renames: lexed.renames })
    }

    /// Errors of the lexer in bodies that are not understood cost these functions only.
    fn sort_out(&mut self, lexical: Sink, tree: &TranslationUnit) {
        let bodies = tree.items.iter().filter_map(|item| match item {
            Item::Function(FunctionDefinition { body, .. }) => Some(body),
            _ => None,
        });
        let is_lost =
            |body: &&Block| matches!(body.statements[..], [ast::Stmt { kind: ast::StmtKind::NotUnderstood(_), .. }]);
        let lost: Vec<Span> = bodies.filter(is_lost).map(|body| body.span).collect();
        let (found, omitted) = lexical.finish();
        for diagnostic in found {
            let at = diagnostic.primary.span.start;
            let is_in_body = omitted == 0 && lost.iter().any(|body| (body.start..body.end).contains(&at));
            let sink = if is_in_body { &mut self.in_bodies } else { &mut self.sink };
            sink.push(diagnostic);
        }
    }

    /// All errors, in the order of their places.
    fn failure(self) -> Box<Failure> {
        let mut sink = self.sink;
        sink.absorb(self.in_bodies);
        let mut failure = Failure::new(sink, self.sources);
        failure.diagnostics.sort_by_key(|diagnostic| (diagnostic.primary.span.file, diagnostic.primary.span.start));
        failure
    }
}
