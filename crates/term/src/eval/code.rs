//! Terms laid out for evaluation: nodes in dependency order, arguments as numbers of slots.
//!
//! `eval` lays a term out and runs it once; a `Program` keeps the layout for many runs; a
//! quantifier runs its body's layout once per instance. So there is one walk and one meaning. The
//! last use of a slot takes its value instead of copying it: a chain of writes to an array then
//! changes one array in place.

use super::{EvalError, Model, combine, quantifier};
use crate::id::TermId;
use crate::op::Op;
use crate::store::Store;
use crate::value::Value;
use rustc_hash::FxHashMap;

/// The bit of an argument that says that nobody reads the slot afterwards.
const LAST: u32 = 1 << 31;

#[derive(Clone, Debug)]
struct Node {
    term: TermId,
    start: u32,
    end: u32,
}

/// Several terms over common inputs. The inputs have the first slots.
#[derive(Clone, Debug)]
pub(super) struct Code {
    nodes: Vec<Node>,
    args: Vec<u32>,
    outputs: Vec<u32>,
    inputs: usize,
    slots: Vec<Result<Value, EvalError>>,
    scratch: Vec<Value>,
}

/// What variables stand for outside the code: those bound around it, then the model's.
pub(super) struct Surroundings<'a> {
    pub(super) model: &'a Model,
    /// Values of bound variables, innermost last.
    pub(super) bound: Vec<(TermId, Value)>,
    /// How many instances the quantifiers around come to, together.
    pub(super) instances: u64,
    /// How many quantifiers are around.
    pub(super) depth: u32,
}

impl<'a> Surroundings<'a> {
    pub(super) fn new(model: &'a Model) -> Surroundings<'a> {
        Surroundings { model, bound: Vec::new(), instances: 1, depth: 0 }
    }

    fn variable(&self, var: TermId) -> Result<Value, EvalError> {
        let bound = self.bound.iter().rev().find(|(v, _)| *v == var).map(|(_, value)| value);
        let value = bound.or_else(|| self.model.vars.get(&var));
        value.cloned().ok_or(EvalError::Unassigned(var))
    }
}

impl Code {
    /// Lays `outputs` out; `inputs` are terms whose values each run is given.
    pub(super) fn new(store: &Store, inputs: &[TermId], outputs: &[TermId]) -> Code {
        let mut slot_of: FxHashMap<TermId, u32> = FxHashMap::default();
        for (slot, &input) in inputs.iter().enumerate() {
            slot_of.insert(input, slot as u32);
        }
        let mut nodes: Vec<Node> = Vec::new();
        let mut args: Vec<u32> = Vec::new();
        let mut stack: Vec<(TermId, bool)> =
            outputs.iter().rev().map(|&output| (output, false)).collect();
        while let Some((term, ready)) = stack.pop() {
            if slot_of.contains_key(&term) {
                continue;
            }
            let is_quantifier = matches!(store.op(term), Op::Forall | Op::Exists);
            let terms = if is_quantifier { &[] } else { store.args(term) };
            if !ready && !terms.is_empty() {
                stack.push((term, true));
                stack.extend(terms.iter().map(|&arg| (arg, false)));
                continue;
            }
            slot_of.insert(term, (inputs.len() + nodes.len()) as u32);
            let start = args.len() as u32;
            args.extend(terms.iter().map(|arg| slot_of[arg]));
            nodes.push(Node { term, start, end: args.len() as u32 });
        }
        let outputs: Vec<u32> = outputs.iter().map(|output| slot_of[output]).collect();
        let total = inputs.len() + nodes.len();
        assert!(args.len() < LAST as usize && total < LAST as usize, "terms fit a layout");
        let mut used = vec![false; total];
        outputs.iter().for_each(|&slot| used[slot as usize] = true);
        for arg in args.iter_mut().rev() {
            if !std::mem::replace(&mut used[*arg as usize], true) {
                *arg |= LAST;
            }
        }
        let slots = (0..total).map(|_| Err(EvalError::TooLarge)).collect();
        Code { nodes, args, outputs, inputs: inputs.len(), slots, scratch: Vec::new() }
    }

    /// Gives an input its value for the next run.
    pub(super) fn set_input(&mut self, input: usize, value: Value) {
        self.slots[input] = Ok(value);
    }

    /// Evaluates all outputs.
    pub(super) fn run(&mut self, store: &Store, around: &mut Surroundings<'_>) {
        let Code { nodes, args, slots, scratch, inputs, .. } = self;
        for (position, node) in nodes.iter().enumerate() {
            let value = match store.op(node.term) {
                Op::Var(_) => around.variable(node.term),
                Op::Forall | Op::Exists => quantifier(store, node.term, around),
                _ => {
                    let args = args[node.start as usize..node.end as usize].iter().map(|&arg| {
                        let slot = &mut slots[(arg & !LAST) as usize];
                        match arg & LAST {
                            0 => slot.clone(),
                            _ => std::mem::replace(slot, Err(EvalError::TooLarge)),
                        }
                    });
                    combine(store, node.term, args, around.model, scratch)
                }
            };
            slots[*inputs + position] = value;
        }
    }

    /// The value of output `index` in the last run.
    pub(super) fn output(&self, index: usize) -> &Result<Value, EvalError> {
        &self.slots[self.outputs[index] as usize]
    }

    /// Takes the value of output `index` in the last run.
    pub(super) fn take_output(&mut self, index: usize) -> Result<Value, EvalError> {
        let slot = &mut self.slots[self.outputs[index] as usize];
        std::mem::replace(slot, Err(EvalError::TooLarge))
    }
}
