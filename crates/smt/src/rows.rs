//! Systems of linear equations over rational numbers, as rows.
//!
//! Invariant of a reduced system: each row has a one at its pivot, where all others have zero.

use alphorn_term::Rat;

/// Brings rows into reduced echelon form; returns the pivots of the rows that are left.
pub fn reduce(rows: &mut Vec<Vec<Rat>>) -> Vec<usize> {
    let mut pivots = Vec::new();
    let width = rows.first().map_or(0, Vec::len);
    for column in 0..width {
        let done = pivots.len();
        let Some(found) = (done..rows.len()).find(|row| !rows[*row][column].is_zero()) else {
            continue;
        };
        rows.swap(done, found);
        let pivot = rows[done][column].clone();
        rows[done].iter_mut().for_each(|value| *value = &*value / &pivot);
        let chosen = rows[done].clone();
        for row in (0..rows.len()).filter(|row| *row != done) {
            let by = rows[row][column].clone();
            if by.is_zero() {
                continue;
            }
            for (value, other) in rows[row].iter_mut().zip(&chosen) {
                *value = &*value - &(other * &by);
            }
        }
        pivots.push(column);
    }
    rows.truncate(pivots.len());
    pivots
}
