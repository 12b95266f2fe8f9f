//! "Did you mean …?": the nearest known name by edit distance.
//!
//! For example, `nearest("nxet", ["next", "prev"])` is `next`, because one swap of neighbours leads there.

/// Candidates looked at; the search happens only for an error, but must stay quick then.
const MAX_CANDIDATES: usize = 20_000;
/// Longer names are not compared.
const MAX_LENGTH: usize = 64;

/// Names that differ more are not meant for each other.
const MAX_DISTANCE: usize = 5;

/// The candidate nearest to `name`, if it is near enough to be meant. Of equally near ones the first.
pub fn nearest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    if name.len() > MAX_LENGTH {
        return None;
    }
    let mut best = None;
    // A name of one letter is near to every other one, so it must agree up to case.
    let mut limit = if name.len() < 2 { 0 } else { name.len().div_ceil(3).min(MAX_DISTANCE) };
    for candidate in candidates.into_iter().take(MAX_CANDIDATES) {
        if let Some(distance) = distance(name, candidate, limit) {
            best = Some(candidate);
            match distance.checked_sub(1) {
                Some(nearer) => limit = nearer,
                None => break,
            }
        }
    }
    best
}

/// The advice for a name that was not found.
pub fn help<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<String> {
    nearest(name, candidates).map(|near| format!("did you mean `{near}`?"))
}

/// The number of insertions, deletions, replacements and swaps of neighbours, if at most `limit`. Case does not matter.
fn distance(name: &str, candidate: &str, limit: usize) -> Option<usize> {
    if name.len().abs_diff(candidate.len()) > limit || candidate.len() > MAX_LENGTH {
        return None;
    }
    let distance = strsim::osa_distance(&name.to_ascii_lowercase(), &candidate.to_ascii_lowercase());
    (distance <= limit).then_some(distance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found() {
        assert_eq!(nearest("r[n,xx]", ["r[n,y]", "r[n,x]", "x"]), Some("r[n,x]"));
        assert_eq!(nearest("Get_Nxet_L", ["Set_Null_L", "Get_Next_L"]), Some("Get_Next_L"));
        assert_eq!(nearest("pvar", ["PVar"]), Some("PVar"));
        assert_eq!(nearest("q", ["unique", "function"]), None);
        assert_eq!(nearest("Y", ["x", "y"]), Some("y"));
        assert_eq!(nearest("node", ["nodes", "nod", "leaf"]), Some("nodes"));
        assert_eq!(nearest("abcdef", ["uvwxyz"]), None);
    }
}
