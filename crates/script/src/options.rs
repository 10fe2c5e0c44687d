//! Options: which there are, what they are if nobody sets them, and what solvers have to know of them.

use crate::Request;
use crate::kernel::Settings;
use alphorn_front::smtlib::general;
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
pub(crate) const EARLY: &[&str] =
    &[":produce-interpolants", ":produce-proofs", ":produce-unsat-cores", ":random-seed"];

/// Options of other solvers' own searches. They change no meaning, so whoever sets them is told
/// that it went well, and that it had no effect.
const FOREIGN: &[&str] = &[
    ":auto-config",
    ":auto_config",
    ":combined_solver.",
    ":fp.",
    ":lp.",
    ":model.",
    ":model_compress",
    ":model_evaluator.",
    ":nlsat.",
    ":nnf.",
    ":opt.",
    ":parallel.",
    ":pi.",
    ":pp.",
    ":rewriter.",
    ":sat.",
    ":sls.",
    ":smt.",
    ":tactic.",
    ":type_check",
    ":well_sorted_check",
];

/// The largest number of 32 bits, with which callers of Z3 say that there is no limit.
const NO_LIMIT: u64 = u32::MAX as u64;

/// Ticks for each unit of Z3's `:rlimit`, so that the same number lasts about as long.
const TICKS_PER_RESOURCE: u64 = 16;

/// The answer to what is not known.
pub(crate) const UNSUPPORTED: &str = "unsupported";

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

pub(crate) fn is_known(keyword: &str) -> bool {
    DEFAULTS.iter().any(|(name, _)| *name == keyword)
}

pub(crate) fn is_foreign(keyword: &str) -> bool {
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

    /// Sets an option, whose value fits it.
    pub(crate) fn set(&mut self, keyword: &str, value: String) {
        self.set.insert(keyword.to_owned(), value);
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
