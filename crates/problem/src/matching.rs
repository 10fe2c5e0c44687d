//! A circuit and a template: whether the circuit computes functions of words, up to the order of bits and a
//! setting of control inputs.
//!
//! The template groups inputs into words whose bits are in no known order, names the control inputs and the
//! outputs, and says which functions of the words the outputs are to be. A *match* is an order for each
//! permutation and a setting of the control inputs for each name of a value, such that under the setting of each case
//! the outputs are the case's function for all inputs. What is bad, in the words of `Verdict`, is that there is a match.
//!
//! Words are lists of bits with the lowest first; texts have the highest first.
//!
//! After Gascón, Subramanyan, Dutertre, Tiwari, Jovanović, Malik, Template-based circuit understanding
//! (FMCAD 2014).

use crate::circuit::Circuit;
use alphorn_term::{Store, TermId};

/// A circuit, and what is looked for in it.
#[derive(Clone, Debug)]
pub struct Matching {
    /// The circuit, which has no latches.
    pub circuit: Circuit,
    /// What is looked for.
    pub template: Template,
}

/// Functions of words.
#[derive(Clone, Debug, Default)]
pub struct Template {
    /// The terms of the cases.
    pub terms: Store,
    /// Inputs, by their positions, that are words.
    pub words: Vec<Group>,
    /// Inputs that are set.
    pub control: Vec<usize>,
    /// Outputs, by their positions.
    pub outputs: Vec<usize>,
    /// The orders that are looked for.
    pub permutations: Vec<Permutation>,
    /// The names of the settings that are looked for.
    pub values: Vec<String>,
    /// The functions.
    pub cases: Vec<Case>,
}

/// A word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// Its bits, as positions of inputs.
    pub bits: Vec<usize>,
    /// The variable that stands for the word as it is listed.
    pub variable: TermId,
}

/// An order of bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permutation {
    /// Its name.
    pub name: String,
    /// How many bits it orders.
    pub width: usize,
    /// The words that it orders, by position, each with the variable that stands for the result.
    pub uses: Vec<(usize, TermId)>,
    /// Whether it orders the outputs.
    pub is_of_outputs: bool,
}

/// A function that the outputs are to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Under which setting, by its position; under all if there is none.
    pub value: Option<usize>,
    /// The order of the outputs, by the position of the permutation; as listed if there is none.
    pub order: Option<usize>,
    /// The function, a word as wide as the outputs.
    pub function: TermId,
}

/// An order for each permutation and a setting for each value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Solution {
    /// By permutation: which bit of the listed word stands at each position.
    pub orders: Vec<Vec<usize>>,
    /// By value: the control inputs.
    pub settings: Vec<Vec<bool>>,
}

impl Matching {
    /// Whether circuit and template fit each other, or what does not.
    pub fn validate(&self) -> Result<(), String> {
        self.circuit.validate()?;
        let (circuit, template) = (&self.circuit, &self.template);
        if !circuit.latches.is_empty() {
            return Err("the circuit has latches".to_owned());
        }
        let inputs = template.words.iter().flat_map(|word| &word.bits).chain(&template.control);
        let mut is_used = vec![false; circuit.inputs as usize];
        for &input in inputs {
            match is_used.get_mut(input) {
                None => return Err(format!("the circuit has no input {input}")),
                Some(used) if *used => return Err(format!("input {input} is in two groups")),
                Some(used) => *used = true,
            }
        }
        let mut is_used = vec![false; circuit.outputs.len()];
        for &output in &template.outputs {
            match is_used.get_mut(output) {
                None => return Err(format!("the circuit has no output {output}")),
                Some(used) if *used => return Err(format!("output {output} is listed twice")),
                Some(used) => *used = true,
            }
        }
        template.validate()
    }

    /// Whether a solution has the form that the template asks for.
    pub fn fits(&self, solution: &Solution) -> bool {
        let Template { permutations, values, control, .. } = &self.template;
        let is_order = |(order, permutation): (&Vec<usize>, &Permutation)| {
            let mut sorted = order.clone();
            sorted.sort_unstable();
            sorted == (0..permutation.width).collect::<Vec<_>>()
        };
        solution.orders.len() == permutations.len()
            && solution.settings.len() == values.len()
            && solution.orders.iter().zip(permutations).all(is_order)
            && solution.settings.iter().all(|setting| setting.len() == control.len())
    }
}

impl Template {
    fn validate(&self) -> Result<(), String> {
        let width = |term: TermId| match term.index() < self.terms.len() {
            true => self.terms.width_of(self.terms.sort(term)).map(|width| width as usize),
            false => None,
        };
        for word in &self.words {
            if width(word.variable) != Some(word.bits.len()) {
                return Err(format!("the word {} has another width", word.name));
            }
        }
        for permutation in &self.permutations {
            let Permutation { name, width: own, uses, is_of_outputs } = permutation;
            let is_right = |&(word, variable): &(usize, TermId)| {
                self.words.get(word).is_some_and(|word| word.bits.len() == *own)
                    && width(variable) == Some(*own)
            };
            if !uses.iter().all(is_right) || (*is_of_outputs && self.outputs.len() != *own) {
                return Err(format!("the permutation {name} orders words of other widths"));
            }
        }
        for case in &self.cases {
            let is_order = |order: usize| {
                self.permutations.get(order).is_some_and(|order| order.is_of_outputs)
            };
            if width(case.function) != Some(self.outputs.len())
                || case.value.is_some_and(|value| value >= self.values.len())
                || case.order.is_some_and(|order| !is_order(order))
            {
                return Err("a case does not fit the outputs".to_owned());
            }
        }
        Ok(())
    }
}
