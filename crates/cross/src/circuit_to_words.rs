//! A circuit as a transition system over words of one bit.
//!
//! Inputs and latches become variables, gates become formulas. A reset function may read inputs,
//! which initial values may not: for each input so read a state remembers what it was at first,
//! and as long as a flag says that it is the first step, a constraint ties the input to it.
//!
//! The way back reads one bit per variable. A list of states that speaks about what was
//! remembered says something about inputs, which no list of latches can say, and is lost; so are
//! formulas over states that are too many to be listed.

use alphorn_engine::{Back, Lost};
use alphorn_hw::circuit::{Simulation, step_cone};
use alphorn_problem::circuit::Lit;
use alphorn_problem::evidence::circuit::{Bit, CircuitClaim, Invariant, Trace};
use alphorn_problem::evidence::words::{ClaimedInvariant, Rows, WordClaim, WordTrace};
use alphorn_problem::words::{Justice, Named, State};
use alphorn_problem::{Circuit, Span, Words};
use alphorn_term::{Bv, Model, Store, Substitution, TermId, Value, eval};
use rustc_hash::{FxHashMap, FxHashSet};

/// The most bits of state whose values are listed.
const MAX_LISTED_BITS: usize = 14;

/// The circuit as a system, or why the circuit is malformed.
pub fn circuit_to_words(circuit: &Circuit) -> Result<(Words, Back<Circuit, Words>), String> {
    circuit.validate()?;
    let mut builder = Builder::new(circuit);
    builder.variables();
    let latches = builder.states()?;
    builder.properties();
    let system = builder.system;
    let (claim_latches, large, words) = (latches, circuit.clone(), system.clone());
    let trace_latches = claim_latches.clone();
    let back = Back::new(
        move |claim| carry_claim(&words, &claim_latches, claim),
        move |trace| carry_trace(&large, &trace_latches, &trace),
    );
    Ok((system, back))
}

struct Builder<'a> {
    circuit: &'a Circuit,
    system: Words,
    names: FxHashMap<(u8, u32), &'a str>,
    used: FxHashSet<TermId>,
    /// The variables of the latches.
    latches: Vec<TermId>,
    /// The formula of each of the circuit's variables.
    formulas: Vec<TermId>,
}

