//! Contracts: a call takes the memory of the preconditions out of a graph and puts that of the postconditions there; a
//! body is followed from its preconditions to its postconditions.
//!
//! For example, `requires list(x); ensures list(\result)` makes of `α.node_list()`, where `x` is α, the graph
//! `β.node_list()`, where the result is β.
//!
//! # Soundness
//! The body is verified with nothing in memory but its preconditions, so the rest of the caller's memory stays as it
//! is, and the memory that is left when it returns is that of the postconditions, or reported. Pointers into memory
//! that was taken may lead anywhere after the call. A pointer without a value is not passed in either direction, so
//! that everything that has a symbol has a value.

use crate::checker::define::Definitions;
use crate::checker::recognise::Refusal;
use crate::domain::Checking;
use crate::graph::scalars::anything;
use crate::graph::shape_graph::Top;
use crate::graph::shape_graph::{ShapeGraph, Symbol};
use crate::layout::Layouts;
use crate::specification::entail::{Manner, assume, has_no_value, take};
use crate::transfer::{Effects, Fault};
use std::collections::BTreeSet;
use trifold_ir::{Clause, Contract, Promise};
use trifold_ir::{FindingKind, Operand, ProcId, Program, Region, Scope, Statement, VarId};
use trifold_source::Span;

/// A clause, or a part of memory, that may break the contract.
pub(crate) struct Breach<'c> {
    clause: Option<&'c Clause>,
    fault: Fault,
}

impl From<Breach<'_>> for Effects {
    fn from(breach: Breach<'_>) -> Effects {
        Effects { graphs: Vec::new(), faults: vec![breach.fault] }
    }
}

/// Where contracts name functions that are no checkers: the places, the functions, and the reasons.
pub fn no_checkers(program: &Program) -> Vec<(Span, ProcId, Refusal)> {
    let definitions = Definitions::of(program, &Layouts::new(program));
    let clauses = program.contracts.values().flat_map(|contract| contract.requires.iter().chain(&contract.ensures));
    let refused = clauses.filter_map(|clause| match clause.promise {
        Promise::Holds { checker, .. } => Some((clause.span, checker, definitions.refused.get(&checker)?.clone())),
        Promise::Condition(_) => None,
    });
    refused.collect()
}

