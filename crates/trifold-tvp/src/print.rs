//! A whole specification as TVP text, in which sets, `foreach` and action parameters are expanded.
//!
//! Reading the text gives the specification back, up to origins. For example, an action that is used with two arguments
//! is printed twice, once for each.

use crate::lexer::is_word;
use std::collections::BTreeSet;
use std::fmt::Write;
use trifold_logic::{DisplaySet, Formula, Kleene, Predicate, PredicateId, Properties, Var, Vocabulary};
use trifold_tvl::{
    Action, ActionId, Call, Cfg, Constraint, Contract, Edge, EdgeId, Expression, Head, IdVec, Label, LocationId,
    Message, MessageKind, Moment, New, Procedure, Specification, Update,
};

/// The specification as TVP text.
pub fn print_specification(specification: &Specification) -> String {
    let printer = Printer { vocabulary: &specification.vocabulary };
    let mut text = String::new();
    for (_, predicate) in specification.vocabulary.iter().skip(Vocabulary::BUILT_IN) {
        text += &printer.predicate(predicate);
    }
    if let Some(live) = &specification.cfg.live {
        let names: Vec<&str> = live.iter().map(|p| specification.vocabulary[*p].name.as_ref()).collect();
        let _ = writeln!(text, "%live {{{}}}", names.join(", "));
    }
    text += &printer.abstractions(&specification.cfg);
    for rule in &specification.rules {
        text += &printer.rule(rule);
    }
    text += "\n%%\n\n";
    for (id, action) in specification.actions.enumerate() {
        text += &printer.action(id, action);
    }
    text + "%%\n\n" + &printer.graph(&specification.cfg)
}

struct Printer<'s> {
    vocabulary: &'s Vocabulary,
}

