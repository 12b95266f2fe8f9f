//! What functions do with the objects they get, read off their bodies: which are freed, kept, made, returned.
//!
//! For example, `queue_new` returns an object that it has allocated and stored nowhere, so its caller owns it;
//! `list_prepend(struct node **list, …)` returns one that it has stored in `*list`, so the list owns it.
//!
//! Variables of a function that are assigned to each other are one *class*; the order of statements does not count. A
//! class knows whether one of its values is allocated, freed, stored or loaded. Calls take the facts of the called
//! functions, until nothing changes. These facts choose how a client uses an interface. They are no proof: whatever
//! they say, the client is analysed.

use super::classes::{Class, Classes, Fate, Field};
use super::targets::{Targets, direct, without_casts};
use crate::library::{Known, Role};
use crate::typed::{
    BinaryOperator, DeclarationId, DeclarationKind, Expr, ExprKind, Function, NotNull, Program, Stmt, StmtKind,
    UnaryOperator,
};
use crate::types::Type;
use std::collections::{BTreeMap, BTreeSet};

/// What a function returns.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Origin {
    /// An object that it has made, and to which nothing else points.
    pub fresh: bool,
    /// One of these parameters.
    pub parameters: BTreeSet<usize>,
    /// A pointer that was in memory.
    pub loaded: bool,
}

/// The facts about a function.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Facts {
    pub parameters: Vec<Fate>,
    pub result: Origin,
    /// Does it change memory that was there before, or free some?
    pub changes: bool,
    /// Does it allocate?
    pub allocates: bool,
    /// Does it free?
    pub frees: bool,
    /// The members of which it frees the objects that they point to.
    pub freed_members: BTreeSet<Field>,
    /// Does it call itself?
    pub calls_itself: bool,
}

/// The facts about all functions of a program.
pub(super) struct AllFacts {
    pub functions: BTreeMap<DeclarationId, Facts>,
    /// Members of which the objects that they point to are freed.
    pub owning: BTreeSet<Field>,
    /// Of the variables that get new objects: how many are compared with NULL, and how many are there?
    pub tested_allocations: (usize, usize),
}

/// More rounds change nothing that counts.
const ROUNDS: usize = 8;

impl AllFacts {
    pub fn of(program: &Program) -> AllFacts {
        let known = Known::of(program);
        let targets = Targets::of(program);
        let mut all =
            AllFacts { functions: BTreeMap::new(), owning: BTreeSet::new(), tested_allocations: Default::default() };
        for _ in 0..ROUNDS {
            let mut changed = false;
            all.tested_allocations = (0, 0);
            for function in &program.functions {
                let mut body = Body::new(program, &known, &targets, &all, function);
                function.body.for_each_statement(&mut |statement| body.statement(statement));
                let Body { mut classes, effects, allocated, tested, .. } = body;
                let owning = classes.owning();
                let mut facts =
                    finish(&mut classes, function, &program.declaration(function.declaration).not_null, effects);
                facts.freed_members.extend(&owning);
                all.tested_allocations.0 += allocated.iter().filter(|variable| tested.contains(variable)).count();
                all.tested_allocations.1 += allocated.len();
                changed |= all.functions.get(&function.declaration) != Some(&facts);
                changed |= owning.iter().any(|field| all.owning.insert(*field));
                all.functions.insert(function.declaration, facts);
            }
            if !changed {
                break;
            }
        }
        all
    }

    /// The facts about a function, if it has a body.
    pub fn get(&self, function: DeclarationId) -> Option<&Facts> {
        self.functions.get(&function)
    }
}

fn finish(classes: &mut Classes, function: &Function, not_null: &NotNull, effects: Facts) -> Facts {
    let fate = |(number, id): (usize, &DeclarationId)| {
        let fate = classes.fate(*id);
        // Its declaration counts more than a test in its body.
        let tested = fate.tested && !not_null.checked.contains(&number) && !not_null.told.contains(&number);
        Fate { deep: fate.deep || fate.freed && effects.calls_itself, tested, ..fate }
    };
    let fates = function.parameters.iter().enumerate().map(fate).collect();
    let returned = classes.returned();
    let parameters = function.parameters.iter().enumerate();
    let parameters = parameters.filter(|(_, id)| classes.of(**id) == returned).map(|(index, _)| index).collect();
    let kept = classes.is_kept(returned);
    let value = classes.value(returned);
    let result = Origin { fresh: value.fresh && !kept, parameters, loaded: value.loaded || value.fresh && kept };
    Facts { parameters: fates, result, ..effects }
}

