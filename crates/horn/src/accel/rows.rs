//! A conjunction over the states before and after a round as rows of linear constraints.
//!
//! Columns are the numbers before, the numbers after, and whatever else the conjunction mentions, which is
//! eliminated: by equations in which it has a unit, or by adding up the bounds on it where those on one side
//! have units, which loses nothing over integers. Opposite bounds that meet are an equation.
//!
//! What is no number must stay as it is; what is said about it is kept as it stands. Numbers are machine
//! words of 128 bits, and a conjunction with larger ones has no rows.

use super::Relation;
use alphorn_smt::Linear;
use alphorn_term::{Int, Op, SortId, Store, TermId};

/// The sum of columns times coefficients and a constant: zero, or at most zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The coefficients of the columns.
    pub coefs: Vec<i128>,
    /// What is added.
    pub constant: i128,
}

/// The most rows that elimination may make.
const MAX_ROWS: usize = 200;

impl Row {
    /// This row and another one so many times.
    fn plus(&self, other: &Row, factor: i128) -> Option<Row> {
        let add = |(a, b): (&i128, &i128)| a.checked_add(b.checked_mul(factor)?);
        let coefs = self.coefs.iter().zip(&other.coefs).map(add).collect::<Option<_>>()?;
        Some(Row { coefs, constant: add((&self.constant, &other.constant))? })
    }

    fn times(&self, factor: i128) -> Option<Row> {
        let coefs = self.coefs.iter().map(|coef| coef.checked_mul(factor));
        Some(Row {
            coefs: coefs.collect::<Option<_>>()?,
            constant: self.constant.checked_mul(factor)?,
        })
    }

    /// Whether no column matters.
    fn is_constant(&self) -> bool {
        self.coefs.iter().all(|&coef| coef == 0)
    }

    /// The sum as a term, with these terms for the columns.
    pub fn term(&self, store: &mut Store, columns: &[TermId]) -> TermId {
        let mut parts = vec![store.int(Int::from(self.constant))];
        for (&coef, &column) in self.coefs.iter().zip(columns) {
            if coef != 0 {
                let factor = store.int(Int::from(coef));
                parts.push(store.mul(&[factor, column]));
            }
        }
        store.add(&parts)
    }
}

/// A conjunction over states before and after.
#[derive(Clone, Debug)]
pub struct Rows {
    /// The positions of numbers in a state.
    pub numbers: Vec<usize>,
    /// What is zero, over the numbers before and after.
    pub equal: Vec<Row>,
    /// What is at most zero.
    pub at_most: Vec<Row>,
    /// What is said about the rest of the state, which stays.
    pub still: Vec<TermId>,
}

impl Rows {
    /// The rows of a relation, if its numbers are linear and all else stays.
    pub fn of(store: &mut Store, relation: &Relation) -> Option<Rows> {
        let Relation { pre, post, parts } = relation;
        let is_number = |&at: &usize| store.sort(pre[at]) == SortId::INT;
        let numbers: Vec<usize> = (0..pre.len()).filter(is_number).collect();
        let before = numbers.iter().map(|&at| pre[at]);
        let mut columns: Vec<TermId> = before.chain(numbers.iter().map(|&at| post[at])).collect();
        let width = columns.len();
        let (mut equal, mut at_most, mut still) = (Vec::new(), Vec::new(), Vec::new());
        let mut wanted = Vec::new();
        for &part in parts {
            match linear(store, part) {
                Some(Read::Row(row, is_equal)) => wanted.push((row, is_equal)),
                Some(Read::True) => {}
                None => still.push(part),
            }
        }
        for (row, _) in &wanted {
            for &(atom, _) in &row.terms {
                if !matches!(store.op(atom), Op::Var(_)) || store.sort(atom) != SortId::INT {
                    return None;
                }
                if !columns.contains(&atom) {
                    columns.push(atom);
                }
            }
        }
        for (row, is_equal) in wanted {
            let mut coefs = vec![0; columns.len()];
            for (atom, coef) in &row.terms {
                let at = columns.iter().position(|column| column == atom)?;
                coefs[at] = i128::from(coef.to_int()?.to_i64()?);
            }
            // A bound between integers is one.
            let constant = i128::from(row.constant.ceil().to_i64()?);
            if is_equal && !row.constant.is_integer() {
                return None;
            }
            let row = Row { coefs, constant };
            if is_equal { equal.push(row) } else { at_most.push(row) }
        }
        if !stays(store, relation, &numbers, &still) {
            return None;
        }
        let mut rows = Rows { numbers, equal, at_most, still };
        for column in (width..columns.len()).rev() {
            rows.meet();
            rows.eliminate(column)?;
        }
        rows.meet();
        for row in rows.equal.iter_mut().chain(&mut rows.at_most) {
            row.coefs.truncate(width);
        }
        rows.at_most.retain(|row| !(row.is_constant() && row.constant <= 0));
        rows.equal.retain(|row| !(row.is_constant() && row.constant == 0));
        Some(rows)
    }

    /// Makes equations of opposite bounds that meet.
    fn meet(&mut self) {
        let mut at = 0;
        while at < self.at_most.len() {
            let opposite = self.at_most[at].times(-1);
            match self.at_most.iter().position(|row| Some(row) == opposite.as_ref()) {
                Some(other) if other != at => {
                    let row = self.at_most.remove(at.max(other));
                    self.at_most.remove(at.min(other));
                    self.equal.push(row);
                    at = 0;
                }
                _ => at += 1,
            }
        }
    }

