//! The procedure that is being built: nodes, edges, temporary variables, scopes and jumps.
//!
//! For example, `while (p) p = p->next;` is a node at the head, an edge for `p != 0`, an edge back for `p = p->next`,
//! and an edge out for `p == 0`.

use super::Translator;
use super::element::Cursor;
use super::instance::Binding;
use super::layout::U64;
use super::names::Taken;
use super::place::Place;
use super::value::Value;
use crate::typed::{DeclarationId, LabelId};
use std::collections::{BTreeMap, BTreeSet};
use trifold_ir as ir;
use trifold_ir::{Builder, Condition, NodeId, Operand, ProcId, Scope, Statement, VarId};
use trifold_source::Span;

/// A procedure under construction.
pub(super) struct Body<'p> {
    pub procedure: ProcId,
    pub function: Option<&'p crate::typed::Function>,
    /// Where the next statement goes.
    pub at: NodeId,
    pub names: Taken,
    pub variables: BTreeMap<DeclarationId, Place>,
    /// Compound literals in the heads of loops, which live as long as the loop and get a value in each round.
    pub literals: BTreeSet<DeclarationId>,
    /// Parameters whose values are known here.
    pub bindings: BTreeMap<DeclarationId, Binding>,
    /// Where a struct that is returned is left.
    pub result: Option<Place>,
    /// Temporary variables that are in use, and those that can be used again.
    in_use: Vec<VarId>,
    free: Vec<VarId>,
    /// Those for bits and blocks.
    hidden: BTreeSet<VarId>,
    temporaries: usize,
    pub blocks: Vec<BlockScope>,
    block_count: usize,
    /// Where `break` and `continue` go, and how many blocks stay open there.
    pub breaks: Vec<(NodeId, usize)>,
    pub continues: Vec<(NodeId, usize)>,
    pub switches: Vec<SwitchTable>,
    /// The elements that loops have come to, of inner loops last.
    pub cursors: Vec<Cursor>,
    labels: BTreeMap<LabelId, LabelPlace>,
    gotos: Vec<Goto>,
}

/// A block whose statements are being translated.
#[derive(Clone)]
pub(super) struct BlockScope {
    number: usize,
    /// Pointers, which are forgotten at its end.
    pub pointers: Vec<VarId>,
    /// Pointers to variables on the stack, which die at its end.
    pub objects: Vec<VarId>,
}

/// The cases of a switch.
pub(super) struct SwitchTable {
    /// First and last value.
    pub cases: Vec<(i128, i128, NodeId, Span)>,
    pub default: Option<NodeId>,
    /// Blocks around it.
    pub depth: usize,
}

struct LabelPlace {
    node: NodeId,
    /// The blocks around it, with the objects that they have at that point; known when the label has been met.
    blocks: Option<Vec<(usize, usize)>>,
}

struct Goto {
    at: NodeId,
    label: LabelId,
    blocks: Vec<BlockScope>,
    span: Span,
}

impl Body<'_> {
    pub fn new(procedure: ProcId, at: NodeId, names: Taken) -> Self {
        Body {
            procedure,
            function: None,
            at,
            names,
            variables: BTreeMap::new(),
            literals: BTreeSet::new(),
            bindings: BTreeMap::new(),
            result: None,
            in_use: Vec::new(),
            free: Vec::new(),
            hidden: BTreeSet::new(),
            temporaries: 0,
            blocks: Vec::new(),
            block_count: 0,
            breaks: Vec::new(),
            continues: Vec::new(),
            switches: Vec::new(),
            cursors: Vec::new(),
            labels: BTreeMap::new(),
            gotos: Vec::new(),
        }
    }
}

impl Builder for Translator<'_> {
    fn writing(&mut self) -> (&mut ir::Program, ProcId, &mut NodeId) {
        (&mut self.ir, self.body.procedure, &mut self.body.at)
    }
}

