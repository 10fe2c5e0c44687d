//! A circuit as clauses, one set of them per gate, with fewer gates than the circuit.
//!
//! Each gate owns the clauses that define it from its inputs. A gate that nobody asks about by name is
//! resolved away where that takes no more clauses than before: its users are then defined from its
//! inputs. So conjunctions of many literals, exclusive ors and if-then-elses come out as single gates,
//! and whoever walks along definitions walks a shorter way.
//!
//! Invariant: for all values of a gate's inputs, exactly one value of the gate satisfies its clauses;
//! inputs have smaller variables than the gate.
//!
//! Elimination by resolution after Eén, Biere (SAT 2005); on definitions, after rIC3 (Su, Yang, Ci, Bu,
//! CAV 2025).

use crate::ask::same;
use crate::settings::{IC3_LONGEST_CLAUSE, IC3_MAX_USERS, IC3_PASSES};
use alphorn_problem::Circuit;
use alphorn_sat::{Lit, Var};

/// The clauses that define gates, by variable.
pub(super) struct Dag {
    clauses: Vec<Vec<Vec<Lit>>>,
    /// All inputs of all gates, those of each gate together.
    inputs: Vec<u32>,
    /// By variable, where its inputs begin; one more at the end.
    starts: Vec<u32>,
}

impl Dag {
    /// The definitions of a circuit's gates, without those that can be resolved away; what next
    /// functions, resets, properties, constraints and others name stays.
    pub(super) fn new(circuit: &Circuit, named: impl Iterator<Item = Lit>) -> Dag {
        let mut builder = Builder::new(circuit);
        builder.eliminate(circuit, named);
        let mut dag = Dag { clauses: builder.clauses, inputs: Vec::new(), starts: vec![0] };
        for (gate, clauses) in dag.clauses.iter_mut().enumerate() {
            dag.inputs.extend(inputs_of(clauses, gate));
            dag.starts.push(dag.inputs.len() as u32);
            for clause in clauses {
                clause.sort_unstable_by_key(|lit| lit.var().index() != gate);
            }
        }
        dag
    }

    /// The clauses that define a variable, its own literal first; none for inputs, latches and what was
    /// resolved away.
    pub(super) fn clauses(&self, var: Var) -> &[Vec<Lit>] {
        &self.clauses[var.index()]
    }