    /// Says the same without a column; none if that would lose something.
    fn eliminate(&mut self, column: usize) -> Option<()> {
        if let Some(at) = self.equal.iter().position(|row| row.coefs[column].abs() == 1) {
            let solved = self.equal.remove(at);
            let sign = solved.coefs[column];
            for row in self.equal.iter_mut().chain(&mut self.at_most) {
                let factor = row.coefs[column].checked_mul(-sign)?;
                *row = row.plus(&solved, factor)?;
            }
            return Some(());
        }
        if self.equal.iter().any(|row| row.coefs[column] != 0) {
            return None;
        }
        let all = std::mem::take(&mut self.at_most);
        let (with, without): (Vec<Row>, Vec<Row>) =
            all.into_iter().partition(|row| row.coefs[column] != 0);
        let (upper, lower): (Vec<Row>, Vec<Row>) =
            with.into_iter().partition(|row| row.coefs[column] > 0);
        let is_unit = |rows: &[Row]| rows.iter().all(|row| row.coefs[column].abs() == 1);
        if !is_unit(&upper) && !is_unit(&lower) {
            return None;
        }
        self.at_most = without;
        for above in &upper {
            for below in &lower {
                let (a, b) = (above.coefs[column], -below.coefs[column]);
                self.at_most.push(above.times(b)?.plus(below, a)?);
            }
        }
        (self.at_most.len() <= MAX_ROWS).then_some(())
    }

    /// The numbers after as sums of the numbers before, each in a row of its own with a unit in its column, and
    /// taken out of all other rows; none if one of them is no such sum.
    pub fn solve(&mut self) -> Option<Vec<Row>> {
        let before = self.numbers.len();
        let mut solved: Vec<Row> = Vec::with_capacity(before);
        for column in before..2 * before {
            let at = self.equal.iter().position(|row| row.coefs[column].abs() == 1)?;
            let unit = self.equal.remove(at);
            let sign = unit.coefs[column];
            for row in self.equal.iter_mut().chain(&mut self.at_most).chain(&mut solved) {
                let factor = row.coefs[column].checked_mul(-sign)?;
                if factor != 0 {
                    *row = row.plus(&unit, factor)?;
                }
            }
            solved.push(unit);
        }
        Some(solved)
    }

    /// The conjunction of the rows, with these terms for the numbers before and after.
    pub fn formula(&self, store: &mut Store, columns: &[TermId]) -> TermId {
        let zero = store.int(0);
        let mut parts = Vec::with_capacity(self.equal.len() + self.at_most.len());
        for row in &self.equal {
            let term = row.term(store, columns);
            parts.push(store.eq(term, zero));
        }
        for row in &self.at_most {
            let term = row.term(store, columns);
            parts.push(store.le(term, zero));
        }
        store.and(&parts)
    }
}

enum Read {
    /// A polynomial that is zero, or at most zero.
    Row(Linear, bool),
    True,
}

/// A literal as a row; none if it is no comparison of integers.
fn linear(store: &Store, literal: TermId) -> Option<Read> {
    if literal == TermId::TRUE {
        return Some(Read::True);
    }
    let (term, is_negated) = match store.op(literal) {
        Op::Not => (store.args(literal)[0], true),
        _ => (literal, false),
    };
    let &[left, right] = store.args(term) else { return None };
    if store.sort(left) != SortId::INT {
        return None;
    }
    let (mut row, strict, is_equal) = match (store.op(term), is_negated) {
        (Op::Eq, false) => (Linear::difference(store, left, right), 0, true),
        (Op::Le, false) => (Linear::difference(store, left, right), 0, false),
        (Op::Lt, false) => (Linear::difference(store, left, right), 1, false),
        (Op::Le, true) => (Linear::difference(store, right, left), 1, false),
        (Op::Lt, true) => (Linear::difference(store, right, left), 0, false),
        _ => return None,
    };
    row.constant = &row.constant + &alphorn_term::Rat::from(strict);
    let factor = row.primitive_factor();
    row.scale(&factor);
    Some(Read::Row(row, is_equal))
}

/// Whether all that is no number stays; what is said about that is kept.
fn stays(store: &Store, relation: &Relation, numbers: &[usize], still: &[TermId]) -> bool {
    let Relation { pre, post, .. } = relation;
    let rest: Vec<usize> = (0..pre.len()).filter(|at| !numbers.contains(at)).collect();
    let is_equation = |term: TermId, left: TermId, right: TermId| {
        store.op(term) == Op::Eq
            && (store.args(term) == [left, right] || store.args(term) == [right, left])
    };
    let is_negation =
        |term: TermId, of: TermId| store.op(term) == Op::Not && store.args(term) == [of];
    let own = |&at: &usize| {
        let (before, after) = (pre[at], post[at]);
        before == after
            || still.iter().any(|&part| is_equation(part, before, after))
            || (still.contains(&before) && still.contains(&after))
            || (still.iter().any(|&part| is_negation(part, before))
                && still.iter().any(|&part| is_negation(part, after)))
    };
    // Nothing else may be said than about what stays.
    let known = |var: &TermId| rest.iter().any(|&at| pre[at] == *var || post[at] == *var);
    rest.iter().all(own) && store.free_vars(still).iter().all(known)
}
