//! Maps whose entries belong to the innermost open scope and vanish with it. For example, in `int x; { char x; } x` the
//! last `x` is the `int`.

use crate::names::Symbol;
use rustc_hash::FxHashMap;

/// The meanings of names, scope by scope. Looking up is one access, however deep the scopes: inner entries replace
/// outer ones, and closing a scope puts those back.
#[derive(Debug)]
pub(crate) struct Scoped<V> {
    current: FxHashMap<Symbol, Entry<V>>,
    /// The entry that each entry of an open scope replaced.
    replaced: Vec<(Symbol, Option<Entry<V>>)>,
    /// For each open scope, how long `replaced` was before it.
    opened: Vec<usize>,
}

#[derive(Clone, Copy, Debug)]
struct Entry<V> {
    value: V,
    depth: usize,
}

impl<V: Copy> Scoped<V> {
    /// One open scope, the outermost.
    pub fn new() -> Scoped<V> {
        Scoped { current: FxHashMap::default(), replaced: Vec::new(), opened: Vec::new() }
    }

    pub fn open(&mut self) {
        self.opened.push(self.replaced.len());
    }

    pub fn close(&mut self) {
        let length = self.opened.pop().unwrap_or(0);
        for (name, before) in self.replaced.drain(length..).rev() {
            match before {
                Some(entry) => self.current.insert(name, entry),
                None => self.current.remove(&name),
            };
        }
    }

    /// Gives a name a meaning in the innermost scope.
    pub fn insert(&mut self, name: Symbol, value: V) {
        let before = self.current.insert(name, Entry { value, depth: self.depth() });
        self.replaced.push((name, before));
    }

    pub fn get(&self, name: Symbol) -> Option<V> {
        self.current.get(&name).map(|entry| entry.value)
    }

    /// The meaning of the name in the innermost scope, if it has one there.
    pub fn get_innermost(&self, name: Symbol) -> Option<V> {
        let entry = self.current.get(&name)?;
        (entry.depth == self.depth()).then_some(entry.value)
    }

    /// The entries of the innermost scope.
    pub fn innermost(&self) -> Vec<(Symbol, V)> {
        let from = self.opened.last().copied().unwrap_or(0);
        let names = self.replaced[from..].iter().map(|(name, _)| *name);
        names.filter_map(|name| Some((name, self.get_innermost(name)?))).collect()
    }

    /// How many scopes are open within the outermost one.
    pub fn depth(&self) -> usize {
        self.opened.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::Names;

    #[test]
    fn inner_meanings_hide_outer_ones_and_vanish() {
        let mut names = Names::default();
        let (a, b) = (names.intern("a"), names.intern("b"));
        let mut scope = Scoped::new();
        scope.insert(a, 1);
        scope.open();
        assert_eq!((scope.get(a), scope.get_innermost(a)), (Some(1), None));
        scope.insert(a, 2);
        scope.insert(a, 3);
        scope.insert(b, 4);
        assert_eq!((scope.get(a), scope.get(b)), (Some(3), Some(4)));
        scope.close();
        assert_eq!((scope.get(a), scope.get(b)), (Some(1), None));
    }
}
