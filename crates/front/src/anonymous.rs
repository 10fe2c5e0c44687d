//! Files with other names in them, for those who may not show their own.
//!
//! Invariant: what is asked stays what it was but for names; what cannot be treated that way is refused, and never handed out.

use std::collections::BTreeMap;

/// What became of names.
#[derive(Clone, Debug, Default)]
pub struct Names {
    numbers: BTreeMap<String, usize>,
}

impl Names {
    /// Gives a name a number, unless it has one.
    pub(crate) fn give(&mut self, name: &str) {
        if !self.numbers.contains_key(name) {
            self.numbers.insert(name.to_owned(), self.numbers.len() + 1);
        }
    }

    /// What stands in the place of a name.
    pub fn of(&self, name: &str) -> Option<String> {
        self.numbers.get(name).map(|number| format!("n{number}"))
    }
}
