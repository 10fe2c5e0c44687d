//! Lifting: which part of a state leads to a target, whatever the rest of the state is.
//!
//! Where inputs and state determine what comes next, a step from `state` under `inputs` into the
//! cube `target` has no variant in which the target is missed. The failed assumptions of that
//! question are the part of the state that forces the step: every state in the smaller cube has a
//! successor in the target, under the same inputs.
//!
//! After Chockler, Ivrii, Matsliah, Moran, Nevo, "Incremental formal verification of hardware"
//! (FMCAD 2011); the same idea is the dual solver of Niemetz, Preiner, Biere (FMCAD 2014).

use super::{Effort, Found, Question, minimize_question};
use crate::literal::Lit;
use crate::solver::Solver;
use crate::theory::Theory;

/// Finds a small part of `state` that under `inputs` forces all literals of `target`.
///
/// The clauses must define the target from state and inputs and say nothing else: a constraint or
/// a lemma among them could rule out the states that the smaller cube lets in. `Satisfiable` means
/// that the step is not forced. With [`Effort::ONE_QUERY`] the answer is what one query gives, which
/// is what most callers want; more effort makes the cube minimal. Literals late in `state` are left
/// out first.
///
/// ```
/// use alphorn_sat::Solver;
/// use alphorn_sat::cores::{Effort, lift};
///
/// let mut solver = Solver::default();
/// let [x, y, input, next] = [(); 4].map(|()| solver.new_var().positive());
/// // next = x ∧ input
/// solver.add_clause(&[!next, x]);
/// solver.add_clause(&[!next, input]);
/// solver.add_clause(&[next, !x, !input]);
/// let lifted = lift(&mut solver, &[input], &[y, x], &[next], Effort::default());
/// assert_eq!(lifted.into_core().expect("the step is forced").elements, [x]);
/// ```
pub fn lift<T: Theory>(
    solver: &mut Solver<T>,
    inputs: &[Lit],
    state: &[Lit],
    target: &[Lit],
    effort: Effort,
) -> Found<Lit> {
    let missed: Vec<Lit> = target.iter().map(|lit| !*lit).collect();
    let question = Question { fixed: inputs, assumptions: state, clause: Some(&missed) };
    minimize_question(solver, question, effort)
}
