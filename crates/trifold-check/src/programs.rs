//! Files that belong together: which of the files of one command are linked to one program.
//!
//! - A file with `main` is a program, together with the files that define what it needs, and what these need.
//! - Files that no such program takes are modules: those that need each other are one, with what they need.
//! - A name that several files define is linked with none of them, since nobody knows which one is meant; of that name
//!   the file itself comes first, and then the file with `main`. It is told in a line.
//!
//! For example, `main.c` that calls `push` of `list.c` is linked with it, and two files that are programs of their own
//! stay two programs, as before they were named in one command.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use trifold_c::Symbols;

/// A file, as the linker sees it.
#[derive(Clone, Debug)]
pub struct Linkable {
    /// Its name.
    pub path: String,
    /// Its names for the linker; none if it is not known, so that it stays alone.
    pub symbols: Option<Symbols>,
    /// Files with other options of this kind are not linked with it: the bits of pointers.
    pub kind: u8,
}

/// Which files are linked, by their numbers: each program begins with its first file, or the one with `main`.
#[derive(Debug, PartialEq, Eq)]
pub struct Programs {
    /// The files of each program.
    pub programs: Vec<Vec<usize>>,
    /// Why files are not linked that might have been, in a line each.
    pub notes: BTreeSet<String>,
}

/// Which of the files are linked.
pub fn programs(files: &[Linkable]) -> Programs {
    let mut linker = Linker { files, definers: BTreeMap::new(), notes: BTreeSet::new() };
    for (index, file) in files.iter().enumerate() {
        for name in file.symbols.iter().flat_map(|symbols| symbols.defines.iter().chain(&symbols.weak)) {
            linker.definers.entry(name).or_default().push(index);
        }
    }
    let mut programs: Vec<Vec<usize>> = Vec::new();
    let mut taken: BTreeSet<usize> = BTreeSet::new();
    for main in (0..files.len()).filter(|index| files[*index].has_main()) {
        let program = linker.closure(main);
        taken.extend(&program);
        programs.push(program);
    }
    programs.extend(linker.modules(&taken));
    programs.sort_by_key(|program| program[0]);
    Programs { programs, notes: linker.notes }
}

impl Linkable {
    fn has_main(&self) -> bool {
        self.symbols.as_ref().is_some_and(|symbols| symbols.defines.contains("main"))
    }

    fn defines(&self, name: &str) -> bool {
        self.symbols.as_ref().is_some_and(|symbols| symbols.defines.contains(name))
    }

    /// A name that both files define.
    fn clash<'a>(&'a self, other: &'a Linkable) -> Option<&'a str> {
        let (own, others) = (self.symbols.as_ref()?, other.symbols.as_ref()?);
        // Of two weak definitions the order of the linker decides, which is not known.
        let twice = own.defines.intersection(&others.defines).chain(own.weak.intersection(&others.weak)).next();
        twice.map(String::as_str)
    }
}

struct Linker<'f> {
    files: &'f [Linkable],
    /// The files that define a name.
    definers: BTreeMap<&'f str, Vec<usize>>,
    notes: BTreeSet<String>,
}

impl<'f> Linker<'f> {
    /// A file with all files that it needs, and that these need.
    fn closure(&mut self, root: usize) -> Vec<usize> {
        let mut program = vec![root];
        let mut open = VecDeque::from([root]);
        while let Some(file) = open.pop_front() {
            for name in self.files[file].symbols.iter().flat_map(|symbols| &symbols.needs) {
                if program.iter().any(|member| self.files[*member].defines(name)) {
                    continue;
                }
                if let Some(definer) = self.definer(name, file).filter(|definer| self.fits(*definer, &program)) {
                    program.push(definer);
                    open.push_back(definer);
                }
            }
        }
        program[1..].sort_unstable();
        program
    }

    /// The file that defines a name which another one needs, if it is clear which one. Files with `main` are programs
    /// of their own.
    fn definer(&mut self, name: &str, user: usize) -> Option<usize> {
        let kind = self.files[user].kind;
        let definers = self.definers.get(name)?.iter().copied();
        let definers = definers.filter(|file| !self.files[*file].has_main() && self.files[*file].kind == kind);
        let definers: Vec<usize> = definers.collect();
        // A weak definition is one only if there is no other.
        let strong: Vec<usize> = definers.iter().copied().filter(|file| self.files[*file].defines(name)).collect();
        match (&strong[..], &definers[..]) {
            ([only], _) | ([], [only]) => Some(*only),
            ([first, second, ..], _) | ([], [first, second, ..]) => {
                let [first, second, user] = [*first, *second, user].map(|file| &self.files[file].path);
                let note = format!("`{name}` is defined in {first} and in {second}, so {user} is linked with neither");
                self.notes.insert(note);
                None
            }
            ([], []) => None,
        }
    }