impl Printer<'_> {
    fn formula(&self, formula: &Formula) -> String {
        formula.show(self.vocabulary).to_string()
    }

    fn abstractions(&self, cfg: &Cfg) -> String {
        let mut text = String::new();
        if let Some(expression) = &cfg.abstraction {
            let _ = writeln!(text, "%abstraction {}", self.expression(expression));
        }
        for (place, expression) in &cfg.abstractions {
            let _ = writeln!(text, "%abstraction {} at {}", self.expression(expression), location(cfg, *place));
        }
        text
    }

    fn expression(&self, expression: &Expression) -> String {
        let set = |predicates: &[PredicateId]| {
            let names: Vec<&str> = predicates.iter().map(|p| self.vocabulary[*p].name.as_ref()).collect();
            format!("{{{}}}", names.join(", "))
        };
        match expression {
            Expression::Unary(predicates) => set(predicates),
            Expression::Both(parts) => {
                let [left, right] = parts.each_ref().map(|part| self.expression(part));
                let right = if matches!(parts[1], Expression::Unary(_)) { right } else { format!("({right})") };
                format!("{left} & {right}")
            }
            Expression::Refined(inner, predicates) => format!("{} |> {}", self.expression(inner), set(predicates)),
        }
    }

    fn predicate(&self, predicate: &Predicate) -> String {
        let flags = self.flags(predicate);
        match &predicate.definition {
            Some(definition) => {
                let (parameters, formula) = (list(&definition.parameters), self.formula(&definition.formula));
                format!("%i {}({parameters}) = {formula}{flags}\n", predicate.name)
            }
            None => {
                let parameters = ["", "v", "v1, v2"][predicate.arity.min(2)];
                format!("%p {}({parameters}){flags}\n", predicate.name)
            }
        }
    }

    /// The properties and the display set, each with a blank before it.
    fn flags(&self, predicate: &Predicate) -> String {
        let Properties {
            unique,
            function,
            invfunction,
            symmetric,
            antisymmetric,
            reflexive,
            antireflexive,
            transitive,
            acyclic,
            unique_per_component,
        } = predicate.properties;
        let flags = [
            (unique, "unique"),
            (function, "function"),
            (invfunction, "invfunction"),
            (symmetric, "symmetric"),
            (antisymmetric, "antisymmetric"),
            (reflexive, "reflexive"),
            (antireflexive, "antireflexive"),
            (transitive, "transitive"),
            (acyclic, "acyclic"),
            (predicate.pointer, "pointer"),
            (predicate.arity <= 1 && !predicate.abstraction, "nonabs"),
        ];
        let mut text: String = flags.iter().filter(|(on, _)| *on).map(|(_, name)| format!(" {name}")).collect();
        if let Some(relation) = unique_per_component {
            text += &format!(" uniquePerCC({})", self.vocabulary[relation].name);
        }
        if predicate.display != DisplaySet::default() {
            let shown = Kleene::ALL.into_iter().rev().filter(|value| predicate.display.shows(*value));
            text += &format!(" {{{}}}", shown.map(|value| value.to_string()).collect::<Vec<_>>().join(", "));
        }
        text
    }

    fn rule(&self, rule: &Constraint) -> String {
        let head = match &rule.head {
            Head::False => "0".to_string(),
            Head::Predicate { predicate, arguments, positive } => {
                let sign = if *positive { "" } else { "!" };
                format!("{sign}{}({})", self.vocabulary[*predicate].name, list(arguments))
            }
            Head::Equal { left, right, positive } => format!("{left} {} {right}", if *positive { "==" } else { "!=" }),
        };
        format!("%r {} ==> {head}\n", self.formula(&rule.body))
    }

    fn action(&self, id: ActionId, action: &Action) -> String {
        let mut text = format!("%action {}() {{\n  %t {}\n", action_name(id), quoted(&action.title));
        if !action.focus.is_empty() {
            let formulas: Vec<String> = action.focus.iter().map(|(formula, _)| self.formula(formula)).collect();
            let _ = writeln!(text, "  %f {{ {} }}", formulas.join(", "));
        }
        if let Some(precondition) = &action.precondition {
            let _ = writeln!(text, "  %p {}", self.formula(precondition));
        }
        text += &self.messages(action, Moment::BeforeUpdate);
        text += &match &action.new {
            None => String::new(),
            Some(New::Single) => "  %new\n".to_string(),
            Some(New::Copies { formula, .. }) => format!("  %new {}\n", self.formula(formula)),
            Some(New::Clones { formula, .. }) => format!("  %clone {}\n", self.formula(formula)),
        };
        text += &self.updates(action);
        if let Some(retain) = &action.retain {
            let _ = writeln!(text, "  %retain {}", self.formula(&retain.formula));
        }
        text + &self.messages(action, Moment::AfterUpdate) + "}\n\n"
    }

    fn messages(&self, action: &Action, moment: Moment) -> String {
        let line = |message: &Message| {
            let prefix = match message.kind {
                MessageKind::Alarm => "",
                MessageKind::Property(true) => "1:",
                MessageKind::Property(false) => "0:",
            };
            let text = quoted(&format!("{prefix}{}", message.text));
            format!("  %message ({}) -> {text}\n", self.formula(&message.condition))
        };
        action.messages.iter().filter(|message| message.moment == moment).map(line).collect()
    }

    fn graph(&self, cfg: &Cfg) -> String {
        let line = |edge: EdgeId| {
            let edge = &cfg.edges[edge];
            let what = match edge.label {
                Label::Action(action) => used(action),
                Label::Call(call) => self.call(&cfg.calls[call], cfg),
            };
            format!("{} {what} {}\n", location(cfg, edge.source), location(cfg, edge.target))
        };
        let mut text = String::new();
        if cfg.procedures.is_empty() {
            // The analysis starts at the location that is written first.
            let first = cfg.edges.position(|edge| edge.source == LocationId::ENTRY);
            let others = cfg.edges.ids().filter(|edge| Some(*edge) != first);
            text.extend(first.into_iter().chain(others).map(line));
        }
        for (procedure, edges) in cfg.procedures.iter().zip(parts(cfg)) {
            let (entry, exit) = (location(cfg, procedure.entry), location(cfg, procedure.exit));
            let _ = writeln!(text, "%procedure {}({entry}, {exit})", word_or_text(&procedure.name));
            if let Some(Contract { requires, ensures, .. }) = &procedure.contract {
                let [requires, ensures] = [requires, ensures].map(|formula| self.formula(formula));
                let _ = writeln!(text, "  %requires ({requires})\n  %ensures ({ensures})");
            }
            text += "{\n";
            text.extend(edges.into_iter().map(|edge| format!("  {}", line(edge))));
            text += "}\n\n";
        }
        if let Some(printed) = &cfg.printed {
            let names: Vec<String> = printed.iter().map(|l| location(cfg, *l)).collect();
            let _ = writeln!(text, "\n%%\n\n{}", names.join(", "));
        }
        text
    }

    fn call(&self, call: &Call, cfg: &Cfg) -> String {
        let enter: Vec<String> = call.enter.iter().map(|action| used(*action)).collect();
        let taken = call.from_exit.iter().map(|(to, from)| {
            let [to, from] = [to, from].map(|predicate| self.vocabulary[*predicate].name.as_ref());
            if to == from { to.to_string() } else { format!("{to} = {from}") }
        });
        let taken = taken.collect::<Vec<_>>().join(", ");
        let taken = if taken.is_empty() { taken } else { format!(" {{{taken}}}") };
        let callee = word_or_text(&cfg.procedures[call.callee].name);
        format!("%call {callee} %enter {} %return {}{taken}", enter.join(", "), used(call.combine))
    }

    /// The block of updates. It is there, though empty, when a message comes after it.
    fn updates(&self, action: &Action) -> String {
        let after = action.messages.iter().any(|message| message.moment == Moment::AfterUpdate);
        if action.updates.is_empty() && action.auto.is_empty() && !after {
            return String::new();
        }
        let line = |update: &Update| {
            let (name, parameters) = (&self.vocabulary[update.predicate].name, list(&update.parameters));
            format!("    {name}({parameters}) = {}\n", self.formula(&update.formula))
        };
        let derived = |predicate: &PredicateId| {
            let predicate = &self.vocabulary[*predicate];
            let parameters = predicate.definition.as_ref().map(|d| list(&d.parameters)).unwrap_or_default();
            format!("    {}({parameters}) = 1/2 auto\n", predicate.name)
        };
        let lines = action.updates.iter().map(line).chain(action.auto.iter().map(derived));
        format!("  {{\n{}  }}\n", lines.collect::<String>())
    }
}

