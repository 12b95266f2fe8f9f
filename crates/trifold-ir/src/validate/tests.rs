//! Every rule is broken once.

use super::*;
use crate::ids::{FieldId, NodeId, ProcId, StructId, VarId};
use crate::operand::{Expr, Operand};
use crate::program::{Node, Scope, Type};
use crate::scalar::Scalar;
use crate::statement::{Condition, Region, Statement};
use crate::text::parse;

const HEADER: &str =
    "struct part { part *next; } struct node { node *next; embedded part part; i32 data; } global node *g; ";
const BODY: &str = "entry proc main() { node *x; part *p; void *v; i32 i; u8 c; bool b; BODY } \
    proc f(node *x, i32 i) -> node *r { r = x; } proc h() { }";

/// The errors of a program with this body, first the type errors that text can have.
fn errors(body: &str) -> Vec<String> {
    let text = format!("{HEADER}{}", BODY.replace("BODY", body));
    match parse("test", &text) {
        Ok(_) => Vec::new(),
        Err(failure) => failure.diagnostics.iter().map(|error| error.message.clone()).collect(),
    }
}

#[test]
fn types_must_agree() {
    let cases = [
        ("x = p;", "types do not agree"),
        ("x = i;", "types do not agree"),
        ("i = x;", "types do not agree"),
        ("i = c;", "types do not agree"),
        ("i = null;", "types do not agree"),
        ("x = new part;", "types do not agree"),
        ("p = x->next;", "types do not agree"),
        ("x->data = x;", "types do not agree"),
        ("x = owner(x, node::part);", "types do not agree"),
        ("p = owner(p, node::part);", "types do not agree"),
        ("x->part = p;", "the embedded field `part` is assigned"),
        ("x = owner(x, node::next);", "`next` is not embedded, it has no owner"),
        ("free(i);", "`i` is no pointer"),
        ("end i;", "`i` is no pointer"),
        ("x = nondet;", "only scalars are chosen"),
        ("c = nondet(0, 256);", "a range without values, or with some that are not of the type"),
        ("c = nondet(5, 4);", "a range without values, or with some that are not of the type"),
        ("i = i + c;", "the operands of `+` have different types"),
        ("b = b + b;", "arithmetic on a Boolean"),
        ("b = -b;", "arithmetic on a Boolean"),
        ("assume(i);", "a condition must be a Boolean"),
        ("assume(x == i);", "pointers are compared with pointers only"),
        ("i = 1 + x;", "the pointer `x` in an expression"),
        ("f(x);", "1 arguments for the 2 of `f`"),
        ("f(i, i);", "types do not agree"),
        ("i = f(x, i);", "types do not agree"),
        ("{f, h}();", "0 arguments for the 2 of `f`"),
        ("i = h();", "`h` has no result"),
        ("unknown k(uninit);", "an argument without a type"),
        ("i32 x;", "there are two variables of one scope called `x`"),
        ("i32 g;", "there are two variables of one scope called `g`"),
    ];
    for (body, expected) in cases {
        assert!(errors(body).iter().any(|error| error == expected), "{body}: {:?}", errors(body));
    }
}

#[test]
fn pointers_to_anything_convert_both_ways() {
    assert_eq!(errors("v = x; p = v; x = null; b = x; "), ["types do not agree"]);
    assert_eq!(errors("v = x; p = v; x = null; v = new part; assume(v == x); f(v, 1); v = f(v, 1); free(v);"), [""; 0]);
}

#[test]
fn declarations_must_make_sense() {
    let message = |text: &str| parse("test", text).map_err(|failure| failure.diagnostics[0].message.clone()).err();
    let itself = message("struct a { embedded b b; } struct b { embedded a a; }");
    assert_eq!(itself.as_deref(), Some("`a` is a part of itself"));
    let twice = message("struct a { i32 i; bool i; }");
    assert_eq!(twice.as_deref(), Some("there are two fields of a struct called `i`"));
    assert_eq!(message("struct a { } struct a { }").as_deref(), Some("there are two structs called `a`"));
    assert_eq!(message("proc f() { } proc f() { }").as_deref(), Some("there are two procedures called `f`"));
    assert_eq!(message("global i32 i; global i32 i;").as_deref(), Some("there are two globals called `i`"));
    assert_eq!(message("struct a { embedded a *a; }").as_deref(), Some("expected a name"));
}

