//! Which data the program compares with each other: of these the order of the objects is tracked [LevAmi00 §4.3],
//! [RinetzkySY05 §D].
//!
//! Numbers that are copied to each other, or compared with each other, form a *class*: fields, and the variables
//! through which their values go. For example, `a = x->d; b = y->d; if (a < b)` puts `d`, `a` and `b` into one class.
//! If all that is ever asked is whether they are equal, only that is tracked; it is called an order nevertheless.
//!
//! The order of a class is tracked if it has a field of the elements of a list that is loaded and compared, and if
//! without it an assertion may fail: nothing else would notice, and an order is dear. It tells states apart that differ
//! in nothing else.
//!
//! In trees, objects are told apart by how they compare to a variable that *steers* a walk: each turn that it takes
//! says how all that the walk leaves aside compares to it. Of other variables that are read again only matters which
//! object they are equal to.

use crate::tracked::families::Families;
use crate::tracked::scalar_cells::Holder;
use std::collections::{BTreeMap, BTreeSet};
use trifold_ir::{BinaryOp, Edge, Expr, Operand, ProcId, Program, Scalar, Statement, Type, VarId};
use trifold_passes::Liveness;
use trifold_passes::links::{LinkId, Links};

/// A class of numbers whose order is tracked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Compared {
    /// Where objects have such a number; no object has two.
    pub data: BTreeSet<LinkId>,
    /// The variables whose values are known in relation to those of objects.
    pub variables: BTreeSet<VarId>,
    /// Variables that are compared with each other.
    pub pairs: BTreeSet<(VarId, VarId)>,
    /// The links along which objects may be in order.
    pub spines: BTreeSet<LinkId>,
    /// The links of trees whose nodes may be in order.
    pub branches: BTreeSet<LinkId>,
    /// Variables that are compared again and again with the data of objects of a tree.
    pub steering: BTreeSet<VarId>,
    /// Other variables that are read again after something was found out about them, and those that get their values,
    /// if there are trees.
    pub remembered: BTreeSet<VarId>,
    /// Is it never asked which one is less?
    pub only_equal: bool,
}

impl Compared {
    /// The pairs of variables whose values are known.
    pub fn known_pairs(&self) -> impl Iterator<Item = &(VarId, VarId)> {
        self.pairs.iter().filter(|(a, b)| self.variables.contains(a) && self.variables.contains(b))
    }
}

/// The variable whose value the expression has, for every value.
pub(crate) fn same_value(program: &Program, expr: &Expr) -> Option<VarId> {
    match expr {
        Expr::Variable(variable) => Some(*variable),
        Expr::Convert(to @ Scalar::Int { .. }, operand) => {
            let (least, greatest) = program.scalar_of(operand)?.range();
            if to.contains(least) && to.contains(greatest) { same_value(program, operand) } else { None }
        }
        _ => None,
    }
}

/// The classes of numbers whose order is tracked.
pub(crate) fn compared(
    program: &Program,
    procedures: &[ProcId],
    liveness: &[Liveness],
    links: &Links,
    families: &Families,
) -> Vec<Compared> {
    let flow = Flow::of(program, procedures, liveness);
    let classes = flow.classes();
    classes.iter().filter_map(|class| choose(program, links, families, &flow, class)).collect()
}

