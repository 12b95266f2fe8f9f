//! Tests of precedence and of recovery, through whole programs.

use crate::files::MemoryFiles;
use crate::load::load;
use crate::options::Options;
use trifold_source::Failure;
use trifold_tvl::{ActionId, Label, LocationId, Specification};

const DECLARATIONS: &str = "%p a() %p b() %p c() %p x(v) %p y(v) %p n(v1, v2)";

fn load_text(text: &str) -> Result<Specification, Box<Failure>> {
    let files = MemoryFiles::default().with("main.tvp", text);
    load("main.tvp", &files, &Options::default()).map(|loaded| loaded.specification)
}

/// The formula as it was understood.
fn read(formula: &str) -> String {
    let text = format!("{DECLARATIONS} %i q(v, w) = {formula} %% %action S() {{}} %% l S() m");
    let specification = load_text(&text).unwrap_or_else(|failure| panic!("{}", failure.render(false)));
    let q = specification.vocabulary.lookup("q").unwrap();
    let definition = specification.vocabulary[q].definition.clone().unwrap();
    definition.formula.show(&specification.vocabulary).to_string()
}

#[test]
fn operators_bind_as_documented() {
    assert_eq!(read("a() | b() & c()"), "a() | b() & c()");
    assert_eq!(read("!a() & b()"), "!a() & b()");
    // Implication leans to the left and binds weaker than disjunction.
    assert_eq!(read("a() -> b() -> c()"), read("(a() -> b()) -> c()"));
    assert_eq!(read("a() | b() -> c()"), read("(a() | b()) -> c()"));
    assert_eq!(read("a() <-> b() -> c()"), read("a() <-> (b() -> c())"));
    assert_eq!(read("a() <-> b() <-> c()"), read("(a() <-> b()) <-> c()"));
}

#[test]
fn quantifiers_extend_to_the_right() {
    assert_eq!(read("a() & E(u) x(u) | b()"), read("a() & (E(u) (x(u) | b()))"));
    assert_eq!(read("!E(u) x(u) | b()"), read("!(E(u) (x(u) | b()))"));
    assert_eq!(read("A(u, t) n(u, t) -> a()"), read("A(u, t) (n(u, t) -> a())"));
    assert_eq!(read("TC(v, w)(s, t) n(s, t) & x(s)"), read("TC(v, w)(s, t) (n(s, t) & x(s))"));
}

#[test]
fn abbreviations_have_their_meaning() {
    assert_eq!(read("n*(v, w)"), "n*(v,w)");
    assert_eq!(read("v == w | n+(v, w)"), "n*(v,w)");
    assert_eq!(read("TC(v, w)(s, t) n(s, t)"), "n+(v,w)");
    assert_eq!(read("TC(v, w)(s, t) n(t, s)"), "TC(v,w)(s,t) n(t,s)");
    assert_eq!(read("(a() ? x(v) : 1 / 2)"), "(a() ? x(v) : 1/2)");
    assert_eq!(read("v != w & 1"), "v != w");
    assert_eq!(read("|/{ z(v) : z in {x, y} } & &/{ z(w) : z in {} }"), "x(v) | y(v)");
    assert_eq!(read("a()||/{ z(v) : z in {x, y} }&&/{z(w):z in{x,y}}"), "a() | (x(v) | y(v)) & x(w) & y(w)");
}

#[test]
fn variables_may_be_bound_more_than_once() {
    assert_eq!(read("x(v) & E(v) y(v)"), "x(v) & E(v'1) y(v'1)");
    assert_eq!(read("E(u) x(u) & E(u) y(u)"), "E(u) x(u) & E(u'1) y(u'1)");
    assert_eq!(read("(E(u) x(u)) & E(u) y(u)"), "(E(u) x(u)) & E(u) y(u)");
}

#[test]
fn a_rule_binds_no_variable_of_its_head() {
    let text = format!("{DECLARATIONS} %r (E(v) x(v)) & y(w) ==> n(v, w) %% %action S() {{}} %% l S() m");
    let specification = load_text(&text).unwrap_or_else(|failure| panic!("{}", failure.render(false)));
    let body = specification.rules[0].body.show(&specification.vocabulary).to_string();
    assert_eq!(body, "(E(v'1) x(v'1)) & y(w)");
}

