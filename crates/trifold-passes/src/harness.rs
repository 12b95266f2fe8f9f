//! A caller for a procedure that has none: it makes arguments and passes them.
//!
//! A pointer argument is null, or leads to an object below which others hang like a tree: fields lead away from the
//! root, those that lead back over another field ([`inverse_fields`], or a field with a name like `prev`) lead to where
//! they come from, and no object is reached on two ways. Scalars have any value. Different arguments share nothing, and
//! pointers of an unknown type are null. All of these are assumptions about callers; the report of a result must say
//! so.
//!
//! An argument grows from its root: again and again, an object is chosen by walking down from there, and if one of its
//! fields is null an object is made for it. For example, `f(node *x)` with `struct node { node *next; }` is called with
//! null and with lists of all lengths.

use crate::contracts::leads_back;
use crate::link_usage::inverse_fields;
use std::collections::{BTreeMap, BTreeSet};
use trifold_ir::{
    Condition, Expr, FieldId, Node, NodeId, Operand, ProcId, Program, Region, Scope, Statement, StructId, Type, VarId,
};
use trifold_source::Span;

/// Why there are no arguments for a procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoArguments {
    /// The parameter.
    pub parameter: VarId,
    /// The reason.
    pub why: &'static str,
}

/// Callers for procedures of a program.
#[derive(Clone, Debug)]
pub struct Callers {
    /// Pairs of fields of which the second one leads back over the first.
    inverse: Vec<(FieldId, FieldId)>,
}

impl Callers {
    /// Looks at how the program uses its fields.
    pub fn of(program: &Program) -> Callers {
        let all: Vec<ProcId> = program.procedure_ids().collect();
        Callers { inverse: inverse_fields(program, &all) }
    }

    /// Adds a procedure that calls the target, after a call of `first`, with all arguments that it can make.
    pub fn add(&self, program: &mut Program, target: ProcId, first: Option<ProcId>) -> Result<ProcId, NoArguments> {
        let span = program[target].span;
        let name = format!("the caller of {}", program[target].name);
        let procedure = program.add_procedure(&name, span);
        let at = program[procedure].entry;
        let mut caller = Caller { program, procedure, span, at, inverse: &self.inverse, cursors: BTreeMap::new() };
        if let Some(first) = first {
            caller.step(Statement::Call { to: None, targets: vec![first], arguments: Vec::new() });
        }
        let parameters = caller.program[target].parameters.clone();
        let arguments: Result<Vec<Operand>, NoArguments> =
            parameters.iter().map(|parameter| caller.argument(*parameter)).collect();
        let called = arguments.map(|arguments| {
            let result = caller.program[target].result.map(|result| caller.local("result", caller.program[result].ty));
            caller.step(Statement::Call { to: result, targets: vec![target], arguments });
            procedure
        });
        // The procedure must be well formed, even if it is not needed.
        caller.step(Statement::Stop);
        let (at, exit) = (caller.at, caller.program[procedure].exit);
        caller.edge(at, exit, Statement::Return);
        called
    }
}

struct Caller<'p> {
    program: &'p mut Program,
    procedure: ProcId,
    span: Span,
    /// Where the next statement starts.
    at: NodeId,
    inverse: &'p [(FieldId, FieldId)],
    /// A variable for an object that has been walked to, and one for the next object.
    cursors: BTreeMap<StructId, (VarId, VarId)>,
}

