//! Numbers as unknowns of arithmetic, comparisons as bounds.
//!
//! A sum is a polynomial over unknowns; a comparison is a bound of its form, scaled so that multiples of
//! one another are one form; an equation is a variable tied to two bounds.

use super::{Encoder, Leaf, Search};
use crate::arith::{Delta, Var as Form};
use crate::atoms::{at_most, below};
use crate::combine::{Polynomial, normalizing_factor};
use crate::linear::Linear;
use alphorn_problem::evidence::proof::Literal;
use alphorn_sat::Lit;
use alphorn_term::{Op, Rat, SortId, Store, TermId};

impl Encoder {
    /// The polynomial over unknowns of arithmetic that a term is.
    pub(crate) fn polynomial(
        &mut self,
        search: &mut Search,
        store: &mut Store,
        linear: &Linear,
    ) -> Polynomial {
        let mut terms = Vec::with_capacity(linear.terms.len());
        for (atom, factor) in &linear.terms {
            terms.push((self.unknown(search, store, *atom), factor.clone()));
        }
        terms.sort_unstable_by_key(|(form, _)| *form);
        (terms, linear.constant.clone())
    }

    /// The unknown of arithmetic for a term that is no sum.
    pub(super) fn unknown(&mut self, search: &mut Search, store: &mut Store, atom: TermId) -> Form {
        if let Some(form) = self.numbers.get(&atom) {
            return *form;
        }
        let theory = search.theory_mut();
        let is_int = store.sort(atom) == SortId::INT;
        // Values of functions start out different, so that theories need not agree on many that
        // are equal by chance.
        let start = match store.op(atom) {
            Op::Apply(_) if !store.args(atom).is_empty() => self.applications.len() as i64,
            Op::Field(..) => self.data.len() as i64,
            _ => 0,
        };
        let form = theory.arith.new_var_at(is_int, start.into());
        // Until there are literals about it.
        theory.arith.watch(form, false);
        theory.forms.insert(form, vec![(form, Rat::ONE)]);
        self.numbers.insert(atom, form);
        self.unknowns.insert(form, atom);
        self.visit(search, store, atom);
        form
    }

    /// The literal that a polynomial is at most zero, or below it.
    pub(crate) fn at_most_zero(
        &mut self,
        search: &mut Search,
        store: &mut Store,
        linear: &Linear,
        is_strict: bool,
        term: Option<TermId>,
    ) -> Lit {
        if linear.is_constant() {
            let zero = &linear.constant;
            let holds = zero.is_negative() || (zero.is_zero() && !is_strict);
            return self.truth.xor(!holds);
        }
        let (mut terms, constant) = self.polynomial(search, store, linear);
        let factor = normalizing_factor(&terms);
        terms.iter_mut().for_each(|(_, value)| *value = &*value * &factor);
        let number = -(&constant * &factor);
        let theory = search.theory_mut();
        let form = theory.form(&terms);
        let is_int = theory.arith.is_int(form);
        match factor.is_negative() {
            false => self.upper(search, form, at_most(&number, is_strict, is_int), term, false),
            true => !self.upper(search, form, below(&number, is_strict, is_int), term, true),
        }
    }

    /// The literal of an upper bound; `term` says it, or its negation, if it has to be made.
    pub(super) fn upper(
        &mut self,
        search: &mut Search,
        form: Form,
        bound: Delta,
        term: Option<TermId>,
        is_negated: bool,
    ) -> Lit {
        if let Some(lit) = search.theory().atoms.upper(form, &bound) {
            return lit;
        }
        let var = self.variable_for(search, term.map(|atom| Literal { atom, negated: is_negated }));
        let theory = search.theory_mut();
        theory.arith.watch(form, true);
        theory.atoms.add_upper(var, form, bound);
        var.positive()
    }

    pub(super) fn comparison(
        &mut self,
        search: &mut Search,
        store: &mut Store,
        term: TermId,
        is_strict: bool,
    ) -> Lit {
        let linear = Linear::difference(store, store.args(term)[0], store.args(term)[1]);
        self.at_most_zero(search, store, &linear, is_strict, Some(term))
    }

    /// An equation of numbers: a variable, and clauses that tie it to its bounds.
    pub(super) fn number_equation(
        &mut self,
        search: &mut Search,
        store: &mut Store,
        term: TermId,
        left: TermId,
        right: TermId,
    ) -> Lit {
        let linear = Linear::difference(store, left, right);
        let equation = self.variable(search, Some(term));
        let e = equation.positive();
        self.bind_equation(search, store, e, &linear, term);
        if let (Some(left), Some(right)) = (self.nodes.get(&left), self.nodes.get(&right)) {
            let theory = search.theory_mut();
            if theory.atoms.equality(*left, *right).is_none() {
                theory.atoms.add_equality(equation, *left, *right);
                theory.euf.watch_equality(*left, *right, equation.0);
            }
        }
        e
    }

    pub(super) fn bind_equation(
        &mut self,
        search: &mut Search,
        store: &mut Store,
        e: Lit,
        linear: &Linear,
        term: TermId,
    ) {
        if linear.is_constant() {
            let lit = e.xor(!linear.constant.is_zero());
            let leaf = match linear.constant.is_zero() {
                true => Leaf::Trichotomy(term),
                false => Leaf::Theory,
            };
            self.clause(search, &[lit], leaf);
            return;
        }
        let factor = linear.primitive_factor();
        if linear.is_over_integers(store) && !(&linear.constant * &factor).is_integer() {
            self.clause(search, &[!e], Leaf::Theory);
            return;
        }
        let at_most = self.at_most_zero(search, store, linear, false, None);
        let mut opposite = linear.clone();
        opposite.scale(&-Rat::ONE);
        let at_least = self.at_most_zero(search, store, &opposite, false, None);
        search.theory_mut().justification.define_and(e, [at_most, at_least]);
        self.is_defining = true;
        self.clause(search, &[!e, at_most], Leaf::Theory);
        self.clause(search, &[!e, at_least], Leaf::Theory);
        self.clause(search, &[e, !at_most, !at_least], Leaf::Trichotomy(term));
        self.is_defining = false;
    }

    /// A number that is no sum and no literal becomes an unknown.
    pub(super) fn number(&mut self, search: &mut Search, store: &mut Store, term: TermId) {
        match store.op(term) {
            Op::Add | Op::IntVal(_) | Op::RealVal(_) | Op::ToReal => return,
            Op::Mul if crate::linear::number_of(store, store.args(term)[0]).is_some() => {
                if store.args(term).len() == 2 {
                    return;
                }
                self.pending.push(term);
            }
            Op::Mul => self.pending.push(term),
            Op::Var(_) | Op::Apply(_) | Op::Select | Op::Field(..) => {}
            Op::Ite | Op::IntDiv | Op::Mod | Op::Abs | Op::ToInt | Op::RealDiv => {
                self.pending.push(term);
            }
            Op::UbvToInt | Op::SbvToInt => self.pending.push(term),
            _ => search.theory_mut().mark_unclear(),
        }
        self.unknown(search, store, term);
    }
}
