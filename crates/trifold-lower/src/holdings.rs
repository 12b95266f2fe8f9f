//! What variables and fields can hold: to which structs they may point, and in which ways they may point nowhere.
//!
//! Flow-insensitive: the least sets that agree with all assignments of the program. They decide which predicates an
//! analysis needs. Nobody tracks whether a variable dangles in a program that frees nothing.

use std::collections::{BTreeMap, BTreeSet};
use trifold_ir::{FieldId, Liveness, Operand, ProcId, Program, Region, Statement, StructId, Type, VarId};

/// What one variable or field can hold, besides null.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Holding {
    /// Objects of these structs.
    pub structs: BTreeSet<StructId>,
    /// No value.
    pub uninitialised: bool,
    /// Pointers to before a part that has no container, by the embedded field.
    pub outside: BTreeSet<FieldId>,
}

impl Holding {
    fn absorb(&mut self, other: &Holding) {
        self.structs.extend(&other.structs);
        self.outside.extend(&other.outside);
        self.uninitialised |= other.uninitialised;
    }
}

/// What everything can hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Holdings {
    variables: Vec<Holding>,
    fields: Vec<Holding>,
    /// Structs whose objects can be freed, alone or with their container.
    pub freed: BTreeSet<StructId>,
    /// Structs whose objects can be on the stack, by procedure.
    pub stacked: BTreeSet<(ProcId, StructId)>,
    /// Is anything allocated in static memory?
    pub has_static: bool,
    /// The structs of objects whose owners are asked for, by the embedded field.
    asked: BTreeMap<FieldId, BTreeSet<StructId>>,
}

impl Holdings {
    /// Looks at all assignments of the given procedures.
    pub fn of(program: &Program, procedures: &[ProcId], entry: ProcId, liveness: &[Liveness]) -> Holdings {
        let mut holdings = Holdings {
            variables: vec![Holding::default(); program.variables.len()],
            fields: vec![Holding::default(); program.fields.len()],
            freed: BTreeSet::new(),
            stacked: BTreeSet::new(),
            has_static: false,
            asked: BTreeMap::new(),
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

    /// What a field can hold.
    pub fn field(&self, field: FieldId) -> &Holding {
        &self.fields[field.index()]
    }

    /// Can a freed object be held?
    pub fn can_be_freed(&self, holding: &Holding) -> bool {
        !holding.structs.is_disjoint(&self.freed)
    }

    /// Can an object of the stack be held, whose life may be over?
    pub fn can_be_dead(&self, holding: &Holding) -> bool {
        self.stacked.iter().any(|(_, structure)| holding.structs.contains(structure))
    }

    fn operand(&self, operand: &Operand) -> Holding {
        match operand {
            Operand::Pointer(variable) => self.variable(*variable).clone(),
            Operand::Uninitialised => Holding { uninitialised: true, ..Holding::default() },
            Operand::Null | Operand::Scalar(_) => Holding::default(),
        }
    }

    fn execute(&mut self, program: &Program, procedure: ProcId, statement: &Statement) {
        match statement {
            Statement::Set { to, value } => {
                let value = self.operand(value);
                self.variables[to.index()].absorb(&value);
            }
            Statement::Load { to, object, field } => {
                let mut value = self.fields[field.index()].clone();
                if self.variable(*object).outside.contains(field) {
                    value.structs.extend(self.asked.get(field).into_iter().flatten());
                }
                self.variables[to.index()].absorb(&value);
            }
            Statement::Store { field, value, .. } => {
                // A pointer to before a part is not stored: see the lowering of the statement.
                let value = Holding { outside: BTreeSet::new(), ..self.operand(value) };
                self.fields[field.index()].absorb(&value);
            }
            Statement::Allocate { to, structure, region, zeroed, .. } => {
                self.variables[to.index()].structs.insert(*structure);
                for part in with_parts(program, *structure) {
                    if *region == Region::Stack {
                        self.stacked.insert((procedure, part));
                    }
                    self.has_static |= *region == Region::Static;
                    for field in &program[part].fields {
                        let held = &mut self.fields[field.index()];
                        match program[*field].ty {
                            ty if program[*field].embedded => held.structs.extend(ty.target()),
                            Type::Pointer(_) => held.uninitialised |= !zeroed,
                            Type::Scalar(_) => {}
                        }
                    }
                }
            }
            Statement::Owner { to, part, field } => {
                let parts = self.variable(*part).structs.clone();
                self.asked.entry(*field).or_default().extend(parts);
                let held = &mut self.variables[to.index()];
                held.structs.insert(program[*field].structure);
                held.outside.insert(*field);
            }
            Statement::Free { pointer } => {
                let structs = self.variable(*pointer).structs.clone();
                self.freed.extend(structs.into_iter().flat_map(|structure| with_parts(program, structure)));
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

/// A struct and the structs of its parts, and of theirs.
pub(crate) fn with_parts(program: &Program, structure: StructId) -> BTreeSet<StructId> {
    let mut found = BTreeSet::new();
    let mut open = vec![structure];
    while let Some(structure) = open.pop() {
        if found.insert(structure) {
            open.extend(program.parts(&program[structure]));
        }
    }
    found
}

/// The paths of embedded fields that lead from a struct to its parts and theirs, the empty one not included.
pub(crate) fn part_paths(program: &Program, structure: StructId) -> Vec<Vec<FieldId>> {
    let mut paths = Vec::new();
    for field in program[structure].fields.iter().filter(|field| program[**field].embedded) {
        paths.push(vec![*field]);
        let inner = program[*field].ty.target().map(|part| part_paths(program, part)).unwrap_or_default();
        paths.extend(inner.into_iter().map(|path| [vec![*field], path].concat()));
    }
    paths
}
