//! Equality with uninterpreted functions: congruence closure.
//!
//! Nodes are terms seen as applications of opaque symbols. Asserted equations merge classes of
//! nodes; applications whose arguments are in the same classes are merged as well. Every merge
//! leaves an edge in a forest, and paths in the forest explain equalities. An equation is itself
//! a node that ends up in the class of `TRUE` or `FALSE`: disequalities are nothing else, and
//! watching an equation for being implied is watching its node.
//!
//! - `closure`: the data, how nodes are made, asserting and asking
//! - `merge`: the union of two classes and what it implies
//! - `trail`: levels, and how merges are taken back
//! - `explain`: which assertions an equality follows from
//! - `table`: applications by the classes of their arguments
//! - `terms`: a closure over the terms of one clause
//! - `proof`: steps of a proof for a clause that holds by equality
//! - `colour`, `interpolate`: what one side of a conflict tells the other
//!
//! `theories::equality` connects it with the terms of a question.
//!
//! After Nieuwenhuis and Oliveras, "Fast congruence closure and extensions" (2007), and Detlefs,
//! Nelson and Saxe, "Simplify" (2005). We differ in that uses are listed per node and found by
//! walking a class, so that nodes can be made at any level and stay when it is left.

mod closure;
mod colour;
mod explain;
mod interpolate;
mod merge;
mod proof;
mod terms;
mod trail;

#[cfg(test)]
mod tests;

pub use closure::Euf;
pub use interpolate::{Side, interpolate};
pub use proof::prove_clause;

/// A term of the closure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node(pub u32);

impl Node {
    /// The position of the node among all.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What was asserted: a literal, say. The closure only hands it back.
pub type Tag = u32;

/// The tag of what holds without being asserted; explanations leave it out.
pub const AXIOM: Tag = Tag::MAX;

/// Assertions that contradict each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// Their tags, each once, in ascending order.
    pub tags: Vec<Tag>,
}
