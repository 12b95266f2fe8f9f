//! Formulas compiled for bit-parallel evaluation.
//!
//! A Kleene formula is two Boolean formulas, one per [`Plane`]: `∧` and `∨` stay on their plane, `¬` complements the
//! other one. So a formula on a plane compiles to relational algebra over bit tables, with no three-way branch. A table
//! has a *column* for each free variable; its last column lies along the bits of a row, the others number the rows.
//! Thus a unary subformula is one row and a binary one a bit matrix.
//!
//! All formulas of one [`Plan`] share equal subtables, also if their variables have different names: the same `n*` that
//! occurs in twenty constraints is one node. Quantifiers are pushed inwards and eliminated one variable at a time,
//! cheapest first, so that `E(v1,v2) n(v1,v) & n(v2,v) & v1 != v2` never builds a table of more columns than it must;
//! the common case `E(c) A(a,c) & B(c,b)` is a Boolean matrix product. So `E(w) x(w) & n(w,v)` becomes one row.
//!
//! *Parameters* are not columns: they are given at evaluation. So free variables of a precondition reach updates.

use crate::structure::Place;
use crate::{Layout, Plane};
use rustc_hash::FxHashMap;
use trifold_logic::{Formula, PredicateId, Var, negation_normal_form};

/// A node of a plan: one table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Table(pub(crate) u32);

impl Table {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A table or its complement.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Operand {
    pub table: Table,
    pub negated: bool,
}

/// An operand of a conjunction or disjunction. `columns[i]` is the column of the result that column `i` of the
/// operand is; they ascend, so that rows can be combined as they lie.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Aligned {
    pub operand: Operand,
    pub columns: Vec<u8>,
}

/// An argument of [`Op::Select`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Argument {
    /// A column of the result.
    Column(u8),
    /// An individual given at evaluation.
    Parameter(u8),
}

/// How a table is computed.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Op {
    Value(bool),
    /// A plane of a predicate, as it lies in the structure.
    Load(PredicateId, Plane),
    /// The diagonal; on [`Plane::Must`] without summary individuals.
    Equal(Plane),
    /// Does any individual exist?
    NonEmpty(Plane),
    /// The source table at these arguments: transposes, takes diagonals, fixes parameters.
    Select {
        source: Table,
        arguments: Vec<Argument>,
    },
    And(Vec<Aligned>),
    Or(Vec<Aligned>),
    /// Removes a column. On [`Plane::Must`] only individuals that surely exist are witnesses.
    Exists {
        operand: Operand,
        column: u8,
        plane: Plane,
    },
    /// `E(c) left(a,c) & right(c,b)`.
    Product {
        left: Operand,
        right: Operand,
        plane: Plane,
    },
    /// Transitive closure in the last two columns.
    Closure {
        operand: Operand,
        plane: Plane,
    },
}

/// A source that the value of a table depends on, besides the universe.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Source {
    /// A plane of a predicate.
    Predicate(PredicateId, Plane),
    /// The individuals given for the parameters.
    Parameters,
}

impl Op {
    /// Calls `visit` for every table that the operation reads.
    pub(crate) fn operands(&self, mut visit: impl FnMut(Table)) {
        match self {
            Op::Value(_) | Op::Load(..) | Op::Equal(_) | Op::NonEmpty(_) => {}
            Op::Select { source, .. } => visit(*source),
            Op::And(operands) | Op::Or(operands) => operands.iter().for_each(|o| visit(o.operand.table)),
            Op::Exists { operand, .. } | Op::Closure { operand, .. } => visit(operand.table),
            Op::Product { left, right, .. } => {
                visit(left.table);
                visit(right.table);
            }
        }
    }
}

#[derive(Debug)]
pub(crate) struct Node {
    pub op: Op,
    pub arity: usize,
    /// Where the table lies in a workspace, if it has at most two columns.
    pub place: Place,
}

