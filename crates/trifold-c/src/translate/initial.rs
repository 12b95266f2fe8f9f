//! Initial values: of variables when they come to life, and of everything that lives for ever before the program
//! starts.
//!
//! For example, `static struct node n = { .next = &n };` becomes an assignment to `n.next` before the entry is called.

use super::buffer::I64;
use super::graph::Body;
use super::layout::{Home, REST, U64};
use super::names::Taken;
use super::place::Place;
use super::{Static, Translator};
use crate::typed::{
    DeclarationId, DeclarationKind, Expr, ExprKind, Global, Initializer, InitializerEntry, PathStep, Storage,
};
use crate::types::{Type, TypeId};
use std::ops::Range;
use trifold_ir as ir;
use trifold_ir::{Builder, Cause, Meaning, Operand, Operation, ProcId, Region, Scope, Statement, VarId};
use trifold_source::Span;

/// Longer ranges of elements, and larger blocks, are not initialised one by one.
const MAX_RANGE: u64 = 4096;
const MAX_BLOCK: u64 = 1 << 16;

impl<'p> Translator<'p> {
    /// All variables outside of functions.
    pub(super) fn declare_globals(&mut self) {
        let is_clear = |global: &&Global| self.c.declaration(global.declaration).unclear.is_none();
        for global in self.c.globals.iter().filter(is_clear) {
            let name = self.name(global.declaration).to_string();
            self.declare_static(global.declaration, global.initializer.as_ref(), &name);
        }
    }

    fn declare_static(&mut self, id: DeclarationId, initializer: Option<&'p Initializer>, name: &str) {
        if self.globals.contains_key(&id) {
            return;
        }
        let declaration = self.c.declaration(id);
        let place = if self.survey.objects.contains(&id) {
            let structure = self.struct_of(declaration.ty);
            let ty = ir::Type::Pointer(Some(structure));
            let pointer = self.new_variable(&format!("&{name}"), ty, Scope::Global, declaration.span);
            self.object(pointer, declaration.ty)
        } else {
            let tree = self.lay_out(Home::Variables(Scope::Global), declaration.ty, name, declaration.span);
            Place::of_variables(tree, declaration.ty)
        };
        self.globals.insert(id, place.clone());
        self.statics.push(Static { place, initializer, span: declaration.span });
    }

    /// A variable comes to life.
    pub(super) fn declare(&mut self, id: DeclarationId, initializer: Option<&'p Initializer>, span: Span) {
        let declaration = self.c.declaration(id);
        let DeclarationKind::Variable(storage) = declaration.kind else { return };
        if declaration.cleanup.is_some() {
            return drop(self.unsupported("a function that is called when a variable dies", span));
        }
        if self.c.types.is_variable(declaration.ty) && self.declare_variable_array(id, span) {
            return;
        }
        if self.c.types.is_variable(declaration.ty) {
            return drop(self.unsupported("an array of variable length", span));
        }
        match storage {
            Storage::Automatic => self.declare_automatic(id, initializer, span),
            Storage::Static => {
                let function = self.body.function.map_or("", |function| self.name(function.declaration));
                let name = format!("{function}.{}", self.name(id));
                self.declare_static(id, initializer, &name);
            }
            Storage::Thread => drop(self.unsupported("a variable of a thread", span)),
            Storage::External => {}
        }
    }

    /// A compound literal gets its value; in the head of a loop, the object is there already.
    pub(super) fn literal(&mut self, id: DeclarationId, initializer: &'p Initializer, span: Span) {
        if self.pointer_array_of(self.c.declaration(id).ty).is_some() {
            return drop(self.unsupported("a compound literal that is a long array of pointers", span));
        }
        match self.body.variables.get(&id).filter(|_| self.body.literals.contains(&id)).cloned() {
            Some(place) => self.initialize(&place, initializer, true),
            None => self.declare(id, Some(initializer), span),
        }
    }

