//! Shadow runs: before a program is called safe, invariants are evaluated on runs of it.
//!
//! Runs are drawn, and whenever one comes to the head of a loop, what the model says about that place must
//! hold of the values there. Where it does not, the clauses are not those of the program: a fault of ours,
//! and no verdict. What a predicate says about values that cannot be seen there (elements of arrays, callers'
//! variables) is not looked at.

use crate::c_horn::AsHorn;
use crate::runs::sample;
use crate::settings::{SHADOW_MAX_VISITS, SHADOW_RUNS};
use alphorn_problem::Span;
use alphorn_problem::evidence::horn::{Definition, HornModel};
use alphorn_program::c::lower::{Origin, ScalarPart};
use alphorn_program::c::property::Task;
use alphorn_program::c::run::{Outcome, Runnable, State, Value as Run, Watcher};
use alphorn_program::clauses::{Argument, Site};
use alphorn_term::{Bv, Int, Model, Sort, Store, Value, eval};
use std::collections::BTreeMap;

/// What was seen in the runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shadow {
    /// How many runs there were.
    pub runs: usize,
    /// How many visits of heads satisfied their invariants.
    pub visits: u64,
}

/// Looks at runs of a program whose clauses have this model; an error where an invariant does not hold, or
/// a run violates what was proved.
pub fn shadow(task: &Task, seen: &AsHorn, model: &HornModel, seed: u64) -> Result<Shadow, String> {
    let mut watch = Watch {
        seen,
        terms: &model.terms,
        heads: BTreeMap::new(),
        visits: 0,
        left: 0,
        broken: None,
    };
    // What holds where all threads rest is said about no place of one of them.
    let spots = if seen.lowered.is_woven { &[][..] } else { &seen.clauses.spots };
    for (spot, definition) in spots.iter().zip(&model.preds) {
        if let Site::Head(proc, block) = spot.site {
            let block = &seen.clauses.program.proc(proc).blocks[block.0 as usize];
            watch.heads.entry(block.span.start).or_default().push((&spot.args, definition));
        }
    }
    let program = Runnable::new(task);
    let drawn = sample(task, seed, SHADOW_RUNS.size());
    for one in &drawn {
        watch.left = SHADOW_MAX_VISITS.get();
        let outcome = one.replay(&program, &mut watch);
        if let Some(at) = watch.broken {
            return Err(format!("a run does not satisfy the invariant at byte {at}"));
        }
        if let Outcome::Violation(violation) = outcome {
            let (name, at) = (violation.property.name(), violation.span.start);
            return Err(format!("a run violates {name} at byte {at}"));
        }
    }
    Ok(Shadow { runs: drawn.len(), visits: watch.visits })
}

/// Evaluates invariants where runs come by.
struct Watch<'a> {
    seen: &'a AsHorn,
    terms: &'a Store,
    /// What is said about each head: once for every copy of its procedure.
    heads: BTreeMap<u32, Vec<(&'a Vec<Argument>, &'a Definition)>>,
    visits: u64,
    left: u64,
    broken: Option<u32>,
}

impl Watcher for Watch<'_> {
    // An invariant speaks about globals as well, which may differ from call to call.
    fn sees_repeated_calls(&self) -> bool {
        true
    }

    fn loop_head(&mut self, span: Span, state: &State<'_>) {
        if self.left == 0 || self.broken.is_some() {
            return;
        }
        let Some(heads) = self.heads.get(&span.start) else { return };
        // A visit is one of some copy, and nobody says which.
        let mut holds = false;
        for (args, definition) in heads {
            holds |= self.holds(args, definition, state).unwrap_or(true);
        }
        self.left -= 1;
        self.visits += u64::from(holds);
        if !holds {
            self.broken = Some(span.start);
        }
    }
}

impl Watch<'_> {
    /// Whether a definition holds of the values of its arguments; nothing if one of them is not seen.
    fn holds(&self, args: &[Argument], definition: &Definition, state: &State<'_>) -> Option<bool> {
        let mut model = Model::new();
        let used = self.terms.free_vars(&[definition.body]);
        for (arg, &param) in args.iter().zip(&definition.params) {
            if !used.contains(&param) {
                continue;
            }
            let Argument::Now(var) = arg else { return None };
            let origin = self.seen.lowered.origins.get(var.0 as usize)?;
            let Origin::Variable { var, path, part: ScalarPart::Value } = origin else {
                return None;
            };
            let Run::Int(number) = state.var(*var).filter(|_| path.is_empty())? else {
                return None;
            };
            let number = Int::from(number);
            let value = match self.terms.sort_of(self.terms.sort(param)) {
                Sort::Int => Value::Int(number),
                Sort::BitVec(width) => Value::Bv(Bv::from_int(*width, &number)),
                _ => return None,
            };
            model.set(param, value);
        }
        Some(eval(self.terms, definition.body, &model).ok()? == Value::Bool(true))
    }
}
