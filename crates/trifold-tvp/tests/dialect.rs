//! The additions of newer dialects to TVP and TVS.

use std::sync::Arc;
use trifold_structure::Layout;
use trifold_tvl::{Action, ActionId, MessageKind, Moment, New};
use trifold_tvp::{Loaded, MemoryFiles, Options, load, print_specification, read_structures};

fn loaded(text: &str) -> Loaded {
    let files = MemoryFiles::default().with("p.tvp", text);
    load("p.tvp", &files, &Options::default()).unwrap_or_else(|failure| panic!("{}", failure.render(false)))
}

/// A program with these declarations and one action with these clauses, and the same printed and read again.
fn actions(declarations: &str, clauses: &str) -> [Action; 2] {
    let first = loaded(&format!("{declarations} %% %action Do() {{ {clauses} }} %% a Do() b"));
    let second = loaded(&print_specification(&first.specification));
    [first, second].map(|loaded| loaded.specification.actions[ActionId(0)].clone())
}

#[test]
fn auto_discards_the_formula() {
    for action in actions("%p x(v) %i some() = E(v) x(v)", "{ x(v) = 0 some() = 1/2 auto }") {
        assert_eq!(action.updates.len(), 1);
        assert_eq!(action.auto.len(), 1);
    }
    let [action, _] = actions("%p x(v) %i some() = E(v) x(v)", "{ some() = 1/2 auto some() = 0 }");
    assert_eq!((action.updates.len(), action.auto.len()), (1, 0));
}

#[test]
fn auto_needs_a_definition() {
    let files = MemoryFiles::default().with("p.tvp", "%p x(v) %% %action Do() { { x(v) = 0 auto } } %% a Do() b");
    let failure = load("p.tvp", &files, &Options::default()).unwrap_err();
    assert_eq!(failure.diagnostics[0].code, "auto-without-definition");
}

#[test]
fn clone_and_messages_after_the_update() {
    let clauses = r#"%message E(v) x(v) -> "early" %clone x(v) { x(v) = 0 } %message E(v) x(v) -> "1:late""#;
    for action in actions("%p x(v)", clauses) {
        assert!(matches!(action.new, Some(New::Clones { .. })));
        let shown: Vec<_> = action.messages.iter().map(|m| (m.moment, m.kind, m.text.as_str())).collect();
        assert_eq!(
            shown,
            [
                (Moment::BeforeUpdate, MessageKind::Alarm, "early"),
                (Moment::AfterUpdate, MessageKind::Property(true), "late")
            ]
        );
    }
}

/// The expression of a program with this declaration, printed and read again.
fn abstraction(declaration: &str) -> String {
    let predicates = "%s Variables {x, y} foreach (z in Variables) { %p z(v) } %p r[x](v) nonabs %p n(v, w) %p d(v, w)";
    let first = loaded(&format!("{predicates} {declaration} %p late(v) %% %action Do() {{ }} %% a Do() b"));
    let text = print_specification(&first.specification);
    assert_eq!(print_specification(&loaded(&text).specification), text);
    text.lines().filter_map(|line| line.strip_prefix("%abstraction ")).collect::<Vec<_>>().join("; ")
}

#[test]
fn abstraction_expressions_are_sets_of_predicates_with_operators() {
    assert_eq!(abstraction("%abstraction abs |> {n}"), "{x, y, late} |> {n}");
    assert_eq!(abstraction("%abstraction Variables + {r[x]}"), "{x, y, r[x]}");
    assert_eq!(abstraction("%abstraction {x} & {y} |> {n, d}"), "{x} & {y} |> {n, d}");
    assert_eq!(abstraction("%abstraction {x} & ({y} |> {n})"), "{x} & ({y} |> {n})");
    assert_eq!(abstraction("%abstraction {} |> {d} |> {n}"), "{} |> {d} |> {n}");
}

#[test]
fn locations_have_their_own_abstraction() {
    assert_eq!(abstraction("%abstraction {x} at a, b"), "{x} at a; {x} at b");
    assert_eq!(abstraction("%abstraction abs %abstraction {y} |> {d} at b"), "{x, y, late}; {y} |> {d} at b");
}

#[test]
fn predicates_without_declaration_exist_where_they_are_used() {
    let with = |formula: &str| {
        let program = loaded(&format!("%p x(v) %% %action Do() {{ %p {formula} }} %% a Do() b"));
        program.specification.vocabulary
    };
    assert!(with("E(v) x(v)").lookup("isthread").is_none());
    let vocabulary = with("E(v) (isthread(v) & runnable(v))");
    let flag = |name| vocabulary.lookup(name).map(|p| vocabulary[p].abstraction);
    assert_eq!((flag("isthread"), flag("runnable"), flag("ready")), (Some(true), Some(false), None));
}

const DECOMPOSED: &str = r#"
    %s S {a, b}
    %p x(v) [a, b]-->c
    %p n(v1, v2) acyclic
    %dname x(v) | n(v, v) "parts"
    foreach (z in S) { %dname x(v) z }
    %closecycle n -> x(v)
    %%
    %action Do(z) {
      %param y in S
      %t "do"
      %frame_pre x(v)
      %compose |/{ x(v) & n(v, w) : y in S }
      %frame x(v)
      %message [x(v)] (E(v) x(v)) -> "m"
      { x(v) = 0 }
      %decompose
    }
    %action Other() { %decompose x(v) }
    %%
    a Do(a) b
    b Other() c"#;

#[test]
fn clauses_of_decomposition_are_left_out_with_one_note() {
    let loaded = loaded(DECOMPOSED);
    let codes: Vec<&str> = loaded.warnings.iter().map(|warning| warning.code).collect();
    assert_eq!(codes, ["decomposition"]);
    let action = &loaded.specification.actions[ActionId(0)];
    assert_eq!((action.messages.len(), action.updates.len()), (1, 1));
}

#[test]
fn structures_of_threads_and_components() {
    let vocabulary = loaded("%p x(v) %p n(v1, v2) %% %action Do() {} %% a Do() b").specification.vocabulary;
    let text = r#"
        %d = {"parts"} %n = {u, w} %p = { x = {(u)} n = {(u, w):1/2, u->u} },
        %t = {u} %n = {u} %p = { isthread = {u} x = {u:1/2} }
        %location a = { %n = {} %p = {} , %d = {"q"} %n = {u} %p = {} }"#;
    let files = MemoryFiles::default().with("s.tvs", text);
    let layout = Arc::new(Layout::new(&vocabulary));
    let file = read_structures("s.tvs", &files, &Options::default(), &vocabulary, &layout)
        .unwrap_or_else(|failure| panic!("{}", failure.render(false)));
    let sizes: Vec<usize> = file.structures.iter().map(|named| named.structure.size()).collect();
    assert_eq!(sizes, [2, 1, 0, 1]);
    let codes: Vec<&str> = file.warnings.iter().map(|warning| warning.code).collect();
    assert_eq!(codes, ["decomposition", "unused-predicate"]);
}
