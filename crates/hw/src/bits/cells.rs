//! Large arrays, by the cells that matter.
//!
//! At first no cell of a large array is followed: what is read may be anything. A proof in spite of
//! that is a proof. A run is replayed on the system itself; where the system disagrees, a cell was
//! read that is not followed, and it is followed from then on: at its index, or, if a state that
//! never changes points to it, wherever that state points to, which covers all indices at once.
//!
//! Each round follows at least one cell more, so there are finitely many; in practice an engine that
//! needs many of them is lost, and says so. Which cells there are shows as runs are replayed, so each round
//! has a view of its own, which nobody else can share.
//!
//! After Clarke, Grumberg, Jha, Lu, Veith, "Counterexample-Guided Abstraction Refinement" (CAV 2000),
//! and for cells Bjesse, "Word-Level Sequential Memory Abstraction for Model Checking" (FMCAD 2008),
//! who chooses addresses by names of signals in earlier steps.

use super::carry::Carried;
use super::follow;
use crate::Ic3;
use crate::settings::MEMORY_MAX_CELLS;
use crate::transform::simplify_by_default;
use crate::words::first_bad;
use alphorn_engine::{Ctx, Engine, Event, Seen, Steps, Stop};
use alphorn_problem::evidence::words::{Abstraction, Address, WordTrace};
use alphorn_problem::obligation::blast::{Goal, Layout, Source};
use alphorn_problem::{Finding, Words};
use alphorn_term::eval::Program;
use alphorn_term::{EvalError, Model, Op, TermId, Value, eval};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Large arrays by the cells that matter, with an engine on bits inside.
#[derive(Debug, Default)]
pub struct Memory;

impl Engine<Words> for Memory {
    fn run(&mut self, system: &Words, ctx: &mut Ctx<'_>) -> Result<Finding<Words>, Stop> {
        first_bad(system)?;
        let system = Arc::new(system.clone());
        let goal = Goal::Safety(0);
        let mut abstraction = follow(&system, goal);
        loop {
            let (circuit, carried) =
                Carried::new(&system, goal, &abstraction).map_err(Stop::Unsupported)?;
            let (small, back) = simplify_by_default(&circuit, ctx)?;
            let seen = Seen::new(small, back);
            let trace = match seen.decide(&mut Ic3, Steps::Kept, ctx)? {
                Finding::Holds(found) => {
                    return Ok(Finding::Holds(carried.claim(found, &Arc::new(circuit))));
                }
                Finding::Fails(trace) => trace,
            };
            let trace = carried.trace(&trace).map_err(|lost| Stop::Stuck(lost.0))?;
            let read = match replay(&system, &carried.layout, &trace) {
                Err(error) => return Err(Stop::Unsupported(error.describe(&system.terms))),
                Ok(Replay::Violates) => return Ok(Finding::Fails(trace)),
                Ok(Replay::Differs(read)) => read,
            };
            refine(&system, &mut abstraction, read, MEMORY_MAX_CELLS.get())?;
            let remark = format!("{} cells are followed", abstraction.cells.len());
            ctx.emit(Event::Remark(remark));
            ctx.tick(1)?;
        }
    }
}

/// Follows the cells that were read where the system and the circuit may disagree.
fn refine(
    system: &Words,
    abstraction: &mut Abstraction,
    read: Vec<(Value, Model)>,
    most: u64,
) -> Result<(), Stop> {
    if read.is_empty() {
        return Err(Stop::Stuck("a run of the circuit is none of the system, for no cell".into()));
    }
    for (index, model) in read {
        let Value::Bv(word) = index.clone() else {
            return Err(Stop::Stuck("an index is not a word".into()));
        };
        let points = |place: &&usize| {
            let state = &system.states[**place];
            state.next == Some(state.var) && model.vars.get(&state.var) == Some(&index)
        };
        let by_state = abstraction.states.iter().find(points).map(|&place| Address::State(place));
        let address = by_state.unwrap_or(Address::Word(word));
        if !abstraction.cells.contains(&address) {
            abstraction.cells.push(address);
        }
    }
    if abstraction.cells.len() as u64 > most {
        return Err(Stop::Stuck(format!("more than {most} cells of arrays matter")));
    }
    Ok(())
}

/// What becomes of a run of the circuit when the system does the same.
enum Replay {
    /// It violates the property.
    Violates,
    /// It does not; the indices of cells that are not followed and were read first, each with the
    /// values of all variables at that time.
    Differs(Vec<(Value, Model)>),
}

fn replay(system: &Words, layout: &Layout, trace: &WordTrace) -> Result<Replay, EvalError> {
    let terms = &system.terms;
    let reads: Vec<TermId> = (layout.inputs().iter())
        .filter_map(|(source, _)| match source {
            Source::Open(term) if terms.op(*term) == Op::Select => Some(terms.args(*term)[1]),
            _ => None,
        })
        .collect();
    let mut outputs: Vec<TermId> = system.constraints.iter().map(|c| c.term).collect();
    let constraints = outputs.len();
    outputs.push(system.bads[0].term);
    outputs.extend(&reads);
    let kept: Vec<usize> = layout.states().to_vec();
    outputs.extend(kept.iter().filter_map(|&place| system.states[place].next));
    let known: FxHashSet<TermId> = layout.needed().iter().copied().collect();
    let mut vars: Vec<TermId> = system.state_vars();
    vars.extend(&system.inputs);
    vars.retain(|var| known.contains(var));
    let mut program = Program::new(terms, &vars, &outputs);

    let mut model = Model::new();
    let mut first_reads: Option<Vec<(Value, Model)>> = None;
    let mut nexts: Vec<Option<Value>> = vec![None; system.states.len()];
    for (step, (row, inputs)) in trace.states.iter().zip(&trace.inputs).enumerate() {
        for (place, state) in system.states.iter().enumerate() {
            if !known.contains(&state.var) {
                continue;
            }
            let value = match (&row[place], step) {
                (Some(value), _) => value.clone(),
                (None, 0) => eval(terms, state.init.unwrap_or(state.var), &model)?,
                (None, _) => match nexts[place].take() {
                    Some(value) => value,
                    None => eval(terms, state.var, &Model::new())?,
                },
            };
            model.set(state.var, value);
        }
        system.inputs.iter().zip(inputs).for_each(|(var, value)| model.set(*var, value.clone()));
        let values: Vec<Value> = vars.iter().map(|var| model.vars[var].clone()).collect();
        program.run(terms, &values, &Model::default());
        if first_reads.is_none() {
            let followed =
                layout.addresses(|place| model.vars.get(&system.states[place].var).cloned());
            let mut unknown = Vec::new();
            for read in 0..reads.len() {
                let index = program.output(constraints + 1 + read).map_err(Clone::clone)?;
                if !followed.iter().flatten().any(|address| address == index) {
                    unknown.push((index.clone(), model.clone()));
                }
            }
            first_reads = (!unknown.is_empty()).then_some(unknown);
        }
        for constraint in 0..constraints {
            if !program.holds(constraint)? {
                return Ok(Replay::Differs(first_reads.unwrap_or_default()));
            }
        }
        if step + 1 == trace.inputs.len() && program.holds(constraints)? {
            return Ok(Replay::Violates);
        }
        let mut output = constraints + 1 + reads.len();
        for &place in &kept {
            if system.states[place].next.is_some() {
                nexts[place] = Some(program.output(output).map_err(Clone::clone)?.clone());
                output += 1;
            }
        }
    }
    Ok(Replay::Differs(first_reads.unwrap_or_default()))
}
