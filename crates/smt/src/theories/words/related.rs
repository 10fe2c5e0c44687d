//! Products of words that are related, stated before the search.
//!
//! Bits of products are hard to compare, and an equation is not the only place where they are: `a·(b + c)`
//! may be below a comparison, a function or a conditional, and `a·b + a·c` elsewhere, or behind definitions.
//! So all products in force are read as polynomials, with definitions put in (`substituted`), and their
//! monomials taken for unknowns of linear algebra modulo 2ⁿ: a product that is a sum of multiples of others,
//! and of what is no product, is said to be equal to that. Sums of products with the same polynomial are
//! said to be equal, and equations are decided whose sides differ by a constant. Of what has costly bits and is no product
//! (shifts by unknowns, divisions, numbers that become words and back) those are said to be equal that are the
//! same with definitions put in: a model is written by the variables of predicates, and bodies by others that equal them.
//!
//! Rows are kept in echelon form: each has a product of unknowns as its largest monomial, with coefficient
//! one, and no two the same. A polynomial whose largest coefficient is even has no row.
//!
//! Invariant: what is stated is a `Consequence`, so it holds in every model, and each is stated once.

use alphorn_problem::evidence::proof::Literal;
use alphorn_problem::obligation::blast::bits::is_atom;
use alphorn_problem::obligation::ring::{WordPolynomial, is_ring_operator, polynomial};
use alphorn_term::{Bv, Op, Store, TermId};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::gates::{gate, tie_literals};
use super::quotients::Quotients;
use super::substituted::{Consequence, Definitions, is_symbol};
use crate::settings::{RELATED_MAX_PRODUCTS, RELATED_MAX_SUMMANDS, RELATED_MAX_WORK};
use crate::theories::encode::Leaf;
use crate::theories::kernel::Kernel;

/// The products that formulas have, and what was said of them.
#[derive(Default)]
pub(crate) struct Related {
    seen: FxHashSet<TermId>,
    /// Products of unknowns, after those below them.
    products: Vec<TermId>,
    /// Sums of them that are part of no other sum or product.
    sums: Vec<TermId>,
    quotients: Quotients,
    /// What else has costly bits, after what is below.
    costly: Vec<TermId>,
    /// Equations of words.
    equations: Vec<TermId>,
    /// What definitions and how many products, costly terms and equations there were last.
    last: (Vec<TermId>, [usize; 3]),
    /// Equations that consequences are about, with their premises.
    stated: FxHashSet<(TermId, Vec<TermId>)>,
    /// The work so far.
    work: usize,
}

/// A monomial by its degree and its factors.
type Monomial = (usize, Vec<TermId>);

/// A polynomial to look up: products of atoms with their coefficients, as terms.
type Monomials = Vec<(Vec<TermId>, TermId)>;

/// A sum of multiples of products, as a polynomial.
struct Row {
    terms: BTreeMap<Monomial, Bv>,
    /// The products, with the multiples.
    of: Vec<(TermId, Bv)>,
}

impl Row {
    fn new(product: TermId, polynomial: &WordPolynomial) -> Row {
        let terms = polynomial.terms.iter();
        let terms = terms.map(|(factors, value)| ((factors.len(), factors.clone()), value.clone()));
        let one = Bv::from_u64(polynomial.width(), 1);
        Row { terms: terms.collect(), of: vec![(product, one)] }
    }

    /// Adds a multiple of another row.
    fn add(&mut self, other: &Row, factor: &Bv) {
        for (monomial, value) in &other.terms {
            let more = value.mul(factor);
            let sum = match self.terms.remove(monomial) {
                Some(known) => known.add(&more),
                None => more,
            };
            if !sum.is_zero() {
                self.terms.insert(monomial.clone(), sum);
            }
        }
        for (product, value) in &other.of {
            let more = value.mul(factor);
            match self.of.iter().position(|(known, _)| known == product) {
                Some(place) => self.of[place].1 = self.of[place].1.add(&more),
                None => self.of.push((*product, more)),
            }
        }
        self.of.retain(|(_, value)| !value.is_zero());
    }

    /// The largest monomial with its coefficient, if it is a product.
    fn leading(&self) -> Option<(&Monomial, &Bv)> {
        self.terms.iter().next_back().filter(|((degree, _), _)| *degree > 1)
    }
}

