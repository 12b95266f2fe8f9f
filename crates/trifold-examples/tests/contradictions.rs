//! A specification whose updates contradict its definitions is told so, with a store that shows it; and so is one whose
//! actions may close a cycle of a predicate that it declares to be acyclic.

use std::sync::Arc;
use trifold_structure::Layout;
use trifold_tvl::{ActionId, Analysis, Derive, Engine, EngineOptions, Limits, analyze};
use trifold_tvp::{MemoryFiles, Options, load, read_structures};

/// `x = NULL` with the given update of `r`, the elements that `x` reaches.
fn program(update_of_r: &str) -> String {
    format!(
        "%p x(v) unique
         %p n(v1, v2) function
         %i r(v) = E(w) (x(w) & n*(w, v))
         %%
         %action Set_Null() {{ {{ x(v) = 0 {update_of_r} }} }}
         %%
         start Set_Null() exit"
    )
}

const LIST: &str = "%n = {u0, u} %p = { sm = {u:1/2} x = {u0} n = {u0->u:1/2, u->u:1/2} r = {u0, u} }";

fn run(program: &str, order: &str, derive: Derive) -> (Engine, Analysis) {
    run_on(LIST, program, order, derive)
}

fn run_on(input: &str, program: &str, order: &str, derive: Derive) -> (Engine, Analysis) {
    let files = MemoryFiles::default().with("p.tvp", program).with("s.tvs", input);
    let options = Options::default();
    let loaded = load("p.tvp", &files, &options).unwrap_or_else(|failure| panic!("{}", failure.render(false)));
    let vocabulary = &loaded.specification.vocabulary;
    let layout = Arc::new(Layout::new(vocabulary));
    let input = read_structures("s.tvs", &files, &options, vocabulary, &layout).expect("a list");
    let inputs: Vec<_> = input.structures.into_iter().map(|named| named.structure.into()).collect();
    let options = EngineOptions { order: order.parse().unwrap(), derive, ..Default::default() };
    let engine = Engine::new(Arc::new(loaded.specification), options);
    let analysis = analyze(&engine, &inputs, &Default::default(), Limits::default(), &mut ());
    (engine, analysis)
}

#[test]
fn a_wrong_update_is_a_contradiction() {
    for order in ["fpucb", "fcpucb"] {
        let (engine, analysis) = run(&program("r(v) = r(v)"), order, Derive::Missing);
        let [contradiction] = &analysis.contradictions[..] else { panic!("{:?}", analysis.contradictions) };
        let vocabulary = &engine.specification().vocabulary;
        let rule = engine.laws().rules()[contradiction.infeasible.rule].show(vocabulary);
        assert_eq!(rule, "!(E(w) x(w) & n*(w,v)) ==> !r(v)");
        let r = vocabulary.lookup("r").unwrap();
        let [individual] = contradiction.infeasible.tuple[..] else { panic!("one individual is to blame") };
        assert_eq!(contradiction.after.unary(r, individual), trifold_logic::Kleene::True);
        assert!(analysis.unexplained.is_empty());
    }
}

#[test]
fn the_right_update_is_none() {
    // Given by hand, or derived from the definition.
    for update in ["r(v) = 0", ""] {
        let (_, analysis) = run(&program(update), "fpucb", Derive::Missing);
        assert!(analysis.contradictions.is_empty() && analysis.unexplained.is_empty());
    }
}

#[test]
fn what_is_marked_auto_is_derived_in_any_case() {
    let (_, kept) = run(&program(""), "fpucb", Derive::Marked);
    assert_eq!(kept.contradictions.len(), 1, "an update that is not derived leaves the old value");
    let (_, derived) = run(&program("r(v) = 1/2 auto"), "fpucb", Derive::Marked);
    assert!(derived.contradictions.is_empty() && derived.unexplained.is_empty());
}

/// `y->n = x` closes a cycle if `x` reaches `y`. The structure does not know; coerce would decide that it does not.
#[test]
fn a_cycle_of_what_is_declared_acyclic_is_reported() {
    let program = |relation: &str| {
        format!(
            "%p x(v) unique %p y(v) unique
             {relation}
             %%
             %action Link() {{ %t \"y->n = x\" {{ n(v1, v2) = n(v1, v2) | y(v1) & x(v2) }} }}
             %%
             start Link() exit"
        )
    };
    let plain = "%p n(v1, v2) function acyclic %i r(v) = E(w) (x(w) & n*(w, v))";
    let union = "%p n(v1, v2) function %i e(v1, v2) = n(v1, v2) | v1 != v1 acyclic %i r(v) = E(w) (x(w) & e*(w, v))";
    for relation in [plain, union] {
        let findings = |input: &str| {
            let (engine, analysis) = run_on(input, &program(relation), "fpucb", Derive::Missing);
            let text = |message: usize| engine.specification().actions[ActionId(0)].messages[message].text.clone();
            analysis.findings.iter().map(|finding| text(finding.message)).collect::<Vec<_>>()
        };
        let defined = if relation == union { "e = {a->b:1/2}" } else { "" };
        let unknown =
            format!("%n = {{a, b}} %p = {{ x = {{a}} y = {{b}} n = {{a->b:1/2}} {defined} r = {{a, b:1/2}} }}");
        let [cycle] = &findings(&unknown)[..] else { panic!("one message") };
        assert!(cycle.starts_with("Cycle: "), "{cycle}");
        assert!(findings("%n = {a, b} %p = { x = {a} y = {b} r = {a} }").is_empty());
    }
}
