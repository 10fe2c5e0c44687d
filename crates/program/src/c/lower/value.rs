//! Values of C as terms: one scalar per leaf of their type.

use super::number::Number;
use super::regions::Cell;
use alphorn_term::TermId;

/// A value of any type: a scalar per leaf, in the order of the leaves. Of leaves below arrays the terms
/// are arrays. A value of type `void` has none.
pub type Value = Vec<Scalar>;

/// A leaf of a value.
#[derive(Clone, Debug)]
pub enum Scalar {
    /// A number.
    Number(Number),
    /// A pointer.
    Pointer(Pointer),
    /// Something that no formula speaks about.
    Opaque,
}

/// A pointer as terms: an object, and the way to the place inside of it.
#[derive(Clone, Debug)]
pub struct Pointer {
    /// Which object: zero is null, a negative number is no object at all.
    pub object: TermId,
    /// The element of each array on the way to what is pointed to, the whole object being the first; as
    /// many as its cell says, or none for null.
    pub indices: Vec<TermId>,
    /// What it points to; none for a constant that points nowhere.
    pub cell: Option<Cell>,
}

impl Scalar {
    /// The terms of a scalar, and what puts others into their place.
    pub fn terms(&self) -> Vec<TermId> {
        match self {
            Scalar::Number(number) => vec![number.term],
            Scalar::Pointer(pointer) => {
                let mut terms = vec![pointer.object];
                terms.extend(&pointer.indices);
                terms
            }
            Scalar::Opaque => Vec::new(),
        }
    }

    /// The same scalar with other terms.
    pub fn with_terms(&self, terms: &[TermId]) -> Scalar {
        match self {
            Scalar::Number(number) => {
                Scalar::Number(Number { term: terms[0], range: number.range.clone() })
            }
            Scalar::Pointer(pointer) => Scalar::Pointer(Pointer {
                object: terms[0],
                indices: terms[1..].to_vec(),
                cell: pointer.cell.clone(),
            }),
            Scalar::Opaque => Scalar::Opaque,
        }
    }
}
