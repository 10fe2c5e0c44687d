//! What has to be proved about matches, as circuits with one safety property each.
//!
//! All come from one graph: given literals for a solution and for the inputs, whether the outputs of the
//! circuit are those of the template. With a solution's constants and inputs for inputs it is the
//! equivalence of the specialised circuit with the template. With inputs for the solution and constants for
//! the inputs it says which solutions are right for these; conjoined over several inputs, with the
//! condition that orders are orders, it is false everywhere if there is no match. With inputs for both it is
//! the matrix of the question itself, for whoever looks for matches.
//!
//! Invariant: a circuit depends on the problem and the arguments alone.

use super::blast::aig::Aig;
use super::blast::gates::{Blaster, MAX_GATES};
use super::blast::shape::Shape;
use crate::circuit::{Circuit, Lit};
use crate::matching::{Case, Matching, Solution, Template};

const TOO_LARGE: &str = "the circuit would have too many gates";

/// Literals for a solution.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// By permutation, by position, by bit: whether the bit stands at the position.
    pub orders: Vec<Vec<Vec<Lit>>>,
    /// By value: the control inputs.
    pub settings: Vec<Vec<Lit>>,
}

impl Selection {
    /// The literals of a solution that is known.
    pub fn constant(solution: &Solution) -> Selection {
        let row =
            |bit: usize, width: usize| (0..width).map(|other| constant(bit == other)).collect();
        let order = |order: &Vec<usize>| order.iter().map(|&bit| row(bit, order.len())).collect();
        let setting = |setting: &Vec<bool>| setting.iter().map(|&bit| constant(bit)).collect();
        Selection {
            orders: solution.orders.iter().map(order).collect(),
            settings: solution.settings.iter().map(setting).collect(),
        }
    }

    /// The variables after the first so many, in order; and how many there are then.
    pub fn variables(template: &Template, before: u32) -> (Selection, u32) {
        let mut next = before;
        let mut row = |width: usize| -> Vec<Lit> {
            let first = next + 1;
            next += width as u32;
            (first..=next).map(|var| Lit::new(var, false)).collect()
        };
        let orders = template.permutations.iter().map(|permutation| {
            let width = permutation.width;
            (0..width).map(|_| row(width)).collect()
        });
        let orders = orders.collect();
        let settings = template.values.iter().map(|_| row(template.control.len())).collect();
        (Selection { orders, settings }, next)
    }

    /// The rows and columns of orders: of each exactly one literal is true.
    pub fn groups(&self) -> Vec<Vec<Lit>> {
        let mut groups = Vec::new();
        for order in &self.orders {
            groups.extend(order.iter().cloned());
            groups.extend((0..order.len()).map(|bit| order.iter().map(|row| row[bit]).collect()));
        }
        groups
    }
}

fn constant(value: bool) -> Lit {
    if value { Lit::TRUE } else { Lit::FALSE }
}

/// The graph that all circuits are made in.
struct Composer<'m> {
    matching: &'m Matching,
    shape: Shape<'m>,
    aig: Aig,
}

