//! Clauses that contradict each other whatever the declared functions are.
//!
//! A derivation by values holds for one interpretation of the functions. One that holds for all of
//! them goes through terms: `P(f(0))`, then `P(f(0) + 1)`, and it may branch on what `f(0)` is. That is
//! a set of ground instances of the clauses without a model, in which predicates and functions are
//! uninterpreted alike; background axioms are clauses like the others. So the clauses are given to
//! the solver as quantified formulas (`obligation::horn::formulas`), and its refutation is the
//! evidence.
//!
//! After the background axioms of McMillan, Rybalchenko, Solving constrained Horn clauses using
//! interpolation (MSR-TR-2013-6).

use crate::settings::DECLARED_CONFLICTS;
use alphorn_engine::{Back, Ctx, Lost, Stop};
use alphorn_horn::ask::ask_within;
use alphorn_problem::evidence::horn::Derivation;
use alphorn_problem::horn::{Clause, Head};
use alphorn_problem::obligation::horn::formulas;
use alphorn_problem::{Horn, Span};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::TermId;

/// A refutation of the clauses, if one is found by looking for instances so many times.
pub(super) fn refute(
    horn: &Horn,
    rounds: u32,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Derivation>, Stop> {
    let mut terms = horn.terms.clone();
    let options = Options { proofs: true, instance_rounds: rounds, ..Options::default() };
    let mut smt = Smt::new(options);
    for formula in formulas(horn, &mut terms) {
        smt.assert(&mut terms, formula);
    }
    let conflicts = DECLARED_CONFLICTS.get() * u64::from(rounds);
    if ask_within(&mut smt, &mut terms, &[], conflicts, ctx)? != Answer::Unsat {
        return Ok(None);
    }
    let refutation = smt.refutation(&mut terms);
    Ok(refutation.map(|found| Derivation::refutation(terms, found.proof)))
}

/// A system that every engine refutes at once, and the way back to the refutation.
pub(super) fn refuted(horn: &Horn, refutation: Derivation) -> (Horn, Back<Horn, Horn>) {
    let mut trivial = Horn::new(horn.terms.clone());
    for pred in &horn.preds {
        trivial.add_pred(pred.func, pred.span);
    }
    let (vars, body, head) = (Vec::new(), TermId::TRUE, Head::False);
    trivial.clauses = vec![Clause { vars, body, head, name: None, span: Span::default() }];
    let back = Back::new(
        |_| Err(Lost("the clauses contradict each other".to_owned())),
        move |_| Ok(refutation.clone()),
    );
    (trivial, back)
}
