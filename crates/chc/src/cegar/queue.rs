//! What waits to be looked at: rules with abstract facts for their atoms.
//!
//! In the order of breadth the lowest derivations come first, and queries before other rules of the same
//! height; nothing waits forever, as there are finitely many of each height. In the order of depth the
//! latest come first.

use super::graph::Way;
use std::collections::BTreeMap;

/// Which rules are looked at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Those of the lowest derivations.
    Breadth,
    /// The latest.
    Depth,
}

/// What waits.
pub(super) struct Queue {
    order: Order,
    count: u64,
    waiting: BTreeMap<(u32, bool, u64), Way>,
}

impl Queue {
    /// Nothing waits.
    pub(super) fn new(order: Order) -> Queue {
        Queue { order, count: 0, waiting: BTreeMap::new() }
    }

    /// Adds a rule with its facts, and the height of its derivations.
    pub(super) fn push(&mut self, way: Way, height: u32, is_query: bool) {
        self.count += 1;
        let key = match self.order {
            Order::Breadth => (height, !is_query, self.count),
            Order::Depth => (0, !is_query, u64::MAX - self.count),
        };
        self.waiting.insert(key, way);
    }

    /// The next.
    pub(super) fn pop(&mut self) -> Option<Way> {
        self.waiting.pop_first().map(|(_, way)| way)
    }

    /// The height of the next.
    pub(super) fn height(&self) -> Option<u32> {
        self.waiting.first_key_value().map(|((height, ..), _)| *height)
    }

    /// How many wait.
    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Forgets all that waits.
    pub(super) fn clear(&mut self) {
        self.waiting.clear();
    }
}