#[test]
fn names_are_substituted_inside_brackets() {
    let text = "%s S {x, d[x]} %s T {x, y} + {z} - {y} & {x, z}
        foreach (z in S) { foreach (w in T) { %p p[z, w](v) %p z[w]() } }
        %p q[a[ b ,c]](v) %% %action S() {} %% l S() m";
    let specification = load_text(&text.replace("%p z[w]()", "")).unwrap_or_else(|f| panic!("{}", f.render(false)));
    let names: Vec<_> = specification.vocabulary.iter().skip(4).map(|(_, p)| p.name.to_string()).collect();
    assert_eq!(names, ["p[x,x]", "p[x,z]", "p[d[x],x]", "p[d[x],z]", "q[a[b,c]]"]);
    // The head of a parameterised name is not replaced, so this one is declared twice.
    assert!(load_text(text).is_err_and(|failure| failure.diagnostics[0].code == "redeclared"));
}

#[test]
fn substitution_of_arguments_happens_at_once() {
    let text = "%p x(v) %p y(v) %% %action Swap(x, y) { %t x + \"<->\" + y { x(v) = y(v) y(v) = x(v) } }
        %% l Swap(y, x) m";
    let specification = load_text(text).unwrap_or_else(|failure| panic!("{}", failure.render(false)));
    let action = &specification.actions[ActionId(0)];
    assert_eq!(action.title, "y<->x");
    let shown: Vec<_> =
        action.updates.iter().map(|u| (u.predicate.0, u.formula.show(&specification.vocabulary).to_string())).collect();
    assert_eq!(shown, [(5, "x(v)".to_string()), (4, "y(v)".to_string())]);
}

#[test]
fn messages_may_follow_implications() {
    let text = "%p a() %p b() %p x(v) %p r[x]() %% %action S(z) {
        %message a() -> b() -> \"one\"
        %message E(v) z(v) -> z + \" two\"
        %message a() -> r[z]() -> r[z] + \" three\"
        %message (E(v) x(v) -> a()) -> z
        } %% l S(x) m";
    let specification = load_text(text).unwrap_or_else(|failure| panic!("{}", failure.render(false)));
    let shown: Vec<_> = specification.actions[ActionId(0)]
        .messages
        .iter()
        .map(|m| format!("{} -> {}", m.condition.show(&specification.vocabulary), m.text))
        .collect();
    assert_eq!(
        shown,
        ["!a() | b() -> one", "E(v) x(v) -> x two", "!a() | r[x]() -> r[x] three", "E(v) !x(v) | a() -> x"]
    );
}

#[test]
fn sets_may_be_arguments_and_actions_are_shared() {
    let text = "%s S {x, y} %s T {y} %p x(v) %p y(v) %% %action Clear(All) { { foreach (z in All) { z(v) = 0 } } }
        %% l Clear(S) m m Clear(T) \"the end\" m Clear( S ) l %% m, \"the end\"";
    let specification = load_text(text).unwrap_or_else(|failure| panic!("{}", failure.render(false)));
    assert_eq!(specification.actions.iter().map(|a| a.updates.len()).collect::<Vec<_>>(), [2, 1]);
    assert_eq!(specification.cfg.locations.as_slice(), ["l", "m", "the end"]);
    let labels = specification.cfg.edges.iter().map(|e| e.label);
    assert_eq!(labels.collect::<Vec<_>>(), [0, 1, 0].map(|action| Label::Action(ActionId(action))));
    assert_eq!(specification.cfg.printed, Some([1, 2].map(LocationId).to_vec()));
    assert_eq!(specification.actions[ActionId(0)].title, "Clear(S)");
}

#[test]
fn declarations_may_concern_all_actions() {
    let text = "%p x(v) %f { x(v) } %message E(v) x(v) -> \"x\" %% %action S() { %f { E(v) x(v) } } %% l S() m";
    let specification = load_text(text).unwrap_or_else(|failure| panic!("{}", failure.render(false)));
    let action = &specification.actions[ActionId(0)];
    assert_eq!((action.focus.len(), action.messages.len()), (2, 1));
}
