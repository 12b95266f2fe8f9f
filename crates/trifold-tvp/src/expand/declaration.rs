//! Declarations: predicates with their properties, and consistency rules.
//!
//! For example, `foreach (z in {x, y}) { %p z(v) unique pointer }` declares the predicates `x` and `y`.

use super::formula::{Context, Free};
use super::{Expander, Scope};
use crate::ast::{self, Declaration, FormulaKind, Ident, PredicateDeclaration, Property};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use trifold_logic::{Definition, DisplaySet, Kleene, Predicate, Var};
use trifold_source::suggest;
use trifold_source::{Diagnostic, Span};
use trifold_tvl::{Constraint, Head};

/// The properties and the number of arguments that each needs, if any.
const PROPERTIES: [(&str, Option<usize>); 14] = [
    ("unique", Some(1)),
    ("pointer", Some(1)),
    ("box", Some(1)),
    ("uniquePerCC", Some(1)),
    ("function", Some(2)),
    ("invfunction", Some(2)),
    ("symmetric", Some(2)),
    ("antisymmetric", Some(2)),
    ("reflexive", Some(2)),
    ("antireflexive", Some(2)),
    ("transitive", Some(2)),
    ("acyclic", Some(2)),
    ("abs", None),
    ("nonabs", None),
];

/// The largest number of arguments of a predicate.
pub(super) const MAX_ARITY: usize = 2;

