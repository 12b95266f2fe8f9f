//! The shapes of a drawing as paths.

use roxmltree::Node;
use tiny_skia::{Path, PathBuilder, Transform};

/// The control points of a quarter of a circle are this far from its ends, by its radius.
const QUARTER: f32 = 0.5523;

/// What an element draws by itself.
pub fn path(element: Node) -> Option<Path> {
    let values = |names: [&'static str; 5]| names.map(|name| number(element, name));
    match element.tag_name().name() {
        "rect" => rectangle(values(["x", "y", "width", "height", "rx"])),
        "circle" => {
            let [x, y, radius, ..] = values(["cx", "cy", "r", "", ""]);
            PathBuilder::from_circle(x, y, radius)
        }
        "polygon" => lines(&format!("M{}Z", element.attribute("points")?)),
        "path" => lines(element.attribute("d")?),
        _ => None,
    }
}

/// The number that an attribute holds; zero if there is none.
pub fn number(element: Node, attribute: &str) -> f32 {
    element.attribute(attribute).and_then(|value| value.parse().ok()).unwrap_or(0.0)
}

/// By how much `translate(x y)` moves.
pub fn shift(element: Node) -> Transform {
    let inside = element.attribute("transform").and_then(|text| text.strip_prefix("translate(")?.strip_suffix(')'));
    match numbers(inside.unwrap_or_default())[..] {
        [x, y] => Transform::from_translate(x, y),
        _ => Transform::identity(),
    }
}

/// The numbers of a text, with spaces and commas between them.
fn numbers(text: &str) -> Vec<f32> {
    text.split([' ', ',']).filter_map(|word| word.parse().ok()).collect()
}

/// The lines of a path: `M`, `L` and `C`, each followed by points, and `Z`.
fn lines(text: &str) -> Option<Path> {
    let mut builder = PathBuilder::new();
    let mut rest = text;
    while let Some(command) = rest.chars().next() {
        let end = rest[1..].find(|c: char| c.is_ascii_alphabetic()).map_or(rest.len(), |end| end + 1);
        let numbers = numbers(&rest[1..end]);
        match command {
            // Points that come after the first one are connected with it.
            'M' | 'L' => numbers.chunks_exact(2).enumerate().for_each(|(index, point)| match (command, index) {
                ('M', 0) => builder.move_to(point[0], point[1]),
                _ => builder.line_to(point[0], point[1]),
            }),
            'C' => numbers.chunks_exact(6).for_each(|p| builder.cubic_to(p[0], p[1], p[2], p[3], p[4], p[5])),
            _ => builder.close(),
        }
        rest = &rest[end..];
    }
    builder.finish()
}

/// A rectangle with round corners.
fn rectangle([left, top, width, height, radius]: [f32; 5]) -> Option<Path> {
    let (right, bottom) = (left + width, top + height);
    let mut builder = PathBuilder::new();
    builder.move_to(left + radius, top);
    // Each corner, and the directions in which its curve arrives and leaves.
    for (x, y, (from_x, from_y), (to_x, to_y)) in [
        (right, top, (1.0, 0.0), (0.0, 1.0)),
        (right, bottom, (0.0, 1.0), (-1.0, 0.0)),
        (left, bottom, (-1.0, 0.0), (0.0, -1.0)),
        (left, top, (0.0, -1.0), (1.0, 0.0)),
    ] {
        let before = |far: f32| (x - from_x * far * radius, y - from_y * far * radius);
        let after = |far: f32| (x + to_x * far * radius, y + to_y * far * radius);
        let (start, [leave, arrive]) = (before(1.0), [before(1.0 - QUARTER), after(1.0 - QUARTER)]);
        builder.line_to(start.0, start.1);
        builder.cubic_to(leave.0, leave.1, arrive.0, arrive.1, after(1.0).0, after(1.0).1);
    }
    builder.close();
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_have_lines_and_curves() {
        let bounds = lines("M0,0L10,0 10,10ZM5,5C5,6 6,17 7,7").unwrap().bounds();
        assert_eq!((bounds.left(), bounds.top(), bounds.right()), (0.0, 0.0, 10.0));
        assert_eq!(lines("M1,1 2,2 3,0Z").unwrap().len(), lines("M1,1L2,2 3,0Z").unwrap().len());
        assert!(lines("").is_none());
    }

    #[test]
    fn rectangles_have_their_size() {
        let bounds = rectangle([1.0, 2.0, 10.0, 20.0, 4.0]).unwrap().bounds();
        assert_eq!((bounds.left(), bounds.top(), bounds.width(), bounds.height()), (1.0, 2.0, 10.0, 20.0));
    }
}
