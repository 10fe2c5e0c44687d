//! The settings of what is done with Horn systems before engines and after, in one table.

use alphorn_engine::Setting;

/// All settings of this crate.
pub static SETTINGS: &[&Setting] = &[
    &INTERPOLATION_TICKS,
    &PROOF_INSTANCE_ROUNDS,
    &TRANSFORMS_MAX_GROWTH,
    &TRANSFORMS_MAX_ROUNDS,
    &TRANSFORMS_MAX_TICKS,
];

pub(crate) static INTERPOLATION_TICKS: Setting = Setting::new(
    "back.interpolation-ticks",
    3_000_000,
    "ticks for the definitions of inlined predicates by interpolation",
);
pub(crate) static PROOF_INSTANCE_ROUNDS: Setting = Setting::new(
    "proof.instance-rounds",
    200,
    "how often instances of quantified definitions are looked for in one clause",
);
pub(crate) static TRANSFORMS_MAX_GROWTH: Setting = Setting::new(
    "transforms.max-growth",
    8,
    "how many times as many terms a system may have after a transform as it had when it was read",
);
pub(crate) static TRANSFORMS_MAX_ROUNDS: Setting =
    Setting::new("transforms.max-rounds", 16, "how often the table of transforms is gone through");
pub(crate) static TRANSFORMS_MAX_TICKS: Setting =
    Setting::new("transforms.max-ticks", 20_000_000, "the ticks that one transform may spend");
