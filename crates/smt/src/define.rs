//! The defining properties of operators that are neither connectives nor sums.
//!
//! A conditional is one of its branches; a quotient and a remainder make up the dividend; an absolute
//! value is the number or its opposite; the integer part is at most one below. Each property is a
//! clause that `check` knows as an axiom (PROOFS.md, "Connectives" and "Arithmetic").
//!
//! Division by something that is no constant says the same with a product, whose meaning is left
//! to the linearisation of products; division by zero is whatever a function of the dividend is.

use alphorn_sat::Lit;
use alphorn_term::{Int, Op, Rat, SortId, Store, TermId};

use crate::encode::{Encoder, Leaf, Search};
use crate::linear::{Linear, number_of};
use crate::product::Product;
use crate::words;

impl Encoder {
    /// Adds the defining properties of a term.
    pub(crate) fn define(&mut self, search: &mut Search, store: &mut Store, term: TermId) {
        let args = store.args(term).to_vec();
        match store.op(term) {
            Op::Mul => self.define_product(search, store, term, &args),
            Op::Ite => self.define_conditional(search, store, term, &args),
            Op::IntDiv | Op::Mod => self.define_division(search, store, term, &args),
            Op::RealDiv => self.define_quotient(search, store, term, &args),
            Op::Abs => {
                let x = Linear::of(store, args[0]);
                let mut below = Linear::atom(term);
                below.add_scaled(&x, &-Rat::ONE);
                let mut above = Linear::atom(term);
                above.add_scaled(&x, &Rat::ONE);
                let negative = self.at_most_zero(search, store, &x, true, None);
                self.equal_if(search, store, !negative, &below, Leaf::Arithmetic(term));
                self.equal_if(search, store, negative, &above, Leaf::Arithmetic(term));
            }
            Op::ToInt => {
                let mut low = Linear::atom(term);
                low.add_scaled(&Linear::of(store, args[0]), &-Rat::ONE);
                let mut high = low.clone();
                high.scale(&-Rat::ONE);
                high.constant = &high.constant - &Rat::ONE;
                let low = self.at_most_zero(search, store, &low, false, None);
                let high = self.at_most_zero(search, store, &high, true, None);
                self.clause(search, &[low], Leaf::Arithmetic(term));
                self.clause(search, &[high], Leaf::Arithmetic(term));
            }
            Op::UbvToInt | Op::SbvToInt | Op::IntToBv(_) => {
                let Some([left, right]) = words::conversion(store, term) else { return };
                self.visit(search, store, left);
                self.visit(search, store, right);
                let linear = Linear::difference(store, left, right);
                self.equal_if(search, store, self.truth, &linear, Leaf::Arithmetic(term));
            }
            Op::IsInt => {
                let floor = store.mk(Op::ToInt, &[args[0]]);
                let floor_real = store.mk(Op::ToReal, &[floor]);
                let equation = store.eq(args[0], floor_real);
                let same = self.sub_literal(search, store, equation);
                let whole = self.literals[&term];
                self.clause(search, &[!whole, same], Leaf::Arithmetic(term));
                self.clause(search, &[whole, !same], Leaf::Arithmetic(term));
            }
            Op::Field(..) | Op::Is(_) => self.expand(search, store, args[0]),
            _ => {}
        }
    }

    /// The literal of a formula met while properties are being added; what it needs is added
    /// later, as otherwise chains of conditionals would nest calls.
    fn sub_literal(&mut self, search: &mut Search, store: &mut Store, term: TermId) -> Lit {
        self.visit(search, store, term);
        self.lit(store, term)
    }

    /// If `condition`, the polynomial is zero: two clauses.
    fn equal_if(
        &mut self,
        search: &mut Search,
        store: &mut Store,
        condition: Lit,
        linear: &Linear,
        leaf: Leaf,
    ) {
        let mut opposite = linear.clone();
        opposite.scale(&-Rat::ONE);
        for side in [linear, &opposite] {
            let lit = self.at_most_zero(search, store, side, false, None);
            self.clause(search, &[!condition, lit], leaf.clone());
        }
    }

    fn define_conditional(
        &mut self,
        search: &mut Search,
        store: &mut Store,
        term: TermId,
        args: &[TermId],
    ) {
        let condition = self.sub_literal(search, store, args[0]);
        for (condition, branch) in [(condition, args[1]), (!condition, args[2])] {
            if store.sort(term).is_arithmetic() {
                let mut linear = Linear::atom(term);
                linear.add_scaled(&Linear::of(store, branch), &-Rat::ONE);
                self.equal_if(search, store, condition, &linear, Leaf::Conditional(term));
            } else {
                let equation = store.eq(term, branch);
                let same = self.sub_literal(search, store, equation);
                self.clause(search, &[!condition, same], Leaf::Conditional(term));
            }
        }
    }

