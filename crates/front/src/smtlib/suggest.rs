//! The declared name nearest to one that is not declared.
//!
//! Distance is Levenshtein's (1966): how many letters to insert, delete or replace. A name is
//! worth suggesting when at most a third of its letters, and at most three, have to change.

/// The longest name that is compared; comparing costs the product of the lengths.
const LONGEST: usize = 64;
/// The most names that are compared.
const MOST_NAMES: usize = 20_000;

/// The name nearest to `name`, if one is near; the first of equally near ones.
pub(super) fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let limit = (name.chars().count() / 3).clamp(1, 3);
    if name.len() > LONGEST {
        return None;
    }
    let near = known
        .take(MOST_NAMES)
        .filter(|other| other.len() <= LONGEST && other.len().abs_diff(name.len()) <= limit)
        .map(|other| (distance(name.as_bytes(), other.as_bytes()), other));
    near.filter(|&(distance, _)| distance <= limit)
        .min_by_key(|&(distance, _)| distance)
        .map(|n| n.1)
}

fn distance(left: &[u8], right: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}
