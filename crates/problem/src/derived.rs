//! A derivation of false from Horn clauses: which of its choices matter?
//!
//! A *choice* is a value that neither a premise nor an equation determines (`obligation::derivation`). Choices *avoid*
//! the derivation if with others, all the rest being the same, the same clauses do not derive false from the same
//! premises.

use crate::evidence::horn::Derivation;
use crate::horn::Horn;

/// A derivation and the system that it is one of.
#[derive(Clone, Debug)]
pub struct Derived {
    /// The system.
    pub horn: Horn,
    /// The derivation.
    pub derivation: Derivation,
}
