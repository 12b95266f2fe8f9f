//! Where nondeterminism is decided: at random, as recorded, or in every possible way. For example, `if (*)` takes
//! either branch, and `i = nondet(0, 2)` is 0, 1 or 2.

/// Decides the choices that a program leaves open.
pub trait Choices {
    /// A number from `low` to `high`, both included, or `None` to give the run up.
    fn choose(&mut self, low: i128, high: i128) -> Option<i128>;

    /// The value of a scalar that is read before it was set.
    fn settle(&mut self, low: i128, high: i128) -> Option<i128> {
        self.choose(low, high)
    }

    /// One of several ways on, of which the last is given; for conditions that do not exclude each other, comparisons
    /// that come out by chance, and calls of one of several procedures.
    fn pick(&mut self, last: usize) -> Option<usize> {
        self.choose(0, last as i128).map(|index| index as usize)
    }
}

/// Random choices that depend on nothing but the seed. Wide ranges yield zero, small numbers and their bounds more
/// often than others.
///
/// Seeds differ in their habits, as in swarm testing (GroceZECR12 in the bibliography): a failure may need many choices
/// of one kind, which are rare where each choice is made anew. For example, `while (any() % 8)` goes on for long with
/// every third seed, and a third of these nearly always takes the first of two ways, such as an allocation that does
/// not fail.
#[derive(Clone, Debug)]
pub struct Seeded {
    state: u64,
    habits: Option<Habits>,
}

/// What a seed does more often.
#[derive(Clone, Copy, Debug)]
enum Habits {
    /// Small numbers, but not zero.
    Small,
    /// These, and the first of two ways.
    First,
    /// These, and the second of two ways.
    Second,
}

impl Seeded {
    /// Choices for a seed.
    pub fn new(seed: u64) -> Seeded {
        let habits = match seed % 9 {
            2 => Some(Habits::Small),
            5 => Some(Habits::First),
            8 => Some(Habits::Second),
            _ => None,
        };
        Seeded { state: seed, habits }
    }

    /// The SplitMix64 generator.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: i128) -> i128 {
        (i128::from(self.next()) << 32 ^ i128::from(self.next())).rem_euclid(bound)
    }
}

impl Choices for Seeded {
    fn choose(&mut self, low: i128, high: i128) -> Option<i128> {
        const SMALL: i128 = 8;
        const CHARACTERS: i128 = 257;
        let size = high - low + 1;
        let is_usual = self.habits.is_none() || self.below(8) == 0;
        match self.habits.filter(|_| !is_usual) {
            Some(Habits::First) if size == 2 => return Some(low),
            Some(Habits::Second) if size == 2 => return Some(high),
            Some(_) if size > 2 * SMALL => {
                let number = 1 + self.below(6);
                let sign = if low < 0 && self.below(2) == 0 { -1 } else { 1 };
                return Some((sign * number).clamp(low, high));
            }
            _ if size <= 2 * SMALL => return Some(low + self.below(size)),
            _ => {}
        }
        Some(match self.below(8) {
            // Loops ask whether to go on, and should not do so too often.
            0..=1 => 0.clamp(low, high),
            // A character may be compared with any other.
            4 if size <= CHARACTERS => low + self.below(size),
            2..=4 => (self.below(2 * SMALL) - SMALL / 2).clamp(low, high),
            5 => low,
            6 => high,
            _ => low + self.below(size),
        })
    }
}

/// The choices of an earlier run. The run is given up when there are no more.
#[derive(Clone, Debug)]
pub struct Replay {
    choices: std::vec::IntoIter<i128>,
}

impl Replay {
    /// Repeats these choices; numbers outside of the range that is asked for become the nearest bound.
    pub fn new(choices: Vec<i128>) -> Replay {
        Replay { choices: choices.into_iter() }
    }
}

impl Choices for Replay {
    fn choose(&mut self, low: i128, high: i128) -> Option<i128> {
        self.choices.next().map(|choice| choice.clamp(low, high))
    }
}

/// Notes the choices that another one makes.
#[derive(Clone, Debug)]
pub struct Recorded<C> {
    inner: C,
    /// The choices so far, for [`Replay`].
    pub made: Vec<i128>,
}

