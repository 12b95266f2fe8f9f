//! Shrinking: fewer choices, and choices closer to zero, with which a run still fails in the same way.
//!
//! Delta debugging over the recorded choices [ZellerH02]: parts of the sequence are left out, the longest first, then
//! each number is tried as zero, as one, as a half of itself, and one closer to zero. Where a loop asks whether to go
//! on, that is fewer rounds. For example, of `8, 1288526471, 0, 3` there may remain `1, 0`.

/// So many runs are made to shrink one.
const RUNS: usize = 400;

/// Shrinks choices. `fails` makes a run with other ones, and says which choices were made if it fails in the same way.
pub(super) fn shrink(choices: Vec<i128>, fails: &mut dyn FnMut(&[i128]) -> Option<Vec<i128>>) -> Vec<i128> {
    let mut left = RUNS;
    let mut best = choices;
    let mut attempt = |candidate: Vec<i128>, best: &mut Vec<i128>| {
        if left == 0 || weight(&candidate) >= weight(best) {
            return false;
        }
        left -= 1;
        let made = fails(&candidate).filter(|made| weight(made) < weight(best));
        made.map(|made| *best = made).is_some()
    };
    loop {
        let before = best.clone();
        let mut length = best.len();
        while length > 0 {
            let mut start = 0;
            while start + length <= best.len() {
                let candidate = [&best[..start], &best[start + length..]].concat();
                if !attempt(candidate, &mut best) {
                    start += 1.max(length / 2);
                }
            }
            length /= 2;
        }
        for index in 0.. {
            let Some(number) = best.get(index).copied() else { break };
            for smaller in [0, number.signum(), number / 2, number - number.signum()] {
                let mut candidate = best.clone();
                if let Some(place) = candidate.get_mut(index) {
                    *place = smaller;
                }
                attempt(candidate, &mut best);
            }
        }
        if best == before {
            return best;
        }
    }
}

/// Shorter is smaller; of the same length, that with the numbers closer to zero. A positive number is closer than its
/// opposite.
fn weight(choices: &[i128]) -> (usize, Vec<(u128, bool)>) {
    (choices.len(), choices.iter().map(|choice| (choice.unsigned_abs(), *choice < 0)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_matter_goes() {
        // It fails if some number is greater than 10 and a later one is odd.
        let mut fails = |choices: &[i128]| {
            let large = choices.iter().position(|choice| *choice > 10)?;
            choices[large + 1..].iter().any(|choice| choice % 2 == 1).then(|| choices.to_vec())
        };
        assert_eq!(shrink(vec![8, 1_288_526_471, 0, 3, 2_147_483_647], &mut fails), [11, 1]);
    }

    #[test]
    fn what_cannot_shrink_stays() {
        assert_eq!(shrink(vec![5, -3], &mut |choices| (choices == [5, -3]).then(|| choices.to_vec())), [5, -3]);
        assert_eq!(shrink(Vec::new(), &mut |_| Some(Vec::new())), Vec::<i128>::new());
    }
}
