//! The values that variables and slots can hold: to which targets they may point, and in which ways they may point
//! nowhere. For example, after `x = new node; y = x;` both may point to a `node`, and neither is without a value.
//!
//! The least sets that agree with all assignments of the program. Those of locals depend on the point in the program,
//! because translations use temporary variables again and again; those of globals and slots do not. They decide which
//! predicates an analysis needs. For a program that frees nothing, no predicate is needed for dangling variables.

use crate::Liveness;
use crate::targets::{Slot, Target, slots};
use std::collections::{BTreeMap, BTreeSet};
use trifold_ir::{Edge, NodeId, Operand, ProcId, Program, Region, Scope, Statement, StructId, VarId};
use trifold_work::listen;

/// The values of one variable or slot, besides null.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pointees {
    /// Pointers to these targets.
    pub targets: BTreeSet<Target>,
    /// No value.
    pub uninitialised: bool,
}

impl Pointees {
    /// No value at all.
    fn none() -> Pointees {
        Pointees { uninitialised: true, ..Pointees::default() }
    }

    /// Adds the values of another one; was any of them new?
    pub fn absorb(&mut self, other: &Pointees) -> bool {
        if other.targets.is_subset(&self.targets) && self.uninitialised >= other.uninitialised {
            return false;
        }
        self.targets.extend(other.targets.iter().cloned());
        self.uninitialised |= other.uninitialised;
        true
    }

    /// The structs of the objects.
    pub fn wholes(&self) -> BTreeSet<StructId> {
        self.targets.iter().map(|target| target.whole).collect()
    }

    /// Does the struct of the object decide the target in it?
    pub fn is_decided_by_struct(&self) -> bool {
        self.wholes().len() == self.targets.len()
    }
}

/// The values of the live locals of a procedure at a point; those that are not mentioned hold null.
type Environment = BTreeMap<VarId, Pointees>;

/// The points-to map: the values of all variables and slots.
#[derive(Debug)]
pub struct PointsTo {
    /// Anywhere.
    variables: Vec<Pointees>,
    slots: BTreeMap<Slot, Pointees>,
    /// The structs of whole objects that are allocated.
    pub allocated: BTreeSet<StructId>,
    /// Those whose objects can be freed.
    freed: BTreeSet<StructId>,
    /// Those whose objects can be on the stack, by procedure.
    pub stacked: BTreeSet<(ProcId, StructId)>,
    /// Is anything allocated in static memory?
    pub has_static: bool,
    /// The points that have been reached.
    at: BTreeMap<(ProcId, NodeId), Environment>,
    /// Has anything been found in this round?
    changed: bool,
}

impl PointsTo {
    /// Looks at all assignments of the given procedures.
    pub fn of(program: &Program, procedures: &[ProcId], entry: ProcId, liveness: &[Liveness]) -> PointsTo {
        let mut points_to = PointsTo {
            variables: vec![Pointees::default(); program.variables.len()],
            slots: BTreeMap::new(),
            allocated: BTreeSet::new(),
            freed: BTreeSet::new(),
            stacked: BTreeSet::new(),
            has_static: false,
            at: BTreeMap::new(),
            changed: false,
        };
        let live = liveness[entry.index()].at(program[entry].entry);
        let parameters = program[entry].parameters.iter().filter(|x| live.contains(x));
        points_to.enter(program, entry, liveness, parameters.map(|x| (*x, Pointees::none())).collect());
        loop {
            points_to.changed = false;
            for procedure in procedures {
                for edge in &program[*procedure].edges {
                    listen();
                    points_to.execute(program, *procedure, edge, liveness);
                }
            }
            if !points_to.changed {
                return points_to;
            }
        }
    }

    /// A procedure is called: locals that are read before they are assigned have no values.
    fn enter(&mut self, program: &Program, procedure: ProcId, liveness: &[Liveness], mut environment: Environment) {
        let start = program[procedure].entry;
        let live = liveness[procedure.index()].at(start);
        let locals = program[procedure].locals.iter().filter(|x| live.contains(x));
        environment.extend(locals.map(|x| (*x, Pointees::none())));
        environment.iter().for_each(|(x, pointees)| self.note(*x, pointees));
        self.reach((procedure, start), environment, liveness);
    }

    /// A point is reached. Variables that are not read any more do not matter there.
    fn reach(&mut self, point: (ProcId, NodeId), mut environment: Environment, liveness: &[Liveness]) {
        let live = liveness[point.0.index()].at(point.1);
        environment.retain(|x, _| live.contains(x));
        let Some(known) = self.at.get_mut(&point) else {
            self.at.insert(point, environment);
            self.changed = true;
            return;
        };
        for (x, pointees) in &environment {
            if !known.contains_key(x) {
                known.insert(*x, Pointees::default());
            }
            self.changed |= known.get_mut(x).is_some_and(|known| known.absorb(pointees));
        }
    }

    /// A variable gets a value.
    fn note(&mut self, x: VarId, value: &Pointees) {
        self.changed |= self.variables[x.index()].absorb(value);
    }

    /// Is anything freed?
    pub fn frees(&self) -> bool {
        !self.freed.is_empty()
    }

    /// The values of a variable.
    pub fn variable(&self, variable: VarId) -> &Pointees {
        &self.variables[variable.index()]
    }

