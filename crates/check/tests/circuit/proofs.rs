//! Certificates with proofs: right ones are accepted, and no mutant of them that is wrong.

use alphorn_check::Refusal;
use alphorn_check::circuit::check_certificate;
use alphorn_problem::circuit::{Circuit, Lit};
use alphorn_problem::evidence::circuit::{Certificate, Invariant, Lrat, LratStep};
use alphorn_problem::obligation::circuit::Obligations;

use crate::obligations::{exact_aig, exact_clauses, tied_reset};
use alphorn_testkit::Rng;
use alphorn_testkit::circuit::build::{circuit, counter};
use alphorn_testkit::circuit::oracle::{self, pairs, violation};
use alphorn_testkit::circuit::random::{Size, circuit_of};
use alphorn_testkit::cnf::prove::refutation;

/// A certificate with proofs of all obligations that can be proved, and none for the others.
fn certificate(circuit: &Circuit, invariant: Invariant) -> Certificate {
    let built = Obligations::new(circuit, 0, &invariant).expect("a well-formed invariant");
    let proof = |index| {
        let obligation = built.build(index).expect("a small obligation");
        refutation(obligation.cnf.clauses()).unwrap_or_default()
    };
    let obligations = (0..built.count()).map(proof).collect();
    Certificate { property: 0, invariant, obligations }
}

#[track_caller]
fn refuse(result: Result<(), Refusal>, why: &str) {
    let refusal = result.expect_err("refused");
    assert!(refusal.to_string().contains(why), "{refusal}");
}

/// Counts to 4 of 7; the bad value 6 has the clause `¬4 ∨ ¬2` against it, and 5 the clause `¬4 ∨ ¬1`.
fn example() -> (Circuit, Invariant) {
    let circuit = counter(3, 4, 6, 0);
    let latch = |index| circuit.latch(index);
    let clauses = vec![vec![!latch(2), !latch(1)], vec![!latch(2), !latch(0)]];
    (circuit, Invariant::Clauses(clauses))
}

#[test]
fn clauses() {
    let (circuit, invariant) = example();
    let good = certificate(&circuit, invariant);
    assert_eq!(check_certificate(&circuit, &good), Ok(()));
    let change = |change: &dyn Fn(&mut Certificate)| {
        let mut mutant = good.clone();
        change(&mut mutant);
        check_certificate(&circuit, &mutant)
    };
    refuse(change(&|c| c.property = 1), "no safety property 1");
    let input = Invariant::Clauses(vec![vec![circuit.input(0)]]);
    refuse(change(&|c| c.invariant = input.clone()), "is not a latch");
    refuse(change(&|c| c.obligations.truncate(2)), "2 proofs for 3 obligations");
    refuse(change(&|c| c.obligations.push(Lrat::default())), "4 proofs for 3 obligations");
    refuse(change(&|c| c.obligations[0].steps.clear()), "initiation, end of the proof");
    refuse(change(&|c| c.obligations.swap(0, 1)), "initiation");
    refuse(change(&|c| c.obligations.swap(1, 2)), "consecution");
    refuse(change(&|c| drop(c.obligations[2].steps.pop())), "property");
    let clauses = |change: &dyn Fn(&mut Vec<Vec<Lit>>)| {
        let mut invariant = good.invariant.clone();
        let Invariant::Clauses(clauses) = &mut invariant else { unreachable!() };
        change(clauses);
        check_certificate(&circuit, &certificate(&circuit, invariant))
    };
    refuse(clauses(&|c| drop(c.remove(0))), "consecution");
    refuse(clauses(&|c| drop(c.remove(1))), "consecution");
    refuse(clauses(&|c| c.clear()), "property");
    refuse(clauses(&|c| c[0][0] = !c[0][0]), "consecution");
    refuse(clauses(&|c| c[0] = vec![c[0][0], !c[0][0]]), "consecution");
    refuse(clauses(&|c| c.push(vec![c[0][0]])), "consecution");
    refuse(clauses(&|c| c[1] = vec![!c[1][1]]), "initiation");
    refuse(clauses(&|c| c.push(Vec::new())), "initiation");
}