/// What an odd word has to be multiplied with to become one (Newton's iteration doubles the digits).
fn inverse(odd: &Bv) -> Bv {
    let two = Bv::from_u64(odd.width(), 2);
    let two = if odd.width() == 1 { Bv::from_u64(1, 0) } else { two };
    let mut found = odd.clone();
    for _ in 0..u32::BITS {
        found = found.mul(&two.sub(&odd.mul(&found)));
    }
    found
}

/// Whether a term is a product of unknowns.
fn is_product(store: &Store, term: TermId) -> bool {
    store.op(term) == Op::BvMul
        && store.args(term).iter().filter(|arg| store.bv_value(**arg).is_none()).count() > 1
}

/// Whether a term is no product, and its bits are many gates or sums: a shift by an unknown, a division, a conversion.
fn is_costly(store: &Store, term: TermId) -> bool {
    let args = store.args(term);
    let is_open = |at: usize| args.get(at).is_some_and(|&arg| !store.is_literal(arg));
    match store.op(term) {
        Op::BvShl | Op::BvLshr | Op::BvAshr => is_open(1),
        Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem | Op::BvSmod => is_open(0) || is_open(1),
        Op::UbvToInt | Op::SbvToInt | Op::IntToBv(_) => is_open(0),
        _ => false,
    }
}

/// States how the products in force are related.
pub(crate) fn state_related(kernel: &mut Kernel, store: &mut Store) {
    if kernel.is_partitioned || kernel.theory().words.is_empty() {
        return;
    }
    let formulas: Vec<TermId> = kernel.in_force().collect();
    let mut related = std::mem::take(&mut kernel.theory_mut().words.related);
    related.scan(store, &formulas);
    let equations = related.quotients.describe(kernel, store, &related.seen);
    related.scan(store, &equations);
    for consequence in related.consequences(store, &formulas) {
        let clause = consequence.clause(store);
        state(kernel, store, &clause, |_| Leaf::Lemma(Arc::new(consequence)));
    }
    kernel.theory_mut().words.related = related;
}

/// States a clause whose last literal may be an equation, to the gates as well.
pub(super) fn state(
    kernel: &mut Kernel,
    store: &mut Store,
    clause: &[Literal],
    leaf: impl FnOnce(Vec<Literal>) -> Leaf,
) {
    let mut cx = kernel.encoding(store);
    let mut lits = Vec::with_capacity(clause.len());
    for literal in clause {
        lits.push(cx.literal(literal.atom).xor(literal.negated));
    }
    let Some((last, lit)) = clause.last().zip(lits.last().copied()) else { return };
    cx.clause(&lits, leaf(clause.to_vec()));
    // What decides an equation does not tell its gates.
    let lit = lit.xor(last.negated);
    let theory = cx.search.theory_mut();
    let Ok(&[edge]) = theory.words.bits.of(cx.store, last.atom) else { return };
    let compared = gate(&mut cx, edge);
    if compared != lit {
        tie_literals(&mut cx, lit, compared);
    }
}

impl Related {
    /// Looks through formulas for products, sums of them, and equations.
    fn scan(&mut self, store: &Store, formulas: &[TermId]) {
        let mut stack: Vec<(TermId, bool)> = Vec::new();
        for &formula in formulas {
            stack.push((formula, false));
            while let Some((term, is_ready)) = stack.pop() {
                if is_ready {
                    let to = match is_costly(store, term) {
                        true => &mut self.costly,
                        false => &mut self.products,
                    };
                    to.push(term);
                    continue;
                }
                if !self.seen.insert(term) || matches!(store.op(term), Op::Forall | Op::Exists) {
                    continue;
                }
                let args = store.args(term);
                if is_product(store, term) || is_costly(store, term) {
                    stack.push((term, true));
                } else if store.op(term) == Op::Eq && is_atom(store, term) {
                    self.equations.push(term);
                }
                self.quotients.look_at(store, term);
                if !is_ring_operator(store, term) {
                    let is_sum =
                        |arg: &&TermId| is_ring_operator(store, **arg) && !is_product(store, **arg);
                    self.sums.extend(args.iter().filter(is_sum));
                }
                stack.extend(args.iter().map(|arg| (*arg, false)));
            }
        }
    }

