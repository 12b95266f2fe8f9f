//! Smooth curves through points that advance along the flow.
//!
//! The curve is the monotone cubic interpolation of Fritsch and Carlson (in Steffen's form): it is straight where the
//! points are, and never swings beyond them, so a line that is led around a vertex stays clear of it. For example,
//! through (0,0), (10,0) and (20,5) the curve is a straight line up to the second point.

/// A point of a route: along the flow, across the flow.
pub type FlowPoint = (f64, f64);

/// The control points between each two points, as cubic Bézier curves.
pub fn through(points: &[FlowPoint]) -> Vec<[FlowPoint; 3]> {
    let slopes = slopes(points);
    points
        .windows(2)
        .zip(slopes.windows(2))
        .map(|(ends, slope)| {
            let third = (ends[1].0 - ends[0].0) / 3.0;
            let leave = (ends[0].0 + third, ends[0].1 + third * slope[0]);
            let arrive = (ends[1].0 - third, ends[1].1 - third * slope[1]);
            [leave, arrive, ends[1]]
        })
        .collect()
}

/// The slope of the curve at every point.
fn slopes(points: &[FlowPoint]) -> Vec<f64> {
    let secants: Vec<f64> = points.windows(2).map(|ends| secant(ends[0], ends[1])).collect();
    if secants.len() < 2 {
        return vec![secants.first().copied().unwrap_or(0.0); points.len()];
    }
    let inner = |i: usize| {
        let (before, after) = (points[i].0 - points[i - 1].0, points[i + 1].0 - points[i].0);
        steffen(secants[i - 1], secants[i], before, after)
    };
    let last = points.len() - 1;
    let slope = |i: usize| match i {
        0 => end_slope(secants[0], inner(1)),
        i if i == last => end_slope(secants[last - 1], inner(last - 1)),
        i => inner(i),
    };
    (0..points.len()).map(slope).collect()
}

fn secant(from: FlowPoint, to: FlowPoint) -> f64 {
    let advance = to.0 - from.0;
    if advance > 0.0 { (to.1 - from.1) / advance } else { 0.0 }
}

fn steffen(left: f64, right: f64, before: f64, after: f64) -> f64 {
    if left * right <= 0.0 {
        return 0.0;
    }
    let average = (left * after + right * before) / (before + after);
    left.signum() * average.abs().min(2.0 * left.abs()).min(2.0 * right.abs())
}

fn end_slope(secant: f64, inner: f64) -> f64 {
    let slope = (3.0 * secant - inner) / 2.0;
    if slope * secant <= 0.0 { 0.0 } else { secant.signum() * slope.abs().min(3.0 * secant.abs()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_on_a_line_give_a_line() {
        for [leave, arrive, end] in through(&[(0.0, 0.0), (3.0, 6.0), (9.0, 18.0)]) {
            for (flow, cross) in [leave, arrive, end] {
                assert!((cross - 2.0 * flow).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn a_flat_stretch_stays_flat() {
        let curves = through(&[(0.0, 0.0), (10.0, 5.0), (20.0, 5.0), (30.0, 0.0)]);
        assert_eq!(curves[1].map(|(_, cross)| cross), [5.0, 5.0, 5.0]);
    }
}
