//! CDCL: incremental, with proofs, cores and propositional interpolation.
//!
//! [`Solver`] is the whole: variables and clauses come at any time, [`Solver::solve`] answers under
//! assumptions, [`Solver::solve_with_clause`] under a clause that is then forgotten. Queries about a
//! part of a large formula are restricted to it by [`Solver::set_domain`]; clauses that come and go
//! together form a [`Group`]; a [`Theory`] can be plugged in; a [`Trace`] records how what was
//! learned follows.
//!
//! ```
//! use alphorn_sat::{Answer, Solver};
//!
//! let mut solver = Solver::default();
//! let (a, b) = (solver.new_var().positive(), solver.new_var().positive());
//! solver.add_clause(&[a, b]);
//! solver.add_clause(&[!a, b]);
//! assert_eq!(solver.solve(&[]), Answer::Sat);
//! assert_eq!(solver.value(b), Some(true));
//! assert_eq!(solver.solve(&[a, !b]), Answer::Unsat);
//! assert!(solver.is_failed(!b));
//! ```
//!
//! Each technique is one file, with its source and its switch in [`Options`]. The search is
//! deterministic: the same calls with the same options give the same answers and statistics.

pub mod aig;
pub mod drat;
pub mod interpolate;

mod add;
mod analyze;
mod arena;
mod backtrack;
mod budget;
mod chrono;
mod cnf;
mod collect;
mod consult;
mod decide;
mod define;
mod domain;
mod failed;
mod group;
mod literal;
mod minimize;
mod mode;
mod options;
mod phase;
mod proof;
mod propagate;
mod random;
mod reduce;
mod restart;
mod search;
mod shrink;
mod simplify;
mod solver;
mod state;
mod stats;
mod theory;
mod trace;
mod watch;

pub use cnf::{Cnf, write_dimacs};
pub use literal::{Lit, Var};
pub use options::{OptionInfo, Options};
pub use proof::{ClauseId, Origin, Refutation, Step, Trace, Trimmed};
pub use random::Random;
pub use solver::{Answer, Solver};
pub use state::{Budget, Group};
pub use stats::Stats;
pub use theory::{Context, FinalCheck, NoTheory, Theory};
