//! The outline of a vertex: a rectangle with rounded corners, cut by a line. For example, an arrow ends where its line
//! meets the outline.

use super::graph::Size;

/// How far below (or above) its centre the outline lies, `along` to the side of it.
pub fn vertical_reach(size: Size, corner: f64, along: f64) -> f64 {
    reach(size.width / 2.0, size.height / 2.0, corner, along)
}

/// How far to the right (or left) of its centre the outline lies, `along` below it.
pub fn horizontal_reach(size: Size, corner: f64, along: f64) -> f64 {
    reach(size.height / 2.0, size.width / 2.0, corner, along)
}

/// With half extents `side` and `front`: the distance of the front, `along` away from its middle.
fn reach(side: f64, front: f64, corner: f64, along: f64) -> f64 {
    let corner = corner.min(side).min(front);
    let past_corner = (along.abs() - (side - corner)).clamp(0.0, corner);
    front - corner + (corner * corner - past_corner * past_corner).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_circle_is_cut_on_its_circumference() {
        let circle = Size { width: 10.0, height: 10.0 };
        assert_eq!(vertical_reach(circle, 5.0, 0.0), 5.0);
        assert_eq!(vertical_reach(circle, 5.0, 3.0), 4.0);
        assert_eq!(horizontal_reach(circle, 5.0, -4.0), 3.0);
    }

    #[test]
    fn sharp_corners_are_straight() {
        let rectangle = Size { width: 40.0, height: 20.0 };
        assert_eq!(vertical_reach(rectangle, 0.0, 19.0), 10.0);
        assert_eq!(horizontal_reach(rectangle, 0.0, 0.0), 20.0);
    }
}
