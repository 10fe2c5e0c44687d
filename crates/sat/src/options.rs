//! What can be switched and tuned, as one table.
//!
//! Each line names a field, its name outside, its default, its smallest and largest value, and what
//! it does. Help texts, range checks and the random choices of the fuzzer are derived from the
//! table. Switches are numbers in `0..=1`.

use crate::proof::Trace;

/// One line of the table.
pub struct OptionInfo {
    /// The name outside the program.
    pub name: &'static str,
    /// The value if nobody says otherwise.
    pub default: u32,
    /// The smallest value.
    pub min: u32,
    /// The largest value.
    pub max: u32,
    /// One sentence for the reader of a manual.
    pub about: &'static str,
}

macro_rules! options {
    ($($field:ident $name:literal $default:literal $min:literal $max:literal $about:literal;)*) => {
        /// The settings of a solver; see [`Options::TABLE`] for what they mean.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Options {
            $(#[doc = $about] pub $field: u32,)*
        }

        impl Default for Options {
            fn default() -> Options {
                Options { $($field: $default,)* }
            }
        }

        impl Options {
            /// All options.
            pub const TABLE: &'static [OptionInfo] = &[
                $(OptionInfo {
                    name: $name, default: $default, min: $min, max: $max, about: $about,
                },)*
            ];

            /// Sets the option called `name`, or says why that cannot be.
            pub fn set(&mut self, name: &str, value: u32) -> Result<(), String> {
                let info = Options::TABLE.iter().find(|info| info.name == name);
                let info = info.ok_or_else(|| format!("there is no option {name}"))?;
                if !(info.min..=info.max).contains(&value) {
                    return Err(format!("{name} must be from {} to {}", info.min, info.max));
                }
                match name {
                    $($name => self.$field = value,)*
                    _ => unreachable!("the table and the fields come from one list"),
                }
                Ok(())
            }
        }
    };
}

