//! Runs of C programs, by running them.
//!
//! The program runs with the choices of the evidence and meets exactly the violation that the evidence
//! names, within the steps it names, having asked for every choice. How programs run is
//! `alphorn_program::c::run`, which is believed; nothing is looked for.

use crate::refusal::{Refusal, RefusalKind};
use alphorn_program::c::evidence::Run;
use alphorn_program::c::property::Task;
use alphorn_program::c::run::{Limits, Listed, Outcome, Runnable};

/// The most steps that a run may take: some seconds to some minutes.
pub const MAX_STEPS: u64 = 1 << 30;
/// The most memory that a run may use, in bytes.
pub const MAX_MEMORY: u64 = 1 << 30;
/// The most calls that may be open at once.
pub const MAX_DEPTH: u32 = 1 << 20;

/// Whether a run shows that the program violates one of the properties it is asked for.
pub fn check_run(task: &Task, run: &Run) -> Result<(), Refusal> {
    if !task.properties.contains(&run.violation.property) {
        let reason = format!("a violation of {}", run.violation.property.name());
        return Err(Refusal::beside(RefusalKind::OtherProperty, reason));
    }
    if run.steps > MAX_STEPS {
        let reason = format!("{} steps are more than {MAX_STEPS}", run.steps);
        return Err(Refusal::too_large("run", reason));
    }
    let limits = Limits { steps: run.steps, memory: MAX_MEMORY, depth: MAX_DEPTH };
    let mut choices = Listed::new(&run.choices);
    let outcome = Runnable::new(task).run(&mut choices, limits, &mut ()).outcome;
    let wanted = run.violation;
    match outcome {
        Outcome::Violation(met) if met == wanted && choices.used() == run.choices.len() => Ok(()),
        Outcome::Violation(met) if met == wanted => Err(Refusal::new(
            format!("choice {}", choices.used() + 1),
            "the run is over before it is asked for",
        )),
        Outcome::Violation(met) => Err(Refusal::new(
            "run",
            format!(
                "it violates {} at byte {} and not {} at byte {}",
                met.property.name(),
                met.span.start,
                wanted.property.name(),
                wanted.span.start
            ),
        )),
        Outcome::Limit => Err(Refusal::new(
            "run",
            format!("no violation within {} steps and the memory there is", run.steps),
        )),
        Outcome::Refused(reason, _) => {
            Err(Refusal::new(format!("choice {}", choices.used().max(1)), reason))
        }
        Outcome::Finished => Err(Refusal::new("run", "the program ends without a violation")),
        Outcome::Stopped(_) => {
            Err(Refusal::new("run", "the program stops itself without a violation"))
        }
        Outcome::Undefined(what, span) => {
            let reason = format!("what follows is not defined: {what}, at byte {}", span.start);
            Err(Refusal::new("run", reason))
        }
        Outcome::Untreated(what, span) => {
            let reason = format!("not treated: {what}, at byte {}", span.start);
            Err(Refusal::new("run", reason))
        }
    }
}