fn choose(
    program: &Program,
    links: &Links,
    families: &Families,
    flow: &Flow,
    class: &BTreeSet<Holder>,
) -> Option<Compared> {
    let data: BTreeSet<LinkId> =
        links.iter().filter(|(_, link)| class.contains(&Holder::Field(link.field))).map(|(id, _)| id).collect();
    let slots = || data.iter().flat_map(|link| &links[*link].slots);
    let wholes: BTreeSet<_> = slots().map(|slot| slot.whole).collect();
    let levels = || families.levels.iter().filter(|level| !level.structs.is_disjoint(&wholes));
    let spines: BTreeSet<LinkId> =
        levels().filter(|level| level.spine.len() == 1).flat_map(|level| level.spine.clone()).collect();
    let mut branches: BTreeSet<LinkId> =
        levels().filter(|level| level.spine.len() > 1).flat_map(|level| level.spine.clone()).collect();
    let of_class = |variable: &VarId| class.contains(&Holder::Variable(*variable));
    let asked: Vec<&(VarId, VarId, BinaryOp)> = flow.pairs.iter().filter(|(a, _, _)| of_class(a)).collect();
    let loaded = flow.loaded();
    let of_object = asked.iter().any(|(a, b, _)| loaded.contains(a) || loaded.contains(b));
    let only_equal = asked.iter().all(|(_, _, op)| matches!(op, BinaryOp::Equal | BinaryOp::NotEqual));
    if only_equal {
        branches.clear();
    }
    if spines.is_empty() && branches.is_empty() || wholes.len() < slots().count() || !of_object {
        return None;
    }
    let passed = flow.passed.iter().filter(|(a, _)| of_class(a)).flat_map(|(a, b)| [(*a, *b), (*b, *a)]);
    let pairs = asked.iter().map(|(a, b, _)| (*a, *b)).chain(passed).collect();
    // Variables about which nothing is known, and those about which nothing is asked, are left out.
    let (informed, wanted) = (flow.informed(), flow.wanted());
    let variables: BTreeSet<VarId> = informed.intersection(&wanted).copied().filter(of_class).collect();
    let is_asked = |x: &VarId| asked.iter().any(|(a, b, _)| a == x && loaded.contains(b));
    let in_trees = variables.iter().copied().filter(|_| !branches.is_empty());
    let (steering, others): (BTreeSet<VarId>, BTreeSet<VarId>) =
        in_trees.partition(|x| is_asked(x) && flow.repeated.contains(x));
    let told_apart = others.intersection(&flow.kept).chain(&steering).copied().map(Holder::Variable);
    let remembered = others.intersection(&flow.behind(told_apart)).copied().collect();
    debug_assert!(data.iter().all(|link| matches!(program[links[*link].field].ty, Type::Scalar(_))));
    Some(Compared { data, variables, pairs, spines, branches, steering, remembered, only_equal })
}

/// Where numbers go.
#[derive(Default)]
struct Flow {
    /// From the first one to the second.
    copies: BTreeSet<(Holder, Holder)>,
    pairs: BTreeSet<(VarId, VarId, BinaryOp)>,
    /// Variables with the parameters that get their values, if they are read again after the call: it may have found
    /// something out.
    passed: BTreeSet<(VarId, VarId)>,
    /// Variables that are read again after they were passed or stored.
    kept: BTreeSet<VarId>,
    /// Variables that are read after a round of some loop.
    repeated: BTreeSet<VarId>,
}

impl Flow {
    fn of(program: &Program, procedures: &[ProcId], liveness: &[Liveness]) -> Flow {
        let (mut flow, mut calls) = (Flow::default(), Vec::new());
        for procedure in procedures {
            let nodes = program[*procedure].node_ids();
            let heads = nodes.filter(|node| program[*procedure].nodes[node.index()].loop_head);
            flow.repeated.extend(heads.flat_map(|head| liveness[procedure.index()].at(head)).copied());
        }
        let edges = procedures.iter().flat_map(|p| program[*p].edges.iter().map(|edge| (*p, edge)));
        for (procedure, Edge { statement, to: behind, .. }) in edges {
            let live = liveness[procedure.index()].at(*behind);
            statement.for_each_expr(&mut |expr| flow.comparisons(program, expr));
            let variable = |value: &Operand| match value {
                Operand::Scalar(expr) => same_value(program, expr),
                _ => None,
            };
            let mut copy = |value: &Operand, to: Holder| {
                flow.copies.extend(variable(value).map(|from| (Holder::Variable(from), to)));
            };
            match statement {
                Statement::Set { to, value } => copy(value, Holder::Variable(*to)),
                Statement::Store { field, value, .. } => {
                    copy(value, Holder::Field(*field));
                    flow.kept.extend(variable(value).filter(|x| live.contains(x)));
                }
                Statement::Call { to, targets, arguments } => {
                    for target in targets {
                        let passed = program[*target].parameters.iter().zip(arguments);
                        calls.push(passed.clone().filter_map(|(to, from)| Some((*to, variable(from)?))).collect());
                        for (parameter, argument) in passed {
                            copy(argument, Holder::Variable(*parameter));
                            let kept = variable(argument).filter(|x| live.contains(x));
                            flow.kept.extend(kept);
                            flow.passed.extend(kept.map(|x| (x, *parameter)));
                        }
                        if let (Some(to), Some(result)) = (to, program[*target].result) {
                            copy(&Operand::Scalar(Expr::Variable(result)), Holder::Variable(*to));
                        }
                    }
                }
                Statement::Load { to, field, .. } if !program[*field].ty.is_pointer() => {
                    flow.copies.insert((Holder::Field(*field), Holder::Variable(*to)));
                }
                _ => {}
            }
        }
        flow.compare_arguments(&calls);
        flow
    }

