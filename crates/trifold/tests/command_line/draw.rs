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
    for name in ["a.jpg", "a", "a.svg.txt"] {
        let path = scratch.path(name);
        let refused = trifold(["draw", LISTS, "-o", &path]).expect(2);
        assert!(refused.stderr.contains(".svg, .png or .dot"), "{}", refused.stderr);
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

/// The width and the height of a PNG file, which must be one.
#[track_caller]
fn png_size(path: &str) -> (u32, u32) {
    let bytes = std::fs::read(path).expect("the drawing is written");
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n") && bytes.ends_with(b"IEND\xae\x42\x60\x82"), "{path}");
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[test]
fn png_of_structures_shapes_flows_and_summaries() {
    let scratch = Scratch::new();
    let append = "examples/c/sll/append_bug.c";
    let summaries = format!("--summaries={}", scratch.path("summaries.png"));
    for (name, arguments, status) in [
        ("structures.png", vec!["draw", LISTS, "-o"], 0),
        ("flow.png", vec!["draw", append, "-o"], 0),
        ("graphs.png", vec!["check", append, "-q", "--domain", "checkers", "--shapes"], 1),
        ("shapes.png", vec!["check", append, "-q", "--domain", "tvl", "--shapes"], 1),
        ("summaries.png", vec!["check", "examples/c/recursive/reverse.c", "-q", &summaries, "--html"], 0),
    ] {
        let target = if name == "summaries.png" { scratch.path("page.html") } else { scratch.path(name) };
        trifold(arguments.into_iter().chain([&target[..]])).expect(status);
        let (width, height) = png_size(&scratch.path(name));
        assert!((100..5000).contains(&width) && (100..9000).contains(&height), "{name}: {width} {height}");
    }
    // Pixels have no text, but the same drawing in SVG does.
    let svg = scratch.path("shapes.svg");
    trifold(["check", append, "-q", "--shapes", &svg]).expect(1);
    let svg = std::fs::read_to_string(svg).unwrap();
    assert!(
        svg.contains("append, line 24, loop: 1 of 2") && svg.contains("before null-dereference, in a run"),
        "{svg}"
    );
    let one = scratch.path("one.dot");
    trifold(["check", append, "-q", "--shapes", &one, "--at", "26"]).expect(1);
    assert!(std::fs::read_to_string(&one).unwrap().contains("append, line 26"));
    let refused = trifold(["check", append, "-q", "--shapes", &one, "--at", "26"]).expect(2);
    assert!(refused.stderr.contains("--force"), "{}", refused.stderr);
    let none = trifold(["check", append, "-q", "--shapes", &scratch.path("none.svg"), "--at", "1"]).expect(2);
    assert!(none.stderr.contains("no shapes"), "{}", none.stderr);
    trifold(["check", append, "--at", "26"]).expect(2);
}

#[test]
fn prints_svg_unless_dot_is_asked_for() {
    assert!(trifold(["draw", LISTS]).expect(0).stdout.starts_with("<svg"));
    assert!(trifold(["draw", LISTS, "--dot"]).expect(0).stdout.starts_with("digraph"));
    assert!(trifold(["draw", LISTS, "--png"]).expect(0).stdout.contains("PNG"));
    trifold(["draw", LISTS, "--png", "--dot"]).expect(2);
    let named = trifold(["draw", LISTS, "--png", "-o", "never.svg"]).expect(2);
    assert!(named.stderr.contains("--png does not go with never.svg"), "{}", named.stderr);
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
