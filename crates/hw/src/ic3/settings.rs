//! The choices a run of IC3 has.

use crate::settings::{IC3_BLOCKED, IC3_NESTED};

/// How lemmas are generalized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generalization {
    /// Literals are left out one by one.
    Plain,
    /// Counterexamples to generalization are blocked, too.
    Blocking,
    /// As the activity of obligations suggests: plain where they are easy, deep where they are not.
    Dynamic,
}

/// The choices.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How lemmas are generalized.
    pub generalization: Generalization,
    /// Whether obligations that come back too often are dropped.
    pub drop_obligations: bool,
    /// Whether cubes speak about gates over latches, too; the invariant may then do so.
    pub internal_signals: bool,
    /// Whether cubes speak about outputs that depend on latches alone, and about nothing else. What these
    /// do not tell apart the engine does not either, and it says so.
    pub output_signals: bool,
    /// Whether states that stand in the way of pushing a lemma are blocked.
    pub block_in_propagation: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            generalization: Generalization::Blocking,
            drop_obligations: true,
            internal_signals: false,
            output_signals: false,
            block_in_propagation: false,
        }
    }
}

/// How much a generalization may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Effort {
    /// How many counterexamples in a row are blocked before the cube is widened.
    pub(super) blocked: usize,
    /// How many further states may be looked at for one of them.
    pub(super) nested: usize,
}

impl Effort {
    /// Leave out literals, no more.
    pub(super) const NONE: Effort = Effort { blocked: 0, nested: 0 };
}

impl Settings {
    /// The effort for an obligation of this activity.
    ///
    /// The dynamic thresholds are those of DynAMic (Su, Yang, Ci, Huang, 2024).
    pub(super) fn effort(&self, activity: f64) -> Effort {
        match self.generalization {
            Generalization::Plain => Effort::NONE,
            Generalization::Blocking => {
                Effort { blocked: IC3_BLOCKED.size(), nested: IC3_NESTED.size() }
            }
            Generalization::Dynamic if activity < 10.0 => Effort::NONE,
            Generalization::Dynamic if activity < 40.0 => {
                Effort { blocked: 2 + ((activity - 10.0) / 10.0) as usize, nested: 1 }
            }
            Generalization::Dynamic => {
                Effort { blocked: 5, nested: 5 + (1.7 * (activity - 40.0).sqrt()) as usize }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effort_grows_with_activity() {
        let settings = Settings { generalization: Generalization::Dynamic, ..Settings::default() };
        assert_eq!(settings.effort(1.0), Effort::NONE);
        assert_eq!(settings.effort(25.0), Effort { blocked: 3, nested: 1 });
        let deep = settings.effort(50.0);
        assert!(deep.blocked == 5 && deep.nested > 5);
    }
}
