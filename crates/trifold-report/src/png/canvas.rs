//! Pixels that areas and lines are painted on, with soft edges.
//!
//! Every shape is first a *mask*: how much of each pixel it covers. Only then is its colour mixed in, so that the
//! pieces of a line, which overlap where they meet, are not painted twice. For example, a line that covers half of a
//! pixel gives it half of its colour.

use crate::layout::Point;

/// A colour: red, green, blue.
pub type Colour = [u8; 3];

/// Each row of pixels is looked at so often when an area is filled.
const SLICES: usize = 4;

/// A picture under construction.
pub struct Canvas {
    pub width: usize,
    pub height: usize,
    /// Row by row.
    pub pixels: Vec<Colour>,
}

impl Canvas {
    /// A white canvas.
    pub fn new(width: usize, height: usize) -> Canvas {
        let (width, height) = (width.max(1), height.max(1));
        Canvas { width, height, pixels: vec![[255; 3]; width * height] }
    }

    /// Fills an area that is bounded by these points, one after the other; an area that is surrounded twice is outside.
    pub fn fill(&mut self, outline: &[Point], colour: Colour) {
        let mut mask = Mask::around(outline, 1.0, self);
        for row in mask.top..mask.top + mask.height {
            for slice in 0..SLICES {
                let y = row as f64 + (slice as f64 + 0.5) / SLICES as f64;
                let mut crossings = crossings(outline, y);
                crossings.sort_by(f64::total_cmp);
                for pair in crossings.chunks_exact(2) {
                    mask.add_span(row, pair[0], pair[1], 1.0 / SLICES as f64);
                }
            }
        }
        self.paint(&mask, colour);
    }

    /// Draws lines of a width, with round ends. A line of one point is a dot.
    pub fn stroke(&mut self, lines: &[Vec<Point>], width: f64, colour: Colour) {
        let points: Vec<Point> = lines.iter().flatten().copied().collect();
        let mut mask = Mask::around(&points, width + 2.0, self);
        for line in lines {
            match line[..] {
                [point] => mask.add_segment(point, point, width / 2.0),
                _ => line.windows(2).for_each(|ends| mask.add_segment(ends[0], ends[1], width / 2.0)),
            }
        }
        self.paint(&mask, colour);
    }

    fn paint(&mut self, mask: &Mask, colour: Colour) {
        for row in 0..mask.height {
            let start = (mask.top + row) * self.width + mask.left;
            let pixels = &mut self.pixels[start..start + mask.width];
            for (pixel, cover) in pixels.iter_mut().zip(&mask.cover[row * mask.width..]) {
                for (old, new) in pixel.iter_mut().zip(colour) {
                    *old = (f64::from(*old) + (f64::from(new) - f64::from(*old)) * cover.min(1.0)).round() as u8;
                }
            }
        }
    }
}

/// How much of each pixel of a part of the canvas is covered, from 0 to 1.
struct Mask {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
    cover: Vec<f64>,
}

impl Mask {
    /// An empty mask that is as large as these points with some room around them.
    fn around(points: &[Point], room: f64, canvas: &Canvas) -> Mask {
        let range = |of: fn(&Point) -> f64, most: usize| {
            let low = points.iter().map(of).fold(f64::MAX, f64::min) - room;
            let high = points.iter().map(of).fold(f64::MIN, f64::max) + room;
            let low = (low.max(0.0) as usize).min(most);
            (low, (high.max(0.0).ceil() as usize).clamp(low, most) - low)
        };
        let ((left, width), (top, height)) = (range(|p| p.x, canvas.width), range(|p| p.y, canvas.height));
        Mask { left, top, width, height, cover: vec![0.0; width * height] }
    }

    /// Covers a part of a row.
    fn add_span(&mut self, row: usize, from: f64, to: f64, part: f64) {
        let start = (row - self.top) * self.width;
        let (from, to) = (from - self.left as f64, to - self.left as f64);
        for x in (from.max(0.0) as usize)..(to.max(0.0).ceil() as usize).min(self.width) {
            let inside = to.min(x as f64 + 1.0) - from.max(x as f64);
            self.cover[start + x] += inside.max(0.0) * part;
        }
    }

    /// Covers everything that is near a line.
    fn add_segment(&mut self, a: Point, b: Point, radius: f64) {
        let reach = radius + 1.0;
        let clip = |low: f64, high: f64, start: usize, length: usize| {
            let low = ((low - reach - start as f64).max(0.0) as usize).min(length);
            low..((high + reach - start as f64).max(0.0).ceil() as usize).clamp(low, length)
        };
        for row in clip(a.y.min(b.y), a.y.max(b.y), self.top, self.height) {
            for column in clip(a.x.min(b.x), a.x.max(b.x), self.left, self.width) {
                let centre = Point { x: (self.left + column) as f64 + 0.5, y: (self.top + row) as f64 + 0.5 };
                let cover = (radius + 0.5 - distance(centre, a, b)).clamp(0.0, 1.0);
                let known = &mut self.cover[row * self.width + column];
                *known = known.max(cover);
            }
        }
    }
}

/// Where a line at a height crosses the border of an area.
fn crossings(outline: &[Point], y: f64) -> Vec<f64> {
    let ends = outline.iter().zip(outline.iter().cycle().skip(1));
    let crossed = ends.filter(|(a, b)| (a.y <= y) != (b.y <= y));
    crossed.map(|(a, b)| a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x)).collect()
}

/// The distance of a point from a line between two others.
fn distance(p: Point, a: Point, b: Point) -> f64 {
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    let length = dx * dx + dy * dy;
    let along = if length > 0.0 { (((p.x - a.x) * dx + (p.y - a.y) * dy) / length).clamp(0.0, 1.0) } else { 0.0 };
    (p.x - a.x - along * dx).hypot(p.y - a.y - along * dy)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ink(canvas: &Canvas) -> f64 {
        canvas.pixels.iter().map(|pixel| 1.0 - f64::from(pixel[0]) / 255.0).sum()
    }

    #[test]
    fn shapes_cover_what_they_measure() {
        let mut canvas = Canvas::new(40, 40);
        let corners = [(5.5, 5.25), (25.5, 5.25), (25.5, 15.75), (5.5, 15.75)];
        canvas.fill(&corners.map(|(x, y)| Point { x, y }), [0; 3]);
        assert!((ink(&canvas) - 20.0 * 10.5).abs() < 1.0, "{}", ink(&canvas));
        let mut canvas = Canvas::new(40, 40);
        canvas.stroke(&[vec![Point { x: 20.0, y: 20.0 }]], 20.0, [0; 3]);
        assert!((ink(&canvas) - std::f64::consts::PI * 100.0).abs() < 4.0, "{}", ink(&canvas));
    }

    #[test]
    fn what_lies_outside_is_not_drawn() {
        let mut canvas = Canvas::new(4, 4);
        let far = [Point { x: -50.0, y: 90.0 }, Point { x: -40.0, y: 99.0 }, Point { x: 90.0, y: -9.0 }];
        canvas.stroke(&[far[..2].to_vec()], 2.0, [0; 3]);
        canvas.fill(&far[..2], [0; 3]);
        assert!(ink(&canvas) < 1e-9);
        canvas.fill(&[], [0; 3]);
        canvas.stroke(&[], 1.0, [0; 3]);
    }
}