impl Node {
    /// Is the table a plane of a predicate, which is there from the beginning?
    pub(crate) fn is_plane(&self) -> bool {
        self.arity > 0 && matches!(self.op, Op::Load(..))
    }
}

/// A set of formulas compiled together.
#[derive(Debug, Default)]
pub struct Plan {
    pub(crate) nodes: Vec<Node>,
    /// The place after all tables of at most two columns. It comes after that of a structure, whose words lie before
    /// the tables.
    pub(crate) end: Place,
    /// The most columns of a node.
    width: usize,
    known: FxHashMap<(Op, usize), Table>,
    /// For each node the sources it reads, sorted.
    sources: Vec<Vec<Source>>,
    /// For each plane, two per predicate, the nodes that read it; last those that read parameters.
    dependents: Vec<Vec<Table>>,
    /// For each node a measure of the work to compute it from scratch.
    costs: Vec<u32>,
    pub(crate) layout: Layout,
    parameters: Vec<Var>,
    /// The tables that stand for predicates after the update, by predicate and plane.
    updated: FxHashMap<(PredicateId, Plane), Table>,
}

/// A compiled formula: an operand whose columns are these variables.
#[derive(Clone, Debug)]
pub(crate) struct Term {
    pub operand: Operand,
    pub columns: Vec<Var>,
}

impl Plan {
    /// An empty plan over predicates of these arities, in which `parameters` stand for given individuals.
    pub fn new(arities: Vec<usize>, parameters: Vec<Var>) -> Plan {
        let dependents = vec![Vec::new(); 2 * arities.len() + 1];
        let layout = Layout::for_arities(&arities);
        Plan { end: layout.end(), layout, parameters, dependents, ..Plan::default() }
    }

    /// Compiles one plane of `formula` to a table with exactly these columns, in this order.
    ///
    /// Every free variable of the formula must be a column or a parameter.
    pub fn compile(&mut self, formula: &Formula, plane: Plane, columns: &[Var]) -> Table {
        let term = self.term(&self.apart(formula), plane);
        self.table_of(vec![term], columns)
    }

    /// Compiles both planes of `formula`, `must` and `may`, to tables with exactly these columns, in this order.
    pub fn compile_planes(&mut self, formula: &Formula, columns: &[Var]) -> [Table; 2] {
        let formula = self.apart(formula);
        [Plane::Must, Plane::May].map(|plane| {
            let term = self.term(&formula, plane);
            self.table_of(vec![term], columns)
        })
    }

    /// Compiles "the formula's value is 1/2" to a table with exactly these columns.
    pub fn compile_unknown(&mut self, formula: &Formula, columns: &[Var]) -> Table {
        let formula = self.apart(formula);
        let may = self.term(&formula, Plane::May);
        let not_must = self.term(&formula, Plane::Must).complement();
        self.table_of(vec![may, not_must], columns)
    }

    /// Compiles `must(body) ∧ ¬must(head)` to a table with exactly these columns.
    pub fn compile_breaches(&mut self, body: &Formula, head: &Formula, columns: &[Var]) -> Table {
        let body = self.term(&self.apart(body), Plane::Must);
        let head = self.term(head, Plane::Must).complement();
        self.table_of(vec![body, head], columns)
    }

    /// Compiles "some assignment potentially satisfies all of `prefix` and makes `literal` 1/2", for the literal's
    /// variables.
    pub fn compile_undecided(&mut self, prefix: &[Formula], literal: &Formula, columns: &[Var]) -> Table {
        let mut terms = self.potentially(prefix);
        terms.push(self.term(literal, Plane::May));
        terms.push(self.term(literal, Plane::Must).complement());
        self.projected(terms, columns)
    }

    /// Compiles "some assignment potentially satisfies all of `conjuncts`", for the given variables.
    pub fn compile_possible(&mut self, conjuncts: &[Formula], columns: &[Var]) -> Table {
        let terms = self.potentially(conjuncts);
        self.projected(terms, columns)
    }

