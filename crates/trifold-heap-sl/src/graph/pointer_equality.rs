//! Are two pointers the same? Graphs are split until the answer is clear, or clearly open. For example, `α == null` for
//! the start of a list `α.node_list()` splits the graph into one where the list is empty, which is true, and one where
//! it has an element, which is false.

use crate::checker::definition::Wild;
use crate::graph::shape_graph::{Kind, NULL, ShapeGraph, Site, Symbol};
use crate::layout::Layouts;
use trifold_work::listen;

/// A graph, and the outcome of the comparison in all of its states; none if that depends on more than is known, such as
/// whether the address of a freed object is used again.
pub type Compared = (ShapeGraph, Option<bool>);

/// The values that are compared, in a graph of which some symbols may have been merged.
pub type Operands<'o> = &'o dyn Fn(&mut ShapeGraph) -> (Symbol, Symbol);

/// The outcomes of a comparison. In each of them it is known of both pointers whether they are addresses in a region.
pub fn compare(graph: ShapeGraph, operands: Operands<'_>, layouts: &Layouts) -> Vec<Compared> {
    let mut open = vec![graph];
    let mut done = Vec::new();
    while let Some(mut graph) = open.pop() {
        listen();
        let (left, right) = operands(&mut graph);
        match decide(&graph, left, right) {
            Decision::Is(truth) => done.push((graph, truth)),
            Decision::MayBeNull(symbol, wild) => {
                let mut null = graph.clone();
                if null.merge(symbol, NULL).is_ok() {
                    open.push(null);
                }
                graph.kinds[symbol.index()] = Kind::Wild(wild);
                open.push(graph);
            }
            Decision::MayBeAnything(symbol) => {
                let mut null = graph.clone();
                if null.merge(symbol, NULL).is_ok() {
                    done.push((null, Some(true)));
                }
                done.push((graph, Some(false)));
            }
            Decision::MayBeEmpty(edge) => {
                open.extend(graph.unfold_empty(edge));
                graph.edges[edge].min = 1;
                if graph.reduce().is_ok() {
                    open.push(graph);
                }
            }
            Decision::Unfold(edge) => open.extend(graph.unfold_first(edge, layouts)),
        }
    }
    done
}

enum Decision {
    Is(Option<bool>),
    /// The symbol is null, or one of these.
    MayBeNull(Symbol, Wild),
    /// The symbol is null, or leads into ⊤.
    MayBeAnything(Symbol),
    MayBeEmpty(usize),
    Unfold(usize),
}

fn decide(graph: &ShapeGraph, left: Symbol, right: Symbol) -> Decision {
    let sites = [left, right].map(|symbol| graph.site(symbol));
    for site in sites.iter().flatten() {
        if let Site::Source(edge) | Site::Last(edge, _) = site
            && graph.edges[*edge].min == 0
        {
            return Decision::MayBeEmpty(*edge);
        }
    }
    if left == right {
        return Decision::Is(Some(true));
    }
    let dangling =
        |wild: Wild| [Wild::FREED, Wild::DEAD, Wild::FREED_PART, Wild::TOP].into_iter().any(|one| wild.has(one));
    match (graph.kind(left), graph.kind(right)) {
        (Kind::Pointer, _) | (_, Kind::Pointer) => {}
        (Kind::Null, Kind::Wild(wild)) | (Kind::Wild(wild), Kind::Null) => {
            let symbol = left.max(right);
            return match wild.without(Wild::NULL) {
                _ if wild.has(Wild::TOP) => Decision::MayBeAnything(symbol),
                Some(rest) if wild.has(Wild::NULL) => Decision::MayBeNull(symbol, rest),
                _ => Decision::Is((!wild.has(Wild::NULL)).then_some(false)),
            };
        }
        (Kind::Outside(_, a), Kind::Outside(_, b)) if a == b => return Decision::Is(None),
        (Kind::Outside(..), Kind::Wild(wild)) | (Kind::Wild(wild), Kind::Outside(..)) if wild.has(Wild::TOP) => {
            return Decision::Is(None);
        }
        (Kind::Wild(a), Kind::Wild(b)) => {
            let may_be = a.meet(b).is_some() || dangling(a) && dangling(b);
            return Decision::Is((!may_be).then_some(false));
        }
        _ => return Decision::Is(Some(false)),
    }
    let unclear = |kind: Kind| match kind {
        // Its address may be used again.
        Kind::Wild(wild) => dangling(wild),
        kind => kind == Kind::Pointer,
    };
    match sites {
        [Some(a), Some(b)] => match (a, b) {
            (Site::Source(x) | Site::Last(x, _), Site::Source(y) | Site::Last(y, _)) if x == y => Decision::Unfold(x),
            _ => Decision::Is(Some(false)),
        },
        [Some(_), None] if !unclear(graph.kind(right)) => Decision::Is(Some(false)),
        [None, Some(_)] if !unclear(graph.kind(left)) => Decision::Is(Some(false)),
        _ => Decision::Is(None),
    }
}