options! {
    chrono             "chrono"                  1 0 1          "Go back one level where a jump would be long.";
    chrono_jump        "chrono.jump"           100 0 1000000    "Longest jump over levels that is made.";
    decide_vmtf        "decide.vmtf"             1 0 1          "Order variables by their last bump while focused.";
    decide_decay       "decide.decay"           50 1 500        "Per mille that scores lose at each conflict while stable.";
    decide_reasons     "decide.reasons"          1 0 1          "Bump also the literals of the reasons of a learned clause.";
    eliminate          "eliminate"               1 0 1          "Eliminate variables by resolution.";
    eliminate_occurs   "eliminate.occurrences" 100 2 10000      "Largest number of occurrences of a literal to eliminate.";
    eliminate_clause   "eliminate.clause"      100 2 10000      "Largest resolvent.";
    eliminate_gates    "eliminate.gates"         1 0 1          "Resolve only with the definition of a variable that has one.";
    equivalence        "equivalence"             1 0 1          "Replace equivalent literals by one of them.";
    inprocess          "inprocess"               1 0 1          "Simplify between conflicts.";
    inprocess_first    "inprocess.first"       200 1 1000000    "Conflicts before the first simplification.";
    inprocess_interval "inprocess.interval"   2000 1 1000000    "Conflicts by which the intervals between simplifications grow.";
    minimize           "minimize"                1 0 1          "Remove implied literals from learned clauses.";
    minimize_binary    "minimize.binary"         1 0 1          "Remove literals from learned clauses by clauses of size two.";
    minimize_depth     "minimize.depth"       1000 0 1000       "Longest path that minimisation follows.";
    minimize_shrink    "minimize.shrink"         1 0 1          "Replace the literals of a level by one that implies them.";
    mode_switch        "mode.switch"             1 0 1          "Alternate between focused and stable search.";
    mode_stable        "mode.stable"             0 0 1          "Start with stable search.";
    mode_interval      "mode.interval"        1000 1 1000000   "Conflicts before the first change of mode.";
    phase_initial      "phase.initial"           1 0 1          "The value variables are given first.";
    phase_save         "phase.save"              1 0 1          "Give a variable the value it had last.";
    phase_target       "phase.target"            1 0 2          "Prefer the largest assignment without conflict: never, while stable, always.";
    phase_rephase      "phase.rephase"           1 0 1          "Reset saved phases now and then.";
    phase_interval     "phase.interval"       1000 1 1000000   "Conflicts before phases are first reset.";
    probe              "probe"                   1 0 1          "Look for literals whose propagation fails.";
    proof              "proof"                   0 0 2          "Record how learned clauses follow: never, with hints, without them.";
    proof_limit        "proof.limit"             0 0 4294967295 "Thousands of words above which a proof is given up; 0 for no limit.";
    proof_trim         "proof.trim"              0 0 4294967295 "Thousands of words from which on a proof is trimmed; 0 for never.";
    reduce             "reduce"                  1 0 1          "Delete learned clauses that seem useless.";
    reduce_between     "reduce.between"          0 0 1000       "Keep one learned clause for so many others between queries in domains; 0 for all.";
    reduce_interval    "reduce.interval"       300 1 1000000   "Conflicts before learned clauses are first reduced.";
    reduce_tier1       "reduce.tier1"            2 1 100        "Learned clauses of at most this LBD are kept.";
    reduce_tier2       "reduce.tier2"            6 1 1000       "Learned clauses of at most this LBD are kept while used.";
    reduce_percent     "reduce.percent"         75 1 100        "Share of the other learned clauses that goes.";
    restart            "restart"                 1 0 1          "Restart the search.";
    restart_interval   "restart.interval"        2 1 1000000    "Fewest conflicts between restarts while focused.";
    restart_luby       "restart.luby"         1024 1 1000000    "Unit of the Luby sequence of restarts while stable.";
    restart_margin     "restart.margin"         10 0 100        "Percent by which recent LBDs must exceed the average.";
    restart_reuse      "restart.reuse"           1 0 1          "Keep the part of the trail a restart would rebuild.";
    reuse_trail        "solve.reuse"             1 0 1          "Keep the trail of a common prefix of assumptions.";
    seed               "seed"                    0 0 4294967295 "Seed of the random choices.";
    simplify           "simplify"                1 0 1          "Remove satisfied clauses and false literals.";
    subsume            "subsume"                 1 0 1          "Remove and shorten clauses by others that imply them.";
    subsume_forward    "subsume.forward"         1 0 1          "Compare learned clauses too, each with the smaller ones.";
    vivify             "vivify"                  1 0 1          "Shorten clauses by propagating their negation.";
    vivify_effort      "vivify.effort"         200 0 10000      "Per mille of the search's ticks spent on vivification.";
    vivify_irredundant "vivify.irredundant"      1 0 1          "Vivify the clauses of the formula too.";
}

impl Options {
    /// The most words of a proof.
    fn proof_words(&self) -> u64 {
        match self.proof_limit {
            0 => u64::MAX,
            thousands => 1000 * u64::from(thousands),
        }
    }

    /// An empty proof, if one is to be recorded.
    pub(crate) fn new_trace(&self) -> Option<Trace> {
        match self.proof {
            0 => None,
            1 => Some(Trace::new(self.proof_words())),
            _ => Some(Trace::new_without_hints(self.proof_words())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_lie_in_their_ranges_and_names_are_unique() {
        for info in Options::TABLE {
            assert!((info.min..=info.max).contains(&info.default), "{}", info.name);
            let same = Options::TABLE.iter().filter(|other| other.name == info.name);
            assert_eq!(same.count(), 1, "{}", info.name);
        }
    }

    #[test]
    fn values_out_of_range_are_refused() {
        let mut options = Options::default();
        assert!(options.set("vivify", 2).is_err());
        assert!(options.set("no.such", 0).is_err());
        assert!(options.set("vivify", 0).is_ok());
        assert_eq!(options.vivify, 0);
    }
}
