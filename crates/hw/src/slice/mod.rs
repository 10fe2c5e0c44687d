//! Slices: a circuit whose data paths are thin, as most of the inputs that are alike are constant.
//!
//! A violation seldom needs all bits of a wide word. Of many inputs and first values that look alike (`alike`) one is
//! left open and the others are *shut*: they have a value, with which the constraints can be satisfied in some first step.
//! The circuit that is left has data paths of one bit, and constants make it as small as one that was built so. Its runs are
//! runs of the whole circuit, so a violation is one of the whole.
//!
//! That a slice has no violation says nothing by itself. `Sliced` then asks which of the shut ones the proof needs
//! (`reason`). If none, the invariant of the slice is one of the whole. Otherwise of each class that is needed twice as many
//! are opened, and the wider slice is decided in turn. Engines behind the view `SLICE` do not widen.
//!
//! An *under-approximation* that is widened by proofs, after Grumberg, Lerda, Strichman, Theobald, "Proof-guided
//! Underapproximation-Widening for Multi-process Systems" (POPL 2005), for runs of one length. That one bit of a word may
//! stand for all is data independence (Wolper, POPL 1986). Classes by colours and invariants as proofs are ours.

mod alike;
mod reason;

use crate::bmc::unroll::{Start, Unrolling};
use crate::certify::shrink;
use crate::circuit::first_bad;
use crate::select::select_circuit;
use crate::settings::{SLICE_KEPT, SLICE_LEAST, SLICE_ROUNDS, SLICE_SHARE};
use crate::transform::{simplify_by_default, size};
use alike::classes;
use alphorn_engine::{Back, Card, Ctx, Engine, Event, Lost, Seen, Steps, Stop, View};
use alphorn_problem::circuit::Lit;
use alphorn_problem::evidence::circuit::{CircuitClaim, Invariant};
use alphorn_problem::{Circuit, Finding};
use std::collections::BTreeSet;

/// A circuit as a slice of it that is not widened.
pub static SLICE: View<Circuit, Circuit> =
    View { name: "slice", steps: Steps::Changed, make: make_slice };

fn make_slice(circuit: &Circuit, ctx: &mut Ctx<'_>) -> Result<Seen<Circuit, Circuit>, Stop> {
    first_bad(circuit)?;
    let (selected, unselect) = select_circuit(circuit, 0);
    let (small, back) = Slices::new(&selected, ctx)?.simplified(ctx)?;
    let widened = Back::new(
        |_| Err(Lost("a slice has no violation, which says nothing of the whole".into())),
        Ok,
    );
    Ok(Seen::new(small, unselect.after(widened).after(back)))
}

/// Slices that are widened by proofs, each decided by an engine.
pub struct Sliced(pub &'static Card<Circuit>);

impl Engine<Circuit> for Sliced {
    fn run(&mut self, circuit: &Circuit, ctx: &mut Ctx<'_>) -> Result<Finding<Circuit>, Stop> {
        first_bad(circuit)?;
        let (selected, unselect) = select_circuit(circuit, 0);
        let mut slices = Slices::new(&selected, ctx)?;
        loop {
            let (small, back) = slices.simplified(ctx)?;
            let mut engine = (self.0.build)();
            let finding = Seen::new(small, back).decide(&mut *engine, Steps::Changed, ctx)?;
            let finding = match finding {
                Finding::Holds(claim) => slices.widen(claim, ctx)?,
                fails => Some(fails),
            };
            if let Some(finding) = finding {
                return unselect.finding(finding, ctx);
            }
        }
    }
}

/// The slices of a circuit with one property.
struct Slices<'a> {
    circuit: &'a Circuit,
    /// Inputs and first values that are alike, where they are many.
    classes: Vec<Vec<u32>>,
    /// The literals that are true in the slice: inputs, and latches in the first state.
    shut: BTreeSet<Lit>,
}

impl<'a> Slices<'a> {
    /// The thinnest slice, if inputs are alike.
    fn new(circuit: &'a Circuit, ctx: &mut Ctx<'_>) -> Result<Slices<'a>, Stop> {
        let mut classes = classes(circuit, SLICE_ROUNDS.get());
        classes.retain(|class| class.len() >= SLICE_LEAST.size());
        let kept = |class: &Vec<u32>| SLICE_KEPT.size().min(class.len());
        let shut: Vec<u32> =
            classes.iter().flat_map(|class| class[kept(class)..].iter().copied()).collect();
        if shut.is_empty() {
            return Err(Stop::Stuck("no inputs are alike".into()));
        }
        let mut unrolling = Unrolling::new(circuit, Start::Reset);
        unrolling.step(0)?;
        if !unrolling.has_run(ctx)? {
            return Err(Stop::Stuck("no first step satisfies the constraints".into()));
        }
        let (state, inputs) = unrolling.run(0);
        let value = |var: u32| match (var - 1).checked_sub(circuit.inputs) {
            Some(latch) => state[latch as usize],
            None => inputs[0][var as usize - 1],
        };
        let shut = shut.into_iter().map(|var| Lit::new(var, !value(var))).collect();
        Ok(Slices { circuit, classes, shut })
    }

    /// The slice: an input that is constrained to a value has it, and a latch begins with its own.
    fn slice(&self) -> Circuit {
        let mut slice = self.circuit.clone();
        for lit in &self.shut {
            match (lit.var() - 1).checked_sub(slice.inputs) {
                Some(latch) => {
                    slice.latches[latch as usize].reset = Lit::TRUE.xor(lit.is_negated());
                }
                None => slice.constraints.push(*lit),
            }
        }
        slice
    }

    /// The slice as transforms leave it, if it is much smaller than the circuit.
    fn simplified(&self, ctx: &mut Ctx<'_>) -> Result<(Circuit, Back<Circuit, Circuit>), Stop> {
        let (small, back) = simplify_by_default(&self.slice(), ctx)?;
        let [before, after] = [self.circuit, &small].map(size);
        let shut = self.shut.len();
        let remark = format!("slice: {shut} inputs and first values are shut: {before} to {after}");
        ctx.emit(Event::Remark(remark));
        if 100 * after > SLICE_SHARE.size() * before {
            return Err(Stop::Stuck("a slice is hardly smaller than the circuit".into()));
        }
        Ok((small, back))
    }

    /// Opens what a claim about the slice needs; a claim that needs nothing is one about the circuit.
    fn widen(
        &mut self,
        claim: CircuitClaim,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Finding<Circuit>>, Stop> {
        let Invariant::Clauses(clauses) = claim.invariant else {
            return Err(Stop::Stuck("what a slice needs is read off clauses alone".into()));
        };
        let clauses = shrink(&self.slice(), 0, clauses, ctx)?;
        let needed = reason::needed(self.circuit, &clauses, &self.shut, ctx)?;
        if needed.is_empty() {
            let claim = CircuitClaim::of(Invariant::Clauses(clauses));
            return Ok(Some(Finding::Holds(claim)));
        }
        for class in &self.classes {
            let is_shut = |var: &u32| {
                (self.shut).contains(&Lit::new(*var, false))
                    || (self.shut).contains(&Lit::new(*var, true))
            };
            let open = class.iter().filter(|var| !is_shut(var)).count();
            let own = needed.iter().filter(|lit| class.binary_search(&lit.var()).is_ok());
            let opened: Vec<Lit> = own.copied().take(open.max(1)).collect();
            self.shut.retain(|lit| !opened.contains(lit));
        }
        Ok(None)
    }
}
