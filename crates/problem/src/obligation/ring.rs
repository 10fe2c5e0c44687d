//! Words of one width as a ring: terms as polynomials modulo 2ⁿ.
//!
//! A word that is made by `bvadd`, `bvsub`, `bvneg`, `bvnot`, `bvmul` and `bvshl` by a literal is a
//! polynomial in its other parts, the *atoms*: `bvnot x` is −x − 1, and a shift is a product with a
//! power of two. Polynomials are kept multiplied out, a coefficient for each product of atoms, and two
//! terms with the same polynomial are equal whatever the atoms are. The converse does not hold: there are
//! polynomials that are zero everywhere without being zero.
//!
//! Invariant: the work is counted before it is done, and given up beyond `MAX_WORK`.

use alphorn_term::{Bv, Meter, Op, Store, TermId};
use std::collections::BTreeMap;

/// The most work for one polynomial: factors that are put together, and digits of coefficients that are
/// multiplied.
pub const MAX_WORK: usize = 1 << 18;

/// A polynomial over words: products of atoms, as sorted lists with repetitions, and their coefficients,
/// none of them zero. The empty product is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordPolynomial {
    width: u32,
    /// Products with their coefficients.
    pub terms: BTreeMap<Vec<TermId>, Bv>,
}

/// Whether a word is made of others as a polynomial is.
pub fn is_ring_operator(store: &Store, term: TermId) -> bool {
    match (store.op(term), store.args(term)) {
        (Op::BvAdd | Op::BvSub | Op::BvNeg | Op::BvNot | Op::BvMul, _) => true,
        (Op::BvShl, &[_, by]) => store.bv_value(by).is_some(),
        _ => false,
    }
}

/// The difference of the sides of an equation of words; none if the term is no such equation, or the
/// polynomials are too large.
pub fn difference(store: &Store, equation: TermId) -> Option<WordPolynomial> {
    difference_within(store, equation, &Meter::unlimited())
}

/// A word as a polynomial; none if it is no word, or too large a polynomial.
pub fn polynomial(store: &Store, term: TermId) -> Option<WordPolynomial> {
    let width = store.width_of(store.sort(term))?;
    let meter = Meter::unlimited();
    let mut reading =
        Reading { store, width, known: BTreeMap::new(), work: MAX_WORK, meter: &meter };
    reading.read(term)?;
    reading.known.remove(&term)
}

/// `difference`, counted on the caller's meter as well.
pub fn difference_within(store: &Store, equation: TermId, meter: &Meter) -> Option<WordPolynomial> {
    let (Op::Eq, &[left, right]) = (store.op(equation), store.args(equation)) else { return None };
    let width = store.width_of(store.sort(left))?;
    let mut reading = Reading { store, width, known: BTreeMap::new(), work: MAX_WORK, meter };
    reading.read(left)?;
    reading.read(right)?;
    let minus = Bv::ones(width);
    let [left, right] = [left, right].map(|side| reading.known.get(&side));
    let (left, right) = (left?.clone(), right?.clone());
    reading.sum(left, &right, &minus)
}

impl WordPolynomial {
    fn zero(width: u32) -> WordPolynomial {
        WordPolynomial { width, terms: BTreeMap::new() }
    }

    fn product(width: u32, factors: Vec<TermId>, coefficient: Bv) -> WordPolynomial {
        let mut result = WordPolynomial::zero(width);
        result.add(factors, coefficient);
        result
    }

    /// How much it is to copy it.
    fn size(&self) -> usize {
        let digits = self.width.div_ceil(64) as usize;
        self.terms.keys().map(|factors| 1 + factors.len() + digits).sum()
    }

    fn add(&mut self, factors: Vec<TermId>, coefficient: Bv) {
        let sum = match self.terms.remove(&factors) {
            Some(known) => known.add(&coefficient),
            None => coefficient,
        };
        if !sum.is_zero() {
            self.terms.insert(factors, sum);
        }
    }

