//! From the rules of a function to the definition of a checker.
//!
//! A function that calls itself must have one case without an element and one with it:
//!
//! ```text
//! bool segment(struct node *p, struct node *end) { return p == end || (p != NULL && segment(p->next, end)); }
//! ```
//!
//! The parameter at which runs end is not part of the definition, because it is an edge that knows its end:
//! [`Inductive::end`]. A function that does not call itself is kept as its [rules](Rules).

use crate::checker::definition::{Call, Checker, Term};
use crate::checker::recognise::{Applied, Refusal, Rule, Rules, Sym, rules};
use crate::layout::{Layout, Layouts};
use std::collections::BTreeMap;
use std::sync::Arc;
use trifold_ir::{ProcId, Program, StructId, Type};
use trifold_passes::CallGraph;
use trifold_source::Span;

/// The meaning of a function about memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Definition {
    /// It calls itself.
    Inductive(Inductive),
    /// It does not; the elements are of this struct.
    Plain(Rules, StructId),
}

/// A function that calls itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inductive {
    /// The definition.
    pub checker: Arc<Checker>,
    /// The parameter of the function that points to the element.
    pub subject: usize,
    /// The parameters of the function that are those of the checker.
    pub params: Vec<usize>,
    /// The parameter at which runs end; at null if absent.
    pub end: Option<usize>,
    /// For each parameter of the checker: the parameter of the function that it is at the end, if that matters.
    pub ends: Vec<Option<usize>>,
}

/// The functions of a program that are checkers, and why others are not.
#[derive(Clone, Debug, Default)]
pub struct Definitions {
    /// Those that are.
    pub known: BTreeMap<ProcId, Definition>,
    /// Those that are not.
    pub refused: BTreeMap<ProcId, Refusal>,
}

impl Definitions {
    /// Looks at all functions, callees first.
    pub fn of(program: &Program, layouts: &Layouts) -> Definitions {
        let mut definitions = Definitions::default();
        for group in CallGraph::of(program).bottom_up() {
            for procedure in &group {
                let defined = match &group[..] {
                    [_] => define(program, layouts, *procedure, &definitions.known),
                    _ => {
                        let why = "functions that call each other: let each call itself only";
                        Err(Refusal { span: program[*procedure].span, why: why.to_string() })
                    }
                };
                match defined {
                    Ok(definition) => drop(definitions.known.insert(*procedure, definition)),
                    Err(refusal) => drop(definitions.refused.insert(*procedure, refusal)),
                }
            }
        }
        definitions
    }
}

fn define(
    program: &Program,
    layouts: &Layouts,
    procedure: ProcId,
    known: &BTreeMap<ProcId, Definition>,
) -> Result<Definition, Refusal> {
    let span = program[procedure].span;
    let rules = rules(program, layouts, procedure)?;
    for call in rules.rules.iter().flat_map(|rule| &rule.calls) {
        if call.procedure != procedure && !known.contains_key(&call.procedure) {
            let why = format!("it calls `{}`, which is no checker", program[call.procedure].name);
            return Err(Refusal { span: call.span, why });
        }
    }
    let Type::Pointer(Some(structure)) = program[program[procedure].parameters[rules.subject]].ty else {
        return Err(refuse(span, "the element is not a struct"));
    };
    let goes_on = |rule: &&Rule| rule.calls.iter().any(|call| call.procedure == procedure);
    let steps: Vec<&Rule> = rules.rules.iter().filter(goes_on).collect();
    if steps.is_empty() {
        let says_more = rules.rules.iter().any(|rule| !rule.calls.is_empty());
        return match says_more {
            true => Ok(Definition::Plain(rules, structure)),
            false => Err(refuse(span, "it calls no checker, so it is followed as any function")),
        };
    }
    let bases: Vec<&Rule> = rules.rules.iter().filter(|rule| !goes_on(rule)).collect();
    let (base, step) = match (&bases[..], &steps[..]) {
        ([base], [step]) => (base, step),
        ([], _) => return Err(refuse(span, "it never ends: let it hold of null, without a call")),
        (_, [_, _, ..]) => {
            return Err(refuse(span, "it goes on in several ways: let one case have the element and all calls"));
        }
        _ => return Err(refuse(span, "it ends in several ways: let one case be without an element")),
    };
    let scalars = program[procedure].parameters.iter().any(|parameter| !program[*parameter].ty.is_pointer());
    if scalars {
        return Err(refuse(span, "a parameter is a number: a checker describes where pointers lead"));
    }
    let count = program[procedure].parameters.len();
    let drafting = Drafting { layout: &layouts[structure], span, known, procedure, subject: rules.subject };
    drafting.inductive(structure, count, base, step).map(Definition::Inductive)
}

