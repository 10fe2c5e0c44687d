//! Shoals: sets of states from which all signals are seen only finitely often.
//!
//! A run is followed from one moment at which all signals were seen to the next, each time asking `ic3`
//! whether there is a next. If there is none from some state, the invariant is a set that contains
//! this state, cannot be left except into sets found before, and within which the signals are seen for
//! the last time: a *shoal*. No run needs to enter it again. When the start
//! has nowhere to go but into shoals, the property holds; when the run comes back to where it was, it
//! is violated.
//!
//! The shoals in the order of discovery are an invariant of the counting monitor: after each time that
//! all signals were seen, the state is in a shoal that is earlier than before.
//!
//! Invariant: no state of the path lies in a shoal.
//!
//! After Xia, Cimatti, Griggio, Li, "Avoiding the Shoals: A New Approach to Liveness Checking" (CAV
//! 2024). We differ in what questions share: each starts anew, with the clauses of the invariant found
//! last as guesses.

use super::lasso::violation;
use super::{first_justice, holds};
use crate::certify::shrink;
use crate::circuit::{Simulation, first_gate};
use crate::ic3::{Ic3, Outcome, Question};
use alphorn_engine::{Ctx, Engine, Event, Stop};
use alphorn_problem::circuit::{And, Latch, Lit};
use alphorn_problem::evidence::circuit::{Bit, CircuitClaim, Invariant, Trace};
use alphorn_problem::monitor::{MAX_COUNT, Monitor};
use alphorn_problem::{Circuit, Finding};
use alphorn_sat::aig::{Aig, Edge};

/// Clauses over latches: the states that satisfy all of them.
type Set = Vec<Vec<Lit>>;

/// Justice by sets of states from which signals are seen finitely often.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shoals;

impl Engine<Circuit> for Shoals {
    fn run(&mut self, circuit: &Circuit, ctx: &mut Ctx<'_>) -> Result<Finding<Circuit>, Stop> {
        let circuit = first_justice(circuit)?;
        // A count of nothing leaves the flags of the signals, and is bad when all were seen.
        let flagged = Monitor::Count { most: 0 }.build(&circuit, 0).map_err(Stop::Stuck)?;
        let mut search = Search { flagged: &flagged, shoals: Vec::new(), guesses: Vec::new() };
        ctx.apart(|ctx| search.run(&circuit, ctx))
    }
}

/// A state at which all signals have just been seen, and the way there from the one before.
struct Moment {
    state: Vec<bool>,
    inputs: Vec<Vec<bool>>,
}

struct Search<'a> {
    /// The circuit with a flag per signal.
    flagged: &'a Circuit,
    shoals: Vec<Set>,
    /// The clauses of the last invariant, which may hold again.
    guesses: Vec<Vec<Lit>>,
}

