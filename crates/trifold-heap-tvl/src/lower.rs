//! From a heap program to a specification: predicates, actions and a control-flow graph.

use crate::actions::Lowering;
use crate::actions::flow::FlowBuilder;
use crate::tracked::data_order::{Compared, compared};
use crate::tracked::families::{Families, Roles, choose};
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
    /// Which of the links are tracked that nobody reads?
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
    /// Do variables keep their values where nobody reads them any more?
    pub dead: bool,
}

/// How calls are analysed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Calls {
    /// By local heaps, if there are procedures that are called in several places: what they make of an input is found out once.
    #[default]
    OnLocalHeaps,
    /// As if the callee stood in their place.
    InPlace,
}

/// Links that nobody reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Unread {
    /// None of them is tracked. What only such a link leads to counts as lost.
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
    /// What edges come from, by their origin.
    pub places: Vec<Place>,
    /// The locations of program points.
    pub points: BTreeMap<Point, LocationId>,
    /// The properties of shapes that are tracked.
    pub families: Families,
    /// The procedures that a run can come to.
    pub procedures: Vec<ProcId>,
    /// The program, with what was added to it to analyse it. Edges and variables have their old numbers.
    pub program: Program,
    /// How much is tracked.
    pub precision: Precision,
    /// Is there data by which objects could be ordered?
    pub is_comparable: bool,
    /// Are calls made on local heaps, though nothing recurses?
    pub by_choice: bool,
    /// The slots of links that are left out because nobody reads them.
    pub(crate) unread: BTreeSet<Slot>,
    pub(crate) predicates: Predicates,
    pub(crate) liveness: Vec<Liveness>,
    pub(crate) formals: Formals,
}

impl Lowered {
    /// The variables of each procedure that are forgotten where nobody reads them any more.
    pub fn forgotten(&self) -> BTreeMap<ProcId, BTreeSet<VarId>> {
        let of = |id: &ProcId| (*id, self.liveness[id.index()].mortal(&self.program[*id]));
        self.procedures.iter().map(of).collect()
    }
}

/// Lowers the part of a valid program that a call of the entry, with parameters that have no values, can come to.
pub fn lower(program: &Program, entry: ProcId, precision: Precision, roles: &Roles) -> Lowered {
    let calls = CallGraph::of(program);
    let procedures = calls.reached(entry);
    // Objects that are compared must be known again.
    let reused = if precision.ordered { reuse_loads(program, &procedures) } else { None };
    let mut prepared = reused.unwrap_or_else(|| program.clone());
    if precision.dead_fields {
        prepared = without_dead_fields(&prepared, &procedures).unwrap_or(prepared);
    }
    let summaries = needs_summaries(program, &calls, &procedures, entry, precision.calls);
    let recursive =
        procedures.iter().copied().filter(|procedure| summaries && calls.is_recursive(*procedure)).collect();
    let by_choice = summaries && BTreeSet::is_empty(&recursive);
    let (formals, returned) = if summaries { prepare(&mut prepared, &procedures) } else { Default::default() };
    let mut lean = prepared.clone();
    let context = Context { procedures: &procedures, entry, formals: &formals, roles, keeps_dead: precision.dead };
    let mut seen = Seen::new(&lean, &context, &BTreeSet::new());
    let mut unread = unread_links(&lean, &procedures, &seen.points_to, &seen.links);
    match precision.unread {
        Unread::LeftOut => {}
        Unread::Holding => unread.retain(|link| seen.families.observers.contains(link)),
        Unread::Tracked => unread.clear(),
    }
    let left_out = slots_of(&seen.links, &unread);
    if !unread.is_empty() {
        leave_out(&mut lean, &procedures, &seen.points_to, &seen.links, &unread);
        let names = unread.iter().map(|link| seen.links[*link].name(&lean)).collect();
        seen = Seen::new(&lean, &context, &left_out);
        seen.families.unread = names;
    }
    let program = &lean;
    let Seen { liveness, points_to, links, mut families } = seen;
    let partitions = Partitions::of(program, &procedures);
    let mut compared = compared(program, &procedures, &liveness, &links, &families);
    let is_comparable = !compared.is_empty();
    if !precision.ordered {
        compared.clear();
    }
    for class in &compared {
        let known = if class.only_equal { &mut families.equated } else { &mut families.ordered };
        known.extend(&class.data);
    }
    let numbers = if summaries { kept_numbers(program, &procedures, &compared) } else { Numbers::new() };
    // How objects compare to what steered the way to them still matters where something is linked there.
    let steering: BTreeSet<VarId> = compared.iter().flat_map(|class| &class.steering).copied().collect();
    let liveness: Vec<Liveness> = if numbers.is_empty() && steering.is_empty() {
        liveness
    } else {
        program.procedure_ids().map(|id| context.live(program, id, &numbers, &steering)).collect()
    };
    let sites = if summaries { BTreeMap::new() } else { call_sites(program, &procedures) };
    let scope = Scope {
        program,
        procedures: &procedures,
        liveness: &liveness,
        points_to: &points_to,
        links: &links,
        families: &families,
        partitions: &partitions,
        compared: &compared,
        sites: &sites,
        summaries,
        recursive: &recursive,
        apart: precision.apart,
        formals: formals.values().map(Vec::len).max().unwrap_or(0),
    };
    let predicates = Predicates::new(&scope);
    let about_objects = predicates.shared().flat_map(|(_, pointer)| pointer.at.values().copied()).collect();
    let defined = predicates.vocabulary.iter().filter(|(_, predicate)| predicate.definition.is_some());
    let defined = defined.map(|(id, predicate)| (id, predicate.arity)).collect();
    let data = compared.iter().flat_map(|order| &order.data).map(|link| links[*link].field).collect();
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
    if summaries {
        lowering.declare_procedures();
    }
    let Lowering { graph: FlowBuilder { cfg, actions, places, points, .. }, predicates, formals, .. } = lowering;
    let initial = initial(program, entry, &predicates, &liveness);
    let vocabulary = predicates.vocabulary.clone();
    let mut rules = predicates.rules();
    rules.extend(predicates.order_rules());
    rules.extend(closure_rules(&vocabulary));
    let declared_at = vec![Origin::default(); vocabulary.len()];
    let specification = Specification { vocabulary, declared_at, rules, actions, cfg };
    let specification = Arc::new(specification);
    Lowered {
        specification,
        initial,
        places,
        points,
        families,
        procedures,
        program: prepared,
        precision,
        is_comparable,
        by_choice,
        unread: left_out,
        predicates,
        liveness,
        formals,
    }
}

