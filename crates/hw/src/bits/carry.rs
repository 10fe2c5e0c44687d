//! A system as a circuit with names, and the way back.
//!
//! A claim about the circuit is one about the system, with the abstraction that says which circuit
//! is meant. A run is put together from its bits; what the circuit does not know gets a value where
//! the system asks for one, and follows from the system elsewhere.

use super::follow;
use alphorn_engine::{Back, Lost};
use alphorn_problem::circuit::Symbols;
use alphorn_problem::evidence::circuit::{Bit, CircuitClaim, Property, Trace};
use alphorn_problem::evidence::words::{
    Abstraction, Address, ClaimedInvariant, WordClaim, WordTrace,
};
use alphorn_problem::obligation::blast::{Blasted, Goal, Layout, Source, blast};
use alphorn_problem::words::Named;
use alphorn_problem::{Circuit, Words};
use alphorn_term::{Op, Sort, SortId, TermId, Value};
use std::ops::Range;
use std::sync::Arc;

/// The system with all its properties and outputs as a circuit, or what in it is not made of bits. The
/// way back is for runs; a proof needs a circuit of its property alone. Outputs that are arrays are
/// left out.
pub fn words_to_circuit(system: &Words) -> Result<(Circuit, Back<Words, Circuit>), String> {
    let (watching, outputs) = with_outputs_as_bads(system);
    if !outputs.is_empty() && system.bads.is_empty() && system.justice.is_empty() {
        return Err("the system has no property, and AIGER takes its outputs for some".into());
    }
    let abstraction = follow(&watching, Goal::All);
    let (mut circuit, carried) = Carried::new(&Arc::new(watching), Goal::All, &abstraction)?;
    carried.exact()?;
    circuit.outputs = circuit.bads.split_off(system.bads.len());
    let first = system.bads.len() as u32;
    circuit.symbols.entries.retain(|(kind, at, _)| *kind != b'b' || *at < first);
    let named = outputs.into_iter().zip(0..);
    circuit.symbols.entries.extend(named.map(|(name, at)| (b'o', at, name)));
    let no_claim = |_| Err(Lost("a proof is about a circuit with one property".into()));
    Ok((circuit, Back::new(no_claim, move |trace| carried.trace(&trace))))
}

/// The system with the bits of its outputs as further bad states, and their names: so they are
/// translated like all else.
fn with_outputs_as_bads(system: &Words) -> (Words, Vec<String>) {
    let (mut watching, mut names) = (system.clone(), Vec::new());
    for (position, output) in system.outputs.iter().enumerate() {
        let name = output.name.clone().unwrap_or_else(|| format!("output{position}"));
        let terms = &mut watching.terms;
        let bits: Vec<(TermId, String)> = match *terms.sort_of(terms.sort(output.term)) {
            Sort::Bool => vec![(output.term, name)],
            Sort::BitVec(1) => vec![(terms.bv_to_bool(output.term), name)],
            Sort::BitVec(width) => (0..width)
                .map(|bit| {
                    let one = terms.mk(Op::Extract(bit, bit), &[output.term]);
                    (terms.bv_to_bool(one), format!("{name}[{bit}]"))
                })
                .collect(),
            _ => continue,
        };
        for (term, name) in bits {
            watching.bads.push(Named { term, name: None, span: output.span });
            names.push(name);
        }
    }
    (watching, names)
}

/// One safety property of a system as a circuit, or what in it is not made of bits.
pub fn property_to_circuit(
    system: &Arc<Words>,
    property: usize,
) -> Result<(Circuit, Back<Words, Circuit>), String> {
    goal_to_circuit(system, Goal::Safety(property))
}

/// One justice property of a system, with fairness, as a circuit, or what in it is not made of bits.
pub fn justice_to_circuit(
    system: &Arc<Words>,
    property: usize,
) -> Result<(Circuit, Back<Words, Circuit>), String> {
    goal_to_circuit(system, Goal::Justice(property))
}

