//! Satisfiability of linear inequalities over the rationals by Fourier–Motzkin elimination.

use alphorn_term::Rat;

use super::Traced;
use super::replay::Inequality;

/// Whether the bounds in force have a rational solution.
pub(super) fn is_feasible(traced: &Traced, extra: Option<Inequality>) -> bool {
    let bounds = traced.asserted.iter().map(|(bound, _)| Inequality::of(&traced.arith, bound));
    is_satisfiable(bounds.chain(extra).collect())
}

/// Whether inequalities have a rational solution.
pub(super) fn is_satisfiable(mut system: Vec<Inequality>) -> bool {
    while let Some(var) = system.iter().find_map(|row| row.terms.keys().next().copied()) {
        let (with, mut without): (Vec<_>, Vec<_>) =
            system.into_iter().partition(|row| row.terms.contains_key(&var));
        let (upper, lower): (Vec<_>, Vec<_>) =
            with.into_iter().partition(|row| row.terms[&var].is_positive());
        for above in &upper {
            for below in &lower {
                without.push(resolve(above, below, var));
            }
        }
        system = prune(without);
        if system.iter().any(Inequality::is_contradiction) {
            return false;
        }
    }
    !system.iter().any(Inequality::is_contradiction)
}

/// The sum of two inequalities without the variable.
fn resolve(above: &Inequality, below: &Inequality, var: u32) -> Inequality {
    let (a, b) = (above.terms[&var].clone(), -&below.terms[&var]);
    let mut sum = Inequality {
        is_strict: above.is_strict || below.is_strict,
        constant: &above.constant * &b + &below.constant * &a,
        ..Inequality::default()
    };
    for (row, by) in [(above, &b), (below, &a)] {
        for (var, coefficient) in &row.terms {
            *sum.terms.entry(*var).or_default() += coefficient * by;
        }
    }
    sum.terms.retain(|_, coefficient| !coefficient.is_zero());
    // Scaled alike, equal left sides are recognised.
    if let Some(first) = sum.terms.values().next() {
        let by = first.abs().recip().unwrap();
        sum.constant *= &by;
        for coefficient in sum.terms.values_mut() {
            *coefficient *= &by;
        }
    }
    sum
}

/// Keeps only the tightest of inequalities with the same left side.
fn prune(mut system: Vec<Inequality>) -> Vec<Inequality> {
    let key = |row: &Inequality| -> Vec<(u32, Rat)> {
        row.terms.iter().map(|(var, by)| (*var, by.clone())).collect()
    };
    system.sort_by(|left, right| {
        key(left)
            .cmp(&key(right))
            .then(right.constant.cmp(&left.constant))
            .then(right.is_strict.cmp(&left.is_strict))
    });
    system.dedup_by(|right, left| right.terms == left.terms);
    system
}