    /// What follows of the products from what is in force, as far as it is new.
    fn consequences(&mut self, store: &mut Store, formulas: &[TermId]) -> Vec<Consequence> {
        let counts = [self.products.len(), self.costly.len(), self.equations.len()];
        let max = RELATED_MAX_PRODUCTS.size();
        let (has_products, has_costly) =
            ((1..=max).contains(&counts[0]), (2..=max).contains(&counts[1]));
        if !has_products && !has_costly {
            return Vec::new();
        }
        let now = (equations_among(store, formulas), counts);
        if now == self.last {
            return Vec::new();
        }
        let mut left = RELATED_MAX_WORK.size().saturating_sub(self.work);
        let before = left;
        let mut definitions = Definitions::default();
        for &equation in &now.0 {
            definitions.learn(store, equation, &mut left);
        }
        self.last = now;
        let mut found = Vec::new();
        if has_costly {
            self.relate_costly(store, &mut definitions, &mut left, &mut found);
        }
        if has_products {
            self.relate_products(store, &mut definitions, &mut left, &mut found);
            self.sums.sort_unstable();
            self.sums.dedup();
            self.relate_sums(store, &mut definitions, &mut left, &mut found);
            self.decide_equations(store, &mut definitions, &mut left, &mut found);
        }
        self.work += before - left;
        found.retain(|it| {
            let equation = it.clause(store).last().map(|literal| literal.atom);
            equation.is_some_and(|equation| self.stated.insert((equation, it.premises.clone())))
        });
        found
    }

    /// Says which costly terms are the same with definitions put in.
    fn relate_costly(
        &self,
        store: &mut Store,
        definitions: &mut Definitions,
        left: &mut usize,
        found: &mut Vec<Consequence>,
    ) {
        let mut known: BTreeMap<TermId, TermId> = BTreeMap::new();
        for &term in &self.costly {
            *left = left.saturating_sub(1);
            if *left == 0 {
                return;
            }
            let image = definitions.image(store, term);
            let first = *known.entry(image).or_insert(term);
            if first != term {
                found.extend(definitions.consequence(store, [first, term], true));
            }
        }
    }

    /// Says which products are sums of multiples of others, and of what is no product.
    fn relate_products(
        &self,
        store: &mut Store,
        definitions: &mut Definitions,
        left: &mut usize,
        found: &mut Vec<Consequence>,
    ) {
        let mut rows: BTreeMap<(u32, Monomial), Row> = BTreeMap::new();
        let mut even = Vec::new();
        for &product in &self.products {
            let Some(polynomial) = read(store, definitions, product, left) else { continue };
            let row = Row::new(product, &polynomial);
            if row.leading().is_some_and(|(_, value)| !value.bit(0)) {
                even.push((row, polynomial.width()));
                continue;
            }
            let is_simpler =
                reduce(store, definitions, &rows, row, polynomial.width(), left, found);
            let Some(mut row) = is_simpler else { continue };
            let Some((leading, value)) = row.leading().filter(|(_, value)| value.bit(0)) else {
                continue;
            };
            let (leading, factor) = ((polynomial.width(), leading.clone()), inverse(value));
            row.terms.values_mut().for_each(|value| *value = value.mul(&factor));
            row.of.iter_mut().for_each(|(_, value)| *value = value.mul(&factor));
            rows.insert(leading, row);
        }
        for (row, width) in even {
            reduce(store, definitions, &rows, row, width, left, found);
        }
    }

    /// Says which sums of products are equal to each other or to products.
    fn relate_sums(
        &self,
        store: &mut Store,
        definitions: &mut Definitions,
        left: &mut usize,
        found: &mut Vec<Consequence>,
    ) {
        let mut known: BTreeMap<(u32, Monomials), TermId> = BTreeMap::new();
        for &term in self.products.iter().chain(&self.sums) {
            let Some(polynomial) = read(store, definitions, term, left) else { continue };
            if polynomial.terms.keys().all(|factors| factors.len() < 2) {
                continue;
            }
            let width = polynomial.width();
            let key = polynomial.terms.into_iter();
            let key = key.map(|(factors, value)| (factors, store.bv(value))).collect();
            let first = *known.entry((width, key)).or_insert(term);
            if first != term {
                found.extend(definitions.consequence(store, [first, term], true));
            }
        }
    }

