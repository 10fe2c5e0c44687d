//! Bit-blasting: a transition system over words as a circuit.
//!
//! Every input becomes as many inputs as it has bits, every state as many latches. A state without
//! next value gets inputs that say what comes next; one that behaves like an input in every way
//! becomes inputs. Outputs are left behind, because a circuit without bad states would take them
//! for properties.
//!
//! The way back puts bits together: traces step by step, lists of states row by row. A list that
//! speaks about some bits of a word is completed with all values of the others.

use super::aig::Aig;
use super::blast::Blaster;
use super::shape::{bit_name, bits_of, value_of};
use super::word::Word;
use crate::words::{Choice, Roles};
use alphorn_problem::circuit::{Latch, Lit};
use alphorn_problem::evidence::circuit::{Bit, Certificate, Invariant, Trace};
use alphorn_problem::evidence::words::{WordCertificate, WordInvariant, WordTrace};
use alphorn_problem::{Back, Circuit, Lost, Words};
use alphorn_term::{SortId, TermId, Value};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The most rows that a list of states may be completed to.
const MOST_ROWS: usize = 1 << 18;

/// The system as a circuit, or what in it is not made of bits.
pub fn words_to_circuit(system: &Words) -> Result<(Circuit, Back<Words, Circuit>), String> {
    let layout = Layout::new(system)?;
    let circuit = layout.circuit(system)?;
    let (proof_layout, trace_layout) = (layout.clone(), layout);
    let (proof_system, trace_system) = (system.clone(), system.clone());
    let back = Back::new(
        move |certificate| proof_layout.certificate(&proof_system, certificate),
        move |trace| trace_layout.trace(&trace_system, &trace),
    );
    Ok((circuit, back))
}

/// Which inputs and latches stand for what.
#[derive(Clone)]
struct Layout {
    roles: Roles,
    /// For each choice, its inputs.
    choices: Vec<Range<usize>>,
    /// For each state proper, its latches.
    states: Vec<Range<usize>>,
}

impl Layout {
    fn new(system: &Words) -> Result<Layout, String> {
        let store = &system.terms;
        let roles = Roles::new(system);
        let place = |var: TermId, end: &mut usize| {
            let bits = bits_of(store, store.sort(var))
                .map_err(|reason| format!("{}: {reason}", store.var_name(var).unwrap_or("?")))?;
            *end += bits;
            if *end > u32::MAX as usize / 8 {
                return Err("the circuit would have too many inputs and latches".to_owned());
            }
            Ok(*end - bits..*end)
        };
        let mut inputs = 0;
        let variable = |choice: &Choice| Roles::variable(system, *choice);
        let choices = (roles.choices.iter())
            .map(|choice| place(variable(choice), &mut inputs))
            .collect::<Result<_, _>>()?;
        let mut latches = 0;
        let states = (roles.states.iter())
            .map(|&index| place(system.states[index].var, &mut latches))
            .collect::<Result<_, _>>()?;
        Ok(Layout { roles, choices, states })
    }

    fn inputs(&self) -> usize {
        self.choices.last().map_or(0, |range| range.end)
    }

    fn latches(&self) -> usize {
        self.states.last().map_or(0, |range| range.end)
    }

    fn input_word(&self, choice: usize) -> Word {
        self.choices[choice].clone().map(|bit| Lit::new(1 + bit as u32, false)).collect()
    }

    fn latch_word(&self, state: usize) -> Word {
        let first = 1 + self.inputs();
        self.states[state].clone().map(|bit| Lit::new((first + bit) as u32, false)).collect()
    }

    fn circuit(&self, system: &Words) -> Result<Circuit, String> {
        let mut variables: FxHashMap<TermId, Word> = FxHashMap::default();
        for (choice, role) in self.roles.choices.iter().enumerate() {
            if !matches!(role, Choice::Next(_)) {
                variables.insert(Roles::variable(system, *role), self.input_word(choice));
            }
        }
        for (place, &index) in self.roles.states.iter().enumerate() {
            variables.insert(system.states[index].var, self.latch_word(place));
        }
        let aig = Aig::new((self.inputs() + self.latches()) as u32);
        let mut blaster = Blaster::new(&system.terms, aig, variables);
        let mut circuit = Circuit { inputs: self.inputs() as u32, ..Circuit::default() };
        for (place, &index) in self.roles.states.iter().enumerate() {
            let state = &system.states[index];
            let nexts = match state.next {
                Some(next) => blaster.bits(next)?,
                None => {
                    let choice = self.roles.choices.iter().position(|c| *c == Choice::Next(index));
                    self.input_word(choice.expect("a state without next value is a choice"))
                }
            };
            let resets = match state.init {
                Some(init) => blaster.bits(init)?,
                None => self.latch_word(place),
            };
            let pairs = nexts.into_iter().zip(resets);
            circuit.latches.extend(pairs.map(|(next, reset)| Latch { next, reset }));
        }
        for bad in &system.bads {
            circuit.bads.push(blaster.bit(bad.term)?);
        }
        for constraint in &system.constraints {
            circuit.constraints.push(blaster.bit(constraint.term)?);
        }
        for justice in &system.justice {
            let set = justice.terms.iter().map(|&term| blaster.bit(term));
            circuit.justice.push(set.collect::<Result<_, _>>()?);
        }
        for fairness in &system.fairness {
            circuit.fairness.push(blaster.bit(fairness.term)?);
        }
        circuit.ands = blaster.aig.into_ands();
        self.name(system, &mut circuit);
        circuit.validate()?;
        Ok(circuit)
    }

