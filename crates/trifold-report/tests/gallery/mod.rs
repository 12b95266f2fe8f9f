//! The structures that pictures are judged by: lists, rings, trees and ambients.

use trifold_report::{Cfg, Picture, PictureNode, Value};

/// The list of four elements of [LevAmi00, Figure 3].
pub fn concrete_list() -> Picture {
    let mut picture = Picture::titled("S3: a list of four elements");
    let nodes: Vec<usize> = (0..4).map(|i| named(&mut picture, &format!("u{i}"), &["r[n,x]"], false)).collect();
    picture.point("x", nodes[0], true);
    nodes.windows(2).for_each(|pair| picture.link(pair[0], pair[1], "n", Value::True));
    picture
}

/// All lists of two or more elements [LevAmi00, Figure 4].
pub fn abstract_list() -> Picture {
    let mut picture = Picture::titled("S4: lists of two or more");
    picture.mark("nn[x]", Value::True);
    picture.mark("nn[y]", Value::False);
    picture.mark("nn[t]", Value::Unknown);
    let head = picture.individual(["r[n,x]"]);
    let rest = picture.summary(["r[n,x]"]);
    picture.point("x", head, true);
    picture.link(head, rest, "n", Value::Unknown);
    picture.link(rest, rest, "n", Value::Unknown);
    picture
}

/// In the middle of reversing a list: two lists, three variables.
pub fn reversing() -> Picture {
    let mut picture = Picture::titled("reverse, in the loop");
    let (x, xs) = (picture.individual(["r[n,x]"]), picture.summary(["r[n,x]"]));
    let (y, t, ys) = (
        picture.individual(["r[n,y]"]),
        picture.individual(["r[n,y]", "r[n,t]"]),
        picture.summary(["r[n,y]", "r[n,t]"]),
    );
    picture.point("x", x, true);
    picture.point("y", y, true);
    picture.point("t", t, true);
    picture.link(x, xs, "n", Value::Unknown);
    picture.link(xs, xs, "n", Value::Unknown);
    picture.link(y, t, "n", Value::True);
    picture.link(t, ys, "n", Value::Unknown);
    picture.link(ys, ys, "n", Value::Unknown);
    picture
}

/// After rotating a list, with a superfluous indefinite edge [LevAmi00, Figure 12].
pub fn rotated() -> Picture {
    let mut picture = Picture::titled("after rotate");
    let first = named(&mut picture, "u1", &["r[n,x]", "r[n,y]=1/2"], false);
    let middle = named(&mut picture, "[u.1,[u.0,u0].0]", &["r[n,x]", "r[n,y]=1/2"], true);
    let last = named(&mut picture, "u0", &["r[n,x]=1/2", "r[n,y]"], false);
    picture.point("x", first, true);
    picture.point("y", last, true);
    picture.link(first, middle, "n", Value::Unknown);
    picture.link(middle, middle, "n", Value::Unknown);
    picture.link(middle, first, "n", Value::Unknown);
    picture.link(middle, last, "n", Value::Unknown);
    picture
}

/// A doubly linked list with a variable in its middle.
pub fn doubly_linked() -> Picture {
    let mut picture = Picture::titled("doubly linked list");
    let nodes: Vec<usize> = (0..4).map(|_| picture.individual(["c[f,b]", "c[b,f]"])).collect();
    picture.point("p", nodes[2], true);
    picture.point("x", nodes[0], true);
    picture.point("q", nodes[2], false);
    for pair in nodes.windows(2) {
        picture.link(pair[0], pair[1], "f", Value::True);
        picture.link(pair[1], pair[0], "b", Value::True);
    }
    picture
}

/// A ring of four.
pub fn cyclic_list() -> Picture {
    let mut picture = Picture::titled("cyclic list");
    let nodes: Vec<usize> = (0..4).map(|_| picture.individual(["c[n]"])).collect();
    picture.point("x", nodes[0], true);
    picture.point("y", nodes[2], true);
    nodes.windows(2).for_each(|pair| picture.link(pair[0], pair[1], "n", Value::True));
    picture.link(nodes[3], nodes[0], "n", Value::True);
    picture
}

/// An abstract ring.
pub fn abstract_ring() -> Picture {
    let mut picture = Picture::titled("abstract ring");
    let head = picture.individual(["c[n]"]);
    let rest = picture.summary(["c[n]"]);
    picture.point("x", head, true);
    picture.link(head, rest, "n", Value::Unknown);
    picture.link(rest, head, "n", Value::Unknown);
    picture.link(rest, rest, "n", Value::Unknown);
    picture
}

/// Two lists that share their tail.
pub fn shared_tail() -> Picture {
    let mut picture = Picture::titled("shared tail");
    let (a1, a2, b1) = (picture.individual(["r[n,x]"]), picture.individual(["r[n,x]"]), picture.individual(["r[n,y]"]));
    let shared = picture.individual(["r[n,x]", "r[n,y]", "is[n]"]);
    let tail = picture.summary(["r[n,x]", "r[n,y]"]);
    picture.point("x", a1, true);
    picture.point("y", b1, true);
    picture.link(a1, a2, "n", Value::True);
    picture.link(a2, shared, "n", Value::True);
    picture.link(b1, shared, "n", Value::True);
    picture.link(shared, tail, "n", Value::Unknown);
    picture.link(tail, tail, "n", Value::Unknown);
    picture
}

