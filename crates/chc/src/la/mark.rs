//! The settings of lazy annotation, and the presets that the paper compares.
//!
//! Each improvement is a switch; each *mark* changes one switch of the mark before it. Marks I to VI are
//! those of the paper, whose last one is called Final there (McMillan, "Lazy Annotation Revisited", CAV
//! 2014, appendix C.2); VII and Final add what is ours. A table has them all, so that the manual, the
//! registry and the tests read the same list.

/// What narrows a goal that is satisfiable before the search goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decisions {
    /// Nothing.
    None,
    /// The truth values of all atoms of the rule just resolved.
    Minterm,
    /// The truth values of the atoms that make it true.
    Implicant,
}

/// The improvements, each on or off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Switches {
    /// How goals are narrowed.
    pub decisions: Decisions,
    /// Whether disjuncts of interpolants are dropped where the rule does not need them.
    pub generalization: bool,
    /// Whether interpolants in terms that loops leave alone are tried first.
    pub templates: bool,
    /// Whether rules whose resolution led to nothing are resolved later.
    pub scores: bool,
    /// Whether the search goes back over resolutions that a conflict does not need.
    pub back_jumping: bool,
    /// Whether annotations of earlier instances of a predicate are tried on later ones.
    pub propagation: bool,
    /// Whether constraints are left out until a derivation without them is none; part of no mark.
    pub localisation: bool,
}

/// A preset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// No improvement.
    One,
    /// Decisions.
    Two,
    /// And generalization of interpolants.
    Three,
    /// And relevance scores.
    Four,
    /// And back-jumping.
    Five,
    /// And eager propagation.
    Six,
    /// And decisions that leave out what a rule does not need.
    Seven,
    /// And templates.
    Final,
}

/// A preset's line in the table.
pub struct Preset {
    /// The preset.
    pub mark: Mark,
    /// What the engine with it is called.
    pub name: &'static str,
    /// One sentence about it.
    pub about: &'static str,
    /// What is on.
    pub switches: Switches,
}

const PLAIN: Switches = Switches {
    decisions: Decisions::None,
    generalization: false,
    templates: false,
    scores: false,
    back_jumping: false,
    propagation: false,
    localisation: false,
};
const TWO: Switches = Switches { decisions: Decisions::Minterm, ..PLAIN };
const THREE: Switches = Switches { generalization: true, ..TWO };
const FOUR: Switches = Switches { scores: true, ..THREE };
const FIVE: Switches = Switches { back_jumping: true, ..FOUR };
const SIX: Switches = Switches { propagation: true, ..FIVE };
const SEVEN: Switches = Switches { decisions: Decisions::Implicant, ..SIX };
const LAST: Switches = Switches { templates: true, ..SEVEN };

/// All presets, each with one improvement more than the one before.
pub const PRESETS: [Preset; 8] = [
    Preset { mark: Mark::One, name: "mark1", about: "no improvement", switches: PLAIN },
    Preset { mark: Mark::Two, name: "mark2", about: "decides minterms", switches: TWO },
    Preset { mark: Mark::Three, name: "mark3", about: "generalizes interpolants", switches: THREE },
    Preset { mark: Mark::Four, name: "mark4", about: "scores rules, too", switches: FOUR },
    Preset { mark: Mark::Five, name: "mark5", about: "jumps back, too", switches: FIVE },
    Preset { mark: Mark::Six, name: "mark6", about: "propagates eagerly, too", switches: SIX },
    Preset { mark: Mark::Seven, name: "mark7", about: "decides implicants", switches: SEVEN },
    Preset { mark: Mark::Final, name: "final", about: "tries templates, too", switches: LAST },
];

impl Mark {
    /// The preset's line in the table.
    pub fn preset(self) -> &'static Preset {
        &PRESETS[self as usize]
    }

    /// What is on.
    pub fn switches(self) -> Switches {
        self.preset().switches
    }
}

#[cfg(test)]
mod tests {
    use super::{Mark, PRESETS, Switches};

    #[test]
    fn the_table_is_by_mark() {
        for preset in &PRESETS {
            assert_eq!(preset.mark.preset().name, preset.name);
        }
        assert_eq!(PRESETS.last().map(|preset| preset.mark), Some(Mark::Final));
    }

    #[test]
    fn each_mark_changes_one_switch_of_the_one_before() {
        for pair in PRESETS.windows(2) {
            let [before, after] = [pair[0].switches, pair[1].switches];
            let changed = |of: fn(&Switches) -> u8| usize::from(of(&before) != of(&after));
            let count = changed(|s| s.decisions as u8)
                + changed(|s| s.generalization.into())
                + changed(|s| s.templates.into())
                + changed(|s| s.scores.into())
                + changed(|s| s.back_jumping.into())
                + changed(|s| s.propagation.into())
                + changed(|s| s.localisation.into());
            assert_eq!(count, 1, "{}", pair[1].name);
        }
    }
}