    /// The value, if no atom occurs.
    pub fn value(&self) -> Option<Bv> {
        match self.terms.iter().next() {
            None => Some(Bv::from_u64(self.width, 0)),
            Some((factors, value)) if factors.is_empty() && self.terms.len() == 1 => {
                Some(value.clone())
            }
            Some(_) => None,
        }
    }

    /// The polynomial with the opposite sign.
    pub fn negated(&self) -> WordPolynomial {
        let negate = |(factors, value): (&Vec<TermId>, &Bv)| (factors.clone(), value.neg());
        WordPolynomial { width: self.width, terms: self.terms.iter().map(negate).collect() }
    }

    /// How many bits the words have.
    pub fn width(&self) -> u32 {
        self.width
    }
}

/// Terms that are being read.
struct Reading<'a> {
    store: &'a Store,
    width: u32,
    known: BTreeMap<TermId, WordPolynomial>,
    work: usize,
    meter: &'a Meter,
}

impl Reading<'_> {
    fn spend(&mut self, work: usize) -> Option<()> {
        self.work = self.work.checked_sub(work)?;
        self.meter.spend(work as u64).ok()
    }

    /// How much it is to multiply coefficients.
    fn digits(&self) -> usize {
        let digits = self.width.div_ceil(64) as usize;
        digits * digits
    }

    /// Reads a term after its parts.
    fn read(&mut self, root: TermId) -> Option<()> {
        let mut stack = vec![(root, false)];
        while let Some((term, is_ready)) = stack.pop() {
            if self.known.contains_key(&term) {
                continue;
            }
            self.spend(1 + self.digits())?;
            let is_inner = is_ring_operator(self.store, term);
            if is_inner && !is_ready {
                stack.push((term, true));
                let parts = match self.store.op(term) {
                    Op::BvShl => &self.store.args(term)[..1],
                    _ => self.store.args(term),
                };
                stack.extend(parts.iter().map(|&part| (part, false)));
                continue;
            }
            let read = match (self.store.bv_value(term), is_inner) {
                (Some(value), _) => WordPolynomial::product(self.width, Vec::new(), value.clone()),
                (None, true) => self.made(term)?,
                (None, false) => {
                    let one = Bv::from_u64(self.width, 1);
                    WordPolynomial::product(self.width, vec![term], one)
                }
            };
            self.known.insert(term, read);
        }
        Some(())
    }

    /// The polynomial of a term whose parts were read.
    fn made(&mut self, term: TermId) -> Option<WordPolynomial> {
        let (width, args) = (self.width, self.store.args(term));
        let one = Bv::from_u64(width, 1);
        let minus = Bv::ones(width);
        // Copies are counted before they are made.
        let mut parts: Vec<WordPolynomial> = Vec::new();
        for part in args.iter().filter(|_| self.store.op(term) != Op::BvShl) {
            let size = self.known.get(part)?.size();
            self.spend(size)?;
            parts.push(self.known.get(part)?.clone());
        }
        let zero = WordPolynomial::zero(width);
        match (self.store.op(term), &parts[..]) {
            (Op::BvAdd, parts) => {
                parts.iter().try_fold(zero, |sum, part| self.sum(sum, part, &one))
            }
            (Op::BvSub, [left, right]) => self.sum(left.clone(), right, &minus),
            (Op::BvNeg, [part]) => self.sum(zero, part, &minus),
            (Op::BvNot, [part]) => {
                let whole = WordPolynomial::product(width, Vec::new(), minus.clone());
                self.sum(whole, part, &minus)
            }
            (Op::BvMul, parts) => {
                let whole = WordPolynomial::product(width, Vec::new(), one);
                parts.iter().try_fold(whole, |product, part| self.multiply(&product, part))
            }
            (Op::BvShl, _) => {
                let &[part, by] = args else { return None };
                let power = one.shl(self.store.bv_value(by)?);
                let part = self.known.get(&part)?.clone();
                self.sum(zero, &part, &power)
            }
            _ => None,
        }
    }

    /// A polynomial plus a multiple of another.
    fn sum(
        &mut self,
        mut sum: WordPolynomial,
        part: &WordPolynomial,
        factor: &Bv,
    ) -> Option<WordPolynomial> {
        for (factors, value) in &part.terms {
            self.spend(1 + factors.len() + self.digits())?;
            sum.add(factors.clone(), value.mul(factor));
        }
        Some(sum)
    }

    fn multiply(
        &mut self,
        left: &WordPolynomial,
        right: &WordPolynomial,
    ) -> Option<WordPolynomial> {
        let mut product = WordPolynomial::zero(self.width);
        for (factors, value) in &left.terms {
            for (more, other) in &right.terms {
                self.spend(1 + factors.len() + more.len() + self.digits())?;
                let mut all = [&factors[..], &more[..]].concat();
                all.sort_unstable();
                product.add(all, value.mul(other));
            }
        }
        Some(product)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alphorn_term::SortId;

    fn words(store: &mut Store, width: u32) -> [TermId; 3] {
        let sort: SortId = store.bv_sort(width);
        ["a", "b", "c"].map(|name| store.var(name, sort))
    }

    fn is_equal(store: &mut Store, left: TermId, right: TermId) -> bool {
        let equation = store.mk(Op::Eq, &[left, right]);
        if equation == TermId::TRUE {
            return true;
        }
        let difference = difference(store, equation).expect("it is small");
        difference.value().is_some_and(|value| value.is_zero())
    }

    #[test]
    fn laws_of_rings_hold_at_all_widths() {
        for width in [1, 2, 12, 32, 63, 64, 65, 200] {
            let mut store = Store::new();
            let [a, b, c] = words(&mut store, width);
            let s = &mut store;
            let pairs = {
                let mul = |s: &mut Store, x, y| s.mk(Op::BvMul, &[x, y]);
                let add = |s: &mut Store, x, y| s.mk(Op::BvAdd, &[x, y]);
                let (ab, ba) = (mul(s, a, b), mul(s, b, a));
                let (bc, ac) = (mul(s, b, c), mul(s, a, c));
                let (left, right) = (mul(s, ab, c), mul(s, a, bc));
                let sum = add(s, b, c);
                let (spread, whole) = (add(s, ab, ac), mul(s, a, sum));
                let a_b = add(s, a, b);
                let square = mul(s, a_b, a_b);
                let (aa, bb) = (mul(s, a, a), mul(s, b, b));
                let twice = add(s, ab, ab);
                let long = add(s, aa, twice);
                let long = add(s, long, bb);
                let (not, neg) = (s.mk(Op::BvNot, &[a]), s.mk(Op::BvNeg, &[a]));
                let one = s.bv(Bv::from_u64(width, 1));
                let neg_less = s.mk(Op::BvSub, &[neg, one]);
                let shifted = s.mk(Op::BvShl, &[a, one]);
                let doubled = add(s, a, a);
                vec![
                    (ab, ba),
                    (left, right),
                    (spread, whole),
                    (square, long),
                    (not, neg_less),
                    (shifted, doubled),
                ]
            };
            for (left, right) in pairs {
                assert!(is_equal(s, left, right), "{width}: {} {}", s.show(left), s.show(right));
            }
            let product = s.mk(Op::BvMul, &[a, b]);
            let sum = s.mk(Op::BvAdd, &[a, b]);
            assert!(!is_equal(s, product, sum));
        }
    }

    #[test]
    fn large_polynomials_are_given_up() {
        let mut store = Store::new();
        let sort = store.bv_sort(32);
        let mut whole = store.bv(Bv::from_u64(32, 1));
        for at in 0..40 {
            let (a, b) = (store.var(&format!("a{at}"), sort), store.var(&format!("b{at}"), sort));
            let sum = store.mk(Op::BvAdd, &[a, b]);
            whole = store.mk(Op::BvMul, &[whole, sum]);
        }
        let x = store.var("x", sort);
        let equation = store.eq(whole, x);
        assert_eq!(difference(&store, equation), None, "two to the forty products");
        let mut power = x;
        for _ in 0..60 {
            power = store.mk(Op::BvMul, &[power, power]);
        }
        let equation = store.eq(power, x);
        assert_eq!(difference(&store, equation), None, "a degree of two to the sixty");
    }
}