    /// Makes the objects of the compound literals in the head of a loop: they live in the block around the loop, and
    /// are the same ones in each round [C11 6.5.2.5].
    pub(super) fn declare_literals(&mut self, head: &'p Expr) {
        if let ExprKind::CompoundLiteral(id, _) = head.kind
            && self.survey.objects.contains(&id)
            && self.c.declaration(id).kind == DeclarationKind::Variable(Storage::Automatic)
        {
            self.declare(id, None, head.span);
            self.body.literals.insert(id);
        }
        // Statements in braces are blocks of their own.
        if !matches!(head.kind, ExprKind::Statements(_)) {
            head.for_each_operand(&mut |operand| self.declare_literals(operand));
        }
    }

    fn declare_automatic(&mut self, id: DeclarationId, initializer: Option<&'p Initializer>, span: Span) {
        let declaration = self.c.declaration(id);
        let scope = Scope::Local(self.body.procedure);
        let known = self.body.variables.get(&id).cloned();
        if !self.survey.objects.contains(&id) {
            let place = known.unwrap_or_else(|| {
                let tree = self.lay_out(Home::Variables(scope), declaration.ty, self.name(id), declaration.span);
                Place::of_variables(tree, declaration.ty)
            });
            self.body.variables.insert(id, place.clone());
            let variables = place.variables();
            if let Some(block) = self.body.blocks.last_mut() {
                block.pointers.extend(variables);
            }
            match initializer {
                Some(initializer) => self.initialize(&place, initializer, true),
                None => self.uninitialize(&place, span),
            }
            return;
        }
        let structure = self.struct_of(declaration.ty);
        let object = match known.as_ref().and_then(Place::pointer) {
            Some(object) => object,
            None => self.object_variable(id, scope),
        };
        // Also a variable that is its own only part is set as a whole, and need not be cleared.
        let zeroed = initializer.is_some_and(|initializer| !is_whole(initializer));
        self.emit(Statement::Allocate { to: object, structure, region: Region::Stack, zeroed, may_fail: false }, span);
        self.set_extent(object, structure, 0, span);
        self.set_counts(object, declaration.ty, zeroed, span);
        let place = self.object(object, declaration.ty);
        self.body.variables.insert(id, place.clone());
        if let Some(block) = self.body.blocks.last_mut() {
            block.objects.push(object);
        }
        if let Some(initializer) = initializer {
            self.initialize(&place, initializer, false);
        }
    }

    /// In a loop the variable may have the value of the last round, which it must not keep.
    fn uninitialize(&mut self, place: &Place, span: Span) {
        let labels = self.body.function.is_some_and(|function| !function.labels.is_empty());
        if self.body.continues.is_empty() && !labels {
            return;
        }
        for variable in place.variables() {
            self.set(variable, Operand::Uninitialised, span);
        }
    }

    /// Carries an initializer out; the parts that it does not mention are zero, and have to be set to that if `clear`.
    fn initialize(&mut self, place: &Place, initializer: &'p Initializer, clear: bool) {
        let mark = self.mark();
        let mut values = Vec::new();
        initializer.for_each_value(&mut |value| values.push(value));
        if self.effects.conflict(self.c, values.into_iter()) {
            self.unsupported("an initializer that depends on the order of evaluation", initializer.span);
        }
        if initializer.replaced().into_iter().any(|(earlier, later)| self.is_unclear(earlier, later)) {
            self.unsupported("an initial value that is replaced by another one", initializer.span);
        }
        if clear && !is_whole(initializer) {
            self.clear(place, initializer.span);
        }
        let known = self.initialize_block(place, initializer);
        for entry in &initializer.entries[known..] {
            self.initialize_part(place.clone(), &entry.path, entry.value.as_ref(), initializer.span);
        }
        self.release(mark, initializer.span);
    }

