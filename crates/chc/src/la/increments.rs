//! Linear forms that the loops of a predicate leave unchanged.
//!
//! Where every rule by which a predicate needs itself adds a constant to a parameter, the rule is a
//! vector of increments, and a linear form of such parameters is unchanged by all rules exactly if
//! its coefficients are orthogonal to all of these vectors. A basis of these forms is found by
//! elimination. So `z = x - y` or `y = 3 x` come out although no proof has mentioned them.

use super::bounded::Bounded;
use super::system::{Pred, Rule, System};
use crate::settings::{LA_INCREMENT_CONFLICTS, LA_MAX_PARAMETERS};
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask_within;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Int, Op, Rat, SortId, Store, TermId, Value, eval};

/// A linear form: places of parameters with coefficients.
pub(crate) type Form = Vec<(usize, Int)>;

impl Bounded<'_> {
    /// The linear forms of parameters of one sort that all direct recursions leave unchanged.
    pub(super) fn unchanged_forms(
        &mut self,
        pred: Pred,
        sort: SortId,
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<Form>, Stop> {
        let forms = unchanged_forms(&mut self.store, &self.system, pred, sort, ctx)?;
        let fits = |form: &Form| (2..=LA_MAX_PARAMETERS.size()).contains(&form.len());
        Ok(forms.into_iter().filter(fits).collect())
    }

    /// A linear form on arguments.
    pub(super) fn form_on(&mut self, form: &Form, args: &[TermId]) -> TermId {
        form_on(&mut self.store, form, args)
    }
}

/// The linear forms of parameters of one sort that all direct recursions of a predicate leave unchanged.
pub(crate) fn unchanged_forms(
    store: &mut Store,
    system: &System,
    pred: Pred,
    sort: SortId,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<Form>, Stop> {
    let params = &system.params[pred];
    let mut places: Vec<usize> =
        (0..params.len()).filter(|&at| store.sort(params[at]) == sort).collect();
    let mut rows: Vec<Vec<Option<Rat>>> = Vec::new();
    for &rule in &system.rules_of[pred] {
        for atom in 0..system.rules[rule].atoms.len() {
            if system.rules[rule].atoms[atom].pred == pred {
                rows.extend(increments(store, &system.rules[rule], atom, ctx)?);
            }
        }
    }
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    places.retain(|&place| rows.iter().all(|row| row[place].is_some()));
    let select = |row: &Vec<Option<Rat>>| -> Vec<Rat> {
        places.iter().map(|&place| row[place].clone().unwrap_or_default()).collect()
    };
    let matrix: Vec<Vec<Rat>> = rows.iter().map(select).collect();
    let basis = kernel(matrix, places.len());
    Ok(basis.iter().map(|vector| whole(vector, &places)).collect())
}

/// What a rule adds to each parameter between an atom and its head, where that is a constant;
/// nothing if the rule's body is contradictory or too hard.
fn increments(
    store: &mut Store,
    rule: &Rule,
    atom: usize,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Vec<Option<Rat>>>, Stop> {
    let Some((_, head)) = &rule.head else { return Ok(None) };
    let before = &rule.atoms[atom].args;
    let mut smt = Smt::new(Options::default());
    smt.assert(store, rule.body);
    if ask_within(&mut smt, store, &[], LA_INCREMENT_CONFLICTS.get(), ctx)? != Answer::Sat {
        return Ok(None);
    }
    let mut model = smt.model(store);
    for &var in &rule.vars {
        if !model.vars.contains_key(&var)
            && let Some(value) = Value::default_of(store, store.sort(var))
        {
            model.set(var, value);
        }
    }
    let mut found = Vec::with_capacity(head.len());
    for (&after, &before) in head.iter().zip(before) {
        let mut constant = None;
        if store.sort(after).is_arithmetic() {
            let change = store.sub(after, before);
            if let Ok(value) = eval(store, change, &model)
                && let Some(term) = store.value_term(&value)
            {
                let same = store.eq(change, term);
                let other = store.not(same);
                let conflicts = LA_INCREMENT_CONFLICTS.get();
                let is_same = other == TermId::FALSE
                    || ask_within(&mut smt, store, &[other], conflicts, ctx)? == Answer::Unsat;
                constant = store.number_value(term).filter(|_| is_same);
            }
        }
        found.push(constant);
    }
    Ok(Some(found))
}

/// A linear form on arguments.
pub(crate) fn form_on(store: &mut Store, form: &Form, args: &[TermId]) -> TermId {
    let mut terms = Vec::with_capacity(form.len());
    for (place, coefficient) in form {
        let arg = args[*place];
        let number = store.number(store.sort(arg), coefficient);
        terms.push(store.mk(Op::Mul, &[number, arg]));
    }
    store.add(&terms)
}

/// A basis of the vectors that are orthogonal to all rows.
fn kernel(mut rows: Vec<Vec<Rat>>, width: usize) -> Vec<Vec<Rat>> {
    let mut pivots: Vec<usize> = Vec::new();
    for column in 0..width {
        let next = pivots.len();
        let Some(found) = (next..rows.len()).find(|&row| !rows[row][column].is_zero()) else {
            continue;
        };
        rows.swap(next, found);
        let Some(inverse) = rows[next][column].recip() else { continue };
        let pivot: Vec<Rat> = rows[next].iter().map(|entry| entry * &inverse).collect();
        for (number, row) in rows.iter_mut().enumerate() {
            if number != next && !row[column].is_zero() {
                let factor = row[column].clone();
                for (entry, above) in row.iter_mut().zip(&pivot) {
                    *entry = &*entry - &(above * &factor);
                }
            }
        }
        rows[next] = pivot;
        pivots.push(column);
    }
    let mut basis = Vec::new();
    for free in (0..width).filter(|column| !pivots.contains(column)) {
        let mut vector = vec![Rat::default(); width];
        vector[free] = Rat::from_i64(1);
        for (row, &column) in pivots.iter().enumerate() {
            vector[column] = &Rat::default() - &rows[row][free];
        }
        basis.push(vector);
    }
    basis
}

/// A vector as a form with whole coefficients.
fn whole(vector: &[Rat], places: &[usize]) -> Form {
    let mut scale = Int::from_i64(1);
    for entry in vector {
        scale = scale.lcm(&entry.denominator());
    }
    let mut form = Vec::new();
    for (entry, &place) in vector.iter().zip(places) {
        if !entry.is_zero() {
            let scaled = entry * &Rat::from(scale.clone());
            form.push((place, scaled.numerator()));
        }
    }
    form
}

#[cfg(test)]
mod tests {
    use super::{kernel, whole};
    use alphorn_term::{Int, Rat};

    #[test]
    fn forms_that_increments_leave_unchanged() {
        let row = |entries: &[i64]| entries.iter().map(|&n| Rat::from_i64(n)).collect::<Vec<_>>();
        let basis = kernel(vec![row(&[1, 0, 1]), row(&[0, 1, -1])], 3);
        assert_eq!(basis.len(), 1);
        let form = whole(&basis[0], &[0, 1, 2]);
        let coefficients: Vec<i64> = vec![-1, 1, 1];
        let expected: Vec<(usize, Int)> =
            coefficients.into_iter().map(Int::from_i64).enumerate().collect();
        assert_eq!(form, expected);
        let basis = kernel(vec![row(&[2, 3])], 2);
        assert_eq!(whole(&basis[0], &[4, 7]), vec![(4, Int::from_i64(-3)), (7, Int::from_i64(2))]);
    }
}
