//! The settings of the Horn engines, in one table.

use alphorn_engine::Setting;

/// All settings of this crate.
pub static SETTINGS: &[&Setting] = &[
    &AUTOMATA_MAX_STATES,
    &DECLARED_MAX_INTERPRETATIONS,
    &DECLARED_TRIAL_TICKS,
    &FOLDS_FIRST_TURN,
    &HOUDINI_MAX_TICKS,
    &HOUDINI_MIN_TICKS,
    &INDUCTION_MAX_LAWS,
    &KIND_SAMPLED_CONFLICTS,
    &KIND_SAMPLED_STEPS,
    &TPA_MAX_LEVELS,
];

pub(crate) static AUTOMATA_MAX_STATES: Setting =
    Setting::new("automata.max-states", 5, "the most states of a tree automaton");
pub(crate) static DECLARED_MAX_INTERPRETATIONS: Setting = Setting::new(
    "declared.max-interpretations",
    12,
    "how many interpretations of declared functions are tried",
);
pub(crate) static DECLARED_TRIAL_TICKS: Setting = Setting::new(
    "declared.trial-ticks",
    3_000_000,
    "ticks for finding out what one interpretation of declared functions is worth",
);
pub(crate) static FOLDS_FIRST_TURN: Setting =
    Setting::new("folds.first-turn", 300_000, "ticks of a template's first turn");
pub(crate) static HOUDINI_MAX_TICKS: Setting =
    Setting::new("houdini.max-ticks", 150_000, "the most ticks for each look for a shorter model");
pub(crate) static HOUDINI_MIN_TICKS: Setting = Setting::new(
    "houdini.min-ticks",
    12_000,
    "ticks that a look for a shorter model has however cheap the answer was",
);
pub(crate) static INDUCTION_MAX_LAWS: Setting =
    Setting::new("induction.max-laws", 40, "the most laws that are proved on the way");
pub(crate) static KIND_SAMPLED_CONFLICTS: Setting =
    Setting::new("kind.sampled-conflicts", 500, "conflicts for the steps that guesses are made of");
pub(crate) static KIND_SAMPLED_STEPS: Setting =
    Setting::new("kind.sampled-steps", 4, "how many steps guesses are made of");
pub(crate) static TPA_MAX_LEVELS: Setting =
    Setting::new("tpa.max-levels", 40, "the longest paths have two to this power steps");