/// The circuit of one property, whose evidence is evidence about the system.
fn goal_to_circuit(
    system: &Arc<Words>,
    goal: Goal,
) -> Result<(Circuit, Back<Words, Circuit>), String> {
    let (circuit, carried) = Carried::new(system, goal, &follow(system, goal))?;
    carried.exact()?;
    let carried = Arc::new(carried);
    let (claims, made) = (Arc::clone(&carried), Arc::new(circuit.clone()));
    let claim = move |claim| Ok(claims.claim(claim, &made));
    Ok((circuit, Back::new(claim, move |trace| carried.trace(&trace))))
}

/// What is needed to carry evidence about a circuit back to its system.
pub(super) struct Carried {
    system: Arc<Words>,
    goal: Goal,
    pub(super) layout: Layout,
}

impl Carried {
    /// The circuit of a system, with names, and what carries its evidence back.
    pub(super) fn new(
        system: &Arc<Words>,
        goal: Goal,
        abstraction: &Abstraction,
    ) -> Result<(Circuit, Carried), String> {
        let Blasted { mut circuit, layout } = blast(system, goal, abstraction)?;
        let carried = Carried { system: Arc::clone(system), goal, layout };
        circuit.symbols = carried.symbols();
        Ok((circuit, carried))
    }

    /// Names an array that is too large, if there is one.
    fn exact(&self) -> Result<(), String> {
        if self.layout.is_exact() {
            return Ok(());
        }
        let (terms, shape) = (&self.system.terms, self.layout.shape(&self.system));
        let sorts = self.layout.needed().iter().map(|&term| terms.sort(term));
        let large = sorts.filter(|&sort| !shape.is_whole(sort)).map(|sort| terms.show_sort(sort));
        let sort = large.min().unwrap_or_default();
        Err(format!("arrays of sort {sort} are too large to expand into bits"))
    }

    fn symbols(&self) -> Symbols {
        let (system, layout) = (&*self.system, &self.layout);
        let shape = layout.shape(system);
        let name = |var: TermId| system.terms.var_name(var).unwrap_or("?").to_owned();
        let addresses: Vec<String> = (layout.abstraction().cells.iter())
            .map(|address| match address {
                Address::Word(word) => word.to_string(),
                Address::State(index) => name(system.states[*index].var),
            })
            .collect();
        let mut entries = Vec::new();
        let mut bits = |kind: u8, range: &Range<usize>, sort: SortId, name: &str| {
            for (bit, position) in range.clone().enumerate() {
                let name = shape.bit_name(sort, name, bit, &addresses);
                entries.push((kind, position as u32, name));
            }
        };
        for (source, range) in layout.inputs() {
            let (var, name) = match *source {
                Source::Input(index) => (system.inputs[index], name(system.inputs[index])),
                Source::State(index) => (system.states[index].var, name(system.states[index].var)),
                Source::Next(index) => {
                    let var = system.states[index].var;
                    (var, format!("{}'", name(var)))
                }
                Source::Open(term) => (term, format!("open{}", term.index())),
            };
            bits(b'i', range, system.terms.sort(var), &name);
        }
        for (&index, range) in layout.states().iter().zip(layout.latches()) {
            let var = system.states[index].var;
            bits(b'l', range, system.terms.sort(var), &name(var));
        }
        let (bads, justice, fairness) = match self.goal {
            Goal::Safety(index) => (&system.bads[index..=index], &[][..], &[][..]),
            Goal::Justice(index) => (&[][..], &system.justice[index..=index], &system.fairness[..]),
            Goal::All => (&system.bads[..], &system.justice[..], &system.fairness[..]),
        };
        let named = [(b'b', bads), (b'c', &system.constraints[..]), (b'f', fairness)];
        for (kind, list) in named {
            for (position, item) in list.iter().enumerate() {
                entries.extend(item.name.clone().map(|name| (kind, position as u32, name)));
            }
        }
        for (position, item) in justice.iter().enumerate() {
            entries.extend(item.name.clone().map(|name| (b'j', position as u32, name)));
        }
        Symbols { entries }
    }

