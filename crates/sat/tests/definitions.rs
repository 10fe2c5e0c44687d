//! Queries that end when the assignment is justified, against queries that assign everything.
//!
//! Random circuits with lemmas in groups and permanent clauses are asked random questions in the cone
//! of what they mention. The answers must be those of a solver without domain and definitions, and
//! a model must extend, whatever values the open leaves are given.

use alphorn_sat::{Answer, Lit, Options, Solver, Var};
use alphorn_testkit::Rng;
use alphorn_testkit::cnf::random::clause;

const LEAVES: u32 = 12;
const GATES: u32 = 60;

struct Circuit {
    /// The inputs of gate `LEAVES + index`, and whether it is an exclusive or and not a conjunction.
    gates: Vec<([Lit; 2], bool)>,
}

/// The clauses that define an exclusive or.
fn xor_clauses(gate: Var, [left, right]: [Lit; 2]) -> Vec<Vec<Lit>> {
    let out = gate.positive();
    vec![
        vec![!out, left, right],
        vec![!out, !left, !right],
        vec![out, !left, right],
        vec![out, left, !right],
    ]
}

impl Circuit {
    fn random(random: &mut Rng) -> Circuit {
        let mut gates = Vec::new();
        for index in 0..GATES {
            let mut input = || Var(random.below(LEAVES + index)).lit(random.one_in(2));
            let inputs = [input(), input()];
            gates.push((inputs, random.one_in(3)));
        }
        Circuit { gates }
    }

    fn cone(&self, roots: &[Lit]) -> Vec<Var> {
        let mut inside = vec![false; (LEAVES + GATES) as usize];
        roots.iter().for_each(|root| inside[root.var().index()] = true);
        for index in (0..self.gates.len()).rev() {
            if inside[LEAVES as usize + index] {
                self.gates[index].0.iter().for_each(|input| inside[input.var().index()] = true);
            }
        }
        (0..LEAVES + GATES).map(Var).filter(|var| inside[var.index()]).collect()
    }

    /// The values of all variables if the leaves have these.
    fn evaluate(&self, leaves: &[bool]) -> Vec<bool> {
        let mut values = leaves.to_vec();
        for ([left, right], is_xor) in &self.gates {
            let (left, right) = (holds(&values, *left), holds(&values, *right));
            values.push(if *is_xor { left ^ right } else { left && right });
        }
        values
    }
}

fn holds(values: &[bool], lit: Lit) -> bool {
    values[lit.var().index()] != lit.is_negated()
}

/// Two solvers for a circuit: one that has its clauses, and one that is told that they define gates.
fn solvers(circuit: &Circuit) -> [Solver; 2] {
    let mut plain = Solver::new(Options { inprocess: 0, ..Options::default() });
    let mut told =
        Solver::new(Options { reduce_interval: 5, reduce_between: 4, ..Options::default() });
    for _ in 0..LEAVES + GATES {
        plain.new_var();
        told.new_var();
    }
    for (gate, (inputs, is_xor)) in (LEAVES..).map(Var).zip(circuit.gates.iter().copied()) {
        let [left, right] = inputs;
        if is_xor {
            let clauses = xor_clauses(gate, inputs);
            told.define(gate, &clauses);
            clauses.iter().for_each(|clause| plain.add_clause(clause));
            continue;
        }
        told.define_and(gate, left, right);
        plain.add_clause(&[gate.negative(), left]);
        plain.add_clause(&[gate.negative(), right]);
        plain.add_clause(&[gate.positive(), !left, !right]);
    }
    [plain, told]
}

