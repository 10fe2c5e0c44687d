//! Interpolants: what separates the parts of a contradiction.
//!
//! For contradictory formulas an interpolant says, in symbols that occur on both sides of a cut,
//! why one side excludes the other. All shapes are trees here: a node has a formula and an
//! interpolant, which follows from the node's formula and the interpolants of its children, and has
//! only symbols that occur both in the node's subtree and outside of it. A sequence is a tree
//! without branches, symmetric interpolants are those of a flat tree; DAGs and disjunctive
//! interpolants are reduced to trees (`dag`, `disjunctive`).
//!
//! One proof gives the interpolants of all nodes (`refutation`, `lemma`, `farkas`). Where the proof
//! has atoms or lemmas that cannot be cut, nodes are taken one by one, and in the end by projection
//! (`sequential`). `verify` holds results against their definition.
//!
//! After McMillan (CAV 2003, TCS 2005) for arithmetic, Rollini et al. (CAV 2012) for trees, and
//! Rümmer, Hojjat, Kuncak (CAV 2013) for the shapes.

mod dag;
mod dag_proof;
mod decompose;
mod disjunctive;
mod farkas;
mod graph;
mod lemma;
mod problem;
mod refutation;
mod sequential;
mod verify;

pub use dag::{Dag, dag};
pub use disjunctive::{Position, disjunctive};
pub use verify::{Violation, certify, verify};

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use alphorn_sat::Budget;
use alphorn_sat::interpolate::CutError;
use alphorn_term::{Model, Store, TermId};

use crate::fuel::Fuel;
use crate::options::Options;
use crate::smt::{Reason, Smt};
use problem::Problem;

/// Which of the interpolants of a proof to make.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strength {
    /// The strongest (McMillan's system).
    #[default]
    Strong,
    /// In between (Pudlák's system).
    Balanced,
    /// The weakest (the dual of McMillan's system).
    Weak,
}

/// From what interpolants are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Method {
    /// From a proof; by projection where the proof cannot be cut.
    #[default]
    Proof,
    /// From models.
    Projection,
}

/// What can be chosen about interpolation.
#[derive(Clone, Debug)]
pub struct InterpolationOptions {
    /// How strong interpolants are.
    pub strength: Strength,
    /// Split inequalities that are sums into conjunctions, where there is one cut only.
    pub decompose: bool,
    /// From what interpolants are made.
    pub method: Method,
    /// Check every interpolant before it is returned.
    pub verify: bool,
    /// Simplify interpolants.
    pub simplify: bool,
    /// Limits each query of the solver.
    pub budget: Budget,
    /// Limits all queries together, and says how much they left.
    pub fuel: Option<Fuel>,
    /// Ends queries of the solver soon after it becomes true.
    pub interrupt: Option<Arc<AtomicBool>>,
    /// How many models projection may ask for, for each interpolant.
    pub rounds: usize,
    /// Seed of the solver's random choices.
    pub seed: u32,
}

impl Default for InterpolationOptions {
    fn default() -> InterpolationOptions {
        InterpolationOptions {
            strength: Strength::Strong,
            decompose: false,
            method: Method::Proof,
            verify: false,
            simplify: true,
            budget: Budget::default(),
            fuel: None,
            interrupt: None,
            rounds: 1_000,
            seed: 0,
        }
    }
}

impl InterpolationOptions {
    /// Whether there were limits and they are used up.
    fn is_out_of_fuel(&self) -> bool {
        self.fuel.as_ref().is_some_and(|fuel| fuel.left() == 0)
    }

    /// A solver within the limits.
    fn solver(&self, proofs: bool, seed: u32) -> Smt {
        let mut smt = Smt::new(Options { proofs, seed, ..Options::default() });
        smt.set_budget(self.budget);
        if let Some(fuel) = &self.fuel {
            smt.set_fuel(fuel.clone());
        }
        if let Some(flag) = &self.interrupt {
            smt.set_interrupt(flag.clone());
        }
        smt
    }
}

/// Why there is no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// The solver does not know whether the formulas are contradictory.
    Search(Reason),
    /// They are, but no way to an interpolant is known.
    Inseparable,
    /// The shape is none.
    Shape(CutError),
    /// The position is not below conjunctions and disjunctions only, or there is nothing.
    Position(u32),
}

/// What interpolation found.
#[derive(Clone, Debug)]
pub enum Interpolation {
    /// Interpolants.
    Interpolants(Vec<TermId>),
    /// The formulas have a model.
    Satisfiable(Box<Model>),
    /// Neither.
    Unknown(Cause),
}

impl Interpolation {
    /// The interpolants, if there are any.
    pub fn interpolants(self) -> Option<Vec<TermId>> {
        match self {
            Interpolation::Interpolants(interpolants) => Some(interpolants),
            _ => None,
        }
    }
}

/// One interpolant: it follows from `a` and contradicts `b`.
///
/// ```
/// use alphorn_smt::interpolate::{Interpolation, InterpolationOptions, binary};
/// use alphorn_term::{Op, SortId, Store};
///
/// let mut store = Store::new();
/// let [x, y, z] = ["x", "y", "z"].map(|name| store.var(name, SortId::INT));
/// let zero = store.int(0);
/// let (below, above) = (store.mk(Op::Lt, &[x, y]), store.mk(Op::Le, &[y, zero]));
/// let a = store.and(&[below, above]);
/// let (least, sum) = (store.mk(Op::Le, &[zero, z]), store.mk(Op::Le, &[z, x]));
/// let b = store.and(&[least, sum]);
/// let result = binary(&mut store, a, b, &InterpolationOptions::default());
/// let interpolants = result.interpolants().unwrap();
/// assert_eq!(store.show(interpolants[0]).to_string(), "(< x 0)");
/// ```
pub fn binary(
    store: &mut Store,
    a: TermId,
    b: TermId,
    options: &InterpolationOptions,
) -> Interpolation {
    sequence(store, &[a, b], options)
}

/// For each place between two formulas an interpolant; each, with the next formula, implies the
/// next interpolant.
pub fn sequence(
    store: &mut Store,
    formulas: &[TermId],
    options: &InterpolationOptions,
) -> Interpolation {
    let mut result = sequential::interpolate(store, &Problem::sequence(store, formulas), options);
    if let Interpolation::Interpolants(interpolants) = &mut result {
        interpolants.pop();
    }
    result
}

/// For each node of a tree an interpolant, which follows from the node's formula and the
/// interpolants of its children; the root's is false.
///
/// Several roots are children of one that is not stated and says nothing.
pub fn tree(
    store: &mut Store,
    formulas: &[TermId],
    parents: &[Option<u32>],
    options: &InterpolationOptions,
) -> Interpolation {
    match Problem::tree(store, formulas, parents) {
        Ok(problem) => {
            let mut result = sequential::interpolate(store, &problem, options);
            if let Interpolation::Interpolants(interpolants) = &mut result {
                *interpolants = problem.in_given_order(interpolants);
            }
            result
        }
        Err(error) => Interpolation::Unknown(Cause::Shape(error)),
    }
}

/// For each formula an interpolant, which follows from it; together they are contradictory.
pub fn symmetric(
    store: &mut Store,
    formulas: &[TermId],
    options: &InterpolationOptions,
) -> Interpolation {
    tree(store, formulas, &vec![None; formulas.len()], options)
}