    fn potentially(&mut self, formulas: &[Formula]) -> Vec<Term> {
        formulas.iter().map(|formula| self.term(formula, Plane::May)).collect()
    }

    fn projected(&mut self, terms: Vec<Term>, columns: &[Var]) -> Table {
        let hidden: Vec<Var> = union(terms.iter()).into_iter().filter(|v| !columns.contains(v)).collect();
        let term = self.eliminate(&hidden, terms, Plane::May);
        self.table_of(vec![term], columns)
    }

    /// The conjunction as a table of its own, not complemented.
    fn table_of(&mut self, terms: Vec<Term>, columns: &[Var]) -> Table {
        let term = self.and(terms, columns);
        if term.operand.negated {
            self.and_node(vec![self.aligned(&term, columns)], columns.len())
        } else {
            term.operand.table
        }
    }

    /// Lets a predicate, as it is after the update, stand for a table whose columns are its arguments.
    pub fn set_updated(&mut self, predicate: PredicateId, plane: Plane, table: Table) {
        self.updated.insert((predicate.before(), plane), table);
    }

    /// The most columns that a table of the plan has.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The number of columns of a table.
    pub fn arity(&self, table: Table) -> usize {
        self.nodes[table.index()].arity
    }

    /// A measure of the work to compute a table from scratch; 0 for tables that lie in the structure.
    pub(crate) fn cost(&self, table: Table) -> u32 {
        self.costs[table.index()]
    }

    /// The sources that a table reads.
    pub fn sources(&self, table: Table) -> &[Source] {
        &self.sources[table.index()]
    }

    /// The tables that read a source.
    pub(crate) fn dependents(&self, source: Source) -> &[Table] {
        &self.dependents[self.number(source)]
    }

    /// Bound variables must not be mistaken for parameters or for each other.
    fn apart(&self, formula: &Formula) -> Formula {
        self.apart_from(formula, &[])
    }

    /// Nor for these.
    pub(crate) fn apart_from(&self, formula: &Formula, others: &[Var]) -> Formula {
        formula.rename_apart(&self.parameters.iter().chain(others).cloned().collect())
    }

    pub(crate) fn term(&mut self, formula: &Formula, plane: Plane) -> Term {
        match formula {
            Formula::Value(value) => {
                let on = if plane == Plane::Must { value.must() } else { value.may() };
                self.closed(Op::Value(on))
            }
            Formula::Atom(predicate, arguments) => {
                let raw = self.predicate(*predicate, plane);
                self.select(Operand { table: raw, negated: false }, arguments)
            }
            Formula::Equal(v, w) => {
                let raw = self.node(Op::Equal(plane), 2);
                self.select(Operand { table: raw, negated: false }, &[v.clone(), w.clone()])
            }
            Formula::Not(inner) => self.term(inner, plane.dual()).complement(),
            Formula::And(parts) => {
                let terms = parts.iter().map(|part| self.term(part, plane)).collect();
                self.and_all(terms)
            }
            Formula::Or(parts) => {
                let terms = parts.iter().map(|part| self.term(part, plane)).collect();
                self.or_all(terms)
            }
            Formula::If(parts) => self.conditional(parts, plane),
            Formula::Exists(..) => {
                let mut variables = Vec::new();
                let mut body = formula;
                while let Formula::Exists(v, inner) = body {
                    variables.push(v.clone());
                    body = inner;
                }
                self.exists(&variables, &negation_normal_form(body), plane)
            }
            Formula::Forall(v, body) => {
                let counterexample = body.as_ref().clone().negate();
                let none = Formula::exists([v.clone()], counterexample);
                self.term(&none, plane.dual()).complement()
            }
            Formula::Closure { start, end, left, right, body } => {
                let step = self.term(body, plane);
                let mut columns: Vec<Var> =
                    step.columns.iter().filter(|c| *c != left && *c != right).cloned().collect();
                let mut arguments = columns.clone();
                columns.extend([left.clone(), right.clone()]);
                arguments.extend([start.clone(), end.clone()]);
                let step = self.and(vec![step], &columns);
                let closure = self.node(Op::Closure { operand: step.operand, plane }, columns.len());
                self.select(Operand { table: closure, negated: false }, &arguments)
            }
        }
    }

