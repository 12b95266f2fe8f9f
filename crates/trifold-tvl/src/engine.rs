//! The engine: a specification made ready to run, and the step from structure to structures.
//!
//! [`Run::transfer`] is the whole abstract semantics of an action, top to bottom: focus → coerce → precondition →
//! messages → update → coerce → messages → blur.
//!
//! For example, `y = y->n` where `y` points to the first element of a list of two or more: focus splits the summary
//! into the second element and the rest, or makes it the second element; update moves `y` there; blur merges elements
//! that no predicate tells apart.

use crate::blur::{Abstraction, BlurRule};
use crate::changes::Changes;
use crate::coerce::{CoerceScratch, Coercer, Infeasible};
use crate::compiled::{CompiledAction, Effect};
use crate::concretize::{SearchLimits, concretizations};
use crate::constraints::constraints;
use crate::derive::{Derive, cycle_messages};
use crate::event::{Event, Phase};
use crate::focus::{Focused, Refine, Unfocusable};
use crate::join::{Join, Kept, Structures};
use crate::location_abstraction::{LocationAbstraction, location_abstractions};
use crate::messages::{self, Messages};
use crate::order::Order;
use crate::precise::{PreciseSteps, When};
use crate::precondition::TooManyAssignments;
use crate::specification::{ActionId, Edge, Label, Origin, Specification};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};
use trifold_fixpoint::{Domain, EdgeId, IdVec, Insertion, LocationId, ProcedureId, Step};
use trifold_logic::PredicateId;
use trifold_structure::{Individual, Layout, Structure, Workspace, row_words};

/// How to analyse.
#[derive(Clone, Copy, Debug)]
pub struct EngineOptions {
    /// The operations of a step.
    pub order: Order,
    /// The structures that a location keeps.
    pub join: Join,
    /// When blur keeps individuals apart.
    pub blur: BlurRule,
    /// Generate consistency rules from properties and definitions?
    pub automatic_constraints: bool,
    /// Which updates of defined predicates to derive when an action does not give them.
    pub derive: Derive,
    /// Forget variables where they are dead?
    pub forget_dead: bool,
    /// Record every phase of every step in [`Event::Phase`]?
    pub trace: bool,
}

impl Default for EngineOptions {
    fn default() -> EngineOptions {
        EngineOptions {
            order: Order::default(),
            join: Join::default(),
            blur: BlurRule::default(),
            automatic_constraints: true,
            derive: Derive::Missing,
            forget_dead: false,
            trace: false,
        }
    }
}

/// A specification, compiled.
#[derive(Debug)]
pub struct Engine {
    specification: Arc<Specification>,
    layout: Arc<Layout>,
    options: EngineOptions,
    /// For each location, the part of structures that is kept there.
    kept: IdVec<LocationId, LocationAbstraction>,
    coercer: Coercer,
    /// All rules that stores obey, for all options; compiled when they are needed.
    laws: OnceLock<Coercer>,
    /// Compiled when they are first tried.
    actions: IdVec<ActionId, OnceLock<CompiledAction>>,
    precise: Option<(Arc<dyn PreciseSteps>, When)>,
    /// By procedure with a contract that is relied on: the structures of its postconditions.
    promised: BTreeMap<ProcedureId, Vec<Structure>>,
}

/// Memory that steps reuse.
#[derive(Default, Debug)]
pub struct EngineScratch {
    workspace: Workspace,
    coerce: CoerceScratch,
}

/// Stores that are looked at to tell an infeasible structure from a contradictory specification.
const WITNESS_LIMITS: SearchLimits = SearchLimits { max_size: 5, decisions: 400 };

impl Engine {
    /// Compiles a specification.
    pub fn new(specification: Arc<Specification>, options: EngineOptions) -> Engine {
        Engine::observed(specification, options, &[])
    }

    /// Compiles a specification whose predicates are looked at, at some locations, when the analysis is done.
    pub fn observed(
        mut specification: Arc<Specification>,
        options: EngineOptions,
        observed: &[(LocationId, BTreeSet<PredicateId>)],
    ) -> Engine {
        if specification.vocabulary.iter().any(|(_, predicate)| predicate.properties.acyclic) {
            let Specification { vocabulary, actions, .. } = Arc::make_mut(&mut specification);
            actions.iter_mut().for_each(|action| action.messages.extend(cycle_messages(action, vocabulary)));
        }
        let vocabulary = &specification.vocabulary;
        let arities: Vec<usize> = vocabulary.iter().map(|(_, p)| p.arity).collect();
        Engine {
            layout: Arc::new(Layout::new(vocabulary)),
            kept: location_abstractions(&specification, options.forget_dead, options.derive, options.blur, observed),
            coercer: Coercer::new(constraints(&specification, options.automatic_constraints), &arities),
            laws: OnceLock::new(),
            actions: specification.actions.iter().map(|_| OnceLock::new()).collect(),
            precise: None,
            promised: BTreeMap::new(),
            specification: specification.clone(),
            options,
        }
    }

