//! Algebraic datatypes: values are finite trees of constructors.
//!
//! Most of the theory is equality. Each application of a constructor has its fields as nodes that
//! equal its arguments by definition, so injectivity is congruence, and a selector on something equal
//! to an application is that one's argument; different constructors are different values of the
//! closure. A tester is an equation: x was made by C exactly if x = C(sel₁ x, …, selₙ x).
//!
//! - `encode`: fields of applications, testers, and what a term with a selector or tester can be
//! - `check`: values are not inside themselves; terms with selectors get a constructor
//! - `cycle`: a walk that finds a cycle
//! - `finite`: which sorts have finitely many values, and the terms of these that get a constructor
//! - `model`: trees for classes
//!
//! Invariant of complete assignments: a class without a constructor is of an infinite sort, and no
//! selector or tester is applied to any of its terms, so any value does that no other class has.
//!
//! After Barrett, Shikanian, Tinelli, "An abstract decision procedure for a theory of inductive data
//! types" (JSAT 2007); we differ in that equality does the unification.

mod check;
mod cycle;
mod encode;
mod finite;
mod model;

pub(crate) use cycle::find_cycle;
pub(crate) use encode::made_of_fields;
pub(crate) use finite::is_finite;

use std::sync::Arc;

use alphorn_sat::Var;

use crate::euf::Node;

/// What the search has to watch over.
#[derive(Default)]
pub(crate) struct Trees {
    /// Applications of constructors that can be inside a value of their own sort, with the places
    /// where such values are.
    pub(crate) constructors: Vec<(Node, Arc<[usize]>)>,
    /// Terms that need a constructor, with the variables that say which.
    pub(crate) expanded: Vec<(Node, Vec<Var>)>,
    /// Whether values have arrays inside, by which they could be inside themselves or differ, which is
    /// not watched over: then a model is one only if it makes all assertions true when they are
    /// evaluated.
    pub(crate) is_open: bool,
    /// Where the walk through the constructors is, by node.
    states: Vec<u8>,
}
