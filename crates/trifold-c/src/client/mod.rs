//! The most general client of a module: a program that uses its interface in any way that one thread can.
//!
//! A library has no `main`, so something must call it. Callers that make up arguments from types alone pass objects
//! that
//! no operation of the module ever makes. A client uses only what the module offers: it makes an object, calls
//! operations
//! on it in any order, with any data, and ends it. What is proved of the client holds for every such use.
//!
//! ```
//! let module = "struct stack { struct cell *top; };
//!     struct stack *stack_new(void);
//!     void stack_free(struct stack *s);
//!     struct cell { struct cell *next; int value; };
//!     void *calloc(unsigned long, unsigned long);
//!     void free(void *);
//!     struct stack *stack_new(void) { struct stack *s = calloc(1, sizeof *s); return s; }
//!     void stack_push(struct stack *s, int v) {
//!         struct cell *c = calloc(1, sizeof *c); c->next = s->top; c->value = v; s->top = c; }
//!     void stack_free(struct stack *s) {
//!         while (s->top) { struct cell *c = s->top; s->top = c->next; free(c); }
//!         free(s); }";
//! let loaded = trifold_c::load("stack.c", module).unwrap();
//! let clients = trifold_c::clients(&loaded.program).unwrap();
//! assert_eq!(clients.starts[0].function, "client_of_stack");
//! assert!(clients.called.contains("stack_push"));
//! assert!(clients.text.contains("stack_push(stack, __VERIFIER_nondet_int());"));
//! ```
//!
//! | room | what it decides |
//! | --- | --- |
//! | `facts`, `classes`, `targets` | what each function does with the objects that it gets |
//! | `interface` | how objects begin, what can be done with them, how they end |
//! | `arguments` | the arguments of a call |
//! | `spelling`, `write` | the text |

mod arguments;
mod classes;
mod facts;
mod interface;
mod spelling;
mod targets;
mod write;

use crate::typed::Program;
use facts::AllFacts;
use interface::{Handle, Interface};
use std::collections::{BTreeMap, BTreeSet};
use write::Writer;

pub use write::Start;

/// The clients of a module: one for each type of objects that can be used by itself.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Clients {
    /// Their text. It needs the declarations of the module, `NULL`, `malloc` and `free`.
    pub text: String,
    /// Where they start.
    pub starts: Vec<Start>,
    /// The functions of the module that they call.
    pub called: BTreeSet<String>,
    /// Other functions about these types, and why there are no arguments for them.
    pub refused: BTreeMap<String, String>,
    /// Does the module look whether its allocations have failed? Then clients let them fail.
    pub allocations_may_fail: bool,
    /// Do objects that meet in a call, or in an iterator, not meet in any other way?
    pub apart: bool,
}

impl Clients {
    /// The functions that the text takes numbers from, with their types.
    pub fn numbers(&self) -> impl Iterator<Item = (&str, &str)> {
        let declared = self.text.lines().filter_map(|line| line.strip_suffix("(void);")?.rsplit_once(' '));
        declared.filter(|(_, name)| name.starts_with("__VERIFIER_nondet_"))
    }
}

/// Why a function is not called that frees a part of an object.
const TAKEN: &str = "it frees an object that others may lead to";

/// The clients of a module, if it offers objects.
pub fn clients(program: &Program) -> Option<Clients> {
    let facts = AllFacts::of(program);
    let interface = Interface::of(program, &facts);
    let handles: Vec<&Handle> = interface.handles.iter().filter(|handle| handle.container.is_none()).collect();
    let mut writer = Writer::new(&interface);
    let (text, starts) = writer.clients(&handles);
    let name = |index: &usize| interface.operations[*index].name.to_string();
    let called: BTreeSet<String> = writer.called.iter().map(name).collect();
    let refused = writer.refused.iter().filter(|(index, _)| !writer.called.contains(index));
    let refused = refused.map(|(index, why)| (name(index), why.clone()));
    let takers = interface.takers.iter().map(|index| (name(index), TAKEN.to_string()));
    let refused = refused.chain(takers).collect();
    let (tested, all) = facts.tested_allocations;
    let allocations_may_fail = tested * 2 > all;
    let apart = writer.keeps_apart();
    (!called.is_empty()).then_some(Clients { text, starts, called, refused, allocations_may_fail, apart })
}