/// Damages a valid program in one place.
fn damaged(damage: impl FnOnce(&mut Program)) -> Vec<String> {
    let text = format!("{HEADER}{}", BODY.replace("BODY", "x = g; p = x->part; if (b) { f(x, i); }"));
    let (mut program, _) = parse("test", &text).unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics));
    damage(&mut program);
    validate(&program).err().unwrap_or_default().into_iter().map(|error| error.message).collect()
}

/// Damages by another statement on the first edge.
fn with(statement: Statement) -> Vec<String> {
    damaged(|program| program.procedures[0].edges[0].statement = statement)
}

#[test]
fn numbers_must_lead_somewhere() {
    assert_eq!(damaged(|_| {}), [""; 0]);
    let set = |to, value| Statement::Set { to, value };
    let constant = |value, bits| Operand::Scalar(Expr::Constant(value, Scalar::Int { signed: true, bits }));
    let cases = [
        (damaged(|p| p.structs[0].fields[0] = FieldId(9)), "field 0 is another struct's"),
        (damaged(|p| p.fields[0].structure = StructId(9)), "`next` is no field of its struct"),
        (damaged(|p| p.fields[0].ty = Type::Pointer(Some(StructId(9)))), "the type points to no struct"),
        (damaged(|p| p.fields[2].ty = Type::Pointer(None)), "`part` is embedded, but no struct"),
        (damaged(|p| p.variables[0].ty = Type::Scalar(Scalar::Int { signed: true, bits: 0 })), "integers of 0 bits"),
        (damaged(|p| p.variables[1].scope = Scope::Local(ProcId(9))), "`x` is no variable of its procedure"),
        (damaged(|p| p.variables[1].scope = Scope::Global), "a variable of the procedure belongs elsewhere"),
        (damaged(|p| p.procedures[0].locals.push(VarId(99))), "a variable of the procedure belongs elsewhere"),
        (damaged(|p| p.procedures[0].result = Some(VarId(0))), "the result is no local variable"),
        (damaged(|p| p.entry = Some(ProcId(9))), "the entry is no procedure"),
        (damaged(|p| *p = Program { entry: Some(ProcId(0)), ..Program::default() }), "the entry is no procedure"),
        (damaged(|p| p.procedures[0].entry = NodeId(99)), "entry and exit are not two nodes of the procedure"),
        (
            damaged(|p| p.procedures[0].exit = p.procedures[0].entry),
            "entry and exit are not two nodes of the procedure",
        ),
        (damaged(|p| p.procedures[0].edges[0].to = NodeId(99)), "the edge has an end that is no node"),
        (damaged(|p| p.procedures[0].edges[0].to = p.procedures[0].exit), "the exit is reached without a return"),
        (damaged(|p| p.procedures[0].edges[0].from = p.procedures[0].exit), "the edge leaves the exit"),
        (damaged(|p| drop(p.procedures[0].edges.pop())), "nothing leads on from node 7"),
        (
            damaged(|p| p.procedures[0].edges[0].to = p.procedures[0].add_node(Node::default())),
            "nothing leads on from node 8",
        ),
        (with(Statement::Return), "a return that does not lead to the exit"),
        (with(set(VarId(99), Operand::Null)), "a variable of another procedure"),
        (with(set(VarId(8), Operand::Null)), "a variable of another procedure"),
        (with(Statement::Free { pointer: VarId(8) }), "a variable of another procedure"),
        (with(Statement::Load { to: VarId(1), object: VarId(1), field: FieldId(9) }), "there is no such field"),
        (
            with(Statement::Load { to: VarId(2), object: VarId(1), field: FieldId(0) }),
            "`x` does not point to a struct with `next`",
        ),
        (with(Statement::Call { to: None, targets: vec![ProcId(9)], arguments: Vec::new() }), "a call of no procedure"),
        (with(Statement::Call { to: None, targets: Vec::new(), arguments: Vec::new() }), "a call of no procedure"),
        (with(set(VarId(4), constant(1, 65))), "integers of 65 bits"),
        (with(set(VarId(4), constant(1 << 40, 32))), "1099511627776 is no value of its type"),
        (
            with(Statement::Assume(Condition::Pointers { left: constant(1, 0), right: Operand::Null, equal: true })),
            "integers of 0 bits",
        ),
        (
            with(Statement::Allocate {
                to: VarId(1),
                structure: StructId(9),
                region: Region::Heap,
                zeroed: false,
                may_fail: false,
            }),
            "there is no such struct",
        ),
    ];
    for (found, expected) in cases {
        assert!(found.iter().any(|error| error == expected), "{expected}: {found:?}");
    }
}
