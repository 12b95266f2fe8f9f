//! The plan of a check: the entries from which a program is analysed.
//!
//! A program with `main` is analysed from there. A library is analysed from each function that can be called from
//! elsewhere, with arguments that the function itself describes by checkers or a contract, or that a [made-up
//! caller](Callers) passes. For example, a file with `push(list, x)` alone has one entry: a caller of `push` that
//! makes a list.

use crate::domain::DomainName;
use crate::options::Options;
use crate::source::{Function, Rejected, Source, Start, Translated, translate};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use trifold_heap_sl::unknown_assumption;
use trifold_heap_tvl::{NamedRoles, Precision, Unread, lower};
use trifold_ir::{Edge, Node, ProcId, Program, Statement, VarId, validate};
use trifold_passes::changing::{changing, read_among};
use trifold_passes::{CallGraph, Callers, Demands, clear_at_exit};

/// A place where an analysis starts.
pub struct Entry {
    /// The function.
    pub name: String,
    /// The procedure to start with, or why there is none.
    pub procedure: Result<ProcId, String>,
    /// Does the function describe its arguments with checkers, or in a contract?
    pub specified: bool,
    /// The function itself, if the program does not call it.
    pub function: Option<ProcId>,
    /// Is it a client of the module?
    pub client: Option<ClientEntry>,
}

/// A client as an entry.
#[derive(Clone, Debug)]
pub struct ClientEntry {
    /// For each operation, the procedure to start with that calls it once, at last.
    pub thens: BTreeMap<String, ProcId>,
}

/// The values of global variables when a function is called from elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Globals {
    /// They have been initialised, by this procedure if it takes one.
    Initialised(Option<ProcId>),
    /// Nothing is known of them: the program may have run for a while.
    Unknown,
}

/// Everything that is to be analysed.
pub struct Plan {
    /// The program, with callers for functions that have none.
    pub translated: Translated,
    /// Where analyses start.
    pub entries: Vec<Entry>,
    /// The values of global variables at the entries that are specified.
    pub globals: Globals,
    /// How functions of a library are called that nothing calls.
    pub library: Option<Library>,
    /// Functions that are analysed by themselves, because the program is too large.
    pub is_of_parts: bool,
}

/// How functions of a library are called that nothing calls.
pub struct Library {
    /// What makes up their arguments.
    pub callers: Callers,
    /// The procedure that is called before.
    pub first: Option<ProcId>,
}

/// Arguments in which each object has one way to it.
const APART: Demands = Demands { apart: true, not_null: Vec::new(), conditions: Vec::new() };

impl Plan {
    /// The names of the entries.
    pub fn names(&self) -> Vec<String> {
        self.entries.iter().map(|entry| entry.name.clone()).collect()
    }

    /// The links that roles can be given to, such as `node::next`.
    fn links(&self) -> BTreeSet<String> {
        let all = Precision { unread: Unread::Tracked, ..Precision::default() };
        let lowered = |entry: &ProcId| lower(&self.translated.program, *entry, all, &NamedRoles::new());
        let entries = self.entries.iter().filter_map(|entry| entry.procedure.as_ref().ok());
        entries.flat_map(|entry| lowered(entry).families.links().to_vec()).collect()
    }

    /// The plan for a text.
    pub fn new(source: &Source, options: &Options) -> Result<Plan, Rejected> {
        let start = match options.entry.as_deref() {
            None if options.library => Start::Module,
            None | Some("main") => Start::MainOrLibrary,
            Some(_) => Start::Library,
        };
        let translated = translate(source, start, options.malloc_may_fail)?;
        let mut plan = match translated.is_library {
            true => Plan::of_library(translated, options)?,
            false => Plan::of_program(translated, options)?,
        };
        let Translated { program, functions, .. } = &mut plan.translated;
        // A procedure that stands for a function is part of it.
        for (stands, contract) in &program.contracts {
            let meant = functions.iter_mut().find(|function| function.procedures.contains(&contract.of));
            meant.into_iter().for_each(|function| function.procedures.push(*stands));
        }
        // A translation that is not well formed is a mistake of the translator, which must not look like a result.
        validate(program).map_err(|errors| {
            let texts: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
            Rejected::Because(format!("the translation of {} is not well formed: {}", source.name, texts.join("; ")))
        })?;
        plan.know_links(&options.roles)?;
        Ok(plan)
    }

    /// A role is given to a link that there is, or else it is misspelt.
    fn know_links(&self, roles: &NamedRoles) -> Result<(), Rejected> {
        if roles.is_empty() {
            return Ok(());
        }
        let known = self.links();
        let Some((link, _)) = roles.iter().find(|(link, _)| !known.contains(*link)) else { return Ok(()) };
        let known: Vec<String> = known.iter().map(|link| format!("`{link}`")).collect();
        Err(Rejected::Because(format!("there is no link `{link}`; there are {}", known.join(", "))))
    }

