//! Settings: numbers that set how hard engines and solvers try, and can be set from outside.
//!
//! Each crate has one table of its settings (`settings!`), with the values that measurements chose.
//! Experiments set others (`--set NAME=VALUE`). A setting is read where it is used, for the price of a
//! load, so it reaches code that is given no context, such as the inner loops of a theory. In return it is
//! set for the whole process, before its first run: experiments compare processes.
//!
//! Invariant: no answer depends on a setting but for whether and when it is found. What is part of trust,
//! of a format or of what a tick is worth is a constant, and stays beside its code.

use std::sync::atomic::{AtomicU64, Ordering};

/// The largest value of any setting: products of a few of them stay within 64 bits.
pub const MAX_VALUE: u64 = 1 << 40;

/// A number that can be set.
#[derive(Debug)]
pub struct Setting {
    /// What it is called: the part it belongs to, a dot, and its own name.
    pub name: &'static str,
    /// One sentence for the manual.
    pub about: &'static str,
    /// The value unless somebody says otherwise.
    pub usual: u64,
    /// The smallest value that makes sense.
    pub least: u64,
    value: AtomicU64,
}

impl Setting {
    /// A setting with its usual value and its least.
    pub const fn new(name: &'static str, usual: u64, least: u64, about: &'static str) -> Setting {
        assert!(least <= usual && usual <= MAX_VALUE, "the usual value is one that can be set");
        Setting { name, about, usual, least, value: AtomicU64::new(usual) }
    }

    /// The value.
    #[inline]
    pub fn get(&self) -> u64 {
        self.value.load(Ordering::Relaxed)
    }

    /// The value as a size.
    #[inline]
    pub fn size(&self) -> usize {
        usize::try_from(self.get()).unwrap_or(usize::MAX)
    }

    /// The value as a small number, the largest there is if it is too large.
    #[inline]
    pub fn short(&self) -> u32 {
        u32::try_from(self.get()).unwrap_or(u32::MAX)
    }

    /// The value as so many hundredths.
    #[inline]
    pub fn percent(&self) -> f64 {
        self.get() as f64 / 100.0
    }

    /// Whether it can be set to a value.
    pub fn allows(&self, value: u64) -> bool {
        (self.least..=MAX_VALUE).contains(&value)
    }

    /// Sets it to a value that it allows, for the rest of the process.
    pub fn set(&self, value: u64) {
        assert!(self.allows(value), "{} is from {} to {MAX_VALUE}", self.name, self.least);
        self.value.store(value, Ordering::Relaxed);
    }
}

/// The table of a crate's settings: a static for each row, and `SETTINGS` with all of them. A row is the
/// static, its name outside, its usual value, the least one if that is not 0, and a sentence.
#[macro_export]
macro_rules! settings {
    ($($id:ident $name:literal $usual:literal $(>= $least:literal)? $about:literal;)*) => {
        /// All settings of this crate.
        pub static SETTINGS: &[&$crate::Setting] = &[$(&$id,)*];

        $(
            #[doc = $about]
            pub(crate) static $id: $crate::Setting =
                $crate::Setting::new($name, $usual, 0 $(+ $least)?, $about);
        )*
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    settings! {
        ONE "test.one" 5      "a number";
        TWO "test.two" 7 >= 2 "a number that is at least two";
    }

    #[test]
    fn a_setting_has_its_usual_value_until_it_is_set() {
        assert_eq!((ONE.get(), SETTINGS.len()), (5, 2));
        ONE.set(MAX_VALUE);
        assert_eq!((ONE.get(), ONE.usual, ONE.short()), (MAX_VALUE, 5, u32::MAX));
    }

    #[test]
    fn values_out_of_range_are_not_allowed() {
        assert_eq!([0, 1, 2, MAX_VALUE].map(|value| TWO.allows(value)), [false, false, true, true]);
        assert!(!TWO.allows(MAX_VALUE + 1));
        assert_eq!(TWO.percent(), 0.07);
    }
}
