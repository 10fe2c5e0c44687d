//! Universal formulas about trees, constructor by constructor; and those that one instance says all of.
//!
//! `∀y. P(tail(y))` over lists says `∀a b. P(b)` of `cons(a, b)` and `P(tail(nil))`: a variable that selectors and testers
//! are applied to is a constructor of other variables, and what was hidden below a selector is a variable that equations
//! determine and bounds are found for. A model's trees alone would come one by one. Selectors become
//! fewer each time, so this ends. It is done where the variable stands below selectors, testers and equations alone: a
//! function of it would be one of larger terms.
//!
//! Fields that equations determine are what they are determined to be. Where equations determine all variables (`∀a b. b ≠ t`), the instance with their terms is the formula.
//!
//! Invariant: a case follows from its formula, by a witness of where it fails and the instance for that; all cases together are
//! the formula, since trees have no other constructors. After Reynolds, Blanchette, A decision procedure for (co)datatypes
//! in SMT solvers (JAR 2017), for the cases.

use std::sync::Arc;

use alphorn_problem::evidence::proof::{Literal, Rule, StepId};
use alphorn_term::{Op, Sort, Store, Substitution, TermId};

use super::determined::{determined, resolved};
use super::fresh_for;
use super::trigger::Pattern;
use crate::theories::encode::{Leaf, Lemma};
use crate::theories::kernel::Kernel;
use crate::theories::proof::Writer;
use crate::theories::proof::leaf::stated;

/// The terms of the instance that says all that a formula says, if there is one.
pub(super) fn only_instance(
    store: &mut Store,
    quantifier: TermId,
    pattern: &Pattern,
) -> Option<Vec<TermId>> {
    let terms: Substitution = determined(store, quantifier).into_iter().collect();
    let is_free = |store: &Store, term: TermId| {
        let inside = store.free_vars(&[term]);
        inside.iter().all(|var| !pattern.vars.contains(var) && !pattern.inner.contains(var))
    };
    let found = pattern.vars.iter().map(|var| terms.get(var).copied());
    let found: Vec<TermId> = found.collect::<Option<_>>()?;
    let mut pairs = pattern.vars.iter().zip(&found);
    let fits =
        pairs.all(|(var, term)| store.sort(*var) == store.sort(*term) && is_free(store, *term));
    fits.then_some(found)
}

/// The position of a variable that is to be a constructor.
pub(super) fn place(store: &Store, quantifier: TermId, pattern: &Pattern) -> Option<usize> {
    if store.annotations(quantifier).is_some_and(|given| !given.patterns.is_empty()) {
        return None;
    }
    let subterms = store.subterms(&[pattern.body]);
    pattern.vars.iter().position(|var| {
        if !matches!(store.sort_of(store.sort(*var)), Sort::Data(_)) {
            return false;
        }
        let mut is_taken_apart = false;
        subterms.iter().all(|&term| match store.op(term) {
            _ if !store.args(term).contains(var) => true,
            Op::Field(..) | Op::Is(_) => {
                is_taken_apart = true;
                true
            }
            Op::Eq => true,
            _ => false,
        }) && is_taken_apart
    })
}

/// States the cases of a formula for a variable.
pub(super) fn state_cases(kernel: &mut Kernel, store: &mut Store, quantifier: TermId, at: usize) {
    let pattern = kernel.theory().quantifiers.known[&quantifier].pattern.clone();
    let var = pattern.vars[at];
    let Sort::Data(data) = *store.sort_of(store.sort(var)) else { return };
    let is_positive = store.op(quantifier) == Op::Forall;
    for ctor in store.data(data).ctors.clone() {
        let sorts: Vec<_> = store.ctor(ctor).fields.iter().map(|(_, sort)| *sort).collect();
        let fields: Vec<TermId> =
            sorts.into_iter().map(|sort| store.fresh_var("field", sort)).collect();
        let tree = store.mk(Op::Construct(ctor), &fields);
        let body = store.rename(pattern.body, &[var], &[tree]);
        let mut vars = pattern.vars.clone();
        vars.remove(at);
        vars.extend(&fields);
        // What equations determine is that, or the case says nothing.
        let terms: Substitution = resolved(store, &vars, body, !is_positive).into_iter().collect();
        let body = store.substitute(body, &terms);
        let tree = store.substitute(tree, &terms);
        let mentioned = store.free_vars(&[body]);
        vars.retain(|var| mentioned.contains(var));
        let case = match vars.is_empty() {
            true => body,
            false => {
                let args: Vec<TermId> = vars.iter().copied().chain([body]).collect();
                store.mk(store.op(quantifier), &args)
            }
        };
        let own = pattern.vars.iter().map(|own| match *own == var {
            true => tree,
            false => terms.get(own).copied().unwrap_or(*own),
        });
        let trees = own.collect();
        kernel.theory_mut().quantifiers.note(store, (quantifier, Vec::new(), case));
        let lemma = Case { quantifier, pattern: pattern.clone(), trees, case, vars };
        let mut cx = kernel.encoding(store);
        let lit = cx.literal(case).xor(!is_positive);
        let own = cx.literal(quantifier).xor(is_positive);
        cx.clause(&[own, lit], Leaf::Lemma(Arc::new(lemma)));
    }
}

/// That a formula implies one of its cases.
struct Case {
    quantifier: TermId,
    pattern: Pattern,
    /// What the variables of the formula are in it.
    trees: Vec<TermId>,
    case: TermId,
    /// The variables of the case.
    vars: Vec<TermId>,
}

impl Lemma for Case {
    fn prove(&self, writer: &mut Writer<'_>, clause: &[Literal]) -> Option<StepId> {
        let store = &mut *writer.store;
        let op = store.op(self.quantifier);
        let is_positive = op == Op::Forall;
        let witnesses = fresh_for(store, &self.vars);
        let map: Substitution = self.vars.iter().copied().zip(witnesses.iter().copied()).collect();
        let terms: Vec<TermId> =
            self.trees.iter().map(|term| store.substitute(*term, &map)).collect();
        let body = store.rename(self.pattern.body, &self.pattern.vars, &terms);
        let with_sign = |store: &Store, term, is_plain: bool| {
            let literal = Literal::of(store, term);
            if is_plain { literal } else { !literal }
        };
        let own = Literal { atom: self.quantifier, negated: is_positive };
        let instance = [own, with_sign(store, body, is_positive)];
        let case = with_sign(store, self.case, is_positive);
        let from = [own, case];
        let filled = self.pattern.fill(&terms);
        let step = writer.push(stated(&instance), Rule::Instantiate(filled));
        if self.vars.is_empty() {
            return writer.represent(step, &instance, clause);
        }
        let store = &mut *writer.store;
        if store.op(self.case) != op || store.bound_vars(self.case) != self.vars {
            return None;
        }
        let witnessed = [case, with_sign(store, body, !is_positive)];
        let other = writer.push(stated(&witnessed), Rule::Skolem(witnesses));
        let whole = writer.rup(stated(&from), vec![step, other]);
        writer.represent(whole, &from, clause)
    }
}