/// Counts of answers `Sat` and `Unsat`, and of leaves left open.
fn play(seed: u64) -> [u32; 3] {
    let mut random = Rng::new(seed);
    let circuit = Circuit::random(&mut random);
    let mut counts = [0; 3];
    let [mut plain, mut told] = solvers(&circuit);
    let mut groups = [told.new_group(), told.new_group()];
    let mut others = [plain.new_group(), plain.new_group()];
    let mut stated: Vec<(Option<usize>, Vec<Lit>)> = Vec::new();
    let mut superfluous: Vec<(usize, Vec<Lit>)> = Vec::new();
    for _ in 0..150 {
        match random.below(12) {
            0 => {
                let vars = if random.one_in(4) { LEAVES + GATES } else { LEAVES };
                let size = 1 + random.below(4);
                let clause = clause(&mut random, vars, size);
                told.keep_in_domain(&circuit.cone(&clause));
                told.add_clause(&clause);
                plain.add_clause(&clause);
                stated.push((None, clause));
            }
            1..=3 => {
                let index = random.below(2) as usize;
                let clause = clause(&mut random, LEAVES, 3);
                told.keep_in_domain(&circuit.cone(&clause));
                told.add_to_group(groups[index], &clause);
                plain.add_to_group(others[index], &clause);
                // A clause that follows from the other one comes and, some time later, goes.
                let mut weak = clause.clone();
                weak.push(Var(random.below(LEAVES)).lit(random.one_in(2)));
                told.keep_in_domain(&circuit.cone(&weak));
                told.add_to_group(groups[index], &weak);
                superfluous.push((index, weak));
                if let Some((index, weak)) = superfluous.pop_if(|_| random.one_in(2)) {
                    told.remove_from_group(groups[index], &weak);
                }
                stated.push((Some(index), clause));
            }
            4 => {
                let index = random.below(2) as usize;
                told.release_group(groups[index]);
                plain.release_group(others[index]);
                (groups[index], others[index]) = (told.new_group(), plain.new_group());
                stated.retain(|(group, _)| *group != Some(index));
                superfluous.retain(|(group, _)| *group != index);
            }
            _ => {
                let size = 1 + random.below(4);
                let lits = clause(&mut random, LEAVES + GATES, size);
                let size = 1 + random.below(3);
                let clause = clause(&mut random, LEAVES + GATES, size);
                let active: Vec<usize> = (0..2).filter(|_| random.one_in(2)).collect();
                if random.one_in(3) {
                    let roots: Vec<Lit> = lits.iter().chain(&clause).copied().collect();
                    told.set_domain(&circuit.cone(&roots));
                } else {
                    let all: Vec<Var> = (0..LEAVES + GATES).map(Var).collect();
                    told.set_domain(&all);
                }
                let assume = |lits: &[Lit], groups: &[alphorn_sat::Group]| -> Vec<Lit> {
                    active.iter().map(|index| groups[*index].lit()).chain(lits.to_vec()).collect()
                };
                let answer = told.solve_with_clause(&assume(&lits, &groups), &clause);
                let expected = plain.solve_with_clause(&assume(&lits, &others), &clause);
                assert_eq!(answer, expected, "seed {seed}");
                if answer == Answer::Unsat {
                    counts[1] += 1;
                    continue;
                }
                counts[0] += 1;
                let known: Vec<Option<bool>> =
                    (0..LEAVES + GATES).map(|var| told.value(Var(var).positive())).collect();
                let leaves: Vec<bool> = known[..LEAVES as usize]
                    .iter()
                    .map(|value| value.unwrap_or_else(|| random.one_in(2)))
                    .collect();
                counts[2] += known[..LEAVES as usize].iter().filter(|v| v.is_none()).count() as u32;
                let values = circuit.evaluate(&leaves);
                assert!(lits.iter().all(|lit| holds(&values, *lit)), "seed {seed}");
                assert!(clause.iter().any(|lit| holds(&values, *lit)), "seed {seed}");
                for (group, clause) in &stated {
                    if group.is_none_or(|index| active.contains(&index)) {
                        assert!(clause.iter().any(|lit| holds(&values, *lit)), "seed {seed}");
                    }
                }
            }
        }
    }
    counts
}

#[test]
fn justified_assignments_extend_whatever_the_open_leaves_are() {
    let mut counts = [0; 3];
    for seed in 0..400 {
        let more = play(seed);
        counts.iter_mut().zip(more).for_each(|(count, more)| *count += more);
    }
    let [sat, unsat, open] = counts;
    assert!(sat > 5_000 && unsat > 1_000 && open > 5_000, "{counts:?}");
}
