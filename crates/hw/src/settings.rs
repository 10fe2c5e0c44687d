//! The settings of the engines and transforms for circuits and words, in one table.

use alphorn_engine::Setting;

/// All settings of this crate.
pub static SETTINGS: &[&Setting] = &[
    &CORRESPONDENCE_CONFLICTS,
    &MEMORY_MAX_CELLS,
    &SIM_MAX_STEPS,
    &SIM_MAX_WORK,
    &SWEEP_CONFLICTS,
    &TRANSFORMS_MAX_ROUNDS,
    &WORDS_SIM_MAX_STEPS,
];

pub(crate) static CORRESPONDENCE_CONFLICTS: Setting = Setting::new(
    "correspondence.conflicts",
    200,
    "conflicts for the question whether latches stay equal",
);
pub(crate) static MEMORY_MAX_CELLS: Setting =
    Setting::new("memory.max-cells", 64, "the most cells of large arrays that are followed");
pub(crate) static SIM_MAX_STEPS: Setting =
    Setting::new("sim.max-steps", 1 << 18, "the most steps of 64 patterns that are tried");
pub(crate) static SIM_MAX_WORK: Setting =
    Setting::new("sim.max-work", 1 << 33, "the most gates that are evaluated");
pub(crate) static SWEEP_CONFLICTS: Setting =
    Setting::new("sweep.conflicts", 100, "conflicts for the question whether gates are equal");
pub(crate) static TRANSFORMS_MAX_ROUNDS: Setting =
    Setting::new("circuit-transforms.max-rounds", 4, "the most rounds of transforms of circuits");
pub(crate) static WORDS_SIM_MAX_STEPS: Setting =
    Setting::new("words-sim.max-steps", 1 << 18, "the most steps on words that are tried");
