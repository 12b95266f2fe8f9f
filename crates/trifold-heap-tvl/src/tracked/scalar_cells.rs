//! Which scalars are tracked, and how finely.
//!
//! The values of a variable are divided at the constants that conditions compare it with. Only the cell of this
//! partition is known of a value: for example, `if (flag == 2)` needs "less", "2" and "greater". A variable that is
//! copied to another one is divided where that one is. A variable that no condition compares with a constant is not
//! tracked; conditions on it may hold or not.

use std::collections::{BTreeMap, BTreeSet};
use trifold_ir::{BinaryOp, Condition, Expr, FieldId, Operand, ProcId, Program, Scalar, Statement, Type, VarId};
use trifold_passes::intervals::Interval;

/// Variables with more cells are not tracked: counters that count to several places.
const MAX_CELLS: usize = 10;
/// The same for variables that only get constants, like the states of an automaton: there are not many values at a
/// time.
const MAX_CONSTANTS: usize = 16;
/// The same for fields, whose cells tell objects apart.
const MAX_FIELD_CELLS: usize = 4;

/// A variable or a field.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Holder {
    Variable(VarId),
    Field(FieldId),
}

/// The partitions of everything that is tracked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Partitions {
    pub cells: BTreeMap<Holder, Vec<Interval>>,
}

impl Partitions {
    pub fn of(program: &Program, procedures: &[ProcId]) -> Partitions {
        let mut finder = Finder { program, cuts: BTreeMap::new() };
        let statements: Vec<&Statement> =
            procedures.iter().flat_map(|p| &program[*p].edges).map(|edge| &edge.statement).collect();
        loop {
            let before = finder.cuts.clone();
            statements.iter().for_each(|statement| finder.statement(statement));
            if finder.cuts == before {
                break;
            }
        }
        let Finder { cuts, .. } = finder;
        let computed = computed(program, &statements);
        let mut cells = BTreeMap::new();
        for (holder, cuts) in cuts {
            let (limit, ty) = match holder {
                Holder::Variable(variable) if computed.contains(&variable) => (MAX_CELLS, program[variable].ty),
                Holder::Variable(variable) => (MAX_CONSTANTS, program[variable].ty),
                Holder::Field(field) => (MAX_FIELD_CELLS, program[field].ty),
            };
            let Type::Scalar(scalar) = ty else { continue };
            let divided = divide(scalar, &cuts);
            if (2..=limit).contains(&divided.len()) {
                cells.insert(holder, divided);
            }
        }
        Partitions { cells }
    }
}

