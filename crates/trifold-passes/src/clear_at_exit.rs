//! The end of a program that must not leave memory allocated.
//!
//! For example, a list that a global variable leads to when `main` returns is a leak.

use std::collections::BTreeSet;
use trifold_ir::{FieldId, ProcId, StructId, VarId};
use trifold_ir::{Node, Program, Scope};
use trifold_ir::{Operand, Region, Statement};
use trifold_source::Span;

/// Makes a new entry, which calls the old one and then clears all pointers that live for ever. So objects that only
/// they lead to are leaked when the program ends, at the place where its old entry ends.
pub fn clear_at_exit(program: &mut Program) {
    let Some(main) = program.entry else { return };
    let (exit, edges) = (program[main].exit, &program[main].edges);
    let span = edges.iter().rfind(|edge| edge.to == exit).map_or(program[main].span, |edge| edge.span);
    let procedure = program.add_procedure(&format!("the end of {}", program[main].name), program[main].span);
    let called_at = program[main].span;
    let mut end = End { procedure, at: program[procedure].entry, span: called_at, program };
    end.step(Statement::Call { to: None, targets: vec![main], arguments: Vec::new() });
    end.span = span;
    let objects = end.static_objects();
    for global in end.program.globals().filter(|global| end.program[*global].ty.is_pointer()).collect::<Vec<_>>() {
        match end.program[global].ty.target().filter(|_| objects.contains(&global)) {
            Some(structure) => end.clear_fields(global, structure),
            None => end.step(Statement::Set { to: global, value: Operand::Null }),
        }
    }
    let (at, exit) = (end.at, end.program[procedure].exit);
    program[procedure].add_edge(at, exit, Statement::Return, span);
    program.entry = Some(procedure);
}

struct End<'p> {
    program: &'p mut Program,
    procedure: ProcId,
    at: trifold_ir::NodeId,
    span: Span,
}

/// The names of structs of elements of an array begin with this. An array leads to its elements, which are part of it.
pub const ELEMENT_OF: &str = "element of ";

impl End<'_> {
    fn step(&mut self, statement: Statement) {
        let next = self.program[self.procedure].add_node(Node::default());
        self.program[self.procedure].add_edge(self.at, next, statement, self.span);
        self.at = next;
    }

    /// The globals that stand for objects of static memory.
    fn static_objects(&self) -> BTreeSet<VarId> {
        let edges = self.program.procedures.iter().flat_map(|procedure| &procedure.edges);
        let made = edges.filter_map(|edge| match edge.statement {
            Statement::Allocate { to, region: Region::Static, .. } => Some(to),
            _ => None,
        });
        made.filter(|to| self.program[*to].scope == Scope::Global).collect()
    }

    fn clear_fields(&mut self, object: VarId, structure: StructId) {
        for field in self.program[structure].fields.clone() {
            let FieldId(number) = field;
            match (self.program[field].embedded, self.program[field].ty) {
                (true, ty) => {
                    let Some(part) = ty.target() else { continue };
                    // The elements are part of the object, so they are not lost; what they hold is not looked at.
                    if self.program[part].name.starts_with(ELEMENT_OF) {
                        let text = "what an array of pointers in static memory holds at the end".to_string();
                        self.step(Statement::Unsupported { text });
                        continue;
                    }
                    let name = format!("part {number} of {}", object.0);
                    let to = self.program.add_variable(&name, ty, Scope::Local(self.procedure), self.span);
                    self.step(Statement::Load { to, object, field });
                    self.clear_fields(to, part);
                }
                (false, ty) if ty.is_pointer() => self.step(Statement::Store { object, field, value: Operand::Null }),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::clear_at_exit;
    use trifold_ir::{FindingKind, Options, Seeded, interpret, parse, validate};

    #[test]
    fn what_only_globals_lead_to_is_leaked() {
        let text = "struct node { node *next; } struct pair { embedded node first; node *second; }
            global node *g; global pair *p;
            entry proc main() { node *x; node *y; p = static zeroed pair; CODE }";
        let cases = [
            ("", 0),
            ("g = new zeroed node;", 1),
            ("p->second = new_;", 1),
            ("x = new zeroed node; y = p->first; y->next = x;", 1),
            ("x = new zeroed node; free(x);", 0),
        ];
        for (code, leaks) in cases {
            let code = code.replace("p->second = new_;", "x = new zeroed node; p->second = x;");
            let (mut program, _) = parse("t", &text.replace("CODE", &code)).map_err(|f| f.diagnostics).unwrap();
            let count = |program: &trifold_ir::Program| {
                let entry = program.entry.unwrap();
                let run = interpret(program, entry, &Options::default(), &mut Seeded::new(1), &mut |_, _| {});
                run.findings.iter().filter(|finding| finding.kind == FindingKind::Leak).count()
            };
            assert_eq!(count(&program), 0, "{code}");
            clear_at_exit(&mut program);
            validate(&program).unwrap();
            assert_eq!(count(&program), leaks, "{code}");
        }
    }
}
