//! The lines of shapes: points close enough to each other that a curve looks like one.
//!
//! For example, `M0,0L10,0` is a line of two points, and `M0,0C0,5 10,5 10,0` one of many points.

use super::number;
use crate::layout::Point;
use crate::svg::Tag;

/// A curve becomes so many straight pieces.
const PIECES: usize = 16;
/// The control points of a quarter of a circle are this far from its ends, by its radius.
const QUARTER: f64 = 0.5523;

/// A line, closed or not.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    pub points: Vec<Point>,
    pub closed: bool,
}

impl Line {
    /// Moved, and then in pixels.
    pub fn placed(&self, origin: Point, scale: f64) -> Line {
        let place = |p: &Point| Point { x: (p.x + origin.x) * scale, y: (p.y + origin.y) * scale };
        Line { points: self.points.iter().map(place).collect(), closed: self.closed }
    }

    /// The pieces that are drawn of it: all of it, or dashes and the gaps between them.
    pub fn dashed(&self, dashes: Option<(f64, f64)>) -> Vec<Vec<Point>> {
        let mut points = self.points.clone();
        points.extend(self.points.first().filter(|_| self.closed));
        let Some((on, off)) = dashes.filter(|(on, off)| on + off > 0.1) else { return vec![points] };
        let mut pieces: Vec<Vec<Point>> = vec![points.first().copied().into_iter().collect()];
        let (mut drawing, mut left) = (true, on);
        for ends in points.windows(2) {
            let (mut from, to) = (ends[0], ends[1]);
            loop {
                let length = (to.x - from.x).hypot(to.y - from.y);
                if length <= left {
                    left -= length;
                    pieces.last_mut().filter(|_| drawing).into_iter().for_each(|piece| piece.push(to));
                    break;
                }
                let part = left / length;
                from = Point { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
                match drawing {
                    true => pieces.last_mut().into_iter().for_each(|piece| piece.push(from)),
                    false => pieces.push(vec![from]),
                }
                drawing = !drawing;
                left = if drawing { on } else { off };
            }
        }
        pieces
    }

    fn curve(&mut self, leave: Point, arrive: Point, end: Point) {
        let start = self.points.last().copied().unwrap_or(end);
        for step in 1..=PIECES {
            let t = step as f64 / PIECES as f64;
            let weights = [(1.0 - t).powi(3), 3.0 * t * (1.0 - t).powi(2), 3.0 * t * t * (1.0 - t), t.powi(3)];
            let mix = |of: fn(Point) -> f64| {
                [start, leave, arrive, end].into_iter().zip(weights).map(|(p, weight)| of(p) * weight).sum()
            };
            self.points.push(Point { x: mix(|p| p.x), y: mix(|p| p.y) });
        }
    }
}

/// The numbers of a text, with any characters between them.
pub fn numbers(text: &str) -> Vec<f64> {
    text.split([' ', ',']).filter_map(|word| word.parse().ok()).collect()
}

fn points(text: &str) -> Vec<Point> {
    numbers(text).chunks_exact(2).map(|pair| Point { x: pair[0], y: pair[1] }).collect()
}

/// The lines of a path: `M`, `L` and `C` with points after them, and `Z`.
pub fn parse(path: &str) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let letters = path.match_indices(|c: char| c.is_ascii_alphabetic()).map(|(at, _)| at).collect::<Vec<_>>();
    let ends = letters.iter().skip(1).copied().chain([path.len()]);
    for (start, end) in letters.iter().zip(ends) {
        let points = points(&path[start + 1..end]);
        if &path[*start..*start + 1] == "M" {
            lines.push(Line { points, closed: false });
            continue;
        }
        let Some(line) = lines.last_mut() else { continue };
        match &path[*start..*start + 1] {
            "L" => line.points.extend(points),
            "C" => points.chunks_exact(3).for_each(|control| line.curve(control[0], control[1], control[2])),
            _ => line.closed = true,
        }
    }
    lines
}

/// The outline of a polygon.
pub fn polygon(corners: &str) -> Line {
    Line { points: points(corners), closed: true }
}

/// The outline of a rectangle with rounded corners.
pub fn rectangle(tag: &Tag) -> Line {
    let [x, y, width, height] = ["x", "y", "width", "height"].map(|name| number(tag, name));
    rounded(x, y, x + width, y + height, number(tag, "rx").min(width / 2.0).min(height / 2.0))
}

/// The outline of a disc.
pub fn disc(tag: &Tag) -> Line {
    let [x, y, radius] = ["cx", "cy", "r"].map(|name| number(tag, name));
    rounded(x - radius, y - radius, x + radius, y + radius, radius)
}

fn rounded(left: f64, top: f64, right: f64, bottom: f64, radius: f64) -> Line {
    let mut line = Line { points: vec![Point { x: left + radius, y: top }], closed: true };
    if radius == 0.0 {
        line.points.extend([(right, top), (right, bottom), (left, bottom)].map(|(x, y)| Point { x, y }));
        return line;
    }
    // Each corner, and the directions in which its curve arrives and leaves.
    for (x, y, from, to) in [
        (right, top, (1.0, 0.0), (0.0, 1.0)),
        (right, bottom, (0.0, 1.0), (-1.0, 0.0)),
        (left, bottom, (-1.0, 0.0), (0.0, -1.0)),
        (left, top, (0.0, -1.0), (1.0, 0.0)),
    ] {
        let corner = Point { x, y };
        let before = |far: f64| corner.shifted(-from.0 * radius * far, -from.1 * radius * far);
        let behind = |far: f64| corner.shifted(to.0 * radius * far, to.1 * radius * far);
        line.points.push(before(1.0));
        line.curve(before(1.0 - QUARTER), behind(1.0 - QUARTER), behind(1.0));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_have_lines_and_curves() {
        let lines = parse("M0,0L10,0 10,10ZM5,5C5,6 6,7 7,7");
        assert_eq!(lines.len(), 2);
        assert_eq!((lines[0].points.len(), lines[0].closed), (3, true));
        assert_eq!((lines[1].points.len(), lines[1].closed), (1 + PIECES, false));
        assert_eq!(lines[1].points.last(), Some(&Point { x: 7.0, y: 7.0 }));
    }

    #[test]
    fn dashes_and_gaps_take_turns() {
        let line = Line { points: vec![Point::default(), Point { x: 10.0, y: 0.0 }], closed: false };
        let starts: Vec<f64> = line.dashed(Some((1.0, 3.0))).iter().map(|piece| piece[0].x).collect();
        assert_eq!(starts, [0.0, 4.0, 8.0]);
        assert_eq!(line.dashed(None), [line.points]);
    }
}
