//! Terms compiled for evaluation many times over: simulation, enumeration, replay.
//!
//! The meaning is `eval`'s to the letter (both run the same code); only the walk is paid for once.

use super::code::{Code, Surroundings};
use super::{EvalError, Model};
use crate::id::TermId;
use crate::store::Store;
use crate::value::Value;

/// Several terms over common inputs, ready to be evaluated.
#[derive(Clone, Debug)]
pub struct Program {
    inputs: Vec<TermId>,
    code: Code,
    has_quantifier: bool,
}

impl Program {
    /// Compiles `outputs` as functions of the variables `inputs`.
    pub fn new(store: &Store, inputs: &[TermId], outputs: &[TermId]) -> Program {
        let has_quantifier = outputs.iter().any(|&output| store.has_quantifier(output));
        Program { inputs: inputs.to_vec(), code: Code::new(store, inputs, outputs), has_quantifier }
    }

    /// Evaluates all outputs; `model` supplies functions, choices and variables that are not
    /// inputs.
    pub fn run(&mut self, store: &Store, inputs: &[Value], model: &Model) {
        assert_eq!(inputs.len(), self.inputs.len(), "one value per input");
        for (slot, value) in inputs.iter().enumerate() {
            self.code.set_input(slot, value.clone());
        }
        let mut around = Surroundings::new(model);
        if self.has_quantifier {
            around.bound = self.inputs.iter().copied().zip(inputs.iter().cloned()).collect();
        }
        self.code.run(store, &mut around);
    }

    /// The value of output `index` in the last run.
    pub fn output(&self, index: usize) -> Result<&Value, &EvalError> {
        self.code.output(index).as_ref()
    }

    /// The truth value of output `index` in the last run; an error where it is not one.
    pub fn holds(&self, index: usize) -> Result<bool, EvalError> {
        match self.output(index) {
            Ok(value) => value.as_bool().ok_or(EvalError::IllSorted),
            Err(error) => Err(error.clone()),
        }
    }
}
