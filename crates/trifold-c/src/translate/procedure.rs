//! Functions to procedures.
//!
//! A function may be translated several times: one that passes a parameter on as the size of an object (`xmalloc`), or
//! that calls a parameter (`for_each`), is translated anew for each size and each function that it is called with. So
//! the allocated size and the called function are known. For example, `xmalloc(sizeof(struct node))` gets a translation
//! in which `size` is the size of a node.

use super::allocate::sizes;
use super::forms::{called, loaded};
use super::graph::Body;
use super::instance::{Binding, Instance};
use super::layout::{Home, Kind};
use super::names::Taken;
use super::place::Place;
use super::{Options, Translator};
use crate::library::Known;
use crate::typed::{BinaryOperator, DeclarationId, DeclarationKind, Expr, ExprKind, Function, Program};
use crate::types::{Type, TypeId};
use std::collections::{BTreeMap, BTreeSet};
use trifold_ir as ir;
use trifold_ir::{Builder, ProcId, Region, Scope, Statement};

/// Parameters that reach the size of an allocation, and parameters that are called, perhaps through other functions.
pub(super) fn bindable(program: &Program, known: &Known) -> BTreeSet<DeclarationId> {
    let functions: BTreeMap<DeclarationId, &Function> =
        program.functions.iter().map(|function| (function.declaration, function)).collect();
    let mut found = BTreeSet::new();
    loop {
        let before = found.len();
        for function in &program.functions {
            let bind = |expr: &Expr, found: &mut BTreeSet<DeclarationId>| {
                found.extend(loaded(expr).filter(|id| function.parameters.contains(id)));
            };
            function.body.for_each_expr(&mut |expr| {
                visit_calls(expr, &mut |callee, arguments| {
                    bind(callee, &mut found);
                    let Some(id) = called(callee) else { return };
                    let sizes = known.row(id).map(sizes).unwrap_or_default();
                    let sizes = sizes.iter().filter_map(|size| arguments.get(*size));
                    sizes.for_each(|size| for_each_factor(size, &mut |size| bind(size, &mut found)));
                    if let Some(target) = functions.get(&id) {
                        let passed = target.parameters.iter().zip(arguments).filter(|(id, _)| found.contains(id));
                        let passed: Vec<&Expr> = passed.map(|(_, argument)| argument).collect();
                        let bind_all = |argument: &Expr| for_each_factor(argument, &mut |size| bind(size, &mut found));
                        passed.into_iter().for_each(bind_all);
                    }
                })
            });
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Calls `visit` with the numbers that a size is computed from.
fn for_each_factor(size: &Expr, visit: &mut dyn FnMut(&Expr)) {
    use BinaryOperator::{Add, Mul, Sub};
    match &size.kind {
        ExprKind::Binary(Add | Mul | Sub, left, right) => {
            for_each_factor(left, visit);
            for_each_factor(right, visit);
        }
        ExprKind::Convert { operand, .. } => for_each_factor(operand, visit),
        _ => visit(size),
    }
}

/// The pointers among the parameters of the entry, about whose targets nothing is known.
pub(super) fn environment(program: &Program, options: &Options) -> BTreeSet<DeclarationId> {
    let entry = options.entry.as_deref().and_then(|entry| program.function(entry));
    let parameters = entry.into_iter().flat_map(|function| &function.parameters).copied();
    parameters.filter(|id| program.types.pointee(program.declaration(*id).ty).is_some()).collect()
}

fn visit_calls<'a>(expr: &'a Expr, visit: &mut dyn FnMut(&'a Expr, &'a [Expr])) {
    if let ExprKind::Call(callee, arguments) = &expr.kind {
        visit(callee, arguments);
    }
    expr.for_each_operand(&mut |operand| visit_calls(operand, visit));
}

impl<'p> Translator<'p> {
    /// All functions that can be called from elsewhere, unless they wait for the values of parameters, and the
    /// functions that they call. In a library, callers may also have the address of a function.
    pub(super) fn translate_functions(&mut self) {
        let handed_out = if self.options.entry.is_none() { self.handed_out() } else { BTreeSet::new() };
        for function in &self.c.functions {
            if self.definition(function.declaration).is_none() {
                continue;
            }
            let kind = self.c.declaration(function.declaration).kind;
            let external = matches!(kind, DeclarationKind::Function { external: true, .. });
            let external = external || handed_out.contains(&function.declaration);
            let external = external || self.is_in_contracts(function.declaration);
            let waits = function.parameters.iter().any(|parameter| self.is_bindable(*parameter));
            if external && !(waits && self.is_called(function)) {
                self.instance(function.declaration, vec![None; function.parameters.len()]);
            }
        }
        self.translate_queue();
    }

    /// Has a function a contract, or is it named in one?
    fn is_in_contracts(&self, function: DeclarationId) -> bool {
        let (contracts, name) = (&self.c.contracts, self.name(function));
        contracts.contains_key(&function) || contracts.values().flatten().any(|written| written.applied() == Some(name))
    }

    fn is_called(&self, function: &Function) -> bool {
        let mut is_called = false;
        for caller in &self.c.functions {
            caller.body.for_each_expr(&mut |expr| {
                visit_calls(expr, &mut |callee, _| is_called |= called(callee) == Some(function.declaration));
            });
        }
        is_called
    }

    pub(super) fn translate_queue(&mut self) {
        while let Some(instance) = self.queue.pop_front() {
            let procedure = self.instances[&instance];
            if let Some(function) = self.definition(instance.function) {
                self.translate_function(function, procedure, &instance);
            }
        }
    }

    pub(super) fn definition(&self, id: DeclarationId) -> Option<&'p Function> {
        self.definitions.get(&id).map(|index| &self.c.functions[*index])
    }

    /// Can the known value of the parameter be used? Not if it changes.
    pub(super) fn is_bindable(&self, parameter: DeclarationId) -> bool {
        self.bindable.contains(&parameter) && !self.survey.changed.contains(&parameter)
    }

    /// The procedure of a function, which will be translated if it has not been.
    pub(super) fn instance(&mut self, function: DeclarationId, bindings: Vec<Option<Binding>>) -> ProcId {
        let instance = Instance { function, bindings };
        if let Some(procedure) = self.instances.get(&instance) {
            return *procedure;
        }
        let declaration = self.c.declaration(function);
        let mut name = self.name(function).to_string();
        let known = instance.bindings.iter().flatten().map(|binding| match binding {
            Binding::Size(_, Some(ty)) => self.c.show(*ty),
            Binding::Size(bytes, None) => bytes.to_string(),
            Binding::Function(id) => self.name(*id).to_string(),
        });
        let known: Vec<String> = known.collect();
        if !known.is_empty() {
            name = format!("{name}<{}>", known.join(", "));
        }
        let name = self.names.procedures.take(&name, |_| false);
        let procedure = self.ir.add_procedure(&name, declaration.span);
        self.instances.insert(instance.clone(), procedure);
        self.declare_parameters(procedure, &instance);
        self.queue.push_back(instance);
        procedure
    }

    fn declare_parameters(&mut self, procedure: ProcId, instance: &Instance) {
        let Some(function) = self.definition(instance.function) else { return };
        for (parameter, binding) in function.parameters.iter().zip(&instance.bindings) {
            if binding.is_none() {
                let declaration = self.c.declaration(*parameter);
                let home = Home::Variables(Scope::Parameter(procedure));
                let tree = self.lay_out(home, declaration.ty, self.name(*parameter), declaration.span);
                let place = Place::of_variables(tree, declaration.ty);
                self.parameters.insert((procedure, *parameter), place);
            }
        }
        let result = self.result_type(instance.function);
        if let Some(kind) = result.and_then(|ty| self.kind(ty)) {
            let result = self.new_variable("$result", kind.ty(), Scope::Local(procedure), function.span);
            self.ir[procedure].result = Some(result);
        }
    }

    /// The type that a function returns, if it returns a value.
    pub(super) fn result_type(&self, function: DeclarationId) -> Option<TypeId> {
        let ty = self.c.types.callee(self.c.declaration(function).ty)?.result;
        (*self.c.types.get(ty) != Type::Void).then_some(ty)
    }

    /// Where a function leaves the struct that it returns.
    pub(super) fn record_result(&mut self, function: DeclarationId) -> Option<Place> {
        let ty = self.result_type(function)?;
        if self.kind(ty).is_some() {
            return None;
        }
        if let Some(place) = self.results.get(&function) {
            return Some(place.clone());
        }
        let name = format!("{}$result", self.name(function));
        let span = self.c.declaration(function).span;
        let tree = self.lay_out(Home::Variables(Scope::Global), ty, &name, span);
        let place = Place::of_variables(tree, ty);
        self.results.insert(function, place.clone());
        Some(place)
    }

    fn translate_function(&mut self, function: &'p Function, procedure: ProcId, instance: &Instance) {
        self.begin(procedure);
        self.body.function = Some(function);
        self.body.result = self.record_result(function.declaration);
        for (parameter, binding) in function.parameters.iter().zip(&instance.bindings) {
            match binding {
                Some(binding) => drop(self.body.bindings.insert(*parameter, *binding)),
                None => self.parameter(procedure, *parameter),
            }
        }
        self.statements(&function.body.statements);
        let span = ir_end(function);
        self.end_all_elements(span);
        let exit = self.ir[procedure].exit;
        self.edge_to(exit, Statement::Return, span);
        self.resolve_gotos();
    }

    /// Starts to build a procedure.
    pub(super) fn begin(&mut self, procedure: ProcId) {
        let entry = self.ir[procedure].entry;
        let names = self.ir[procedure].variables().map(|variable| self.ir[variable].name.clone());
        self.body = Body::new(procedure, entry, Taken::of(names));
        self.open_block();
    }

    /// A parameter whose address is taken moves to the stack.
    fn parameter(&mut self, procedure: ProcId, parameter: DeclarationId) {
        let Some(place) = self.parameters.get(&(procedure, parameter)).cloned() else { return };
        if !self.survey.objects.contains(&parameter) {
            self.body.variables.insert(parameter, place);
            return;
        }
        let declaration = self.c.declaration(parameter);
        let object = self.object_variable(parameter, Scope::Local(procedure));
        let structure = self.struct_of(declaration.ty);
        let allocate =
            Statement::Allocate { to: object, structure, region: Region::Stack, zeroed: false, may_fail: false };
        self.emit(allocate, declaration.span);
        self.set_extent(object, structure, 0, declaration.span);
        self.set_counts(object, declaration.ty, false, declaration.span);
        let stack = self.object(object, declaration.ty);
        self.body.variables.insert(parameter, stack.clone());
        self.copy(&stack, &place, declaration.span);
        self.forget_place(&place, declaration.span);
    }

    /// The pointer to a variable that is an object.
    pub(super) fn object_variable(&mut self, id: DeclarationId, scope: Scope) -> ir::VarId {
        let declaration = self.c.declaration(id);
        let structure = self.struct_of(declaration.ty);
        let name = format!("&{}", self.name(id));
        self.new_variable(&name, Kind::Pointer(Some(structure)).ty(), scope, declaration.span)
    }
}

fn ir_end(function: &Function) -> trifold_source::Span {
    let span = function.body.span;
    trifold_source::Span { start: span.end.saturating_sub(1).max(span.start), ..span }
}
