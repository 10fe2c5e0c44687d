//! Interpolation-based model checking: reachable states, over-approximated by interpolants.
//!
//! For a bound k, a set of states R is asked for a run of one step into a run of at most k steps that
//! ends badly. If there is none, the interpolant between the first step and the others contains all
//! successors of R and no state that is bad within k steps; it is the next R. When an interpolant lies
//! within the union of the sets before it, that union is an invariant. When there is a run from an
//! interpolant, it may begin in a state that is not reachable, and all begins again with a
//! larger bound; a run from the resets is a counterexample.
//!
//! One solver has the steps for all bounds and sets. Sets are assumed by their literals, so what was
//! learned about the steps alone serves all of them.
//!
//! Where a circuit has few latches, decision diagrams take the place of proofs: a set between what follows on R and
//! what is bad soon (`image`). Where it has more, but few that the first step and the others share, interpolants are
//! learned from cores (`learn`). Others are written as diagrams where that is shorter (`diagrams`).
//!
//! Where resets read inputs, the first state is tied to the first inputs, which no set of states can
//! say: there the reset states are asked about once more without the tie.
//!
//! After McMillan, "Interpolation and SAT-Based Model Checking" (CAV 2003). A bad state counts at each
//! of the k steps, not at the last alone, so that the invariant excludes bad states by itself.

mod clauses;
mod sequence;
mod soon;

pub use clauses::Clauses;
pub use sequence::Sequences;

use crate::circuit::resets::{graph, reset_states, resets_read_inputs};
use crate::interpolation::ahead::Ahead;
use crate::interpolation::diagrams::Diagrams;
use crate::interpolation::first::{first_step, tied};
use crate::interpolation::image::{Between, Gap, Image};
use crate::interpolation::sets::{Excluded, simplify, to_circuit};
use crate::model::in_cone;
use crate::settings::IMAGE_MAX_LATCHES;
use alphorn_engine::{Ctx, Engine, Event, Stop};
use alphorn_problem::evidence::circuit::{CircuitClaim, Invariant};
use alphorn_problem::{Circuit, Finding};
use alphorn_sat::Lit;
use alphorn_sat::aig::{Aig, Edge};

/// Interpolation-based model checking.
#[derive(Debug, Default)]
pub struct Imc;

impl Engine<Circuit> for Imc {
    fn run(&mut self, circuit: &Circuit, ctx: &mut Ctx<'_>) -> Result<Finding<Circuit>, Stop> {
        in_cone(circuit, ctx, |circuit, ctx| match first_step(circuit, ctx)? {
            Some(finding) => Ok(finding),
            None => Run::new(circuit, ctx)?.run(ctx),
        })
    }
}

/// What a traversal from the resets comes to.
enum Traversal {
    /// An invariant.
    Closed(Aig, Edge),
    /// A run from a set that may not be reachable.
    Open,
    /// A run from the resets.
    Bad,
}

/// The state of a run.
struct Run<'a> {
    circuit: &'a Circuit,
    ahead: Ahead<'a>,
    diagrams: Diagrams,
    /// Steps as decision diagrams, while these are small.
    diagram: Option<Image>,
    is_tied: bool,
}