impl<'m> Composer<'m> {
    fn new(matching: &'m Matching, leaves: u32) -> Composer<'m> {
        let shape = Shape::new(&matching.template.terms, Vec::new());
        Composer { matching, shape, aig: Aig::new(leaves) }
    }

    /// Whether the outputs are those of the template, for literals of all inputs.
    fn holds(&mut self, selection: &Selection, inputs: &[Lit]) -> Result<Lit, String> {
        let mut all = Vec::new();
        for case in &self.matching.template.cases {
            all.push(self.case(case, selection, inputs)?);
        }
        Ok(self.aig.all(all))
    }

    fn case(&mut self, case: &Case, selection: &Selection, inputs: &[Lit]) -> Result<Lit, String> {
        let template = &self.matching.template;
        let mut own = inputs.to_vec();
        if let Some(value) = case.value {
            for (&input, &lit) in template.control.iter().zip(&selection.settings[value]) {
                own[input] = lit;
            }
        }
        let found = self.outputs(&own);
        let listed: Vec<Lit> = template.outputs.iter().map(|&output| found[output]).collect();
        let found = match case.order {
            Some(order) => self.ordered(&selection.orders[order], &listed),
            None => listed,
        };
        let wanted = self.wanted(case, selection, &own)?;
        let same: Vec<Lit> =
            found.iter().zip(&wanted).map(|(&a, &b)| !self.aig.xor(a, b)).collect();
        if self.aig.len() > MAX_GATES {
            return Err(TOO_LARGE.to_owned());
        }
        Ok(self.aig.all(same))
    }

    /// The bits of a case's function, for literals of the circuit's inputs.
    fn wanted(
        &mut self,
        case: &Case,
        selection: &Selection,
        own: &[Lit],
    ) -> Result<Vec<Lit>, String> {
        let template = &self.matching.template;
        let mut blaster = Blaster::new(&template.terms, &self.shape, 0);
        std::mem::swap(&mut blaster.aig, &mut self.aig);
        let wanted = (|| {
            for word in &template.words {
                let bits: Vec<Lit> = word.bits.iter().map(|&input| own[input]).collect();
                blaster.set(word.variable, &bits);
            }
            for (permutation, order) in template.permutations.iter().zip(&selection.orders) {
                for &(word, variable) in &permutation.uses {
                    let bits: Vec<Lit> =
                        template.words[word].bits.iter().map(|&input| own[input]).collect();
                    let bits = ordered(&mut blaster.aig, order, &bits);
                    blaster.set(variable, &bits);
                }
            }
            blaster.translate(&template.terms.subterms(&[case.function]))?;
            let bits = blaster.bits(case.function).ok_or("a function has no bits")?;
            Ok::<Vec<Lit>, String>(bits.to_vec())
        })();
        std::mem::swap(&mut blaster.aig, &mut self.aig);
        wanted
    }

    /// The circuit's outputs for literals of its inputs.
    fn outputs(&mut self, inputs: &[Lit]) -> Vec<Lit> {
        let circuit = &self.matching.circuit;
        let mut literals = Vec::with_capacity(circuit.max_var() as usize + 1);
        literals.push(Lit::FALSE);
        literals.extend(inputs);
        let of = |literals: &[Lit], lit: Lit| literals[lit.var() as usize].xor(lit.is_negated());
        for gate in &circuit.ands {
            let (left, right) = (of(&literals, gate.left), of(&literals, gate.right));
            literals.push(self.aig.and(left, right));
        }
        circuit.outputs.iter().map(|&output| of(&literals, output)).collect()
    }

    fn ordered(&mut self, order: &[Vec<Lit>], bits: &[Lit]) -> Vec<Lit> {
        ordered(&mut self.aig, order, bits)
    }

    /// Whether each row and each column of the orders has exactly one true literal.
    fn is_order(&mut self, selection: &Selection) -> Result<Lit, String> {
        let mut all = Vec::new();
        for group in selection.groups() {
            all.push(self.aig.any(group.iter().copied()));
            for (place, &first) in group.iter().enumerate() {
                for &second in &group[place + 1..] {
                    all.push(!self.aig.and(first, second));
                }
            }
            if self.aig.len() > MAX_GATES {
                return Err(TOO_LARGE.to_owned());
            }
        }
        Ok(self.aig.all(all))
    }

    /// Whether a selection is this solution.
    fn is(&mut self, selection: &Selection, solution: &Solution) -> Lit {
        let mut all = Vec::new();
        for (order, bits) in selection.orders.iter().zip(&solution.orders) {
            all.extend(order.iter().zip(bits).map(|(row, &bit)| row[bit]));
        }
        for (setting, bits) in selection.settings.iter().zip(&solution.settings) {
            all.extend(setting.iter().zip(bits).map(|(lit, &bit)| lit.xor(!bit)));
        }
        self.aig.all(all)
    }

    /// A circuit over the first so many variables with one property.
    fn circuit(self, inputs: u32, bad: Lit) -> Circuit {
        Circuit { inputs, ands: self.aig.into_ands(), bads: vec![bad], ..Circuit::default() }
    }
}

/// The bits of a word at the positions of an order.
fn ordered(aig: &mut Aig, order: &[Vec<Lit>], bits: &[Lit]) -> Vec<Lit> {
    let at = |row: &Vec<Lit>| {
        let chosen: Vec<Lit> = row.iter().zip(bits).map(|(&is, &bit)| aig.and(is, bit)).collect();
        aig.any(chosen)
    };
    order.iter().map(at).collect()
}

/// The circuit that is bad where the given one, with the settings of a solution, is not the template in the
/// solution's orders. Its inputs are those of the given circuit.
pub fn specialised(matching: &Matching, solution: &Solution) -> Result<Circuit, String> {
    matching.validate()?;
    if !matching.fits(solution) {
        return Err("the solution does not fit the template".to_owned());
    }
    let inputs = matching.circuit.inputs;
    let mut composer = Composer::new(matching, inputs);
    let lits: Vec<Lit> = (1..=inputs).map(|var| Lit::new(var, false)).collect();
    let holds = composer.holds(&Selection::constant(solution), &lits)?;
    Ok(composer.circuit(inputs, !holds))
}

/// The circuit whose inputs are a solution (`Selection::variables`), and which is bad where the solution is one of the template,
/// is none of those listed, and is right for the given inputs of the circuit.
pub fn exclusion(
    matching: &Matching,
    vectors: &[Vec<bool>],
    solutions: &[Solution],
) -> Result<Circuit, String> {
    matching.validate()?;
    if !solutions.iter().all(|solution| matching.fits(solution)) {
        return Err("a solution does not fit the template".to_owned());
    }
    let (selection, inputs) = Selection::variables(&matching.template, 0);
    let mut composer = Composer::new(matching, inputs);
    let mut all = vec![composer.is_order(&selection)?];
    for solution in solutions {
        all.push(!composer.is(&selection, solution));
    }
    for vector in vectors {
        if vector.len() != matching.circuit.inputs as usize {
            return Err("a vector has not one value for each input".to_owned());
        }
        let lits: Vec<Lit> = vector.iter().map(|&bit| constant(bit)).collect();
        all.push(composer.holds(&selection, &lits)?);
    }
    let bad = composer.aig.all(all);
    Ok(composer.circuit(inputs, bad))
}

/// The functions of the cases with all words as they are listed: a circuit with the inputs of the given one, and the bits
/// of one function after the other as outputs.
pub fn functions(matching: &Matching) -> Result<Circuit, String> {
    matching.validate()?;
    let inputs = matching.circuit.inputs;
    let mut composer = Composer::new(matching, inputs);
    let lits: Vec<Lit> = (1..=inputs).map(|var| Lit::new(var, false)).collect();
    let template = &matching.template;
    let listed = Solution {
        orders: template.permutations.iter().map(|own| (0..own.width).collect()).collect(),
        settings: template.values.iter().map(|_| vec![false; template.control.len()]).collect(),
    };
    let mut outputs = Vec::new();
    for case in &template.cases {
        outputs.extend(composer.wanted(case, &Selection::constant(&listed), &lits)?);
    }
    Ok(Circuit { outputs, ..composer.circuit(inputs, Lit::FALSE) })
}

/// The circuit whose inputs are those of the given one and then a solution, and whose property is violated
/// where the solution is right for the inputs.
pub fn matrix(matching: &Matching) -> Result<(Circuit, Selection), String> {
    matching.validate()?;
    let inputs = matching.circuit.inputs;
    let (selection, leaves) = Selection::variables(&matching.template, inputs);
    let mut composer = Composer::new(matching, leaves);
    let lits: Vec<Lit> = (1..=inputs).map(|var| Lit::new(var, false)).collect();
    let holds = composer.holds(&selection, &lits)?;
    Ok((composer.circuit(leaves, holds), selection))
}
