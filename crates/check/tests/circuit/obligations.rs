//! Obligations: satisfiable exactly where the implication they stand for fails.

use alphorn_problem::circuit::{And, Circuit, Latch, Lit};
use alphorn_problem::evidence::circuit::Invariant;
use alphorn_problem::obligation::circuit::{MAX_SIZE, Obligations};

use alphorn_testkit::Rng;
use alphorn_testkit::circuit::build::{and, circuit, counter};
use alphorn_testkit::circuit::oracle::{self, pairs, reachable};
use alphorn_testkit::circuit::random::{Size, circuit_of, lit};
use alphorn_testkit::cnf::prove::refutation;

/// Requires that the obligations of `invariant` are refutable exactly where the oracle says so;
/// whether all are.
#[track_caller]
fn agree(circuit: &Circuit, invariant: &Invariant) -> bool {
    let obligations = Obligations::new(circuit, 0, invariant).expect("a well-formed invariant");
    let expected = oracle::obligations(circuit, invariant);
    assert_eq!(obligations.count(), expected.len());
    for (index, &right) in expected.iter().enumerate() {
        let obligation = obligations.build(index).expect("a small obligation");
        for clause in obligation.cnf.clauses() {
            assert!(clause.is_sorted_by(|a, b| a.unsigned_abs() < b.unsigned_abs()));
            assert!(clause.iter().all(|lit| lit.unsigned_abs() <= obligation.cnf.variables()));
        }
        let refuted = refutation(obligation.cnf.clauses()).is_some();
        assert_eq!(refuted, right, "{} of {circuit:?} {invariant:?}", obligation.name);
    }
    expected.iter().all(|right| *right)
}

/// The clauses that exclude every state that is not reachable.
pub fn exact_clauses(circuit: &Circuit) -> Invariant {
    let reachable = reachable(&pairs(circuit));
    let excluded = (0..1 << circuit.latches.len()).filter(|state| !reachable.contains(state));
    let clause = |state: usize| {
        (0..circuit.latches.len()).map(|l| circuit.latch(l).xor(state >> l & 1 == 1)).collect()
    };
    Invariant::Clauses(excluded.map(clause).collect())
}

/// The same as a circuit.
pub fn exact_aig(problem: &Circuit) -> Invariant {
    let Invariant::Clauses(clauses) = exact_clauses(problem) else { unreachable!() };
    let mut aig = circuit(problem.latches.len() as u32, 0);
    let mut all = Lit::TRUE;
    for clause in clauses {
        let none = clause.iter().fold(Lit::TRUE, |none, lit| {
            let input = Lit::new(lit.var() - problem.inputs, lit.is_negated());
            and(&mut aig, none, !input)
        });
        all = and(&mut aig, all, !none);
    }
    aig.outputs.push(all);
    Invariant::Aig(Box::new(aig))
}

fn random_clauses(circuit: &Circuit, random: &mut Rng) -> Invariant {
    let latches = circuit.latches.len();
    let clauses = if latches == 0 { 0 } else { random.below(4) };
    let clause = |random: &mut Rng| {
        let width = random.below(4);
        (0..width).map(|_| circuit.latch(random.below(latches)).xor(random.one_in(2))).collect()
    };
    Invariant::Clauses((0..clauses).map(|_| clause(random)).collect())
}

fn random_aig(problem: &Circuit, random: &mut Rng) -> Invariant {
    let mut aig = circuit(problem.latches.len() as u32, 0);
    for _ in 0..random.below(8) {
        let max = aig.max_var();
        let (left, right) = (lit(random, max), lit(random, max));
        and(&mut aig, left, right);
    }
    aig.outputs.push(lit(random, aig.max_var()));
    Invariant::Aig(Box::new(aig))
}

#[test]
fn inductive_invariants() {
    let mut random = Rng::new(7);
    let mut right = [0; 4];
    for _ in 0..1000 {
        let circuit = circuit_of(&mut random, Size::SMALL);
        let invariants = [
            exact_clauses(&circuit),
            exact_aig(&circuit),
            random_clauses(&circuit, &mut random),
            random_aig(&circuit, &mut random),
        ];
        for (count, invariant) in right.iter_mut().zip(&invariants) {
            *count += usize::from(agree(&circuit, invariant));
        }
    }
    assert!(right.iter().all(|count| *count > 20), "{right:?} invariants suffice");
}

