//! The promises of the writers: well-formed output, the same every time, for all names.

mod gallery;

use proptest::prelude::*;
use trifold_report::{
    Cfg, CfgEdge, Direction, DotOptions, Location, NullaryMark, Picture, PictureEdge, PictureNode, PointerBox,
    SheetOptions, Theme, Value, dot, sheet,
};

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![Just(Value::True), Just(Value::Unknown), Just(Value::False)]
}

/// Names with everything that could upset a writer.
fn name() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z]{1,3}(\\[n,[xy]\\])?(=1/2|=0)?", "[\\PC\\n\\t\"\\\\<>&'\u{0}\u{7f}]{0,12}"]
}

fn node() -> impl Strategy<Value = PictureNode> {
    let labels = proptest::collection::vec(name(), 0..9);
    (proptest::option::of(name()), labels, any::<bool>(), any::<bool>())
        .prop_map(|(name, labels, summary, maybe_active)| PictureNode { name, labels, summary, maybe_active })
}

/// Ends may name nodes that do not exist.
fn edge() -> impl Strategy<Value = PictureEdge> {
    (0..9usize, 0..9usize, name(), value(), any::<bool>())
        .prop_map(|(from, to, label, value, bidirectional)| PictureEdge { from, to, label, value, bidirectional })
}

fn picture() -> impl Strategy<Value = Picture> {
    let targets = proptest::collection::vec((0..9usize, any::<bool>()), 0..3);
    let boxes = (name(), targets).prop_map(|(name, targets)| PointerBox { name, targets });
    let marks = (name(), value()).prop_map(|(name, value)| NullaryMark { name, value });
    (
        proptest::option::of(name()),
        proptest::collection::vec(marks, 0..5),
        proptest::collection::vec(boxes, 0..5),
        proptest::collection::vec(node(), 0..8),
        proptest::collection::vec(edge(), 0..14),
        prop_oneof![Just(Direction::Auto), Just(Direction::Right), Just(Direction::Down)],
    )
        .prop_map(|(title, nullary, boxes, nodes, edges, direction)| Picture {
            title,
            nullary,
            boxes,
            nodes,
            edges,
            direction,
        })
}

fn cfg() -> impl Strategy<Value = Cfg> {
    let location = (name(), proptest::option::of(name()), any::<bool>(), proptest::option::of(name()))
        .prop_map(|(name, note, flagged, anchor)| Location { name, note, flagged, anchor });
    let edge = (0..9usize, 0..9usize, name()).prop_map(|(from, to, action)| CfgEdge { from, to, action });
    (proptest::collection::vec(location, 0..8), proptest::collection::vec(edge, 0..12))
        .prop_map(|(locations, edges)| Cfg { title: None, locations, edges })
}

/// Attributes with places and sizes. All other text may have come from users, whose names may be `inf`.
const PLACES: [&str; 13] =
    ["viewBox", "transform", "d", "points", "x", "y", "width", "height", "rx", "ry", "r", "cx", "cy"];

fn assert_well_formed(svg: &str) {
    let document = roxmltree::Document::parse(svg).unwrap_or_else(|error| panic!("{error}\n{svg}"));
    let root = document.root_element();
    assert!(root.has_tag_name(("http://www.w3.org/2000/svg", "svg")));
    assert!(root.attribute("viewBox").is_some() && root.attribute("aria-label").is_some());
    for place in root.descendants().flat_map(|node| node.attributes()).filter(|one| PLACES.contains(&one.name())) {
        let value = place.value();
        assert!(!value.contains("NaN") && !value.contains("inf"), "{}=\"{value}\"", place.name());
    }
}

/// Reads DOT as a sequence of strings and other text, and checks that braces balance outside strings.
fn assert_balanced(dot: &str) {
    let (mut depth, mut chars, mut quoted) = (0, dot.chars(), false);
    while let Some(c) = chars.next() {
        match c {
            '\\' if quoted => drop(chars.next()),
            '"' => quoted = !quoted,
            '\n' => assert!(!quoted, "a string runs over a line"),
            '{' if !quoted => depth += 1,
            '}' if !quoted => depth -= 1,
            _ => {}
        }
    }
    assert!(depth == 0 && !quoted);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn sheets_are_well_formed(pictures in proptest::collection::vec(picture(), 0..4), down in any::<bool>()) {
        let direction = if down { Direction::Down } else { Direction::Auto };
        let options = SheetOptions { direction, ..SheetOptions::default() };
        let svg = sheet(&pictures, &options);
        assert_well_formed(&svg);
        prop_assert_eq!(svg, sheet(&pictures, &options));
    }

    #[test]
    fn dot_strings_are_closed(pictures in proptest::collection::vec(picture(), 0..4), rotate in any::<bool>()) {
        assert_balanced(&dot::digraph(&pictures, &DotOptions { rotate }));
    }

    #[test]
    fn control_flow_graphs_are_well_formed(cfg in cfg()) {
        assert_well_formed(&cfg.to_svg(&SheetOptions::default()));
        assert_balanced(&cfg.to_dot(&DotOptions::default()));
    }

    #[test]
    fn merging_twice_changes_nothing_more(picture in picture()) {
        let once = picture.merged();
        prop_assert_eq!(once.clone().merged(), once);
    }
}

/// The drawing without its style sheet, which would only be noise in a snapshot.
fn bare(picture: Picture) -> String {
    sheet(&[picture], &SheetOptions { embed_style: false, ..SheetOptions::default() })
}

#[test]
fn names_that_look_like_numbers_are_names() {
    let titled = |name: &str| Picture { title: Some(name.to_string()), ..gallery::concrete_list() };
    assert_well_formed(&sheet(&[titled("inf "), titled("NaN")], &SheetOptions::default()));
}

#[test]
fn figure_3_is_a_straight_line() {
    insta::assert_snapshot!(bare(gallery::concrete_list()));
}

#[test]
fn figure_4_has_a_double_line_and_a_dotted_loop() {
    insta::assert_snapshot!(bare(gallery::abstract_list()));
}

#[test]
fn figure_12_has_an_edge_with_two_heads() {
    insta::assert_snapshot!(bare(gallery::rotated()));
}

#[test]
fn doubly_linked_lists_have_parallel_arrows() {
    insta::assert_snapshot!(bare(gallery::doubly_linked()));
}

#[test]
fn dot_of_figure_12() {
    insta::assert_snapshot!(dot::digraph(&[gallery::rotated()], &DotOptions { rotate: true }));
}

#[test]
fn dot_of_a_control_flow_graph() {
    insta::assert_snapshot!(gallery::reverse_cfg().to_dot(&DotOptions::default()));
}

#[test]
fn the_gallery_is_well_formed_in_every_theme() {
    for theme in [Theme::Auto, Theme::Light, Theme::Dark] {
        assert_well_formed(&sheet(&gallery::all(), &SheetOptions { theme, ..SheetOptions::default() }));
    }
    assert_well_formed(&gallery::reverse_cfg().to_svg(&SheetOptions::default()));
}