impl Search<'_> {
    fn run(&mut self, circuit: &Circuit, ctx: &mut Ctx<'_>) -> Result<Finding<Circuit>, Stop> {
        let mut start: Vec<bool> = Vec::new();
        let mut path: Vec<Moment> = Vec::new();
        loop {
            let question = self.question(path.last().map(|moment| &moment.state[..]));
            ctx.tick(1 + u64::from(question.max_var()) / 64)?;
            let guesses = self.guesses.clone();
            match Ic3.solve(&Question { known: guesses, ..Question::new(&question) }, ctx)? {
                Outcome::Unsafe(trace) => {
                    if path.is_empty() {
                        start = known(&trace.start);
                        start.truncate(self.flagged.latches.len());
                    }
                    let from = path.last().map_or(&start, |moment| &moment.state);
                    path.push(self.moment(from, &trace));
                    let inputs = path.iter().flat_map(|moment| moment.inputs.iter().cloned());
                    let from = &start[..circuit.latches.len()];
                    if let Some(trace) = violation(circuit, from, inputs.collect())? {
                        return Ok(Finding::Fails(trace));
                    }
                }
                Outcome::Safe(clauses) => {
                    let set = self.set(&question, clauses, ctx)?;
                    if path.is_empty() {
                        return self.conclusion(set);
                    }
                    while path.last().is_some_and(|moment| self.contains(&set, &moment.state)) {
                        path.pop();
                    }
                    self.shoals.push(set);
                    let count = self.shoals.len() as u64;
                    ctx.emit(Event::Remark(format!("{count} shoals, path of {}", path.len())));
                }
            }
        }
    }

    /// Whether from `state`, or from the start, all signals can be seen outside of the shoals.
    fn question(&self, state: Option<&[bool]>) -> Circuit {
        let first = first_gate(self.flagged);
        let moved =
            |lit: Lit| Lit::new(lit.var() + u32::from(lit.var() >= first), lit.is_negated());
        let mut made = self.flagged.clone();
        let just_seen = Latch { next: made.bads[0], reset: Lit::FALSE };
        made.latches.push(just_seen);
        for latch in &mut made.latches {
            *latch = Latch { next: moved(latch.next), reset: moved(latch.reset) };
        }
        for (latch, value) in made.latches.iter_mut().zip(state.into_iter().flatten()) {
            latch.reset = if *value { Lit::TRUE } else { Lit::FALSE };
        }
        for gate in &mut made.ands {
            *gate = And { left: moved(gate.left), right: moved(gate.right) };
        }
        made.constraints.iter_mut().for_each(|lit| *lit = moved(*lit));
        made.bads = vec![made.latch(made.latches.len() - 1)];
        for shoal in &self.shoals {
            let clauses: Vec<Lit> =
                shoal.iter().map(|clause| !all(&mut made, clause, true)).collect();
            let inside = all(&mut made, &clauses, false);
            made.constraints.push(!inside);
        }
        made
    }

    /// The moment that a run from `from` ends with.
    fn moment(&self, from: &[bool], trace: &Trace) -> Moment {
        let mut simulation = Simulation::new(self.flagged);
        for (index, value) in from.iter().enumerate() {
            simulation.set_latch(index, u64::from(*value));
        }
        let mut inputs: Vec<Vec<bool>> = trace.inputs.iter().map(|step| known(step)).collect();
        // The last step only shows what the one before did.
        inputs.pop();
        for step in &inputs {
            for (index, value) in step.iter().enumerate() {
                simulation.set_input(index, u64::from(*value));
            }
            simulation.settle();
            simulation.advance();
        }
        let state = simulation.latches().iter().map(|word| word & 1 == 1).collect();
        Moment { state, inputs }
    }

    /// The states that an invariant allows when the signals have not just been seen.
    fn set(
        &mut self,
        question: &Circuit,
        clauses: Vec<Vec<Lit>>,
        ctx: &mut Ctx<'_>,
    ) -> Result<Set, Stop> {
        let clauses = shrink(question, 0, clauses, ctx)?;
        self.guesses.clone_from(&clauses);
        let just_seen = question.bads[0];
        let open = clauses.into_iter().filter(|clause| !clause.contains(&!just_seen));
        let drop = |clause: Vec<Lit>| clause.into_iter().filter(|lit| *lit != just_seen).collect();
        Ok(open.map(drop).collect())
    }

    fn contains(&self, set: &Set, state: &[bool]) -> bool {
        let first = self.flagged.latch(0).var();
        let is_true = |lit: &Lit| state[(lit.var() - first) as usize] != lit.is_negated();
        set.iter().all(|clause| clause.iter().any(is_true))
    }

    /// The invariant of the counting monitor, given one that holds until all signals are seen.
    fn conclusion(&self, before: Set) -> Result<Finding<Circuit>, Stop> {
        let count = self.shoals.len();
        let most = u32::try_from(count + 1).ok().filter(|most| *most <= MAX_COUNT);
        let most = most.ok_or_else(|| Stop::Stuck("there are too many shoals".into()))?;
        let latches = self.flagged.latches.len();
        let inputs = latches + most as usize;
        let mut aig = Aig::new();
        let input: Vec<Edge> = (0..inputs).map(|_| aig.add_input()).collect();
        let first = self.flagged.latch(0).var();
        let edge = |aig: &mut Aig, set: &Set| {
            let clauses: Vec<Edge> = (set.iter())
                .map(|clause| {
                    let lit = |lit: &Lit| input[(lit.var() - first) as usize].xor(lit.is_negated());
                    aig.or_n(clause.iter().map(lit))
                })
                .collect();
            aig.and_n(clauses)
        };
        let mut all = vec![!input[inputs - 1]];
        let mut within = Edge::FALSE;
        for (position, shoal) in self.shoals.iter().enumerate() {
            let shoal = edge(&mut aig, shoal);
            within = aig.or(within, shoal);
            // Seen `count - position` times: only this shoal and earlier ones are left.
            let counted = input[latches + count - position - 1];
            all.push(aig.implies(counted, within));
        }
        let before = edge(&mut aig, &before);
        all.push(aig.or(before, within));
        let output = aig.and_n(all);
        let gates = (inputs as u32 + 1..aig.len()).filter_map(|node| aig.operands(node));
        let lit = |edge: Edge| Lit(edge.code());
        let invariant = Circuit {
            inputs: inputs as u32,
            ands: gates.map(|(a, b)| And { left: lit(b), right: lit(a) }).collect(),
            outputs: vec![lit(output)],
            ..Circuit::default()
        };
        let found = CircuitClaim::of(Invariant::Aig(Box::new(invariant)));
        Ok(Finding::Holds(holds(Monitor::Count { most }, found)))
    }
}

/// The conjunction of literals, each negated if `negate`, as a literal of the circuit.
fn all(circuit: &mut Circuit, lits: &[Lit], negate: bool) -> Lit {
    let mut lits = lits.iter().map(|lit| lit.xor(negate));
    let Some(first) = lits.next() else { return Lit::TRUE };
    lits.fold(first, |left, right| {
        circuit.ands.push(And { left, right });
        circuit.gate(circuit.ands.len() - 1)
    })
}

fn known(bits: &[Bit]) -> Vec<bool> {
    bits.iter().map(|bit| *bit == Bit::One).collect()
}
