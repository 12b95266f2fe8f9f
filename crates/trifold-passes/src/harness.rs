//! A caller for a procedure that has none: it makes arguments and passes them.
//!
//! A pointer argument is null, or leads to an object below which others hang like a tree: fields lead away from the
//! root, those that lead back over another field ([`inverse_fields`], or a field with a name like `prev`) lead to where
//! they come from. Scalars have any value. A pointer of an unknown type leads to an object of a type that the procedure
//! takes it for, or to something of which nothing is known.
//!
//! Objects can be [shared](Demands::apart): a second argument may lead into the first, and where an object has two
//! ways to
//! objects of one type, such as `head` and `tail`, both may lead to the same one. Otherwise each is reached on one way.
//! All of these are assumptions about callers; the report of a result must say so.
//!
//! An argument grows from its root: again and again, an object is chosen by walking down from there, and if one of its
//! fields is null an object is made for it. For example, `f(node *x)` with `struct node { node *next; }` is called with
//! null and with lists of all lengths.
//!
//! What a procedure [demands](Demands) of its arguments is assumed before the call, for example that `x` is not null.

use crate::call_graph::CallGraph;
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

/// A pointer that an argument leads to: the argument itself, or what is found along fields.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Path {
    /// The number of the parameter.
    pub parameter: usize,
    /// The fields on the way.
    pub fields: Vec<FieldId>,
}

