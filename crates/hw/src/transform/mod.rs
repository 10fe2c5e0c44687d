//! Transforms of circuits, and the way back.
//!
//! `CIRCUIT_TRANSFORMS` is the table, in the order of application. Each transform is one function
//! from a circuit with one property to a smaller or simpler one with its way back; none means that
//! there was nothing to do. Invariants travel back *without proofs*: a transform translates the
//! invariant and adds the facts it used itself, and `carry_back` proves every obligation anew on the
//! circuit as read. Runs are carried back by simulation. So a transform that is wrong loses an
//! answer and never makes one.

mod cone;

pub use cone::cone;

use crate::certify::conclude;
use crate::circuit::first_bad;
use alphorn_engine::{Ctx, Event, Stop};
use alphorn_problem::{Back, Circuit, Verdict};

/// A transform, as the table and the manual see it.
pub struct CircuitTransform {
    /// Name on the command line.
    pub name: &'static str,
    /// One sentence for the manual.
    pub about: &'static str,
    /// Whether it is applied unless somebody says otherwise.
    pub is_default: bool,
    apply: fn(&Circuit, &mut Ctx<'_>) -> Result<Option<Change>, Stop>,
}

/// A changed circuit, and how what is said about it becomes something about the circuit before.
pub struct Change {
    /// The circuit after the transform; its first property stands for the first one before.
    pub circuit: Circuit,
    /// The way back, for invariants without proofs and for runs.
    pub back: Back<Circuit, Circuit>,
}

/// All transforms, in the order of application.
pub static CIRCUIT_TRANSFORMS: &[CircuitTransform] = &[CircuitTransform {
    name: "cone",
    about: "drops what the property and the constraints do not depend on",
    is_default: true,
    apply: cone::apply,
}];

/// The circuit after the chosen transforms, and the way back through all of them.
pub fn simplify_circuit(
    circuit: &Circuit,
    chosen: &[&CircuitTransform],
    ctx: &mut Ctx<'_>,
) -> Result<(Circuit, Back<Circuit, Circuit>), Stop> {
    first_bad(circuit)?;
    let mut small = circuit.clone();
    let mut back = Back::identity();
    for transform in chosen {
        ctx.tick(1 + u64::from(small.max_var()) / 64)?;
        let Some(change) = (transform.apply)(&small, ctx)? else { continue };
        let size = |c: &Circuit| (c.inputs, c.latches.len(), c.ands.len());
        let remark =
            format!("{}: {:?} → {:?}", transform.name, size(&small), size(&change.circuit));
        ctx.emit(Event::Remark(remark));
        small = change.circuit;
        back = back.after(change.back);
    }
    Ok((small, back))
}

/// A verdict on the simplified circuit as one on the circuit as read, its certificate proved.
pub fn carry_back(
    original: &Circuit,
    back: &Back<Circuit, Circuit>,
    verdict: Verdict<Circuit>,
    ctx: &mut Ctx<'_>,
) -> Result<Verdict<Circuit>, Stop> {
    let verdict = back.verdict(verdict).map_err(|lost| Stop::Stuck(lost.0))?;
    conclude(original, verdict, ctx)
}