#[test]
fn induction() {
    // From 1 it goes back to 0; 2 is the successor of 2 alone, but can lead to the bad 3.
    let circuit = counter(2, 1, 3, 0);
    let induction = Invariant::induction;
    for weak in [induction(1, false), induction(2, false), induction(1, true)] {
        let weak = certificate(&circuit, weak);
        refuse(check_certificate(&circuit, &weak), "step, end of the proof");
    }
    let good = certificate(&circuit, induction(2, true));
    assert_eq!(check_certificate(&circuit, &good), Ok(()));
    for (k, simple_path) in [(0, true), (1, true), (2, false), (3, false), (usize::MAX, true)] {
        let mutant = Certificate { invariant: induction(k, simple_path), ..good.clone() };
        assert!(check_certificate(&circuit, &mutant).is_err(), "{k} {simple_path}");
    }
}

/// Induction that may assume what is true of all reachable states.
fn with_lemmas(circuit: &Circuit, k: usize, simple_path: bool) -> Invariant {
    let Invariant::Clauses(lemmas) = exact_clauses(circuit) else { unreachable!() };
    Invariant::KInductive { k, simple_path, lemmas }
}

#[test]
fn lemmas() {
    // The property alone is not inductive over one step, and with the lemmas over none.
    let (circuit, Invariant::Clauses(all)) = example() else { unreachable!() };
    let induction = |k, lemmas: &[Vec<Lit>]| {
        let invariant = Invariant::KInductive { k, simple_path: false, lemmas: lemmas.to_vec() };
        certificate(&circuit, invariant)
    };
    refuse(check_certificate(&circuit, &induction(1, &[])), "step");
    let good = induction(0, &all);
    assert_eq!(check_certificate(&circuit, &good), Ok(()));
    assert_eq!(good.obligations.len(), 3);
    // A lemma must hold at first and be kept, by itself.
    refuse(check_certificate(&circuit, &induction(0, &all[..1])), "consecution");
    refuse(check_certificate(&circuit, &induction(0, &[vec![circuit.latch(0)]])), "initiation");
    refuse(check_certificate(&circuit, &induction(0, &[vec![]])), "initiation");
    let mut mutant = good.clone();
    mutant.invariant = Invariant::induction(0, false);
    refuse(check_certificate(&circuit, &mutant), "3 proofs for 1 obligations");
    mutant = good.clone();
    mutant.obligations.truncate(1);
    refuse(check_certificate(&circuit, &mutant), "1 proofs for 3 obligations");
    mutant = good.clone();
    mutant.obligations.swap(0, 1);
    refuse(check_certificate(&circuit, &mutant), "initiation");
}

#[test]
fn a_reset_function_does_not_fool_simple_paths() {
    let circuit = tied_reset();
    for k in 0..4 {
        let invariant = Invariant::induction(k, true);
        assert!(check_certificate(&circuit, &certificate(&circuit, invariant)).is_err());
    }
}

/// The other example of PROOFS.md: safe, but no set of states shows it.
#[test]
fn a_reset_function_can_leave_induction_alone() {
    let mut circuit = tied_reset();
    circuit.latches[0].next = Lit::FALSE;
    assert!(violation(&pairs(&circuit)).is_none());
    for clauses in [vec![], vec![vec![circuit.latch(0)]], vec![vec![!circuit.latch(0)]]] {
        let invariant = Invariant::Clauses(clauses);
        assert!(check_certificate(&circuit, &certificate(&circuit, invariant)).is_err());
    }
    let invariant = Invariant::induction(1, false);
    assert_eq!(check_certificate(&circuit, &certificate(&circuit, invariant)), Ok(()));
}

#[test]
fn obligations_false_at_a_glance_need_their_step() {
    let mut circuit = circuit(0, 0);
    circuit.bads.push(Lit::FALSE);
    let invariant = Invariant::induction(1, true);
    let good = certificate(&circuit, invariant.clone());
    assert_eq!(check_certificate(&circuit, &good), Ok(()));
    let empty = Certificate { property: 0, invariant, obligations: vec![Lrat::default(); 3] };
    refuse(check_certificate(&circuit, &empty), "base 0, end of the proof");
}

#[test]
fn malformed_circuits_prove_nothing() {
    let (mut circuit, invariant) = example();
    circuit.latches[0].reset = !circuit.latch(0);
    let good = certificate(&circuit, invariant);
    refuse(check_certificate(&circuit, &good), "depends on itself");
    circuit.latches[0].reset = Lit(10_000);
    refuse(check_certificate(&circuit, &good), "circuit");
}