    /// The variables by which a variable is defined.
    #[inline]
    pub(super) fn inputs(&self, var: u32) -> &[u32] {
        let at = var as usize;
        &self.inputs[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// The variables that are defined, ascending.
    pub(super) fn gates(&self) -> impl Iterator<Item = Var> {
        let is_gate = |(_, clauses): &(usize, &Vec<Vec<Lit>>)| !clauses.is_empty();
        self.clauses.iter().enumerate().filter(is_gate).map(|(index, _)| Var(index as u32))
    }

    /// How many variables there are, defined or not.
    pub(super) fn variables(&self) -> usize {
        self.clauses.len()
    }
}

/// The variables of clauses other than the one that they define, ascending.
fn inputs_of(clauses: &[Vec<Lit>], gate: usize) -> Vec<u32> {
    let vars = clauses.iter().flatten().map(|lit| lit.var().0);
    let mut inputs: Vec<u32> = vars.filter(|var| *var as usize != gate).collect();
    inputs.sort_unstable();
    inputs.dedup();
    inputs
}

struct Builder {
    clauses: Vec<Vec<Vec<Lit>>>,
    /// By variable: the gates whose clauses contain it.
    users: Vec<Vec<u32>>,
}

impl Builder {
    fn new(circuit: &Circuit) -> Builder {
        let count = circuit.max_var() as usize + 1;
        let mut builder =
            Builder { clauses: vec![Vec::new(); count], users: vec![Vec::new(); count] };
        for (index, gate) in circuit.ands.iter().enumerate() {
            let out = same(circuit.gate(index));
            let (left, right) = (same(gate.left), same(gate.right));
            let mut clauses = vec![sorted(vec![!out, left])];
            if left != right {
                clauses.push(sorted(vec![!out, right]));
            }
            if left != !right {
                clauses.push(sorted(vec![out, !left, !right]));
            }
            builder.clauses[out.var().index()] = clauses;
            for input in [left.var(), right.var()] {
                let users = &mut builder.users[input.index()];
                if users.last() != Some(&out.var().0) {
                    users.push(out.var().0);
                }
            }
        }
        builder
    }

    fn eliminate(&mut self, circuit: &Circuit, named: impl Iterator<Item = Lit>) {
        let mut is_named = vec![false; self.clauses.len()];
        let latches = circuit.latches.iter().flat_map(|latch| [latch.next, latch.reset]);
        let roots = latches.chain(circuit.constraints.iter().copied());
        for lit in roots.chain(circuit.safety().first().copied()) {
            is_named[lit.var() as usize] = true;
        }
        for lit in named {
            is_named[lit.var().index()] = true;
        }
        let first_gate = self.clauses.len() - circuit.ands.len();
        for _ in 0..IC3_PASSES.size() {
            let mut changed = false;
            for (gate, is_named) in is_named.iter().enumerate().skip(first_gate) {
                if !is_named && !self.clauses[gate].is_empty() {
                    changed |= self.try_eliminate(Var(gate as u32));
                }
            }
            if !changed {
                break;
            }
        }
    }

    /// Resolves a gate away if that takes no more clauses than before.
    fn try_eliminate(&mut self, gate: Var) -> bool {
        if self.users[gate.index()].len() > IC3_MAX_USERS.size() {
            return false;
        }
        let users = self.users[gate.index()].clone();
        let mut budget = self.clauses[gate.index()].len();
        let mut replaced = Vec::with_capacity(users.len());
        for user in &users {
            let Some(clauses) = self.resolved(*user as usize, gate, &mut budget) else {
                return false;
            };
            replaced.push(clauses);
        }
        for (user, clauses) in users.iter().zip(replaced) {
            self.clauses[*user as usize] = clauses;
        }
        let clauses = std::mem::take(&mut self.clauses[gate.index()]);
        for input in inputs_of(&clauses, gate.index()) {
            let list = &mut self.users[input as usize];
            list.retain(|user| *user != gate.0);
            for user in &users {
                let is_used = self.clauses[*user as usize].iter().flatten();
                if is_used.clone().any(|lit| lit.var().0 == input) {
                    if !list.contains(user) {
                        list.push(*user);
                    }
                } else {
                    list.retain(|other| other != user);
                }
            }
        }
        self.users[gate.index()].clear();
        true
    }

    /// The clauses of a user without the gate, if they exceed those with it by no more than the
    /// budget, which is charged.
    fn resolved(&self, user: usize, gate: Var, budget: &mut usize) -> Option<Vec<Vec<Lit>>> {
        let before = &self.clauses[user];
        let mentions = |clause: &&Vec<Lit>| clause.iter().any(|lit| lit.var() == gate);
        let mut after: Vec<Vec<Lit>> = before.iter().filter(|c| !mentions(c)).cloned().collect();
        let most = before.len() + *budget;
        for clause in before.iter().filter(mentions) {
            for definition in &self.clauses[gate.index()] {
                let Some(resolvent) = resolvent(clause, definition, gate) else { continue };
                if resolvent.len() > IC3_LONGEST_CLAUSE.size() {
                    return None;
                }
                if after.iter().any(|other| is_part(other, &resolvent)) {
                    continue;
                }
                after.retain(|other| !is_part(&resolvent, other));
                after.push(resolvent);
                if after.len() > most {
                    return None;
                }
            }
        }
        *budget = most - after.len();
        Some(after)
    }
}

fn sorted(mut clause: Vec<Lit>) -> Vec<Lit> {
    clause.sort_unstable();
    clause.dedup();
    clause
}

/// Whether all literals of a sorted clause are in another.
fn is_part(clause: &[Lit], of: &[Lit]) -> bool {
    clause.len() <= of.len() && clause.iter().all(|lit| of.binary_search(lit).is_ok())
}

/// What follows from two clauses without a variable; nothing if they agree on it, or if it says nothing.
fn resolvent(left: &[Lit], right: &[Lit], var: Var) -> Option<Vec<Lit>> {
    let lit = *left.iter().find(|lit| lit.var() == var)?;
    if !right.contains(&!lit) {
        return None;
    }
    let rest = left.iter().chain(right).copied().filter(|other| other.var() != var);
    let clause = sorted(rest.collect());
    let says_nothing = clause.windows(2).any(|pair| pair[0] == !pair[1]);
    (!says_nothing).then_some(clause)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alphorn_engine::Rng;
    use alphorn_problem::circuit::{self, And, Latch};

    /// A circuit of two latches that two given literals feed.
    fn circuit(inputs: u32, gates: &[[u32; 2]], roots: [u32; 2]) -> Circuit {
        let latch = |code| Latch { next: circuit::Lit(code), reset: circuit::Lit(0) };
        let and = |[left, right]: &[u32; 2]| And {
            left: circuit::Lit(*left),
            right: circuit::Lit(*right),
        };
        Circuit {
            inputs,
            latches: roots.map(latch).to_vec(),
            ands: gates.iter().map(and).collect(),
            bads: vec![circuit::Lit(0)],
            ..Circuit::default()
        }
    }

    #[test]
    fn an_exclusive_or_is_one_gate() {
        // Variables 1 and 2 are inputs, 3 and 4 latches; 7 is the exclusive or of the inputs.
        let circuit = circuit(2, &[[4, 2], [5, 3], [11, 13]], [14, 0]);
        let dag = Dag::new(&circuit, std::iter::empty());
        assert_eq!(dag.gates().collect::<Vec<_>>(), [Var(7)]);
        assert_eq!(dag.inputs(7), [1, 2]);
        assert_eq!(dag.clauses(Var(7)).len(), 4);
        assert!(dag.clauses(Var(7)).iter().all(|clause| clause.len() == 3));
    }

    #[test]
    fn definitions_say_what_the_gates_say() {
        let mut rng = Rng::new(3);
        let mut eliminated = 0;
        for _ in 0..300 {
            let inputs = 4;
            let count = 1 + rng.below(20);
            let gates: Vec<[u32; 2]> = (0..count)
                .map(|index| [(); 2].map(|()| rng.below(2 * (7 + index)) as u32))
                .collect();
            let roots = [(); 2].map(|()| rng.below(2 * (7 + count)) as u32);
            let circuit = circuit(inputs, &gates, roots);
            let dag = Dag::new(&circuit, std::iter::empty());
            eliminated += gates.len() - dag.gates().count();
            for pattern in 0..64u32 {
                let mut values = vec![false];
                values.extend((0..6).map(|bit| pattern >> bit & 1 == 1));
                for [left, right] in &gates {
                    let value = |code: &u32| values[*code as usize / 2] ^ (code & 1 == 1);
                    values.push(value(left) && value(right));
                }
                let is_true = |lit: &Lit| values[lit.var().index()] ^ lit.is_negated();
                for gate in dag.gates() {
                    let clauses = dag.clauses(gate);
                    assert!(clauses.iter().all(|clause| clause.iter().any(is_true)));
                    // With the other value, some clause is false.
                    let flipped = |lit: &Lit| is_true(lit) ^ (lit.var() == gate);
                    assert!(!clauses.iter().all(|clause| clause.iter().any(flipped)));
                    assert!(dag.inputs(gate.0).iter().all(|input| *input < gate.0));
                }
            }
        }
        assert!(eliminated > 300, "{eliminated}");
    }
}
