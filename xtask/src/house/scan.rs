//! The modules of a crate, read from its sources: what each of them defines, imports and names.
//!
//! Tests are no part of the house: what stands under `#[cfg(test)]` is left out.

use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};
use syn::{Attribute, File, Item, ItemMod, ItemUse, Macro, UseTree, Visibility};

/// A path in the language: `crate`, `solver`, `Options`.
pub type Names = Vec<String>;

/// A module as its source text has it. Names are not resolved.
#[derive(Default, Debug)]
pub struct Module {
    /// From the root of the crate; empty for the root itself.
    pub path: Names,
    /// The names of the modules that are declared in it.
    pub children: BTreeSet<String>,
    /// The names of the items that are defined in it.
    pub items: BTreeSet<String>,
    /// Types that are public here; whether others can name them, [`Graph::exported_types`](super::Graph) says.
    pub public_types: BTreeSet<String>,
    /// The modules in it that are public.
    pub public_children: BTreeSet<String>,
    /// What it exports to other crates, the name here and the path there.
    pub public_exports: BTreeMap<String, Names>,
    /// What is imported by name, the name here and the path there.
    pub imports: BTreeMap<String, Names>,
    /// Modules of which everything is imported.
    pub globs: Vec<Names>,
    /// The paths that it names: in its code, and in imports that only it can see.
    pub named: BTreeSet<Names>,
    /// Paths that it exports under its own name.
    pub exported: BTreeSet<Names>,
}

/// The modules below a root such as `src/lib.rs`, in the order of their paths.
pub fn modules(root: &Path) -> Result<Vec<Module>, String> {
    let mut modules = Vec::new();
    let directory = root.parent().unwrap_or(Path::new("")).to_path_buf();
    read(root, &directory, Vec::new(), &mut modules)?;
    modules.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(modules)
}

/// Reads a file, and those of the modules that it declares, which are in a directory.
fn read(file: &Path, directory: &Path, path: Names, modules: &mut Vec<Module>) -> Result<(), String> {
    let text = crate::read(file)?;
    let syntax: File = syn::parse_file(&text).map_err(|error| format!("{}: {error}", file.display()))?;
    add(&syntax.items, directory, path, modules)
}

fn add(items: &[Item], directory: &Path, path: Names, modules: &mut Vec<Module>) -> Result<(), String> {
    let mut scanner = Scanner { module: Module { path: path.clone(), ..Module::default() }, inner: Vec::new() };
    items.iter().for_each(|item| scanner.visit_item(item));
    let Scanner { module, inner } = scanner;
    modules.push(module);
    for declared in inner {
        let name = declared.ident.to_string();
        let (path, below) = ([&path[..], std::slice::from_ref(&name)].concat(), directory.join(&name));
        match &declared.content {
            Some((_, items)) => add(items, &below, path, modules)?,
            None => read(&source(directory, &name), &below, path, modules)?,
        }
    }
    Ok(())
}

/// The file of a module that is declared without its content.
fn source(directory: &Path, name: &str) -> PathBuf {
    let file = directory.join(name).with_extension("rs");
    if file.exists() { file } else { directory.join(name).join("mod.rs") }
}

/// Who sees an import.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Here,
    InCrate,
    Everywhere,
}

/// Goes through a module; modules in it are remembered for later.
struct Scanner<'a> {
    module: Module,
    inner: Vec<&'a ItemMod>,
}

impl Scanner<'_> {
    fn name(&mut self, names: Names) {
        self.module.named.insert(names);
    }

    /// An import, or an export if other modules see it.
    fn import(&mut self, tree: &UseTree, before: &mut Names, seen: Seen) {
        match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.import(&path.tree, before, seen);
                before.pop();
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(tree, before, seen)),
            UseTree::Glob(_) => self.module.globs.push(before.clone()),
            UseTree::Name(name) => self.import_as(&name.ident.to_string(), &name.ident.to_string(), before, seen),
            UseTree::Rename(name) => {
                self.import_as(&name.ident.to_string(), &name.rename.to_string(), before, seen);
            }
        }
    }

    fn import_as(&mut self, there: &str, here: &str, before: &Names, seen: Seen) {
        // `use a::b::{self}` imports `a::b`.
        let (path, here) = match (there, before.last()) {
            ("self", Some(last)) if here == "self" => (before.clone(), last.clone()),
            ("self", _) => (before.clone(), here.to_string()),
            _ => ([&before[..], &[there.to_string()]].concat(), here.to_string()),
        };
        let used = if seen == Seen::Here { &mut self.module.named } else { &mut self.module.exported };
        used.insert(path.clone());
        if seen == Seen::Everywhere {
            self.module.public_exports.insert(here.clone(), path.clone());
        }
        self.module.imports.insert(here, path);
    }

    /// The paths among the tokens of a macro, which nobody parses.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut names: Names = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    if colons != 2 {
                        self.flush(&mut names);
                    }
                    names.push(ident.to_string());
                    colons = 0;
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' && colons < 2 => colons += 1,
                TokenTree::Group(group) => {
                    self.flush(&mut names);
                    colons = 0;
                    self.tokens(group.stream());
                }
                _ => {
                    self.flush(&mut names);
                    colons = 0;
                }
            }
        }
        self.flush(&mut names);
    }

    fn flush(&mut self, names: &mut Names) {
        if !names.is_empty() {
            self.name(std::mem::take(names));
        }
    }
}

