//! `trifold draw`.

use super::*;

const LISTS: &str = "examples/tvp/sll/sll.tvs";

#[test]
fn writes_what_the_name_says() {
    let scratch = Scratch::new();
    for (name, start) in [("a.svg", "<svg"), ("a.dot", "digraph"), ("a.gv", "digraph")] {
        let path = scratch.path(name);
        assert_eq!(trifold(["draw", LISTS, "--spec", REVERSE[1], "-o", &path]).expect(0).stdout, "");
        let drawing = std::fs::read_to_string(&path).unwrap();
        assert!(drawing.starts_with(start), "{name}: {drawing}");
        let refused = trifold(["draw", LISTS, "-o", &path]).expect(2);
        assert!(refused.stderr.contains("--force"), "{}", refused.stderr);
        trifold(["draw", LISTS, "-o", &path, "--force"]).expect(0);
    }
    for name in ["a.png", "a", "a.svg.txt"] {
        let path = scratch.path(name);
        let refused = trifold(["draw", LISTS, "-o", &path]).expect(2);
        assert!(refused.stderr.contains(".svg or .dot"), "{}", refused.stderr);
        assert!(!std::path::Path::new(&path).exists());
    }
}

#[test]
fn control_flow_graphs_of_programs() {
    for (file, text) in [
        (REVERSE[1], "y = NULL"),
        ("examples/c/sll/reverse.c", "reverse"),
        ("examples/java/list/ReverseIterative.java", "loop"),
    ] {
        let svg = trifold(["draw", file]).expect(0).stdout;
        assert!(svg.contains(text), "{file}: {svg}");
        roxmltree::Document::parse(&svg).expect("it is well formed");
        assert!(trifold(["draw", file, "--dot"]).expect(0).stdout.starts_with("digraph"));
    }
    assert!(trifold(["draw", "no.c"]).expect(2).stderr.contains("no.c"));
}

#[test]
fn prints_svg_unless_dot_is_asked_for() {
    assert!(trifold(["draw", LISTS]).expect(0).stdout.starts_with("<svg"));
    assert!(trifold(["draw", LISTS, "--dot"]).expect(0).stdout.starts_with("digraph"));
}

#[test]
fn rotate_turns_the_drawing() {
    let turns = |path: &str, more: &[&str]| {
        let drawn = |last: &[&str]| trifold([&["draw", path], more, last].concat()).expect(0).stdout;
        drawn(&[]) != drawn(&["--rotate"])
    };
    assert!(turns(LISTS, &["--dot"]));
    // A drawing in SVG chooses its direction: lists go from left to right anyway, trees do not.
    let scratch = Scratch::new();
    let tree = scratch.file("tree.tvs", "%n = {a, b, c} %p = { root = {a} left = {a->b} right = {a->c} }");
    assert!(turns(&tree, &[]));
}

#[test]
fn names_are_shown_when_asked_for() {
    let drawn = |more: &[&str]| trifold([&["draw", LISTS, "--dot"], more].concat()).expect(0).stdout;
    let named = |drawing: &str| drawing.lines().any(|line| line.contains("label=\"u0"));
    assert!(!named(&drawn(&[])));
    assert!(named(&drawn(&["--significant-names"])));
}

#[test]
fn every_example_is_drawn() {
    for path in support::files("examples/tvp", "tvs") {
        let svg = trifold(["draw", &path]).expect(0).stdout;
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{path}");
    }
}

#[test]
fn wrong_structures_are_refused() {
    let scratch = Scratch::new();
    let unknown = scratch.file("unknown.tvs", "%n = {u} %p = { zzz = {u} }");
    let run = trifold(["draw", &unknown, "--spec", REVERSE[1]]).expect(2);
    assert!(run.stderr.contains("zzz") && run.stderr.contains("unknown.tvs:1"), "{}", run.stderr);
    trifold(["draw", &unknown]).expect(0);
}