fn refuse(span: Span, why: &str) -> Refusal {
    Refusal { span, why: why.to_string() }
}

struct Drafting<'a> {
    layout: &'a Layout,
    span: Span,
    known: &'a BTreeMap<ProcId, Definition>,
    procedure: ProcId,
    subject: usize,
}

/// The case without an element: where runs end, and which parameters are equal there.
struct Base {
    end: Option<usize>,
    pairs: Vec<(usize, usize)>,
}

impl Drafting<'_> {
    fn base(&self, rule: &Rule) -> Result<Base, Refusal> {
        let mut base = Base { end: None, pairs: Vec::new() };
        let mut found = false;
        if !rule.read.is_empty() || !rule.calls.is_empty() {
            return Err(refuse(self.span, "the case that ends has an element: let it hold of null, without a call"));
        }
        if let Some((_, _, span)) = rule.different.first() {
            return Err(refuse(*span, "test for the end before anything else"));
        }
        for pair in &rule.equal {
            match *pair {
                (Sym::Null, Sym::Part(0)) if !found => found = true,
                (Sym::Param(end), Sym::Part(0)) if !found => (found, base.end) = (true, Some(end)),
                (Sym::Param(a), Sym::Param(b)) => base.pairs.push((a, b)),
                _ => return Err(refuse(self.span, "the case that ends compares more than the element and parameters")),
            }
        }
        if found {
            Ok(base)
        } else {
            Err(refuse(self.span, "the case that ends does not say where: compare with null, or with a parameter"))
        }
    }

    fn inductive(&self, structure: StructId, count: usize, base: &Rule, step: &Rule) -> Result<Inductive, Refusal> {
        let base = self.base(base)?;
        for (a, b, span) in &step.different {
            let is_end = base.end.is_some_and(|end| (*a, *b) == (Sym::Param(end), Sym::Part(0)));
            if !is_end && (*a, *b) != (Sym::Null, Sym::Part(0)) {
                return Err(refuse(*span, "pointers that differ: say what they are, not what they are not"));
            }
        }
        let own = || step.calls.iter().filter(|call| call.procedure == self.procedure);
        // A parameter that every call passes on as it is, and that the end compares something with, says how runs end.
        let passed = |param: usize| own().all(|call| call.arguments.get(param) == Some(&Sym::Param(param)));
        let mentions = |param: usize| step.equal.iter().any(|(a, b)| [*a, *b].contains(&Sym::Param(param)));
        let is_last = |param: usize| passed(param) && !mentions(param);
        if base.end.is_some_and(|end| !passed(end)) {
            return Err(refuse(self.span, "the end changes on the way: pass it on as it is"));
        }
        let mut last = BTreeMap::new();
        for (a, b) in &base.pairs {
            match (is_last(*a), is_last(*b)) {
                (false, true) => last.insert(*a, *b),
                (true, false) => last.insert(*b, *a),
                _ => {
                    return Err(refuse(
                        self.span,
                        "the case that ends compares parameters that say nothing about the element",
                    ));
                }
            };
        }
        let is_param = |param: &usize| {
            *param != self.subject && Some(*param) != base.end && !last.values().any(|other| other == param)
        };
        let params: Vec<usize> = (0..count).filter(is_param).collect();
        let checker = self.checker(structure, &params, base.end, step)?;
        if let Some(param) = (0..params.len()).find(|param| !checker.stores(*param)) {
            let why = format!("no field is compared with parameter {}: leave it out", params[param] + 1);
            return Err(Refusal { span: self.span, why });
        }
        let ends: Vec<Option<usize>> = params.iter().map(|param| last.get(param).copied()).collect();
        if !checker.is_linear() && (base.end.is_some() || ends.iter().any(Option::is_some)) {
            return Err(refuse(self.span, "a tree ends with null everywhere"));
        }
        Ok(Inductive { checker: Arc::new(checker), subject: self.subject, params, end: base.end, ends })
    }

    fn checker(
        &self,
        structure: StructId,
        params: &[usize],
        end: Option<usize>,
        step: &Rule,
    ) -> Result<Checker, Refusal> {
        let mut cells: Vec<Option<Term>> = vec![None; self.layout.cells.len()];
        let mut nexts = Vec::new();
        for (number, call) in step.calls.iter().filter(|call| call.procedure == self.procedure).enumerate() {
            match call.arguments[self.subject] {
                Sym::Cell(cell) if self.layout.cells[cell].ty.target() == Some(structure) => {
                    self.set(&mut cells, cell, Term::Next(number), call.span)?;
                }
                Sym::Part(_) => {
                    return Err(refuse(call.span, "it calls itself for the same element, so it never ends"));
                }
                _ => return Err(refuse(call.span, "it calls itself for something that is no field of the element")),
            }
        }
        let mut calls: Vec<&Applied> = step.calls.iter().filter(|call| call.procedure != self.procedure).collect();
        for (number, call) in calls.iter().enumerate() {
            let Definition::Inductive(definition) = &self.known[&call.procedure] else {
                return Err(refuse(call.span, "it calls a checker that does not call itself: compare the fields here"));
            };
            let Sym::Cell(cell) = call.arguments[definition.subject] else {
                return Err(refuse(call.span, "it calls a checker for something that is no field of the element"));
            };
            self.set(&mut cells, cell, Term::Call(number), call.span)?;
        }
        let term = |sym: Sym| match sym {
            Sym::Null => Some(Term::Null),
            Sym::Part(part) => Some(Term::Part(part)),
            Sym::Param(param) => params.iter().position(|known| *known == param).map(Term::Param),
            _ => None,
        };
        for (a, b) in &step.equal {
            let (other, Sym::Cell(cell)) = (*a, *b) else {
                return Err(refuse(self.span, "the case with the element compares something that is no field of it"));
            };
            match (other, term(other)) {
                // Two fields that lead to the same place.
                (Sym::Cell(first), _) => match cells[first] {
                    Some(known @ Term::Next(_)) => self.set(&mut cells, cell, known, self.span)?,
                    _ => return Err(refuse(self.span, "two fields are equal, of which the first is not followed")),
                },
                (_, Some(term)) => self.set(&mut cells, cell, term, self.span)?,
                _ => return Err(refuse(self.span, "a field is compared with where runs end")),
            }
        }
        for call in step.calls.iter().filter(|call| call.procedure == self.procedure) {
            let args = params.iter().map(|param| term(call.arguments[*param]));
            match args.collect::<Option<Vec<Term>>>() {
                Some(args) => nexts.push(args),
                None => {
                    return Err(refuse(
                        call.span,
                        "a field is passed on as a parameter: compare it in the next element",
                    ));
                }
            }
        }
        let cell_term = |sym: Sym| match sym {
            Sym::Cell(cell) => cells[cell].filter(|term| matches!(term, Term::Next(_))),
            Sym::Param(param) if Some(param) == end => None,
            other => term(other),
        };
        let mut applied = Vec::new();
        for call in calls.drain(..) {
            applied.push(self.call(call, &cell_term)?);
        }
        let rest = |(term, cell): (&Option<Term>, &crate::layout::Cell)| match (term, cell.ty) {
            (Some(term), _) => *term,
            (None, Type::Pointer(_)) => Term::Some,
            (None, Type::Scalar(scalar)) => Term::Scalar(scalar.range()),
        };
        let cells = cells.iter().zip(&self.layout.cells).map(rest).collect();
        Ok(Checker { structure, entry: 0, cells, params: params.len(), nexts, calls: applied })
    }

    fn call(&self, call: &Applied, term: &dyn Fn(Sym) -> Option<Term>) -> Result<Call, Refusal> {
        let Definition::Inductive(definition) = &self.known[&call.procedure] else {
            return Err(refuse(call.span, "it calls a checker that does not call itself"));
        };
        let unclear =
            || refuse(call.span, "an argument is neither null, nor a parameter, nor the element, nor the next one");
        let of = |param: usize| term(call.arguments[param]).ok_or_else(unclear);
        let args = definition.params.iter().map(|param| of(*param)).collect::<Result<Vec<Term>, Refusal>>()?;
        let end = if definition.checker.is_linear() {
            let target = definition.end.map_or(Ok(Term::Null), of)?;
            let ends = definition.ends.iter().map(|end| end.map_or(Ok(Term::Some), of));
            Some((target, ends.collect::<Result<Vec<Term>, Refusal>>()?))
        } else {
            None
        };
        Ok(Call { checker: definition.checker.clone(), args, end, min: 0 })
    }

    fn set(&self, cells: &mut [Option<Term>], cell: usize, term: Term, span: Span) -> Result<(), Refusal> {
        match cells[cell].replace(term) {
            None => Ok(()),
            Some(_) => Err(refuse(span, "a field is used twice: regions are disjoint, so each is followed once")),
        }
    }
}
