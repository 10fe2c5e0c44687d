//! Calls that are remembered: what a pure function returned, by its arguments.
//!
//! A call of a pure function (`pure`) with integers that it was called with before in the same run, and from which it
//! returned, takes one step and returns the same. That is what it would do: nothing else than its
//! arguments decides, and what ends a run ends it in the first of the calls. So a run comes to the same end with
//! and without remembering, as long as it comes to an end within its limits; only its steps are fewer.
//!
//! What is remembered is bounded, and the order of the calls decides what that is.
//!
//! Source: memo functions \[Mic68\].

use super::value::Value;
use crate::c::tree::FuncId;
use rustc_hash::FxHashMap;

/// A call that takes fewer steps is not worth a place.
const MIN_STEPS: u64 = 16;
/// The most numbers that are kept, arguments and results.
const MAX_NUMBERS: usize = 1 << 20;

/// What a call came to.
#[derive(Clone, Copy, Debug)]
struct Known {
    result: i128,
    /// The steps it takes if nothing is remembered.
    steps: u64,
}

/// When a call began: the steps that were taken, and those that were spared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Begun {
    taken: u64,
    spared: u64,
    args: usize,
}

/// The calls that a run remembers.
#[derive(Debug, Default)]
pub(super) struct Recall {
    /// By function.
    known: FxHashMap<u32, FxHashMap<Box<[i128]>, Known>>,
    numbers: usize,
    /// The arguments of the calls that are being run, one after the other.
    args: Vec<i128>,
    /// The steps that were not taken.
    pub(super) spared: u64,
}

/// What to do about a call.
pub(super) enum Recalled {
    /// It returns this.
    Result(Value),
    /// It is to be run, and remembered when it returns.
    Run(Begun),
    /// It is to be run.
    Other,
}

impl Recall {
    /// Looks a call up, after so many steps.
    pub(super) fn begin(&mut self, function: FuncId, args: &[Value], taken: u64) -> Recalled {
        let from = self.args.len();
        for arg in args {
            let Value::Int(number) = arg else {
                self.args.truncate(from);
                return Recalled::Other;
            };
            self.args.push(*number);
        }
        let known = self.known.get(&function.0).and_then(|calls| calls.get(&self.args[from..]));
        if let Some(known) = known {
            self.spared = self.spared.saturating_add(known.steps);
            self.args.truncate(from);
            return Recalled::Result(Value::Int(known.result));
        }
        Recalled::Run(Begun { taken, spared: self.spared, args: args.len() })
    }

    /// The call that began last returns, after so many steps.
    pub(super) fn end(&mut self, function: FuncId, begun: Begun, result: Value, taken: u64) {
        let from = self.args.len() - begun.args;
        let steps = (taken - begun.taken).saturating_add(self.spared - begun.spared);
        if let Value::Int(result) = result
            && steps >= MIN_STEPS
            && self.numbers < MAX_NUMBERS
        {
            self.numbers += begun.args + 1;
            let args = self.args[from..].into();
            self.known.entry(function.0).or_default().insert(args, Known { result, steps });
        }
        self.args.truncate(from);
    }
}
