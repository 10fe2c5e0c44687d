//! Products of unknowns: lemmas about those that a model has wrong.
//!
//! To the theories a product is an unknown like others. When a complete assignment gives it a value
//! other than the product of its factors' values, the query stops, clauses that the assignment
//! violates are added, and it is asked again. With factors `a`, `b` of values `u`, `v`:
//!
//! - the product of factors with known signs has a sign, and is zero exactly when a factor is;
//! - tangent planes: `(a - u)(b - v)` has the sign that the signs of its factors give it;
//! - where a factor has its value, the product is the other factor's multiple;
//! - two products with a common factor differ by its product with a difference, and squares of sums and differences
//!   are not negative;
//! - an equation times the other factor of a product of one of its unknowns is one, too (`equations`);
//! - so is a bound of several unknowns times such a factor (`bounds`);
//! - a square is below the line between two squares around it (`squares`);
//! - a factor that is a whole number and not zero is at least one in size (`units`).
//!
//! Products that no formula in force has may be wrong (`in_force`).
//!
//! All of these are instances of one fact: where `p` and `q` have known signs, so has `p·q`. The search
//! may go on for ever, so rounds are counted; the answer is then unknown.
//!
//! After Cimatti et al., Incremental linearization (TOCL 2018).

mod bounds;
mod equations;
mod in_force;
mod proof;
mod squares;
mod units;

use std::collections::BTreeSet;
use std::sync::Arc;

use alphorn_sat::{Context, FinalCheck, Lit};
use alphorn_term::{Op, Rat, Store, TermId};

use crate::arith::Var as Form;
use crate::linear::{Linear, number_of};
use crate::options::Options;
use crate::settings::PRODUCTS_MAX_BOUNDS;
use crate::theories::Theories;
use crate::theories::agreement::{self, Polynomial};
use crate::theories::arithmetic::encode::{at_most_zero, polynomial};
use crate::theories::arithmetic::quotients;
use crate::theories::encode::{Encoding, Leaf};
use crate::theories::kernel::Kernel;
use crate::theories::theory::Theory;
use in_force::InForce;

/// Products of unknowns.
#[derive(Default)]
pub(crate) struct Products {
    terms: Vec<Product>,
    /// The unknowns that they are, a number, and the factors, whose product times the number it is.
    values: Vec<(Form, Rat, Polynomial, Polynomial)>,
    /// The lemmas that were added.
    lemmas: BTreeSet<Vec<Lit>>,
    /// The assignment at which the search stopped.
    snapshot: Vec<Rat>,
    /// The equations that held there.
    equations: Vec<Linear>,
    /// The bounds that it was at.
    reached: Vec<(Linear, bool)>,
    /// How often models may still be refined in this query.
    rounds: u32,
    /// How many equations may still be multiplied in it.
    multiples: usize,
    /// How many bounds may be.
    bounds: usize,
    /// How many products there were when the query began.
    begun: usize,
    /// What it has to have right, everything if there is nothing here.
    in_force: Option<InForce>,
    /// Whether it looks at the others all the same.
    is_wide: bool,
    /// Whether products that lemmas bring are products like others, and not only unknowns.
    pub(crate) is_thorough: bool,
    /// Whether these were looked for in it.
    has_looked: bool,
}

impl Products {
    /// Those that formulas in force have and that lemmas made in this query, as far as is known.
    pub(crate) fn at_hand(&self) -> Vec<Product> {
        let is_at_hand = |(place, product): &(usize, &Product)| {
            self.is_wide || *place >= self.begun || self.is_in_force(product.term)
        };
        let found = self.terms.iter().enumerate().filter(is_at_hand);
        found.map(|(_, product)| product.clone()).collect()
    }

    /// The numbers of the last assignment that had one wrong.
    pub(crate) fn wrong(&self) -> &[Rat] {
        &self.snapshot
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Whether the query has to have a product right, as far as that is known.
    fn is_in_force(&self, term: TermId) -> bool {
        self.in_force.as_ref().is_none_or(|it| it.products.contains(&term))
    }

    /// Whether the products that have to be are those of their factors, where the unknowns are these numbers.
    fn are_right_at(&self, numbers: &[Rat]) -> bool {
        let evaluate = |polynomial: &Polynomial| {
            let (terms, constant) = polynomial;
            terms.iter().fold(constant.clone(), |sum, (form, factor)| {
                &sum + &(&numbers[form.0 as usize] * factor)
            })
        };
        let mut all = self.values.iter().zip(&self.terms);
        all.all(|((whole, scale, left, right), product)| {
            !self.is_in_force(product.term)
                || &(&evaluate(left) * &evaluate(right)) * scale == numbers[whole.0 as usize]
        })
    }
}

impl Theory for Products {
    fn define(cx: &mut Encoding<'_>, term: TermId) -> bool {
        let is_product = cx.store.op(term) == Op::Mul;
        if is_product {
            define(cx, term);
        }
        is_product
    }