impl<'a> Run<'a> {
    fn new(circuit: &'a Circuit, ctx: &mut Ctx<'_>) -> Result<Run<'a>, Stop> {
        let (ahead, diagrams) = (Ahead::new(circuit), Diagrams::default());
        let diagram = Image::new(circuit, ctx)?;
        Ok(Run { circuit, ahead, diagrams, diagram, is_tied: resets_read_inputs(circuit) })
    }

    fn run(&mut self, ctx: &mut Ctx<'_>) -> Result<Finding<Circuit>, Stop> {
        for bound in 1.. {
            match self.traverse(bound, ctx)? {
                Traversal::Closed(mut sets, set) => {
                    let set = self.diagrams.smaller(&mut sets, set, ctx)?;
                    let invariant = Invariant::Aig(Box::new(to_circuit(&sets, set)));
                    return Ok(Finding::Holds(CircuitClaim::of(invariant)));
                }
                Traversal::Open => ctx.emit(Event::Bound { depth: bound as u64 }),
                Traversal::Bad => return Ok(Finding::Fails(self.ahead.counterexample())),
            }
        }
        unreachable!("bounds do not end")
    }

    /// Follows the sets of states from the resets until the end is known for this bound.
    fn traverse(&mut self, bound: usize, ctx: &mut Ctx<'_>) -> Result<Traversal, Stop> {
        let mut sets = graph(self.circuit);
        let start = reset_states(self.circuit, &mut sets)?;
        let Some(bad) = self.ahead.bad(bound) else {
            // No step is bad, whatever its state is.
            return Ok(Traversal::Closed(sets, Edge::TRUE));
        };
        if let Some(diagram) = &mut self.diagram {
            diagram.forget();
        }
        let begin = self.ahead.start();
        let first = match self.between(start, bound, &mut sets, ctx)? {
            Some(Between::Set(set)) if self.diagram.as_ref().is_some_and(|d| d.sees(bound)) => {
                Some(set)
            }
            // Diagrams do not see so far ahead.
            Some(Between::Set(set)) => (!self.ahead.ask(&[begin], &[bad], ctx)?).then_some(set),
            // A run is wanted as well.
            Some(Between::Hit) | None => self.image(begin, (start, bound), bad, &mut sets, ctx)?,
        };
        let Some(mut image) = first else { return Ok(Traversal::Bad) };
        if self.is_tied {
            let from = self.ahead.set(&sets, start, 0);
            let Some(untied) = self.image(from, (start, bound), bad, &mut sets, ctx)? else {
                return Err(tied());
            };
            image = untied;
        }
        let mut excluded = Excluded::new();
        excluded.add(&sets, start);
        let mut union = start;
        for round in 1.. {
            if excluded.contain(&sets, image, ctx)? {
                return Ok(Traversal::Closed(sets, union));
            }
            let size = sets.size(&[image]);
            ctx.emit(Event::Remark(format!("bound {bound}, set {round}: {size} gates")));
            excluded.add(&sets, image);
            union = sets.or(union, image);
            let next = match self.between(image, bound, &mut sets, ctx)? {
                Some(Between::Set(set)) => Some(set),
                Some(Between::Hit) => None,
                None => {
                    let from = self.ahead.set(&sets, image, 0);
                    self.image(from, (image, bound), bad, &mut sets, ctx)?
                }
            };
            let Some(next) = next else { return Ok(Traversal::Open) };
            image = next;
        }
        unreachable!("rounds do not end")
    }

    /// What lies between a set and what is bad within the bound one step later, if decision diagrams tell.
    fn between(
        &mut self,
        from: Edge,
        bound: usize,
        sets: &mut Aig,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Between>, Stop> {
        let Some(diagram) = &mut self.diagram else { return Ok(None) };
        let gap = Gap { first: &[from], later: &[], bound, exact: false };
        let between = diagram.between(sets, gap, ctx)?;
        if between.is_none() {
            ctx.emit(Event::Remark("decision diagrams are too large".into()));
            self.diagram = None;
        }
        Ok(between)
    }

    /// A set that contains what follows on a set, given by its literal, and nothing that is bad within the bound;
    /// none if something is.
    fn image(
        &mut self,
        from: Lit,
        (set, bound): (Edge, usize),
        bad: Lit,
        sets: &mut Aig,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Edge>, Stop> {
        if self.ahead.ask(&[from], &[bad], ctx)? {
            return Ok(None);
        }
        // Where diagrams were tried and given up, few clauses do not say it either.
        let is_large = self.circuit.latches.len() > IMAGE_MAX_LATCHES.size();
        let learned = match is_large && !self.is_tied {
            true => self.ahead.learned(set, bound, sets, ctx)?,
            false => None,
        };
        let set = match learned {
            Some(set) => set,
            None => self.ahead.interpolant(&[from], &[bad], sets, ctx)?,
        };
        let set = simplify(sets, set, ctx)?;
        self.diagrams.smaller(sets, set, ctx).map(Some)
    }
}
