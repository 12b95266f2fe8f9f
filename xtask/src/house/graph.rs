//! Which module needs which, and cycles.
//!
//! A module needs another one if its code names an item that is *defined* there. Names are followed through imports and
//! exports to their definition, so it does not matter by which way something is known. No need arises from declaring a
//! module, and from exporting what a module further down defines (`pub use child::X`): that is how a house has a front
//! door. A method that is called is not named by a path, so it counts nowhere.
//!
//! # Cycles
//! A module and the modules in it are one room: a child may use its parent's items, as a parent calls its children. A
//! cycle is one of rooms that stand side by side: the children of one module, where one needs another if anything in it
//! needs anything in the other. What the parent defines itself belongs to none of them.
//!
//! ```text
//! engine ──► engine::focus ──► engine                    no cycle: one room
//! load ──► preprocess::include ──► load                  a cycle of `load` and `preprocess`
//! parse::type ──► parse::expression ──► parse::type      a cycle within `parse`
//! ```
//!
//! No crate may have a cycle, of modules that its root declares or further down: none of the rooms could be understood
//! first. Code that follows a recursive syntax has none, either, if types stand apart from the methods that fill them:
//!
//! ```text
//! value       enum Value                                 what expressions result in
//! place       struct Place                               what can be assigned to
//! expression  impl Translator { fn value(…) }            calls `place` as a method
//! access      impl Translator { fn place(…) }            calls `value` as a method
//! ```

use super::scan::{Module, Names};
use std::collections::{BTreeMap, BTreeSet};

/// How often a name is followed from one import to the next. Imports do not go on for ever, but text can say so.
const MAX_STEPS: usize = 8;

/// A name that nothing has.
const ANY: &str = "*";

/// The modules of a crate by their paths.
pub struct Graph<'a> {
    modules: BTreeMap<&'a [String], &'a Module>,
}

/// Needs, from a module to another, with the names because of which it is so.
pub type Needs<'a> = BTreeMap<(&'a [String], &'a [String]), BTreeSet<&'a str>>;

impl<'a> Graph<'a> {
    pub fn new(modules: &'a [Module]) -> Graph<'a> {
        Graph { modules: modules.iter().map(|module| (&module.path[..], module)).collect() }
    }

    /// All needs, in order.
    pub fn needs(&self) -> Needs<'a> {
        let mut needs = Needs::new();
        for module in self.modules.values() {
            let named = module.named.iter().map(|names| (names, false));
            let exported = module.exported.iter().map(|names| (names, true));
            for (names, is_export) in named.chain(exported) {
                let Some(home) = self.definition(module, names, 0) else { continue };
                let is_door = is_export && home.path.starts_with(&module.path);
                if home.path != module.path && !is_door {
                    let name = names.last().map_or("", String::as_str);
                    needs.entry((&module.path, &home.path)).or_default().insert(name);
                }
            }
        }
        needs
    }

