//! Minimal failed assumptions: which of them contradict the clauses, and no fewer.
//!
//! Deletion: leave out one assumption at a time. If there is still no model it is gone, and with it
//! every other one that the solver did not need for its answer (refinement); if there is a model
//! the assumption is necessary, for this set and all its subsets.
//!
//! Assumptions late in the list go first, so that callers put first what they would rather keep.
//! The ones still in doubt are assumed before the necessary ones: consecutive queries then share a
//! long prefix of assumptions, whose propagation the solver keeps.
//!
//! Invariant: the fixed assumptions, those in doubt, those about which a query gave up, and the
//! necessary ones are contradictory together.
//!
//! After Bakker et al. (IJCAI 1993) for deletion, and Belov, Marques-Silva, "Accelerating MUS
//! Extraction with Recursive Model Rotation" (FMCAD 2011) for refinement.

use super::effort::Meter;
use super::{Core, Effort, Found, without_repetition};
use crate::literal::Lit;
use crate::solver::{Answer, Solver};
use crate::theory::Theory;

/// A query without a model, and which of its assumptions are to become fewer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Question<'a> {
    /// Assumptions that are always there.
    pub fixed: &'a [Lit],
    /// Assumptions to make fewer, the dearest first.
    pub assumptions: &'a [Lit],
    /// A clause that holds for this question only.
    pub clause: Option<&'a [Lit]>,
}

/// Finds a minimal part of `assumptions` under which the clauses have no model.
///
/// Assumptions late in the list are left out first. The solver's failed assumptions are afterwards
/// those of the last query, not the core.
pub fn minimize_failed<T: Theory>(solver: &mut Solver<T>, assumptions: &[Lit]) -> Found<Lit> {
    minimize_question(solver, Question { assumptions, ..Question::default() }, Effort::default())
}

/// Finds a small part of the question's assumptions under which it has no model.
///
/// If the first answer is `Satisfiable` the solver still has the model.
///
/// ```
/// use alphorn_sat::Solver;
/// use alphorn_sat::cores::{Effort, Question, minimize_question};
///
/// let mut solver = Solver::default();
/// let [a, b, c] = [(); 3].map(|()| solver.new_var().positive());
/// solver.add_clause(&[!a, b, c]);
/// let question = Question { fixed: &[a], assumptions: &[b, !c], clause: Some(&[!b]) };
/// let core = minimize_question(&mut solver, question, Effort::default()).into_core();
/// assert_eq!(core.expect("b contradicts the clause").elements, [b]);
/// ```
pub fn minimize_question<T: Theory>(
    solver: &mut Solver<T>,
    question: Question<'_>,
    effort: Effort,
) -> Found<Lit> {
    let mut meter = Meter::new(effort);
    let mut query = question.fixed.to_vec();
    query.extend_from_slice(question.assumptions);
    match meter.solve(solver, &query, question.clause) {
        Answer::Unsat => {}
        Answer::Sat => return Found::Satisfiable,
        Answer::Unknown => return Found::Unknown,
    }
    let mut doubted = without_repetition(question.assumptions);
    doubted.retain(|lit| solver.is_failed(*lit));
    let (mut necessary, mut unresolved) = (Vec::new(), Vec::new());
    while let Some(candidate) = doubted.pop() {
        if meter.is_spent() {
            doubted.push(candidate);
            break;
        }
        query.truncate(question.fixed.len());
        for part in [&doubted, &unresolved, &necessary] {
            query.extend_from_slice(part);
        }
        match meter.solve(solver, &query, question.clause) {
            Answer::Sat => necessary.push(candidate),
            Answer::Unknown => unresolved.push(candidate),
            Answer::Unsat => {
                doubted.retain(|lit| solver.is_failed(*lit));
                unresolved.retain(|lit| solver.is_failed(*lit));
            }
        }
    }
    let is_minimal = doubted.is_empty() && unresolved.is_empty();
    doubted.append(&mut unresolved);
    doubted.append(&mut necessary);
    doubted.sort_unstable();
    let mut elements = without_repetition(question.assumptions);
    elements.retain(|lit| doubted.binary_search(lit).is_ok());
    Found::Core(Core { elements, is_minimal })
}
