//! Transforms of circuits, and the way back.
//!
//! `CIRCUIT_TRANSFORMS` is the table, in the order of application. Each transform is one function
//! from a circuit with one property to a smaller or simpler one with its way back; none means that
//! there was nothing to do. Invariants travel back *without proofs*: a transform translates the
//! invariant and adds the facts it used itself, and every obligation is proved on the circuit as read
//! (`certify`). Runs are carried back by simulation. So a transform that is wrong loses an
//! answer and never makes one.

mod classes;
mod cone;
mod constants;
mod correspondence;
mod facts;
mod flag;
mod fold;
mod forward;
mod graph;
mod phase;
mod prove;
mod resets;
mod rewrite;
mod sticky;
mod sweep;

pub use cone::cone;
pub(crate) use cone::cone_latches;
pub use forward::{carry_forward, origins};

use crate::circuit::{first_bad, influence};
use crate::settings::TRANSFORMS_MAX_ROUNDS;
use alphorn_engine::{Back, Ctx, Event, Stop};
use alphorn_problem::Circuit;
use alphorn_problem::circuit::Lit;

/// A transform, as the table and the manual see it.
pub struct CircuitTransform {
    /// Name on the command line.
    pub name: &'static str,
    /// One sentence for the manual.
    pub about: &'static str,
    /// Whether it is applied unless somebody says otherwise.
    pub is_default: bool,
    /// Whether it may find more to do once others have done their part.
    repeats: Repeats,
    apply: fn(&Circuit, &mut Ctx<'_>) -> Result<Option<Change>, Stop>,
}

/// When a transform has another turn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Repeats {
    Never,
    /// When the circuit has changed.
    Cheaply,
    /// When the circuit has lost an eighth of its variables.
    AtACost,
}

/// A changed circuit, and how what is said about it becomes something about the circuit before.
pub struct Change {
    /// The circuit after the transform; its first property stands for the first one before.
    pub circuit: Circuit,
    /// The way back, for invariants without proofs and for runs.
    pub back: Back<Circuit, Circuit>,
    /// What was found, in a few words.
    pub about: String,
}

/// All transforms, in the order of application.
pub static CIRCUIT_TRANSFORMS: &[CircuitTransform] = &[
    CircuitTransform {
        name: "cone",
        about: "drops what the property and the constraints do not depend on",
        is_default: true,
        repeats: Repeats::Cheaply,
        apply: cone::apply,
    },
    CircuitTransform {
        name: "constants",
        about: "replaces latches that never change and what constraints force by their values",
        is_default: true,
        repeats: Repeats::Cheaply,
        apply: constants::apply,
    },
    CircuitTransform {
        name: "rewrite",
        about: "makes equal gates one, and simplifies gates by looking at their operands",
        is_default: true,
        repeats: Repeats::Cheaply,
        apply: rewrite::apply,
    },
    CircuitTransform {
        name: "correspondence",
        about: "makes latches one that are equal or opposite in all reachable states [vE00]",
        is_default: true,
        repeats: Repeats::AtACost,
        apply: correspondence::apply,
    },
    CircuitTransform {
        name: "sweep",
        about: "makes gates one that are equal or opposite in all states",
        is_default: true,
        repeats: Repeats::AtACost,
        apply: sweep::apply,
    },
    CircuitTransform {
        name: "phase",
        about: "makes two steps one where a latch toggles in every step [BK05]",
        is_default: false,
        repeats: Repeats::Never,
        apply: phase::apply,
    },
    CircuitTransform {
        name: "resets",
        about: "evaluates reset functions in the first step, told by a latch",
        is_default: false,
        repeats: Repeats::Never,
        apply: resets::apply,
    },
    CircuitTransform {
        name: "fold",
        about: "turns constraints into a latch that remembers their violation",
        is_default: false,
        repeats: Repeats::Never,
        apply: fold::apply,
    },
    CircuitTransform {
        name: "sticky",
        about: "remembers a violation for ever",
        is_default: false,
        repeats: Repeats::Never,
        apply: sticky::apply,
    },
];

/// The circuit after the chosen transforms, and the way back through all of them.
///
/// They are applied in rounds, in which a transform is left out if too little has changed since its
/// last turn, until nothing changes at all.
pub fn simplify_circuit(
    circuit: &Circuit,
    chosen: &[&CircuitTransform],
    ctx: &mut Ctx<'_>,
) -> Result<(Circuit, Back<Circuit, Circuit>), Stop> {
    first_bad(circuit)?;
    let mut small = circuit.clone();
    let mut back = Back::identity();
    let mut changes = 0;
    let mut seen = vec![None; chosen.len()];
    for round in 0..TRANSFORMS_MAX_ROUNDS.get() {
        for (transform, seen) in chosen.iter().zip(&mut seen) {
            let is_due = match (*seen, transform.repeats) {
                (None, repeats) => round == 0 || repeats != Repeats::Never,
                (Some(_), Repeats::Never) => false,
                (Some((at, _)), Repeats::Cheaply) => at < changes,
                (Some((_, before)), Repeats::AtACost) => size(&small) < before - before / 8,
            };
            if !is_due {
                continue;
            }
            ctx.tick(1 + u64::from(small.max_var()) / 64)?;
            let change = (transform.apply)(&small, ctx)?;
            if let Some(change) = change {
                let remark = format!("{}: {}", transform.name, change.about);
                ctx.emit(Event::Remark(remark));
                small = change.circuit;
                back = back.after(change.back);
                changes += 1;
            }
            *seen = Some((changes, size(&small)));
        }
    }
    Ok((small, back))
}

/// The circuit after the transforms of the default, and the way back.
pub fn simplify_by_default(
    circuit: &Circuit,
    ctx: &mut Ctx<'_>,
) -> Result<(Circuit, Back<Circuit, Circuit>), Stop> {
    let chosen: Vec<_> = CIRCUIT_TRANSFORMS.iter().filter(|card| card.is_default).collect();
    simplify_circuit(circuit, &chosen, ctx)
}

/// What the properties and constraints can depend on.
fn roots(circuit: &Circuit) -> impl Iterator<Item = Lit> {
    let fairness = if circuit.justice.is_empty() { &[] } else { &circuit.fairness[..] };
    (circuit.safety().iter().chain(&circuit.constraints))
        .chain(circuit.justice.iter().flatten())
        .chain(fairness)
        .copied()
}

/// Marks the variables that the properties and constraints depend on, over time.
fn sequential_cone(circuit: &Circuit) -> Vec<bool> {
    influence(circuit, roots(circuit), |index| {
        let latch = circuit.latches[index];
        [Some(latch.next), Some(latch.reset)]
    })
}

/// How many variables the properties and constraints depend on.
pub(crate) fn size(circuit: &Circuit) -> usize {
    sequential_cone(circuit).into_iter().filter(|seen| *seen).count()
}