    /// The slots of all objects, and their values.
    pub fn slots(&self) -> impl Iterator<Item = (&Slot, &Pointees)> {
        self.slots.iter()
    }

    /// Can a freed object be held?
    pub fn can_be_freed(&self, pointees: &Pointees) -> bool {
        !pointees.wholes().is_disjoint(&self.freed)
    }

    /// Can an object of the stack be held, whose life may be over?
    pub fn can_be_dead(&self, pointees: &Pointees) -> bool {
        let wholes = pointees.wholes();
        self.stacked.iter().any(|(_, structure)| wholes.contains(structure))
    }

    /// The values of a variable at a point with this environment.
    fn value(&self, program: &Program, here: &Environment, x: VarId) -> Pointees {
        match program[x].scope {
            Scope::Global => self.variable(x).clone(),
            _ => here.get(&x).cloned().unwrap_or_default(),
        }
    }

    fn operand(&self, program: &Program, here: &Environment, operand: &Operand) -> Pointees {
        match operand {
            Operand::Pointer(variable) => self.value(program, here, *variable),
            Operand::Uninitialised => Pointees::none(),
            Operand::Null | Operand::Scalar(_) => Pointees::default(),
        }
    }

    fn execute(&mut self, program: &Program, procedure: ProcId, edge: &Edge, liveness: &[Liveness]) {
        let Some(here) = self.at.get(&(procedure, edge.from)).cloned() else { return };
        let value = self.effect(program, procedure, &edge.statement, &here, liveness);
        let mut there = here;
        if let (Some(to), Some(mut value)) = (edge.statement.assigned(), value) {
            // A variable that loses its value and is not read any more is as good as null.
            let is_read = program[to].scope == Scope::Global || liveness[procedure.index()].at(edge.to).contains(&to);
            value.uninitialised &=
                is_read || !matches!(edge.statement, Statement::Set { value: Operand::Uninitialised, .. });
            self.note(to, &value);
            if program[to].scope != Scope::Global {
                there.insert(to, value);
            }
        }
        self.reach((procedure, edge.to), there, liveness);
    }

    /// The effect of a statement; the value that it assigns to a pointer variable.
    fn effect(
        &mut self,
        program: &Program,
        procedure: ProcId,
        statement: &Statement,
        here: &Environment,
        liveness: &[Liveness],
    ) -> Option<Pointees> {
        let targets_of = |points_to: &PointsTo, x: VarId| points_to.value(program, here, x).targets;
        let pointers_to = |targets: BTreeSet<Target>| Some(Pointees { targets, uninitialised: false });
        match statement {
            Statement::Set { value, .. } => Some(self.operand(program, here, value)),
            Statement::Load { object, field, .. } if program[*field].embedded => {
                let objects = targets_of(self, *object);
                pointers_to(objects.iter().filter_map(|target| target.part(program, *field)).collect())
            }
            Statement::Load { object, field, .. } => {
                let mut value = Pointees::default();
                for slot in targets_of(self, *object).iter().filter_map(|target| target.slot(program, *field)) {
                    value.absorb(self.slots.get(&slot).unwrap_or(&Pointees::default()));
                }
                Some(value)
            }
            Statement::Store { object, field, value } => {
                let mut value = self.operand(program, here, value);
                // A pointer to before a part is not stored: see the lowering of the statement.
                value.targets.retain(|target| target.path.before.is_none());
                for slot in targets_of(self, *object).iter().filter_map(|target| target.slot(program, *field)) {
                    self.changed |= self.slots.entry(slot).or_default().absorb(&value);
                }
                None
            }
            Statement::Allocate { structure, region, zeroed, .. } => {
                self.changed |= self.allocated.insert(*structure);
                if *region == Region::Stack {
                    self.changed |= self.stacked.insert((procedure, *structure));
                }
                self.has_static |= *region == Region::Static;
                for slot in slots(program, *structure) {
                    let uninitialised = program[slot.field].ty.is_pointer() && !zeroed;
                    let value = Pointees { uninitialised, ..Pointees::default() };
                    self.changed |= self.slots.entry(slot).or_default().absorb(&value);
                }
                pointers_to(BTreeSet::from([Target::whole(*structure)]))
            }
            Statement::Owner { part, field, .. } => {
                let parts = targets_of(self, *part);
                pointers_to(parts.iter().filter_map(|target| target.owner(*field)).collect())
            }
            Statement::Free { pointer } => {
                let wholes = targets_of(self, *pointer).into_iter().filter(Target::is_whole);
                self.freed.extend(wholes.map(|target| target.whole));
                None
            }
            Statement::Call { targets, arguments, .. } => {
                let mut value = Pointees::default();
                for target in targets {
                    let values = arguments.iter().map(|argument| self.operand(program, here, argument));
                    let parameters = program[*target].parameters.iter().copied().zip(values).collect();
                    self.enter(program, *target, liveness, parameters);
                    let exit = self.at.get(&(*target, program[*target].exit));
                    match program[*target].result {
                        Some(result) => {
                            value.absorb(exit.and_then(|exit| exit.get(&result)).unwrap_or(&Pointees::default()))
                        }
                        None => value.absorb(&Pointees::none()),
                    };
                }
                Some(value)
            }
            _ => None,
        }
    }
}
