//! Numbers that formulas only compare for equality, beside others: the answers are those that bounds give.

use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Op, SortId, Store, TermId};
use alphorn_testkit::Rng;
use alphorn_testkit::formulas::{check_answer, seeds};
use alphorn_testkit::shrink::{Assertions, for_all};

/// Symbols of a sort, of which those of the second list may be added and ordered.
struct Symbols {
    compared: Vec<TermId>,
    ordered: Vec<TermId>,
    truths: Vec<TermId>,
    sort: SortId,
}

fn pick(rng: &mut Rng, from: &[TermId]) -> TermId {
    from[rng.below(from.len())]
}

impl Symbols {
    fn new(store: &mut Store, sort: SortId) -> Symbols {
        let named = |store: &mut Store, name: &str, count: usize, sort| -> Vec<TermId> {
            (0..count).map(|at| store.var(&format!("{name}{at}"), sort)).collect()
        };
        let truths = named(store, "p", 2, SortId::BOOL);
        Symbols {
            compared: named(store, "x", 4, sort),
            ordered: named(store, "y", 2, sort),
            truths,
            sort,
        }
    }

    /// A number: a symbol, a literal, or one of two by a condition.
    fn number(&self, rng: &mut Rng, store: &mut Store, from: &[TermId], depth: u32) -> TermId {
        match rng.below(if depth == 0 { 4 } else { 6 }) {
            0..3 => pick(rng, from),
            3 => {
                let value = rng.between(0, 2);
                store.number(self.sort, &value.into())
            }
            _ => {
                let condition = self.formula(rng, store, depth - 1);
                let then = self.number(rng, store, from, depth - 1);
                let otherwise = self.number(rng, store, from, depth - 1);
                store.ite(condition, then, otherwise)
            }
        }
    }

    fn formula(&self, rng: &mut Rng, store: &mut Store, depth: u32) -> TermId {
        match rng.below(if depth == 0 { 5 } else { 8 }) {
            0..3 => {
                let left = self.number(rng, store, &self.compared, depth);
                let right = self.number(rng, store, &self.compared, depth);
                store.eq(left, right)
            }
            3 => pick(rng, &self.truths),
            4 => {
                let left = self.number(rng, store, &self.ordered, depth);
                let right = self.number(rng, store, &self.ordered, depth);
                let sum = store.mk(Op::Add, &[left, right]);
                store.mk(Op::Le, &[sum, right])
            }
            5 => {
                let inside = self.formula(rng, store, depth - 1);
                store.not(inside)
            }
            choice => {
                let left = self.formula(rng, store, depth - 1);
                let right = self.formula(rng, store, depth - 1);
                if choice == 6 { store.and(&[left, right]) } else { store.or(&[left, right]) }
            }
        }
    }
}

#[test]
fn answers_are_those_that_bounds_give() {
    let mut counts = [0; 3];
    let make = |rng: &mut Rng| {
        let mut store = Store::new();
        let sort = if rng.below(2) == 0 { SortId::INT } else { SortId::REAL };
        let symbols = Symbols::new(&mut store, sort);
        let count = 2 + rng.below(9);
        let formulas = (0..count).map(|_| symbols.formula(rng, &mut store, 3)).collect();
        Assertions { store, formulas }
    };
    for_all(seeds(1_500), make, |Assertions { store, formulas }| {
        let options = Options { proofs: true, ..Options::default() };
        let (mut own, mut other) = (store.clone(), store.clone());
        let mut closed = Smt::closed(options.clone(), &mut own, formulas);
        let mut open = Smt::new(options);
        for &formula in formulas {
            open.assert(&mut other, formula);
        }
        let answer = closed.check(&mut own, &[]);
        counts[answer as usize] += 1;
        assert_eq!(answer, open.check(&mut other, &[]));
        check_answer(&closed, &mut own, answer, "closed");
    });
    let [sat, unsat, unknown] = counts;
    assert!(sat > 100 && unsat > 100 && unknown == 0, "{sat} {unsat} {unknown}");
}

/// Of n + 1 numbers, each one of n literals, two are equal; nobody has to put any two into an order for that.
#[test]
fn who_is_only_compared_has_no_bounds() {
    let mut store = Store::new();
    let holes: Vec<TermId> = (0..4i64).map(|at| store.int(at)).collect();
    let birds: Vec<TermId> = (0..5).map(|at| store.var(&format!("b{at}"), SortId::INT)).collect();
    let mut formulas = Vec::new();
    for (place, &bird) in birds.iter().enumerate() {
        let somewhere: Vec<TermId> = holes.iter().map(|&hole| store.eq(bird, hole)).collect();
        formulas.push(store.or(&somewhere));
        for &other in &birds[place + 1..] {
            let same = store.eq(bird, other);
            formulas.push(store.not(same));
        }
    }
    let mut smt =
        Smt::closed(Options { proofs: true, ..Options::default() }, &mut store, &formulas);
    let answer = smt.check(&mut store, &[]);
    assert_eq!(answer, Answer::Unsat);
    assert_eq!(smt.theory_stats().bound_conflicts, 0);
    assert!(smt.theory_stats().equality_conflicts > 0);
    check_answer(&smt, &mut store, answer, "pigeons");
}

/// What is said later of a number that was only compared may contradict its place in a model, and is not taken for a model.
#[test]
fn a_model_is_not_trusted_when_more_is_said_of_a_number() {
    let mut store = Store::new();
    let (x, y) = (store.var("x", SortId::INT), store.var("y", SortId::INT));
    let same = store.eq(x, y);
    let differs = store.not(same);
    let mut smt = Smt::closed(Options::default(), &mut store, &[differs]);
    assert_eq!(smt.check(&mut store, &[]), Answer::Sat);
    let (below, above) = (store.mk(Op::Le, &[x, y]), store.mk(Op::Le, &[y, x]));
    smt.assert(&mut store, below);
    smt.assert(&mut store, above);
    assert_ne!(smt.check(&mut store, &[]), Answer::Sat);
}
