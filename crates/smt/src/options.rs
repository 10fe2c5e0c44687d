//! What can be chosen about a solver.

use crate::settings::{OPTIMIZE_ROUNDS, PRODUCTS_ROUNDS};

/// The settings of a solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Record what proofs and interpolants are made from.
    pub proofs: bool,
    /// Let `core` tell which assertions were needed.
    pub cores: bool,
    /// How often instances of quantified formulas are looked for in one query; without any they
    /// are not understood, and with `UNLIMITED_ROUNDS` the budget alone ends the search.
    pub instance_rounds: u32,
    /// Whether instances may be as many in one round, and as far from the formulas that were given,
    /// as it needs.
    pub far_instances: bool,
    /// How often instances are taken out of models in one query.
    pub model_rounds: u32,
    /// Whether ranges of words are looked at in a query without a limit on conflicts that takes long.
    pub word_ranges: bool,
    /// Seed of the random choices.
    pub seed: u32,
    /// How often models that have a product of unknowns wrong are refined in one query.
    pub product_rounds: u32,
    /// How many models are looked at for one greatest value.
    pub optimize_rounds: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            proofs: false,
            cores: false,
            instance_rounds: 0,
            far_instances: false,
            model_rounds: u32::MAX,
            word_ranges: false,
            seed: 0,
            product_rounds: PRODUCTS_ROUNDS.short(),
            optimize_rounds: OPTIMIZE_ROUNDS.short(),
        }
    }
}
