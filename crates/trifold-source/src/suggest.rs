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
        if let Some(distance) = distance(name.as_bytes(), candidate.as_bytes(), limit) {
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

/// The number of insertions, deletions, replacements and swaps of neighbours, if at most `limit`.
///
/// Only cells near the diagonal are computed, since those further off are worth more than the limit.
fn distance(a: &[u8], b: &[u8], limit: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > limit || b.len() > MAX_LENGTH {
        return None;
    }
    let far = limit as u8 + 1;
    let mut before = [far; MAX_LENGTH + 1];
    let mut last: [u8; MAX_LENGTH + 1] = std::array::from_fn(|j| far.min(j as u8));
    for i in 0..a.len() {
        let mut row = [far; MAX_LENGTH + 1];
        row[0] = far.min(i as u8 + 1);
        let mut smallest = row[0];
        for j in i.saturating_sub(limit)..b.len().min(i + limit + 1) {
            let replaced = last[j] + u8::from(!a[i].eq_ignore_ascii_case(&b[j]));
            let mut cost = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                cost = cost.min(before[j - 1] + 1);
            }
            row[j + 1] = cost.min(far);
            smallest = smallest.min(row[j + 1]);
        }
        if smallest == far {
            return None;
        }
        before = std::mem::replace(&mut last, row);
    }
    Some(last[b.len()] as usize).filter(|distance| *distance <= limit)
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
    }
}