/// Changes one thing in a certificate.
fn mutate(certificate: &mut Certificate, random: &mut Rng) {
    match &mut certificate.invariant {
        Invariant::Clauses(clauses) if !clauses.is_empty() && random.one_in(2) => {
            let index = random.below(clauses.len());
            match random.below(3) {
                0 => drop(clauses.remove(index)),
                _ if clauses[index].is_empty() => clauses.clear(),
                1 => clauses[index][0] = !clauses[index][0],
                _ => drop(clauses[index].pop()),
            }
            return;
        }
        Invariant::Aig(aig) if random.one_in(2) => {
            match random.below(aig.ands.len() + 1).checked_sub(1) {
                None => aig.outputs[0] = !aig.outputs[0],
                Some(gate) => aig.ands[gate].left = !aig.ands[gate].left,
            }
            return;
        }
        Invariant::KInductive { k, simple_path, lemmas } if random.one_in(2) => {
            match random.below(if lemmas.is_empty() { 3 } else { 5 }) {
                0 => *k += 1,
                1 => *k = k.saturating_sub(1),
                2 => *simple_path = !*simple_path,
                3 => drop(lemmas.remove(0)),
                _ => drop(lemmas[0].pop()),
            }
            if random.one_in(2) {
                let count =
                    *k + 1 + usize::from(*simple_path) + 2 * usize::from(!lemmas.is_empty());
                certificate.obligations.resize(count, Lrat::default());
            }
            return;
        }
        _ => {}
    }
    let proofs = &mut certificate.obligations;
    if proofs.is_empty() {
        return;
    }
    let index = random.below(proofs.len());
    let steps = &mut proofs[index].steps;
    if steps.is_empty() {
        return;
    }
    let step = random.below(steps.len());
    match &mut steps[step] {
        _ if random.one_in(4) => drop(steps.remove(step)),
        LratStep::Delete(ids) => ids.clear(),
        LratStep::Add { id, clause, hints } => match random.below(4) {
            0 if !hints.is_empty() => drop(hints.remove(random.below(hints.len()))),
            1 if !hints.is_empty() => {
                let at = random.below(hints.len());
                hints[at] += random.below(3) as i64 - 1;
            }
            2 if !clause.is_empty() => drop(clause.pop()),
            _ => *id += 1,
        },
    }
}

/// Everything at random: what is right is accepted, what is accepted is right and the circuit is
/// safe, also after changes to the circuit under the certificate's feet.
#[test]
fn random_certificates_and_their_mutants() {
    let mut random = Rng::new(9);
    let (mut proofs, mut survivors) = (0, 0);
    for round in 0..600 {
        let circuit = circuit_of(&mut random, Size::SMALL);
        let other = circuit_of(&mut random, Size::SMALL);
        let simple_path = random.one_in(2);
        let invariants = [
            exact_clauses(&circuit),
            exact_aig(&circuit),
            Invariant::induction(random.below(3), simple_path),
            with_lemmas(&circuit, random.below(3), simple_path),
        ];
        for invariant in invariants {
            let is_right = |circuit: &Circuit, certificate: &Certificate| {
                let right = oracle::obligations(circuit, &certificate.invariant);
                right.iter().all(|right| *right) && violation(&pairs(circuit)).is_none()
            };
            let good = certificate(&circuit, invariant);
            let accepted = check_certificate(&circuit, &good).is_ok();
            assert_eq!(accepted, is_right(&circuit, &good), "{round}: {circuit:?} {good:?}");
            proofs += usize::from(accepted);
            for _ in 0..10 {
                let mut mutant = good.clone();
                mutate(&mut mutant, &mut random);
                if check_certificate(&circuit, &mutant).is_ok() {
                    assert!(is_right(&circuit, &mutant), "{round}: {circuit:?} {mutant:?}");
                    survivors += usize::from(mutant != good);
                }
            }
            if check_certificate(&other, &good).is_ok() {
                assert!(violation(&pairs(&other)).is_none(), "{round}: {other:?} {good:?}");
            }
        }
    }
    assert!(proofs > 150, "{proofs} certificates were right, {survivors} mutants still were");
}