    /// The first entries of an initializer of a block, as far as they are constants: all at once. How many are those?
    fn initialize_block(&mut self, place: &Place, initializer: &'p Initializer) -> usize {
        let place = self.resolved(place.clone(), initializer.span);
        let size = self.c.types.size(place.ty).filter(|size| *size <= MAX_BLOCK);
        let (Some(to), Some(size)) = (place.bytes(), size) else { return 0 };
        let mut image = vec![0; size.next_multiple_of(8) as usize];
        let entries = initializer.entries.iter();
        let known = entries.take_while(|entry| self.draw(&mut image, place.ty, entry)).count();
        if known > 0 {
            let words = image.chunks(8).map(|word| word.iter().rev().fold(0, |all, byte| all << 8 | i128::from(*byte)));
            let of = words.map(|word| Operand::Scalar(ir::Expr::Constant(word, U64))).collect();
            self.set_block(&to, Operation::Pack(8), of, initializer.span);
            self.wrote_character(&to, None, initializer.span);
        }
        known
    }

    /// Puts a constant integer where a path leads to in the image of a block; false if it is something else.
    fn draw(&self, image: &mut [u8], ty: TypeId, entry: &InitializerEntry) -> bool {
        let Some(value) = &entry.value else { return false };
        let (mut offset, mut ty) = (0, ty);
        for step in &entry.path {
            let index = match step {
                PathStep::Member(index) => *index,
                PathStep::Element(index) => *index as usize,
                PathStep::Elements(..) => return false,
            };
            let (within, is_bits) = self.part_offset(ty, index);
            if is_bits {
                return false;
            }
            (offset, ty) = (offset + within as usize, self.part_type(ty, index));
        }
        let size = self.c.types.size(ty).map(|size| size as usize);
        let (Some(number), Some(size), true) = (self.integer(value), size, self.c.types.is_integer(ty)) else {
            return false;
        };
        let Some(bytes) = image.get_mut(offset..offset + size) else { return false };
        let number = if *self.c.types.get(ty) == Type::Bool { i128::from(number != 0) } else { number };
        bytes.iter_mut().zip(number.to_le_bytes()).for_each(|(byte, new)| *byte = new);
        true
    }

    /// Compilers differ in whether a value that is replaced is computed, and in what is left of a struct of which a
    /// part is replaced.
    fn is_unclear(&self, earlier: &InitializerEntry, later: &InitializerEntry) -> bool {
        let Some(value) = &earlier.value else { return false };
        self.effects.changes(self.c, value) || earlier.path.len() < later.path.len()
    }

    /// A part gets a value, or becomes zero.
    fn initialize_part(&mut self, place: Place, path: &[PathStep], value: Option<&'p Expr>, span: Span) {
        let Some(value) = value else { return self.clear_part(place, path, span) };
        // An opaque part is never read. But a pointer must not get lost there.
        if place.is_opaque() {
            match self.is_object_pointer(value.ty) && self.body.function.is_some() {
                true => drop(self.unsupported("a pointer in a part that is not supported", value.span)),
                false if matches!(value.kind, ExprKind::String(_)) => {}
                false => self.effect(value),
            }
            return;
        }
        let Some((step, rest)) = path.split_first() else {
            return self.initialize_leaf(&place, value);
        };
        let (first, last) = step.bounds();
        // It is computed once, whatever the number of parts is.
        if first < last && self.effects.changes(self.c, value) {
            return drop(self.unsupported("an initial value of several elements that has effects", value.span));
        }
        let range = self.range(&place, step, value.span);
        if range.is_empty() && !matches!(value.kind, ExprKind::String(_)) {
            self.value(value, None);
        }
        for index in range {
            let ty = self.part_type(place.ty, index as usize);
            let part = self.part(place.clone(), index as usize, ty, value.span);
            self.initialize_part(part, rest, Some(value), span);
        }
    }

    /// All of a part becomes zero.
    fn clear_part(&mut self, place: Place, path: &[PathStep], span: Span) {
        if place.is_opaque() {
            return;
        }
        let Some((step, rest)) = path.split_first() else { return self.clear(&place, span) };
        for index in self.range(&place, step, span) {
            let ty = self.part_type(place.ty, index as usize);
            let part = self.part(place.clone(), index as usize, ty, span);
            self.clear_part(part, rest, span);
        }
    }

