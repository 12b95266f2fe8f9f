//! Boxes attached to the node they point to: a row above it, or a column to the left of it.
//!
//! For example, `y` that points into the middle of a list stands above its node.

use super::{Arrow, Scene, pointer_arrow, sizes};
use crate::layout::{Curve, Direction, Margin, Point, Rect, Route, Size, horizontal_reach, vertical_reach};
use crate::picture::Picture;

/// Length of the arrow.
const ARROW: f64 = 20.0;
/// Space between attached boxes.
const GAP: f64 = 6.0;
/// Arrows end within this part of a node's side.
const SPREAD: f64 = 0.3;

/// The room attached boxes need around a node.
pub(crate) fn margin(picture: &Picture, node: Size, attached: &[usize], direction: Direction) -> Margin {
    if attached.is_empty() {
        return Margin::default();
    }
    let boxes = extent(picture, attached, direction);
    if direction == Direction::Down {
        let side = ((boxes.height - node.height) / 2.0).max(0.0);
        Margin { left: boxes.width + ARROW, top: side, bottom: side, right: 0.0 }
    } else {
        let side = ((boxes.width - node.width) / 2.0).max(0.0);
        Margin { top: boxes.height + ARROW, left: side, right: side, bottom: 0.0 }
    }
}

/// Puts the boxes beside the node, with their arrows.
pub(crate) fn place(scene: &mut Scene, picture: &Picture, node: usize, attached: &[usize], direction: Direction) {
    let target = scene.nodes[node];
    let all = extent(picture, attached, direction);
    let mut offset = if direction == Direction::Down { -all.height / 2.0 } else { -all.width / 2.0 };
    for &pointer in attached {
        let size = sizes::box_vertex(&picture.boxes[pointer].name).size;
        let (center, route) = if direction == Direction::Down {
            let center =
                target.center.shifted(-target.size.width / 2.0 - ARROW - size.width / 2.0, offset + size.height / 2.0);
            offset += size.height + GAP;
            (center, sideways(center, size, target))
        } else {
            let center =
                target.center.shifted(offset + size.width / 2.0, -target.size.height / 2.0 - ARROW - size.height / 2.0);
            offset += size.width + GAP;
            (center, downwards(center, size, target))
        };
        scene.boxes[pointer] = Rect { center, size };
        let definite = picture.boxes[pointer].targets.iter().any(|&(to, definite)| to == node && definite);
        scene.arrows.push(Arrow { route, ..pointer_arrow(picture, pointer, node, definite) });
    }
}

/// The room of all attached boxes together.
fn extent(picture: &Picture, attached: &[usize], direction: Direction) -> Size {
    let sizes = attached.iter().map(|&pointer| sizes::box_vertex(&picture.boxes[pointer].name).size);
    let gaps = GAP * attached.len().saturating_sub(1) as f64;
    sizes.fold(first(direction, gaps), |all, size| match direction {
        Direction::Down => Size { width: all.width.max(size.width), height: all.height + size.height },
        _ => Size { width: all.width + size.width, height: all.height.max(size.height) },
    })
}

fn first(direction: Direction, gaps: f64) -> Size {
    match direction {
        Direction::Down => Size { width: 0.0, height: gaps },
        _ => Size { width: gaps, height: 0.0 },
    }
}

/// From the bottom of a box to the top of the node.
fn downwards(center: Point, size: Size, node: Rect) -> Route {
    let limit = node.size.width * SPREAD;
    let aside = (center.x - node.center.x).clamp(-limit, limit);
    let reach = vertical_reach(node.size, sizes::corner(node.size), aside);
    straight(center.shifted(0.0, size.height / 2.0), node.center.shifted(aside, -reach))
}

/// From the right of a box to the left of the node.
fn sideways(center: Point, size: Size, node: Rect) -> Route {
    let limit = node.size.height * SPREAD;
    let aside = (center.y - node.center.y).clamp(-limit, limit);
    let reach = horizontal_reach(node.size, sizes::corner(node.size), aside);
    straight(center.shifted(size.width / 2.0, 0.0), node.center.shifted(-reach, aside))
}

fn straight(start: Point, end: Point) -> Route {
    let between = |part: f64| Point { x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part };
    let curve = Curve { leave: between(1.0 / 3.0), arrive: between(2.0 / 3.0), end };
    Route { start, curves: vec![curve], label: None }
}