impl<'a> Visit<'a> for Scanner<'a> {
    fn visit_item(&mut self, item: &'a Item) {
        let (attributes, name, visibility) = match item {
            Item::Const(item) => (&item.attrs, Some(&item.ident), None),
            Item::Enum(item) => (&item.attrs, Some(&item.ident), Some(&item.vis)),
            Item::Fn(item) => (&item.attrs, Some(&item.sig.ident), None),
            Item::Impl(item) => (&item.attrs, None, None),
            Item::Macro(item) => (&item.attrs, item.ident.as_ref(), None),
            Item::Mod(item) => (&item.attrs, None, None),
            Item::Static(item) => (&item.attrs, Some(&item.ident), None),
            Item::Struct(item) => (&item.attrs, Some(&item.ident), Some(&item.vis)),
            Item::Trait(item) => (&item.attrs, Some(&item.ident), Some(&item.vis)),
            Item::Type(item) => (&item.attrs, Some(&item.ident), Some(&item.vis)),
            Item::Use(item) => (&item.attrs, None, None),
            _ => return visit::visit_item(self, item),
        };
        if is_test(attributes) {
            return;
        }
        self.module.items.extend(name.map(ToString::to_string));
        if let (Some(Visibility::Public(_)), Some(name)) = (visibility, name) {
            self.module.public_types.insert(name.to_string());
        }
        visit::visit_item(self, item);
    }

    fn visit_item_mod(&mut self, item: &'a ItemMod) {
        if matches!(item.vis, Visibility::Public(_)) {
            self.module.public_children.insert(item.ident.to_string());
        }
        self.module.children.insert(item.ident.to_string());
        self.inner.push(item);
    }

    fn visit_item_use(&mut self, item: &'a ItemUse) {
        let seen = match item.vis {
            Visibility::Inherited => Seen::Here,
            Visibility::Restricted(_) => Seen::InCrate,
            Visibility::Public(_) => Seen::Everywhere,
        };
        self.import(&item.tree, &mut Vec::new(), seen);
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        self.name(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, invoked: &'a Macro) {
        self.tokens(invoked.tokens.clone());
        visit::visit_macro(self, invoked);
    }

    // What may see an item, and attributes, name no items.
    fn visit_visibility(&mut self, _: &'a Visibility) {}
    fn visit_attribute(&mut self, _: &'a Attribute) {}
}

/// Does an item belong to the tests only?
fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let is_cfg = attribute.path().is_ident("cfg");
        attribute.path().is_ident("test") || is_cfg && mentions_test(attribute)
    })
}

fn mentions_test(attribute: &Attribute) -> bool {
    let list = attribute.meta.require_list();
    list.is_ok_and(|list| list.tokens.to_string().split(|c: char| !c.is_alphanumeric()).any(|word| word == "test"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scanned(text: &str) -> Module {
        let mut modules = Vec::new();
        add(&syn::parse_file(text).unwrap().items, Path::new(""), Vec::new(), &mut modules).unwrap();
        modules.swap_remove(0)
    }

    #[test]
    fn imports_are_told_from_exports() {
        let module = scanned("use crate::a::{self, b as c, D}; pub use x::*; pub(crate) use self::e::F;");
        let names: Vec<&str> = module.imports.keys().map(String::as_str).collect();
        assert_eq!(names, ["D", "F", "a", "c"]);
        assert_eq!(module.imports["c"], ["crate", "a", "b"]);
        assert_eq!(module.globs, [["x"]]);
        assert_eq!((module.named.len(), module.exported.len()), (3, 1));
    }

    #[test]
    fn macros_name_paths_too_and_tests_count_nothing() {
        let module = scanned(
            "fn f() { assert!(a::b(c::D { e: 1 }).is_some(), \"{}\", G); }
             #[cfg(test)] mod tests { use crate::x; } #[cfg(all(test, unix))] fn g() { y::z(); }",
        );
        let named: Vec<String> = module.named.iter().map(|names| names.join("::")).collect();
        for wanted in ["a::b", "c::D", "G"] {
            assert!(named.iter().any(|names| names == wanted), "{wanted}: {named:?}");
        }
        assert!(!named.iter().any(|names| names == "y::z") && module.children.is_empty());
        assert_eq!(module.items.iter().collect::<Vec<_>>(), ["f"]);
    }
}
