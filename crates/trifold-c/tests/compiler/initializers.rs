//! Initializers: nested lists, designators in any order, parts that are named twice.

use crate::{Piece, Random, compare, seeds};
use trifold_examples::tools::c_compiler;

const PIECES: usize = 400;

const PREAMBLE: &str = "struct in { int x, y; }; struct mid { int p; struct in q[2]; };
    struct out { int a; int b[3]; struct in c; struct mid d; struct { int u, v; }; };\n";

const LEAVES: [&str; 13] =
    ["a", "b[0]", "b[1]", "b[2]", "c.x", "c.y", "d.p", "d.q[0].x", "d.q[0].y", "d.q[1].x", "d.q[1].y", "u", "v"];

/// The shape of a part: its name in a designator, and its own parts.
enum Shape {
    Number,
    Array(u64, &'static Shape),
    Struct(&'static [(&'static str, Shape)]),
}

const IN: Shape = Shape::Struct(&[("x", Shape::Number), ("y", Shape::Number)]);
const MID: Shape = Shape::Struct(&[("p", Shape::Number), ("q", Shape::Array(2, &IN))]);
const OUT: Shape = Shape::Struct(&[
    ("a", Shape::Number),
    ("b", Shape::Array(3, &Shape::Number)),
    ("c", IN),
    ("d", MID),
    ("u", Shape::Number),
    ("v", Shape::Number),
]);

/// A designator into a shape, and the shape of the part.
fn designator(random: &mut Random, shape: &Shape, depth: u32) -> Option<(String, &'static Shape)> {
    let (step, part): (String, &'static Shape) = match shape {
        Shape::Number => return None,
        Shape::Array(length, element) => match random.below(4) {
            0 => {
                let first = random.below(*length);
                (format!("[{first} ... {}]", first + random.below(length - first)), *element)
            }
            _ => (format!("[{}]", random.below(*length)), *element),
        },
        Shape::Struct(members) => {
            let (name, part) = &members[random.below(members.len() as u64) as usize];
            (format!(".{name}"), part)
        }
    };
    match (depth > 0 && random.below(2) == 0).then(|| designator(random, part, depth - 1)).flatten() {
        Some((rest, inner)) => Some((format!("{step}{rest}"), inner)),
        None => Some((step, part)),
    }
}

/// A list in braces, or a number.
fn value(random: &mut Random, shape: &Shape, depth: u32) -> String {
    if matches!(shape, Shape::Number) || depth == 0 {
        return format!("{}", 1 + random.below(9));
    }
    let items = (0..random.below(5)).map(|_| match random.below(3) {
        0 => format!("{}", 1 + random.below(9)),
        _ => match designator(random, shape, 2) {
            // Without braces only the first number of a part is meant.
            Some((place, part)) => format!("{place} = {}", value(random, part, depth - 1)),
            None => "1".to_string(),
        },
    });
    format!("{{ {} }}", items.collect::<Vec<_>>().join(", "))
}

fn piece(random: &mut Random) -> Piece {
    let storage = random.one_of(&["", "static "]);
    let mut initial = value(random, &OUT, 3);
    if !initial.starts_with('{') {
        initial = format!("{{ {initial} }}");
    }
    let declarations = match random.below(4) {
        0 => format!("struct out *p = &(struct out){initial}; struct out s = *p;"),
        _ => format!("{storage}struct out s = {initial};"),
    };
    let leaves: String = LEAVES.iter().map(|leaf| format!("r = r * 31 + s.{leaf}; ")).collect();
    Piece { declarations, statements: leaves }
}

#[test]
fn objects_are_initialized_as_compiled() {
    let Some(compiler) = c_compiler() else { return };
    for seed in seeds() {
        let mut random = Random::new(seed);
        let pieces: Vec<Piece> = (0..PIECES).map(|_| piece(&mut random)).collect();
        let compared = compare(compiler, PREAMBLE, &pieces);
        assert!(compared * 10 > PIECES * 8, "only {compared}");
    }
}
