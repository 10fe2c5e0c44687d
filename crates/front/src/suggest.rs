//! The declared name nearest to one that is not declared.
//!
//! Distance is Damerau's (1964): how many letters to insert, delete, replace or swap with their
//! neighbour, each letter at most once. A name is worth suggesting when at most a third of its
//! letters, and at most three, have to change. Names of one letter are near to too much.

/// The longest name that is compared; comparing costs the product of the lengths.
const LONGEST: usize = 64;
/// The most names that are compared.
const MAX_NAMES: usize = 20_000;

/// The name nearest to `name`, if one is near; the first of equally near ones.
pub(crate) fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let limit = (name.chars().count() / 3).clamp(1, 3);
    if name.len() > LONGEST || name.chars().count() < 2 {
        return None;
    }
    let near = known
        .take(MAX_NAMES)
        .filter(|other| other.len() <= LONGEST && other.len().abs_diff(name.len()) <= limit)
        .map(|other| (distance(name.as_bytes(), other.as_bytes()), other));
    near.filter(|&(distance, _)| distance <= limit)
        .min_by_key(|&(distance, _)| distance)
        .map(|n| n.1)
}

fn distance(left: &[u8], right: &[u8]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for i in 0..left.len() {
        let mut next = vec![i + 1];
        for j in 0..right.len() {
            let replaced = row[j] + usize::from(left[i] != right[j]);
            let mut best = replaced.min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && left[i] == right[j - 1] && left[i - 1] == right[j] {
                best = best.min(before[j - 1] + 1);
            }
            next.push(best);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[right.len()]
}
