//! The arguments of a derivation's facts by name: `n = 3`.
//!
//! A predicate's parameters have no names in a file; what clauses call them most plainly serves.

use super::values::Printer;
use alphorn_problem::evidence::horn::Derivation;
use alphorn_problem::horn::Horn;
use alphorn_term::print::quote;

/// For each step the arguments of what it concludes, each with a name; none for the query, and none that
/// no clause gives a name.
pub fn named_arguments(horn: &Horn, derivation: &Derivation) -> Vec<Vec<String>> {
    let mut printer = Printer::new(horn.terms.clone());
    let names: Vec<Vec<Option<&str>>> =
        horn.pred_ids().map(|pred| horn.argument_names(pred)).collect();
    let mut of_step = Vec::with_capacity(derivation.steps.len());
    for step in &derivation.steps {
        let known = step.clause.index() < horn.clauses.len();
        let fact = known.then(|| step.conclusion(horn)).flatten();
        let pred = fact.as_ref().and_then(|(func, _)| horn.pred_of(*func));
        let (Some((_, values)), Some(pred)) = (fact, pred) else {
            of_step.push(Vec::new());
            continue;
        };
        let named = names[pred.index()].iter().zip(&values).filter_map(|(name, value)| {
            let text = printer.show(value).replace(['\n', '\r'], " ");
            name.map(|name| format!("{} = {text}", quote(name)))
        });
        of_step.push(named.collect());
    }
    of_step
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smtlib;
    use alphorn_problem::evidence::horn::Step;
    use alphorn_problem::horn::ClauseId;
    use alphorn_term::Value;

    #[test]
    fn arguments_have_the_names_that_clauses_give_them() {
        let text = "(set-logic HORN)(declare-fun sum (Int Int) Bool)(assert (sum 0 0))
            (assert (forall ((n Int) (|a b| Int)) (=> (sum n |a b|) (sum (+ n 1) (+ |a b| n)))))
            (assert (forall ((n Int) (s Int)) (=> (and (sum n s) (> n 0)) false)))";
        let (script, _) = smtlib::read(text.as_bytes());
        let horn = script.expect("the script is read").horn;
        let step = |clause: u32, values: &[i64], premises: &[usize]| {
            Step::new(
                ClauseId(clause),
                values.iter().map(|&value| Value::Int(value.into())).collect(),
                premises.to_vec(),
            )
        };
        let steps = vec![step(0, &[], &[]), step(1, &[0, 0], &[0]), step(2, &[1, 0], &[1])];
        let named = named_arguments(&horn, &Derivation::of(steps));
        assert_eq!(named, [vec!["n = 0", "|a b| = 0"], vec!["n = 1", "|a b| = 0"], vec![]]);
    }
}
