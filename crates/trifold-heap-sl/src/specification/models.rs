//! Concrete inputs for a procedure that describes its arguments with checkers, or in its contract.
//!
//! The description is assumed of a graph as the analysis does it; then every region is unfolded, in all ways, until
//! only blocks are left, the smallest graphs first. A graph of blocks is a heap: each block is an object, numbers are
//! left open until they are read, and pointers of which nothing is said are null. For example, the heaps for `list(x)`
//! are the empty one, one node, two nodes, and so on.
//!
//! Every input comes with the checkers that it was made to satisfy, so that its users can have the functions evaluated
//! and need not rely on this.

use crate::checker::usage::{Purpose, purpose};
use crate::domain::Checking;
use crate::grain::Grain;
use crate::graph::shape_graph::{Kind, ShapeGraph, Symbol};
use crate::link_roles::LinkedShape;
use std::collections::{BTreeMap, BTreeSet};
use trifold_ir::Promise;
use trifold_ir::{
    Condition, Expr, NodeId, Object, ObjectId, Operand, Options, Point, ProcId, Program, Region, RunEnd, RunStart,
    Scalar, Scope, Seeded, State, Statement, Status, StructId, Type, Value, interpret_from,
};

/// An input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GivenInput {
    /// The heap, and the arguments.
    pub start: RunStart,
    /// Checkers that hold of the heap, with their arguments, each of memory of its own.
    pub holds: Vec<(ProcId, Vec<Value>)>,
}

/// So many steps are followed where a procedure starts.
const STEPS: usize = 100;

impl GivenInput {
    /// Does it satisfy its description? The checkers return true, each looks at objects of its own, and the arguments
    /// lead to every object.
    pub fn is_valid(&self, program: &Program) -> bool {
        let RunStart { objects, arguments, .. } = &self.start;
        let state = State { objects: objects.clone(), ..State::default() };
        let mut seen = BTreeSet::new();
        let holds = |(checker, arguments): &(ProcId, Vec<Value>)| match evaluate(program, *checker, objects, arguments)
        {
            Some(looked_at) => {
                let before = seen.len();
                let count = looked_at.len();
                seen.extend(looked_at);
                seen.len() == before + count
            }
            None => false,
        };
        self.holds.iter().all(holds) && state.reachable(arguments).into_iter().all(|reached| reached)
    }
}

/// The objects that a checker looks at, if it returns true.
fn evaluate(program: &Program, checker: ProcId, objects: &[Object], arguments: &[Value]) -> Option<BTreeSet<ObjectId>> {
    let start = RunStart { objects: objects.to_vec(), arguments: arguments.to_vec(), ..RunStart::default() };
    let (mut result, mut looked_at) = (None, BTreeSet::new());
    let mut visit = |at: Point, state: &State| {
        let edges = program[at.procedure].edges.iter().filter(|edge| edge.from == at.node);
        let read = edges.filter_map(|edge| state.value(edge.statement.dereferenced()?).referent());
        looked_at.extend(read);
        if at.node == program[checker].exit && state.frames.len() == 1 {
            result = program[checker].result.map(|result| state.value(result));
        }
    };
    let run = interpret_from(program, checker, &start, &Options::default(), &mut Seeded::new(0), &mut visit);
    let is_true = matches!(result, Some(Value::Scalar(number)) if number != 0);
    (is_true && run.outcome == RunEnd::Ended && run.inexact.is_none()).then_some(looked_at)
}

/// The inputs of a procedure.
pub struct Inputs<'p> {
    checking: Checking<'p>,
    entry: ProcId,
    beginnings: Vec<Beginning>,
}