#[test]
fn induction() {
    let mut random = Rng::new(8);
    let mut right = [0; 8];
    for _ in 0..400 {
        let circuit = circuit_of(&mut random, Size::SMALL);
        for (case, count) in right.iter_mut().enumerate() {
            let invariant = Invariant::induction(case / 2, case % 2 == 1);
            *count += usize::from(agree(&circuit, &invariant));
        }
    }
    assert!(right.iter().all(|count| *count > 10), "{right:?} inductions suffice");
}

#[test]
fn induction_with_lemmas() {
    let mut random = Rng::new(10);
    let mut right = [0; 6];
    for _ in 0..400 {
        let circuit = circuit_of(&mut random, Size::SMALL);
        for (case, count) in right.iter_mut().enumerate() {
            let some = match random.one_in(2) {
                true => exact_clauses(&circuit),
                false => random_clauses(&circuit, &mut random),
            };
            let Invariant::Clauses(lemmas) = some else { unreachable!() };
            let invariant =
                Invariant::KInductive { k: case / 2, simple_path: case % 2 == 1, lemmas };
            *count += usize::from(agree(&circuit, &invariant));
        }
    }
    assert!(right.iter().all(|count| *count > 10), "{right:?} inductions suffice");
}

/// One latch whose reset is the input; bad where the latch is 1 and the input 0.
pub fn tied_reset() -> Circuit {
    let mut circuit = circuit(1, 1);
    let (input, latch) = (circuit.input(0), circuit.latch(0));
    circuit.latches[0] = Latch { next: latch, reset: input };
    let bad = and(&mut circuit, latch, !input);
    circuit.bads.push(bad);
    circuit
}

/// The example of PROOFS.md: the loop of the only violation begins in the first step.
#[test]
fn simple_paths_need_the_longer_base() {
    let circuit = tied_reset();
    assert_eq!(oracle::violation(&pairs(&circuit)).map(|run| run.len()), Some(2));
    let invariant = Invariant::induction(1, true);
    assert_eq!(oracle::obligations(&circuit, &invariant), [true, false, true]);
    assert!(!agree(&circuit, &invariant));
}

/// Latches that the property does not see must not make states different.
#[test]
fn simple_paths_differ_in_the_cone() {
    let mut circuit = circuit(0, 3);
    // Latch 0 goes to 1 from 1 alone and is bad at 1; latch 2 toggles and is never looked at.
    circuit.latches[2].next = !circuit.latch(2);
    circuit.bads.push(circuit.latch(0));
    circuit.latches[0].next = circuit.latch(0);
    assert!(agree(&circuit, &Invariant::induction(1, true)));
    // Latch 0 copies latch 1, which stays: two good steps lead to a bad one only by staying.
    circuit.latches[0].next = circuit.latch(1);
    assert!(!agree(&circuit, &Invariant::induction(1, false)));
    assert!(!agree(&circuit, &Invariant::induction(1, true)));
    assert!(agree(&circuit, &Invariant::induction(2, true)));
}

