//! The settings of the engines for flows, in one table.

use alphorn_engine::Setting;

/// All settings of this crate.
pub static SETTINGS: &[&Setting] = &[];
