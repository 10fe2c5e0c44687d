//! The examples of the paper's kind, and random systems against enumeration.

use super::*;
use alphorn_engine::Stopper;
use alphorn_engine::subset::{feas, minimum, msis, nec};
use alphorn_problem::circuit::{And, Latch};
use alphorn_testkit::Rng;
use alphorn_testkit::circuit::random::circuit_with;

fn with_ctx<T>(run: impl FnOnce(&mut Ctx<'_>) -> T) -> T {
    let mut sink = |_| {};
    run(&mut Ctx::new(u64::MAX, Stopper::new(), 0, &mut sink))
}

/// The support of the invariant "all bits are on".
fn all_on(circuit: &Circuit) -> Clauses {
    let clauses: Vec<Vec<Lit>> =
        (0..circuit.latches.len()).map(|index| vec![circuit.latch(index)]).collect();
    Clauses::new(circuit, 0, &clauses).expect("the clauses speak about latches")
}

/// Bits x, y, z that start on; z follows x or y; bad when z is off.
fn three_bits(x: u32, y: u32) -> Circuit {
    let latch = |next: Lit| Latch { next, reset: Lit::TRUE };
    Circuit {
        latches: vec![latch(Lit(2 * x)), latch(Lit(2 * y)), latch(Lit(9))],
        ands: vec![And { left: Lit(5), right: Lit(3) }],
        bads: vec![Lit(7)],
        ..Circuit::default()
    }
}

#[test]
fn bits_that_need_each_other_all_stay() {
    // x' = y, y' = x, z' = x ∨ y: nothing can go, but only z is seen to be necessary.
    let circuit = three_bits(2, 1);
    with_ctx(|ctx| {
        let mut support = all_on(&circuit);
        assert_eq!(nec::nec(&mut support, ctx), Ok(vec![2]));
        let mut kept = feas::feas(&mut support, &[2], true, ctx).expect("there is time");
        kept.sort_unstable();
        assert_eq!(kept, [0, 1, 2]);
        assert_eq!(msis::msis(&mut support, &[2], ctx), Ok(vec![0, 1, 2]));
        assert_eq!(msis::msis(&mut support, &[], ctx), Ok(vec![0, 1, 2]));
    });
}

#[test]
fn a_bit_that_supports_itself_is_enough() {
    // x' = y, y' = y, z' = x ∨ y: y and z will do.
    let circuit = three_bits(2, 2);
    with_ctx(|ctx| {
        let mut support = all_on(&circuit);
        assert_eq!(nec::nec(&mut support, ctx), Ok(vec![2]));
        let kept = feas::feas(&mut support, &[2], true, ctx).expect("there is time");
        assert!(kept.contains(&1) && kept.contains(&2), "{kept:?}");
        assert_eq!(msis::msis(&mut support, &[2], ctx), Ok(vec![1, 2]));
    });
}

/// Bits in a ring, each following the one before it; bad when the last is off.
fn ring(count: u32) -> Circuit {
    let next = |index: u32| Lit(2 * if index == 0 { count } else { index });
    Circuit {
        latches: (0..count).map(|i| Latch { next: next(i), reset: Lit::TRUE }).collect(),
        bads: vec![Lit(2 * count + 1)],
        ..Circuit::default()
    }
}

#[test]
fn a_ring_stays_whole_with_few_questions() {
    let circuit = ring(10);
    with_ctx(|ctx| {
        let mut support = all_on(&circuit);
        assert_eq!(nec::nec(&mut support, ctx).map(|found| found.len()), Ok(10));
        // Each clause is found once, and for each element there is once nothing more.
        assert_eq!(support.asked, 10 + 11);
        let mut support = all_on(&circuit);
        let all: Vec<usize> = (0..10).collect();
        assert_eq!(msis::msis(&mut support, &[9], ctx), Ok(all));
        assert!(support.asked <= 10 * 10, "{} questions", support.asked);
    });
}

#[test]
fn a_clause_that_always_holds_goes() {
    let circuit = three_bits(2, 2);
    let mut clauses: Vec<Vec<Lit>> = (0..3).map(|index| vec![circuit.latch(index)]).collect();
    clauses.insert(0, vec![circuit.latch(0), !circuit.latch(0)]);
    with_ctx(|ctx| {
        for effort in [Effort::Quick, Effort::Msis] {
            let found = minimize(&circuit, 0, clauses.clone(), effort, ctx).expect("there is time");
            assert!(found.iter().all(|clause| clause.len() == 1), "{found:?}");
        }
    });
}

/// A system of a few bits with its invariant, evaluated by enumeration.
struct System {
    circuit: Circuit,
    clauses: Vec<Vec<Lit>>,
}

impl System {
    fn random(rng: &mut Rng) -> System {
        let gates = 6 + rng.below(8);
        let mut circuit = circuit_with(rng, 1, 4, gates);
        circuit.constraints.clear();
        circuit.latches.iter_mut().for_each(|latch| latch.reset = Lit(rng.below(2)));
        let clause = |rng: &mut Rng| {
            let mut clause: Vec<Lit> =
                (0..1 + rng.below(3)).map(|_| Lit(4 + rng.below(8))).collect();
            clause.sort_unstable();
            clause.dedup_by_key(|lit| lit.var());
            clause
        };
        let clauses = (0..3 + rng.below(6)).map(|_| clause(rng)).collect();
        System { circuit, clauses }
    }

    fn value(values: &[bool], lit: Lit) -> bool {
        values[lit.var() as usize] != lit.is_negated()
    }

    /// The wires in a state under an input.
    fn wires(&self, state: u32, input: bool) -> Vec<bool> {
        let mut values = vec![false, input];
        values.extend((0..4).map(|bit| state >> bit & 1 == 1));
        for and in &self.circuit.ands {
            values.push(Self::value(&values, and.left) && Self::value(&values, and.right));
        }
        values
    }

    fn holds(&self, index: usize, wires: &[bool]) -> bool {
        self.clauses[index].iter().any(|&lit| Self::value(wires, lit))
    }

    /// Whether the chosen clauses hold at first, are kept, and exclude bad states.
    fn will_do(&self, chosen: &[usize]) -> bool {
        let start = (0..4).map(|bit| self.circuit.latches[bit].reset.0 << bit).sum();
        let all = |wires: &[bool]| chosen.iter().all(|&index| self.holds(index, wires));
        (0..2).all(|input| all(&self.wires(start, input == 1)))
            && (0..32u32).all(|case| {
                let wires = self.wires(case >> 1, case & 1 == 1);
                let next = |bit: usize| Self::value(&wires, self.circuit.latches[bit].next);
                let successor = (0..4).map(|bit| u32::from(next(bit)) << bit).sum();
                let is_bad = Self::value(&wires, self.circuit.bads[0]);
                !all(&wires) || (!is_bad && all(&self.wires(successor, false)))
            })
    }

    fn subsets(&self) -> Vec<Vec<usize>> {
        let count = self.clauses.len();
        let chosen = |set: u32| (0..count).filter(|&index| set >> index & 1 == 1).collect();
        (0..1u32 << count).map(chosen).collect()
    }
}

#[test]
fn random_invariants_become_minimal_and_the_least_has_the_fewest_clauses() {
    let mut rng = Rng::new(3);
    let (mut tried, mut smaller, mut fewer) = (0, 0, 0);
    while tried < 300 {
        let system = System::random(&mut rng);
        let all: Vec<usize> = (0..system.clauses.len()).collect();
        if !system.will_do(&all) {
            continue;
        }
        tried += 1;
        let good: Vec<Vec<usize>> =
            system.subsets().into_iter().filter(|set| system.will_do(set)).collect();
        let is_subset = |a: &[usize], b: &[usize]| a.iter().all(|index| b.contains(index));
        with_ctx(|ctx| {
            let support = || Clauses::new(&system.circuit, 0, &system.clauses).expect("clauses");
            let necessary = nec::nec(&mut support(), ctx).expect("there is time");
            assert!(good.iter().all(|set| is_subset(&necessary, set)), "{necessary:?}");
            for is_minimal in [false, true] {
                let found = feas::feas(&mut support(), &necessary, is_minimal, ctx);
                assert!(system.will_do(&found.expect("there is time")));
            }
            for known in [vec![], necessary.clone()] {
                let found = msis::msis(&mut support(), &known, ctx).expect("there is time");
                let below = good.iter().filter(|set| is_subset(set, &found)).count();
                assert!(system.will_do(&found) && below == 1, "{found:?} of {good:?}");
                smaller += usize::from(found.len() < all.len());
            }
            let minimal = msis::msis(&mut support(), &necessary, ctx).expect("there is time");
            let least = minimum::minimum(&mut support(), &necessary, minimal.clone(), ctx);
            let least = least.expect("there is time");
            let fewest = good.iter().map(Vec::len).min().expect("all of them will do");
            assert!(system.will_do(&least.members) && least.is_least);
            assert_eq!(least.members.len(), fewest, "{least:?} of {good:?}");
            fewer += usize::from(fewest < minimal.len());
            let efforts = [Effort::Quick, Effort::Nec, Effort::Feas, Effort::Msis, Effort::Minimum];
            for effort in efforts {
                let found = minimize(&system.circuit, 0, system.clauses.clone(), effort, ctx);
                let found = found.expect("there is time");
                let at = |clause| system.clauses.iter().position(|known| known == clause);
                let found: Vec<usize> = found.iter().filter_map(at).collect();
                assert!(system.will_do(&found));
            }
        });
    }
    assert!(smaller > 50, "{smaller} became smaller");
    assert!(fewer > 0, "no minimal subset has more members than a least one");
}
