//! `trifold derive`: the updates that are derived for defined predicates. For example, an action that changes `n` gets
//! an update of `r[n,x]`, which is defined by `n` and `x`.

use crate::arguments::DeriveOptions;
use crate::disk::{self, Disk};
use crate::{Outcome, Refused};
use std::fmt::Write;
use trifold_logic::{Rule, Vocabulary};
use trifold_tvl::{Action, Derive, derived_updates};
use trifold_tvp::load;

pub fn run(options: &DeriveOptions) -> Result<Outcome, Refused> {
    let loaded = load(&options.program, &Disk, &options.read.preprocessor())
        .map_err(|failure| Refused(failure.render(options.read.colour())))?;
    let specification = &loaded.specification;
    let wanted = |action: &&Action| options.action.as_ref().is_none_or(|title| action.title.contains(title.as_str()));
    let actions: Vec<&Action> = specification.actions.iter().filter(wanted).collect();
    if actions.is_empty() {
        let titles: Vec<&str> = specification.actions.iter().map(|action| action.title.as_str()).collect();
        let asked = options.action.as_deref().unwrap_or_default();
        return Err(Refused::new(format!("no action's title contains `{asked}`; there are: {}", titles.join("; "))));
    }
    let which = if options.all { Derive::All } else { Derive::Missing };
    let text: Vec<String> =
        actions.into_iter().map(|action| describe(action, &specification.vocabulary, which)).collect();
    disk::print(&text.join("\n"))?;
    Ok(Outcome::Success)
}

/// The title of an action and its derived updates, in the syntax of TVP; `p'` is the new value of `p`.
fn describe(action: &Action, vocabulary: &Vocabulary, which: Derive) -> String {
    let mut text = format!("{}\n", action.title);
    let derived = derived_updates(action, vocabulary, which);
    if derived.is_empty() {
        text.push_str("  nothing to derive\n");
    }
    for update in derived {
        let parameters: Vec<&str> = update.value.parameters.iter().map(|v| v.name()).collect();
        let name = &vocabulary[update.predicate].name;
        let formula = update.value.formula.show(vocabulary);
        let how = if update.rule == Rule::Afresh { "  // the definition, evaluated afresh" } else { "" };
        let _ = writeln!(text, "  {name}({}) = {formula}{how}", parameters.join(", "));
    }
    text
}