/// The variable whose value an expression is.
fn variable(expr: &Expr) -> Option<DeclarationId> {
    match &without_casts(expr).kind {
        ExprKind::Load(place) => match place.kind {
            ExprKind::Name(id) => Some(id),
            _ => None,
        },
        _ => None,
    }
}

/// The place that an expression is about.
enum Base<'a> {
    /// A variable of the function itself.
    Local(DeclarationId),
    /// A global variable.
    Global,
    /// What a pointer leads to, with the member of it.
    Target(&'a Expr, Option<Field>),
    Other,
}

/// One function, while its body is read.
struct Body<'a> {
    program: &'a Program,
    known: &'a Known,
    targets: &'a Targets,
    all: &'a AllFacts,
    itself: DeclarationId,
    classes: Classes,
    /// Its effects so far.
    effects: Facts,
    /// Variables that get new objects, and variables that are compared with NULL.
    allocated: BTreeSet<DeclarationId>,
    tested: BTreeSet<DeclarationId>,
}

impl<'a> Body<'a> {
    fn new(
        program: &'a Program,
        known: &'a Known,
        targets: &'a Targets,
        all: &'a AllFacts,
        function: &Function,
    ) -> Body<'a> {
        let mut classes = Classes::default();
        function.parameters.iter().for_each(|id| classes.parameter(*id));
        let itself = function.declaration;
        let (effects, allocated, tested) = (Facts::default(), BTreeSet::new(), BTreeSet::new());
        Body { program, known, targets, all, itself, classes, effects, allocated, tested }
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Expr(expr) | StmtKind::Switch(expr, _) | StmtKind::GotoComputed(expr) => {
                self.value(expr);
            }
            StmtKind::While(test, _) | StmtKind::DoWhile(_, test) => self.test(test),
            // An assertion demands something. It is no case that the function is prepared for.
            StmtKind::If(parts, otherwise) => {
                let fails = otherwise.as_deref().is_some_and(|otherwise| self.ends(otherwise));
                parts.iter().for_each(|(test, then)| match fails || self.ends(then) {
                    true => drop(self.value(test)),
                    false => self.test(test),
                });
            }
            StmtKind::For(parts) => {
                parts.condition.iter().for_each(|test| self.test(test));
                parts.step.iter().for_each(|step| {
                    self.value(step);
                });
            }
            StmtKind::Declare(id, Some(initial)) => {
                for entry in &initial.entries {
                    let value = entry.value.as_ref().and_then(|value| self.value(value));
                    if entry.value.as_ref().is_some_and(|value| self.is_allocation(value)) {
                        self.allocated.insert(*id);
                    }
                    if let (Some(value), true) = (value, entry.path.is_empty()) {
                        let class = self.classes.variable(*id);
                        self.classes.unify(class, value);
                    }
                }
            }
            StmtKind::Return(Some(value)) => {
                if let Some(value) = self.value(value) {
                    let returned = self.classes.returned();
                    self.classes.unify(returned, value);
                }
            }
            _ => {}
        }
    }

    /// A condition: a pointer there is compared with NULL.
    fn test(&mut self, test: &Expr) {
        self.tested.extend(variable(test));
        if let Some(class) = self.value(test) {
            self.classes.mark(class, |value| value.tested = true);
        }
    }

    /// Is a statement a call that does not return, and nothing else?
    fn ends(&self, statement: &Stmt) -> bool {
        match &statement.kind {
            StmtKind::Expr(expr) => self.never_returns(expr),
            StmtKind::Block(block) => matches!(&block.statements[..], [only] if self.ends(only)),
            _ => false,
        }
    }

    fn never_returns(&self, expr: &Expr) -> bool {
        match &without_casts(expr).kind {
            ExprKind::Call(callee, _) => direct(callee).is_some_and(|id| self.program.declaration(id).noreturn),
            ExprKind::Comma(first, _) => self.never_returns(first),
            _ => false,
        }
    }

    fn is_null(expr: &Expr) -> bool {
        matches!(without_casts(expr).kind, ExprKind::Integer(0))
    }

    /// The class of a pointer. What is done on the way to it is noted.
    fn value(&mut self, expr: &Expr) -> Option<Class> {
        match &expr.kind {
            ExprKind::Load(place) => self.load(place),
            ExprKind::Convert { operand, .. } => self.value(operand),
            ExprKind::Decay(place) | ExprKind::AddressOf(place) => self.address(place),
            ExprKind::PointerOffset { pointer, index, .. } => {
                self.value(index);
                let class = self.value(pointer);
                class.into_iter().for_each(|class| self.classes.mark(class, |value| value.indexed = true));
                class
            }
            ExprKind::Comma(first, second) => {
                self.value(first);
                self.value(second)
            }
            ExprKind::Conditional(test, middle, otherwise) => {
                match self.never_returns(otherwise) || middle.as_deref().is_some_and(|m| self.never_returns(m)) {
                    true => drop(self.value(test)),
                    false => self.test(test),
                }
                let (a, b) = (self.value(middle.as_deref().unwrap_or(test)), self.value(otherwise));
                self.either(a, b)
            }
            ExprKind::Unary(UnaryOperator::Not, operand) => {
                self.test(operand);
                None
            }
            ExprKind::LogicalAnd(a, b) | ExprKind::LogicalOr(a, b) => {
                self.test(a);
                self.test(b);
                None
            }
            ExprKind::Binary(BinaryOperator::Equal | BinaryOperator::NotEqual, a, b) => {
                let (left, right) = (self.value(a), self.value(b));
                let tested = if Self::is_null(b) { Some(a) } else { Some(b).filter(|_| Self::is_null(a)) };
                self.tested.extend(tested.and_then(|tested| variable(tested)));
                let compared = left.filter(|_| Self::is_null(b)).or(right.filter(|_| Self::is_null(a)));
                compared.into_iter().for_each(|class| self.classes.mark(class, |value| value.tested = true));
                None
            }
            ExprKind::Assign(place, value) => {
                if let (true, ExprKind::Name(id)) = (self.is_allocation(value), &place.kind) {
                    self.allocated.insert(*id);
                }
                let value = self.value(value);
                self.store(place, value);
                value
            }
            ExprKind::CompoundAssign { place, value, .. } => {
                self.value(value);
                self.load(place);
                self.store(place, None);
                None
            }
            ExprKind::Increment { place, .. } => {
                let class = self.load(place);
                class.into_iter().for_each(|class| self.classes.mark(class, |value| value.indexed = true));
                self.store(place, None);
                class
            }
            ExprKind::Call(callee, arguments) => self.call(callee, arguments),
            ExprKind::Statements(block) => {
                block.for_each_statement(&mut |statement| self.statement(statement));
                None
            }
            _ => {
                expr.for_each_operand(&mut |operand| {
                    self.value(operand);
                });
                None
            }
        }
    }

    /// Is it a call that allocates?
    fn is_allocation(&self, expr: &Expr) -> bool {
        let ExprKind::Call(callee, _) = &without_casts(expr).kind else { return false };
        let callees = self.targets.callees(self.program, callee);
        callees.into_iter().any(|id| self.known.row(id).is_some_and(|row| row.allocation().is_some()))
    }

    fn either(&mut self, a: Option<Class>, b: Option<Class>) -> Option<Class> {
        if let (Some(a), Some(b)) = (a, b) {
            self.classes.unify(a, b);
        }
        a.or(b)
    }

    fn is_local(&self, id: DeclarationId) -> bool {
        use crate::typed::Storage;
        let kind = self.program.declaration(id).kind;
        matches!(kind, DeclarationKind::Parameter | DeclarationKind::Variable(Storage::Automatic))
    }

    fn base<'e>(&self, place: &'e Expr) -> Base<'e> {
        match &place.kind {
            ExprKind::Name(id) if self.is_local(*id) => Base::Local(*id),
            ExprKind::Name(_) => Base::Global,
            ExprKind::Deref(pointer) | ExprKind::Index(pointer, _) => Base::Target(pointer, None),
            ExprKind::Member(object, member) => match (self.base(object), self.program.types.get(object.ty)) {
                (Base::Target(pointer, None), Type::Record(record)) => Base::Target(pointer, Some((*record, *member))),
                (base, _) => base,
            },
            _ => Base::Other,
        }
    }

    fn load(&mut self, place: &Expr) -> Option<Class> {
        match self.base(place) {
            Base::Local(id) if matches!(place.kind, ExprKind::Name(_)) => Some(self.classes.variable(id)),
            Base::Target(pointer, field) => {
                let object = self.pointer(place, pointer);
                object.into_iter().for_each(|class| self.classes.mark(class, |value| value.read = true));
                Some(self.classes.loaded_through(object, field))
            }
            Base::Local(_) | Base::Global => Some(self.classes.loaded()),
            Base::Other => {
                place.for_each_operand(&mut |operand| {
                    self.value(operand);
                });
                Some(self.classes.loaded())
            }
        }
    }

    /// The class of the pointer by which a place is reached.
    fn pointer(&mut self, place: &Expr, pointer: &Expr) -> Option<Class> {
        let class = self.value(pointer);
        if let ExprKind::Index(_, index) = &place.kind {
            self.value(index);
            class.into_iter().for_each(|class| self.classes.mark(class, |value| value.indexed = true));
        }
        class
    }

    /// A pointer into an object counts as one to the object. One to a link of it does not: it may go on to links of
    /// other objects.
    fn address(&mut self, place: &Expr) -> Option<Class> {
        let is_link = matches!(self.program.types.get(place.ty), Type::Pointer(_));
        match self.base(place) {
            Base::Target(pointer, Some(_)) if is_link => {
                let object = self.pointer(place, pointer)?;
                Some(self.classes.inside(object))
            }
            Base::Target(pointer, _) => self.pointer(place, pointer),
            Base::Local(id) => Some(self.classes.address(id)),
            Base::Global | Base::Other => None,
        }
    }

    fn store(&mut self, place: &Expr, value: Option<Class>) {
        match (self.base(place), value) {
            (Base::Local(id), Some(value)) if matches!(place.kind, ExprKind::Name(_)) => {
                let class = self.classes.variable(id);
                self.classes.unify(class, value);
            }
            (Base::Target(pointer, field), value) => {
                let object = self.pointer(place, pointer);
                let is_whole = matches!(place.kind, ExprKind::Deref(_));
                object.into_iter().for_each(|class| {
                    self.classes.mark(class, |value| {
                        value.written = true;
                        value.overwritten |= is_whole;
                        value.written_in.extend(field);
                    });
                });
                self.effects.changes |= object.is_none_or(|class| !self.classes.value(class).fresh);
                if let (Some(object), Some(value)) = (object, value) {
                    self.classes.store(value, object, field);
                }
            }
            (Base::Global, value) => {
                self.effects.changes = true;
                value.into_iter().for_each(|class| self.classes.mark(class, |value| value.kept = true));
            }
            _ => {}
        }
    }

    fn call(&mut self, callee: &Expr, arguments: &[Expr]) -> Option<Class> {
        let arguments: Vec<Option<Class>> = arguments.iter().map(|argument| self.value(argument)).collect();
        if direct(callee).is_none() {
            self.value(callee);
        }
        let mut result = None;
        for function in self.targets.callees(self.program, callee) {
            let returned = match self.known.row(function) {
                Some(row) => {
                    self.library(row.parameters.iter().map(|p| p.role), row.allocation().is_some(), &arguments)
                }
                None => self.defined(function, &arguments),
            };
            result = self.either(result, returned);
        }
        result
    }

    fn library(
        &mut self,
        roles: impl Iterator<Item = Role>,
        allocates: bool,
        arguments: &[Option<Class>],
    ) -> Option<Class> {
        for (role, argument) in roles.zip(arguments) {
            let Some(class) = *argument else { continue };
            match role {
                Role::Freed | Role::Resized => {
                    (self.effects.changes, self.effects.frees) = (true, true);
                    self.classes.mark(class, |value| value.freed = true);
                }
                Role::Written(_) => {
                    self.classes.mark(class, |value| (value.written, value.overwritten) = (true, true));
                }
                Role::Text | Role::Read(_) => self.classes.mark(class, |value| value.read = true),
                _ => {}
            }
        }
        self.effects.allocates |= allocates;
        let class = self.classes.loaded();
        if allocates {
            self.classes.mark(class, |value| (value.fresh, value.loaded) = (true, false));
        }
        Some(class)
    }

    fn defined(&mut self, function: DeclarationId, arguments: &[Option<Class>]) -> Option<Class> {
        let Some(facts) = self.all.get(function) else { return Some(self.classes.loaded()) };
        self.effects.changes |= facts.changes;
        self.effects.allocates |= facts.allocates;
        self.effects.frees |= facts.frees;
        self.effects.freed_members.extend(&facts.freed_members);
        self.effects.calls_itself |= function == self.itself;
        for (fate, argument) in facts.parameters.iter().zip(arguments) {
            let Some(class) = *argument else { continue };
            self.classes.mark(class, |value| {
                value.freed |= fate.freed;
                value.deep |= fate.deep;
                value.kept |= fate.kept;
                value.kept_in.extend(&fate.kept_in);
                value.read |= fate.read;
                value.written |= fate.written;
                value.overwritten |= fate.overwritten;
                value.written_in.extend(&fate.written_in);
                value.tested |= fate.tested;
                value.indexed |= fate.indexed;
            });
            if fate.gives_fresh {
                self.classes.give_fresh(class);
            }
        }
        let class = self.classes.loaded();
        let Origin { fresh, loaded, parameters } = &facts.result;
        self.classes.mark(class, |value| (value.fresh, value.loaded) = (*fresh, *loaded));
        for argument in parameters.iter().filter_map(|index| *arguments.get(*index)?) {
            self.classes.unify(class, argument);
        }
        Some(class)
    }
}