/// The variables that get anything but constants, and copies of variables that do not either.
fn computed(program: &Program, statements: &[&Statement]) -> BTreeSet<VarId> {
    let mut found = BTreeSet::new();
    loop {
        let before = found.len();
        let is_known = |expr: &Expr, found: &BTreeSet<VarId>| match plain(expr) {
            Some(from) => !found.contains(&from),
            None => matches!(expr, Expr::Constant(..)),
        };
        for statement in statements {
            match statement {
                Statement::Set { to, value: Operand::Scalar(expr) } if !is_known(expr, &found) => {
                    found.insert(*to);
                }
                Statement::Call { to, targets, arguments } => {
                    for target in targets {
                        for (parameter, argument) in program[*target].parameters.iter().zip(arguments) {
                            if !matches!(argument, Operand::Scalar(expr) if is_known(expr, &found)) {
                                found.insert(*parameter);
                            }
                        }
                        let result = program[*target].result;
                        found.extend(to.filter(|_| result.is_none_or(|result| found.contains(&result))));
                    }
                }
                Statement::Set { .. } => {}
                statement => found.extend(statement.assigned()),
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// The partition of the values of a type: each cut is the first number of a cell.
fn divide(scalar: Scalar, cuts: &BTreeSet<i128>) -> Vec<Interval> {
    let (least, greatest) = scalar.range();
    let firsts: BTreeSet<i128> =
        cuts.iter().copied().filter(|cut| (least..=greatest).contains(cut)).chain([least]).collect();
    let nexts = firsts.iter().skip(1).map(|next| next - 1).chain([greatest]);
    firsts.iter().copied().zip(nexts).collect()
}

struct Finder<'p> {
    program: &'p Program,
    cuts: BTreeMap<Holder, BTreeSet<i128>>,
}

impl Finder<'_> {
    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Assume(Condition::Scalar(expr)) | Statement::Assert(Condition::Scalar(expr)) => self.truth(expr),
            Statement::Set { to, value: Operand::Scalar(expr) } => self.assigned(Holder::Variable(*to), expr),
            Statement::Store { field, value: Operand::Scalar(expr), .. } => self.assigned(Holder::Field(*field), expr),
            Statement::Load { to, field, .. } => self.copied(Holder::Variable(*to), Holder::Field(*field)),
            Statement::Call { to, targets, arguments } => {
                for target in targets {
                    for (parameter, argument) in self.program[*target].parameters.iter().zip(arguments) {
                        if let Operand::Scalar(expr) = argument {
                            self.assigned(Holder::Variable(*parameter), expr);
                        }
                    }
                    if let (Some(to), Some(result)) = (to, self.program[*target].result) {
                        self.copied(Holder::Variable(*to), Holder::Variable(result));
                    }
                }
            }
            _ => {}
        }
    }

    /// `to = expr`: a tracked Boolean makes the comparisons in the expression matter.
    fn assigned(&mut self, to: Holder, expr: &Expr) {
        if !self.cuts.contains_key(&to) {
            return;
        }
        if let Some(from) = plain(expr) {
            self.copied(to, Holder::Variable(from));
        } else if self.program.scalar_of(expr) == Some(Scalar::Bool) || has_comparison(expr) {
            self.truth(expr);
        }
    }

    /// The source of a copy is divided like its destination.
    fn copied(&mut self, to: Holder, from: Holder) {
        if let Some(cuts) = self.cuts.get(&to).cloned() {
            self.cuts.entry(from).or_default().extend(cuts);
        }
    }

    /// The expression decides something.
    fn truth(&mut self, expr: &Expr) {
        match expr {
            Expr::Constant(..) => {}
            Expr::Variable(variable) => self.cut(*variable, [0, 1]),
            Expr::Unary(_, operand) => self.truth(operand),
            Expr::Convert(_, operand) => self.truth(operand),
            Expr::Binary(op, left, right) => match (plain(left), &**right, plain(right), &**left) {
                (Some(variable), Expr::Constant(value, _), ..) | (_, _, Some(variable), Expr::Constant(value, _)) => {
                    self.compared(variable, *op, *value, plain(left).is_some());
                }
                _ => {
                    self.truth_of_operand(left);
                    self.truth_of_operand(right);
                }
            },
        }
    }

    /// Operands of comparisons and connectives matter as far as they are comparisons themselves.
    fn truth_of_operand(&mut self, expr: &Expr) {
        let is_truth = self.program.scalar_of(expr) == Some(Scalar::Bool);
        if is_truth || has_comparison(expr) {
            self.truth(expr);
        }
    }

    fn compared(&mut self, variable: VarId, op: BinaryOp, value: i128, variable_first: bool) {
        match op {
            BinaryOp::Equal | BinaryOp::NotEqual => self.cut(variable, [value, value + 1]),
            BinaryOp::Less | BinaryOp::GreaterEqual if variable_first => self.cut(variable, [value]),
            BinaryOp::Greater | BinaryOp::LessEqual if !variable_first => self.cut(variable, [value]),
            BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => {
                self.cut(variable, [value + 1]);
            }
            _ => {}
        }
    }

    fn cut(&mut self, variable: VarId, at: impl IntoIterator<Item = i128>) {
        self.cuts.entry(Holder::Variable(variable)).or_default().extend(at);
    }
}

/// The variable whose value the expression has, up to a conversion.
pub(crate) fn plain(expr: &Expr) -> Option<VarId> {
    match expr {
        Expr::Variable(variable) => Some(*variable),
        Expr::Convert(Scalar::Int { .. }, operand) => plain(operand),
        _ => None,
    }
}

fn has_comparison(expr: &Expr) -> bool {
    match expr {
        Expr::Constant(..) | Expr::Variable(_) => false,
        Expr::Unary(_, operand) | Expr::Convert(_, operand) => has_comparison(operand),
        Expr::Binary(op, left, right) => op.is_comparison() || has_comparison(left) || has_comparison(right),
    }
}
