//! Small reasons: why there is no model, and which part of a model matters.
//!
//! Two questions, each in several forms. *Why not?* A core is a part of what was asked that is
//! contradictory by itself; it is minimal if no part of it is. [`minimize_failed`] shrinks a set of
//! assumptions of a running solver, [`minimal_core`] the groups of clauses of a formula. *What of
//! it?* A model says more than it needs. [`Implicants`] drops literals while every clause keeps a
//! true one, [`Justifier`] walks a circuit from what is to be explained to the inputs that explain
//! it, and [`lift`] asks a solver which part of a state forces a successor.
//!
//! Minimality is a luxury: every search for a core takes an [`Effort`], and what it returns when
//! that is spent is still a core, only not known to be minimal.
//!
//! ```
//! use alphorn_sat::Solver;
//! use alphorn_sat::cores::minimize_failed;
//!
//! let mut solver = Solver::default();
//! let lits: Vec<_> = (0..4).map(|_| solver.new_var().positive()).collect();
//! solver.add_clause(&[!lits[0], !lits[2]]);
//! let core = minimize_failed(&mut solver, &lits).into_core().expect("the two contradict");
//! assert_eq!(core.elements, [lits[0], lits[2]]);
//! assert!(core.is_minimal);
//! ```

mod effort;
mod failed;
mod formula;
mod implicant;
mod justify;
mod lift;
mod mus;
mod rotate;
mod trim;

pub use effort::Effort;
pub use failed::{Question, minimize_failed, minimize_question};
pub use formula::Grouped;
pub use implicant::Implicants;
pub use justify::{Justifier, Netlist, Node};
pub use lift::lift;
pub use mus::{Settings, minimal_core};
pub use trim::partitions_behind;

use crate::literal::Lit;

/// A part of what was asked that is contradictory by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Core<E> {
    /// Its elements, in the order in which they were given.
    pub elements: Vec<E>,
    /// Whether it is known that no element can be left out.
    pub is_minimal: bool,
}

/// What a search for a core came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found<E> {
    /// There is no model, for this reason.
    Core(Core<E>),
    /// There is a model.
    Satisfiable,
    /// The effort was spent before the first answer.
    Unknown,
}

impl<E> Found<E> {
    /// The core, if there is one.
    pub fn into_core(self) -> Option<Core<E>> {
        match self {
            Found::Core(core) => Some(core),
            Found::Satisfiable | Found::Unknown => None,
        }
    }
}

/// The literals in order, each once.
fn without_repetition(literals: &[Lit]) -> Vec<Lit> {
    let mut sorted: Vec<(Lit, usize)> =
        literals.iter().enumerate().map(|(place, lit)| (*lit, place)).collect();
    sorted.sort_unstable();
    sorted.dedup_by_key(|(lit, _)| *lit);
    sorted.sort_unstable_by_key(|(_, place)| *place);
    sorted.into_iter().map(|(lit, _)| lit).collect()
}