    /// A predicate's own plane, or, after an update, the table that was compiled for its new value.
    fn predicate(&mut self, predicate: PredicateId, plane: Plane) -> Table {
        match self.updated.get(&(predicate.before(), plane)) {
            Some(table) if predicate.is_after() => *table,
            _ => self.node(Op::Load(predicate.before(), plane), self.layout.arity(predicate)),
        }
    }

    /// An unknown condition gives the information join of the branches: on the `must` plane both must hold.
    fn conditional(&mut self, parts: &[Formula; 3], plane: Plane) -> Term {
        let [c, a, b] = parts;
        let condition = self.term(c, plane);
        let refuted = self.term(c, plane.dual()).complement();
        let (then, otherwise) = (self.term(a, plane), self.term(b, plane));
        let mut cases =
            vec![self.and_all(vec![condition, then.clone()]), self.and_all(vec![refuted, otherwise.clone()])];
        if plane == Plane::Must {
            cases.push(self.and_all(vec![then, otherwise]));
        }
        self.or_all(cases)
    }

    /// Existential quantification over a formula in negation normal form.
    fn exists(&mut self, variables: &[Var], body: &Formula, plane: Plane) -> Term {
        match body {
            Formula::Or(disjuncts) => {
                let terms = disjuncts.iter().map(|disjunct| self.exists(variables, disjunct, plane)).collect();
                self.or_all(terms)
            }
            Formula::Exists(v, inner) => {
                let all: Vec<Var> = variables.iter().chain([v]).cloned().collect();
                self.exists(&all, inner, plane)
            }
            Formula::And(parts) => {
                let terms = parts.iter().map(|part| self.term(part, plane)).collect();
                self.eliminate(variables, terms, plane)
            }
            other => {
                let term = self.term(other, plane);
                self.eliminate(variables, vec![term], plane)
            }
        }
    }

    /// Eliminates the variables from a conjunction, each time the one that needs the fewest columns.
    fn eliminate(&mut self, variables: &[Var], mut terms: Vec<Term>, plane: Plane) -> Term {
        let mut left = variables.to_vec();
        while !left.is_empty() {
            let columns_with = |v: &Var| union(terms.iter().filter(|term| term.columns.contains(v)));
            let cheapest = (0..left.len()).min_by_key(|i| columns_with(&left[*i]).len()).expect("left is not empty");
            let v = left.remove(cheapest);
            let (with, without): (Vec<Term>, Vec<Term>) = terms.into_iter().partition(|term| term.columns.contains(&v));
            terms = without;
            let eliminated = self.eliminate_one(&v, with, plane);
            terms.push(eliminated);
        }
        self.and_all(terms)
    }

    fn eliminate_one(&mut self, v: &Var, terms: Vec<Term>, plane: Plane) -> Term {
        if terms.is_empty() {
            return self.closed(Op::NonEmpty(plane));
        }
        let others: Vec<Var> = union(terms.iter()).into_iter().filter(|c| c != v).collect();
        if let [a, b] = &others[..]
            && terms.iter().all(|term| term.columns.len() <= 2)
        {
            return self.product(a, v, b, terms, plane);
        }
        let columns: Vec<Var> = others.iter().cloned().chain([v.clone()]).collect();
        let term = self.and(terms, &columns);
        let op = Op::Exists { operand: term.operand, column: others.len() as u8, plane };
        let table = self.node(op, others.len());
        Term { operand: Operand { table, negated: false }, columns: others }
    }

