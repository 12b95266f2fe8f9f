//! Names of predicates: those of the program as far as they are distinct, and words that a specification's text can
//! have. For example, the variables `x` of `f` and `g` become `x` and `g_x`.

use std::collections::{BTreeMap, BTreeSet};
use trifold_ir::{Field, FieldId, ProcId, Program, Scope, StructId, VarId};
use trifold_passes::intervals::Interval;
use trifold_passes::links::{Link, LinkId, Links};
use trifold_passes::targets::Path;

/// Words of specifications that name something else.
const TAKEN: [&str; 12] =
    ["A", "E", "TC", "foreach", "auto", "sm", "ac", "isNew", "instance", "static", SIDES[0], SIDES[1]];

/// Objects of the caller, and objects of the callee, when a call returns.
pub(crate) const SIDES: [&str; 2] = ["inCaller", "inCallee"];

/// Words of paths that are no fields.
const START: &str = "start";
const BEFORE: &str = "before";

/// Distinct words for everything that predicates are named after.
pub(crate) struct Names {
    variables: BTreeMap<VarId, String>,
    links: Vec<String>,
    fields: Vec<String>,
    structs: Vec<String>,
    procedures: Vec<String>,
}

impl Names {
    pub fn new(program: &Program, procedures: &[ProcId], links: &Links) -> Names {
        let mut taken: BTreeSet<String> = TAKEN.iter().map(ToString::to_string).collect();
        let variables = program.globals().chain(procedures.iter().flat_map(|p| program[*p].variables()));
        let variable = |id: VarId, taken: &mut BTreeSet<String>| {
            let variable = &program[id];
            let owner = match variable.scope {
                Scope::Global => "global",
                Scope::Parameter(procedure) | Scope::Local(procedure) => &program[procedure].name,
            };
            (id, distinct(&variable.name, owner, taken))
        };
        let variables = variables.map(|id| variable(id, &mut taken)).collect();
        let link = |link: &Link, taken: &mut BTreeSet<String>| {
            let name = link.name(program);
            let (owner, field) = name.split_once("::").unwrap_or((&name, &name));
            distinct(field, owner, taken)
        };
        let links = links.iter().map(|(_, l)| link(l, &mut taken)).collect();
        // Fields are named only within paths.
        let mut within = BTreeSet::from([START.to_string(), BEFORE.to_string()]);
        let owner = |field: &Field| program[field.structure].name.as_str();
        let fields = program.fields.iter().map(|field| distinct(&field.name, owner(field), &mut within)).collect();
        let structs = program.structs.iter().map(|s| distinct(&s.name, "struct", &mut taken)).collect();
        let procedures = program.procedures.iter().map(|p| distinct(&p.name, "procedure", &mut taken)).collect();
        Names { variables, links, fields, structs, procedures }
    }

    pub fn variable(&self, variable: VarId) -> &str {
        &self.variables[&variable]
    }

    pub fn link(&self, link: LinkId) -> &str {
        &self.links[link.0]
    }

    /// The name of a place in objects.
    pub fn path(&self, path: &Path) -> String {
        let field = |field: &FieldId| self.fields[field.index()].clone();
        let way: Vec<String> = path.fields.iter().map(field).collect();
        let way = if way.is_empty() { START.to_string() } else { way.join(",") };
        path.before.map_or(way.clone(), |before| format!("{way},{BEFORE},{}", field(&before)))
    }

    pub fn structure(&self, structure: StructId) -> &str {
        &self.structs[structure.index()]
    }

    pub fn procedure(&self, procedure: ProcId) -> &str {
        &self.procedures[procedure.index()]
    }

    /// The name of a call site.
    pub fn site(&self, site: usize) -> String {
        format!("site{}", site + 1)
    }

    /// The name of a cell of a partition.
    pub fn cell(&self, (low, high): Interval, first: bool, last: bool) -> String {
        let number =
            |value: i128| if value < 0 { format!("minus_{}", value.unsigned_abs()) } else { value.to_string() };
        match (first, last) {
            _ if low == high => format!("is_{}", number(low)),
            (true, _) => format!("to_{}", number(high)),
            (_, true) => format!("from_{}", number(low)),
            _ => format!("is_{}_to_{}", number(low), number(high)),
        }
    }

    /// The names of several links.
    pub fn links(&self, links: &[LinkId]) -> String {
        let links: Vec<&str> = links.iter().map(|link| self.link(*link)).collect();
        links.join(",")
    }
}

/// The name as a word; with its owner's name before it, and a number after it, where it is taken.
fn distinct(name: &str, owner: &str, taken: &mut BTreeSet<String>) -> String {
    let plain = word(name);
    let qualified = format!("{}_{plain}", word(owner));
    let numbered = (2..).map(|i| format!("{qualified}_{i}"));
    let candidates = [plain.clone(), qualified.clone()].into_iter().chain(numbered);
    let found = candidates.into_iter().find(|candidate| !taken.contains(candidate)).expect("there are infinitely many");
    taken.insert(found.clone());
    found
}

/// Signs that words cannot have are replaced.
fn word(name: &str) -> String {
    let text: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') { text } else { format!("_{text}") }
}