impl<'p> Inputs<'p> {
    /// Those of a procedure.
    pub fn of(program: &'p Program, entry: ProcId) -> Inputs<'p> {
        let checking = Checking::new(program, entry, LinkedShape::Trees, Grain::Coarse, false);
        let beginnings = checking.beginnings(entry);
        Inputs { checking, entry, beginnings }
    }

    /// The first ones of those with so many blocks.
    pub fn with_blocks(&self, blocks: usize, most: usize) -> Vec<GivenInput> {
        let mut found = Vec::new();
        for Beginning { graph, holds } in &self.beginnings {
            let mut graphs = Vec::new();
            self.checking.unfold_all(graph.clone(), blocks, most, &mut graphs);
            for graph in graphs {
                let input = self.checking.input(&graph, self.entry, holds);
                if !found.contains(&input) && found.len() < most {
                    found.push(input);
                }
            }
        }
        found
    }
}

/// Adds a procedure that calls the target, after a call of `first`, with its own arguments, which it keeps meanwhile.
/// The program ends with the result of the target.
pub fn add_passer(program: &mut Program, target: ProcId, first: Option<ProcId>) -> ProcId {
    let span = program[target].span;
    let passer = program.add_procedure(&format!("the caller of {}", program[target].name), span);
    let mut arguments = Vec::new();
    for parameter in program[target].parameters.clone() {
        let (name, ty) = (program[parameter].name.clone(), program[parameter].ty);
        let own = program.add_variable(&name, ty, Scope::Parameter(passer), span);
        arguments.push(match ty {
            Type::Pointer(_) => Operand::Pointer(own),
            Type::Scalar(_) => Operand::Scalar(Expr::Variable(own)),
        });
    }
    let result = program[target].result.map(|result| program[result].ty);
    let to = result.map(|ty| program.add_variable("result", ty, Scope::Local(passer), span));
    let first = first.map(|first| Statement::Call { to: None, targets: vec![first], arguments: Vec::new() });
    let call = Statement::Call { to, targets: vec![target], arguments };
    let mut at = program[passer].entry;
    for statement in first.into_iter().chain([call, Statement::Stop]) {
        let next = program[passer].add_node(Default::default());
        program[passer].add_edge(at, next, statement, span);
        at = next;
    }
    let exit = program[passer].exit;
    program[passer].add_edge(at, exit, Statement::Return, span);
    mention(program, passer);
    passer
}

/// Adds a way that is never taken, on which there are objects of all structs that the arguments lead to, and all their
/// links: so passes that look for the objects of a program in memory come to know of them.
fn mention(program: &mut Program, passer: ProcId) {
    let span = program[passer].span;
    let parameters = program[passer].parameters.iter();
    let mut structs: Vec<StructId> = parameters.filter_map(|parameter| program[*parameter].ty.target()).collect();
    let (mut made, mut links) = (BTreeMap::new(), Vec::new());
    while let Some(structure) = structs.pop() {
        if made.contains_key(&structure) {
            continue;
        }
        let name = program[structure].name.clone();
        let ty = Type::Pointer(Some(structure));
        made.insert(structure, program.add_variable(&name, ty, Scope::Local(passer), span));
        for field in program[structure].fields.clone() {
            let Some(target) = program[field].ty.target() else { continue };
            structs.push(target);
            links.extend((!program[field].embedded).then_some((structure, field, target)));
        }
    }
    let never = Statement::Assume(Condition::Scalar(Expr::Constant(0, Scalar::Bool)));
    let (region, zeroed, may_fail) = (Region::Heap, true, false);
    let objects = made.iter().map(|(structure, to)| Statement::Allocate {
        to: *to,
        structure: *structure,
        region,
        zeroed,
        may_fail,
    });
    let links = links.into_iter().map(|(structure, field, target)| Statement::Store {
        object: made[&structure],
        field,
        value: Operand::Pointer(made[&target]),
    });
    let mut at = program[passer].entry;
    for statement in [never].into_iter().chain(objects).chain(links).chain([Statement::Stop]) {
        let next = program[passer].add_node(Default::default());
        program[passer].add_edge(at, next, statement, span);
        at = next;
    }
    let exit = program[passer].exit;
    program[passer].add_edge(at, exit, Statement::Return, span);
}

/// The assumptions where a procedure starts.
#[derive(Clone)]
struct Beginning {
    /// The arguments of the checkers are values from outside.
    graph: ShapeGraph,
    holds: Vec<ProcId>,
}

impl Checking<'_> {
    /// Follows the procedure as long as it changes nothing in memory.
    fn beginnings(&self, entry: ProcId) -> Vec<Beginning> {
        let start = Beginning { graph: self.initial(entry).graph, holds: Vec::new() };
        if self.program.contracts.contains_key(&entry) {
            return self.of_contract(start, entry);
        }
        let mut found = Vec::new();
        let mut open = vec![(start, self.program[entry].entry)];
        for _ in 0..STEPS {
            let Some((beginning, node)) = open.pop() else { break };
            match self.go_on(&beginning, entry, node) {
                Some(next) => open.extend(next),
                None => found.push(beginning),
            }
        }
        found.extend(open.into_iter().map(|(beginning, _)| beginning));
        found
    }