    fn name(&self, system: &Words, circuit: &mut Circuit) {
        let store = &system.terms;
        let mut entries = Vec::new();
        let mut bits = |kind: u8, range: &Range<usize>, var: TermId, suffix: &str| {
            let name = format!("{}{suffix}", store.var_name(var).unwrap_or("?"));
            for (bit, position) in range.clone().enumerate() {
                entries.push((kind, position as u32, bit_name(store, store.sort(var), &name, bit)));
            }
        };
        for (choice, range) in self.roles.choices.iter().zip(&self.choices) {
            let suffix = if matches!(choice, Choice::Next(_)) { "'" } else { "" };
            bits(b'i', range, Roles::variable(system, *choice), suffix);
        }
        for (&index, range) in self.roles.states.iter().zip(&self.states) {
            bits(b'l', range, system.states[index].var, "");
        }
        let named = [(b'b', &system.bads), (b'c', &system.constraints), (b'f', &system.fairness)];
        for (kind, list) in named {
            for (position, item) in list.iter().enumerate() {
                entries.extend(item.name.clone().map(|name| (kind, position as u32, name)));
            }
        }
        for (position, item) in system.justice.iter().enumerate() {
            entries.extend(item.name.clone().map(|name| (b'j', position as u32, name)));
        }
        circuit.symbols.entries = entries;
    }

    fn trace(&self, system: &Words, trace: &Trace) -> Result<WordTrace, Lost> {
        // An open bit may have either value, so zero will do.
        let read = |bits: &[Bit], range: &Range<usize>, sort: SortId| -> Result<Value, Lost> {
            let bits = bits.get(range.clone()).ok_or_else(|| Lost("a step is too short".into()))?;
            let bits: Vec<bool> = bits.iter().map(|bit| *bit == Bit::One).collect();
            value_of(&system.terms, sort, &bits).ok_or_else(|| Lost("bits without value".into()))
        };
        let (mut states, mut inputs) = (Vec::new(), Vec::new());
        for (step, bits) in trace.inputs.iter().enumerate() {
            let mut row: Vec<Option<Value>> = vec![None; system.states.len()];
            let mut input_row = Vec::with_capacity(system.inputs.len());
            for (choice, range) in self.roles.choices.iter().zip(&self.choices) {
                let sort = Roles::sort(system, *choice);
                match *choice {
                    Choice::Input(_) => input_row.push(read(bits, range, sort)?),
                    Choice::Free(index) => row[index] = Some(read(bits, range, sort)?),
                    Choice::Next(index) if step > 0 => {
                        row[index] = Some(read(&trace.inputs[step - 1], range, sort)?);
                    }
                    Choice::Next(_) => {}
                }
            }
            for (&index, range) in self.roles.states.iter().zip(&self.states) {
                let state = &system.states[index];
                if step == 0 && state.init.is_none() {
                    row[index] = Some(read(&trace.start, range, system.terms.sort(state.var))?);
                }
            }
            states.push(row);
            inputs.push(input_row);
        }
        Ok(WordTrace { property: trace.property, states, inputs })
    }

    fn certificate(&self, system: &Words, found: Certificate) -> Result<WordCertificate, Lost> {
        let Invariant::States { latches, states } = found.invariant else {
            return Err(Lost("a proof about bits is not one about words".into()));
        };
        // The states proper spoken about, with the place of each bit in a row, if it has one.
        let mut spoken: Vec<(usize, Vec<Option<usize>>)> = Vec::new();
        let mut missing = 0u32;
        for (place, range) in self.states.iter().enumerate() {
            let listed = |bit: usize| latches.binary_search(&(bit as u32)).ok();
            let places: Vec<Option<usize>> = range.clone().map(listed).collect();
            if places.iter().any(Option::is_some) {
                missing += places.iter().filter(|place| place.is_none()).count() as u32;
                spoken.push((place, places));
            }
        }
        if missing >= 18 || states.len() << missing > MOST_ROWS {
            return Err(Lost("the list of states is too long when written in words".into()));
        }
        let mut rows = Vec::with_capacity(states.len() << missing);
        for state in &states {
            for fill in 0..1usize << missing {
                let mut rest = fill;
                let mut row = Vec::with_capacity(spoken.len());
                for (place, places) in &spoken {
                    let mut bit = |place: &Option<usize>| match place {
                        Some(place) => state[*place],
                        None => {
                            let bit = rest & 1 == 1;
                            rest >>= 1;
                            bit
                        }
                    };
                    let bits: Vec<bool> = places.iter().map(&mut bit).collect();
                    let var = system.states[self.roles.states[*place]].var;
                    let value = value_of(&system.terms, system.terms.sort(var), &bits);
                    row.push(value.ok_or_else(|| Lost("bits without value".into()))?);
                }
                rows.push(row);
            }
        }
        let vars = spoken.iter().map(|(place, _)| self.roles.states[*place]).collect();
        let invariant = WordInvariant::States { vars, states: rows };
        Ok(WordCertificate { property: found.property, invariant })
    }
}