impl Caller<'_> {
    fn local(&mut self, name: &str, ty: Type) -> VarId {
        self.program.add_variable(name, ty, Scope::Local(self.procedure), self.span)
    }

    fn node(&mut self) -> NodeId {
        self.program[self.procedure].add_node(Node::default())
    }

    fn edge(&mut self, from: NodeId, to: NodeId, statement: Statement) {
        let span = self.span;
        self.program[self.procedure].add_edge(from, to, statement, span);
    }

    fn step(&mut self, statement: Statement) {
        let next = self.node();
        self.edge(self.at, next, statement);
        self.at = next;
    }

    fn argument(&mut self, parameter: VarId) -> Result<Operand, NoArguments> {
        let (ty, name) = (self.program[parameter].ty, self.program[parameter].name.clone());
        match ty {
            Type::Scalar(_) => {
                let variable = self.local(&name, ty);
                self.step(Statement::open(variable));
                Ok(Operand::Scalar(Expr::Variable(variable)))
            }
            Type::Pointer(None) => Ok(Operand::Null),
            Type::Pointer(Some(structure)) => {
                let structs = self.below(structure);
                if structs.iter().any(|s| !self.program.parts(&self.program[*s]).is_empty()) {
                    return Err(NoArguments { parameter, why: "it leads to objects inside of objects" });
                }
                // Objects of the target's caller do not get lost, for any effect of the target, because global
                // variables hold them.
                let name = format!("{name} of {}", self.program[self.procedure].name);
                let root = self.program.add_variable(&name, ty, Scope::Global, self.span);
                self.grow(root, structure, &structs);
                Ok(Operand::Pointer(root))
            }
        }
    }

    /// Pointer fields that lead away from the root.
    fn forward(&self, structure: StructId) -> Vec<(FieldId, StructId)> {
        let fields = self.program[structure].fields.iter().copied();
        let leads_back = |field: FieldId| {
            self.inverse.iter().any(|(_, back)| *back == field) || leads_back(&self.program[field].name)
        };
        fields.filter(|f| !leads_back(*f)).filter_map(|f| Some((f, self.program[f].ty.target()?))).collect()
    }

    /// Fields of objects at the end of a field that lead back to where it comes from.
    fn backward(&self, field: FieldId, target: StructId) -> Vec<FieldId> {
        let forward: Vec<FieldId> = self.forward(target).into_iter().map(|(field, _)| field).collect();
        let leads_there = |f: &FieldId| self.program[*f].ty.target() == Some(self.program[field].structure);
        self.program[target].fields.iter().copied().filter(|f| leads_there(f) && !forward.contains(f)).collect()
    }

    /// The structs of everything that can hang below an object.
    fn below(&self, root: StructId) -> Vec<StructId> {
        let mut found = vec![root];
        let mut next = 0;
        while let Some(structure) = found.get(next).copied() {
            let targets: BTreeSet<StructId> = self.forward(structure).into_iter().map(|(_, target)| target).collect();
            found.extend(targets.into_iter().filter(|target| !found.contains(target)).collect::<Vec<_>>());
            next += 1;
        }
        found
    }

    fn cursors(&mut self, structure: StructId) -> (VarId, VarId) {
        if let Some(known) = self.cursors.get(&structure) {
            return *known;
        }
        let (ty, name) = (Type::Pointer(Some(structure)), self.program[structure].name.clone());
        let made = (self.local(&format!("{name} here"), ty), self.local(&format!("{name} below"), ty));
        self.cursors.insert(structure, made);
        made
    }

    /// Makes everything that can hang below a root of one of these structs.
    fn grow(&mut self, root: VarId, structure: StructId, structs: &[StructId]) {
        let (start, end) = (self.at, self.node());
        self.edge(start, end, Statement::Set { to: root, value: Operand::Null });
        self.allocate(root, structure);
        let head = self.program[self.procedure].add_node(Node { loop_head: true, ..Node::default() });
        self.edge(self.at, head, Statement::Skip);
        self.edge(head, end, Statement::Skip);
        let here: BTreeMap<StructId, NodeId> = structs.iter().map(|s| (*s, self.node())).collect();
        let (cursor, _) = self.cursors(structure);
        self.edge(head, here[&structure], Statement::Set { to: cursor, value: Operand::Pointer(root) });
        for from in structs {
            let forward = self.forward(*from);
            if forward.is_empty() {
                self.edge(here[from], head, Statement::Skip);
            }
            for (field, to) in forward {
                let (object, (next, below)) = (self.cursors(*from).0, self.cursors(to));
                self.at = here[from];
                self.step(Statement::Load { to: below, object, field });
                let is_null = |equal| {
                    let (left, right) = (Operand::Pointer(below), Operand::Null);
                    Statement::Assume(Condition::Pointers { left, right, equal })
                };
                let decide = self.at;
                self.step(is_null(false));
                self.edge(self.at, here[&to], Statement::Set { to: next, value: Operand::Pointer(below) });
                self.at = decide;
                self.step(is_null(true));
                self.allocate(below, to);
                self.step(Statement::Store { object, field, value: Operand::Pointer(below) });
                for back in self.backward(field, to) {
                    self.step(Statement::Store { object: below, field: back, value: Operand::Pointer(object) });
                }
                self.edge(self.at, head, Statement::Skip);
            }
        }
        self.at = end;
    }

    /// A new object whose pointers are null. A scalar without value has any value.
    fn allocate(&mut self, to: VarId, structure: StructId) {
        self.step(Statement::Allocate { to, structure, region: Region::Heap, zeroed: false, may_fail: false });
        for field in self.program[structure].fields.clone() {
            if self.program[field].ty.is_pointer() {
                self.step(Statement::Store { object: to, field, value: Operand::Null });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trifold_ir::{FindingKind, Seeded, interpret, parse, validate};

    const STRUCTS: &str = "struct list { list *next; i32 data; }
        struct tree { tree *left; tree *right; tree *parent; list *items; }
        struct bag { void *any; list *first; }
        struct leaf { i32 data; } struct branch { branch *next; leaf *leaf; }\n";

    /// The program with a caller of `target`, which must be well formed.
    fn called(procedures: &str) -> (Program, ProcId) {
        let (mut program, _) = parse("test", &format!("{STRUCTS}{procedures}")).map_err(|f| f.diagnostics).unwrap();
        let target = program.procedure_named("target").unwrap();
        let caller = Callers::of(&program).add(&mut program, target, None).unwrap();
        validate(&program).unwrap();
        (program, caller)
    }

    fn kinds(program: &Program, entry: ProcId) -> BTreeSet<FindingKind> {
        let options = trifold_ir::Options::default();
        let run = |seed| interpret(program, entry, &options, &mut Seeded::new(seed), &mut |_, _| {});
        (0..500).flat_map(|seed| run(seed).findings).map(|finding| finding.kind).collect()
    }

    #[test]
    fn arguments_are_trees_with_back_pointers() {
        let walk = "proc target(tree *t, bag *b) {
            tree *u; list *l; i32 i;
            if (t != null) {
                u = t->parent; assert(u == null);
                while (t != null) {
                    u = t->left;
                    if (u != null) { u = u->parent; assert(u == t); }
                    if (*) { t = t->left; } else { t = t->right; }
                }
            }
            if (b != null) { l = b->first; while (l != null) { i = l->data; l = l->next; } }
        }";
        let (program, caller) = called(walk);
        assert_eq!(kinds(&program, caller), BTreeSet::new());
    }

    #[test]
    fn arguments_may_lead_to_objects_that_lead_nowhere() {
        let read = "proc target(leaf *l, branch *b) {
            i32 i;
            if (l != null) { i = l->data; }
            while (b != null) { l = b->leaf; if (l != null) { i = l->data; } b = b->next; }
        }";
        let (program, caller) = called(read);
        assert_eq!(kinds(&program, caller), BTreeSet::new());
        let (program, caller) = called(&read.replace("if (l != null) { i = l->data; } b", "i = l->data; b"));
        assert_eq!(kinds(&program, caller), BTreeSet::from([FindingKind::NullDereference]));
    }

    #[test]
    fn what_has_no_caller_leaves_the_program_well_formed() {
        let text =
            format!("{STRUCTS} struct whole {{ embedded leaf part; }} proc target(i32 i, list *l, whole *w) {{ }}");
        let (mut program, _) = parse("test", &text).map_err(|f| f.diagnostics).unwrap();
        let target = program.procedure_named("target").unwrap();
        assert!(Callers::of(&program).add(&mut program, target, None).is_err());
        validate(&program).unwrap();
    }

    #[test]
    fn every_case_comes_up() {
        let errors = [
            "list *m; m = l->next;",
            "list *m; if (l != null) { m = l->next; assert(m == null); }",
            "list *m; if (l != null) { m = l->next; if (m != null) { m = m->next; if (m != null) { m = m->next; assert(m == null); } } }",
            "i32 i; if (l != null) { i = l->data; assert(i != 0); }",
        ];
        for error in errors {
            let (program, caller) = called(&format!("proc target(list *l) {{ {error} }}"));
            assert_eq!(kinds(&program, caller).len(), 1, "{error}");
        }
    }
}
