//! Shapes that contracts can speak of without a checker: `list(x)` and `tree(x)`, of any struct that has pointers to
//! its own kind.
//!
//! They are functions as a programmer would write them:
//!
//! ```text
//! bool tree(struct node *p, struct node *back) {
//!     return p == NULL || (p->parent == back && tree(p->left, p) && tree(p->right, p));
//! }
//! ```

use trifold_ir::Scalar;
use trifold_ir::{Condition, Expr, Operand, Statement};
use trifold_ir::{FieldId, NodeId, ProcId, StructId, VarId};
use trifold_ir::{Node, Program, Scope, Type};
use trifold_source::Span;

/// Names of fields that lead back.
const BACK: [&str; 9] = ["prev", "previous", "prior", "pred", "back", "parent", "up", "prv", "blink"];

/// Does a field lead back, by its name?
pub fn leads_back(name: &str) -> bool {
    BACK.contains(&name.to_lowercase().as_str())
}

/// The function of a shape and a struct, which is made if there is none yet, and whether it takes the element before as
/// an argument; or why there is none.
pub(super) fn shape(
    program: &mut Program,
    name: &str,
    structure: StructId,
    span: Span,
) -> Result<(ProcId, bool), String> {
    let fields = program[structure].fields.iter().copied();
    let links = fields.filter(|field| program[*field].ty.target() == Some(structure) && !program[*field].embedded);
    let (back, on): (Vec<FieldId>, Vec<FieldId>) = links.partition(|field| leads_back(&program[*field].name));
    let owner = program[structure].name.clone();
    match (name, on.len()) {
        ("list", 1) | ("tree", 2..) => {}
        ("list", count) => {
            return Err(format!(
                "`list` needs a struct with one pointer to its own kind that leads on, and `{owner}` has {count}"
            ));
        }
        (_, count) => {
            return Err(format!(
                "`tree` needs a struct with several pointers to its own kind that lead on, and `{owner}` has {count}"
            ));
        }
    }
    let full = format!("{name} of {owner}");
    let has_back = !back.is_empty();
    if let Some(known) = program.procedure_named(&full) {
        return Ok((known, has_back));
    }
    let procedure = program.add_procedure(&full, span);
    let pointer = Type::Pointer(Some(structure));
    let element = program.add_variable("$p", pointer, Scope::Parameter(procedure), span);
    let before = has_back.then(|| program.add_variable("$back", pointer, Scope::Parameter(procedure), span));
    let truth = Type::Scalar(Scalar::Bool);
    let result = program.add_variable("$result", truth, Scope::Local(procedure), span);
    let next = program.add_variable("$next", pointer, Scope::Local(procedure), span);
    program[procedure].result = Some(result);
    let at = program[procedure].entry;
    let mut shape = Shape { program, procedure, span, at, element, before, result, next };
    shape.body(&back, &on);
    Ok((procedure, has_back))
}

struct Shape<'p> {
    program: &'p mut Program,
    procedure: ProcId,
    span: Span,
    /// Where the next statement starts.
    at: NodeId,
    element: VarId,
    before: Option<VarId>,
    result: VarId,
    next: VarId,
}

impl Shape<'_> {
    fn step(&mut self, statement: Statement) {
        let to = self.program[self.procedure].add_node(Node::default());
        self.program[self.procedure].add_edge(self.at, to, statement, self.span);
        self.at = to;
    }

    /// Goes on if a condition holds; otherwise the result is settled.
    fn unless(&mut self, condition: Condition, result: i128) {
        let here = self.at;
        self.step(Statement::Assume(condition.negated()));
        self.give(result);
        self.at = here;
        self.step(Statement::Assume(condition));
    }

    fn give(&mut self, result: i128) {
        let value = Operand::Scalar(Expr::Constant(result, Scalar::Bool));
        self.step(Statement::Set { to: self.result, value });
        let exit = self.program[self.procedure].exit;
        self.program[self.procedure].add_edge(self.at, exit, Statement::Return, self.span);
    }

    fn body(&mut self, back: &[FieldId], on: &[FieldId]) {
        let same = |left: VarId, right: Operand, equal: bool| Condition::Pointers {
            left: Operand::Pointer(left),
            right,
            equal,
        };
        self.unless(same(self.element, Operand::Null, false), 1);
        for field in back {
            self.step(Statement::Load { to: self.next, object: self.element, field: *field });
            let before = self.before.map_or(Operand::Null, Operand::Pointer);
            self.unless(same(self.next, before, true), 0);
        }
        for field in on {
            self.step(Statement::Load { to: self.next, object: self.element, field: *field });
            let mut arguments = vec![Operand::Pointer(self.next)];
            arguments.extend(self.before.map(|_| Operand::Pointer(self.element)));
            self.step(Statement::Call { to: Some(self.result), targets: vec![self.procedure], arguments });
            let holds = Expr::Variable(self.result);
            self.unless(Condition::Scalar(holds), 0);
        }
        self.give(1);
    }
}