/// What is seen of a program before predicates are chosen.
struct Seen {
    liveness: Vec<Liveness>,
    points_to: PointsTo,
    links: Links,
    families: Families,
}

impl Seen {
    fn new(program: &Program, context: &Context, left_out: &BTreeSet<Slot>) -> Seen {
        let Context { procedures, entry, roles, .. } = *context;
        let live = |id| context.live(program, id, &Numbers::new(), &BTreeSet::new());
        let liveness: Vec<Liveness> = program.procedure_ids().map(live).collect();
        let points_to = PointsTo::of(program, procedures, entry, &liveness);
        let links = Links::of(program, &points_to, left_out);
        let families = choose(program, procedures, &points_to, &links, roles);
        Seen { liveness, points_to, links, families }
    }
}

/// What stays as it is while a program is looked at.
struct Context<'a> {
    procedures: &'a [ProcId],
    entry: ProcId,
    formals: &'a Formals,
    roles: &'a Roles,
    keeps_dead: bool,
}

impl Context<'_> {
    /// What is live in a procedure: formals are, until it returns, and so are the numbers that are remembered or steer walks.
    fn live(&self, program: &Program, procedure: ProcId, numbers: &Numbers, steering: &BTreeSet<VarId>) -> Liveness {
        let kept = self.formals.get(&procedure).into_iter().flatten().map(|formal| formal.kept);
        let kept = kept.chain(numbers.get(&procedure).into_iter().flat_map(|kept| kept.values().copied()));
        let kept = kept.chain(program[procedure].variables().filter(|x| steering.contains(x)));
        let at_exit = program[procedure].result.into_iter().chain(kept).collect();
        let live = if self.keeps_dead { Liveness::everywhere } else { Liveness::until_exit };
        live(&program[procedure], at_exit)
    }
}

/// Are calls made on local heaps? They must be if something recurses; and it pays if a procedure is called in several places.
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

/// The parameters, by their position, that say at the exit how the numbers which were passed compare to what is there then.
pub(crate) type Numbers = BTreeMap<ProcId, BTreeMap<usize, VarId>>;

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

/// No objects, globals null, and variables of the entry without values, as far as anybody could notice.
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
