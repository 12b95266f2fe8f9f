//! Variables that keep the number they begin with: `int length = 10;`, where nothing else is ever assigned to `length`
//! and its address is not taken. Sizes that are computed from them are known.
//!
//! # Soundness
//! A jump may lead around a declaration, and then the variable has no value. So variables of functions with labels and
//! switches do not count.

use super::survey::Survey;
use crate::constant::Constants;
use crate::typed::{Block, DeclarationId, DeclarationKind, Initializer, Program, Stmt, StmtKind, Storage};
use crate::types::Qualifiers;
use std::collections::BTreeMap;

/// The numbers of such variables.
pub(super) fn fixed(program: &Program, survey: &Survey, constants: Constants) -> BTreeMap<DeclarationId, i128> {
    let mut found = Vec::new();
    for function in program.functions.iter().filter(|function| function.labels.is_empty()) {
        let mut own = Vec::new();
        if block(&function.body, &mut own) {
            found.extend(own);
        }
    }
    let is_fixed = |id: &DeclarationId| {
        let declaration = program.declaration(*id);
        let is_volatile = program.types.qualifiers(declaration.ty).contains(Qualifiers::VOLATILE);
        let is_local = declaration.kind == DeclarationKind::Variable(Storage::Automatic);
        is_local && !is_volatile && program.types.is_integer(declaration.ty) && !survey.changed.contains(id)
    };
    let found = found.into_iter().filter(|(id, _)| is_fixed(id));
    found.filter_map(|(id, initializer)| Some((id, number(program, id, initializer, constants)?))).collect()
}

fn number(program: &Program, id: DeclarationId, initializer: &Initializer, constants: Constants) -> Option<i128> {
    let [only] = &initializer.entries[..] else { return None };
    let value = constants.integer(only.value.as_ref()?)?;
    let kind = program.types.integer_kind(program.declaration(id).ty)?;
    (kind.wrap(value) == value).then_some(value)
}

type Declared<'p> = Vec<(DeclarationId, &'p Initializer)>;

/// Notes the initialised variables of a block, unless a statement in it jumps into others.
fn block<'p>(block: &'p Block, found: &mut Declared<'p>) -> bool {
    block.statements.iter().all(|inner| statement(inner, found))
}

fn statement<'p>(of: &'p Stmt, found: &mut Declared<'p>) -> bool {
    match &of.kind {
        StmtKind::Block(inner) => block(inner, found),
        StmtKind::Sequence(statements) => statements.iter().all(|inner| statement(inner, found)),
        StmtKind::Declare(id, initializer) => {
            found.extend(initializer.iter().map(|initializer| (*id, initializer)));
            true
        }
        StmtKind::If(cases, otherwise) => {
            cases.iter().all(|(_, inner)| statement(inner, found))
                && otherwise.iter().all(|inner| statement(inner, found))
        }
        StmtKind::While(_, inner) | StmtKind::DoWhile(inner, _) => statement(inner, found),
        StmtKind::For(parts) => statement(&parts.initial, found) && statement(&parts.body, found),
        StmtKind::Empty | StmtKind::Expr(_) | StmtKind::Continue | StmtKind::Break | StmtKind::Return(_) => true,
        StmtKind::Labeled(..)
        | StmtKind::Switch(..)
        | StmtKind::Goto(_)
        | StmtKind::GotoComputed(_)
        | StmtKind::Asm(_)
        | StmtKind::NotUnderstood(_) => false,
    }
}