/// What must hold of arguments.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Demands {
    /// Does each object have one way to it only?
    pub apart: bool,
    /// Pointers that are not null.
    pub not_null: Vec<Path>,
    /// Conditions on parameters.
    pub conditions: Vec<Condition>,
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

    /// Adds a procedure that calls the target, after a call of `first`, with all arguments that it can make and that
    /// satisfy the demands.
    pub fn add(
        &self,
        program: &mut Program,
        target: ProcId,
        first: Option<ProcId>,
        demands: &Demands,
    ) -> Result<ProcId, NoArguments> {
        let span = program[target].span;
        let known = |name: &str| program.procedure_named(name).is_some();
        let first_name = format!("the caller of {}", program[target].name);
        let mut numbered = (2..).map(|number| format!("{first_name} ({number})"));
        let name = if known(&first_name) { numbered.find(|name| !known(name)) } else { Some(first_name.clone()) };
        let name = name.unwrap_or(first_name);
        let procedure = program.add_procedure(&name, span);
        let at = program[procedure].entry;
        let (inverse, apart) = (&self.inverse[..], demands.apart);
        let (cursors, seen) = (BTreeMap::new(), BTreeMap::new());
        let mut caller = Caller { program, procedure, target, span, at, inverse, cursors, apart, seen };
        if let Some(first) = first {
            caller.step(Statement::Call { to: None, targets: vec![first], arguments: Vec::new() });
        }
        let parameters = caller.program[target].parameters.clone();
        let arguments: Result<Vec<Operand>, NoArguments> =
            parameters.iter().map(|parameter| caller.argument(*parameter)).collect();
        let called = arguments.map(|arguments| {
            // The call must not know more ways to objects than its arguments are.
            for seen in caller.seen.clone().into_values() {
                caller.step(Statement::Set { to: seen, value: Operand::Null });
            }
            caller.demand(demands, &arguments);
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

/// What arguments that are made up do not have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Missing {
    /// Objects that lead back to themselves, although their types would allow for it and the procedure would notice.
    pub cycles: bool,
    /// Objects to which there are two ways, although there could be.
    pub sharing: bool,
}

impl Callers {
    /// What callers of a procedure leave out, if each object has one way to it only.
    pub fn missing(&self, program: &mut Program, target: ProcId) -> Missing {
        let (procedure, span) = (target, program[target].span);
        let at = program[target].entry;
        let (cursors, seen) = (BTreeMap::new(), BTreeMap::new());
        let inverse = &self.inverse[..];
        let caller = Caller { program, procedure, target, span, at, inverse, cursors, apart: true, seen };
        let parameters = caller.program[target].parameters.iter();
        let structs: BTreeSet<StructId> = parameters
            .filter_map(|parameter| caller.program[*parameter].ty.target().or_else(|| caller.taken_for(*parameter)))
            .flat_map(|structure| caller.below(structure))
            .collect();
        let all: Vec<StructId> = structs.into_iter().collect();
        let sharing = !caller.shared_later(&all).is_empty();
        Missing { cycles: follows_a_cycle(program, target, &all), sharing }
    }
}

/// Does a call go from objects of one of these structs to others of the same one? If it reads none, it does not
/// notice whether they lead around.
fn follows_a_cycle(program: &Program, target: ProcId, structs: &[StructId]) -> bool {
    let mut steps: BTreeMap<StructId, BTreeSet<StructId>> = BTreeMap::new();
    for procedure in CallGraph::of(program).reached(target) {
        for edge in &program[procedure].edges {
            if let Statement::Load { field, .. } = &edge.statement
                && let Some(to) = program[*field].ty.target()
            {
                steps.entry(program[*field].structure).or_default().insert(to);
            }
        }
    }
    structs.iter().any(|start| {
        let (mut found, mut open) = (BTreeSet::new(), vec![*start]);
        while let Some(at) = open.pop() {
            open.extend(steps.get(&at).into_iter().flatten().filter(|to| found.insert(**to)));
        }
        found.contains(start)
    })
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
    /// The procedure that is called.
    target: ProcId,
    /// Does each object have one way to it?
    apart: bool,
    /// A variable for any object of a struct that has been made, or null.
    seen: BTreeMap<StructId, VarId>,
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
            Type::Pointer(None) => match self.taken_for(parameter) {
                Some(structure) => self.object_argument(parameter, structure),
                None => Ok(self.something(&name)),
            },
            Type::Pointer(Some(structure)) => self.object_argument(parameter, structure),
        }
    }

    /// The struct of objects that the procedure takes a pointer of unknown type for, if it is one.
    fn taken_for(&self, parameter: VarId) -> Option<StructId> {
        let mut copies = BTreeSet::from([parameter]);
        let mut found = BTreeSet::new();
        for _ in 0..=self.program[self.target].edges.len() {
            let before = copies.len();
            for edge in &self.program[self.target].edges {
                if let Statement::Set { to, value: Operand::Pointer(from) } = edge.statement
                    && copies.contains(&from)
                {
                    match self.program[to].ty.target() {
                        Some(structure) => _ = found.insert(structure),
                        None => _ = copies.insert(to),
                    }
                }
            }
            if copies.len() == before {
                break;
            }
        }
        (found.len() == 1).then(|| found.pop_first()).flatten()
    }

    /// Null, or an object of which nothing is known.
    fn something(&mut self, name: &str) -> Operand {
        const SOMETHING: &str = "something";
        let span = self.span;
        let structure = match self.program.struct_named(SOMETHING) {
            Some(known) => known,
            None => self.program.add_struct(SOMETHING, span),
        };
        let name = format!("{name} of {}", self.program[self.procedure].name);
        let root = self.program.add_variable(&name, Type::Pointer(Some(structure)), Scope::Global, self.span);
        let (start, end) = (self.at, self.node());
        self.edge(start, end, Statement::Set { to: root, value: Operand::Null });
        self.allocate(root, structure);
        self.edge(self.at, end, Statement::Skip);
        self.at = end;
        Operand::Pointer(root)
    }

    fn object_argument(&mut self, parameter: VarId, structure: StructId) -> Result<Operand, NoArguments> {
        let name = self.program[parameter].name.clone();
        let ty = Type::Pointer(Some(structure));
        let structs = self.below(structure);
        if structs.iter().any(|s| !self.program.parts(&self.program[*s]).is_empty()) {
            return Err(NoArguments { parameter, why: "it leads to objects inside of objects" });
        }
        // Objects of the target's caller do not get lost, for any effect of the target, because global
        // variables hold them.
        let name = format!("{name} of {}", self.program[self.procedure].name);
        let root = self.program.add_variable(&name, ty, Scope::Global, self.span);
        // An earlier argument may lead to it, too.
        let (start, end) = (self.at, self.node());
        if let Some(seen) = self.seen.get(&structure).copied() {
            self.edge(start, end, Statement::Set { to: root, value: Operand::Pointer(seen) });
        }
        self.grow(root, structure, &structs);
        self.edge(self.at, end, Statement::Skip);
        self.at = end;
        Ok(Operand::Pointer(root))
    }

    /// Goes on only where the demands are met.
    fn demand(&mut self, demands: &Demands, arguments: &[Operand]) {
        let not_null = |variable| {
            let (left, right) = (Operand::Pointer(variable), Operand::Null);
            Statement::Assume(Condition::Pointers { left, right, equal: false })
        };
        for path in &demands.not_null {
            let Some(Operand::Pointer(argument)) = arguments.get(path.parameter) else { continue };
            let mut at = *argument;
            self.step(not_null(at));
            for (number, field) in path.fields.iter().enumerate() {
                let ty = self.program[*field].ty;
                let next = self.local(&format!("demand {number} {}", self.program.variables.len()), ty);
                self.step(Statement::Load { to: next, object: at, field: *field });
                self.step(not_null(next));
                at = next;
            }
        }
        let parameters = self.program[self.target].parameters.clone();
        for condition in &demands.conditions {
            let of = |variable: VarId| {
                let position = parameters.iter().position(|parameter| *parameter == variable)?;
                arguments.get(position).cloned()
            };
            if let Some(condition) = substituted(condition, &of) {
                self.step(Statement::Assume(condition));
            }
        }
    }

    /// Fields to which another field of the same object offers a way, too.
    fn is_shared(&self, structure: StructId, field: FieldId, to: StructId) -> bool {
        let others = self.forward(structure).into_iter().filter(|(other, _)| *other != field);
        structure != to && others.into_iter().any(|(_, target)| self.below(target).contains(&to))
    }

    /// A variable for any object of a struct that has been made.
    fn seen(&mut self, structure: StructId) -> VarId {
        if let Some(known) = self.seen.get(&structure) {
            return *known;
        }
        let name = format!("any {} of {}", self.program[structure].name, self.program[self.procedure].name);
        let made = self.program.add_variable(&name, Type::Pointer(Some(structure)), Scope::Global, self.span);
        self.seen.insert(structure, made);
        made
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
        let wanted: BTreeSet<StructId> = if self.apart { BTreeSet::new() } else { self.shared_later(structs) };
        for from in structs {
            if wanted.contains(from) {
                let (seen, object) = (self.seen(*from), self.cursors(*from).0);
                self.edge(here[from], head, Statement::Set { to: seen, value: Operand::Pointer(object) });
            }
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
                if wanted.contains(&to) && self.is_shared(*from, field, to) {
                    let seen = self.seen(to);
                    self.edge(self.at, head, Statement::Store { object, field, value: Operand::Pointer(seen) });
                }
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

    /// The structs of objects to which there may be a second way: another field, or a later argument.
    fn shared_later(&self, structs: &[StructId]) -> BTreeSet<StructId> {
        let parameters = self.program[self.target].parameters.iter();
        let pointed: Vec<StructId> = parameters.filter_map(|parameter| self.program[*parameter].ty.target()).collect();
        let by_field = |to: StructId| {
            structs.iter().any(|from| {
                self.forward(*from).into_iter().any(|(field, target)| target == to && self.is_shared(*from, field, to))
            })
        };
        let reach = |to: StructId| pointed.iter().filter(|from| self.below(**from).contains(&to)).count() > 1;
        structs.iter().copied().filter(|to| by_field(*to) || pointed.contains(to) && reach(*to)).collect()
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

/// A condition on parameters as one on arguments, if they are variables or null.
fn substituted(condition: &Condition, of: &dyn Fn(VarId) -> Option<Operand>) -> Option<Condition> {
    match condition {
        Condition::Pointers { left, right, equal } => {
            let operand = |operand: &Operand| match operand {
                Operand::Pointer(variable) => of(*variable),
                other => Some(other.clone()),
            };
            Some(Condition::Pointers { left: operand(left)?, right: operand(right)?, equal: *equal })
        }
        Condition::Scalar(expr) => Some(Condition::Scalar(substituted_expr(expr, of)?)),
    }
}

fn substituted_expr(expr: &Expr, of: &dyn Fn(VarId) -> Option<Operand>) -> Option<Expr> {
    Some(match expr {
        Expr::Constant(..) => expr.clone(),
        Expr::Variable(variable) => match of(*variable)? {
            Operand::Scalar(value) => value,
            _ => return None,
        },
        Expr::Unary(op, operand) => Expr::Unary(*op, Box::new(substituted_expr(operand, of)?)),
        Expr::Binary(op, left, right) => {
            Expr::Binary(*op, Box::new(substituted_expr(left, of)?), Box::new(substituted_expr(right, of)?))
        }
        Expr::Convert(scalar, operand) => Expr::Convert(*scalar, Box::new(substituted_expr(operand, of)?)),
    })
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
        let caller = Callers::of(&program)
            .add(&mut program, target, None, &Demands { apart: true, ..Demands::default() })
            .unwrap();
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
        assert!(Callers::of(&program).add(&mut program, target, None, &Demands::default()).is_err());
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
