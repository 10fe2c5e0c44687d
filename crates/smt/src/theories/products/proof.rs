//! Steps for the signs of products.

use alphorn_problem::evidence::proof::{Literal, Rule, StepId};
use alphorn_term::{Int, Op, SortId, TermId};

use super::Signs;
use crate::theories::encode::Lemma;
use crate::theories::proof::Writer;

impl Lemma for Signs {
    fn prove(&self, writer: &mut Writer<'_>, clause: &[Literal]) -> Option<StepId> {
        sign(writer, self, clause)
    }

    fn subject(&self) -> Option<TermId> {
        Some(self.product)
    }
}

/// The sign of a product.
fn sign(writer: &mut Writer<'_>, signs: &Signs, clause: &[Literal]) -> Option<StepId> {
    let is_real = signs.factors.iter().any(|(linear, _)| {
        let is_whole = linear.constant.is_integer()
            && linear.terms.iter().all(|(_, value)| value.is_integer());
        !is_whole || !linear.is_over_integers(writer.store)
    });
    let sort = if is_real { SortId::REAL } else { SortId::INT };
    let op = if signs.is_strict { Op::Lt } else { Op::Le };
    let zero = writer.store.number(sort, &Int::ZERO);
    let mut terms = Vec::new();
    let mut factors = Vec::new();
    for (linear, sign) in &signs.factors {
        let factor = linear.to_term(writer.store, sort);
        let args = if sign.is_positive() { [zero, factor] } else { [factor, zero] };
        let atom = writer.store.mk(op, &args);
        terms.push(!Literal::of(writer.store, atom));
        factors.push(factor);
    }
    let &[left, right] = &factors[..] else { return None };
    let [(one, _), (other, _)] = &signs.factors;
    let whole = one.times(writer.store, other).to_term(writer.store, sort);
    let is_positive = signs.factors[0].1 == signs.factors[1].1;
    let args = if is_positive { [zero, whole] } else { [whole, zero] };
    let atom = writer.store.mk(op, &args);
    terms.push(Literal::of(writer.store, atom));
    let step = writer.push(terms.clone(), Rule::Product([left, right]));
    writer.represent(step, &terms, clause)
}
