//! `trifold derive`: the updates that are derived for defined predicates. For example, an action that changes `n` gets
//! an update of `r[n,x]`, which is defined by `n` and `x`.

use crate::arguments::DeriveOptions;
use crate::{Outcome, Refused};
use trifold_analyze::text::derived;
use trifold_machine::disk::{self, Disk};
use trifold_tvl::{Action, Derive};
use trifold_tvp::load;

pub fn run(options: &DeriveOptions) -> Result<Outcome, Refused> {
    let loaded = load(&options.program, &Disk, &options.read.preprocessor())
        .map_err(|failure| Refused(failure.render(options.read.color.wanted())))?;
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
        actions.into_iter().map(|action| derived(action, &specification.vocabulary, which)).collect();
    disk::print(&text.join("\n"))?;
    Ok(Outcome::Success)
}