    /// All that follows a node, unless something else happens there.
    fn go_on(&self, beginning: &Beginning, entry: ProcId, node: NodeId) -> Option<Vec<(Beginning, NodeId)>> {
        let mut next = Vec::new();
        let edges = self.program[entry].edges.iter().enumerate().filter(|(_, edge)| edge.from == node);
        for (number, edge) in edges {
            let mut beginning = beginning.clone();
            let graphs = match &edge.statement {
                Statement::Skip | Statement::Set { .. } | Statement::Assume(_) => {
                    let effects = self.statement(beginning.graph, edge);
                    effects.faults.is_empty().then_some(effects.graphs)?
                }
                Statement::Call { to: Some(to), targets, arguments } => {
                    let [target] = targets[..] else { return None };
                    if !self.definitions.known.contains_key(&target)
                        || purpose(self.program, entry, number) == Purpose::Other
                    {
                        return None;
                    }
                    let args = self.arguments(&mut beginning.graph, target, arguments);
                    beginning.graph.outside.extend(args);
                    beginning.holds.push(target);
                    let graphs = self.checked(&beginning.graph, entry, number, target)?;
                    let is_true = |graph: &ShapeGraph| graph.value(*to).map(|value| graph.kind(value));
                    graphs.iter().all(|graph| is_true(graph) == Some(Kind::Scalar((1, 1)))).then_some(graphs)?
                }
                _ => return None,
            };
            let holds = &beginning.holds;
            next.extend(graphs.into_iter().map(|graph| (Beginning { graph, holds: holds.clone() }, edge.to)));
        }
        Some(next).filter(|next| !next.is_empty())
    }

    fn of_contract(&self, mut start: Beginning, entry: ProcId) -> Vec<Beginning> {
        let contract = &self.program.contracts[&entry];
        for clause in &contract.requires {
            if let Promise::Holds { checker, arguments } = &clause.promise {
                let args = self.arguments(&mut start.graph, *checker, arguments);
                start.graph.outside.extend(args);
                start.holds.push(*checker);
            }
        }
        let graphs = self.required(start.graph, entry, contract.call).graphs;
        graphs.into_iter().map(|graph| Beginning { graph, holds: start.holds.clone() }).collect()
    }

    /// The graphs with so many blocks, and nothing else, that a graph represents.
    fn unfold_all(&self, graph: ShapeGraph, blocks: usize, most: usize, found: &mut Vec<ShapeGraph>) {
        if graph.blocks.len() > blocks || found.len() >= most {
            return;
        }
        let Some(edge) = graph.edges.first() else {
            return found.extend((graph.blocks.len() == blocks).then_some(graph));
        };
        let empty = (edge.min == 0).then(|| graph.unfold_empty(0)).flatten();
        for graph in empty.into_iter().chain(graph.unfold_first(0, &self.layouts)) {
            self.unfold_all(graph, blocks, most, found);
        }
    }