    /// The parts that a step leads to. There may be too many to initialise them one by one.
    fn range(&mut self, place: &Place, step: &PathStep, span: Span) -> Range<u64> {
        let (first, last) = step.bounds();
        if last.saturating_sub(first) <= MAX_RANGE && last < usize::MAX as u64 {
            return first..last + 1;
        }
        match place.bytes() {
            Some(to) => self.lose_block(&to, Cause::Memory, span),
            None => drop(self.unsupported("an initializer of a large array", span)),
        }
        0..0
    }

    fn initialize_leaf(&mut self, place: &Place, value: &'p Expr) {
        if let ExprKind::String(text) = &value.kind {
            return self.initialize_string(place, &text.units, value.span);
        }
        let result = self.value(value, place.variable());
        self.store(place, result, value.span);
    }

    fn initialize_string(&mut self, place: &Place, units: &[u32], span: Span) {
        let Type::Array(element, _) = *self.c.types.get(place.ty) else {
            return drop(self.unsupported("a string", span));
        };
        if place.bytes().is_some() {
            let width = self.c.types.size(element).unwrap_or(1) as u8;
            let of = units.iter().map(|unit| Operand::Scalar(ir::Expr::Constant((*unit).into(), U64))).collect();
            let block = self.bits(Operation::Pack(width), of, span);
            self.unpack(place, block, span);
            // The rest is zero, if there is any.
            if let (Some(to), Some(length)) = (place.bytes(), self.array_length(place.ty))
                && let (ir::Expr::Constant(0, _), Some(object), true) =
                    (&to.offset, to.object, (units.len() as u64) < length)
            {
                self.set_zero(to.slot, object, ir::Expr::Constant(units.len() as i128, I64), span);
            }
            return;
        }
        let size = self.c.types.size(place.ty).zip(self.c.types.size(element)).map(|(all, one)| all / one.max(1));
        for index in 0..size.unwrap_or(0).min(17) as usize {
            let part = self.part(place.clone(), index, element, span);
            let unit = units.get(index).copied().unwrap_or(0);
            let value = self.number(unit.into(), element, span);
            self.store(&part, value, span);
        }
    }

    /// The object of a string, as far as it is laid out.
    pub(super) fn string_object(&mut self, element: TypeId, units: &[u32], span: Span) -> VarId {
        let structure = self.struct_of(element);
        let pointer = self.new_variable("string", ir::Type::Pointer(Some(structure)), Scope::Global, self.start_span());
        let place = self.object(pointer, element);
        self.strings.push((place, units.to_vec(), span));
        pointer
    }

    /// Where execution starts. The set-up before the entry is called is done by a procedure of its own.
    pub(super) fn choose_entry(&mut self) {
        let main = match &self.options.entry {
            None => None,
            Some(name) => {
                let Some(entry) = self.c.function(name) else { return };
                let main = self.instance(entry.declaration, vec![None; entry.parameters.len()]);
                self.translate_queue();
                Some((main, entry.span))
            }
        };
        let needs_start = self.statics.iter().any(|item| item.initializer.is_some() || item.place.pointer().is_some())
            || !self.strings.is_empty()
            || self.unasked().is_some()
            || !self.c.linked.is_empty()
            || !self.c.strange.is_empty()
            || main.is_some_and(|(main, _)| !self.ir[main].parameters.is_empty());
        self.ir.entry = if needs_start { Some(self.start(main)) } else { main.map(|(main, _)| main) };
    }

    /// A function that runs although it is not called, or a table of such functions.
    fn unasked(&self) -> Option<DeclarationId> {
        let functions = self.c.functions.iter().map(|function| function.declaration);
        let variables = self.globals.keys().copied();
        functions.chain(variables).find(|id| self.c.declaration(*id).unasked)
    }