impl Checking<'_> {
    /// The graphs after a call of a procedure that stands for one with a contract, if its preconditions hold for sure.
    pub fn by_contract(
        &self,
        caller: &ShapeGraph,
        procedure: ProcId,
        number: usize,
        stands: ProcId,
    ) -> Result<Effects, Breach<'_>> {
        let (contract, edge) = (&self.program.contracts[&stands], &self.program[procedure].edges[number]);
        let mut effects = Effects::default();
        let Statement::Call { to, arguments, .. } = &edge.statement else { return Ok(effects) };
        // Nothing is known to be apart from ⊤, so nothing can be put beside it: the procedure is followed.
        if caller.top != Top::Nothing {
            return Ok(effects);
        }
        let mut graph = caller.clone();
        let value = |(argument, parameter): (&Operand, &VarId)| {
            self.transfer().operand(&mut graph, argument, self.program[*parameter].ty)
        };
        let args: Vec<Symbol> = arguments.iter().zip(&self.program[stands].parameters).map(value).collect();
        self.push_frame(&mut graph, stands, true, args.clone());
        self.have_values(&graph, &args, contract)?;
        let result = self.program[stands].result;
        for mut graph in self.take_all(&graph, &contract.requires, contract)? {
            for variable in self.changed(contract).into_iter().chain(result) {
                let value = graph.fresh(anything(self.program[variable].ty));
                graph.write(self.program, variable, value);
            }
            for mut graph in self.promised(graph, &contract.ensures) {
                let value = result.and_then(|result| graph.value(result));
                graph.frames.pop();
                if let (Some(to), Some(value)) = (to, value) {
                    graph.write(self.program, *to, value);
                }
                self.lose(&mut graph, &mut effects.faults);
                let depth = graph.frames.len();
                self.forget_dead(&mut graph, depth - 1, edge.to, None);
                effects.graphs.push(graph);
            }
        }
        Ok(effects)
    }

    /// Is a procedure not followed where something that stands for it is called?
    pub fn is_by_contract(&self, caller: &ShapeGraph, procedure: ProcId, number: usize, target: ProcId) -> bool {
        let Statement::Call { targets, .. } = &self.program[procedure].edges[number].statement else { return false };
        let is_meant = |stands: &&ProcId| self.program.contracts.get(*stands).is_some_and(|c| c.of == target);
        let stands = targets.iter().find(is_meant);
        caller.top == Top::Nothing
            && stands.is_some_and(|stands| self.by_contract(caller, procedure, number, *stands).is_ok())
    }

    /// The preconditions hold where the analysis of a body starts.
    pub fn required(&self, graph: ShapeGraph, procedure: ProcId, edge: usize) -> Effects {
        let mut graphs = self.promised(graph, &self.program.contracts[&procedure].requires);
        for graph in &mut graphs {
            let depth = graph.frames.len();
            self.forget_dead(graph, depth - 1, self.program[procedure].edges[edge].from, None);
        }
        Effects { graphs, faults: Vec::new() }
    }

    /// The faults where a body has ended, as far as an edge is there to tell them. The last edge tells of the memory
    /// that no clause speaks of.
    pub fn ensured(&self, graph: &ShapeGraph, procedure: ProcId, edge: usize) -> Effects {
        let contract = &self.program.contracts[&procedure];
        let is_last = edge + 1 == self.program[procedure].edges.len();
        let result = self.program[procedure].result.and_then(|result| graph.value(result));
        let left = match self.take_all(graph, &contract.ensures, contract) {
            Err(breach) if breach.clause.is_some_and(|clause| clause.error == edge) => return breach.into(),
            Ok(left) if is_last => left,
            _ => return Effects::default(),
        };
        let mut effects = Effects::default();
        if let Err(breach) = self.have_values(graph, &Vec::from_iter(result), contract) {
            effects.faults.push(breach.fault);
        }
        let is_more =
            |graph: &ShapeGraph| !graph.edges.is_empty() || graph.blocks.iter().any(|b| b.region == Region::Heap);
        if left.iter().any(is_more) {
            let name = &self.program[contract.of].name;
            let text = format!("`{name}` leaves something in memory about which its contract says nothing");
            effects.faults.push(Fault { kind: FindingKind::Leak, text, goes_on: true });
        }
        effects
    }

    /// Have values that are passed, and global variables, a value?
    fn have_values(&self, graph: &ShapeGraph, passed: &[Symbol], contract: &Contract) -> Result<(), Breach<'static>> {
        let mut all = passed.iter().chain(graph.globals.values());
        match all.any(|symbol| has_no_value(graph.kind(*symbol))) {
            true => {
                let name = &self.program[contract.of].name;
                let text = format!("a pointer without a value is passed to `{name}`, or by it");
                Err(Breach {
                    clause: None,
                    fault: Fault { kind: FindingKind::UninitialisedPointer, text, goes_on: true },
                })
            }
            false => Ok(()),
        }
    }

    /// Takes everything out of a graph that the clauses describe. Their clauses about values are looked at while
    /// everything is there.
    fn take_all<'c>(
        &self,
        graph: &ShapeGraph,
        clauses: &'c [Clause],
        contract: &Contract,
    ) -> Result<Vec<ShapeGraph>, Breach<'c>> {
        let breach = |clause: &'c Clause| {
            let (name, part) = (&self.program[contract.of].name, &clause.text);
            let condition = if contract.ensures.contains(clause) { "postcondition" } else { "precondition" };
            let text = format!("the {condition} of `{name}` may not hold: `{part}`");
            Breach { clause: Some(clause), fault: Fault { kind: FindingKind::Assertion, text, goes_on: true } }
        };
        let mut open = vec![graph.clone()];
        for clause in clauses {
            let Promise::Condition(condition) = &clause.promise else { continue };
            let check = Statement::Assert(condition.clone());
            let effects = open.into_iter().map(|graph| self.transfer().statement(graph, &check)).collect::<Vec<_>>();
            if effects.iter().any(|effects| !effects.faults.is_empty()) {
                return Err(breach(clause));
            }
            open = effects.into_iter().flat_map(|effects| effects.graphs).collect();
        }
        for clause in clauses {
            let Promise::Holds { checker, arguments } = &clause.promise else { continue };
            let mut left = Vec::new();
            for mut graph in open {
                let args = self.arguments(&mut graph, *checker, arguments);
                let manner = (*checker, Manner::Give);
                let taken = self
                    .definitions
                    .known
                    .contains_key(checker)
                    .then(|| take(&graph, &self.definitions, &self.layouts, manner, &args));
                left.extend(taken.flatten().ok_or_else(|| breach(clause))?);
            }
            open = left;
        }
        Ok(open)
    }

    /// The graphs in which, besides the memory that is there, all clauses hold. Clauses about values come last, because
    /// they are about the memory of the others.
    fn promised(&self, graph: ShapeGraph, clauses: &[Clause]) -> Vec<ShapeGraph> {
        let mut open = vec![graph];
        for clause in clauses {
            let Promise::Holds { checker, arguments } = &clause.promise else { continue };
            let add = |mut graph: ShapeGraph| {
                let args = self.arguments(&mut graph, *checker, arguments);
                assume(graph, &self.definitions, &self.layouts, *checker, &args)
            };
            open = open.into_iter().flat_map(add).collect();
        }
        for clause in clauses {
            let Promise::Condition(condition) = &clause.promise else { continue };
            let assumed = Statement::Assume(condition.clone());
            open = open.into_iter().flat_map(|graph| self.transfer().statement(graph, &assumed).graphs).collect();
        }
        open
    }

    pub fn arguments(&self, graph: &mut ShapeGraph, checker: ProcId, arguments: &[Operand]) -> Vec<Symbol> {
        let parameters = arguments.iter().zip(&self.program[checker].parameters);
        parameters.map(|(operand, p)| self.transfer().operand(graph, operand, self.program[*p].ty)).collect()
    }

    /// The global variables that have other values after a call: those that the procedure, or one that it calls,
    /// assigns to. Of a procedure that is defined elsewhere these are the ones that its contract speaks of.
    fn changed(&self, contract: &Contract) -> BTreeSet<VarId> {
        let is_global = |variable: &VarId| self.program[*variable].scope == Scope::Global;
        let seen = self.calls.reached(contract.of);
        let edges = seen.iter().flat_map(|procedure| &self.program[*procedure].edges);
        let mut changed: BTreeSet<VarId> =
            edges.filter_map(|edge| edge.statement.assigned()).filter(is_global).collect();
        if !contract.is_defined {
            let mut mention = |variable: VarId| changed.extend(is_global(&variable).then_some(variable));
            for clause in &contract.ensures {
                match &clause.promise {
                    Promise::Holds { arguments, .. } => {
                        arguments.iter().for_each(|a| a.for_each_variable(&mut mention))
                    }
                    Promise::Condition(condition) => condition.for_each_variable(&mut mention),
                }
            }
        }
        changed
    }
}
