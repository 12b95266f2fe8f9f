//! Classes are initialised when they are first used: when an object is made, a static method is called, or a static
//! field that is no constant is used. A flag for each class says whether that has begun.
//!
//! In methods of a class, it has begun. So it has for the class of the entry, before anything else.

use super::Translator;
use crate::classes::MethodId;
use crate::reach::initializer;
use trifold_ir::{Builder, Condition, Expr, Operand, Scalar, Statement, Type, VarId};

impl<'t> Translator<'t> {
    /// A class is used here.
    pub(super) fn initialise(&mut self, class: &str) {
        let has_begun = |name: &str| {
            let is_above = |of: &str| self.reach.classes.lineage(of).iter().any(|above| above.name == name);
            let own = self.body.map(|body| body.class.name.as_str());
            own.is_some_and(is_above) || self.entry_class.as_deref().is_some_and(is_above)
        };
        let all = self.reach.initialised_with(class);
        let open: Vec<_> =
            all.into_iter().filter(|class| initializer(class).is_some() && !has_begun(&class.name)).collect();
        for class in open {
            let Some(position) = initializer(&class) else { continue };
            self.initialise_alone(&MethodId { class: class.name.clone(), position });
        }
    }

    fn flag(&mut self, class: &str) -> VarId {
        if let Some(known) = self.flags.get(class) {
            return *known;
        }
        let name = format!("{} is used", super::declare::class_name(class));
        let variable = self.global(&name, Type::Scalar(Scalar::Bool));
        self.flags.insert(class.to_string(), variable);
        variable
    }

    fn initialise_alone(&mut self, id: &MethodId) {
        self.save_globals();
        let (flag, span) = (self.flag(&id.class), self.span());
        let (first, done) = (self.node(), self.node());
        self.fork(Condition::Scalar(Expr::Variable(flag)), done, first, span);
        self.at = first;
        self.call_initializer(id, flag);
        self.jump(done, span);
        self.at = done;
    }

    fn call_initializer(&mut self, id: &MethodId, flag: VarId) {
        let span = self.span();
        self.set(flag, Operand::Scalar(Expr::Constant(1, Scalar::Bool)), span);
        match self.procedure_of(id) {
            Some(target) => {
                self.emit(Statement::Call { to: None, targets: vec![target], arguments: Vec::new() }, span);
                if !self.throws.leaving(id).is_empty() {
                    let (exception, none, thrown) = (self.exception(), self.node(), self.node());
                    let left = Operand::Pointer(exception);
                    self.fork(Condition::Pointers { left, right: Operand::Null, equal: true }, none, thrown, span);
                    self.at = thrown;
                    self.unsupported("an exception that leaves a static initializer");
                    self.at = none;
                }
            }
            None => self.unsupported("a static initializer that is not known"),
        }
    }

    /// The class of the entry, and those above it.
    pub(super) fn initialise_entry(&mut self, class: &str) {
        for class in self.reach.initialised_with(class) {
            let Some(position) = initializer(&class) else { continue };
            let flag = self.flag(&class.name);
            self.call_initializer(&MethodId { class: class.name.clone(), position }, flag);
        }
    }
}