    /// `E(c)` of terms over `{a,c}`, `{c,b}` and `{c}`.
    fn product(&mut self, a: &Var, c: &Var, b: &Var, terms: Vec<Term>, plane: Plane) -> Term {
        let (right, left): (Vec<Term>, Vec<Term>) = terms.into_iter().partition(|term| term.columns.contains(b));
        let left = self.and(left, &[a.clone(), c.clone()]);
        let right = self.and(right, &[c.clone(), b.clone()]);
        let table = self.node(Op::Product { left: left.operand, right: right.operand, plane }, 2);
        Term { operand: Operand { table, negated: false }, columns: vec![a.clone(), b.clone()] }
    }

    fn and_all(&mut self, terms: Vec<Term>) -> Term {
        let columns = union(terms.iter());
        self.and(terms, &columns)
    }

    fn or_all(&mut self, terms: Vec<Term>) -> Term {
        let columns = union(terms.iter());
        if let [only] = &terms[..] {
            return only.clone();
        }
        let mut operands: Vec<Aligned> = terms.iter().map(|term| self.align(term, &columns)).collect();
        operands.sort();
        operands.dedup();
        let table = self.node(Op::Or(operands), columns.len());
        Term { operand: Operand { table, negated: false }, columns }
    }

    /// The conjunction with exactly these columns.
    fn and(&mut self, terms: Vec<Term>, columns: &[Var]) -> Term {
        if let [only] = &terms[..]
            && only.columns == columns
        {
            return only.clone();
        }
        let operands: Vec<Aligned> = terms.iter().map(|term| self.align(term, columns)).collect();
        let table = self.and_node(operands, columns.len());
        Term { operand: Operand { table, negated: false }, columns: columns.to_vec() }
    }

    fn and_node(&mut self, mut operands: Vec<Aligned>, arity: usize) -> Table {
        // Cheap operands first: they may show that the conjunction is empty.
        let cost = |aligned: &Aligned| (self.costs[aligned.operand.table.index()], aligned.operand.negated);
        operands.sort_by(|a, b| (cost(a), a).cmp(&(cost(b), b)));
        operands.dedup();
        // A single operand that already is the table needs no node.
        if let [only] = &operands[..]
            && !only.operand.negated
            && only.columns.len() == arity
        {
            return only.operand.table;
        }
        self.node(Op::And(operands), arity)
    }

    /// Brings a term's columns into the order of the result, transposing it where they do not ascend.
    fn align(&mut self, term: &Term, columns: &[Var]) -> Aligned {
        let aligned = self.aligned(term, columns);
        if aligned.columns.is_sorted() {
            return aligned;
        }
        let mut order: Vec<Var> = term.columns.clone();
        order.sort_by_key(|v| columns.iter().position(|c| c == v));
        let place = |v: &Var| order.iter().position(|c| c == v).expect("same variables") as u8;
        let arguments = term.columns.iter().map(|v| Argument::Column(place(v))).collect();
        let table = self.node(Op::Select { source: term.operand.table, arguments }, order.len());
        let operand = Operand { table, negated: term.operand.negated };
        self.aligned(&Term { operand, columns: order }, columns)
    }

    fn aligned(&self, term: &Term, columns: &[Var]) -> Aligned {
        let place = |v: &Var| columns.iter().position(|c| c == v).unwrap_or_else(|| panic!("no column for {v}")) as u8;
        Aligned { operand: term.operand, columns: term.columns.iter().map(place).collect() }
    }

    /// The table at these variables: the identity needs no node.
    fn select(&mut self, source: Operand, variables: &[Var]) -> Term {
        let mut columns: Vec<Var> = Vec::new();
        let mut arguments = Vec::new();
        for v in variables {
            if let Some(k) = self.parameters.iter().position(|parameter| parameter == v) {
                arguments.push(Argument::Parameter(k as u8));
                continue;
            }
            let column = columns.iter().position(|c| c == v).unwrap_or_else(|| {
                columns.push(v.clone());
                columns.len() - 1
            });
            arguments.push(Argument::Column(column as u8));
        }
        if columns.len() == variables.len() {
            return Term { operand: source, columns };
        }
        let table = self.node(Op::Select { source: source.table, arguments }, columns.len());
        Term { operand: Operand { table, negated: source.negated }, columns }
    }

