//! Upward-closed sets of configurations, by their least elements.
//!
//! Invariant: no live element of a location is at most another one there. Which counters are not 0 is told by a
//! word of bits, in which counters 64 apart share one, so that most comparisons end with it.

use super::net::Vector;

/// An element, by its position in the order of arrival.
pub(super) type ElementId = usize;

/// A configuration whose larger ones all belong to the set, and how it came in.
pub(super) struct Element {
    pub location: usize,
    pub least: Vector,
    /// The transition that leads from it to what is above another element; none for a target.
    pub next: Option<(usize, ElementId)>,
    /// The target it began with.
    pub target: usize,
    marks: u64,
    pub is_live: bool,
}

/// An upward-closed set.
pub(super) struct Antichain {
    pub elements: Vec<Element>,
    /// The live elements by location.
    live: Vec<Vec<ElementId>>,
}

impl Antichain {
    pub fn new(locations: usize) -> Antichain {
        Antichain { elements: Vec::new(), live: vec![Vec::new(); locations] }
    }

    /// How many live elements a location has.
    pub fn len_at(&self, location: usize) -> usize {
        self.live[location].len()
    }

    /// Whether a configuration belongs to the set.
    pub fn covers(&self, location: usize, vector: &[u64]) -> bool {
        let marks = marks(vector);
        self.live[location].iter().any(|&at| {
            let element = &self.elements[at];
            element.marks & !marks == 0 && is_at_most(&element.least, vector)
        })
    }

    /// Puts in what is above a configuration that does not belong to the set.
    pub fn insert(
        &mut self,
        location: usize,
        least: Vector,
        next: Option<(usize, ElementId)>,
        target: usize,
    ) -> ElementId {
        let marks = marks(&least);
        let elements = &mut self.elements;
        self.live[location].retain(|&at| {
            let other = &mut elements[at];
            other.is_live = marks & !other.marks != 0 || !is_at_most(&least, &other.least);
            other.is_live
        });
        let id = elements.len();
        elements.push(Element { location, least, next, target, marks, is_live: true });
        self.live[location].push(id);
        id
    }

    /// The least elements of a location.
    pub fn least(&self, location: usize) -> impl Iterator<Item = &Vector> {
        self.live[location].iter().map(|&at| &self.elements[at].least)
    }
}

pub(super) fn marks(vector: &[u64]) -> u64 {
    vector
        .iter()
        .enumerate()
        .fold(0, |marks, (at, &value)| marks | u64::from(value > 0) << (at % 64))
}

pub(super) fn is_at_most(left: &[u64], right: &[u64]) -> bool {
    left.iter().zip(right).all(|(left, right)| left <= right)
}