    fn input(&self, graph: &ShapeGraph, entry: ProcId, holds: &[ProcId]) -> GivenInput {
        let (objects, addresses) = self.objects(graph);
        let value = |symbol: Symbol| value(graph, &addresses, symbol);
        let parameters = self.program[entry].parameters.iter();
        let arguments = parameters.map(|p| graph.frames[0].values.get(p).map_or(Value::Uninitialised, |s| value(*s)));
        let start = RunStart { objects, arguments: arguments.collect(), ..RunStart::default() };
        let mut outside = graph.outside.iter().map(|symbol| value(*symbol));
        let mut args = |checker: ProcId| outside.by_ref().take(self.program[checker].parameters.len()).collect();
        GivenInput { start, holds: holds.iter().map(|checker| (*checker, args(*checker))).collect() }
    }

    /// The blocks as objects, with the addresses of all parts.
    fn objects(&self, graph: &ShapeGraph) -> (Vec<Object>, BTreeMap<Symbol, ObjectId>) {
        let parts = graph.blocks.iter().flat_map(|block| block.parts.iter().copied());
        let addresses: BTreeMap<Symbol, ObjectId> = parts.zip((0..).map(ObjectId)).collect();
        let mut objects: Vec<Object> = Vec::new();
        for block in &graph.blocks {
            let (layout, first) = (&self.layouts[block.structure], objects.len());
            for part in &layout.parts {
                objects.push(Object {
                    structure: part.structure,
                    region: block.region,
                    status: Status::Alive,
                    died_at: None,
                    fields: vec![Value::Uninitialised; self.program[part.structure].fields.len()],
                    part_of: part.of.map(|(owner, field)| (addresses[&block.parts[owner]], field)),
                    leaked: false,
                });
            }
            for (part, symbol) in layout.parts.iter().zip(&block.parts) {
                if let Some((owner, field)) = part.of {
                    let position = self.program[field].position;
                    objects[first + owner].fields[position] = Value::Object(addresses[symbol]);
                }
            }
            for (cell, symbol) in layout.cells.iter().zip(&block.cells) {
                let position = self.program[cell.field].position;
                objects[first + cell.part].fields[position] = value(graph, &addresses, *symbol);
            }
        }
        (objects, addresses)
    }
}