    /// An action, ready to be taken.
    fn action(&self, id: ActionId) -> &CompiledAction {
        let Specification { vocabulary, actions, .. } = self.specification.as_ref();
        self.actions[id].get_or_init(|| CompiledAction::new(id, &actions[id], vocabulary))
    }

    /// The engine with a way to more precise steps.
    pub fn with_precise_steps(self, steps: Arc<dyn PreciseSteps>, when: When) -> Engine {
        Engine { precise: Some((steps, when)), ..self }
    }

    /// The engine with procedures whose contracts are relied on: they are not entered, and return with these
    /// structures.
    pub fn relying_on(self, promised: BTreeMap<ProcedureId, Vec<Structure>>) -> Engine {
        Engine { promised, ..self }
    }

    /// The structures with which a procedure returns, if they are promised.
    pub(crate) fn promised(&self, callee: ProcedureId) -> Option<&[Structure]> {
        self.promised.get(&callee).map(Vec::as_slice)
    }

    /// The specification, with a message wherever a cycle of a predicate declared acyclic may be closed.
    pub fn specification(&self) -> &Specification {
        &self.specification
    }

    /// The layout of its structures.
    pub fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }

    /// The rules that coerce uses.
    pub fn coercer(&self) -> &Coercer {
        &self.coercer
    }

    /// The rules that every store obeys.
    pub fn laws(&self) -> &Coercer {
        self.laws.get_or_init(|| {
            let arities: Vec<usize> = self.specification.vocabulary.iter().map(|(_, p)| p.arity).collect();
            Coercer::new(constraints(&self.specification, true), &arities)
        })
    }

    /// Can a structure of this many individuals be made ready for the entry within the bounds on memory?
    pub fn can_hold(&self, size: usize) -> bool {
        table_words(self.coercer.width(), size) <= MAX_TABLE_WORDS
    }

    /// How to analyse.
    pub fn options(&self) -> EngineOptions {
        self.options
    }

    /// The abstraction at a location.
    pub fn abstraction(&self, location: LocationId) -> &Abstraction {
        &self.kept[location].abstraction
    }

    /// Makes an input ready for a location: coerced, where coerce is in use, and blurred.
    pub fn prepare(
        &self,
        location: LocationId,
        mut input: Structure,
        scratch: &mut EngineScratch,
    ) -> Result<Structure, Infeasible> {
        let Order { coerce_early, coerce_late, .. } = self.options.order;
        if coerce_early || coerce_late {
            self.coercer.coerce(&mut input, &Changes::Anything, &mut scratch.coerce)?;
        }
        Ok(self.blur(location, input))
    }

    /// The predicates that are dead, and forgotten, at a location.
    pub fn dead(&self, location: LocationId) -> &[PredicateId] {
        &self.kept[location].dead
    }

    /// The concrete semantics of an action: no focus, no coerce, no blur.
    pub fn execute(&self, action: ActionId, store: &Structure, scratch: &mut EngineScratch) -> Step<Structure, Event> {
        let mut run = Run::new(self, action, scratch);
        let mut states = Vec::new();
        for assignment in run.assignments(store) {
            run.report_messages(&run.effect().before, store, &assignment);
            states.push(run.update(store, &assignment).0);
        }
        Step { states, events: run.events }
    }

    /// The messages after the update, for a store that [`Engine::execute`] has led to.
    pub fn judge_result(&self, action: ActionId, store: &Structure, scratch: &mut EngineScratch) -> Vec<Event> {
        let mut run = Run::new(self, action, scratch);
        run.report_messages(&run.effect().after, store, &[]);
        run.events
    }

    /// Are the structures that come to a location bounded already, and is no predicate forgotten there?
    fn keeps_all(&self, location: LocationId) -> bool {
        self.specification.cfg.abstractions.is_empty() && self.kept[location].dead.is_empty()
    }

    /// Does a step end with blur?
    pub fn blurs(&self) -> bool {
        self.options.order.blur && self.options.join != Join::Concrete
    }

    /// A structure as a location keeps it.
    pub(crate) fn keep(&self, location: LocationId, structure: Structure) -> Kept {
        Kept::new(structure, self.options.join, self.abstraction(location))
    }

    fn blur(&self, location: LocationId, structure: Structure) -> Structure {
        if self.blurs() { self.kept[location].abstraction.blur(&structure) } else { structure }
    }
}