impl Expander<'_> {
    pub(super) fn declarations(&mut self, declarations: &[Declaration], scope: &Scope) {
        for declaration in declarations {
            if self.exhausted() {
                return;
            }
            match declaration {
                Declaration::Set { name, members } => self.set_declaration(name, members, scope),
                Declaration::Predicate(declaration) => self.predicate_declaration(declaration, scope),
                Declaration::Rule { body, head, span } => self.rule(body, head, *span, scope),
                Declaration::Foreach(foreach) => {
                    self.for_each(&foreach.variable, &foreach.set, scope, |expander, scope| {
                        expander.declarations(&foreach.body, scope);
                    });
                }
                Declaration::Live { variables, span } => self.live(variables, *span, scope),
                // They are about all predicates, the later ones as well.
                Declaration::Abstraction { .. } if scope.bindings.is_empty() => {}
                Declaration::Abstraction { span, .. } => {
                    let error =
                        Diagnostic::error("abstraction", *span, "an abstraction cannot be chosen in a `foreach`");
                    self.report(error.help("put the `foreach` into the set: `{r[n,z] : z in PVar}`"), scope);
                }
                Declaration::Focus(items) => {
                    let focus = self.focus(items, scope, false);
                    self.common_focus.extend(focus);
                }
                Declaration::Message(clause) => {
                    let message = self.message(clause, scope, &[], false);
                    self.common_messages.push(message);
                }
            }
        }
    }

    /// Notes the variables that matter where the program ends.
    fn live(&mut self, variables: &ast::SetExpression, span: Span, scope: &Scope) {
        for name in self.members(variables, scope).iter() {
            match self.vocabulary.lookup(name) {
                Some(p) if self.vocabulary[p].properties.unique && self.vocabulary[p].definition.is_none() => {
                    self.live.get_or_insert_default().push(p);
                }
                Some(_) => {
                    let error = Diagnostic::error("live", span, format!("`{name}` is no variable"));
                    self.report(error.note("a variable is declared with `%p`, and `unique`"), scope);
                }
                None => {
                    let error = Diagnostic::error("live", span, format!("`{name}` is not declared here"));
                    self.report(error.help("list variables after their declarations"), scope);
                }
            }
        }
    }

    fn set_declaration(&mut self, name: &Ident, members: &ast::SetExpression, scope: &Scope) {
        if !scope.bindings.is_empty() {
            let error = Diagnostic::error("set-in-foreach", name.span, "a set cannot be declared in a `foreach`");
            return self.report(error, scope);
        }
        self.declare_set(name, members, scope);
    }

    fn predicate_declaration(&mut self, declaration: &PredicateDeclaration, scope: &Scope) {
        if !self.afford(super::DECLARATION_WORK, declaration.name.span, scope) {
            return;
        }
        let name = self.resolve(&declaration.name, scope);
        let arity = declaration.parameters.len();
        if arity > MAX_ARITY {
            let message = format!("predicate `{name}` has {arity} arguments; at most {MAX_ARITY} are possible");
            let error = Diagnostic::error("arity", declaration.name.span, message);
            self.broken.insert(name);
            return self.report(error, scope);
        }
        let parameters = self.parameters(&declaration.parameters, scope);
        let mut predicate = Predicate::core(&name, arity);
        self.apply_properties(&mut predicate, &declaration.properties, scope);
        if let Some(values) = &declaration.display {
            predicate.display = DisplaySet::of(values);
        }
        if let Some(text) = &declaration.definition {
            let formula = self.formula(text, &Context { scope, free: Free::Only(&parameters), in_action: false });
            predicate.definition = Some(Definition { parameters, formula });
        }
        self.declare(predicate, declaration.name.span, scope);
    }

    fn declare(&mut self, predicate: Predicate, span: Span, scope: &Scope) {
        let name = predicate.name.clone();
        if self.vocabulary.declare(predicate).is_some() {
            let origin = self.origin(span, scope);
            return self.declared_at.push(origin);
        }
        let error = Diagnostic::error("redeclared", span, format!("predicate `{name}` is declared twice"));
        let place = self.vocabulary.lookup(&name).and_then(|first| self.declaration_place(first));
        let error = match place {
            Some(first) => error.secondary(first.span, "first declared here"),
            None => error.note(format!("`{name}` is built in")),
        };
        self.report(error, scope);
    }

    /// The variables of a parameter list, which must differ.
    pub(super) fn parameters(&mut self, words: &[Ident], scope: &Scope) -> Vec<Var> {
        let mut seen: FxHashMap<&str, Span> = FxHashMap::default();
        for word in words {
            if let Some(first) = seen.insert(&word.text, word.span) {
                let message = format!("parameter `{}` occurs twice", word.text);
                let error = Diagnostic::error("repeated-parameter", word.span, message);
                self.report(error.secondary(first, "first here"), scope);
            }
        }
        words.iter().map(|word| self.variable(word)).collect()
    }

    fn apply_properties(&mut self, predicate: &mut Predicate, properties: &[Property], scope: &Scope) {
        for Property { word: property, of } in properties {
            let Some((_, arity)) = PROPERTIES.iter().find(|(name, _)| *name == property.text.as_ref()) else {
                self.unknown_property(property, scope);
                continue;
            };
            let fits = arity.is_none_or(|arity| arity == predicate.arity);
            if !fits || (*property.text == *"abs" && predicate.arity > 1) {
                self.misplaced_property(property, predicate, scope);
                continue;
            }
            match of {
                Some(of) => {
                    let relation = self.predicate(of, 2, of.span, scope, false);
                    predicate.properties.unique_per_component = relation;
                }
                None => set_property(predicate, &property.text),
            }
        }
        let find = |name: &str| properties.iter().map(|property| &property.word).find(|word| *word.text == *name);
        if let (Some(abs), Some(nonabs)) = (find("abs"), find("nonabs")) {
            let error =
                Diagnostic::error("contradiction", nonabs.span, "a predicate cannot be both `abs` and `nonabs`");
            self.report(error.secondary(abs.span, "`abs` here"), scope);
        }
    }

    fn unknown_property(&mut self, property: &Ident, scope: &Scope) {
        let message = format!("there is no property `{}`", property.text);
        let help = suggest::help(&property.text, PROPERTIES.map(|(name, _)| name));
        let error = Diagnostic::error("unknown-property", property.span, message).maybe_help(help);
        let known = PROPERTIES.map(|(name, _)| name).join(", ");
        self.report(error.note(format!("the properties are {known}")), scope);
    }

    fn misplaced_property(&mut self, property: &Ident, predicate: &Predicate, scope: &Scope) {
        let kinds = ["nullary", "unary", "binary"];
        let wanted = match property.text.as_ref() {
            "abs" => "nullary and unary",
            "unique" | "uniquePerCC" | "pointer" | "box" => kinds[1],
            _ => kinds[2],
        };
        let message = format!("`{}` is a property of {wanted} predicates", property.text);
        let label = format!("but `{}` is {}", predicate.name, kinds[predicate.arity]);
        self.report(Diagnostic::error("property-arity", property.span, message).label(label), scope);
    }

    fn rule(&mut self, body: &ast::Formula, head: &ast::Formula, span: Span, scope: &Scope) {
        let head = self.head(head, scope);
        // A variable of the head must not be taken for one that the body binds.
        let mentioned = match &head {
            Some(Head::Predicate { arguments, .. }) => arguments.clone(),
            Some(Head::Equal { left, right, .. }) => vec![left.clone(), right.clone()],
            Some(Head::False) | None => Vec::new(),
        };
        let lowered = self.formula(body, &Context { scope, free: Free::Any(&mentioned), in_action: false });
        let Some(head) = head else { return };
        let origin = self.origin(span, scope);
        self.rules.push(Constraint { body: lowered, head, origin });
    }

    /// The head of a rule: 0, a literal, or an equality or its negation.
    fn head(&mut self, head: &ast::Formula, scope: &Scope) -> Option<Head> {
        let (inner, positive) = match &head.kind {
            FormulaKind::Not(inner) => (inner.as_ref(), false),
            _ => (head, true),
        };
        match &inner.kind {
            FormulaKind::Value(value) if (*value == Kleene::False) == positive && value.is_definite() => {
                Some(Head::False)
            }
            FormulaKind::Value(value) if value.is_definite() => {
                let warning = Diagnostic::warning("idle-rule", head.span, "a rule with head 1 is never breached");
                self.report(warning, scope);
                None
            }
            FormulaKind::Atom { predicate, arguments } => {
                let id = self.predicate(predicate, arguments.len(), inner.span, scope, false)?;
                let arguments = arguments.iter().map(|word| self.variable(word)).collect();
                Some(Head::Predicate { predicate: id, arguments, positive })
            }
            FormulaKind::Equal { left, right, negated } => {
                let (left, right) = (self.variable(left), self.variable(right));
                Some(Head::Equal { left, right, positive: positive != *negated })
            }
            _ => {
                let message = "the head of a rule is 0, a predicate, `v == w`, or the negation of one";
                self.report(Diagnostic::error("rule-head", head.span, message), scope);
                None
            }
        }
    }
}

fn set_property(predicate: &mut Predicate, property: &Arc<str>) {
    let properties = &mut predicate.properties;
    match property.as_ref() {
        "unique" => properties.unique = true,
        "function" => properties.function = true,
        "invfunction" => properties.invfunction = true,
        "symmetric" => properties.symmetric = true,
        "antisymmetric" => properties.antisymmetric = true,
        "reflexive" => properties.reflexive = true,
        "antireflexive" => properties.antireflexive = true,
        "transitive" => properties.transitive = true,
        "acyclic" => properties.acyclic = true,
        "pointer" | "box" => predicate.pointer = true,
        "abs" => predicate.abstraction = true,
        _ => predicate.abstraction = false,
    }
}
