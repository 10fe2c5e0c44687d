//! Options, logics, and information about the program.
//!
//! An option that decides what the solver records must be set before the first assertion. What is
//! not known is answered by `unsupported`, as the standard has it.

use crate::Request;
use crate::kernel::{Kernel, Settings};
use crate::question::State;
use crate::session::{Reply, Session};
use alphorn_front::smtlib::general::{self, Attribute, reply};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The options and what they are if the script does not say.
const DEFAULTS: &[(&str, &str)] = &[
    (":diagnostic-output-channel", "\"stderr\""),
    (":global-declarations", "false"),
    (":interactive-mode", "true"),
    (":print-success", "false"),
    (":produce-assertions", "true"),
    (":produce-assignments", "true"),
    (":produce-interpolants", "false"),
    (":produce-models", "true"),
    (":produce-proofs", "false"),
    (":produce-unsat-assumptions", "true"),
    (":produce-unsat-cores", "false"),
    (":random-seed", "0"),
    (":regular-output-channel", "\"stdout\""),
    (":reproducible-resource-limit", "0"),
    (":rlimit", "0"),
    (":timeout", "0"),
    (":tlimit-per", "0"),
    (":verbosity", "0"),
];

/// Options that the solver is made with.
const EARLY: &[&str] =
    &[":produce-interpolants", ":produce-proofs", ":produce-unsat-cores", ":random-seed"];

/// Options of other solvers' own searches. They change no meaning, so whoever sets them is told
/// that it went well, and that it had no effect.
const FOREIGN: &[&str] = &[
    ":auto_config",
    ":fp.",
    ":model.",
    ":model_evaluator.",
    ":nlsat.",
    ":opt.",
    ":pi.",
    ":pp.",
    ":rewriter.",
    ":sat.",
    ":smt.",
    ":tactic.",
    ":type_check",
    ":well_sorted_check",
];

/// The largest number of 32 bits, with which callers of Z3 say that there is no limit.
const NO_LIMIT: u64 = u32::MAX as u64;

/// Ticks for each unit of Z3's `:rlimit`, so that the same number lasts about as long.
const TICKS_PER_RESOURCE: u64 = 16;

const UNSUPPORTED: &str = "unsupported";

/// The options that the caller or the script has set.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    set: BTreeMap<String, String>,
}

impl Request {
    /// Whether the options that are in force from the beginning can be; what is wrong if not.
    pub fn check_options(&self) -> Result<(), String> {
        for (keyword, value) in &self.options {
            let shape = general::option_shape(keyword, value);
            shape.map_err(|wants| format!("the option {keyword} takes {wants}"))?;
            if !is_known(keyword) && !is_foreign(keyword) {
                return Err(format!("there is no option {keyword}"));
            }
        }
        Ok(())
    }
}

fn is_known(keyword: &str) -> bool {
    DEFAULTS.iter().any(|(name, _)| *name == keyword)
}

fn is_foreign(keyword: &str) -> bool {
    FOREIGN.iter().any(|name| match name.ends_with('.') {
        true => keyword.starts_with(name),
        false => keyword == *name,
    })
}

impl Options {
    /// The options at the beginning.
    pub(crate) fn new(request: &Request) -> Options {
        Options { set: request.options.iter().cloned().collect() }
    }

    fn value(&self, keyword: &str) -> Option<&str> {
        let default = DEFAULTS.iter().find(|(name, _)| *name == keyword);
        self.set.get(keyword).map(String::as_str).or(default.map(|(_, value)| *value))
    }

    /// Whether an option is set to true.
    pub(crate) fn is_on(&self, keyword: &str) -> bool {
        self.value(keyword) == Some("true")
    }

    /// Whether remarks go to where the replies go.
    pub(crate) fn are_remarks_replies(&self) -> bool {
        self.value(":diagnostic-output-channel") == Some("\"stdout\"")
    }

    /// The reply to `get-option`.
    pub(crate) fn reply(&self, keyword: &str) -> String {
        self.value(keyword).unwrap_or(UNSUPPORTED).to_owned()
    }

    /// The milliseconds that a question may take.
    pub(crate) fn question_time(&self, request: &Request) -> Option<u64> {
        let times = [":timeout", ":tlimit-per"].into_iter().filter_map(|keyword| {
            let milliseconds: u64 = self.set.get(keyword)?.parse().ok()?;
            let is_limit = milliseconds > 0 && milliseconds != NO_LIMIT;
            is_limit.then_some(milliseconds)
        });
        times.chain(request.question_milliseconds).min()
    }