    /// Decides equations whose sides differ by a constant.
    fn decide_equations(
        &self,
        store: &mut Store,
        definitions: &mut Definitions,
        left: &mut usize,
        found: &mut Vec<Consequence>,
    ) {
        for &equation in &self.equations {
            let &[one, other] = store.args(equation) else { continue };
            let images = [one, other].map(|side| definitions.image(store, side));
            if images == [one, other] || definitions.is_used(equation) {
                continue;
            }
            let sides = images.map(|image| polynomial(store, image));
            let [Some(a), Some(b)] = sides else { continue };
            *left = left.saturating_sub(a.terms.len() + b.terms.len());
            let has_product = |it: &WordPolynomial| it.terms.keys().any(|key| key.len() > 1);
            if *left == 0 || !has_product(&a) && !has_product(&b) {
                continue;
            }
            let mut difference = Row::new(one, &a);
            difference.add(&Row::new(other, &b), &Bv::ones(a.width()));
            if difference.terms.keys().all(|(degree, _)| *degree == 0) {
                let holds = difference.terms.is_empty();
                found.extend(definitions.consequence(store, [one, other], holds));
            }
        }
    }
}

/// The equations of words, and those that define other variables, that formulas are conjunctions of.
fn equations_among(store: &Store, formulas: &[TermId]) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut stack: Vec<TermId> = formulas.iter().rev().copied().collect();
    while let Some(term) = stack.pop() {
        match store.op(term) {
            Op::And => stack.extend(store.args(term).iter().rev()),
            Op::Eq if is_atom(store, term) => found.push(term),
            Op::Eq if store.args(term).iter().any(|&side| is_symbol(store, side)) => {
                found.push(term);
            }
            _ => {}
        }
    }
    found
}

/// A word with definitions put in, as a polynomial, unless that is too much.
fn read(
    store: &mut Store,
    definitions: &mut Definitions,
    term: TermId,
    left: &mut usize,
) -> Option<WordPolynomial> {
    if *left == 0 {
        return None;
    }
    let image = definitions.image(store, term);
    let found = polynomial(store, image)?;
    *left = left.saturating_sub(found.terms.keys().map(|factors| 1 + factors.len()).sum());
    Some(found)
}

/// Takes rows away from a product's as long as they have its largest monomial; what is left, if it is a
/// product, and else it is found what the product is.
fn reduce(
    store: &mut Store,
    definitions: &mut Definitions,
    rows: &BTreeMap<(u32, Monomial), Row>,
    mut row: Row,
    width: u32,
    left: &mut usize,
    found: &mut Vec<Consequence>,
) -> Option<Row> {
    let &(product, _) = row.of.first()?;
    while let Some((monomial, value)) = row.leading() {
        let Some(other) = rows.get(&(width, monomial.clone())) else { return Some(row) };
        *left = left.checked_sub(other.terms.len() + other.of.len())?;
        let factor = value.neg();
        row.add(other, &factor);
    }
    if row.of.len() + row.terms.len() > RELATED_MAX_SUMMANDS.size() {
        return None;
    }
    // The product and multiples of others are what is left.
    let mut sum: Option<TermId> = None;
    let others = row.of.iter().filter(|(other, _)| *other != product);
    let others = others.map(|(other, value)| (vec![*other], value.neg()));
    let rest = row.terms.iter().map(|((_, factors), value)| (factors.clone(), value.clone()));
    for (factors, value) in others.chain(rest) {
        let factor = store.bv(value);
        let part = match factors.first() {
            Some(&only) => store.mk(Op::BvMul, &[factor, only]),
            None => factor,
        };
        sum = Some(match sum {
            Some(sum) => store.mk(Op::BvAdd, &[sum, part]),
            None => part,
        });
    }
    let sum = sum.unwrap_or_else(|| store.bv(Bv::from_u64(width, 0)));
    found.extend(definitions.consequence(store, [product, sum], true));
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_words_have_inverses() {
        for width in [1, 2, 3, 8, 64, 65, 1000] {
            for odd in [1, 3, 5, 0xffff_ffff_ffff_fff1, 77] {
                let odd = Bv::from_u64(64, odd);
                let odd = if width < 64 {
                    odd.extract(width - 1, 0)
                } else {
                    odd.zero_extend(width - 64)
                };
                assert_eq!(odd.mul(&inverse(&odd)), Bv::from_u64(width, 1), "{width}");
            }
        }
    }
}
