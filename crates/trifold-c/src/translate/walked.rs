//! Numbers and pointers that pointers walk over: `p++`, `p[i]`, `malloc(n * sizeof(int))`, `int a[n]`.
//!
//! Where a program does that with numbers of a size, all objects of numbers of that size are
//! [buffers](super::buffer), and pointers to them have an index. Other programs keep the simpler pointers, because
//! analyses know the numbers that those lead to. For example, a program that only has `int n; f(&n)` does not walk.
//!
//! Long arrays of pointers, of which an element is chosen by an index, have a [form of their
//! own](super::pointer_array). Pointers walk over them if pointers of that type lead to nothing else: not in a program
//! with `link = &node->next`.

use super::layout::is_data;
use super::survey::Survey;
use crate::constant::Constants;
use crate::library::Known;
use crate::typed::{DeclarationId, DeclarationKind, Expr, ExprKind, Function, Program, Stmt, StmtKind};
use crate::types::{ArrayLength, Type, TypeId, Types};
use std::collections::{BTreeMap, BTreeSet};

/// Longer arrays of pointers are not taken apart, if an index chooses an element.
const MAX_APART: u64 = 8;

/// What pointers walk over.
#[derive(Default, Debug)]
pub(super) struct Walked {
    /// Numbers of these sizes.
    numbers: BTreeSet<u64>,
    /// The pointers that are elements of long arrays.
    in_arrays: Vec<TypeId>,
    /// Those of them that pointers walk over.
    pointers: Vec<TypeId>,
}

impl Walked {
    /// Those of a program that starts with one of some functions. Without one, any pointer could come from elsewhere.
    pub fn of(program: &Program, survey: &Survey, known: &Known, starts: &[&Function]) -> Walked {
        let constants = Constants { types: &program.types, declarations: &program.declarations };
        let found = Walked::default();
        let mut walk = Walk { program, survey, known, constants, arguments: Vec::new(), single: Vec::new(), found };
        if starts.is_empty() || survey.mixed_pointers {
            return Walked::default();
        }
        walk.arguments = starts.iter().flat_map(|start| &start.parameters).copied().collect();
        for function in reached(program, starts) {
            function.body.for_each_expr(&mut |expr| walk.expr(expr));
            function.body.statements.iter().for_each(|statement| walk.declared(statement));
        }
        let Walk { single, mut found, .. } = walk;
        let same = |a: TypeId, b: TypeId| program.types.compatible(a, b, false);
        found.pointers.retain(|ty| !single.iter().any(|single| same(*ty, *single)));
        let declared = found.in_arrays.iter().copied();
        found.in_arrays = declared.chain(found.pointers.iter().copied()).collect();
        found
    }

    /// The size of a number, if pointers walk over such numbers.
    pub fn size(&self, types: &Types, ty: TypeId) -> Option<u64> {
        number_size(types, ty).filter(|size| self.numbers.contains(size))
    }

    /// Do pointers walk over pointers of this type?
    pub fn is_pointer(&self, types: &Types, ty: TypeId) -> bool {
        types.pointee(ty).is_some() && self.pointers.iter().any(|known| types.compatible(*known, ty, false))
    }

    /// Are there long arrays of pointers of this type?
    pub fn is_in_arrays(&self, types: &Types, ty: TypeId) -> bool {
        types.pointee(ty).is_some() && self.in_arrays.iter().any(|known| types.compatible(*known, ty, false))
    }

    /// Are there long arrays of pointers?
    pub fn has_pointer_arrays(&self) -> bool {
        !self.in_arrays.is_empty()
    }

    /// The type of the elements of a long array of pointers.
    pub fn element_of_array(&self, types: &Types, ty: TypeId) -> Option<TypeId> {
        long_array(types, ty).filter(|element| self.is_in_arrays(types, *element))
    }
}

fn number_size(types: &Types, ty: TypeId) -> Option<u64> {
    let is_number = types.is_integer(ty) || matches!(types.get(ty), Type::Float(_));
    types.size(ty).filter(|size| is_number && [1, 2, 4, 8].contains(size))
}

/// The type of the elements of an array of many pointers to objects, or of any number of them.
fn long_array(types: &Types, ty: TypeId) -> Option<TypeId> {
    let Type::Array(element, length) = types.get(ty) else { return None };
    let is_long = !matches!(length, ArrayLength::Known(..=MAX_APART));
    (is_long && is_object_pointer(types, *element)).then_some(*element)
}

fn is_object_pointer(types: &Types, ty: TypeId) -> bool {
    types.pointee(ty).is_some_and(|to| !matches!(types.get(to), Type::Function(_)))
}

/// The functions that a call of some may come to: all whose names are mentioned.
fn reached<'p>(program: &'p Program, starts: &[&'p Function]) -> Vec<&'p Function> {
    let by_id: BTreeMap<DeclarationId, &Function> =
        program.functions.iter().map(|function| (function.declaration, function)).collect();
    let mut open = starts.to_vec();
    let mut seen: BTreeSet<DeclarationId> = open.iter().map(|start| start.declaration).collect();
    let mut names: Vec<DeclarationId> = Vec::new();
    for global in &program.globals {
        global
            .initializer
            .iter()
            .for_each(|init| init.for_each_value(&mut |value| mentioned(program, value, &mut names)));
    }
    open.extend(names.into_iter().filter(|id| seen.insert(*id)).filter_map(|id| by_id.get(&id).copied()));
    let mut reached = Vec::new();
    while let Some(function) = open.pop() {
        reached.push(function);
        let mut names = Vec::new();
        function.body.for_each_expr(&mut |expr| mentioned(program, expr, &mut names));
        open.extend(names.into_iter().filter(|id| seen.insert(*id)).filter_map(|id| by_id.get(&id).copied()));
    }
    reached
}

fn mentioned(program: &Program, expr: &Expr, names: &mut Vec<DeclarationId>) {
    if let ExprKind::Name(id) = expr.kind
        && matches!(program.declaration(id).kind, DeclarationKind::Function { .. })
    {
        names.push(id);
    }
    expr.for_each_operand(&mut |operand| mentioned(program, operand, names));
}

struct Walk<'p> {
    program: &'p Program,
    survey: &'p Survey,
    known: &'p Known,
    constants: Constants<'p>,
    /// Parameters that the environment gives.
    arguments: Vec<DeclarationId>,
    /// The types of pointers whose address is taken elsewhere than in arrays.
    single: Vec<TypeId>,
    found: Walked,
}