fn used(action: ActionId) -> String {
    format!("{}()", action_name(action))
}

/// The edges of each procedure: what its entry leads to. Those that no entry leads to are with the procedure that they
/// lead to, or with the first.
fn parts(cfg: &Cfg) -> Vec<Vec<EdgeId>> {
    let mut printed: IdVec<EdgeId, bool> = IdVec::filled(false, cfg.edges.len());
    let part = |procedure: &Procedure| {
        let (mut edges, mut found, mut open) = (Vec::new(), BTreeSet::new(), vec![procedure.entry]);
        while let Some(location) = open.pop() {
            if !found.insert(location) {
                continue;
            }
            for (id, edge) in cfg.edges.enumerate().filter(|(_, edge)| edge.source == location) {
                open.push(edge.target);
                if !std::mem::replace(&mut printed[id], true) {
                    edges.push(id);
                }
            }
        }
        edges
    };
    let mut parts: Vec<Vec<EdgeId>> = cfg.procedures.iter().map(part).collect();
    if parts.is_empty() {
        return parts;
    }
    let mut left: Vec<EdgeId> = cfg.edges.ids().filter(|edge| !printed[*edge]).collect();
    while !left.is_empty() {
        let known = left.iter().enumerate().find_map(|(at, edge)| {
            let Edge { source, target, .. } = cfg.edges[*edge];
            let meets = |edge: &EdgeId| {
                let known = &cfg.edges[*edge];
                [source, target].contains(&known.source) || known.target == source
            };
            let is_part =
                |(edges, procedure): (&Vec<EdgeId>, &Procedure)| procedure.exit == target || edges.iter().any(meets);
            Some((at, parts.iter().zip(&cfg.procedures).position(is_part)?))
        });
        let (at, part) = known.unwrap_or_default();
        parts[part].push(left.remove(at));
    }
    parts.iter_mut().for_each(|part| part.sort_unstable());
    parts
}

fn location(cfg: &Cfg, location: LocationId) -> String {
    word_or_text(&cfg.locations[location])
}

fn word_or_text(name: &str) -> String {
    let plain = is_word(name) && !crate::parse::RESERVED.contains(&name);
    if plain { name.to_string() } else { quoted(name) }
}

fn action_name(id: ActionId) -> String {
    format!("action_{}", id.index() + 1)
}

fn list(variables: &[Var]) -> String {
    variables.iter().map(Var::name).collect::<Vec<_>>().join(", ")
}

/// TVP's strings have no escapes.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "'").replace(['\n', '\r'], " "))
}