/// The numbering of PROOFS.md, spelled out.
#[test]
fn numbering_is_as_documented() {
    // Input 1 (outside of the cone), input 2, latch 3 with next gate 4 = 3 ∧ 2, bad 3.
    let mut circuit = circuit(2, 1);
    let gate = and(&mut circuit, Lit(6), Lit(4));
    circuit.latches[0].next = gate;
    circuit.bads.push(Lit(6));
    // The cone is 2, 3, 4, so step 0 has 2, 3, 4, step 1 has 5, 6, 7, and 8 is auxiliary.
    let clauses = Invariant::Clauses(vec![vec![Lit(7)]]);
    let obligations = Obligations::new(&circuit, 0, &clauses).expect("well formed");
    let cnf = |index| -> Vec<Vec<i32>> {
        let obligation = obligations.build(index).expect("small");
        obligation.cnf.clauses().map(<[i32]>::to_vec).collect()
    };
    let initiation: [&[i32]; 5] = [&[-1], &[1, -3], &[-1, 3], &[3, -8], &[8]];
    assert_eq!(cnf(0), initiation);
    let consecution: [&[i32]; 9] =
        [&[-1], &[4, -6], &[-4, 6], &[3, -4], &[2, -4], &[-2, -3, 4], &[-3], &[6, -8], &[8]];
    assert_eq!(cnf(1), consecution);
    let property: [&[i32]; 3] = [&[-1], &[3], &[-3]];
    assert_eq!(cnf(2), property);
    // The lemma has two obligations of its own and is then assumed in both steps.
    let lemmas = vec![vec![Lit(7)]];
    let induction = Invariant::KInductive { k: 1, simple_path: false, lemmas };
    let obligations = Obligations::new(&circuit, 0, &induction).expect("well formed");
    let cnf = |index| -> Vec<Vec<i32>> {
        let obligation = obligations.build(index).expect("small");
        obligation.cnf.clauses().map(<[i32]>::to_vec).collect()
    };
    assert_eq!(
        (cnf(0), cnf(1)),
        (initiation.map(Vec::from).into(), consecution.map(Vec::from).into())
    );
    let base: [&[i32]; 5] = [&[-1], &[3], &[1, -3], &[-1, 3], &[-3]];
    assert_eq!(cnf(2), base);
    let step: [&[i32]; 10] =
        [&[-1], &[6], &[4, -6], &[-4, 6], &[-3], &[3, -4], &[2, -4], &[-2, -3, 4], &[-3], &[-6]];
    assert_eq!(cnf(3), step);
}

#[test]
fn malformed_invariants_are_refused() {
    let problem = counter(2, 2, 3, 0);
    let refuse = |invariant: Invariant, why: &str| {
        let reason = Obligations::new(&problem, 0, &invariant).expect_err("refused");
        assert!(reason.contains(why), "{reason}");
    };
    for lit in [0, 1, 2, 8, u32::MAX] {
        let clauses = vec![vec![Lit(4)], vec![Lit(lit)]];
        refuse(Invariant::Clauses(clauses.clone()), "is not a latch");
        let induction = Invariant::KInductive { k: 1, simple_path: false, lemmas: clauses };
        refuse(induction, "is not a latch");
    }
    let mut right = circuit(2, 0);
    right.outputs.push(Lit::TRUE);
    let aig = |change: &dyn Fn(&mut Circuit)| {
        let mut aig = right.clone();
        change(&mut aig);
        Invariant::Aig(Box::new(aig))
    };
    assert!(Obligations::new(&problem, 0, &aig(&|_| {})).is_ok());
    refuse(aig(&|aig| aig.inputs = 3), "3 inputs, not 2");
    refuse(aig(&|aig| aig.inputs = u32::MAX), "inputs, not 2");
    refuse(aig(&|aig| aig.outputs.clear()), "0 outputs");
    refuse(aig(&|aig| aig.outputs.push(Lit::TRUE)), "2 outputs");
    refuse(aig(&|aig| aig.outputs[0] = Lit(100)), "names no variable");
    refuse(aig(&|aig| aig.ands.push(And { left: Lit(6), right: Lit(2) })), "not before it");
    refuse(aig(&|aig| aig.constraints.push(Lit::TRUE)), "properties of its own");
    refuse(aig(&|aig| aig.latches = circuit(0, 1).latches), "latches or properties");
    assert!(Obligations::new(&problem, 1, &aig(&|_| {})).is_err());
}

#[test]
fn absurd_depths_are_refused_before_they_are_written_down() {
    let problem = counter(2, 2, 3, 0);
    let idle = {
        let mut idle = circuit(0, 0);
        idle.bads.push(Lit::FALSE);
        idle
    };
    for k in [MAX_SIZE as usize, usize::MAX / 2, usize::MAX] {
        for simple_path in [false, true] {
            for circuit in [&problem, &idle] {
                let invariant = Invariant::induction(k, simple_path);
                let obligations = Obligations::new(circuit, 0, &invariant).expect("well formed");
                assert!(obligations.count() > k.min(usize::MAX - 1));
                assert!(obligations.build(obligations.count() - 1).is_err());
                assert!(obligations.build(obligations.count()).is_err());
            }
        }
    }
    // Few steps, but many pairs of them.
    let invariant = Invariant::induction(1 << 20, true);
    let obligations = Obligations::new(&idle, 0, &invariant).expect("well formed");
    assert!(obligations.build(obligations.count() - 1).is_err());
}