    fn closed(&mut self, op: Op) -> Term {
        let table = self.node(op, 0);
        Term { operand: Operand { table, negated: false }, columns: Vec::new() }
    }

    /// The node for an operation, shared with an equal one.
    fn node(&mut self, op: Op, arity: usize) -> Table {
        // The arity is part of the key: a broadcast operand gives tables of several arities.
        if let Some(table) = self.known.get(&(op.clone(), arity)) {
            return *table;
        }
        let table = Table(self.nodes.len() as u32);
        let sources = self.read_by(&op);
        for source in &sources {
            let number = self.number(*source);
            self.dependents[number].push(table);
        }
        self.sources.push(sources);
        self.costs.push(self.cost_of(&op));
        self.known.insert((op.clone(), arity), table);
        self.width = self.width.max(arity);
        let place = match op {
            Op::Load(predicate, plane) if arity > 0 => self.layout.place(predicate, plane),
            _ => self.reserve(arity),
        };
        self.nodes.push(Node { op, arity, place });
        table
    }

    /// A place for a table of this many columns. Tables come after those that they are computed from.
    fn reserve(&mut self, arity: usize) -> Place {
        let place = self.end;
        match arity {
            0 | 1 => self.end.rows += 1,
            2 => self.end.matrices += 1,
            _ => {}
        }
        place
    }

    fn number(&self, source: Source) -> usize {
        match source {
            Source::Predicate(predicate, plane) => 2 * predicate.index() + plane as usize,
            Source::Parameters => 2 * self.layout.predicates(),
        }
    }

    fn cost_of(&self, op: &Op) -> u32 {
        let own: u32 = match op {
            Op::Load(..) | Op::Value(_) => 0,
            Op::Product { .. } => 4,
            Op::Closure { .. } => 8,
            _ => 1,
        };
        let mut cost = own;
        op.operands(|operand| cost = cost.saturating_add(self.costs[operand.index()]));
        cost
    }

    fn read_by(&self, op: &Op) -> Vec<Source> {
        let of = |table: Table| self.sources[table.index()].iter().copied();
        let must_exist =
            |plane: Plane| (plane == Plane::Must).then_some(Source::Predicate(PredicateId::AC, Plane::Must));
        let mut sources: Vec<Source> = match op {
            Op::Value(_) => Vec::new(),
            Op::Load(predicate, plane) => vec![Source::Predicate(*predicate, *plane)],
            // Splitting a summary individual makes its parts differ, so inequality depends on summaries as well.
            Op::Equal(_) => vec![Source::Predicate(PredicateId::SM, Plane::May)],
            Op::NonEmpty(plane) => must_exist(*plane).into_iter().collect(),
            Op::Select { source, arguments } => {
                let parameters = arguments.iter().any(|a| matches!(a, Argument::Parameter(_)));
                of(*source).chain(parameters.then_some(Source::Parameters)).collect()
            }
            Op::And(operands) | Op::Or(operands) => operands.iter().flat_map(|o| of(o.operand.table)).collect(),
            Op::Exists { operand, plane, .. } | Op::Closure { operand, plane } => {
                of(operand.table).chain(must_exist(*plane)).collect()
            }
            Op::Product { left, right, plane } => {
                of(left.table).chain(of(right.table)).chain(must_exist(*plane)).collect()
            }
        };
        sources.sort();
        sources.dedup();
        sources
    }
}

impl Term {
    pub(crate) fn complement(mut self) -> Term {
        self.operand.negated = !self.operand.negated;
        self
    }
}

/// The columns of several terms, in order of first occurrence.
fn union<'a>(terms: impl Iterator<Item = &'a Term>) -> Vec<Var> {
    let mut columns: Vec<Var> = Vec::new();
    for v in terms.flat_map(|term| &term.columns) {
        if !columns.contains(v) {
            columns.push(v.clone());
        }
    }
    columns
}