    /// How the solver is to be made.
    pub(crate) fn settings(&self, request: &Request) -> Settings {
        let number = |keyword: &str| self.set.get(keyword).and_then(|value| value.parse().ok());
        let asks_proofs = self.is_on(":produce-proofs") || self.is_on(":produce-interpolants");
        let proofs = request.check || asks_proofs;
        // Zero stands for no limit.
        let limit = number(":reproducible-resource-limit").filter(|&limit: &u64| limit > 0);
        let conflicts = match (limit, request.conflicts) {
            (Some(own), Some(other)) => Some(own.min(other)),
            (own, other) => own.or(other),
        };
        let ticks = number(":rlimit").filter(|&limit: &u64| limit > 0);
        Settings {
            proofs,
            cores: !proofs && self.is_on(":produce-unsat-cores"),
            seed: number(":random-seed").map_or(request.seed, |seed| seed as u32),
            conflicts,
            ticks: ticks.map(|limit| limit.saturating_mul(TICKS_PER_RESOURCE)),
            interrupt: Arc::clone(&request.interrupt),
        }
    }
}

impl<K: Kernel> Session<'_, K> {
    pub(crate) fn set_logic(&mut self, logic: &str) -> Reply {
        if self.logic.is_some() {
            return Err("the logic is set already".to_owned());
        }
        self.logic = Some(logic.to_owned());
        Ok((!is_logic(logic)).then(|| UNSUPPORTED.to_owned()))
    }

    pub(crate) fn set_option(&mut self, attribute: &Attribute) -> Reply {
        let keyword = attribute.keyword.as_str();
        let value = attribute.value.clone().unwrap_or_default();
        let is_other_channel = match keyword {
            ":regular-output-channel" => value != "\"stdout\"",
            ":diagnostic-output-channel" => !matches!(value.as_str(), "\"stdout\"" | "\"stderr\""),
            _ => false,
        };
        if is_foreign(keyword) {
            let message = "options of another solver's search have no effect here";
            self.remark = self.remark.take().or(Some(message));
            return Ok(None);
        }
        if !is_known(keyword) || is_other_channel {
            return Ok(Some(UNSUPPORTED.to_owned()));
        }
        if EARLY.contains(&keyword) && self.has_begun {
            return Err(format!("{keyword} must be set before the first assertion"));
        }
        self.options.set.insert(keyword.to_owned(), value);
        Ok(None)
    }

    pub(crate) fn get_info(&mut self, keyword: &str) -> Reply {
        let value = match keyword {
            ":name" => reply::string("Alphorn"),
            ":version" => reply::string(env!("CARGO_PKG_VERSION")),
            ":authors" => reply::string("the authors of Alphorn"),
            ":error-behavior" => "continued-execution".to_owned(),
            ":assertion-stack-levels" => self.level().to_string(),
            ":reason-unknown" => match &self.state {
                State::Unknown(reason) => reply::string(reason),
                _ => return Err("the last answer was not unknown".to_owned()),
            },
            ":all-statistics" => {
                let counts = self.statistics();
                let lines = counts
                    .iter()
                    .map(|(name, count)| format!(":{} {count}", name.replace(' ', "-")));
                return Ok(Some(format!("({})", lines.collect::<Vec<String>>().join("\n "))));
            }
            _ => match self.infos.get(keyword) {
                Some(value) => value.clone(),
                None => return Ok(Some(UNSUPPORTED.to_owned())),
            },
        };
        Ok(Some(format!("({keyword} {value})")))
    }
}

/// Whether a name is that of a logic over theories that are read: arrays, declared functions,
/// words, datatypes, arithmetic, each in this order. pySMT has names of its own: `BOOL`, and marks
/// at the end for constant arrays and declared sorts.
fn is_logic(name: &str) -> bool {
    let name = name.strip_suffix(['*', 't']).unwrap_or(name);
    if matches!(name, "ALL" | "QF_ALL" | "HORN" | "QF_AX") {
        return true;
    }
    let name = name.strip_prefix("QF_").unwrap_or(name);
    if name.is_empty() {
        return false;
    }
    let mut rest = name;
    for theory in ["A", "UF", "BV", "DT"] {
        rest = rest.strip_prefix(theory).unwrap_or(rest);
    }
    matches!(rest, "" | "BOOL" | "LIA" | "LRA" | "LIRA" | "NIA" | "NRA" | "NIRA" | "IDL" | "RDL")
}

#[cfg(test)]
mod tests {
    use super::is_logic;

    #[test]
    fn logics() {
        for name in [
            "ALL", "QF_LIA", "QF_UFLRA", "AUFLIRA", "QF_ABV", "QF_IDL", "UF", "UFDTLIA", "QF_BOOL",
            "QF_ALIA*",
        ] {
            assert!(is_logic(name), "{name}");
        }
        for name in ["QF_S", "QF_FP", "QF_", "", "LINEAR", "QF_SLIA", "QF_BVFP"] {
            assert!(!is_logic(name), "{name}");
        }
    }
}