impl<'a> Builder<'a> {
    fn new(circuit: &'a Circuit) -> Builder<'a> {
        let entries = circuit.symbols.entries.iter();
        let names = entries.map(|(kind, index, name)| ((*kind, *index), name.as_str())).collect();
        let (system, used) = (Words::default(), FxHashSet::default());
        Builder { circuit, system, names, used, latches: Vec::new(), formulas: Vec::new() }
    }

    /// A variable of one bit whose name nobody else has.
    fn variable(&mut self, name: &str) -> TermId {
        let sort = self.system.terms.bv_sort(1);
        let mut var = self.system.terms.var(name, sort);
        if !self.used.insert(var) {
            var = self.system.terms.fresh_var(name, sort);
            self.used.insert(var);
        }
        var
    }

    fn name(&self, kind: u8, index: usize) -> Option<String> {
        self.names.get(&(kind, index as u32)).map(|name| (*name).to_owned())
    }

    /// Inputs, latches and the formulas of all gates.
    fn variables(&mut self) {
        self.formulas.push(TermId::FALSE);
        for index in 0..self.circuit.inputs as usize {
            let name = self.name(b'i', index).unwrap_or_else(|| format!("i{index}"));
            let var = self.variable(&name);
            self.system.inputs.push(var);
            self.formulas.push(self.system.terms.bv_to_bool(var));
        }
        for index in 0..self.circuit.latches.len() {
            let name = self.name(b'l', index).unwrap_or_else(|| format!("l{index}"));
            let var = self.variable(&name);
            self.latches.push(var);
            self.formulas.push(self.system.terms.bv_to_bool(var));
        }
        for and in &self.circuit.ands {
            let sides = [and.left, and.right].map(|lit| self.formula(lit));
            self.formulas.push(self.system.terms.and(&sides));
        }
    }

    fn formula(&mut self, lit: Lit) -> TermId {
        let term = self.formulas[lit.var() as usize];
        if lit.is_negated() { self.system.terms.not(term) } else { term }
    }

    /// The states; for each the latch it is, if it is one.
    fn states(&mut self) -> Result<Vec<Option<usize>>, String> {
        let circuit = self.circuit;
        let mut latches = Vec::new();
        let remembered = self.remember(&mut latches);
        for index in circuit.reset_order()? {
            let latch = circuit.latches[index];
            let init = (!circuit.is_uninitialised(index)).then(|| {
                let formula = self.formula(latch.reset);
                let first = self.system.terms.substitute(formula, &remembered);
                self.system.terms.bool_to_bv(first)
            });
            let next = self.formula(latch.next);
            let next = Some(self.system.terms.bool_to_bv(next));
            let var = self.latches[index];
            self.system.states.push(State { var, init, next, span: Span::NONE });
            latches.push(Some(index));
        }
        Ok(latches)
    }

    /// Adds states that remember the first values of inputs that resets read.
    fn remember(&mut self, latches: &mut Vec<Option<usize>>) -> Substitution {
        let circuit = self.circuit;
        let read = step_cone(circuit, circuit.latches.iter().map(|latch| latch.reset));
        let inputs: Vec<usize> =
            (0..circuit.inputs as usize).filter(|index| read[1 + index]).collect();
        let mut remembered = Substitution::default();
        if inputs.is_empty() {
            return remembered;
        }
        let (one, zero) = (Bv::from_bool(true), Bv::from_bool(false));
        let (one, zero) = (self.system.terms.bv(one), self.system.terms.bv(zero));
        let flag = self.variable("first");
        let is_first = self.system.terms.bv_to_bool(flag);
        let flag = State { var: flag, init: Some(one), next: Some(zero), span: Span::NONE };
        self.system.states.push(flag);
        latches.push(None);
        for index in inputs {
            let input = self.system.inputs[index];
            let name = self.system.terms.var_name(input).unwrap_or("input").to_owned();
            let var = self.variable(&format!("{name}.first"));
            self.system.states.push(State { var, init: None, next: Some(var), span: Span::NONE });
            latches.push(None);
            remembered.insert(input, var);
            let same = self.system.terms.eq(input, var);
            let term = self.system.terms.implies(is_first, same);
            self.system.constraints.push(Named { term, name: None, span: Span::NONE });
        }
        remembered
    }

    fn properties(&mut self) {
        let circuit = self.circuit;
        let safety_kind = circuit.safety_kind();
        self.system.bads = self.named(circuit.safety(), safety_kind);
        let constraints = self.named(&circuit.constraints, b'c');
        self.system.constraints.extend(constraints);
        self.system.fairness = self.named(&circuit.fairness, b'f');
        for (index, set) in circuit.justice.iter().enumerate() {
            let terms = set.iter().map(|&lit| self.formula(lit)).collect();
            let name = self.name(b'j', index);
            self.system.justice.push(Justice { terms, name, span: Span::NONE });
        }
        if safety_kind == b'b' {
            let outputs = self.named(&circuit.outputs, b'o');
            self.system.outputs = outputs;
        }
    }

    fn named(&mut self, lits: &[Lit], kind: u8) -> Vec<Named> {
        let mut list = Vec::with_capacity(lits.len());
        for (index, &lit) in lits.iter().enumerate() {
            let name = self.name(kind, index);
            list.push(Named { term: self.formula(lit), name, span: Span::NONE });
        }
        list
    }
}

/// The bit that a value of one bit is.
fn bit_of(value: &Value) -> Result<bool, Lost> {
    match value {
        Value::Bv(word) if word.width() == 1 => Ok(!word.is_zero()),
        _ => Err(Lost("a value is not one bit".into())),
    }
}

/// A claim about the system as one about the circuit: a list of states, or a formula whose states are few
/// enough to be listed.
fn carry_claim(
    system: &Words,
    latches: &[Option<usize>],
    claim: WordClaim,
) -> Result<CircuitClaim, Lost> {
    let (vars, states) = match claim.invariant {
        ClaimedInvariant::States(Rows { vars, states }) => (vars, states),
        ClaimedInvariant::Formula { terms, formula } => list_states(system, &terms, formula)?,
        ClaimedInvariant::Bits { .. } => {
            return Err(Lost("an invariant of bits of words is not one of gates".into()));
        }
        ClaimedInvariant::Home(_) => {
            return Err(Lost("a circuit has no home properties".into()));
        }
    };
    let listed: Option<Vec<usize>> = vars.iter().map(|&var| latches[var]).collect();
    let Some(listed) = listed else {
        return Err(Lost("the states speak about the inputs of the first step".into()));
    };
    let mut order: Vec<usize> = (0..listed.len()).collect();
    order.sort_by_key(|&column| listed[column]);
    let row = |state: &Vec<Value>| order.iter().map(|&column| bit_of(&state[column])).collect();
    let states = states.iter().map(row).collect::<Result<_, _>>()?;
    let latches = order.iter().map(|&column| listed[column] as u32).collect();
    let invariant = Invariant::States { latches, states };
    Ok(CircuitClaim { property: claim.property, invariant })
}

/// The states of a system of bits that satisfy a formula.
fn list_states(
    system: &Words,
    terms: &Store,
    formula: TermId,
) -> Result<(Vec<usize>, Vec<Vec<Value>>), Lost> {
    let count = system.states.len();
    if count > MAX_LISTED_BITS {
        return Err(Lost("the states of the model are too many to list".into()));
    }
    let (mut model, mut rows) = (Model::new(), Vec::new());
    for number in 0..1u64 << count {
        let bit = |at: usize| Value::Bv(Bv::from_u64(1, number >> at & 1));
        let row: Vec<Value> = (0..count).map(bit).collect();
        for (state, value) in system.states.iter().zip(&row) {
            model.set(state.var, value.clone());
        }
        match eval(terms, formula, &model) {
            Ok(Value::Bool(true)) => rows.push(row),
            Ok(_) => {}
            Err(error) => return Err(Lost(error.describe(terms))),
        }
    }
    Ok(((0..count).collect(), rows))
}

fn carry_trace(
    circuit: &Circuit,
    latches: &[Option<usize>],
    trace: &WordTrace,
) -> Result<Trace, Lost> {
    let bit = |one: bool| if one { Bit::One } else { Bit::Zero };
    let mut inputs: Vec<Vec<Bit>> = Vec::with_capacity(trace.inputs.len());
    for step in &trace.inputs {
        let bits = step.iter().map(|value| bit_of(value).map(bit));
        inputs.push(bits.collect::<Result<_, _>>()?);
    }
    let mut simulation = Simulation::new(circuit);
    for (index, bit) in inputs.first().into_iter().flatten().enumerate() {
        simulation.set_input(index, u64::from(*bit == Bit::One));
    }
    for (latch, value) in latches.iter().zip(trace.states.first().into_iter().flatten()) {
        if let (Some(latch), Some(value)) = (latch, value) {
            simulation.set_latch(*latch, u64::from(bit_of(value)?));
        }
    }
    simulation.reset();
    let start = simulation.latches().iter().map(|word| bit(word & 1 == 1)).collect();
    Ok(Trace { property: trace.property, start, inputs })
}
