//! What variables and slots can hold: to which targets they may point, and in which ways they may point nowhere.
//!
//! Flow-insensitive: the least sets that agree with all assignments of the program. They decide which predicates an
//! analysis needs. Nobody tracks whether a variable dangles in a program that frees nothing.

use crate::targets::{Slot, Target, slots};
use std::collections::{BTreeMap, BTreeSet};
use trifold_ir::{FieldId, Liveness, Operand, ProcId, Program, Region, Statement, StructId, VarId};

/// What one variable or slot can hold, besides null.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Holding {
    /// Pointers to these targets.
    pub targets: BTreeSet<Target>,
    /// No value.
    pub uninitialised: bool,
}

impl Holding {
    pub fn absorb(&mut self, other: &Holding) {
        self.targets.extend(other.targets.iter().cloned());
        self.uninitialised |= other.uninitialised;
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

/// What everything can hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Holdings {
    variables: Vec<Holding>,
    slots: BTreeMap<Slot, Holding>,
    /// The structs of whole objects that are allocated.
    pub allocated: BTreeSet<StructId>,
    /// Those whose objects can be freed.
    freed: BTreeSet<StructId>,
    /// Those whose objects can be on the stack, by procedure.
    pub stacked: BTreeSet<(ProcId, StructId)>,
    /// Is anything allocated in static memory?
    pub has_static: bool,
}

impl Holdings {
    /// Looks at all assignments of the given procedures.
    pub fn of(program: &Program, procedures: &[ProcId], entry: ProcId, liveness: &[Liveness]) -> Holdings {
        let mut holdings = Holdings {
            variables: vec![Holding::default(); program.variables.len()],
            slots: BTreeMap::new(),
            allocated: BTreeSet::new(),
            freed: BTreeSet::new(),
            stacked: BTreeSet::new(),
            has_static: false,
        };
        for procedure in procedures {
            let live = liveness[procedure.index()].at(program[*procedure].entry);
            let parameters = if *procedure == entry { &program[entry].parameters[..] } else { &[] };
            for variable in program[*procedure].locals.iter().chain(parameters).filter(|local| live.contains(local)) {
                holdings.variables[variable.index()].uninitialised = true;
            }
        }
        loop {
            let before = holdings.clone();
            for procedure in procedures {
                for edge in &program[*procedure].edges {
                    holdings.execute(program, *procedure, &edge.statement);
                }
            }
            if holdings == before {
                return holdings;
            }
        }
    }

    /// What a variable can hold.
    pub fn variable(&self, variable: VarId) -> &Holding {
        &self.variables[variable.index()]
    }

    /// The slots of all objects, and what they can hold.
    pub fn slots(&self) -> impl Iterator<Item = (&Slot, &Holding)> {
        self.slots.iter()
    }

    /// Can a freed object be held?
    pub fn can_be_freed(&self, holding: &Holding) -> bool {
        !holding.wholes().is_disjoint(&self.freed)
    }

    /// Can an object of the stack be held, whose life may be over?
    pub fn can_be_dead(&self, holding: &Holding) -> bool {
        let wholes = holding.wholes();
        self.stacked.iter().any(|(_, structure)| wholes.contains(structure))
    }

    fn operand(&self, operand: &Operand) -> Holding {
        match operand {
            Operand::Pointer(variable) => self.variable(*variable).clone(),
            Operand::Uninitialised => Holding { uninitialised: true, ..Holding::default() },
            Operand::Null | Operand::Scalar(_) => Holding::default(),
        }
    }

    /// The slots that a field of what a variable points to can be.
    fn slots_of(&self, program: &Program, object: VarId, field: FieldId) -> Vec<Slot> {
        self.variable(object).targets.iter().filter_map(|target| target.slot(program, field)).collect()
    }

    fn execute(&mut self, program: &Program, procedure: ProcId, statement: &Statement) {
        match statement {
            Statement::Set { to, value } => {
                let value = self.operand(value);
                self.variables[to.index()].absorb(&value);
            }
            Statement::Load { to, object, field } if program[*field].embedded => {
                let parts = self.variable(*object).targets.iter().filter_map(|target| target.part(program, *field));
                let value = Holding { targets: parts.collect(), uninitialised: false };
                self.variables[to.index()].absorb(&value);
            }
            Statement::Load { to, object, field } => {
                for slot in self.slots_of(program, *object, *field) {
                    let value = self.slots.get(&slot).cloned().unwrap_or_default();
                    self.variables[to.index()].absorb(&value);
                }
            }
            Statement::Store { object, field, value } => {
                let mut value = self.operand(value);
                // A pointer to before a part is not stored: see the lowering of the statement.
                value.targets.retain(|target| target.path.before.is_none());
                for slot in self.slots_of(program, *object, *field) {
                    self.slots.entry(slot).or_default().absorb(&value);
                }
            }
            Statement::Allocate { to, structure, region, zeroed, .. } => {
                self.variables[to.index()].targets.insert(Target::whole(*structure));
                self.allocated.insert(*structure);
                if *region == Region::Stack {
                    self.stacked.insert((procedure, *structure));
                }
                self.has_static |= *region == Region::Static;
                for slot in slots(program, *structure) {
                    let is_pointer = program[slot.field].ty.is_pointer();
                    self.slots.entry(slot).or_default().uninitialised |= is_pointer && !zeroed;
                }
            }
            Statement::Owner { to, part, field } => {
                let owners = self.variable(*part).targets.iter().filter_map(|target| target.owner(*field));
                let value = Holding { targets: owners.collect(), uninitialised: false };
                self.variables[to.index()].absorb(&value);
            }
            Statement::Free { pointer } => {
                let wholes = self.variable(*pointer).targets.iter().filter(|target| target.is_whole());
                let wholes: Vec<StructId> = wholes.map(|target| target.whole).collect();
                self.freed.extend(wholes);
            }
            Statement::Call { to, targets, arguments } => {
                for target in targets {
                    for (parameter, argument) in program[*target].parameters.iter().zip(arguments) {
                        let value = self.operand(argument);
                        self.variables[parameter.index()].absorb(&value);
                    }
                    if let Some(to) = to {
                        let value = match program[*target].result {
                            Some(result) => self.variable(result).clone(),
                            None => Holding { uninitialised: true, ..Holding::default() },
                        };
                        self.variables[to.index()].absorb(&value);
                    }
                }
            }
            _ => {}
        }
    }
}
