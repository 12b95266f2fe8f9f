//! Arrows: a curve, a head at its end, perhaps one at its start, and a label.

use super::xml::{Xml, number, text_block};
use crate::layout::{Curve, Point, Route};
use crate::picture::Value;
use crate::scene::Arrow;

/// Length and half width of an arrow head.
const HEAD: (f64, f64) = (9.0, 3.6);

/// Draws an arrow.
pub(crate) fn draw_arrow(xml: &mut Xml, arrow: &Arrow) {
    let value = match arrow.value {
        Value::True => "",
        Value::Unknown => " unknown",
        Value::False => " false",
    };
    let origin = if arrow.pointer { " from-box" } else { "" };
    xml.open("g", &[("class", format!("edge{value}{origin}"))]);
    xml.text("title", &[], &arrow.hint);
    let mut route = arrow.route.clone();
    let mut heads = vec![cut_end(&mut route)];
    if arrow.both {
        let mut turned = route.reversed();
        heads.push(cut_end(&mut turned));
        route = turned.reversed();
    }
    xml.leaf("path", &[("class", "line".into()), ("d", path(&route))]);
    for head in heads {
        xml.leaf("path", &[("class", "head".into()), ("d", head)]);
    }
    if let Some(label) = arrow.route.label {
        text_block(xml, &arrow.label, label.center.x, label.center.y, |_, _| "label");
    }
    xml.close();
}

fn path(route: &Route) -> String {
    let mut path = format!("M{}", pair(route.start));
    if let Some(end) = straight_end(route) {
        return format!("{path}L{}", pair(end));
    }
    for Curve { leave, arrive, end } in &route.curves {
        path.push_str(&format!("C{} {} {}", pair(*leave), pair(*arrive), pair(*end)));
    }
    path
}

/// The end of a route that is a straight line along one of the axes.
fn straight_end(route: &Route) -> Option<Point> {
    let points = || route.curves.iter().flat_map(|curve| [curve.leave, curve.arrive, curve.end]);
    let level = points().all(|point| (point.y - route.start.y).abs() < 0.05);
    let upright = points().all(|point| (point.x - route.start.x).abs() < 0.05);
    if level || upright { points().last() } else { None }
}

fn pair(point: Point) -> String {
    format!("{},{}", number(point.x), number(point.y))
}

/// Shortens the route by the length of a head and returns the head.
fn cut_end(route: &mut Route) -> String {
    let start = route.start;
    let before = route.curves.iter().rev().nth(1).map_or(start, |curve| curve.end);
    let Some(last) = route.curves.last_mut() else { return String::new() };
    let tip = last.end;
    let (dx, dy) = heading(&[last.arrive, last.leave, before], tip);
    let back = tip.shifted(-dx * HEAD.0, -dy * HEAD.0);
    last.end = tip.shifted(-dx * (HEAD.0 - 1.5), -dy * (HEAD.0 - 1.5));
    if distance(last.arrive, tip) < 2.0 * HEAD.0 {
        last.arrive = last.arrive.shifted(-dx * HEAD.0, -dy * HEAD.0);
    }
    let (left, right) = (back.shifted(-dy * HEAD.1, dx * HEAD.1), back.shifted(dy * HEAD.1, -dx * HEAD.1));
    format!("M{}L{} {}Z", pair(tip), pair(left), pair(right))
}

/// The direction in which a curve arrives at its tip, as a vector of length one.
fn heading(controls: &[Point], tip: Point) -> (f64, f64) {
    for from in controls {
        let length = distance(*from, tip);
        if length > 0.1 {
            return ((tip.x - from.x) / length, (tip.y - from.y) / length);
        }
    }
    (1.0, 0.0)
}

fn distance(from: Point, to: Point) -> f64 {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    (dx * dx + dy * dy).sqrt()
}
