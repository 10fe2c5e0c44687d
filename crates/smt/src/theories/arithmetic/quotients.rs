//! Quotients and remainders by what is no constant, as functions of their arguments.
//!
//! What a division by zero gives is a choice of the model, the same wherever the dividend is. So the search may
//! give such a term any value, a model records it as a case of the choice, and two terms of one operator whose
//! arguments have the same values must have one value. Where an assignment has that wrong, it is told
//! the congruence, which `check` knows for every operator. By other divisors this follows from what defines
//! division, though only through products, so that it is told for these as well.
//!
//! Invariant: a clause that is stated here is a congruence. After Barrett, Fontaine, Tinelli, "The SMT-LIB Standard"
//! (2025): `/`, `div` and `mod` are total, and nothing is said of them at zero.

use alphorn_problem::evidence::proof::{Literal, Rule};
use alphorn_term::eval::Choices;
use alphorn_term::{Op, Rat, Store, TermId, Value};
use rustc_hash::FxHashMap;

use crate::linear::Linear;
use crate::theories::encode::Leaf;
use crate::theories::kernel::Kernel;
use crate::theories::model::Reading;

/// States that divisions with equal arguments are equal, where the numbers of an assignment have that wrong; whether
/// there are any.
pub(crate) fn agree(kernel: &mut Kernel, store: &mut Store, numbers: &[Rat]) -> bool {
    let arithmetic = &kernel.theory().arithmetic;
    let value =
        |term: TermId| arithmetic.evaluate(&Linear::of(store, term), numbers, |_| Rat::ZERO);
    let mut cases: FxHashMap<(Op, Vec<Rat>), (TermId, Rat)> = FxHashMap::default();
    let mut wrong = Vec::new();
    for &term in &arithmetic.quotients {
        let args = store.args(term).iter().map(|arg| value(*arg)).collect();
        let own = value(term);
        let (first, other) =
            cases.entry((store.op(term), args)).or_insert_with(|| (term, own.clone()));
        if *other != own {
            wrong.push((*first, term));
        }
    }
    let mut is_refined = false;
    for pair in wrong {
        is_refined |= state(kernel, store, pair);
    }
    is_refined
}

/// States a congruence, once.
fn state(kernel: &mut Kernel, store: &mut Store, (one, other): (TermId, TermId)) -> bool {
    if !kernel.theory_mut().arithmetic.congruent.insert((one, other)) {
        return false;
    }
    let (left, right) = (store.args(one).to_vec(), store.args(other).to_vec());
    let mut clause = Vec::new();
    for (left, right) in left.into_iter().zip(right).filter(|(left, right)| left != right) {
        let equation = store.eq(left, right);
        clause.push(!Literal::of(store, equation));
    }
    let equation = store.eq(one, other);
    clause.push(Literal::of(store, equation));
    let mut cx = kernel.encoding(store);
    let lits: Vec<_> =
        clause.iter().map(|literal| cx.literal(literal.atom).xor(literal.negated)).collect();
    cx.clause(&lits, Leaf::Axiom(clause, Rule::Congruence));
    true
}

/// Records what divisions by zero give.
pub(crate) fn choose(reading: &Reading<'_>, choices: &mut Choices) {
    let store = reading.store;
    for &term in &reading.kernel.theory().arithmetic.quotients {
        let zero = Choices::zero();
        let (choice, default) = match store.op(term) {
            Op::IntDiv => (&mut choices.int_div, zero.int_div),
            Op::Mod => (&mut choices.modulo, zero.modulo),
            _ => (&mut choices.real_div, zero.real_div),
        };
        let table = choice.get_or_insert_with(|| default.unwrap_or_default());
        let &[dividend, divisor] = store.args(term) else { continue };
        if is_zero(&reading.value(divisor)) {
            let at = vec![reading.value(dividend)];
            table.entries.entry(at).or_insert_with(|| reading.value(term));
        }
    }
}

fn is_zero(value: &Value) -> bool {
    match value {
        Value::Int(value) => value.is_zero(),
        Value::Real(value) => value.is_zero(),
        _ => false,
    }
}