    /// A claim about the circuit of one property, as one about the system.
    pub(super) fn claim(&self, found: CircuitClaim, circuit: &Arc<Circuit>) -> WordClaim {
        let property = match self.goal {
            Goal::Safety(index) | Goal::Justice(index) => index,
            Goal::All => found.property,
        };
        let invariant = ClaimedInvariant::Bits {
            abstraction: self.layout.abstraction().clone(),
            invariant: found.invariant,
            circuit: Arc::clone(circuit),
        };
        WordClaim { property, invariant }
    }

    /// A run of the circuit as one of the system.
    pub(super) fn trace(&self, trace: &Trace) -> Result<WordTrace, Lost> {
        let (system, layout) = (&*self.system, &self.layout);
        let shape = layout.shape(system);
        let lost = |why: &str| Lost(why.to_owned());
        // An open bit may have either value, so zero will do.
        let bits = |bits: &[Bit], range: &Range<usize>| -> Result<Vec<bool>, Lost> {
            let bits = bits.get(range.clone()).ok_or_else(|| lost("a step is too short"))?;
            Ok(bits.iter().map(|bit| *bit == Bit::One).collect())
        };
        let first_word = |index: usize| -> Option<Value> {
            let place = layout.states().binary_search(&index).ok()?;
            let sort = system.terms.sort(system.states[index].var);
            let bits = bits(&trace.start, &layout.latches()[place]).ok()?;
            matches!(system.terms.sort_of(sort), Sort::BitVec(_))
                .then(|| shape.value(sort, &bits, &[]))?
        };
        let addresses = layout.addresses(first_word).ok_or_else(|| lost("an address is lost"))?;
        let read = |step: &[Bit], range: &Range<usize>, var: TermId| -> Result<Value, Lost> {
            let value = shape.value(system.terms.sort(var), &bits(step, range)?, &addresses);
            value.ok_or_else(|| lost("bits without value"))
        };
        let default = |var: TermId| {
            let value = Value::default_of(&system.terms, system.terms.sort(var));
            value.ok_or_else(|| lost("a variable has no value to be given"))
        };
        let inputs: Vec<Value> =
            system.inputs.iter().map(|&var| default(var)).collect::<Result<_, _>>()?;
        let mut found = WordTrace {
            property: match (trace.property, self.goal) {
                (Property::Bad(_), Goal::Safety(index)) => Property::Bad(index),
                (Property::Justice(_), Goal::Justice(index)) => Property::Justice(index),
                (property, _) => property,
            },
            states: Vec::with_capacity(trace.inputs.len()),
            inputs: Vec::with_capacity(trace.inputs.len()),
            trap: None,
        };
        for (step, given) in trace.inputs.iter().enumerate() {
            let mut row = Vec::with_capacity(system.states.len());
            for state in &system.states {
                let follows = if step == 0 { state.init } else { state.next }.is_some();
                row.push(if follows { None } else { Some(default(state.var)?) });
            }
            let mut input_row = inputs.clone();
            for (source, range) in layout.inputs() {
                match *source {
                    Source::Input(index) => {
                        input_row[index] = read(given, range, system.inputs[index])?;
                    }
                    Source::State(index) if row[index].is_some() => {
                        row[index] = Some(read(given, range, system.states[index].var)?);
                    }
                    Source::Next(index) if step > 0 => {
                        let before = &trace.inputs[step - 1];
                        row[index] = Some(read(before, range, system.states[index].var)?);
                    }
                    _ => {}
                }
            }
            for (&index, range) in layout.states().iter().zip(layout.latches()) {
                if step == 0 && system.states[index].init.is_none() {
                    row[index] = Some(read(&trace.start, range, system.states[index].var)?);
                }
            }
            found.states.push(row);
            found.inputs.push(input_row);
        }
        Ok(found)
    }
}
