//! Signatures: how many outputs an input matters to, and how many inputs an output rests on.
//!
//! An output depends on an input if there are values of the others for which it changes with it. Under a match, what the
//! template depends on the circuit depends on; so a bit of the circuit cannot stand at a position that more
//! outputs of the template depend on than outputs of the circuit depend on the bit. Likewise for outputs.
//!
//! Values at random show most dependences, the structure excludes most others, and a solver is asked about the rest. What
//! it does not find out in time counts as a dependence of the circuit, and as none of the template, so that
//! nothing is excluded wrongly; it could only be missed.

use super::{term, terms_of};
use alphorn_engine::{Rng, Stop};
use alphorn_problem::circuit::{Circuit, Lit};
use alphorn_problem::matching::{Matching, Template};
use alphorn_problem::obligation::matching::functions;
use alphorn_smt::{Answer, Budget, Smt};
use alphorn_term::{Store, Substitution, TermId};

/// How many values at random an input is looked at with, in words of 64.
const SAMPLES: usize = 8;
/// The most conflicts for one question, and the most questions.
const MAX_CONFLICTS: u64 = 2000;
const MAX_QUESTIONS: usize = 4000;

/// Whether an output depends on an input, by output and input.
type Dependence = Vec<Vec<Option<bool>>>;

/// What cannot be: a permutation, a position and a bit.
pub(super) fn excluded(matching: &Matching) -> Result<Vec<(usize, usize, usize)>, Stop> {
    let template = &matching.template;
    if !is_separate(template) {
        return Ok(Vec::new());
    }
    let circuit = &matching.circuit;
    let listed: Vec<Lit> = template.outputs.iter().map(|&output| circuit.outputs[output]).collect();
    let own = dependence(circuit, &listed);
    let made = functions(matching).map_err(Stop::Stuck)?;
    let wanted = dependence(&made, &made.outputs);
    let width = listed.len();
    // By output of the template and input, over all cases.
    let is_wanted = |output: usize, input: usize| {
        (0..template.cases.len()).any(|case| wanted[case * width + output][input] == Some(true))
    };
    let mut found = Vec::new();
    for (place, permutation) in template.permutations.iter().enumerate() {
        for &(word, _) in &permutation.uses {
            let bits = &template.words[word].bits;
            for (position, &at) in bits.iter().enumerate() {
                let needs = (0..width).filter(|&output| is_wanted(output, at)).count();
                for (bit, &input) in bits.iter().enumerate() {
                    let has = own.iter().filter(|row| row[input] != Some(false)).count();
                    if needs > has {
                        found.push((place, position, bit));
                    }
                }
            }
        }
        if permutation.is_of_outputs {
            let inputs: Vec<usize> =
                template.words.iter().flat_map(|word| word.bits.iter().copied()).collect();
            for position in 0..width {
                let needs = inputs.iter().filter(|&&input| is_wanted(position, input)).count();
                for (bit, row) in own.iter().enumerate() {
                    let has = inputs.iter().filter(|&&input| row[input] != Some(false)).count();
                    if needs > has {
                        found.push((place, position, bit));
                    }
                }
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// Whether each word stands in one order only, and all cases have the outputs in one: otherwise
/// positions of the template do not belong to different bits.
fn is_separate(template: &Template) -> bool {
    let orders = |word: usize| {
        let uses = template.permutations.iter().flat_map(|own| &own.uses);
        uses.filter(|(of, _)| *of == word).count()
    };
    let roots: Vec<TermId> = template.cases.iter().map(|case| case.function).collect();
    let terms = template.terms.subterms(&roots);
    let is_single = |(place, word): (usize, &alphorn_problem::matching::Group)| {
        orders(place) + usize::from(terms.contains(&word.variable)) <= 1
    };
    template.words.iter().enumerate().all(is_single)
        && template.cases.windows(2).all(|pair| pair[0].order == pair[1].order)
}

/// Which outputs depend on which inputs of a circuit without latches.
fn dependence(circuit: &Circuit, outputs: &[Lit]) -> Dependence {
    let inputs = circuit.inputs as usize;
    let mut found: Dependence = vec![vec![None; inputs]; outputs.len()];
    for input in 0..inputs {
        let cone = influenced(circuit, input);
        for (row, output) in found.iter_mut().zip(outputs) {
            if !cone[output.var() as usize] {
                row[input] = Some(false);
            }
        }
    }
    sample(circuit, outputs, &mut found);
    ask(circuit, outputs, &mut found);
    found
}

/// The variables that an input may matter to, by the structure.
fn influenced(circuit: &Circuit, input: usize) -> Vec<bool> {
    let mut cone = vec![false; circuit.max_var() as usize + 1];
    cone[input + 1] = true;
    let first = 1 + circuit.inputs as usize;
    for (place, gate) in circuit.ands.iter().enumerate() {
        cone[first + place] = cone[gate.left.var() as usize] || cone[gate.right.var() as usize];
    }
    cone
}

/// Looks for dependences with values at random.
fn sample(circuit: &Circuit, outputs: &[Lit], found: &mut Dependence) {
    let mut rng = Rng::new(1);
    for _ in 0..SAMPLES {
        let values: Vec<u64> = (0..circuit.inputs).map(|_| rng.next_u64()).collect();
        let before = simulate(circuit, &values);
        for input in 0..values.len() {
            if found.iter().all(|row| row[input].is_some()) {
                continue;
            }
            let mut values = values.clone();
            values[input] = !values[input];
            let after = simulate(circuit, &values);
            for (row, output) in found.iter_mut().zip(outputs) {
                let var = output.var() as usize;
                if before[var] != after[var] {
                    row[input] = Some(true);
                }
            }
        }
    }
}

fn simulate(circuit: &Circuit, inputs: &[u64]) -> Vec<u64> {
    let mut values = vec![0];
    values.extend(inputs);
    for gate in &circuit.ands {
        let [left, right] = [gate.left, gate.right].map(|lit| {
            let value = values[lit.var() as usize];
            if lit.is_negated() { !value } else { value }
        });
        values.push(left & right);
    }
    values
}

/// Asks a solver about what is left.
fn ask(circuit: &Circuit, outputs: &[Lit], found: &mut Dependence) {
    let mut store = Store::new();
    let terms = terms_of(&mut store, circuit);
    let mut questions = 0;
    for (row, output) in found.iter_mut().zip(outputs) {
        let own = term(&mut store, &terms, *output);
        for (input, known) in row.iter_mut().enumerate() {
            if known.is_some() || questions >= MAX_QUESTIONS {
                continue;
            }
            questions += 1;
            let sides = [TermId::FALSE, TermId::TRUE].map(|value| {
                let map = Substitution::from_iter([(terms[1 + input], value)]);
                store.substitute(own, &map)
            });
            let same = store.eq(sides[0], sides[1]);
            let differ = store.not(same);
            let mut smt = Smt::default();
            smt.set_budget(Budget { conflicts: Some(MAX_CONFLICTS), ..Budget::default() });
            smt.assert(&mut store, differ);
            *known = match smt.check(&mut store, &[]) {
                Answer::Sat => Some(true),
                Answer::Unsat => Some(false),
                Answer::Unknown => None,
            };
        }
    }
}
