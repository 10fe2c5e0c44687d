//! Settings: numbers that set how engines and transforms behave, and can be set from outside.
//!
//! Each crate has one table of its settings, with the values that measurements chose. Experiments set
//! others (`--set NAME=VALUE`); whoever uses a setting asks its context for the value. No answer depends on
//! them but for whether and when it is found.

use std::collections::BTreeMap;
use std::sync::Arc;

/// A number that can be set.
#[derive(Debug)]
pub struct Setting {
    /// What it is called: the part it belongs to, a dot, and its own name.
    pub name: &'static str,
    /// One sentence for the manual.
    pub about: &'static str,
    /// The value unless somebody says otherwise.
    pub value: u64,
}

impl Setting {
    /// A setting with its usual value.
    pub const fn new(name: &'static str, value: u64, about: &'static str) -> Setting {
        Setting { name, about, value }
    }
}

/// The values that were set, by name.
#[derive(Clone, Debug, Default)]
pub struct Settings(Arc<BTreeMap<String, u64>>);

impl Settings {
    /// These values instead of the usual ones.
    pub fn new(values: BTreeMap<String, u64>) -> Settings {
        Settings(Arc::new(values))
    }

    /// The value of a setting.
    pub fn get(&self, setting: &Setting) -> u64 {
        self.0.get(setting.name).copied().unwrap_or(setting.value)
    }
}