    /// From `main`.
    fn of_program(mut translated: Translated, options: &Options) -> Result<Plan, Rejected> {
        if options.leaks_at_exit {
            clear_at_exit(Arc::make_mut(&mut translated.program));
        }
        let Some(main) = translated.program.entry else {
            return Err(Rejected::Because("the program has no entry".to_string()));
        };
        let mut entries = bodies(&translated, options);
        entries.push(Entry {
            name: "main".to_string(),
            procedure: Ok(main),
            specified: false,
            function: None,
            client: None,
        });
        Ok(Plan { translated, entries, globals: Globals::Unknown, library: None, is_of_parts: false })
    }

    /// From one function, or from all that can be called from elsewhere.
    fn of_library(mut translated: Translated, options: &Options) -> Result<Plan, Rejected> {
        let wanted = Wanted::new(&translated, options);
        let functions: Vec<Function> = translated.functions.iter().filter(|f| wanted.is_entry(f)).cloned().collect();
        let first = translated.program.entry;
        let mut entries = bodies(&translated, options);
        entries.extend(clients(&mut translated, &wanted, first));
        for function in &functions {
            if entries.iter().all(|entry| entry.name != function.name) {
                let program = Arc::make_mut(&mut translated.program);
                entries.extend(wanted.entry(function, program, first));
            }
        }
        if entries.is_empty() {
            let file = &translated.name;
            return Err(Rejected::Because(match &options.entry {
                Some(entry) => format!("{file} defines no function `{entry}`"),
                None => format!(
                    "{file} defines no function that can be called from elsewhere, so there is nothing to check"
                ),
            }));
        }
        let library = Some(Library { callers: wanted.callers, first });
        let globals = Globals::Initialised(first);
        Ok(Plan { translated, entries, globals, library, is_of_parts: false })
    }
}

/// A program of which a limit ended the analysis, to be analysed function by function.
impl Plan {
    /// Callers for all functions but `main`, and those that have been analysed by themselves already. Nothing is known
    /// of numbers in global variables that change, and a function that reads a pointer from one cannot be called.
    pub fn of_parts(whole: &Translated, done: &[String], options: &Options) -> Plan {
        let mut translated = whole.clone();
        let program = Arc::make_mut(&mut translated.program);
        let start = program.entry;
        let is_main = |function: &&Function| function.name.rsplit('.').next() == Some("main");
        let main: Vec<ProcId> = whole.functions.iter().filter(is_main).flat_map(|f| f.procedures.clone()).collect();
        let start = start.filter(|start| !main.contains(start));
        // An initializer that calls `main` itself is more than a start.
        if start.is_some_and(|start| program[start].edges.iter().filter(|edge| calls(edge, &main)).count() != 1) {
            return Plan {
                translated,
                entries: Vec::new(),
                globals: Globals::Unknown,
                library: None,
                is_of_parts: true,
            };
        }
        let changing = changing(program, start);
        let first = Plan::earlier(program, start, &main, &changing);
        let read = read_among(program, &CallGraph::of(program), &changing);
        let wanted = Wanted::new(whole, &Options { entry: None, ..options.clone() });
        let mut entries = Vec::new();
        for function in whole.functions.iter().filter(|function| !is_main(function)) {
            if done.contains(&function.name) {
                continue;
            }
            let read = function.procedures.iter().flat_map(|procedure| &read[procedure.index()]);
            let unknown = read.copied().find(|variable| program[*variable].ty.is_pointer());
            entries.extend(match unknown {
                Some(variable) => {
                    let name = program[variable].name.trim_start_matches('&');
                    let why = format!("by itself it knows nothing of `{name}`, which changes while the program runs");
                    let (name, function) = (function.name.clone(), function.procedures.first().copied());
                    Some(Entry { name, procedure: Err(why), specified: false, function, client: None })
                }
                None => wanted.entry(function, program, first),
            });
        }
        Plan { translated, entries, globals: Globals::Unknown, library: None, is_of_parts: true }
    }

    /// A procedure after which global variables have their values at some time when the program runs.
    fn earlier(
        program: &mut Program,
        start: Option<ProcId>,
        main: &[ProcId],
        changing: &BTreeSet<VarId>,
    ) -> Option<ProcId> {
        let started = start.iter().map(|start| {
            program[*start]
                .edges
                .iter_mut()
                .filter(|edge| calls(edge, main))
                .for_each(|edge| edge.statement = Statement::Skip);
            Statement::Call { to: None, targets: vec![*start], arguments: Vec::new() }
        });
        let mut statements: Vec<Statement> = started.collect();
        let numbers = changing.iter().filter(|variable| !program[**variable].ty.is_pointer());
        statements.extend(numbers.map(|number| Statement::open(*number)));
        let span = main.first().map(|main| program[*main].span).filter(|_| !statements.is_empty())?;
        let procedure = program.add_procedure("the program so far", span);
        let body = &mut program[procedure];
        let mut at = body.entry;
        for statement in statements {
            let next = body.add_node(Node::default());
            body.add_edge(at, next, statement, span);
            at = next;
        }
        let exit = body.exit;
        body.add_edge(at, exit, Statement::Return, span);
        Some(procedure)
    }
}

