//! From a heap program to a specification: predicates, actions and a control-flow graph. For example, a program with
//! `node *x`, `n` and `x = x->n` gets the predicates `x(v)`, `n(v,w)` and `r[n,x](v)`, and an action that updates `x`.

use crate::actions::flow::FlowBuilder;
use crate::actions::{Lowering, Numbers};
use crate::tracked::data_order::{Compared, compared};
use crate::tracked::families::{Families, NamedRoles, choose};
use crate::tracked::scalar_cells::Partitions;
use crate::vocabulary::predicates::{Predicates, Scope};
use crate::vocabulary::reachability_rules::closure_rules;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use trifold_ir::{Operand, Place, Point, ProcId, Procedure, Program, Region, Statement, VarId};
use trifold_logic::Kleene;
use trifold_passes::data_effects::effects;
use trifold_passes::dead_fields::without_dead_fields;
use trifold_passes::formals::{Formals, prepare};
use trifold_passes::links::Links;
use trifold_passes::points_to::PointsTo;
use trifold_passes::reuse_loads::reuse_loads;
use trifold_passes::targets::Slot;
use trifold_passes::unread::{leave_out, slots_of, unread_links};
use trifold_passes::{CallGraph, Liveness};
use trifold_structure::{Layout, Structure};
use trifold_tvl::{LocationId, Origin, Specification};

/// How much is tracked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Precision {
    /// Which of the links are tracked that are not read?
    pub unread: Unread,
    /// Are objects told apart by which of several links of a spine they have?
    pub apart: bool,
    /// Is the order of objects by their data tracked, where data is compared?
    pub ordered: bool,
    /// How are calls analysed, if nothing recurses?
    pub calls: Calls,
    /// Do fields lose their values at calls, if the procedure overwrites them before it reads them?
    pub dead_fields: bool,
    /// Is memory collected? Then it does not matter when an object is lost.
    pub collected: bool,
    /// Do variables keep their values where they are not read any more?
    pub dead: bool,
}

/// How calls are analysed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Calls {
    /// By local heaps, if there are procedures that are called in several places: their outputs for an input are
    /// computed once.
    #[default]
    OnLocalHeaps,
    /// As if the callee stood in their place.
    InPlace,
}

/// Links that are not read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Unread {
    /// None of them is tracked. An object that only such a link leads to counts as lost.
    #[default]
    LeftOut,
    /// Those that lead to objects which nothing else may hold are.
    Holding,
    /// All of them are.
    Tracked,
}

/// A heap program as a specification.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The specification.
    pub specification: Arc<Specification>,
    /// The state in which the entry is called, which is that of the first location.
    pub initial: Structure,
    /// The origins of edges, by number.
    pub places: Vec<Place>,
    /// The locations of program points.
    pub points: BTreeMap<Point, LocationId>,
    /// The properties of shapes that are tracked.
    pub families: Families,
    /// The procedures that a run can come to.
    pub procedures: Vec<ProcId>,
    /// The program, with the parts that were added to analyse it. Edges and variables have their old numbers.
    pub program: Program,
    /// How much is tracked.
    pub precision: Precision,
    /// Is there data by which objects could be ordered?
    pub is_comparable: bool,
    /// Are calls made on local heaps, though nothing recurses?
    pub by_choice: bool,
    /// The slots of links that are left out because they are not read.
    pub(crate) unread: BTreeSet<Slot>,
    pub(crate) predicates: Predicates,
    pub(crate) liveness: Vec<Liveness>,
    pub(crate) formals: Formals,
}

impl Lowered {
    /// The variables of each procedure that are forgotten where they are not read any more.
    pub fn forgotten(&self) -> BTreeMap<ProcId, BTreeSet<VarId>> {
        let of = |id: &ProcId| (*id, self.liveness[id.index()].mortal(&self.program[*id]));
        self.procedures.iter().map(of).collect()
    }
}

/// Lowers the part of a valid program that a call of the entry, with parameters that have no values, can come to.
pub fn lower(program: &Program, entry: ProcId, precision: Precision, roles: &NamedRoles) -> Lowered {
    let mut draft = Draft::new(program, entry, precision, roles);
    // Objects that are compared must be known again: a second load of the same object becomes a copy.
    draft.reuse_loads();
    // Fields that are overwritten after a call, before anything reads them, make no cutpoints of the call.
    draft.drop_dead_fields();
    // Procedures remember their arguments where they are analysed on local heaps.
    draft.remember_arguments();
    // Links that no statement reads hold null: nothing has to be tracked of them.
    let mut seen = draft.leave_out_unread_links();
    // Data that the program compares orders its objects, if that is wanted.
    draft.choose_data_order(&mut seen);
    // Numbers with which objects compare live longer: until the exit if they were passed, or where they steer a walk.
    draft.keep_numbers_alive(&mut seen);
    // Predicates first, then actions over them.
    let predicates = draft.predicates(&seen);
    draft.specification(seen, predicates)
}