    fn final_check(theories: &mut Theories, _: &mut Context<'_>) -> FinalCheck {
        if are_right(theories) {
            return FinalCheck::Consistent;
        }
        theories.has_stopped = true;
        FinalCheck::Unknown
    }

    fn begin(&mut self, options: &Options) {
        self.rounds = options.product_rounds;
        self.multiples = equations::MAX_MULTIPLES;
        self.bounds = PRODUCTS_MAX_BOUNDS.size();
        self.begun = self.terms.len();
        self.in_force = None;
        self.is_wide = false;
        self.has_looked = false;
    }

    fn resume(kernel: &mut Kernel, store: &mut Store) -> bool {
        if look_at_formulas(kernel, store) {
            return true;
        }
        let products = &mut kernel.theory_mut().products;
        match products.rounds.checked_sub(1) {
            Some(left) => products.rounds = left,
            None => return false,
        }
        refine(kernel, store)
    }
}

/// A product of two factors, both polynomials.
#[derive(Clone, Debug)]
pub(crate) struct Product {
    pub(crate) term: TermId,
    /// What the factors' product is multiplied with.
    pub(crate) scale: Rat,
    pub(crate) left: Linear,
    pub(crate) right: Linear,
}

impl Product {
    /// The product of the factors alone, as a multiple of the term.
    fn factors(&self) -> Option<Linear> {
        let mut whole = Linear::atom(self.term);
        whole.scale(&self.scale.recip()?);
        Some(whole)
    }
}

/// Two factors with their signs, 1 or -1, and whether neither is zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signs {
    /// The product that this is about.
    pub(crate) product: TermId,
    pub(crate) factors: [(Linear, Rat); 2],
    pub(crate) is_strict: bool,
}

/// With more products, they are not compared with each other.
const MAX_COMPARED: usize = 40;

/// A number nearby that is short, where the number is long: tangent planes at long numbers make
/// the next numbers longer still.
fn simple(number: &Rat) -> Rat {
    const SHORT: usize = 24;
    if number.numerator().bit_len().max(number.denominator().bit_len()) <= SHORT {
        return number.clone();
    }
    let scale = Rat::from(16);
    &Rat::from((number * &scale).floor()) / &scale
}

/// A product as a number, a factor and the product of the others.
fn split(store: &mut Store, term: TermId) -> Option<(Rat, TermId, TermId)> {
    let args = store.args(term).to_vec();
    let (scale, factors) = match number_of(store, args[0]) {
        Some(number) => (number, &args[1..]),
        None => (Rat::ONE, &args[..]),
    };
    let (first, rest) = factors.split_first()?;
    let rest = match rest {
        [] => return None,
        [only] => *only,
        _ => store.mk(Op::Mul, rest),
    };
    Some((scale, *first, rest))
}

/// Takes note of a product and its factors.
fn define(cx: &mut Encoding<'_>, term: TermId) {
    let Some((scale, first, rest)) = split(cx.store, term) else { return };
    cx.visit(rest);
    let (left, right) = (Linear::of(cx.store, first), Linear::of(cx.store, rest));
    let whole = cx.theory().arithmetic.numbers[&term];
    let factors = (polynomial(cx, &left), polynomial(cx, &right));
    let products = &mut cx.theory_mut().products;
    products.values.push((whole, scale.clone(), factors.0, factors.1));
    products.terms.push(Product { term, scale, left, right });
}

/// Whether each product is the product of its factors; if not, remembers the numbers.
fn are_right(theories: &mut Theories) -> bool {
    if theories.products.is_empty() {
        return true;
    }
    let numbers = agreement::numbers(theories);
    let is_right = theories.products.are_right_at(&numbers);
    if !is_right {
        theories.products.equations = equations::fixed(theories);
        theories.products.reached = bounds::reached(theories);
        theories.products.snapshot = numbers;
    }
    is_right
}

/// Finds out, once in a query, which products it has to have right; whether the assignment at which the search stopped has
/// them right.
fn look_at_formulas(kernel: &mut Kernel, store: &mut Store) -> bool {
    if kernel.theory().products.has_looked {
        return false;
    }
    let found = InForce::find(kernel, store);
    let products = &mut kernel.theory_mut().products;
    products.has_looked = true;
    products.in_force = found;
    products.are_right_at(&products.snapshot)
}

/// Where the search stopped.
struct Stop {
    numbers: Vec<Rat>,
    equations: Vec<Linear>,
    reached: Vec<(Linear, bool)>,
}