    /// The types that other crates can name, by the names that they have for them: those in public modules, and those
    /// that public modules export.
    pub fn exported_types(&self) -> BTreeSet<&'a str> {
        let mut types = BTreeSet::new();
        let mut open = vec![self.modules[&[][..]]];
        while let Some(module) = open.pop() {
            types.extend(module.public_types.iter().map(String::as_str));
            let is_type = |path: &Names| {
                let home = self.definition(module, path, 0);
                home.zip(path.last()).is_some_and(|(home, name)| home.public_types.contains(name))
            };
            let exports = module.public_exports.iter().filter(|(_, path)| is_type(path));
            types.extend(exports.map(|(name, _)| name.as_str()));
            let children =
                module.public_children.iter().map(|name| [&module.path[..], std::slice::from_ref(name)].concat());
            open.extend(children.filter_map(|path| self.modules.get(&path[..]).copied()));
        }
        types
    }

    /// The module that defines what a path names, seen from a module; nothing if it is of another crate.
    fn definition(&self, from: &'a Module, names: &[String], steps: usize) -> Option<&'a Module> {
        let (first, rest) = names.split_first()?;
        match first.as_str() {
            "crate" => self.within(self.modules[&[][..]], rest, steps),
            "self" => self.within(from, rest, steps),
            "super" => self.within(self.parent(from)?, rest, steps),
            _ => self.known(from, names, steps),
        }
    }

    /// The module that defines what stands behind the names, of which a module is the first.
    fn within(&self, module: &'a Module, names: &[String], steps: usize) -> Option<&'a Module> {
        match names.first().map(String::as_str) {
            None => Some(module),
            Some("super") => self.within(self.parent(module)?, &names[1..], steps),
            // What a macro defines is not seen; it is taken to be where it is looked for.
            Some(_) => self.known(module, names, steps).or(Some(module)),
        }
    }

    /// The same, if the first name is known in the module.
    fn known(&self, module: &'a Module, names: &[String], steps: usize) -> Option<&'a Module> {
        let (first, rest) = names.split_first().filter(|_| steps <= MAX_STEPS)?;
        // A name by itself is that of an item or of a variable, not that of a module.
        if module.children.contains(first) && !rest.is_empty() {
            let child = [&module.path[..], std::slice::from_ref(first)].concat();
            return self.within(self.modules.get(&child[..])?, rest, steps);
        }
        if module.items.contains(first) {
            return Some(module);
        }
        if let Some(import) = module.imports.get(first) {
            let whole = [&import[..], rest].concat();
            // An import of a crate of this name is not a name of this module again.
            return (whole != names).then(|| self.definition(module, &whole, steps + 1)).flatten();
        }
        let sources = module.globs.iter().filter_map(|glob| self.module(module, glob, steps + 1));
        let mut others = sources.filter(|source| source.path != module.path);
        others.find_map(|source| self.known(source, names, steps + 1))
    }

    /// The module that a path names.
    fn module(&self, from: &'a Module, names: &[String], steps: usize) -> Option<&'a Module> {
        // As if it were followed by an item that a macro defines, which is where it is looked for.
        self.definition(from, &[names, &[ANY.to_string()]].concat(), steps)
    }

    fn parent(&self, module: &Module) -> Option<&'a Module> {
        let (_, parent) = module.path.split_last()?;
        self.modules.get(parent).copied()
    }
}

/// The cycles among rooms that stand side by side, each as the paths of its rooms.
pub fn cycles(needs: &Needs) -> Vec<Vec<Names>> {
    // By parent: which child needs which.
    let mut rooms: BTreeMap<&[String], BTreeMap<&String, BTreeSet<&String>>> = BTreeMap::new();
    for (from, to) in needs.keys() {
        let shared = from.iter().zip(*to).take_while(|(a, b)| a == b).count();
        if let (Some(a), Some(b)) = (from.get(shared), to.get(shared)) {
            rooms.entry(&from[..shared]).or_default().entry(a).or_default().insert(b);
        }
    }
    let mut cycles = Vec::new();
    for (parent, needs) in rooms {
        for cycle in components(&needs) {
            let path = |room: &&String| [parent, &[room.to_string()]].concat();
            cycles.push(cycle.iter().map(path).collect());
        }
    }
    cycles
}

/// The sets of more than one room that all need each other.
fn components<'a>(needs: &BTreeMap<&'a String, BTreeSet<&'a String>>) -> Vec<BTreeSet<&'a String>> {
    let reached = |start: &'a String| {
        let mut reached = BTreeSet::new();
        let mut open: Vec<&String> = needs.get(start).into_iter().flatten().copied().collect();
        while let Some(room) = open.pop() {
            if reached.insert(room) {
                open.extend(needs.get(room).into_iter().flatten());
            }
        }
        reached
    };
    let reached: BTreeMap<&String, BTreeSet<&String>> = needs.keys().map(|room| (*room, reached(room))).collect();
    let mut found = BTreeSet::new();
    for (room, others) in &reached {
        let back = |other: &&&String| reached.get(**other).is_some_and(|others| others.contains(*room));
        if others.contains(room) {
            found.insert(others.iter().filter(back).copied().collect::<BTreeSet<&String>>());
        }
    }
    found.into_iter().filter(|component| component.len() > 1).collect()
}

/// Names as paths of the language.
pub fn shown(path: &[String]) -> String {
    if path.is_empty() { "crate".to_string() } else { path.join("::") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::house::scan;

    /// The modules of a crate of one file.
    fn modules(text: &str) -> Vec<Module> {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().join("lib.rs");
        std::fs::write(&root, text).unwrap();
        scan::modules(&root).unwrap()
    }

    /// The needs in a crate of one file, and the cycles.
    fn needs(text: &str) -> (Vec<String>, Vec<Vec<String>>) {
        let modules = modules(text);
        let graph = Graph::new(&modules);
        let needs = graph.needs();
        let all = needs.keys().map(|(from, to)| format!("{} {}", shown(from), shown(to))).collect();
        let cycles = cycles(&needs).iter().map(|cycle| cycle.iter().map(|path| shown(path)).collect()).collect();
        (all, cycles)
    }

    #[test]
    fn names_are_followed_to_their_definition() {
        let text = "pub use a::A; mod a { pub struct A; } mod b { use crate::A; fn f(_: A) { crate::c::g(); } }
            mod c { pub use self::d::g; mod d { pub fn g() {} } }";
        assert_eq!(needs(text).0, ["b a", "b c::d"]);
    }

    #[test]
    fn imports_of_everything_need_what_is_used() {
        let text = "mod a { pub fn f() {} pub fn h() {} } mod b { use super::*; fn g() { a::f(); k() } }
            mod c { use crate::a::*; fn g() { h() } } fn k() {}";
        assert_eq!(needs(text).0, ["b crate", "b a", "c a"].map(str::to_string).to_vec());
    }

    #[test]
    fn types_are_exported_by_public_modules() {
        let text =
            "pub use a::{A, f}; pub use self::b::B as C; mod a { pub struct A; pub struct Hidden; pub fn f() {} }
            pub mod b { pub struct B; pub(crate) struct D; mod c { pub enum E {} } pub(crate) use self::c::E; }";
        let modules = modules(text);
        assert_eq!(Graph::new(&modules).exported_types().into_iter().collect::<Vec<_>>(), ["A", "B", "C"]);
    }

    #[test]
    fn a_parent_may_call_its_child_and_a_child_use_its_parent() {
        let text = "mod a { pub struct T; mod b { use super::T; pub fn f(_: T) {} } fn g() { b::f(T) } }";
        let (edges, cycles) = needs(text);
        assert_eq!((edges.len(), cycles.len()), (2, 0));
        assert_eq!(edges, ["a a::b", "a::b a"]);
    }

    #[test]
    fn rooms_side_by_side_have_no_cycles() {
        let text = "mod a { mod c { fn f() { crate::b::g() } } pub fn h() {} } mod b { pub fn g() { crate::a::h() } }
            mod d { mod e { pub fn f() { super::g::h() } } mod g { pub fn h() { super::e::f() } } }";
        assert_eq!(needs(text).1, [["a", "b"], ["d::e", "d::g"]]);
    }

    #[test]
    fn paths_are_shown_as_they_are_written() {
        assert_eq!([shown(&[]), shown(&["a", "b"].map(str::to_string))], ["crate", "a::b"]);
    }
}