fn value(graph: &ShapeGraph, addresses: &BTreeMap<Symbol, ObjectId>, symbol: Symbol) -> Value {
    match graph.kind(symbol) {
        // Its value comes out when it is read.
        Kind::Scalar(_) => Value::Uninitialised,
        _ => addresses.get(&symbol).map_or(Value::Null, |object| Value::Object(*object)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::specification::concretization::{Judge, Membership};
    use trifold_ir::{Frame, parse, validate};

    /// Shapes, and procedures that assume them.
    const PROGRAM: &str = "struct node { node *next; node *prev; i32 data; } struct tree { tree *left; tree *right; }
        proc list(node *p) -> bool b { node *n; if (p == null) { b = true; return; } n = p->next; b = list(n); }
        proc segment(node *p, node *last) -> bool b {
            node *n;
            if (p == last) { b = true; return; }
            if (p == null) { b = false; return; }
            n = p->next; b = segment(n, last);
        }
        proc dll(node *p, node *before) -> bool b {
            node *n; node *q;
            if (p == null) { b = true; return; }
            q = p->prev;
            if (q != before) { b = false; return; }
            n = p->next; b = dll(n, p);
        }
        proc circle(node *p) -> bool b { node *n; if (p == null) { b = true; return; } n = p->next; b = segment(n, p); }
        proc tree(tree *t) -> bool b {
            tree *u;
            if (t == null) { b = true; return; }
            u = t->left; b = tree(u);
            if (!b) { return; }
            u = t->right; b = tree(u);
        }
        proc of_list(node *x) { bool b; b = list(x); if (!b) { stop; } x->next = null; }
        proc of_dll(node *x) { bool b; node *q; q = x; b = dll(x, null); if (!b) { stop; } x->next = null; }
        proc of_circle(node *x) { bool b; b = circle(x); if (!b) { stop; } x->next = null; }
        proc of_tree(tree *x) { bool b; b = tree(x); if (!b) { stop; } x->left = null; }
        proc of_two(node *x, node *y) { bool b; b = segment(x, y); if (!b) { stop; } b = list(y); if (!b) { stop; } }";

    fn program() -> Program {
        parse("test", PROGRAM).unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics)).0
    }

    /// The state in which a procedure is called.
    fn state(program: &Program, entry: ProcId, start: &RunStart) -> State {
        let arguments = start.arguments.iter().copied().chain(std::iter::repeat(Value::Uninitialised));
        let all = program[entry].variables().zip(arguments).collect();
        let (node, edge, owned) = (program[entry].entry, None, Vec::new());
        let frame = Frame { procedure: entry, node, edge, values: all, owned };
        State { objects: start.objects.clone(), frames: vec![frame.clone(), frame], ..State::default() }
    }

    /// All heaps of a size are there, each of them is valid, and represented by the graphs that were assumed.
    #[test]
    fn all_small_heaps_are_found() {
        let program = program();
        let expected = [
            ("of_list", [1, 1, 1, 1, 1]),
            ("of_dll", [1, 1, 1, 1, 1]),
            ("of_circle", [1, 1, 1, 1, 1]),
            ("of_tree", [1, 1, 2, 5, 14]),
            ("of_two", [1, 2, 3, 4, 5]),
        ];
        for (name, counts) in expected {
            let entry = program.procedure_named(name).unwrap();
            let inputs = Inputs::of(&program, entry);
            for (blocks, count) in counts.into_iter().enumerate() {
                let found = inputs.with_blocks(blocks, 100);
                assert_eq!(found.len(), count, "{name} with {blocks} blocks");
                for input in found {
                    assert!(input.is_valid(&program), "{name}: {input:?}");
                    let state = state(&program, entry, &input.start);
                    let judge = Judge::new(&program, &inputs.checking.layouts, &state, true, 0);
                    let represents = |beginning: &Beginning| judge.represents(&beginning.graph) == Membership::Yes;
                    assert!(inputs.beginnings.iter().any(represents), "{name}: {input:?}");
                }
            }
        }
    }

    /// A heap that does not satisfy the assumption is found out, for each of several reasons.
    #[test]
    fn wrong_heaps_are_not_valid() {
        let program = program();
        let input = |name: &str, blocks: usize| {
            Inputs::of(&program, program.procedure_named(name).unwrap()).with_blocks(blocks, 100).pop().unwrap()
        };
        let mut shared = input("of_two", 2);
        assert!(shared.is_valid(&program));
        shared.start.arguments[0] = shared.start.arguments[1];
        let mut pairs = shared.holds.clone();
        pairs[0].1[0] = pairs[1].1[0];
        shared.holds = vec![pairs[1].clone(), pairs[1].clone()];
        assert!(!shared.is_valid(&program), "two lists share their elements");
        let mut wrong = input("of_dll", 2);
        wrong.start.objects[1].fields[1] = Value::Null;
        assert!(!wrong.is_valid(&program), "a link does not lead back");
        let mut endless = input("of_list", 2);
        endless.start.objects[1].fields[0] = Value::Object(ObjectId(0));
        assert!(!endless.is_valid(&program), "a list does not end");
        let mut lost = input("of_list", 2);
        lost.start.arguments[0] = Value::Null;
        assert!(!lost.is_valid(&program), "nothing leads to the list");
    }

    #[test]
    fn a_procedure_that_passes_its_arguments_on_is_well_formed() {
        let mut program = program();
        let (target, first) = (program.procedure_named("segment").unwrap(), program.procedure_named("of_list"));
        assert!(first.is_some());
        add_passer(&mut program, target, None);
        assert_eq!(validate(&program), Ok(()));
    }
}
