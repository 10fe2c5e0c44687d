//! C programs seen as Horn clauses.
//!
//! The clauses are those of the program's form, which is lowered from its tree; they are what a proof is
//! about, so a model of them needs no way back. A derivation is told as a list of choices, and the program
//! itself is run with them: only if that run ends with a violation has one been found.

use crate::c_schedule::{guide, has_threads};
use alphorn_engine::{Back, Lost, Seen};
use alphorn_problem::Horn;
use alphorn_problem::Span;
use alphorn_problem::evidence::horn::Derivation;
use alphorn_program::c::IntKind;
use alphorn_program::c::evidence::{Encoding, ProgramClaim, Run, clauses_of};
use alphorn_program::c::lower::{Lowered, Untreated};
use alphorn_program::c::property::{Asked, Choice, Task};
use alphorn_program::c::run::{Chooser, Limits, Listed, Outcome, Recorded, Runnable, Wanted};
use alphorn_program::clauses::Clauses;
use alphorn_program::clauses::story::{Told, tell};
use alphorn_term::{Int, Value};
use std::sync::Arc;

/// Longer derivations are not told as runs.
const MAX_EXPANDED: usize = 1 << 17;

/// A program as Horn clauses.
pub struct AsHorn {
    /// The program in the common form, and what its variables are.
    pub lowered: Lowered,
    /// Its clauses, what their predicates are about, and what happens along them.
    pub clauses: Arc<Clauses>,
    /// Which of the ways they are made in.
    pub encoding: Encoding,
    /// What is seen, and the way back.
    pub seen: Seen<Task, Horn>,
}

/// A program as clauses that are made in one way, or all that this way does not treat.
pub fn c_to_horn(task: &Task, encoding: impl Into<Encoding>) -> Result<AsHorn, Vec<Untreated>> {
    let encoding = encoding.into();
    let (lowered, made) = clauses_of(task, encoding)?;
    let made = Arc::new(made);
    let (task, told) = (task.clone(), Arc::clone(&made));
    let back = Back::new(
        move |model| Ok(ProgramClaim { encoding, model }),
        move |derivation: Derivation| run_of(&task, &told, &derivation),
    );
    let seen = Seen::new(made.horn.clone(), back);
    Ok(AsHorn { lowered, clauses: made, encoding, seen })
}

/// The run that a derivation is, made by running the program with the choices it tells.
fn run_of(task: &Task, clauses: &Clauses, derivation: &Derivation) -> Result<Run, Lost> {
    let derivation = derivation.expanded(&clauses.horn, MAX_EXPANDED);
    let derivation = derivation.ok_or_else(|| Lost("the run is too long to be told".to_owned()))?;
    let told = tell(clauses, &derivation);
    let told = told.ok_or_else(|| Lost("the derivation is no run of the program".to_owned()))?;
    let program = Runnable::new(task);
    let (ran, choices) = if has_threads(&told) {
        let (guide, mut taken) = guide(told, task);
        let mut choices = Recorded::new(guide);
        (program.run(&mut choices, Limits::default(), &mut taken), choices.choices)
    } else {
        let mut choices = Recorded::new(Teller { told: told.into_iter(), task });
        (program.run(&mut choices, Limits::default(), &mut ()), choices.choices)
    };
    match ran.outcome {
        Outcome::Violation(violation) => {
            let run = Run { choices, steps: ran.steps, violation };
            Ok(with_long_turns(&program, &run).unwrap_or(run))
        }
        other => {
            Err(Lost(format!("the run that the clauses have is none of the program: {other:?}")))
        }
    }
}

/// The run with turns of one thread that follow each other put together, if it is the same.
fn with_long_turns(program: &Runnable, run: &Run) -> Option<Run> {
    let mut choices: Vec<Choice> = Vec::new();
    for choice in &run.choices {
        match (choices.last_mut(), choice) {
            (Some(Choice::Turn { thread: last, points: all }), Choice::Turn { thread, points })
                if last == thread =>
            {
                *all += points
            }
            _ => choices.push(choice.clone()),
        }
    }
    let mut listed = Listed::new(&choices);
    let ran = program.run(&mut listed, Limits::default(), &mut ());
    let is_same = ran.outcome == Outcome::Violation(run.violation);
    let is_same = is_same && listed.used() == choices.len();
    is_same.then_some(Run { choices, steps: ran.steps, violation: run.violation })
}

/// Makes the choices that were told, as the program wants them.
pub(crate) struct Teller<'t> {
    told: std::vec::IntoIter<Told>,
    task: &'t Task,
}

impl Chooser for Teller<'_> {
    fn choose(&mut self, _: Asked, wanted: Wanted, _: Span) -> Option<Choice> {
        Teller::fit(self.task, self.told.next()?, wanted)
    }
}

impl Teller<'_> {
    /// What was told, as the program wants it.
    pub(crate) fn fit(task: &Task, told: Told, wanted: Wanted) -> Option<Choice> {
        match (told, wanted) {
            (Told::Value(value), Wanted::Int(kind)) => {
                Some(Choice::Value(Teller::fitting(task, number(&value)?, kind)))
            }
            (Told::Value(value), Wanted::Pointer) => {
                let kind = IntKind::UnsignedLong;
                Some(Choice::Value(Teller::fitting(task, number(&value)?, kind)))
            }
            (Told::Allocated(is), Wanted::Allocated) => Some(Choice::Allocated(is)),
            (Told::Contents(parts), Wanted::Contents(size)) => contents(&parts, size),
            _ => None,
        }
    }

    /// The value of a type that a number is, in words or not: those of words have no sign.
    fn fitting(task: &Task, value: i128, kind: IntKind) -> i128 {
        let bits = kind.bits(task.unit.types.model);
        if bits >= 128 {
            return value;
        }
        let rest = value.rem_euclid(1 << bits);
        let is_negative = kind.is_signed() && rest >> (bits - 1) & 1 == 1;
        if is_negative { rest - (1 << bits) } else { rest }
    }
}

/// A number that fits.
fn number(value: &Value) -> Option<i128> {
    let int = |value: &Int| value.to_string().parse().ok();
    match value {
        Value::Bool(value) => Some(i128::from(*value)),
        Value::Int(value) => int(value),
        Value::Bv(value) => int(&value.to_unsigned()),
        _ => None,
    }
}

/// What an object of so many bytes has in it.
fn contents(parts: &[(u64, u64, Value)], size: u64) -> Option<Choice> {
    let mut cells = Vec::new();
    let mut default = None;
    for (offset, stride, value) in parts {
        match value {
            Value::Array(array) if *stride > 0 => {
                let rest = number(array.default())?;
                for (index, value) in array.entries() {
                    let index = u64::try_from(number(index)?).ok();
                    let at =
                        index.and_then(|index| index.checked_mul(*stride)?.checked_add(*offset));
                    if let Some(at) = at.filter(|&at| at < size) {
                        cells.push((at, number(value)?));
                    }
                }
                match default {
                    None => default = Some(rest),
                    // One number stands for all other cells; another array says its own.
                    Some(other) if other == rest => {}
                    Some(_) => {
                        let mut at = *offset;
                        while at < size {
                            if !cells.iter().any(|(cell, _)| *cell == at) {
                                cells.push((at, rest));
                            }
                            at += stride;
                        }
                    }
                }
            }
            value => cells.push((*offset, number(value)?)),
        }
    }
    cells.sort_unstable();
    Some(Choice::Contents { cells, default: default.unwrap_or(0) })
}