/// A program on its way to a specification.
struct Draft<'a> {
    entry: ProcId,
    precision: Precision,
    roles: &'a NamedRoles,
    calls: CallGraph,
    /// The procedures that a run can come to.
    procedures: Vec<ProcId>,
    /// Are calls made on local heaps, and which procedures recurse then?
    summaries: bool,
    recursive: BTreeSet<ProcId>,
    /// The program with the parts that were added, and the same without links that no statement reads.
    prepared: Program,
    lean: Program,
    formals: Formals,
    /// Global variables in which procedures leave their results.
    returned: Vec<VarId>,
    /// The slots of links that are left out.
    left_out: BTreeSet<Slot>,
    compared: Vec<Compared>,
    is_comparable: bool,
    numbers: Numbers,
}

impl<'a> Draft<'a> {
    fn new(program: &Program, entry: ProcId, precision: Precision, roles: &'a NamedRoles) -> Draft<'a> {
        let calls = CallGraph::of(program);
        let procedures = calls.reached(entry);
        let summaries = needs_summaries(program, &calls, &procedures, entry, precision.calls);
        let recursive = procedures.iter().copied().filter(|p| summaries && calls.is_recursive(*p)).collect();
        Draft {
            entry,
            precision,
            roles,
            calls,
            procedures,
            summaries,
            recursive,
            prepared: program.clone(),
            lean: Program::default(),
            formals: Formals::default(),
            returned: Vec::new(),
            left_out: BTreeSet::new(),
            compared: Vec::new(),
            is_comparable: false,
            numbers: Numbers::new(),
        }
    }

    fn reuse_loads(&mut self) {
        if self.precision.ordered
            && let Some(reused) = reuse_loads(&self.prepared, &self.procedures)
        {
            self.prepared = reused;
        }
    }

    fn drop_dead_fields(&mut self) {
        if self.precision.dead_fields
            && let Some(without) = without_dead_fields(&self.prepared, &self.procedures)
        {
            self.prepared = without;
        }
    }

    fn remember_arguments(&mut self) {
        if self.summaries {
            (self.formals, self.returned) = prepare(&mut self.prepared, &self.procedures);
        }
        self.lean = self.prepared.clone();
    }

    fn leave_out_unread_links(&mut self) -> Seen {
        let mut seen = Seen::new(self);
        let mut unread = unread_links(&self.lean, &self.procedures, &seen.points_to, &seen.links);
        match self.precision.unread {
            Unread::LeftOut => {}
            Unread::Holding => unread.retain(|link| seen.families.observers.contains(link)),
            Unread::Tracked => unread.clear(),
        }
        if !unread.is_empty() {
            self.left_out = slots_of(&seen.links, &unread);
            leave_out(&mut self.lean, &self.procedures, &seen.points_to, &seen.links, &unread);
            let names = unread.iter().map(|link| seen.links[*link].name(&self.lean)).collect();
            seen = Seen::new(self);
            seen.families.unread = names;
        }
        seen
    }

    fn choose_data_order(&mut self, seen: &mut Seen) {
        self.compared = compared(&self.lean, &self.procedures, &seen.liveness, &seen.links, &seen.families);
        self.is_comparable = !self.compared.is_empty();
        if !self.precision.ordered {
            self.compared.clear();
        }
        for class in &self.compared {
            let families = &mut seen.families;
            let known = if class.only_equal { &mut families.equated } else { &mut families.ordered };
            known.extend(&class.data);
        }
    }

    fn keep_numbers_alive(&mut self, seen: &mut Seen) {
        if self.summaries {
            self.numbers = kept_numbers(&self.lean, &self.procedures, &self.compared);
        }
        // How objects compare to a number that steered the way to them still matters where something is linked there.
        let steering: BTreeSet<VarId> = self.compared.iter().flat_map(|class| &class.steering).copied().collect();
        if !self.numbers.is_empty() || !steering.is_empty() {
            seen.liveness = self.lean.procedure_ids().map(|id| self.live(id, &steering)).collect();
        }
    }

    /// The live variables of a procedure: formals are, until it returns, and so are the numbers that are remembered or
    /// steer walks.
    fn live(&self, procedure: ProcId, steering: &BTreeSet<VarId>) -> Liveness {
        let program = &self.lean;
        let kept = self.formals.get(&procedure).into_iter().flatten().map(|formal| formal.kept);
        let kept = kept.chain(self.numbers.get(&procedure).into_iter().flat_map(|kept| kept.values().copied()));
        let kept = kept.chain(program[procedure].variables().filter(|x| steering.contains(x)));
        let at_exit = program[procedure].result.into_iter().chain(kept).collect();
        let live = if self.precision.dead { Liveness::everywhere } else { Liveness::until_exit };
        live(&program[procedure], at_exit)
    }

    fn predicates(&self, seen: &Seen) -> Predicates {
        let sites = if self.summaries { BTreeMap::new() } else { call_sites(&self.lean, &self.procedures) };
        Predicates::of(&Scope {
            program: &self.lean,
            procedures: &self.procedures,
            liveness: &seen.liveness,
            points_to: &seen.points_to,
            links: &seen.links,
            families: &seen.families,
            partitions: &Partitions::of(&self.lean, &self.procedures),
            compared: &self.compared,
            sites: &sites,
            summaries: self.summaries,
            recursive: &self.recursive,
            apart: self.precision.apart,
            formals: self.formals.values().map(Vec::len).max().unwrap_or(0),
        })
    }

    /// Statements become actions, and rules say which facts hold of all states.
    fn specification(self, seen: Seen, predicates: Predicates) -> Lowered {
        let Draft { entry, precision, calls, procedures, lean, formals, returned, numbers, .. } = self;
        let (program, Seen { liveness, links, families, .. }) = (&lean, seen);
        let about_objects = predicates.shared().flat_map(|(_, pointer)| pointer.at.values().copied()).collect();
        let defined = predicates.vocabulary.iter().filter(|(_, predicate)| predicate.definition.is_some());
        let defined = defined.map(|(id, predicate)| (id, predicate.arity)).collect();
        let data = self.compared.iter().flat_map(|order| &order.data).map(|link| links[*link].field).collect();
        let mut lowering = Lowering {
            program,
            entry,
            predicates,
            liveness: &liveness,
            calls,
            graph: FlowBuilder::new(about_objects, defined),
            cleared: cleared(program, &procedures),
            next_site: BTreeMap::new(),
            formals,
            returned,
            procedures: &procedures,
            is_one_level: is_one_level(program, &links, &families),
            effects: effects(program, &procedures, &data),
            numbers,
            collected: precision.collected,
            absent: Default::default(),
            is_returning: false,
            collecting: Default::default(),
            made: Default::default(),
        };
        // The first location is where the analysis starts.
        lowering.point(entry, program[entry].entry);
        for procedure in &procedures {
            lowering.procedure(*procedure);
        }
        if self.summaries {
            lowering.declare_procedures();
        }
        let Lowering { graph: FlowBuilder { cfg, actions, places, points, .. }, predicates, formals, .. } = lowering;
        let initial = initial(program, entry, &predicates, &liveness);
        let vocabulary = predicates.vocabulary.clone();
        let mut rules = predicates.rules();
        rules.extend(predicates.order_rules());
        rules.extend(closure_rules(&vocabulary));
        let declared_at = vec![Origin::default(); vocabulary.len()];
        Lowered {
            specification: Arc::new(Specification { vocabulary, declared_at, rules, actions, cfg }),
            initial,
            places,
            points,
            families,
            procedures,
            program: self.prepared,
            precision,
            is_comparable: self.is_comparable,
            by_choice: self.summaries && self.recursive.is_empty(),
            unread: self.left_out,
            predicates,
            liveness,
            formals,
        }
    }
}

/// The facts about a program from which predicates are chosen.
struct Seen {
    liveness: Vec<Liveness>,
    points_to: PointsTo,
    links: Links,
    families: Families,
}

impl Seen {
    fn new(draft: &Draft) -> Seen {
        let Draft { lean, procedures, entry, roles, left_out, .. } = draft;
        let liveness: Vec<Liveness> = lean.procedure_ids().map(|id| draft.live(id, &BTreeSet::new())).collect();
        let points_to = PointsTo::of(lean, procedures, *entry, &liveness);
        let links = Links::of(lean, &points_to, left_out);
        let families = choose(lean, procedures, &points_to, &links, roles);
        Seen { liveness, points_to, links, families }
    }
}

/// Are calls made on local heaps? They must be if something recurses; and it pays if a procedure is called in several
/// places.
///
/// Objects of static memory are of every local heap: global variables must lead to them.
fn needs_summaries(program: &Program, calls: &CallGraph, procedures: &[ProcId], entry: ProcId, wanted: Calls) -> bool {
    let recursive = procedures.iter().any(|procedure| calls.is_recursive(*procedure));
    let repeated = call_sites(program, procedures).values().any(|count| *count > 1);
    let pays = repeated && wanted == Calls::OnLocalHeaps;
    (recursive || pays) && are_statics_held(program, procedures, entry)
}

/// Is all of static memory allocated at the beginning, and held by global variables that nothing else is assigned to?
fn are_statics_held(program: &Program, procedures: &[ProcId], entry: ProcId) -> bool {
    let assigned = |x: VarId| {
        let edges = procedures.iter().flat_map(|procedure| &program[*procedure].edges);
        edges.filter(|edge| edge.statement.assigned() == Some(x)).count()
    };
    procedures.iter().all(|procedure| {
        program[*procedure].edges.iter().all(|edge| match edge.statement {
            Statement::Allocate { to, region: Region::Static, .. } => {
                let is_global = program[to].scope == trifold_ir::Scope::Global;
                let is_done_once = *procedure == entry && !is_on_cycle(&program[entry], edge);
                is_global && is_done_once && assigned(to) == 1
            }
            _ => true,
        })
    })
}

/// Does a way lead from the end of an edge back to its beginning?
fn is_on_cycle(procedure: &Procedure, edge: &trifold_ir::Edge) -> bool {
    let leaving = procedure.edges_from();
    let (mut open, mut seen) = (vec![edge.to], BTreeSet::new());
    while let Some(node) = open.pop() {
        if seen.insert(node) {
            open.extend(leaving[node.index()].iter().map(|edge| procedure.edges[*edge].to));
        }
    }
    seen.contains(&edge.from)
}

fn kept_numbers(program: &Program, procedures: &[ProcId], compared: &[Compared]) -> Numbers {
    let of_procedure = |procedure: &ProcId| {
        let body = &program[*procedure];
        let is_assigned = |x: VarId| body.edges.iter().any(|edge| edge.statement.assigned() == Some(x));
        let is_tracked = |x: &VarId| compared.iter().any(|order| order.variables.contains(x));
        let parameters = body.parameters.iter().copied().enumerate();
        (*procedure, parameters.filter(|(_, x)| is_tracked(x) && !is_assigned(*x)).collect())
    };
    procedures.iter().map(of_procedure).collect()
}

/// Are all links between objects of one level, along its spine?
fn is_one_level(program: &Program, links: &Links, families: &Families) -> bool {
    let spines: Vec<_> = families.levels.iter().filter(|level| !level.spine.is_empty()).collect();
    let [only] = spines[..] else { return false };
    let mut used = links.pointers(program).filter(|(_, link)| !link.pointees.targets.is_empty());
    used.all(|(link, _)| only.spine.contains(&link))
}

/// The variables that go out of scope before their procedures return.
fn cleared(program: &Program, procedures: &[ProcId]) -> BTreeSet<VarId> {
    let edges = procedures.iter().flat_map(|procedure| &program[*procedure].edges);
    let cleared = edges.filter_map(|edge| match edge.statement {
        Statement::Set { to, value: Operand::Uninitialised } => Some(to),
        _ => None,
    });
    cleared.collect()
}

/// How often each procedure is called.
fn call_sites(program: &Program, procedures: &[ProcId]) -> BTreeMap<ProcId, usize> {
    let mut sites = BTreeMap::new();
    for edge in procedures.iter().flat_map(|procedure| &program[*procedure].edges) {
        if let Statement::Call { targets, .. } = &edge.statement {
            targets.iter().for_each(|target| *sites.entry(*target).or_default() += 1);
        }
    }
    sites
}

/// No objects, globals null, and variables of the entry without values, as far as a statement could notice.
fn initial(program: &Program, entry: ProcId, predicates: &Predicates, liveness: &[Liveness]) -> Structure {
    let mut structure = Structure::new(&Arc::new(Layout::new(&predicates.vocabulary)), 0);
    let live: &BTreeSet<_> = liveness[entry.index()].at(program[entry].entry);
    for variable in live {
        if let Some(uninit) = predicates.pointers.get(variable).and_then(|pointer| pointer.uninit) {
            structure.set_nullary(uninit, Kleene::True);
        }
    }
    for (variable, cells) in &predicates.cells {
        for ((low, high), predicate) in cells {
            let value = match program[*variable].scope {
                trifold_ir::Scope::Global => Kleene::from((*low..=*high).contains(&0)),
                _ => Kleene::Unknown,
            };
            structure.set_nullary(*predicate, value);
        }
    }
    for pair in predicates.orders.iter().flat_map(|order| order.pairs.values()) {
        structure.set_nullary(*pair, Kleene::Unknown);
    }
    structure
}
