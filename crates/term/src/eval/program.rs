//! Terms compiled for evaluation many times over: simulation, enumeration, replay.
//!
//! The terms' nodes are laid out once in dependency order; a run fills one slot per node. The
//! meaning is `eval`'s to the letter (both call `combine`), only the walk is paid for once.

use super::{EvalError, Evaluation, Model, combine};
use crate::op::Op;
use crate::store::{Store, TermId};
use crate::value::Value;
use rustc_hash::FxHashMap;

/// Several terms over common inputs, ready to be evaluated.
#[derive(Clone, Debug)]
pub struct Program {
    inputs: Vec<TermId>,
    /// The terms to evaluate, in dependency order, with the slots of their arguments.
    nodes: Vec<(TermId, Vec<u32>)>,
    outputs: Vec<u32>,
    slots: Vec<Result<Value, EvalError>>,
}

impl Program {
    /// Compiles `outputs` as functions of the variables `inputs`.
    pub fn new(store: &Store, inputs: &[TermId], outputs: &[TermId]) -> Program {
        let mut slot_of: FxHashMap<TermId, u32> = FxHashMap::default();
        for (slot, &input) in inputs.iter().enumerate() {
            slot_of.insert(input, slot as u32);
        }
        let mut nodes: Vec<(TermId, Vec<u32>)> = Vec::new();
        for &output in outputs {
            let mut stack = vec![(output, false)];
            while let Some((term, ready)) = stack.pop() {
                if slot_of.contains_key(&term) {
                    continue;
                }
                let is_quantifier = matches!(store.op(term), Op::Forall | Op::Exists);
                let args = if is_quantifier { &[] } else { store.args(term) };
                if !ready && !args.is_empty() {
                    stack.push((term, true));
                    stack.extend(args.iter().map(|&arg| (arg, false)));
                    continue;
                }
                slot_of.insert(term, (inputs.len() + nodes.len()) as u32);
                nodes.push((term, args.iter().map(|arg| slot_of[arg]).collect()));
            }
        }
        let total = inputs.len() + nodes.len();
        let mut slots = Vec::with_capacity(total);
        slots.extend((0..total).map(|_| Err(EvalError::TooLarge)));
        let outputs = outputs.iter().map(|output| slot_of[output]).collect();
        Program { inputs: inputs.to_vec(), nodes, outputs, slots }
    }

    /// Evaluates all outputs; `model` supplies functions, choices and variables that are not
    /// inputs.
    pub fn run(&mut self, store: &Store, inputs: &[Value], model: &Model) {
        assert_eq!(inputs.len(), self.inputs.len(), "one value per input");
        for (slot, value) in self.slots.iter_mut().zip(inputs) {
            *slot = Ok(value.clone());
        }
        for (position, (term, args)) in self.nodes.iter().enumerate() {
            let value = match store.op(*term) {
                Op::Var(_) => model.vars.get(term).cloned().ok_or(EvalError::Unassigned(*term)),
                Op::Forall | Op::Exists => {
                    let bound = self.inputs.iter().copied().zip(inputs.iter().cloned()).collect();
                    Evaluation { store, model, bound, depth: 0 }.run(*term)
                }
                _ => {
                    let args = args.iter().map(|&slot| self.slots[slot as usize].clone());
                    combine(store, *term, args, model)
                }
            };
            self.slots[self.inputs.len() + position] = value;
        }
    }

    /// The value of output `index` in the last run.
    pub fn output(&self, index: usize) -> Result<&Value, &EvalError> {
        self.slots[self.outputs[index] as usize].as_ref()
    }

    /// The truth value of output `index` in the last run; an error where it is not one.
    pub fn holds(&self, index: usize) -> Result<bool, EvalError> {
        match self.output(index) {
            Ok(value) => value.as_bool().ok_or(EvalError::IllSorted),
            Err(error) => Err(error.clone()),
        }
    }
}