    /// May a file be linked with others? Not if they define the same name.
    fn fits(&mut self, file: usize, program: &[usize]) -> bool {
        let clash = |member: &usize| Some((*member, self.files[file].clash(&self.files[*member])?));
        if program.contains(&file) {
            return false;
        }
        let Some((member, name)) = program.iter().find_map(clash) else { return true };
        let (first, second) = (&self.files[member].path, &self.files[file].path);
        self.notes.insert(format!("`{name}` is defined in {first} and in {second}, so they are not linked"));
        false
    }

    /// The files that are in no program, those together that need each other.
    fn modules(&mut self, taken: &BTreeSet<usize>) -> Vec<Vec<usize>> {
        let mut modules: Vec<Vec<usize>> = Vec::new();
        for file in (0..self.files.len()).filter(|file| !taken.contains(file)) {
            let needed = self.closure(file);
            let (joined, rest): (Vec<_>, Vec<_>) = std::mem::take(&mut modules)
                .into_iter()
                .partition(|module| module.iter().any(|member| !taken.contains(member) && needed.contains(member)));
            modules = rest;
            let mut module: Vec<usize> = Vec::new();
            let mut apart: Vec<Vec<usize>> = Vec::new();
            for group in joined.into_iter().chain([needed]) {
                let new: Vec<usize> = group.iter().copied().filter(|member| !module.contains(member)).collect();
                match new.iter().all(|member| self.fits(*member, &module)) {
                    true => module.extend(new),
                    false => apart.push(group),
                }
            }
            module.sort_unstable();
            modules.push(module);
            modules.extend(apart);
        }
        modules
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, defines: &[&str], needs: &[&str]) -> Linkable {
        let set = |names: &[&str]| names.iter().map(ToString::to_string).collect();
        let symbols = Symbols { defines: set(defines), needs: set(needs), weak: BTreeSet::new() };
        Linkable { path: path.to_string(), symbols: Some(symbols), kind: 64 }
    }

    fn linked(files: &[Linkable]) -> (Vec<Vec<usize>>, Vec<String>) {
        let Programs { programs, notes } = programs(files);
        (programs, notes.into_iter().collect())
    }

    #[test]
    fn a_program_takes_what_it_needs() {
        let files = [
            file("list.c", &["push"], &["log"]),
            file("log.c", &["log"], &["malloc"]),
            file("main.c", &["main"], &["push"]),
            file("other.c", &["main"], &[]),
        ];
        assert_eq!(linked(&files), (vec![vec![2, 0, 1], vec![3]], vec![]));
    }

    #[test]
    fn files_without_main_are_modules() {
        let files = [
            file("a.c", &["a"], &["c"]),
            file("b.c", &["b"], &[]),
            file("c.c", &["c"], &["d"]),
            file("d.c", &["d"], &["e"]),
        ];
        assert_eq!(linked(&files), (vec![vec![0, 2, 3], vec![1]], vec![]));
        // A module may need a file that a program has taken.
        let files = [file("m.c", &["main"], &["b"]), file("a.c", &["a"], &["b"]), file("b.c", &["b"], &[])];
        assert_eq!(linked(&files), (vec![vec![0, 2], vec![1, 2]], vec![]));
    }

    #[test]
    fn what_is_defined_twice_is_not_linked() {
        let files = [file("m.c", &["main"], &["f"]), file("a.c", &["f"], &[]), file("b.c", &["f"], &[])];
        let note = "`f` is defined in a.c and in b.c, so m.c is linked with neither";
        assert_eq!(linked(&files), (vec![vec![0], vec![1], vec![2]], vec![note.to_string()]));
        let files = [file("m.c", &["main", "g"], &["f"]), file("a.c", &["f", "g"], &[])];
        let note = "`g` is defined in m.c and in a.c, so they are not linked";
        assert_eq!(linked(&files), (vec![vec![0], vec![1]], vec![note.to_string()]));
        // What the program itself defines is meant.
        let files =
            [file("m.c", &["main", "f"], &["g"]), file("n.c", &["main", "f"], &["g"]), file("a.c", &["g"], &["f"])];
        assert_eq!(linked(&files), (vec![vec![0, 2], vec![1, 2]], vec![]));
    }

    #[test]
    fn a_weak_definition_gives_way() {
        let mut weak = file("w.c", &[], &[]);
        weak.symbols.as_mut().unwrap().weak.insert("f".to_string());
        let files = [file("m.c", &["main"], &["f"]), weak.clone(), file("s.c", &["f"], &[])];
        assert_eq!(linked(&files), (vec![vec![0, 2], vec![1]], vec![]));
        assert_eq!(linked(&[file("m.c", &["main"], &["f"]), weak]), (vec![vec![0, 1]], vec![]));
    }
}