impl Translator<'_> {
    /// There is no way to express this. The code after it is not reached.
    pub(super) fn unsupported(&mut self, text: impl Into<String>, span: Span) -> Value {
        self.end(Statement::Unsupported { text: text.into() }, span);
        Value::Nothing
    }

    /// Goes on only if the condition holds; the node where it does not is returned.
    pub(super) fn unless(&mut self, condition: Condition, span: Span) -> NodeId {
        let (yes, no) = (self.node(), self.node());
        self.fork(condition, yes, no, span);
        self.body.at = yes;
        no
    }

    /// A temporary variable, until the end of the full expression.
    pub(super) fn temporary(&mut self, ty: ir::Type, span: Span) -> VarId {
        let free = self.body.free.iter();
        let known = free.clone().position(|free| self.ir[*free].ty == ty && !self.body.hidden.contains(free));
        self.use_temporary(known, ty, span)
    }

    /// A temporary variable for bits or a block, which only runs know. It has no other use, so that nothing that
    /// analyses find out about numbers has to do with it.
    pub(super) fn hidden(&mut self, span: Span) -> VarId {
        let known = self.body.free.iter().position(|free| self.body.hidden.contains(free));
        let variable = self.use_temporary(known, ir::Type::Scalar(U64), span);
        self.body.hidden.insert(variable);
        variable
    }

    fn use_temporary(&mut self, known: Option<usize>, ty: ir::Type, span: Span) -> VarId {
        let variable = match known {
            Some(position) => self.body.free.remove(position),
            None => {
                self.body.temporaries += 1;
                let name = format!("${}", self.body.temporaries);
                self.new_variable(&name, ty, Scope::Local(self.body.procedure), span)
            }
        };
        self.body.in_use.push(variable);
        variable
    }

    /// These variables are temporary, too.
    pub(super) fn adopt(&mut self, variables: Vec<VarId>) {
        self.body.in_use.extend(variables);
    }

    /// The variable that was offered for a result, or a temporary one.
    pub(super) fn target(&mut self, hint: Option<VarId>, ty: ir::Type, span: Span) -> VarId {
        match hint {
            Some(hint) if self.ir[hint].ty == ty => hint,
            _ => self.temporary(ty, span),
        }
    }

    /// Temporary variables from now on belong to an inner expression.
    pub(super) fn mark(&self) -> usize {
        self.body.in_use.len()
    }

    /// The end of a full expression: forgets temporary pointers, so that they do not hide leaks.
    pub(super) fn release(&mut self, mark: usize, span: Span) {
        self.forget_temporaries(mark, span);
        let released = self.body.in_use.split_off(mark);
        self.body.free.extend(released);
        self.body.free.sort();
    }

    pub(super) fn forget_temporaries(&mut self, mark: usize, span: Span) {
        let pointers: Vec<VarId> = self.body.in_use[mark..].to_vec();
        self.forget(&pointers, span);
    }

    /// Pointers among the variables lose their values.
    pub(super) fn forget(&mut self, variables: &[VarId], span: Span) {
        for variable in
            variables.iter().filter(|variable| self.ir[**variable].ty.is_pointer()).copied().collect::<Vec<_>>()
        {
            self.set(variable, Operand::Uninitialised, span);
        }
    }

    pub(super) fn open_block(&mut self) {
        self.body.block_count += 1;
        let number = self.body.block_count;
        self.body.blocks.push(BlockScope { number, pointers: Vec::new(), objects: Vec::new() });
    }

    pub(super) fn close_block(&mut self, span: Span) {
        let depth = self.body.blocks.len() - 1;
        self.leave_blocks(depth, span);
        self.body.blocks.pop();
    }

    /// The end of the lives of the variables declared in the innermost blocks, down to a depth.
    pub(super) fn leave_blocks(&mut self, depth: usize, span: Span) {
        for block in self.body.blocks[depth..].to_vec().iter().rev() {
            self.leave_block(block, span);
        }
    }

    fn leave_block(&mut self, block: &BlockScope, span: Span) {
        for object in &block.objects {
            let mark = self.mark();
            self.end_elements(*object, span);
            self.release(mark, span);
            self.emit(Statement::EndLife { object: *object }, span);
        }
        self.forget(&block.pointers, span);
        self.forget(&block.objects, span);
    }

    fn label(&mut self, label: LabelId) -> NodeId {
        if let Some(place) = self.body.labels.get(&label) {
            return place.node;
        }
        let node = self.node();
        self.body.labels.insert(label, LabelPlace { node, blocks: None });
        node
    }

    /// A label is met.
    pub(super) fn place_label(&mut self, label: LabelId, span: Span) {
        let node = self.label(label);
        let blocks = self.body.blocks.iter().map(|block| (block.number, block.objects.len())).collect();
        if let Some(place) = self.body.labels.get_mut(&label) {
            place.blocks = Some(blocks);
        }
        let name = self.body.function.and_then(|function| function.labels.get(label.index())).map(|label| label.name);
        let name = name.map(|name| self.c.text(name).to_string());
        self.ir[self.body.procedure].nodes[node.index()].label = name;
        self.join(node, span);
    }

    pub(super) fn goto(&mut self, label: LabelId, span: Span) {
        let node = self.label(label);
        let backwards = self.body.labels.get(&label).is_some_and(|place| place.blocks.is_some());
        if backwards {
            self.mark_loop_head(node);
        }
        let blocks = self.body.blocks.clone();
        self.body.gotos.push(Goto { at: self.body.at, label, blocks, span });
        self.body.at = self.node();
    }

    /// Connects all jumps with their labels.
    pub(super) fn resolve_gotos(&mut self) {
        for Goto { at, label, blocks, span } in std::mem::take(&mut self.body.gotos) {
            self.body.at = at;
            let Some(LabelPlace { node, blocks: Some(target), .. }) = self.body.labels.get(&label) else {
                self.unsupported("a jump to a label that is nowhere", span);
                continue;
            };
            let (node, target) = (*node, target.clone());
            let common = blocks.iter().zip(&target).take_while(|(block, (number, _))| block.number == *number).count();
            let same = blocks.iter().zip(&target).take(common).all(|(block, (_, count))| block.objects.len() == *count);
            let enters = target[common..].iter().any(|(_, count)| *count > 0);
            if !same || enters {
                self.unsupported("a jump past the declaration of a variable whose address is taken", span);
                continue;
            }
            blocks[common..].iter().rev().for_each(|block| self.leave_block(block, span));
            self.jump(node, span);
        }
    }
}