impl Walk<'_> {
    fn note(&mut self, element: Option<TypeId>) {
        let types = &self.program.types;
        self.found.numbers.extend(element.and_then(|element| number_size(types, element)));
        let is_new = |element: &TypeId| is_object_pointer(types, *element) && !self.found.is_pointer(types, *element);
        self.found.pointers.extend(element.filter(is_new));
    }

    /// An element of an array of pointers is chosen by an index.
    fn note_array(&mut self, array: TypeId) {
        let types = &self.program.types;
        let element = long_array(types, array).filter(|element| !self.found.is_in_arrays(types, *element));
        self.found.in_arrays.extend(element);
    }

    /// Does the environment give the pointer?
    fn is_given(&self, pointer: &Expr) -> bool {
        super::forms::loaded(pointer).is_some_and(|id| self.arguments.contains(&id))
    }

    fn pointee(&self, ty: TypeId) -> Option<TypeId> {
        self.program.types.pointee(ty)
    }

    fn expr(&mut self, expr: &Expr) {
        let is_zero = |index: &Expr| self.constants.integer(index) == Some(0);
        match &expr.kind {
            ExprKind::PointerOffset { index, .. } if !is_zero(index) => self.note(self.pointee(expr.ty)),
            ExprKind::PointerDifference(left, _) => self.note(self.pointee(left.ty)),
            ExprKind::Increment { place, .. } | ExprKind::CompoundAssign { place, .. } => {
                self.note(self.pointee(place.ty));
            }
            ExprKind::AddressOf(place)
                if self.pointee(place.ty).is_some() && !matches!(place.kind, ExprKind::Index(..)) =>
            {
                self.single.push(place.ty);
            }
            ExprKind::Index(pointer, index) => match &pointer.kind {
                ExprKind::Decay(array) => {
                    if self.constants.integer(index).is_none() {
                        self.note_array(array.ty);
                    }
                    return self.indexed(array, index);
                }
                _ if self.is_given(pointer) => {}
                _ if is_zero(index) || self.survey.heap_arrays.is_array(&self.program.types, expr.ty) => {}
                _ => self.note(Some(expr.ty)),
            },
            ExprKind::Decay(array) if is_data(&self.program.types, array.ty) && !self.is_text(array) => {
                self.note(self.pointee(expr.ty));
            }
            ExprKind::Decay(array) if long_array(&self.program.types, array.ty).is_some() => {
                self.note_array(array.ty);
                self.note(self.pointee(expr.ty));
            }
            ExprKind::Convert { operand, .. } => self.allocated(expr, operand),
            _ => {}
        }
        expr.for_each_operand(&mut |operand| self.expr(operand));
    }

    /// Arrays of characters are mostly arguments of functions on text, which know them as arrays.
    fn is_text(&self, array: &Expr) -> bool {
        matches!(self.program.types.get(array.ty), Type::Array(element, _) if self.program.types.size(*element) == Some(1))
    }

    /// An element of an array is used, which is no pointer.
    fn indexed(&mut self, array: &Expr, index: &Expr) {
        array.for_each_operand(&mut |operand| self.expr(operand));
        self.expr(index);
    }

    /// A number of objects that is not known is allocated.
    fn allocated(&mut self, expr: &Expr, operand: &Expr) {
        let ExprKind::Call(callee, arguments) = &operand.kind else { return };
        let row = super::forms::called(callee).and_then(|id| self.known.row(id));
        let sizes = row.map(super::allocate::sizes).unwrap_or_default();
        let mut sizes = sizes.iter().filter_map(|size| arguments.get(*size));
        if sizes.any(|size| self.constants.integer(size).is_none() && !is_parameter(size)) {
            self.note(self.pointee(expr.ty));
        }
    }

    /// The arrays of variable length that a statement declares.
    fn declared(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Declare(id, _) => {
                if let Type::Array(element, ArrayLength::Variable(_)) =
                    self.program.types.get(self.program.declaration(*id).ty)
                {
                    self.note(Some(*element));
                }
            }
            StmtKind::Block(block) => block.statements.iter().for_each(|inner| self.declared(inner)),
            StmtKind::Sequence(statements) => statements.iter().for_each(|inner| self.declared(inner)),
            StmtKind::Labeled(_, inner) | StmtKind::While(_, inner) | StmtKind::DoWhile(inner, _) => {
                self.declared(inner)
            }
            StmtKind::Switch(_, inner) => self.declared(inner),
            StmtKind::If(cases, otherwise) => {
                cases.iter().for_each(|(_, inner)| self.declared(inner));
                otherwise.iter().for_each(|inner| self.declared(inner));
            }
            StmtKind::For(parts) => {
                self.declared(&parts.initial);
                self.declared(&parts.body);
            }
            _ => {}
        }
    }
}

/// Is a size just a parameter, which may be known when the function is called?
fn is_parameter(size: &Expr) -> bool {
    super::forms::loaded(size).is_some()
}