/// No table gets larger than this: a quarter of a gigabyte.
const MAX_TABLE_WORDS: usize = 1 << 25;

/// The size of a table with this many columns over this many individuals.
fn table_words(columns: usize, size: usize) -> usize {
    let rows = (1..columns).try_fold(1usize, |rows, _| rows.checked_mul(size));
    rows.and_then(|rows| rows.checked_mul(row_words(size))).unwrap_or(usize::MAX)
}

/// Searches for a witness of a contradiction that one step may make; more would show the same.
const WITNESS_SEARCHES: usize = 4;

/// One step under way.
pub(crate) struct Run<'a> {
    engine: &'a Engine,
    action: &'a CompiledAction,
    scratch: &'a mut EngineScratch,
    pub events: Vec<Event>,
    searches_left: usize,
    /// Does another action follow on the same edge? Then nothing is forgotten yet.
    pub goes_on: bool,
}

impl<'a> Run<'a> {
    pub fn new(engine: &'a Engine, action: ActionId, scratch: &'a mut EngineScratch) -> Run<'a> {
        let action = engine.action(action);
        Run { engine, action, scratch, events: Vec::new(), searches_left: WITNESS_SEARCHES, goes_on: false }
    }

    /// The effect of the action.
    fn effect(&self) -> &'a Effect {
        let Specification { vocabulary, actions, .. } = self.engine.specification.as_ref();
        self.action.effect(&actions[self.action.id], vocabulary, self.engine.options.derive)
    }

    /// Are tables of this many columns, and those of coerce, within the bounds on memory? If not, that is reported.
    fn fits(&mut self, columns: usize, size: usize) -> bool {
        let fits = table_words(columns.max(self.engine.coercer.width()), size) <= MAX_TABLE_WORDS;
        if !fits {
            self.events.push(Event::TooLarge);
        }
        fits
    }

    /// The abstract semantics of the action, which leads to a location.
    pub fn transfer(&mut self, structure: &Kept, target: LocationId) -> Vec<Kept> {
        let (order, action) = (self.engine.options.order, self.action);
        // Focus and creation may double the universe.
        let size = 2 * structure.size() + 1;
        if !self.fits(action.width(), size) {
            return Vec::new();
        }
        if let Some(states) = self.precise(structure, When::Always, target) {
            return states;
        }
        let (focused, unfocusable) = self.focus(structure);
        if !unfocusable.is_empty() {
            // Elsewhere it is the formula that is at fault, or its size, and a solver would not do better.
            if unfocusable.iter().all(|(_, reason)| reason.is_about_summaries())
                && let Some(states) = self.precise(structure, When::FocusFails, target)
            {
                return states;
            }
            self.events.extend(unfocusable.into_iter().map(|(origin, reason)| Event::Unfocusable { origin, reason }));
        }
        if self.is_test(target) && focused.iter().map(|case| &case.structure).eq([&**structure]) {
            return self.test(structure, size);
        }
        let mut results = Vec::new();
        for mut focused in focused {
            if !order.coerce_late {
                // Nothing has made the structure obey the rules since the last update.
                focused.changes = Changes::Anything;
            }
            if order.coerce_early
                && self.coerce(Phase::CoerceEarly, &mut focused.structure, &mut focused.changes).is_err()
            {
                continue;
            }
            let assignments = self.assignments(&focused.structure);
            if !assignments.is_empty() && !self.fits(self.effect().width(), size) {
                return Vec::new();
            }
            for assignment in assignments {
                self.report_messages(&self.effect().before, &focused.structure, &assignment);
                let (mut updated, mut changes) = self.update(&focused.structure, &assignment);
                changes.also(&focused.changes);
                if order.coerce_late
                    && let Err(infeasible) = self.coerce(Phase::CoerceLate, &mut updated, &mut changes)
                {
                    self.explain_breach(&focused, infeasible, updated);
                    continue;
                }
                self.report_messages(&self.effect().after, &updated, &[]);
                results.push(self.leave(updated, target));
            }
        }
        results
    }

    /// Does the action, apart from focus, change nothing, and is nothing lost on the way to its target?
    fn is_test(&self, target: LocationId) -> bool {
        let EngineOptions { order, trace, .. } = self.engine.options;
        self.action.is_identity && self.engine.keeps_all(target) && order.coerce_late && !trace
    }

    /// Neither focus nor the action changes anything: a structure that passes the precondition is the same as before,
    /// and needs no coerce and no blur.
    fn test(&mut self, structure: &Kept, size: usize) -> Vec<Kept> {
        let (mut results, assignments) = (Vec::new(), self.assignments(structure));
        if !assignments.is_empty() && !self.fits(self.effect().width(), size) {
            return results;
        }
        for assignment in assignments {
            self.report_messages(&self.effect().before, structure, &assignment);
            self.report_messages(&self.effect().after, structure, &[]);
            results.push(structure.clone());
        }
        results
    }

    /// The step from elsewhere, if it is wanted and there is one.
    fn precise(&mut self, structure: &Structure, when: When, target: LocationId) -> Option<Vec<Kept>> {
        let (steps, wanted) = self.engine.precise.as_ref()?;
        let step = if *wanted == when { steps.step(self.action.id, structure)? } else { return None };
        self.events.extend(step.events);
        Some(step.states.into_iter().map(|state| self.leave(state, target)).collect())
    }

    /// The structure as it is kept at a location.
    fn leave(&mut self, mut structure: Structure, target: LocationId) -> Kept {
        if !self.goes_on {
            self.engine.dead(target).iter().for_each(|p| structure.forget(*p));
        }
        let blurred = self.engine.blur(target, structure);
        self.trace(Phase::Blur, &blurred);
        self.engine.keep(target, blurred)
    }

    /// The effect of an action on two structures side by side. Nothing is focused, and the rules hold only afterwards.
    pub fn combine(&mut self, both: &Structure, target: LocationId) -> Vec<Kept> {
        if !self.fits(self.action.width().max(self.effect().width()), both.size() + 1) {
            return Vec::new();
        }
        let (order, mut results) = (self.engine.options.order, Vec::new());
        for assignment in self.assignments(both) {
            self.report_messages(&self.effect().before, both, &assignment);
            let (mut combined, _) = self.update(both, &assignment);
            if (order.coerce_early || order.coerce_late)
                && let Err(infeasible) = self.coerce(Phase::CoerceLate, &mut combined, &mut Changes::Anything)
            {
                let (before, after) = (Box::new(both.clone()), Box::new(combined));
                self.events.push(Event::UnexplainedBreach { infeasible, before, after });
                continue;
            }
            self.report_messages(&self.effect().after, &combined, &[]);
            results.push(self.leave(combined, target));
        }
        results
    }

    fn focus(&mut self, structure: &Structure) -> (Vec<Focused>, BTreeSet<(Origin, Unfocusable)>) {
        let mut unfocusable = BTreeSet::new();
        if !self.engine.options.order.focus || self.action.focus.is_trivial() {
            return (vec![Focused { structure: structure.clone(), changes: Changes::none() }], unfocusable);
        }
        let Order { coerce_early, coerce_late, .. } = self.engine.options.order;
        let (coercer, trace, events) = (&self.engine.coercer, self.engine.options.trace, &mut self.events);
        let EngineScratch { workspace, coerce } = &mut *self.scratch;
        let mut refine = |case: &mut Focused| {
            let coerced = coercer.coerce(&mut case.structure, &case.changes, coerce);
            case.changes = Changes::none();
            if trace && let Err(infeasible) = &coerced {
                let (phase, infeasible) = (Phase::CoerceEarly, infeasible.clone());
                events.push(Event::Discarded { phase, infeasible, structure: Box::new(case.structure.clone()) });
            }
            coerced.is_ok()
        };
        // The structure is consistent if it comes from a coerce.
        let refine: Refine = if coerce_early && coerce_late { Some(&mut refine) } else { None };
        let focused = self.action.focus.apply(structure, workspace, refine, &mut unfocusable);
        focused.iter().for_each(|f| self.trace(Phase::Focus, &f.structure));
        (focused, unfocusable)
    }

    fn coerce(&mut self, phase: Phase, structure: &mut Structure, changes: &mut Changes) -> Result<(), Infeasible> {
        let coerced = self.engine.coercer.coerce(structure, changes, &mut self.scratch.coerce);
        match &coerced {
            Ok(()) => {
                *changes = Changes::none();
                self.trace(phase, structure);
            }
            Err(infeasible) if self.engine.options.trace => {
                let (infeasible, structure) = (infeasible.clone(), Box::new(structure.clone()));
                self.events.push(Event::Discarded { phase, infeasible, structure });
            }
            Err(_) => {}
        }
        coerced
    }

    fn assignments(&mut self, structure: &Structure) -> Vec<Vec<Individual>> {
        let assignments = match self.action.precondition.assignments(structure, &mut self.scratch.workspace) {
            Ok(assignments) => assignments,
            Err(TooManyAssignments) => {
                self.events.push(Event::TooLarge);
                Vec::new()
            }
        };
        if !assignments.is_empty() {
            self.trace(Phase::Precondition, structure);
        }
        assignments
    }

    fn report_messages(&mut self, messages: &Messages, structure: &Structure, assignment: &[Individual]) {
        for (message, outcome) in messages.outcomes(structure, assignment, &mut self.scratch.workspace) {
            match outcome {
                messages::Outcome::Silent => {}
                messages::Outcome::Confirmed => self.events.push(Event::Confirmed { message }),
                messages::Outcome::Fired { definite } => {
                    self.events.push(Event::Message { message, definite, structure: Box::new(structure.clone()) });
                }
            }
        }
    }

    fn update(&mut self, structure: &Structure, assignment: &[Individual]) -> (Structure, Changes) {
        let updated = self.effect().transformer.apply(structure, assignment, &mut self.scratch.workspace);
        self.trace(Phase::Update, &updated.structure);
        (updated.structure, updated.changes)
    }

    /// An update came out infeasible. That is normal when focus made a case that no store has. But when the structure
    /// before the update seems feasible, the update formulas may contradict the rules: a store that shows it is looked
    /// for.
    fn explain_breach(&mut self, focused: &Focused, infeasible: Infeasible, updated: Structure) {
        if self.searches_left == 0 {
            return;
        }
        let mut before = focused.structure.clone();
        if self.engine.coercer.coerce(&mut before, &focused.changes, &mut self.scratch.coerce).is_err() {
            return;
        }
        self.searches_left -= 1;
        let found = concretizations(&before, self.engine.laws(), WITNESS_LIMITS, &mut |_| 0, &mut |store| {
            let assignments = self.action.precondition.assignments(store, &mut self.scratch.workspace);
            for assignment in assignments.unwrap_or_default() {
                let after = self.effect().transformer.apply(store, &assignment, &mut self.scratch.workspace).structure;
                let checked =
                    self.engine.laws().coerce(&mut after.clone(), &Changes::Anything, &mut self.scratch.coerce);
                if let Err(infeasible) = checked {
                    let (before, after) = (Box::new(store.clone()), Box::new(after));
                    return ControlFlow::Break(Event::Contradiction { infeasible, before, after });
                }
            }
            ControlFlow::Continue(())
        });
        self.events.push(match found {
            ControlFlow::Break(contradiction) => contradiction,
            ControlFlow::Continue(()) => {
                Event::UnexplainedBreach { infeasible, before: Box::new(before), after: Box::new(updated) }
            }
        });
    }

    fn trace(&mut self, phase: Phase, structure: &Structure) {
        if self.engine.options.trace {
            self.events.push(Event::Phase { phase, structure: Box::new(structure.clone()) });
        }
    }
}

impl Domain for Engine {
    type State = Kept;
    type Store = Structures;
    type Event = Event;
    type Scratch = EngineScratch;

    fn step(&self, edge: EdgeId, state: &Kept, scratch: &mut EngineScratch) -> Step<Kept, Event> {
        let Edge { label, target, .. } = self.specification.cfg.edges[edge];
        match label {
            Label::Action(action) => {
                let mut run = Run::new(self, action, scratch);
                let states = run.transfer(state, target);
                Step { states, events: run.events }
            }
            Label::Call(_) => self.rely(edge, state, scratch),
        }
    }

    fn insert(&self, location: LocationId, store: &mut Structures, state: Kept) -> Insertion {
        store.insert(state, self.options.join, &self.kept[location].abstraction)
    }

    fn state<'s>(&self, store: &'s Structures, id: usize) -> &'s Kept {
        store.get(id)
    }

    fn size(&self, state: &Kept) -> usize {
        std::mem::size_of::<Structure>() + 8 * state.words().len() + std::mem::size_of::<Kept>()
    }

    fn count(&self, store: &Structures) -> usize {
        store.count()
    }
}
