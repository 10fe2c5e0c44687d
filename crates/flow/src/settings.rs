//! The settings of the engines for flows, in one table.

use alphorn_setting::Setting;

/// All settings of this crate.
pub static SETTINGS: &[&Setting] = &[];