impl<C> Recorded<C> {
    /// Notes the choices of `inner`.
    pub fn new(inner: C) -> Recorded<C> {
        Recorded { inner, made: Vec::new() }
    }
}

impl<C: Choices> Choices for Recorded<C> {
    fn choose(&mut self, low: i128, high: i128) -> Option<i128> {
        let choice = self.inner.choose(low, high)?;
        self.made.push(choice);
        Some(choice)
    }
}

/// All choices, one combination per run: call [`Exhaustive::advance`] between runs until it says no.
///
/// ```
/// use trifold_ir::{Choices, Exhaustive};
/// let mut choices = Exhaustive::new(10, 4);
/// let mut sums = Vec::new();
/// loop {
///     sums.extend(choices.choose(0, 1).zip(choices.choose(1, 3)).map(|(a, b)| 10 * a + b));
///     if !choices.advance() {
///         break;
///     }
/// }
/// assert_eq!(sums, [1, 2, 3, 11, 12, 13]);
/// ```
#[derive(Clone, Debug)]
pub struct Exhaustive {
    values: i128,
    depth: usize,
    /// The choices of this run, each with the last one of its range.
    path: Vec<(i128, i128)>,
    /// How many of them have been asked for.
    asked: usize,
    /// Was anything left out: values of a wide range, or runs with more choices?
    pub cut: bool,
}

impl Exhaustive {
    /// Tries at most `values` numbers of each range, those around zero, and gives up runs with more than `depth`
    /// choices.
    pub fn new(values: u32, depth: usize) -> Exhaustive {
        Exhaustive { values: i128::from(values.max(1)), depth, path: Vec::new(), asked: 0, cut: false }
    }

    /// Goes on to the next combination, if there is one.
    pub fn advance(&mut self) -> bool {
        self.path.truncate(self.asked);
        self.asked = 0;
        while let Some((choice, last)) = self.path.pop() {
            if choice < last {
                self.path.push((choice + 1, last));
                return true;
            }
        }
        false
    }

    /// The choices of this run, for [`Replay`].
    pub fn made(&self) -> Vec<i128> {
        self.path[..self.asked].iter().map(|(choice, _)| *choice).collect()
    }
}

impl Choices for Exhaustive {
    fn choose(&mut self, low: i128, high: i128) -> Option<i128> {
        if self.asked == self.path.len() {
            if self.asked == self.depth {
                self.cut = true;
                return None;
            }
            self.cut |= high - low >= self.values;
            let first = low.max((-self.values / 2).min(high - self.values + 1));
            self.path.push((first, high.min(first + self.values - 1)));
        }
        self.asked += 1;
        Some(self.path[self.asked - 1].0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(low: i128, high: i128) -> (Vec<i128>, bool) {
        let mut choices = Exhaustive::new(4, 1);
        let mut found = vec![choices.choose(low, high).expect("the first choice")];
        while choices.advance() {
            found.extend(choices.choose(low, high));
        }
        (found, choices.cut)
    }

    #[test]
    fn wide_ranges_are_tried_around_zero() {
        assert_eq!(values(0, 2), (vec![0, 1, 2], false));
        assert_eq!(values(0, 3), (vec![0, 1, 2, 3], false));
        assert_eq!(values(-100, 100), (vec![-2, -1, 0, 1], true));
        assert_eq!(values(0, 100), (vec![0, 1, 2, 3], true));
        assert_eq!(values(5, 100), (vec![5, 6, 7, 8], true));
        assert_eq!(values(-100, -7), (vec![-10, -9, -8, -7], true));
    }

    #[test]
    fn random_choices_stay_in_range_and_are_determined() {
        let draw = |seed| {
            let mut choices = Seeded::new(seed);
            let ranges = [(0, 1), (-3, 3), (i128::from(i64::MIN), i128::from(u64::MAX)), (100, 1000)];
            let drawn =
                ranges.iter().cycle().take(400).map(move |(low, high)| (choices.choose(*low, *high), *low, *high));
            drawn.collect::<Vec<_>>()
        };
        assert!(
            draw(1).iter().all(|(choice, low, high)| choice.is_some_and(|choice| (*low..=*high).contains(&choice)))
        );
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
    }
}
