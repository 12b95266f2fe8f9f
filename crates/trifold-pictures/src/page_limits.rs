//! How many pictures a page has: browsers are slow with more, and so are readers. For example, if 100 points have 1,000
//! pictures each, each point shows 30 of them.

use std::collections::BTreeSet;
use trifold_report::{Page, Picture};

/// A page has at most so many pictures of program points, and of traces besides. About one kilobyte is needed for each.
pub const MAX_PICTURES: usize = 3_000;

/// Steps at the end of a trace that a page shows.
pub const MAX_STEPS: usize = 300;

/// How many pictures each point may have, so that all of them together are not too many.
pub fn most_per_point(counts: &[usize], budget: usize) -> usize {
    let fits = |most: &usize| counts.iter().map(|count| count.min(most)).sum::<usize>() <= budget;
    [usize::MAX, 500, 300, 200, 150, 100, 70, 50, 30, 20, 10, 5, 2].into_iter().find(fits).unwrap_or(1)
}

/// The number of a picture of a trace, unless the page is too large already.
pub fn traced(page: &mut Page, picture: &Picture, shown: &BTreeSet<String>) -> Option<usize> {
    (page.len() < 2 * MAX_PICTURES).then(|| page.picture(picture, shown))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_share_the_room() {
        assert_eq!(most_per_point(&[3, 4], 10), usize::MAX);
        assert_eq!(most_per_point(&[1_000, 4], 300), 200);
        assert_eq!(most_per_point(&[9; 100], 50), 1);
    }
}
