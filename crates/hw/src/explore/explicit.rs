//! Explicit search, breadth first: all reachable states, one by one.
//!
//! For circuits whose cone of influence has few states and few inputs. States lie in a
//! `StateTable`, each with its parent and the inputs that led to it, so that the first violation
//! gives a shortest run; when no state is left to expand, the table is an inductive invariant and
//! is handed out as it is. A word of 64 patterns holds all inputs of several states, or some
//! inputs of one.
//!
//! A reset function that reads inputs ties the first state to the first inputs. Then the first
//! step is searched apart, pattern by pattern, and the states after it as usual. The invariant
//! must also contain the first states themselves, as if they could meet any input; where that
//! stronger claim fails, there is no invariant of this form and the engine says so.
//!
//! Invariant: states are numbered in the order of their distance from the start.

use crate::checkable::circuit_checkable;
use crate::circuit::patterns::{lanes, transpose};
use crate::circuit::{Simulation, StateTable, first_bad, influence, step_cone};
use crate::select::select_circuit;
use crate::settings::EXPLICIT_MAX_STATES;
use crate::transform::cone;
use alphorn_engine::{Ctx, Engine, Event, Stop};
use alphorn_problem::circuit::Lit;
use alphorn_problem::evidence::circuit::{Bit, CircuitClaim, Invariant, Property, Trace};
use alphorn_problem::{Circuit, Finding};
use alphorn_sat::aig::COUNTING;

/// The most inputs that are enumerated in every state: patterns are numbers.
const MAX_INPUTS: usize = 16;
/// The most inputs and uninitialised latches that are enumerated for the first states.
const MAX_START: usize = 20;

/// Search over all states of a circuit.
#[derive(Debug, Default)]
pub struct Explicit;

impl Engine<Circuit> for Explicit {
    fn run(&mut self, circuit: &Circuit, ctx: &mut Ctx<'_>) -> Result<Finding<Circuit>, Stop> {
        first_bad(circuit)?;
        let (selected, unselect) = select_circuit(circuit, 0);
        let (small, uncone) = cone(&selected);
        let finding = Search::new(&small)?.run(ctx)?;
        let finding = unselect.after(uncone).finding(finding, ctx)?;
        if let Finding::Holds(certificate) = &finding {
            circuit_checkable(circuit, certificate)?;
        }
        Ok(finding)
    }
}

/// Where a state came from.
#[derive(Clone, Copy)]
struct Origin {
    /// The state before, or `FIRST`.
    parent: u32,
    /// The inputs in between, or which first step it was.
    pattern: u32,
}

const FIRST: u32 = u32::MAX;

struct Search<'a> {
    circuit: &'a Circuit,
    bad: Lit,
    simulation: Simulation<'a>,
    table: StateTable,
    origins: Vec<Origin>,
    /// The inputs that a step depends on.
    inputs: Vec<usize>,
    /// The inputs and latches that are enumerated for the first step, as variables.
    start: Vec<u32>,
    /// Whether resets read inputs, so that the first step must be searched apart.
    tied: bool,
}

