//! Writes the CNF that says whether a circuit is bad after a number of steps.
//!
//! Usage: `unroll FILE.aig DEPTH [PROPERTY]`, CNF on standard output. Gates are encoded where the
//! cone of the property at the last step needs them, both polarities.

use std::process::exit;

use alphorn_problem::circuit::{Circuit, Lit as Bit};
use alphorn_sat::{Cnf, Lit, Var, write_dimacs};

/// Encodes bits of the circuit at steps on demand.
struct Unroller<'a> {
    circuit: &'a Circuit,
    cnf: Cnf,
    /// For each step the literal of each variable, once encoded.
    frames: Vec<Vec<Option<Lit>>>,
    truth: Lit,
}

impl Unroller<'_> {
    fn fresh(&mut self) -> Lit {
        self.cnf.variables += 1;
        Var(self.cnf.variables - 1).positive()
    }

    /// The literal of a bit at a step; a stack instead of recursion, because cones are deep.
    fn encode(&mut self, bit: Bit, step: usize) -> Lit {
        let first_latch = self.circuit.inputs + 1;
        let first_gate = first_latch + self.circuit.latches.len() as u32;
        let mut stack = vec![(bit.var(), step)];
        while let Some(&(var, step)) = stack.last() {
            if self.frames[step][var as usize].is_some() {
                stack.pop();
                continue;
            }
            let lit = if var == 0 {
                !self.truth
            } else if var < first_latch {
                self.fresh()
            } else if var < first_gate {
                let index = (var - first_latch) as usize;
                let latch = self.circuit.latches[index];
                if step == 0 {
                    if latch.reset == self.circuit.latch(index) {
                        self.fresh()
                    } else if latch.reset.var() == 0 {
                        (!self.truth).xor(latch.reset.is_negated())
                    } else {
                        let Some(lit) = self.known(latch.reset, 0, &mut stack) else { continue };
                        lit
                    }
                } else {
                    let Some(lit) = self.known(latch.next, step - 1, &mut stack) else { continue };
                    lit
                }
            } else {
                let gate = self.circuit.ands[(var - first_gate) as usize];
                let (left, right) = (
                    self.known(gate.left, step, &mut stack),
                    self.known(gate.right, step, &mut stack),
                );
                let (Some(left), Some(right)) = (left, right) else { continue };
                self.conjunction(left, right)
            };
            self.frames[step][var as usize] = Some(lit);
            stack.pop();
        }
        self.known(bit, step, &mut Vec::new()).expect("the stack ends when the bit is encoded")
    }

    fn known(&self, bit: Bit, step: usize, stack: &mut Vec<(u32, usize)>) -> Option<Lit> {
        let known = self.frames[step][bit.var() as usize];
        if known.is_none() {
            stack.push((bit.var(), step));
        }
        known.map(|lit| lit.xor(bit.is_negated()))
    }

    fn conjunction(&mut self, left: Lit, right: Lit) -> Lit {
        if left == !self.truth || right == !self.truth || left == !right {
            return !self.truth;
        }
        if left == self.truth || left == right {
            return right;
        }
        if right == self.truth {
            return left;
        }
        let gate = self.fresh();
        self.cnf.clauses.extend([vec![!gate, left], vec![!gate, right], vec![gate, !left, !right]]);
        gate
    }
}

fn run() -> Result<(), String> {
    let words: Vec<String> = std::env::args().collect();
    let [_, path, depth, rest @ ..] = &words[..] else {
        return Err("usage: unroll FILE.aig DEPTH [PROPERTY]".into());
    };
    let depth: usize = depth.parse().map_err(|_| "the depth is a number")?;
    let property: usize =
        rest.first().map_or(Ok(0), |word| word.parse()).map_err(|_| "a property is a number")?;
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let circuit = alphorn_front::aiger::read(&bytes).0.ok_or("the file is not AIGER")?;
    let truth = Var(0).positive();
    let mut unroller = Unroller {
        circuit: &circuit,
        cnf: Cnf { variables: 1, clauses: vec![vec![truth]] },
        frames: vec![vec![None; circuit.max_var() as usize + 1]; depth + 1],
        truth,
    };
    let bad = *circuit.safety().get(property).ok_or("there is no such property")?;
    for step in 0..=depth {
        for constraint in &circuit.constraints {
            let lit = unroller.encode(*constraint, step);
            unroller.cnf.clauses.push(vec![lit]);
        }
    }
    let goal = unroller.encode(bad, depth);
    unroller.cnf.clauses.push(vec![goal]);
    print!("{}", write_dimacs(&unroller.cnf));
    Ok(())
}

fn main() {
    if let Err(message) = run() {
        eprintln!("{message}");
        exit(4);
    }
}
