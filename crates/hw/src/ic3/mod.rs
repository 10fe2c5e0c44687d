//! IC3: an inductive invariant, clause by clause, from the states that stand in its way.
//!
//! Frames over-approximate what is reachable in so many steps (`frames`). A bad state in the last frame
//! is an obligation: it, and the states that lead to it, must be shown unreachable at their levels. An
//! obligation without a predecessor one level below gives a lemma, generalized (`generalize`) and
//! pushed to the highest level at which it holds; one with a predecessor gives a further obligation,
//! lifted to a cube (`lift`). When the last frame excludes bad states, a level is added and lemmas are
//! pushed, those that need no level to the infinite frame (`infinite`). Two equal frames are an
//! invariant, which can show at any moment; a chain of obligations that reaches the start is a
//! counterexample.
//!
//! On request cubes also speak about gates (`signals`), and what stands in the way of pushing is blocked
//! (`propagate`).
//!
//! A reset function that reads inputs ties the first state to the first inputs, which no cube of states
//! can say. A chain that reaches a first state under other inputs is neither a counterexample nor can
//! it be blocked, and the engine says so.
//!
//! After Bradley, "SAT-Based Model Checking without Unrolling" (VMCAI 2011); Eén, Mishchenko, Brayton
//! (FMCAD 2011); in its queries and its handling of obligations after rIC3 (Su, Yang, Ci, Bu, CAV 2025).
//! Where rIC3 has a solver for each frame, here one solver learns for all.

mod dag;
mod generalize;
mod infinite;
mod invariant;
mod lift;
mod narrow;
mod obligations;
mod propagate;
mod queries;
mod question;
mod run;
mod settings;
mod side;
mod signals;
mod trace;

pub use question::{Outcome, Question};
pub use settings::{Generalization, Settings};

use crate::circuit::first_bad;
use alphorn_engine::{Ctx, Engine, Event, Stop};
use alphorn_problem::evidence::circuit::CircuitClaim;
use alphorn_problem::{Circuit, Finding};
pub(crate) use invariant::invariant;
pub(crate) use question::Reduced;
pub(crate) use run::Run;
pub(crate) use trace::Trace;

/// IC3 with its usual settings.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ic3;

impl Ic3 {
    /// Answers a question about a circuit.
    pub fn solve(&self, question: &Question<'_>, ctx: &mut Ctx<'_>) -> Result<Outcome, Stop> {
        first_bad(question.circuit)?;
        let reduced = Reduced::new(question);
        let mut run = Run::new(&reduced, question.settings);
        let outcome = run.run(&question.known, ctx);
        ctx.emit(Event::Remark(run.describe()));
        Ok(match outcome? {
            Outcome::Unsafe(trace) => Outcome::Unsafe(reduced.widen_trace(&trace)),
            safe => safe,
        })
    }
}

impl Engine<Circuit> for Ic3 {
    fn run(&mut self, circuit: &Circuit, ctx: &mut Ctx<'_>) -> Result<Finding<Circuit>, Stop> {
        Tuned(Settings::default()).run(circuit, ctx)
    }
}

/// The engine with settings of its own.
pub(crate) struct Tuned(pub(crate) Settings);

impl Engine<Circuit> for Tuned {
    fn run(&mut self, circuit: &Circuit, ctx: &mut Ctx<'_>) -> Result<Finding<Circuit>, Stop> {
        let question = Question { settings: self.0, ..Question::new(circuit) };
        Ok(match Ic3.solve(&question, ctx)? {
            Outcome::Unsafe(trace) => Finding::Fails(trace),
            Outcome::Safe(clauses) => Finding::Holds(CircuitClaim::of(invariant(circuit, clauses))),
        })
    }
}