    /// An argument of a procedure that compares its parameters is compared. Calls are given by their parameters and
    /// arguments.
    fn compare_arguments(&mut self, calls: &[BTreeMap<VarId, VarId>]) {
        loop {
            let known = self.pairs.len();
            for passed in calls {
                let of_arguments =
                    |(a, b, op): &(VarId, VarId, BinaryOp)| Some((*passed.get(a)?, *passed.get(b)?, *op));
                let pairs: Vec<_> = self.pairs.iter().filter_map(of_arguments).filter(|(a, b, _)| a != b).collect();
                self.pairs.extend(pairs);
            }
            if self.pairs.len() == known {
                return;
            }
        }
    }

    fn comparisons(&mut self, program: &Program, expr: &Expr) {
        match expr {
            Expr::Constant(..) | Expr::Variable(_) => {}
            Expr::Unary(_, operand) | Expr::Convert(_, operand) => self.comparisons(program, operand),
            Expr::Binary(op, left, right) => {
                let pair = same_value(program, left).zip(same_value(program, right));
                if let Some((a, b)) = pair.filter(|(a, b)| op.is_comparison() && a != b) {
                    self.pairs.extend([(a, b, *op), (b, a, *op)]);
                }
                self.comparisons(program, left);
                self.comparisons(program, right);
            }
        }
    }

    /// Holders that are connected by copies and comparisons.
    fn classes(&self) -> Vec<BTreeSet<Holder>> {
        let mut neighbours: BTreeMap<Holder, BTreeSet<Holder>> = BTreeMap::new();
        let compared = self.pairs.iter().map(|(a, b, _)| (Holder::Variable(*a), Holder::Variable(*b)));
        for (a, b) in self.copies.iter().copied().chain(compared) {
            neighbours.entry(a).or_default().insert(b);
            neighbours.entry(b).or_default().insert(a);
        }
        let mut classes: Vec<BTreeSet<Holder>> = Vec::new();
        for holder in neighbours.keys() {
            if !classes.iter().any(|class| class.contains(holder)) {
                classes.push(closure([*holder], &|at| neighbours[&at].iter().copied().collect()));
            }
        }
        classes
    }

    fn compared(&self) -> BTreeSet<VarId> {
        self.pairs.iter().map(|(a, _, _)| *a).collect()
    }

    /// Variables with values that come from these holders.
    fn behind(&self, start: impl IntoIterator<Item = Holder>) -> BTreeSet<VarId> {
        let next = |at: Holder| self.copies.iter().filter(move |(from, _)| *from == at).map(|(_, to)| *to);
        variables(closure(start, &|at| next(at).filter(|to| matches!(to, Holder::Variable(_))).collect()))
    }

    fn fields(&self) -> impl Iterator<Item = Holder> {
        self.copies.iter().flat_map(|(from, to)| [*from, *to]).filter(|holder| matches!(holder, Holder::Field(_)))
    }

    /// Variables with values that come from fields.
    fn loaded(&self) -> BTreeSet<VarId> {
        self.behind(self.fields())
    }

    /// Variables of which something may be known: they come from a field, or from a variable that is compared, or a
    /// field or something compared has come from them before they are read again.
    fn informed(&self) -> BTreeSet<VarId> {
        let variables = self.compared().into_iter().chain(self.kept.iter().copied());
        self.behind(self.fields().chain(variables.map(Holder::Variable)))
    }

    /// Variables whose order may be asked for: they are compared or stored.
    fn wanted(&self) -> BTreeSet<VarId> {
        let start = self.fields().chain(self.compared().into_iter().map(Holder::Variable));
        let before = |at: Holder| self.copies.iter().filter(move |(_, to)| *to == at).map(|(from, _)| *from);
        variables(closure(start, &|at| before(at).filter(|from| matches!(from, Holder::Variable(_))).collect()))
    }
}

fn variables(holders: BTreeSet<Holder>) -> BTreeSet<VarId> {
    let variable = |holder: Holder| if let Holder::Variable(variable) = holder { Some(variable) } else { None };
    holders.into_iter().filter_map(variable).collect()
}

/// Everything that is reached.
fn closure(start: impl IntoIterator<Item = Holder>, next: &dyn Fn(Holder) -> Vec<Holder>) -> BTreeSet<Holder> {
    let mut open: Vec<Holder> = start.into_iter().collect();
    let mut found = BTreeSet::new();
    while let Some(holder) = open.pop() {
        if found.insert(holder) {
            open.extend(next(holder));
        }
    }
    found
}
