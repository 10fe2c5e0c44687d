//! Models made of small clauses that no derived fact breaks.
//!
//! Threads, protocols and machines with a control state have invariants that say which few things do not happen
//! together: two threads are not both inside, a lock that is free has no owner, what is counted is 1 while somebody is
//! between two places. Each is a clause of two or three literals, there are hundreds of them, and a search that
//! learns them one by one from predecessors of a violation loses its way among orders of events. But facts that clauses derive
//! (`forward`) tell at once which small clauses cannot hold, and of those that may only the ones are looked at that
//! exclude what stands in the way of a proof (`search`): what a query needs, and what a clause would need to break one
//! of those chosen. What none of them excludes counts as a fact from then on, so that the search ends with the largest
//! set of small clauses that clauses keep, or before, with a part of it that is a model. Where there are arrays, cells of
//! them count as arguments (`cells`).
//!
//! After Yao et al., "DistAI: data-driven automated invariant learning for distributed protocols" (OSDI 2021), with the
//! candidates of Flanagan and Leino's Houdini made on demand.
//!
//! Invariant: whatever facts were derived, what is claimed is proved of all clauses.

mod cells;
mod literals;
mod search;
mod table;
#[cfg(test)]
mod tests;

use crate::forward::{VARIED, some_guarded_facts};
use crate::houdini::written_guesses;
use crate::settings::{
    SAMPLES_FACT_TICKS, SAMPLES_MAX_CLAUSES, SAMPLES_MAX_FACTS, SAMPLES_MAX_SIZE,
    SAMPLES_SEARCH_TICKS, SAMPLES_STAGES,
};
use alphorn_engine::{Card, Ctx, Engine, Event, Stop};
use alphorn_horn::evidence::prove;
use alphorn_horn::transform::{System, weaken};
use alphorn_problem::evidence::horn::Definition;
use alphorn_problem::{Finding, Horn};
use alphorn_term::eval::Program;
use alphorn_term::{Model, Store, TermId, Value};
use search::Search;
use std::sync::Arc;
use table::Table;

/// Registry entry.
pub const CARD: Card<Horn> = Card {
    name: "samples",
    about: "keeps small clauses that no derived fact breaks, as far as a proof needs them [YTG+21]",
    proves: true,
    refutes: false,
    build: || Box::new(Samples),
};

/// The rounds in which facts are derived: few values of what nothing determines lead far, and many show what may be.
const ROUNDS: [u32; 4] = [0, VARIED / 2, VARIED, VARIED + 2];

struct Samples;

impl Engine<Horn> for Samples {
    fn run(&mut self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Finding<Horn>, Stop> {
        if horn.clauses.len() > SAMPLES_MAX_CLAUSES.size() {
            return Err(Stop::Unsupported("there are too many clauses".to_owned()));
        }
        let system = System::of(horn);
        let mut known = 0;
        for stage in 0..SAMPLES_STAGES.short() {
            let ticks = SAMPLES_FACT_TICKS.get().saturating_mul(1 << (2 * stage).min(40));
            let (tables, store) = sampled(horn, &system, ticks, ctx)?;
            let count = tables.iter().map(Table::count).sum::<usize>();
            let literals = tables.iter().map(|table| table.literals.len()).sum::<usize>();
            ctx.emit(Event::Remark(format!(
                "facts are told apart as {count} by {literals} literals"
            )));
            let ticks = ticks.saturating_mul(SAMPLES_SEARCH_TICKS.get());
            let mut is_over = true;
            for size in 2..=SAMPLES_MAX_SIZE.size() {
                let (mut tried, mut terms) = (tables.clone(), store.clone());
                let mut search = Search::new(&system, &mut tried, size);
                match ctx.within(ticks, |ctx| search.run(&mut terms, ctx)) {
                    Ok(Some(definitions)) => {
                        ctx.emit(Event::Remark(search.describe()));
                        return proved(horn, terms, definitions, ctx);
                    }
                    Ok(None) => {}
                    // Whether all of the time is over is found out by asking for more.
                    Err(Stop::Budget(_)) => {
                        is_over = false;
                        ctx.tick(1)?;
                    }
                    Err(stop) => return Err(stop),
                }
                let text = format!("no proof by at most {size} literals: {}", search.describe());
                ctx.emit(Event::Remark(text));
            }
            if is_over && count == known {
                break;
            }
            known = count;
        }
        Err(Stop::Stuck("no small clauses that facts allow exclude the queries".to_owned()))
    }
}

/// What is known after so many ticks for deriving facts, and the terms of its literals.
fn sampled(
    horn: &Horn,
    system: &System,
    ticks: u64,
    ctx: &mut Ctx<'_>,
) -> Result<(Vec<Table>, Store), Stop> {
    let facts = ctx.apart(|ctx| some_guarded_facts(horn, ROUNDS, ticks, ctx))?;
    let mut store = horn.terms.clone();
    let written = written_guesses(system, &mut store);
    let all = written.params.into_iter().zip(written.of);
    let constants = literals::constants(system, &horn.terms);
    let mut tables = Vec::with_capacity(facts.len());
    for (pred, (facts, (params, written))) in horn.pred_ids().zip(facts.iter().zip(all)) {
        // They are in the order of their values: some from everywhere are of all kinds.
        let step = facts.len().div_ceil(SAMPLES_MAX_FACTS.size()).max(1);
        let facts: Vec<Arc<[Value]>> = facts.iter().step_by(step).cloned().collect();
        let cells = cells::cells(system, &mut store, pred, &params);
        let related = literals::related(system, &mut store, pred, (&params, &cells));
        let known = with_cells(&store, &params, &facts, &cells);
        let all = [&params[..], &cells].concat();
        let named = literals::named(system, &horn.terms, pred);
        let kinds = (&constants, &named[..], &related[..]);
        let literals = literals::about(&mut store, &all, &known, &written, kinds);
        tables.push(Table::new(&store, params, literals, &facts, ctx)?);
    }
    Ok((tables, store))
}

/// Facts with the values of cells behind those of arguments; without those facts of which a cell has no value.
fn with_cells(
    store: &Store,
    params: &[TermId],
    facts: &[Arc<[Value]>],
    cells: &[TermId],
) -> Vec<Arc<[Value]>> {
    if cells.is_empty() {
        return facts.to_vec();
    }
    let mut program = Program::new(store, params, cells);
    let mut all = Vec::with_capacity(facts.len());
    for fact in facts {
        program.run(store, fact, &Model::new());
        let cells = (0..cells.len()).map(|at| program.output(at).ok().cloned());
        all.extend(fact.iter().cloned().map(Some).chain(cells).collect::<Option<_>>());
    }
    all
}

/// The claim that a model makes, with what is not needed left out.
fn proved(
    horn: &Horn,
    mut store: Store,
    mut definitions: Vec<Definition>,
    ctx: &mut Ctx<'_>,
) -> Result<Finding<Horn>, Stop> {
    weaken(horn, &mut store, &mut definitions, ctx)?;
    let model = prove(horn, store, definitions, ctx)?.model(horn)?;
    Ok(Finding::Holds(model.into_claim()))
}
