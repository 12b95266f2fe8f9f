//! Structs, fields, variables and procedures of classes; where the program starts. For example, the class `List` with a
//! method `add` becomes the struct `List` and the procedure `List.add`.

use super::body::Body;
use super::{FieldHome, FieldInfo, MethodInfo, ParameterInfo, Translator};
use crate::ast::{ClassKind, Field, Member, TypeRef, TypeRefKind};
use crate::classes::is_default;
use crate::translation::Entry;
use crate::types::{ClassId, LibraryId, Type};
use std::collections::BTreeSet;
use trifold_ir as ir;
use trifold_ir::{Builder, Condition, Operand, ProcId, Scalar, Scope, Statement, StructId, VarId};
use trifold_source::Span;

impl<'a> Translator<'a, '_> {
    pub(super) fn declare(&mut self) {
        for id in self.classes.ids() {
            let component = self.classes[id].component;
            if !self.structs.contains_key(&component) {
                let (name, span) = (self.classes[id].name.clone(), self.classes[id].ast.name.span);
                let structure = self.ir.add_struct(&name, span);
                self.structs.insert(component, structure);
                if self.classes.all.iter().filter(|c| c.component == component && c.is_instantiable()).count() > 1 {
                    let field = self.ir.add_field(structure, "$class", ir::Type::Scalar(Scalar::I32), false, span);
                    self.tags.insert(component, field);
                }
            }
        }
        for id in self.classes.ids() {
            self.declare_fields(id);
        }
        for id in self.classes.ids() {
            self.declare_methods(id);
        }
        for id in self.classes.ids() {
            self.declare_default_constructor(id);
        }
    }

    fn declare_fields(&mut self, class: ClassId) {
        let structure = self.structs[&self.classes[class].component];
        for field in self.classes[class].fields() {
            let ty = self.classes.resolve(&field.ty, class, &[]);
            let key = (class, field.name.text.to_string());
            if self.fields.contains_key(&key) {
                self.error("duplicate", field.name.span, format!("there are two fields `{}`", field.name.text));
                continue;
            }
            if field.is_final && field.initializer.is_some() {
                self.final_fields.insert(field.name.text.to_string());
            }
            let class_name = self.classes[class].name.clone();
            let home = match self.ir_type(ty) {
                None => FieldHome::Nowhere,
                Some(ty) if field.is_static => {
                    let name = format!("{class_name}.{}", field.name.text);
                    FieldHome::Static(self.ir.add_variable(&name, ty, Scope::Global, field.name.span))
                }
                Some(ty) => {
                    let taken = self.ir.field_named(structure, &field.name.text).is_some();
                    let name =
                        if taken { format!("{class_name}.{}", field.name.text) } else { field.name.text.to_string() };
                    FieldHome::Instance(self.ir.add_field(structure, &name, ty, false, field.name.span))
                }
            };
            self.fields.insert(key, FieldInfo { is_static: field.is_static, ty, home });
        }
    }

    fn declare_methods(&mut self, class: ClassId) {
        for (_, ast) in self.classes[class].methods() {
            let mut resolve = |ty: &TypeRef| self.classes.resolve(ty, class, &ast.type_parameters);
            let result = ast.result.as_ref().map_or(Type::Void, &mut resolve);
            let mut parameters = Vec::new();
            for parameter in &ast.parameters {
                let array =
                    TypeRef { kind: TypeRefKind::Array(Box::new(parameter.ty.clone())), span: parameter.ty.span };
                let ty = if parameter.variadic { &array } else { &parameter.ty };
                let is_variable = self.classes.is_variable(ty, class, &ast.type_parameters);
                parameters
                    .push(ParameterInfo { ty: self.classes.resolve(ty, class, &ast.type_parameters), is_variable });
            }
            let is_repeated = |known: &MethodInfo| {
                let same_name = known.class == class && known.ast.name.text == ast.name.text;
                same_name && known.ast.result.is_none() == ast.result.is_none() && known.parameters == parameters
            };
            if ast.is_static && ast.result.is_none() {
                self.error("static", ast.name.span, "a constructor cannot be static");
                continue;
            }
            if self.methods.iter().any(is_repeated) {
                self.error("duplicate", ast.name.span, format!("there are two methods `{}`", ast.name.text));
                continue;
            }
            let procedure = (!ast.is_abstract).then(|| {
                let name = self.procedure_name(class, &ast.name.text, &parameters);
                self.declare_procedure(&name, class, ast, &parameters, result)
            });
            self.methods.push(MethodInfo { class, ast, parameters, result, procedure });
        }
    }

    /// The name of a method, with its parameters if there are others of that name.
    fn procedure_name(&self, class: ClassId, name: &str, parameters: &[ParameterInfo]) -> String {
        let class = &self.classes[class];
        let count = class.methods().filter(|(_, method)| &*method.name.text == name).count();
        let types: Vec<String> = parameters.iter().map(|parameter| self.classes.show(parameter.ty)).collect();
        let mut full = format!("{}.{name}", class.name);
        if count > 1 {
            full += &format!("({})", types.join(", "));
        }
        while self.ir.procedure_named(&full).is_some() {
            full.push('\'');
        }
        full
    }

    fn declare_procedure(
        &mut self,
        name: &str,
        class: ClassId,
        ast: &crate::ast::Method,
        parameters: &[ParameterInfo],
        result: Type,
    ) -> ProcId {
        let procedure = self.ir.add_procedure(name, ast.name.span);
        if !ast.is_static {
            self.add_this(procedure, class, ast.name.span);
        }
        for (parameter, info) in ast.parameters.iter().zip(parameters) {
            if let Some(ty) = self.ir_type(info.ty) {
                let name = self.variable_name(procedure, &parameter.name.text);
                self.ir.add_variable(&name, ty, Scope::Parameter(procedure), parameter.name.span);
            }
        }
        if let Some(ty) = self.ir_type(result) {
            let result = self.ir.add_variable("$result", ty, Scope::Local(procedure), ast.name.span);
            self.ir[procedure].result = Some(result);
        }
        procedure
    }

    fn add_this(&mut self, procedure: ProcId, class: ClassId, span: Span) -> VarId {
        let structure = self.structs[&self.classes[class].component];
        self.ir.add_variable("this", ir::Type::Pointer(Some(structure)), Scope::Parameter(procedure), span)
    }

    /// A name that no other variable of the procedure has.
    pub(super) fn variable_name(&self, procedure: ProcId, name: &str) -> String {
        let mut unique = name.to_string();
        let taken = |name: &str| self.ir[procedure].variables().any(|variable| self.ir[variable].name == name);
        let mut number = 1;
        while taken(&unique) {
            number += 1;
            unique = format!("{name}${number}");
        }
        unique
    }

    /// The type of variables and fields, unless values are not kept.
    pub(super) fn ir_type(&mut self, ty: Type) -> Option<ir::Type> {
        match ty {
            Type::Void => None,
            Type::Class(class) => Some(ir::Type::Pointer(Some(self.structs[&self.classes[class].component]))),
            Type::Library(library) => Some(ir::Type::Pointer(Some(self.library_struct(library)))),
            Type::Object | Type::Null => Some(ir::Type::Pointer(None)),
            _ => ty.scalar().map(ir::Type::Scalar),
        }
    }

    pub(super) fn library_struct(&mut self, library: LibraryId) -> StructId {
        if let Some(known) = self.library_structs.get(&library) {
            return *known;
        }
        let mut name = self.classes.library[library.0].name.clone();
        while self.ir.struct_named(&name).is_some() {
            name.push('\'');
        }
        let structure = self.ir.add_struct(&name, self.start);
        self.library_structs.insert(library, structure);
        self.add_content(library, structure);
        structure
    }

    /// Is there something to do when an object is made, although no constructor is written?
    fn declare_default_constructor(&mut self, class: ClassId) {
        let info = &self.classes[class];
        let is_written = self.has_constructors(class);
        if info.ast.kind != ClassKind::Class || is_written || !self.initialises(class) {
            return;
        }
        let (name, span) = (format!("{}.<init>", info.name), info.ast.name.span);
        let procedure = self.ir.add_procedure(&name, span);
        self.add_this(procedure, class, span);
        self.constructors.insert(class, procedure);
    }

    pub(super) fn has_constructors(&self, class: ClassId) -> bool {
        self.classes[class].methods().any(|(_, method)| method.result.is_none())
    }

    /// Does an object of the class need more than null and zero in all of its fields?
    pub(super) fn initialises(&self, class: ClassId) -> bool {
        let info = &self.classes[class];
        let own = info.ast.members.iter().any(|member| match member {
            Member::Field(field) => !field.is_static && field.initializer.is_some() && !self.is_idle(class, field),
            Member::Initializer { is_static, .. } => !is_static,
            _ => false,
        });
        own || info.superclass.is_some_and(|parent| self.has_constructors(parent) || self.initialises(parent))
    }

    /// Does the initializer of a field change nothing, since the field has that value already? Constructors of the
    /// class above, initializers before it, and what these call may have set it.
    fn is_idle(&self, class: ClassId, field: &Field) -> bool {
        let info = &self.classes[class];
        let before = info.ast.members.iter().take_while(|member| match member {
            Member::Field(other) => other.name.span != field.name.span,
            _ => true,
        });
        let mut before = before.filter(|member| member.is_static() == Some(field.is_static));
        let is_first = field.is_static || info.superclass.is_none();
        field.initializer.as_ref().is_none_or(is_default) && is_first && !before.any(Member::has_effects)
    }

    pub(super) fn translate_methods(&mut self) {
        for number in 0..self.methods.len() {
            let MethodInfo { class, ast, procedure, .. } = &self.methods[number];
            let (class, ast, Some(procedure)) = (*class, *ast, *procedure) else { continue };
            self.translate_method(class, ast, procedure, number);
        }
        for (class, procedure) in self.constructors.clone() {
            let span = self.ir[procedure].span;
            self.begin(procedure, class);
            self.initialise_constants(class);
            self.super_constructor(class, &[], span);
            self.initialise_fields(class);
            self.finish(span);
        }
    }

    fn translate_method(&mut self, class: ClassId, ast: &'a crate::ast::Method, procedure: ProcId, number: usize) {
        self.begin(procedure, class);
        self.body.type_parameters = ast.type_parameters.clone();
        self.body.result = self.methods[number].result;
        let mut variables = self.ir[procedure].parameters.clone().into_iter();
        if !ast.is_static {
            variables.next();
        }
        let infos = self.methods[number].parameters.clone();
        for (parameter, info) in ast.parameters.iter().zip(infos) {
            let variable = if self.ir_type(info.ty).is_some() { variables.next() } else { None };
            self.declare_local(&parameter.name, info.ty, variable);
        }
        if let Some(what) = ast.special {
            self.unsupported(format!("a {what}"), ast.name.span);
        }
        let Some(body) = &ast.body else {
            self.unsupported("a method without a body", ast.name.span);
            return self.finish(ast.span);
        };
        let mut statements = &body[..];
        if ast.result.is_none() {
            statements = self.begin_constructor(class, statements, ast.name.span);
        } else {
            self.assume_this(ast.name.span);
        }
        self.statements(statements);
        self.finish(Span { start: ast.span.end.saturating_sub(1).max(ast.span.start), ..ast.span });
    }

    /// Starts to build a procedure.
    pub(super) fn begin(&mut self, procedure: ProcId, class: ClassId) {
        self.body = Body::new(procedure, self.ir[procedure].entry, class);
        let parameters = &self.ir[procedure].parameters;
        self.body.this = parameters.first().copied().filter(|first| self.ir[*first].name == "this");
    }

    /// Whoever calls a method of null fails, so that `this` is not null, whoever that is.
    fn assume_this(&mut self, span: Span) {
        if let Some(this) = self.body.this {
            let (left, right) = (Operand::Pointer(this), Operand::Null);
            self.emit(Statement::Assume(Condition::Pointers { left, right, equal: false }), span);
        }
    }

    fn finish(&mut self, span: Span) {
        let exit = self.ir[self.body.procedure].exit;
        self.edge_to(exit, Statement::Return, span);
    }

    /// The procedure where the program starts: it initialises static fields, and calls `main`.
    ///
    /// Returns whether there is a `main`. Without one there is no start, unless it is to be that of a library.
    pub(super) fn translate_start(&mut self, entry: Entry<'_>) -> bool {
        let main = entry.method().and_then(|entry| self.entry_method(entry));
        let classes: Vec<ClassId> = self.classes.ids().filter(|class| self.initialises_statics(*class)).collect();
        if main.is_none() && (matches!(entry, Entry::Method(_)) || classes.is_empty()) {
            return false;
        }
        let procedure = self.ir.add_procedure("$start", self.start);
        let main_class = main.map(|main| self.methods[main].class);
        self.begin(procedure, main_class.unwrap_or(ClassId(0)));
        // The class of `main` is initialised just before it runs, others when they are first used: those come first,
        // provided that nothing can be noticed of it.
        let (last, first): (Vec<ClassId>, Vec<ClassId>) =
            classes.into_iter().partition(|class| Some(*class) == main_class);
        for class in first.into_iter().chain(last) {
            self.body.class = class;
            let (before, start) = (self.body.at, self.node());
            let edges = self.ir[procedure].edges.len();
            self.body.at = start;
            self.initialise_statics(class);
            let end = std::mem::replace(&mut self.body.at, before);
            let span = self.classes[class].ast.name.span;
            if Some(class) == main_class || self.is_unnoticed(class, procedure, edges) {
                self.jump(start, span);
            } else {
                self.unsupported("static initializers for which it matters when they run", span);
            }
            self.body.at = end;
        }
        if let Some(main) = main {
            let MethodInfo { procedure: Some(target), ast, .. } = &self.methods[main] else { return true };
            let (target, span) = (*target, ast.name.span);
            let parameters = self.ir[target].parameters.clone();
            let mut arguments = Vec::new();
            for parameter in parameters {
                let array = self.temporary(self.ir[parameter].ty, span);
                if let ir::Type::Pointer(Some(structure)) = self.ir[parameter].ty {
                    self.allocate(array, structure, span);
                    self.fill_with_any(array, span);
                }
                arguments.push(Operand::Pointer(array));
            }
            self.emit(Statement::Call { to: None, targets: vec![target], arguments }, span);
        }
        self.finish(self.start);
        self.ir.entry = Some(procedure);
        main.is_some()
    }

    /// The static method of that name that gets nothing, or the arguments of the command line.
    fn entry_method(&self, entry: &str) -> Option<usize> {
        let suits = |method: &MethodInfo| {
            let name = format!("{}.{}", self.classes[method.class].name, method.ast.name.text);
            let is_array = |ty: Type| matches!(ty, Type::Library(id) if self.classes.library[id.0].element.is_some());
            let parameters_suit = match &method.parameters[..] {
                [] => true,
                [only] => is_array(only.ty),
                _ => false,
            };
            method.ast.is_static && parameters_suit && (name == entry || &*method.ast.name.text == entry)
        };
        self.methods.iter().position(suits)
    }

    fn initialises_statics(&self, class: ClassId) -> bool {
        self.classes[class].ast.members.iter().any(|member| match member {
            Member::Field(field) => field.is_static && field.initializer.is_some() && !self.is_idle(class, field),
            Member::Initializer { is_static, .. } => *is_static,
            _ => false,
        })
    }

    /// Does it make no difference when the static initializers of a class run, which are the edges of a procedure from
    /// one on? So it is if they, and the procedures they call, come to an end and use no static fields but those of the
    /// class, because these and new objects are not known elsewhere before.
    fn is_unnoticed(&self, class: ClassId, procedure: ProcId, first: usize) -> bool {
        let calls = trifold_passes::CallGraph::of(&self.ir);
        let own = self.fields.iter().filter(|((of, _), _)| *of == class).filter_map(|(_, field)| match field.home {
            FieldHome::Static(variable) => Some(variable),
            _ => None,
        });
        let own: BTreeSet<VarId> = own.collect();
        let is_alone = |statement: &Statement| {
            let mut is_alone = !matches!(statement, Statement::Stop);
            let mut visit = |variable: VarId| {
                is_alone &= self.ir[variable].scope != Scope::Global || own.contains(&variable);
            };
            statement.for_each_read(&mut visit);
            statement.assigned().into_iter().for_each(visit);
            is_alone
        };
        let edges = &self.ir[procedure].edges[first..];
        let mut called: BTreeSet<ProcId> = BTreeSet::new();
        for edge in edges {
            if let Statement::Call { targets, .. } = &edge.statement {
                called.extend(targets.iter().flat_map(|target| calls.reached(*target)));
            }
        }
        let called = called.iter().flat_map(|procedure| &self.ir[*procedure].edges);
        edges.iter().chain(called).all(|edge| is_alone(&edge.statement))
    }

    fn initialise_statics(&mut self, class: ClassId) {
        for member in &self.classes[class].ast.members {
            match member {
                Member::Field(field) if field.is_static => {
                    let Some(value) = field.initializer.as_ref().filter(|_| !self.is_idle(class, field)) else {
                        continue;
                    };
                    let info = self.fields[&(class, field.name.text.to_string())];
                    let place = self.field_place(None, info);
                    self.assign_initializer(place, value);
                }
                Member::Initializer { is_static: true, body } => {
                    self.in_block(|translator| translator.statements(body))
                }
                _ => {}
            }
        }
    }

    /// The fields of which the compiler knows the value: methods that are called by a constructor of the class above
    /// see them.
    pub(super) fn initialise_constants(&mut self, class: ClassId) {
        if self.classes[class].superclass.is_none() {
            return;
        }
        for field in self.classes[class].fields() {
            let Some(value) = field.initializer.as_ref().filter(|value| value.is_literal()) else { continue };
            if field.is_final && !field.is_static {
                let info = self.fields[&(class, field.name.text.to_string())];
                let place = self.field_place(self.body.this, info);
                self.assign_initializer(place, value);
            }
        }
    }

    /// The fields of an object that has just been made.
    pub(super) fn initialise_fields(&mut self, class: ClassId) {
        for member in &self.classes[class].ast.members {
            match member {
                Member::Field(field) if !field.is_static => {
                    let Some(value) = field.initializer.as_ref().filter(|_| !self.is_idle(class, field)) else {
                        continue;
                    };
                    let info = self.fields[&(class, field.name.text.to_string())];
                    let place = self.field_place(self.body.this, info);
                    self.assign_initializer(place, value);
                }
                Member::Initializer { is_static: false, body } => {
                    // Parameters of the constructor are not known here.
                    let locals = std::mem::take(&mut self.body.locals);
                    self.in_block(|translator| translator.statements(body));
                    self.body.locals = locals;
                }
                _ => {}
            }
        }
    }

    fn assign_initializer(&mut self, place: super::place::Place, value: &'a crate::ast::Expr) {
        let locals = std::mem::take(&mut self.body.locals);
        let result = self.value(value);
        self.store(&place, result, value.span);
        self.body.locals = locals;
        self.release();
    }
}