/// Adds lemmas that the assignment at which the search stopped violates; whether there are any.
fn refine(kernel: &mut Kernel, store: &mut Store) -> bool {
    let products = &mut kernel.theory_mut().products;
    let stop = Stop {
        numbers: std::mem::take(&mut products.snapshot),
        equations: std::mem::take(&mut products.equations),
        reached: std::mem::take(&mut products.reached),
    };
    let mut is_refined = refine_at(kernel, store, &stop);
    // What earlier queries have made of the same products may say more.
    let products = &mut kernel.theory_mut().products;
    if !is_refined && products.in_force.is_some() && !products.is_wide {
        products.is_wide = true;
        is_refined = refine_at(kernel, store, &stop);
    }
    kernel.theory_mut().products.snapshot = stop.numbers;
    is_refined
}

/// Whether a formula in force divides by an unknown, or by zero.
fn is_dividing(kernel: &Kernel) -> bool {
    match &kernel.theory().products.in_force {
        Some(it) => it.is_dividing,
        None => !kernel.theory().arithmetic.quotients.is_empty(),
    }
}

/// Adds lemmas about the products at hand.
fn refine_at(kernel: &mut Kernel, store: &mut Store, stop: &Stop) -> bool {
    let Stop { numbers, equations, reached } = stop;
    let is_dividing = is_dividing(kernel);
    let mut is_refined = false;
    for product in kernel.theory().products.at_hand() {
        let theory = kernel.theory();
        let value = |linear: &Linear| theory.arithmetic.evaluate(linear, numbers, |_| Rat::ZERO);
        let (left, right) = (value(&product.left), value(&product.right));
        let whole = value(&Linear::atom(product.term));
        if &(&left * &right) * &product.scale == whole {
            continue;
        }
        is_refined |= squares::add(kernel, store, &product, &left, &whole);
        let (left, right) = (simple(&left), simple(&right));
        for (left, right) in [(Rat::ZERO, Rat::ZERO), (left, right)] {
            is_refined |= add_signs(kernel, store, &product, &left, &right);
        }
        if is_dividing {
            let factors = [product.left.clone(), product.right.clone()];
            is_refined |= units::add(kernel, store, numbers, product.term, &factors);
        }
    }
    is_refined |= quotients::agree(kernel, store, numbers);
    is_refined |= equations::multiply(kernel, store, numbers, equations);
    is_refined |= compare(kernel, store, numbers);
    // Beside divisions whole factors say more, and products that are new are in their way.
    let is_multiplied = !is_dividing && bounds::multiply(kernel, store, numbers, reached);
    is_refined |= is_multiplied;
    if is_dividing || is_multiplied || kernel.theory().products.is_thorough {
        // What lemmas brought are products as well.
        kernel.encoding(store).settle();
    }
    is_refined
}

/// Adds signs of products of differences that the assignment has wrong: `(a - c)·b` where `a·b` and `c·b` are known, and
/// `(a - b)·(a - b)` and `(a + b)·(a + b)` where squares are.
fn compare(kernel: &mut Kernel, store: &mut Store, numbers: &[Rat]) -> bool {
    let terms = kernel.theory().products.at_hand();
    if terms.len() > MAX_COMPARED {
        return false;
    }
    let mut is_refined = false;
    for (at, one) in terms.iter().enumerate() {
        for other in &terms[at + 1..] {
            for [left, shared, right] in shared_factor(one, other) {
                // (a - c)·b: a·b less c·b.
                let mut difference = left.clone();
                difference.add_scaled(&right, &-Rat::ONE);
                let Some(mut whole) = one.factors() else { continue };
                let Some(minus) = other.factors() else { continue };
                whole.add_scaled(&minus, &-Rat::ONE);
                is_refined |=
                    add_wrong(kernel, store, numbers, one.term, [difference, shared], whole);
            }
            if is_dividing(kernel) {
                is_refined |= units::compare(kernel, store, numbers, [one, other]);
            }
        }
        if one.left == one.right {
            continue;
        }
        let square = |factor: &Linear| {
            let found = terms.iter().find(|term| term.left == *factor && term.right == *factor);
            found.and_then(Product::factors)
        };
        let (Some(left), Some(right), Some(mixed)) =
            (square(&one.left), square(&one.right), one.factors())
        else {
            continue;
        };
        for sign in [Rat::ONE, -Rat::ONE] {
            let mut sum = one.left.clone();
            sum.add_scaled(&one.right, &sign);
            let mut whole = left.clone();
            whole.add_scaled(&right, &Rat::ONE);
            whole.add_scaled(&mixed, &(&sign + &sign));
            is_refined |= add_wrong(kernel, store, numbers, one.term, [sum.clone(), sum], whole);
        }
    }
    is_refined
}

