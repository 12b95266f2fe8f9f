//! Rows of bits: one for each individual, 64 in a machine word.

/// An individual of one structure: its position in the universe.
pub type Individual = usize;

/// Words of a row over a universe of this size; an empty universe still has one.
pub fn row_words(size: usize) -> usize {
    size.div_ceil(64).max(1)
}

/// Collects the bits of `row` at `sources` into `result`, which is all 0.
pub(crate) fn gather(row: &[u64], sources: &[Individual], result: &mut [u64]) {
    if let ([row], [result]) = (row, &mut *result) {
        if *row != 0 {
            *result = sources.iter().enumerate().fold(0, |all, (i, source)| all | (row >> source & 1) << i);
        }
        return;
    }
    for (i, &source) in sources.iter().enumerate() {
        result[i / 64] |= (row[source / 64] >> (source % 64) & 1) << (i % 64);
    }
}

/// Reads a bit of a row.
pub fn test(row: &[u64], u: Individual) -> bool {
    row[u / 64] >> (u % 64) & 1 != 0
}

/// Writes a bit of a row.
pub fn assign(row: &mut [u64], u: Individual, on: bool) {
    let mask = 1 << (u % 64);
    if on { row[u / 64] |= mask } else { row[u / 64] &= !mask }
}

/// The positions of the bits of a row, ascending.
pub fn bits(row: &[u64]) -> impl Iterator<Item = Individual> + '_ {
    row.iter().enumerate().flat_map(|(index, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let bit = rest.trailing_zeros();
            (bit < 64).then(|| {
                rest &= rest - 1;
                index * 64 + bit as usize
            })
        })
    })
}

/// All tuples of individuals of a universe of this size.
pub fn all_tuples(arity: usize, size: usize) -> impl Iterator<Item = Vec<Individual>> {
    let count = size.pow(arity as u32);
    (0..count).map(move |number| (0..arity).map(|i| number / size.pow(i as u32) % size).collect())
}

/// The assignments whose bits are set in a table.
pub fn assignments(table: &[u64], columns: usize, size: usize) -> Vec<Vec<Individual>> {
    if table.iter().all(|word| *word == 0) {
        return Vec::new();
    }
    let row = row_words(size);
    match columns {
        0 => vec![Vec::new()],
        1 => bits(table).map(|u| vec![u]).collect(),
        2 => (0..size).flat_map(|u| bits(&table[u * row..(u + 1) * row]).map(move |v| vec![u, v])).collect(),
        _ => all_tuples(columns, size)
            .filter(|tuple| {
                let (last, rows) = tuple.split_last().expect("at least three columns");
                let number = rows.iter().fold(0, |number, u| number * size + u);
                test(&table[number * row..(number + 1) * row], *last)
            })
            .collect(),
    }
}
