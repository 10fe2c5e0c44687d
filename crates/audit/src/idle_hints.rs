//! Hints that say too much, left out.
//!
//! The checker refuses a hint that is satisfied already or comes after the conflict. Some solvers write
//! such hints, because their own checkers pass over them. Here they are taken out of a proof; everything
//! else stays as it is, for the checker to judge. The work is counted as the checker's is: a hint is a few
//! bytes, and the clause it names may be long.

use alphorn_problem::evidence::circuit::{Lrat, LratStep};
use alphorn_term::{Exhausted, Meter};
use rustc_hash::{FxHashMap, FxHashSet};

/// The ticks of looking a literal up.
const LOOK: u64 = 4;

/// The proof without hints that nothing needs.
pub(crate) fn without_idle_hints<'a>(
    formula: impl Iterator<Item = &'a [i32]>,
    proof: &'a Lrat,
    meter: &Meter,
) -> Result<Lrat, Exhausted> {
    let mut clauses: FxHashMap<u64, &[i32]> = (1..).zip(formula).collect();
    let mut steps = Vec::with_capacity(proof.steps.len());
    for step in &proof.steps {
        match step {
            LratStep::Delete(ids) => {
                for id in ids {
                    clauses.remove(id);
                }
                steps.push(step.clone());
            }
            LratStep::Add { id, clause, hints } => {
                let hints = match hints.iter().any(|hint| *hint < 0) {
                    // The hints of resolvents are left to their author.
                    true => hints.clone(),
                    false => needed(&clauses, clause, hints, meter)?,
                };
                clauses.insert(*id, clause);
                steps.push(LratStep::Add { id: *id, clause: clause.clone(), hints });
            }
        }
    }
    Ok(Lrat { steps })
}

/// The hints up to the conflict that are not satisfied in their turn.
fn needed(
    clauses: &FxHashMap<u64, &[i32]>,
    clause: &[i32],
    hints: &[i64],
    meter: &Meter,
) -> Result<Vec<i64>, Exhausted> {
    meter.spend((clause.len() + hints.len()) as u64 * LOOK)?;
    let mut is_true: FxHashSet<i32> = clause.iter().map(|lit| -lit).collect();
    let mut kept = Vec::with_capacity(hints.len());
    for &hint in hints {
        let Some(literals) = clauses.get(&hint.unsigned_abs()) else {
            kept.push(hint);
            continue;
        };
        meter.spend(literals.len() as u64 * LOOK)?;
        if literals.iter().any(|lit| is_true.contains(lit)) {
            continue;
        }
        kept.push(hint);
        let open = literals.iter().find(|lit| !is_true.contains(&-**lit));
        match open {
            Some(lit) => {
                is_true.insert(*lit);
            }
            None => return Ok(kept),
        }
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::without_idle_hints;
    use alphorn_check::lrat::refute;
    use alphorn_problem::evidence::circuit::{Lrat, LratStep};
    use alphorn_term::Meter;

    fn tidied(proof: &Lrat) -> Lrat {
        let tidy = without_idle_hints(FORMULA.into_iter(), proof, &Meter::unlimited());
        tidy.expect("there is no limit")
    }

    fn add(id: u64, clause: &[i32], hints: &[i64]) -> LratStep {
        LratStep::Add { id, clause: clause.to_vec(), hints: hints.to_vec() }
    }

    const FORMULA: [&[i32]; 4] = [&[1, 2], &[1, -2], &[-1, 2], &[-1, -2]];

    #[test]
    fn idle_hints_go_and_the_rest_stays() {
        // Hint 2 is satisfied by the 1 of hint 5, and 1 comes after the conflict.
        let steps = vec![add(5, &[1], &[1, 2, 4]), add(6, &[], &[5, 2, 3, 4, 1])];
        let proof = Lrat { steps };
        assert!(refute(FORMULA, &proof).is_err());
        let tidy = tidied(&proof);
        assert_eq!(tidy.steps, [add(5, &[1], &[1, 2]), add(6, &[], &[5, 3, 4])]);
        assert!(refute(FORMULA, &tidy).is_ok());
    }

    #[test]
    fn hints_that_are_wrong_stay_wrong() {
        for hints in [&[1i64, 3][..], &[2, 9], &[]] {
            let steps = vec![add(5, &[1], hints), add(6, &[], &[5, 3, 4])];
            let tidy = tidied(&Lrat { steps });
            assert!(refute(FORMULA, &tidy).is_err(), "{hints:?}");
        }
        let steps = vec![LratStep::Delete(vec![2]), add(5, &[1], &[1, 2]), add(6, &[], &[5, 3, 4])];
        let tidy = tidied(&Lrat { steps });
        assert!(refute(FORMULA, &tidy).is_err(), "a deleted clause is no hint");
    }

    #[test]
    fn hints_at_long_clauses_are_counted_before_they_are_looked_at() {
        let long: Vec<i32> = (1..=1_000).collect();
        let steps = vec![add(5, &long, &vec![1; 1_000])];
        let proof = Lrat { steps };
        let meter = Meter::new(1_000_000);
        assert!(without_idle_hints([long.as_slice()].into_iter(), &proof, &meter).is_ok());
        // One literal more is never false, so that every hint is looked at to its end.
        let longer: Vec<i32> = (1..=1_001).collect();
        assert!(without_idle_hints([longer.as_slice()].into_iter(), &proof, &meter).is_err());
    }
}
