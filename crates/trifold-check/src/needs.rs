//! Preconditions of functions that nothing calls: what would fail with arguments that are made up is asked of callers.
//!
//! A finding in such a function is no bug: perhaps no caller passes such arguments. So a precondition is looked for
//! under
//! which it does not happen, from the pointer that is null, the assertion that does not hold, or the arguments of a run
//! that fails. For example, `int length(struct node *l) { return 1 + length_of(l->next); }` needs `l != NULL`.

use crate::confirm::key;
use crate::options::Language;
use crate::report::{EntryReport, one_line};
use crate::shape::Shape;
use crate::source::{Function, Translated};
use trifold_ir::{Finding, FindingKind, ProcId, Procedure, Program, Statement, Value, VarId};
use trifold_passes::{Demands, Missing, Path};

/// More preconditions than this are not looked for.
const MOST: usize = 12;

/// The preconditions of a function, as far as they are known.
#[derive(Default)]
pub struct Needs {
    /// As callers are to meet them.
    pub demands: Demands,
    /// As they are written.
    texts: Vec<String>,
}

impl Needs {
    /// The preconditions that stand in declarations, as far as parameters of the procedure are those of the function.
    pub fn declared(translated: &Translated, target: ProcId) -> Needs {
        let mut needs = Needs::default();
        let is_meant = |function: &&Function| function.procedures.contains(&target);
        let count = translated.program[target].parameters.len();
        if let Some(function) = translated.functions.iter().find(is_meant).filter(|f| f.parameters.len() == count) {
            for parameter in &function.not_null {
                needs.not_null(translated, target, Path { parameter: *parameter, fields: Vec::new() });
            }
        }
        needs
    }

    /// Looks for a precondition against one of the findings. Is there one?
    pub fn add(&mut self, translated: &Translated, target: ProcId, report: &EntryReport) -> bool {
        let Ok(outcome) = &report.outcome else { return false };
        let seen = outcome.findings.iter().filter(|finding| !FindingKind::UNSEEN.contains(&finding.kind));
        self.texts.len() < MOST && seen.into_iter().any(|finding| self.against(translated, target, finding, report))
    }

    fn against(
        &mut self,
        translated: &Translated,
        target: ProcId,
        finding: &Finding<Shape>,
        report: &EntryReport,
    ) -> bool {
        let program = &translated.program;
        let is_own = finding.place.procedure == target;
        let subject = finding.subject.filter(|_| is_own && finding.kind == FindingKind::NullDereference);
        let path = subject.and_then(|subject| path_of(program, &program[target], subject));
        if path.is_some_and(|path| self.not_null(translated, target, path)) {
            return true;
        }
        if finding.kind == FindingKind::Assertion && is_own && self.assertion(translated, target, finding) {
            return true;
        }
        // The pointers that are null in a run that fails.
        let witness = report.witnesses.get(&key(finding.kind, finding.place.span, translated));
        let call = witness.and_then(|witness| witness.account.as_ref()?.call.as_ref());
        let Some(values) = call.and_then(|call| Some(&call.state.frames.last()?.values)) else { return false };
        let parameters = &program[target].parameters;
        let is_null = |parameter: &VarId| values.get(parameter) == Some(&Value::Null);
        let null: Vec<usize> = (0..parameters.len()).filter(|at| is_null(&parameters[*at])).collect();
        null.into_iter().any(|parameter| self.not_null(translated, target, Path { parameter, fields: Vec::new() }))
    }

    fn not_null(&mut self, translated: &Translated, target: ProcId, path: Path) -> bool {
        if self.demands.not_null.contains(&path) {
            return false;
        }
        let program = &translated.program;
        let name = &program[program[target].parameters[path.parameter]].name;
        // An object on which a method is called is there.
        if name != "this" || !path.fields.is_empty() {
            let (arrow, null) = match translated.language {
                Language::C => ("->", "NULL"),
                Language::Java => (".", "null"),
            };
            let fields = path.fields.iter().map(|field| format!("{arrow}{}", program[*field].name));
            self.texts.push(format!("{name}{} != {null}", fields.collect::<String>()));
        }
        self.demands.not_null.push(path);
        true
    }

    /// A condition on parameters that keep their values.
    fn assertion(&mut self, translated: &Translated, target: ProcId, finding: &Finding<Shape>) -> bool {
        let body = &translated.program[target];
        let Some(Statement::Assert(condition)) = body.edges.get(finding.place.edge).map(|edge| &edge.statement) else {
            return false;
        };
        let mut is_fixed = true;
        condition.for_each_variable(&mut |variable| {
            is_fixed &= body.parameters.contains(&variable) && !is_assigned(body, variable);
        });
        if !is_fixed || self.demands.conditions.contains(condition) {
            return false;
        }
        self.texts.push(one_line(translated.sources.text(finding.place.span)));
        self.demands.conditions.push(condition.clone());
        true
    }

    /// The preconditions in words, with those that come from the way in which arguments are made up.
    pub fn texts(&self, missing: Missing) -> Vec<String> {
        let mut texts = self.texts.clone();
        if self.demands.apart && missing.sharing {
            texts.push("no object can be reached on two ways".to_string());
        }
        if missing.cycles {
            texts.push("objects form lists or trees, without a cycle".to_string());
        }
        texts
    }
}

/// How parameters lead to the value of a variable that is set once.
fn path_of(program: &Program, body: &Procedure, variable: VarId) -> Option<Path> {
    if let Some(parameter) = body.parameters.iter().position(|parameter| *parameter == variable) {
        return (!is_assigned(body, variable)).then(|| Path { parameter, fields: Vec::new() });
    }
    let mut assignments = body.edges.iter().filter(|edge| edge.statement.assigned() == Some(variable));
    let (Some(only), None) = (assignments.next(), assignments.next()) else { return None };
    match &only.statement {
        Statement::Load { object, field, .. } if !program[*field].embedded => {
            let mut path = path_of(program, body, *object)?;
            // A field that is written may have another value by then.
            let is_written = |edge: &trifold_ir::Edge| match &edge.statement {
                Statement::Store { field: written, .. } => written == field,
                Statement::Call { .. } | Statement::UnknownCall { .. } => true,
                _ => false,
            };
            path.fields.push(*field);
            (path.fields.len() <= 2 && !body.edges.iter().any(is_written)).then_some(path)
        }
        _ => None,
    }
}

fn is_assigned(body: &Procedure, variable: VarId) -> bool {
    body.edges.iter().any(|edge| edge.statement.assigned() == Some(variable))
}