    fn start(&mut self, main: Option<(ProcId, Span)>) -> ProcId {
        let span = main.map_or(self.start_span(), |(_, span)| span);
        let name = self.names.procedures.take("start", |_| false);
        let procedure = self.ir.add_procedure(&name, span);
        self.begin(procedure);
        // Values first, because they may bring strings along; but execution begins with the objects they point to.
        let (begin, values) = (self.body.at, self.node());
        self.body.at = values;
        let mut initialized = 0;
        while initialized < self.statics.len() {
            let Static { ref place, initializer, .. } = self.statics[initialized];
            let place = place.clone();
            initialized += 1;
            if let Some(initializer) = initializer {
                self.initialize(&place, initializer, false);
            }
            let body = std::mem::replace(&mut self.body, Body::new(procedure, begin, Taken::default()));
            self.translate_queue();
            self.body = body;
        }
        if let Some(id) = self.unasked() {
            let text = format!("`{}`, which runs before or after everything else", self.name(id));
            self.unsupported(text, self.c.declaration(id).span);
        }
        if let Some((span, attribute)) = self.c.strange.first() {
            self.unsupported(format!("the attribute `{attribute}`"), *span);
        }
        if let Some(span) = self.c.linked.first() {
            self.unsupported("names or code for the assembler or the linker", *span);
        }
        if let Some((main, span)) = main {
            let arguments = self.entry_arguments(main, span);
            self.emit(Statement::Call { to: None, targets: vec![main], arguments }, span);
        }
        let exit = self.ir[procedure].exit;
        self.edge_to(exit, Statement::Return, span);

        self.body.at = begin;
        for index in 0..self.statics.len() {
            let (place, span) = (self.statics[index].place.clone(), self.statics[index].span);
            self.allocate_static(&place, span);
        }
        for (place, units, span) in std::mem::take(&mut self.strings) {
            self.allocate_static(&place, span);
            if self.keep_characters(&place, &units, span) {
                continue;
            }
            let (first, rest) = units.split_first().map_or((0, &[][..]), |(first, rest)| (*first, rest));
            let value = self.number(first.into(), place.ty, span);
            self.store(&place, value, span);
            self.keep_rest(&place, rest, span);
        }
        self.jump(values, span);
        procedure
    }

    /// The characters of a string after its first one, for runs.
    fn keep_rest(&mut self, place: &Place, rest: &[u32], span: Span) {
        let Some((object, field)) = self.rest_field(place) else { return };
        let of = rest.iter().map(|unit| Operand::Scalar(ir::Expr::Constant((*unit).into(), U64))).collect();
        let value = Operand::Scalar(self.bits(Operation::Pack(1), of, span));
        self.emit(Statement::Store { object, field, value }, span);
    }

    /// Where the rest of the text is kept that begins with a character.
    pub(super) fn rest_field(&self, character: &Place) -> Option<(VarId, ir::FieldId)> {
        let object = character.pointer()?;
        let structure = self.ir[object].ty.target()?;
        Some((object, self.ir.field_named(structure, REST)?))
    }

    fn allocate_static(&mut self, place: &Place, span: Span) {
        if let Some(to) = place.pointer()
            && let Some(structure) = self.ir[to].ty.target()
        {
            self.emit(
                Statement::Allocate { to, structure, region: Region::Static, zeroed: true, may_fail: false },
                span,
            );
            self.set_counts(to, place.ty, true, span);
        }
    }

    /// `argc` is some number that is not negative; the memory that the environment passes by pointers is not known.
    fn entry_arguments(&mut self, main: ProcId, span: Span) -> Vec<Operand> {
        let parameters = self.ir[main].parameters.clone();
        let mut arguments = Vec::new();
        for parameter in parameters {
            arguments.push(match self.ir[parameter].ty {
                ir::Type::Pointer(_) => Operand::Uninitialised,
                ir::Type::Scalar(scalar) => {
                    let to = self.temporary(ir::Type::Scalar(scalar), span);
                    let (low, high) = scalar.range();
                    self.emit(Statement::Nondet { to, range: Some((low.max(0), high)), meaning: Meaning::Open }, span);
                    Operand::Scalar(ir::Expr::Variable(to))
                }
            });
        }
        arguments
    }
}

/// Does the initializer give the object as a whole?
fn is_whole(initializer: &Initializer) -> bool {
    matches!(initializer.entries.as_slice(), [entry] if entry.path.is_empty())
}