    fn define_division(
        &mut self,
        search: &mut Search,
        store: &mut Store,
        term: TermId,
        args: &[TermId],
    ) {
        let divisor = number_of(store, args[1]);
        if divisor.as_ref().is_some_and(Rat::is_zero) {
            // Nothing is known but that it is a function, which nobody watches over.
            search.theory_mut().mark_unclear();
            return;
        }
        let quotient = store.mk(Op::IntDiv, args);
        let remainder = store.mk(Op::Mod, args);
        let product = store.mk(Op::Mul, &[args[1], quotient]);
        let mut whole = Linear::of(store, args[0]);
        whole.add_scaled(&Linear::of(store, product), &-Rat::ONE);
        whole.add_scaled(&Linear::of(store, remainder), &-Rat::ONE);
        let mut negative = Linear::of(store, remainder);
        negative.scale(&-Rat::ONE);
        let not_negative = self.at_most_zero(search, store, &negative, false, None);
        let leaf = Leaf::Arithmetic(term);
        if let Some(divisor) = divisor {
            self.equal_if(search, store, self.truth, &whole, leaf.clone());
            self.clause(search, &[not_negative], leaf.clone());
            let mut small = Linear::of(store, remainder);
            small.constant = &small.constant - &divisor.abs();
            let small = self.at_most_zero(search, store, &small, true, None);
            self.clause(search, &[small], leaf);
            return;
        }
        search.theory_mut().mark_unclear();
        let zero = store.number(store.sort(args[1]), &Int::ZERO);
        let equation = store.eq(args[1], zero);
        let is_zero = self.sub_literal(search, store, equation);
        self.equal_if(search, store, !is_zero, &whole, leaf.clone());
        self.clause(search, &[is_zero, not_negative], leaf.clone());
        for sign in [Rat::ONE, -Rat::ONE] {
            // Where sign * divisor is positive, the remainder is below it.
            let mut divisor = Linear::of(store, args[1]);
            divisor.scale(&sign);
            let not_positive = self.at_most_zero(search, store, &divisor, false, None);
            let mut small = Linear::of(store, remainder);
            small.add_scaled(&divisor, &-Rat::ONE);
            let small = self.at_most_zero(search, store, &small, true, None);
            self.clause(search, &[not_positive, small], leaf.clone());
        }
    }

    /// Splits a product into a number, a factor and the rest.
    fn define_product(
        &mut self,
        search: &mut Search,
        store: &mut Store,
        term: TermId,
        args: &[TermId],
    ) {
        let (scale, factors) = match number_of(store, args[0]) {
            Some(number) => (number, &args[1..]),
            None => (Rat::ONE, args),
        };
        let Some((first, rest)) = factors.split_first() else { return };
        let rest = match rest {
            [only] => *only,
            _ => store.mk(Op::Mul, rest),
        };
        self.visit(search, store, rest);
        let (left, right) = (Linear::of(store, *first), Linear::of(store, rest));
        let whole = self.numbers[&term];
        let factors =
            (self.polynomial(search, store, &left), self.polynomial(search, store, &right));
        search.theory_mut().products.push((whole, scale.clone(), factors.0, factors.1));
        self.products.push(Product { term, scale, left, right });
    }

    fn define_quotient(
        &mut self,
        search: &mut Search,
        store: &mut Store,
        term: TermId,
        args: &[TermId],
    ) {
        let divisor = number_of(store, args[1]);
        let product = store.mk(Op::Mul, &[args[1], term]);
        let mut whole = Linear::of(store, args[0]);
        whole.add_scaled(&Linear::of(store, product), &-Rat::ONE);
        let leaf = Leaf::Arithmetic(term);
        match divisor {
            Some(divisor) if divisor.is_zero() => search.theory_mut().mark_unclear(),
            Some(_) => self.equal_if(search, store, self.truth, &whole, leaf),
            None => {
                search.theory_mut().mark_unclear();
                let zero = store.number(SortId::REAL, &Int::ZERO);
                let equation = store.eq(args[1], zero);
                let is_zero = self.sub_literal(search, store, equation);
                self.equal_if(search, store, !is_zero, &whole, leaf);
            }
        }
    }
}