/// The ways in which two products have a factor in common: the first's other factor, the common one, the second's other.
fn shared_factor(one: &Product, other: &Product) -> Vec<[Linear; 3]> {
    let mut found = Vec::new();
    for (shared, left) in [(&one.left, &one.right), (&one.right, &one.left)] {
        for (also, right) in [(&other.left, &other.right), (&other.right, &other.left)] {
            if shared == also && left != right {
                found.push([left.clone(), shared.clone(), right.clone()]);
            }
        }
    }
    found.dedup();
    found
}

/// Adds the signs of a product of polynomials if its value has another than its factors' values give it.
fn add_wrong(
    kernel: &mut Kernel,
    store: &mut Store,
    numbers: &[Rat],
    product: TermId,
    factors: [Linear; 2],
    whole: Linear,
) -> bool {
    let theory = kernel.theory();
    let value = |linear: &Linear| theory.arithmetic.evaluate(linear, numbers, |_| Rat::ZERO);
    let expected = value(&factors[0]).signum() * value(&factors[1]).signum();
    if value(&whole).signum() == expected {
        return false;
    }
    add_all_signs(kernel, store, product, factors, &whole)
}

/// Adds that `(a - u)(b - v)` has the sign of its factors, for all signs, and is zero if one is.
fn add_signs(kernel: &mut Kernel, store: &mut Store, product: &Product, u: &Rat, v: &Rat) -> bool {
    let mut left = product.left.clone();
    left.constant = &left.constant - u;
    let mut right = product.right.clone();
    right.constant = &right.constant - v;
    // (a - u)(b - v) = ab - ub - va + uv, where ab is a multiple of the term.
    let Some(mut whole) = product.factors() else { return false };
    whole.add_scaled(&product.right, &-u.clone());
    whole.add_scaled(&product.left, &-v.clone());
    whole.constant = &whole.constant + &(u * v);
    add_all_signs(kernel, store, product.term, [left, right], &whole)
}

/// Adds that a product of polynomials has the sign of its factors, for all signs, and is zero if one is.
fn add_all_signs(
    kernel: &mut Kernel,
    store: &mut Store,
    product: TermId,
    factors: [Linear; 2],
    whole: &Linear,
) -> bool {
    add_signs_of(kernel, store, product, factors, whole, &[false, true])
}

/// Adds that a product of polynomials has the sign of its factors, for all signs, for factors that may be zero or may not.
fn add_signs_of(
    kernel: &mut Kernel,
    store: &mut Store,
    product: TermId,
    [left, right]: [Linear; 2],
    whole: &Linear,
    strictness: &[bool],
) -> bool {
    let mut is_refined = false;
    for left_sign in [Rat::ONE, -Rat::ONE] {
        for right_sign in [Rat::ONE, -Rat::ONE] {
            for &is_strict in strictness {
                let factors =
                    [(left.clone(), left_sign.clone()), (right.clone(), right_sign.clone())];
                is_refined |= add_sign(kernel, store, product, factors, whole, is_strict);
            }
        }
    }
    is_refined
}

/// Adds that a product of polynomials has the sign of its factors, for one sign of each.
fn add_sign(
    kernel: &mut Kernel,
    store: &mut Store,
    product: TermId,
    factors: [(Linear, Rat); 2],
    whole: &Linear,
    is_strict: bool,
) -> bool {
    let [(left, left_sign), (right, right_sign)] = &factors;
    let clause = [
        !sign_literal(kernel, store, left, left_sign, is_strict),
        !sign_literal(kernel, store, right, right_sign, is_strict),
        sign_literal(kernel, store, whole, &(left_sign * right_sign), is_strict),
    ];
    add_lemma(kernel, store, &clause, Signs { product, factors, is_strict })
}

/// The literal that `sign * linear` is at least zero, or above it.
fn sign_literal(
    kernel: &mut Kernel,
    store: &mut Store,
    linear: &Linear,
    sign: &Rat,
    is_strict: bool,
) -> Lit {
    let mut linear = linear.clone();
    linear.scale(&-sign.clone());
    at_most_zero(&mut kernel.encoding(store), &linear, is_strict, None)
}

/// Adds a lemma unless it was added before.
fn add_lemma(kernel: &mut Kernel, store: &mut Store, clause: &[Lit], signs: Signs) -> bool {
    let mut key = clause.to_vec();
    key.sort_unstable();
    if !kernel.theory_mut().products.lemmas.insert(key) {
        return false;
    }
    kernel.encoding(store).clause(clause, Leaf::Lemma(Arc::new(signs)));
    true
}