/// Does an edge call one of these procedures?
fn calls(edge: &Edge, procedures: &[ProcId]) -> bool {
    matches!(&edge.statement, Statement::Call { targets, .. } if targets.iter().any(|to| procedures.contains(to)))
}

/// The clients of a module.
fn clients(translated: &mut Translated, wanted: &Wanted, first: Option<ProcId>) -> Vec<Entry> {
    let Some(code) = translated.client.clone().filter(|_| wanted.only.is_none()) else { return Vec::new() };
    let program = Arc::make_mut(&mut translated.program);
    let mut caller = |function: &str| {
        let procedure = code.procedure(function)?;
        wanted.callers.add(program, procedure, first, &APART).ok()
    };
    let mut entries = Vec::new();
    for start in &code.clients.starts {
        let Some(procedure) = caller(&start.function) else { continue };
        let thens = start.thens.iter().filter_map(|(operation, then)| Some((operation.clone(), caller(then)?)));
        let client = Some(ClientEntry { thens: thens.collect() });
        let name = format!("a client of {}", start.about);
        entries.push(Entry { name, procedure: Ok(procedure), specified: false, function: None, client });
    }
    entries
}

/// Functions with contracts, whose bodies are verified by themselves wherever they are called from.
fn bodies(translated: &Translated, options: &Options) -> Vec<Entry> {
    let mut entries = Vec::new();
    for (stands, contract) in &translated.program.contracts {
        let meant = |function: &&Function| function.procedures.contains(&contract.of);
        let Some(function) = translated.functions.iter().find(meant) else { continue };
        let procedure = match options.domain {
            Some(DomainName::ThreeValued) => Err("contracts are verified in the domain of checkers".to_string()),
            _ => Ok(*stands),
        };
        entries.push(Entry {
            name: function.name.clone(),
            procedure,
            specified: true,
            function: Some(*stands),
            client: None,
        });
    }
    entries
}

/// Which functions of a library are analysed by themselves.
struct Wanted {
    only: Option<String>,
    /// Functions that describe their arguments with checkers.
    specified: Vec<ProcId>,
    checkers: Vec<ProcId>,
    /// Does a domain know what checkers mean?
    with_checkers: bool,
    callers: Callers,
}

impl Wanted {
    fn new(translated: &Translated, options: &Options) -> Wanted {
        let program = &translated.program;
        let (specified, checkers) = match options.domain {
            Some(DomainName::ThreeValued) => Default::default(),
            _ => (trifold_heap_sl::specified(program), trifold_heap_sl::checkers(program)),
        };
        let (specified, checkers) = (specified.into_iter().collect(), checkers.into_iter().collect());
        let with_checkers = options.domain != Some(DomainName::ThreeValued);
        Wanted { only: options.entry.clone(), specified, checkers, with_checkers, callers: Callers::of(program) }
    }

    fn is_entry(&self, function: &Function) -> bool {
        match &self.only {
            Some(only) => *only == function.name,
            None => function.is_root || function.procedures.iter().any(|p| self.specified.contains(p)),
        }
    }

    /// The entry of a function, unless it is a checker, which is analysed where it is used.
    fn entry(&self, function: &Function, program: &mut Program, first: Option<ProcId>) -> Option<Entry> {
        let (name, itself) = (function.name.clone(), function.procedures.first().copied());
        let is_checker = self.only.is_none() && itself.is_some_and(|itself| self.checkers.contains(&itself));
        let assumed = itself.and_then(|itself| unknown_assumption(program, itself, self.with_checkers));
        if let Some(assumed) = assumed.filter(|_| !is_checker) {
            let why = match self.with_checkers {
                true => format!("it assumes `{}`, which is no checker", program[assumed].name),
                false => format!("it assumes `{}`, which the domain of checkers knows", program[assumed].name),
            };
            return Some(Entry { name, procedure: Err(why), specified: false, function: itself, client: None });
        }
        let procedure = match function.procedures[..] {
            [procedure] if self.specified.contains(&procedure) => {
                return Some(Entry { name, procedure: Ok(procedure), specified: true, function: itself, client: None });
            }
            [procedure] if self.only.is_none() && self.checkers.contains(&procedure) => return None,
            [_] if function.no_arguments.is_some() => {
                let why = function.no_arguments.as_deref().unwrap_or_default();
                Err(format!("there are no arguments to call it with: {why}"))
            }
            [procedure] => self.callers.add(program, procedure, first, &APART).map_err(|no| {
                let parameter = &program[no.parameter].name;
                format!("there are no arguments to call it with: `{parameter}`, {}", no.why)
            }),
            [] => return None,
            _ => Err("its arguments decide what it allocates or calls".to_string()),
        };
        Some(Entry { name, procedure, specified: false, function: itself, client: None })
    }
}