/// A sorted list with its order relation, and a node that may be absent.
pub fn sorted() -> Picture {
    let mut picture = Picture::titled("sorted, last element maybe active");
    let nodes: Vec<usize> = (0..3).map(|_| picture.individual(["inOrder[dle,n]"])).collect();
    let maybe = picture.add(PictureNode {
        labels: vec!["inOrder[dle,n]=1/2".into(), "r[n,x]=0".into()],
        summary: true,
        maybe_active: true,
        name: None,
    });
    picture.point("x", nodes[0], true);
    let all = [nodes[0], nodes[1], nodes[2], maybe];
    for (i, &from) in all.iter().enumerate() {
        for &to in &all[i..] {
            picture.link(from, to, "dle", if to == maybe { Value::Unknown } else { Value::True });
        }
    }
    nodes.windows(2).for_each(|pair| picture.link(pair[0], pair[1], "n", Value::True));
    picture.link(nodes[2], maybe, "n", Value::False);
    picture
}

/// A binary tree with variables at its root and at an inner node.
pub fn binary_tree() -> Picture {
    let mut picture = Picture::titled("binary tree");
    let nodes: Vec<usize> = (0..7).map(|_| picture.individual(["r[root]"])).collect();
    for parent in 0..3 {
        picture.link(nodes[parent], nodes[2 * parent + 1], "left", Value::True);
        picture.link(nodes[parent], nodes[2 * parent + 2], "right", Value::True);
    }
    picture.point("root", nodes[0], true);
    picture.point("t", nodes[4], true);
    picture.point("s", nodes[4], true);
    picture
}

/// Trees with parent pointers, abstracted.
pub fn abstract_tree() -> Picture {
    let mut picture = Picture::titled("abstract tree with parents");
    let root = picture.individual(["r[root]"]);
    let (left, right) = (picture.summary(["r[root]", "r[t]=1/2"]), picture.summary(["r[root]"]));
    for (child, field) in [(left, "left"), (right, "right")] {
        picture.link(root, child, field, Value::Unknown);
        picture.link(child, root, "parent", Value::True);
        picture.link(child, child, "left", Value::Unknown);
        picture.link(child, child, "right", Value::Unknown);
    }
    picture.point("root", root, true);
    picture.point("t", left, false);
    picture.point("t", right, false);
    picture
}

/// Mobile ambients: a tree of 23 ambients and capabilities.
pub fn ambients() -> Picture {
    let mut picture = Picture::titled("ambients");
    let parents = [0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 4, 5, 6, 7, 7, 8, 8, 10, 12, 12, 13, 15];
    let root = picture.individual(["ambient", "root"]);
    for (i, &parent) in parents.iter().enumerate() {
        let label = match i % 4 {
            0 => "[agent]",
            1 => "in server",
            2 => "out client",
            _ => "[msg]",
        };
        let node = if i % 7 == 5 { picture.summary([label]) } else { picture.individual([label]) };
        picture.link(parent, node, "child", if i % 7 == 5 { Value::Unknown } else { Value::True });
    }
    picture.point("top", root, true);
    picture
}

/// Sibling edges both ways, a loop that is false, parallel edges.
pub fn odd_edges() -> Picture {
    let mut picture = Picture::titled("all kinds of edges");
    let (a, b, c) = (picture.individual(["p", "q=0"]), picture.individual(["p=1/2"]), picture.individual([]));
    picture.link(a, b, "sib", Value::True);
    picture.link(b, a, "sib", Value::True);
    picture.link(a, b, "n", Value::Unknown);
    picture.link(a, b, "m", Value::Unknown);
    picture.link(a, b, "z", Value::False);
    picture.link(b, c, "n", Value::True);
    picture.link(c, c, "n", Value::True);
    picture.link(c, c, "m", Value::Unknown);
    picture.link(a, c, "short", Value::Unknown);
    picture.point("x", a, true);
    picture.point("y", a, true);
    picture.point("z", a, false);
    picture.point("z", c, false);
    picture.point("null", 99, true);
    picture
}

/// The control-flow graph of list reversal [LevAmi00, Figure 45].
pub fn reverse_cfg() -> Cfg {
    let mut cfg = Cfg { title: Some("reverse".into()), ..Cfg::default() };
    let names = ["n1", "n2", "n3", "n4", "n5", "n6", "n7", "exit", "error"];
    let n: Vec<usize> = names.iter().map(|name| cfg.location(*name)).collect();
    cfg.edge(n[0], n[1], "y = NULL");
    cfg.edge(n[1], n[2], "x != NULL");
    cfg.edge(n[1], n[7], "x == NULL");
    cfg.edge(n[2], n[3], "t = y");
    cfg.edge(n[3], n[4], "y = x");
    cfg.edge(n[4], n[5], "x = x->n");
    cfg.edge(n[4], n[8], "possible null dereference");
    cfg.edge(n[5], n[6], "y->n = NULL");
    cfg.edge(n[6], n[1], "y->n = t");
    cfg.edge(n[7], n[7], "skip");
    cfg.locations[1].note = Some("12 structures".into());
    cfg.locations[8].flagged = true;
    cfg.locations[8].anchor = Some("error".into());
    cfg
}

/// All structures.
pub fn all() -> Vec<Picture> {
    vec![
        concrete_list(),
        abstract_list(),
        reversing(),
        rotated(),
        doubly_linked(),
        cyclic_list(),
        abstract_ring(),
        shared_tail(),
        sorted(),
        binary_tree(),
        abstract_tree(),
        odd_edges(),
        ambients(),
    ]
}

fn named(picture: &mut Picture, name: &str, labels: &[&str], summary: bool) -> usize {
    picture.add(PictureNode {
        name: Some(name.into()),
        labels: labels.iter().map(|label| label.to_string()).collect(),
        summary,
        maybe_active: false,
    })
}