impl<'a> Search<'a> {
    fn new(circuit: &'a Circuit) -> Result<Search<'a>, Stop> {
        let bad = circuit.safety()[0];
        let nexts = circuit.latches.iter().map(|latch| latch.next);
        let step =
            step_cone(circuit, nexts.chain(circuit.constraints.iter().copied()).chain([bad]));
        let inputs: Vec<usize> =
            (0..circuit.inputs as usize).filter(|index| step[1 + index]).collect();
        if inputs.len() > MAX_INPUTS {
            let count = inputs.len();
            return Err(Stop::Unsupported(format!("{count} inputs are too many to enumerate")));
        }
        let resets = influence(
            circuit,
            (0..circuit.latches.len()).map(|index| circuit.latch(index)),
            |index| [Some(circuit.latches[index].reset), None],
        );
        let tied = (1..=circuit.inputs).any(|var| resets[var as usize]);
        let free = (0..circuit.latches.len()).filter(|&index| circuit.is_uninitialised(index));
        let mut start: Vec<u32> = free.map(|index| circuit.latch(index).var()).collect();
        if tied {
            let step_inputs = (1..=circuit.inputs).filter(|var| step[*var as usize]);
            start.splice(0..0, step_inputs);
            let only_reset =
                (1..=circuit.inputs).filter(|v| resets[*v as usize] && !step[*v as usize]);
            start.extend(only_reset);
        }
        if start.len() > MAX_START {
            let count = start.len();
            let reason = format!("{count} uninitialised bits are too many to enumerate");
            return Err(Stop::Unsupported(reason));
        }
        Ok(Search {
            circuit,
            bad,
            simulation: Simulation::new(circuit),
            table: StateTable::new(circuit.latches.len()),
            origins: Vec::new(),
            inputs,
            start,
            tied,
        })
    }

    fn run(mut self, ctx: &mut Ctx<'_>) -> Result<Finding<Circuit>, Stop> {
        let steps_before = u64::from(self.tied);
        if let Some(pattern) = self.begin(ctx)? {
            return Ok(Finding::Fails(self.trace(FIRST, pattern)));
        }
        if let Some((state, pattern)) = self.exhaust(0, steps_before, ctx)? {
            return Ok(Finding::Fails(self.trace(state, pattern)));
        }
        if self.tied {
            // The invariant must hold of the first states, too.
            let reached = self.table.len();
            self.insert_first_states(ctx)?;
            if self.exhaust(reached, u64::MAX, ctx)?.is_some() {
                let reason = "the property holds, but no set of states shows it: \
                              the first state is tied to the first inputs";
                return Err(Stop::Stuck(reason.into()));
            }
        }
        Ok(Finding::Holds(self.certificate()))
    }

    /// The first states, or all that the first step leads to; a pattern whose first step is bad.
    fn begin(&mut self, ctx: &mut Ctx<'_>) -> Result<Option<u32>, Stop> {
        if !self.tied {
            self.insert_first_states(ctx)?;
            return Ok(None);
        }
        for word in 0..words(self.start.len()) {
            ctx.tick(1)?;
            self.apply_start(word);
            self.simulation.settle();
            let allowed = self.simulation.allowed() & distinct(self.start.len());
            if let Some(lane) = lanes(allowed & self.simulation.value(self.bad)).next() {
                return Ok(Some(word << 6 | lane));
            }
            self.simulation.advance();
            for (lane, state) in self.rows(allowed) {
                self.insert(&state, Origin { parent: FIRST, pattern: word << 6 | lane })?;
            }
        }
        ctx.emit(Event::Bound { depth: 0 });
        Ok(None)
    }

    /// Puts all first states into the table.
    fn insert_first_states(&mut self, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        for word in 0..words(self.start.len()) {
            ctx.tick(1)?;
            self.apply_start(word);
            // Without inputs in resets a first state meets every input, so only constraints that
            // no input can satisfy would exclude it; those are found when it is expanded.
            let mut allowed = distinct(self.start.len());
            if self.tied {
                self.simulation.settle();
                allowed &= self.simulation.allowed();
            }
            for (lane, state) in self.rows(allowed) {
                self.insert(&state, Origin { parent: FIRST, pattern: word << 6 | lane })?;
            }
        }
        Ok(())
    }

    /// Puts the patterns of `word` on the start variables and resets the latches.
    fn apply_start(&mut self, word: u32) {
        let first_latch = 1 + self.circuit.inputs;
        for (position, &var) in self.start.iter().enumerate() {
            let value = pattern_word(word, position);
            match var.checked_sub(first_latch) {
                Some(latch) => self.simulation.set_latch(latch as usize, value),
                None => self.simulation.set_input(var as usize - 1, value),
            }
        }
        self.simulation.reset();
    }

    /// Expands the states from number `from` on until none is left; a violation, if there is one.
    fn exhaust(
        &mut self,
        from: usize,
        depth: u64,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<(u32, u32)>, Stop> {
        let (mut level, mut depth) = (from, depth);
        while level < self.table.len() {
            let end = self.table.len();
            let mut next = level;
            while next < end {
                let (found, expanded) = self.expand(next, end, ctx)?;
                if found.is_some() {
                    return Ok(found);
                }
                next += expanded;
            }
            level = end;
            let (seen, waiting) = (self.table.len() as u64, (self.table.len() - end) as u64);
            ctx.emit(Event::Explored { seen, waiting });
            if depth != u64::MAX {
                ctx.emit(Event::Bound { depth });
                depth += 1;
            }
        }
        Ok(None)
    }

    /// Expands as many states from `first` on, before `end`, as fit a word; how many they were.
    fn expand(
        &mut self,
        first: usize,
        end: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<(Option<(u32, u32)>, usize), Stop> {
        let bits = self.inputs.len().min(COUNTING.len());
        let batch = (end - first).min(64 >> bits);
        let used = if batch << bits == 64 { !0 } else { (1u64 << (batch << bits)) - 1 };
        for word in 0..words(self.inputs.len()) {
            ctx.tick(1)?;
            self.load(first, batch, bits);
            for position in 0..self.inputs.len() {
                self.simulation.set_input(self.inputs[position], pattern_word(word, position));
            }
            self.simulation.settle();
            let allowed = self.simulation.allowed() & used;
            let origin = |lane: u32| {
                let state = first as u32 + (lane >> bits);
                (state, word << 6 | lane & ((1 << bits) - 1))
            };
            if let Some(lane) = lanes(allowed & self.simulation.value(self.bad)).next() {
                return Ok((Some(origin(lane)), batch));
            }
            self.simulation.advance();
            for (lane, state) in self.rows(allowed) {
                let (parent, pattern) = origin(lane);
                self.insert(&state, Origin { parent, pattern })?;
            }
        }
        Ok((None, batch))
    }

    /// Puts states on the latches, each in `1 << bits` neighbouring lanes.
    fn load(&mut self, first: usize, batch: usize, bits: usize) {
        for block in 0..self.table.words() {
            let mut rows = [0u64; 64];
            for (lane, row) in rows.iter_mut().enumerate().take(batch << bits) {
                *row = self.table.state(first + (lane >> bits))[block];
            }
            transpose(&mut rows);
            let latches = self.circuit.latches.len();
            for (offset, &column) in rows.iter().enumerate().take(latches - 64 * block) {
                self.simulation.set_latch(64 * block + offset, column);
            }
        }
    }

    /// The states on the latches in the lanes `wanted`, packed.
    fn rows(&self, wanted: u64) -> Vec<(u32, Vec<u64>)> {
        let blocks = self.table.words();
        let mut states: Vec<(u32, Vec<u64>)> =
            lanes(wanted).map(|lane| (lane, Vec::with_capacity(blocks))).collect();
        for columns in self.simulation.latches().chunks(64) {
            let mut rows = [0u64; 64];
            rows[..columns.len()].copy_from_slice(columns);
            transpose(&mut rows);
            states.iter_mut().for_each(|(lane, state)| state.push(rows[*lane as usize]));
        }
        states
    }

    fn insert(&mut self, state: &[u64], origin: Origin) -> Result<(), Stop> {
        if self.table.insert(state).is_some() {
            self.origins.push(origin);
            let most = EXPLICIT_MAX_STATES.size();
            if self.table.len() > most {
                return Err(Stop::Stuck(format!("more than {most} reachable states")));
            }
        }
        Ok(())
    }

    /// The run to `state` and the inputs `pattern` that are bad there.
    fn trace(&mut self, state: u32, pattern: u32) -> Trace {
        let mut patterns = vec![pattern];
        let mut state = state;
        let mut start = pattern;
        while state != FIRST {
            let origin = self.origins[state as usize];
            state = origin.parent;
            start = origin.pattern;
            patterns.push(start);
        }
        if !self.tied {
            patterns.pop();
        }
        patterns.reverse();
        let bit = |one: bool| if one { Bit::One } else { Bit::Zero };
        let mut inputs = vec![vec![Bit::Zero; self.circuit.inputs as usize]; patterns.len()];
        for (step, &pattern) in inputs.iter_mut().zip(&patterns) {
            for (position, &index) in self.inputs.iter().enumerate() {
                step[index] = bit(pattern >> position & 1 == 1);
            }
        }
        self.apply_start(start >> 6);
        let lane = start & 63;
        let latches = self.simulation.latches();
        let first = latches.iter().map(|word| bit(word >> lane & 1 == 1)).collect();
        if self.tied {
            for (position, &var) in self.start.iter().enumerate() {
                if var <= self.circuit.inputs {
                    inputs[0][var as usize - 1] = bit(start >> position & 1 == 1);
                }
            }
        }
        Trace { property: Property::Bad(0), start: first, inputs }
    }

    fn certificate(&self) -> CircuitClaim {
        let count = self.circuit.latches.len();
        let row = |index| {
            let state: &[u64] = self.table.state(index);
            (0..count).map(|bit| state[bit / 64] >> (bit % 64) & 1 == 1).collect()
        };
        let states = (0..self.table.len()).map(row).collect();
        let invariant = Invariant::States { latches: (0..count as u32).collect(), states };
        CircuitClaim::of(invariant)
    }
}

/// How many words the patterns of `bits` variables take.
fn words(bits: usize) -> u32 {
    1 << bits.saturating_sub(COUNTING.len())
}

/// The lanes that stand for different patterns of `bits` variables.
fn distinct(bits: usize) -> u64 {
    if bits < COUNTING.len() { (1 << (1 << bits)) - 1 } else { !0 }
}

/// The patterns of variable `position` in word number `word`.
fn pattern_word(word: u32, position: usize) -> u64 {
    match COUNTING.get(position) {
        Some(&counting) => counting,
        None => 0u64.wrapping_sub(u64::from(word >> (position - COUNTING.len()) & 1)),
    }
}
