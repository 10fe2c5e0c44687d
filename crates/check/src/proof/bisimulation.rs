//! Codatatypes: values that cannot be told apart are equal.
//!
//! The terms come in pairs (s₀, t₀), …, (sₙ, tₙ) of applications of one constructor of a codatatype each. The
//! clause says s₀ ≐ t₀ unless one of some equations is false. Where those hold, arguments at the same place are equal,
//! or equal to the sides of a pair: the pairs are a bisimulation, and bisimilar values of codatatypes are equal.
//!
//! After Reynolds, Blanchette, "A decision procedure for (co)datatypes in SMT solvers" (CADE 2015), whose rule this
//! is.

use super::context::{Context, TRUE};
use alphorn_problem::evidence::proof::Literal;
use alphorn_term::value::cardinality;
use alphorn_term::{CtorId, Op, Store, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The ticks of making an equation.
const EQUATION: u64 = 16;

/// The clause says that the first two terms are equal where the equations hold that make the pairs a
/// bisimulation; without terms, that two terms of a sort with one value are equal.
pub(super) fn bisimulation(
    context: &mut Context,
    clause: &[Literal],
    terms: &[TermId],
) -> Result<(), String> {
    if terms.is_empty() {
        return only_value(context, clause);
    }
    let (pairs, []) = terms.as_chunks::<2>() else {
        return Err("the terms do not come in pairs".to_owned());
    };
    context.spend(EQUATION * (clause.len() + terms.len()) as u64)?;
    for &[left, right] in pairs {
        context.known(left)?;
        context.known(right)?;
        let ctor = constructor(context.store(), left);
        if ctor.is_none() || ctor != constructor(context.store(), right) {
            return Err("a pair is not of one constructor of a codatatype".to_owned());
        }
    }
    let given = Given::of(context, clause, pairs);
    for &[left, right] in pairs {
        for place in 0..context.store().args(left).len() {
            let (a, b) = (context.store().args(left)[place], context.store().args(right)[place]);
            if !given.are_equal(context, a, b)? && !given.are_paired(context, a, b)? {
                return Err("arguments of a pair are neither equal nor a pair".to_owned());
            }
        }
    }
    let [left, right] = pairs[0];
    let conclusion = context.equality(left, right)?;
    match clause.contains(&conclusion) {
        true => Ok(()),
        false => Err("the clause does not say that the first pair is equal".to_owned()),
    }
}

/// What holds where the clause is false.
struct Given {
    literals: FxHashSet<Literal>,
    /// What terms are equal to, by equations of the clause.
    equals: FxHashMap<TermId, Vec<TermId>>,
    pairs: FxHashSet<[TermId; 2]>,
}

impl Given {
    fn of(context: &Context, clause: &[Literal], pairs: &[[TermId; 2]]) -> Given {
        let literals = clause.iter().map(|literal| !*literal).collect();
        let mut equals: FxHashMap<TermId, Vec<TermId>> = FxHashMap::default();
        for literal in clause.iter().filter(|literal| literal.negated) {
            if let Some((left, right)) = context.sides(literal.atom) {
                equals.entry(left).or_default().push(right);
                equals.entry(right).or_default().push(left);
            }
        }
        Given { literals, equals, pairs: pairs.iter().copied().collect() }
    }

    /// Whether two terms are the same, or equal by an equation of the clause.
    fn are_equal(&self, context: &mut Context, a: TermId, b: TermId) -> Result<bool, String> {
        context.spend(EQUATION)?;
        let equation = context.equality(a, b)?;
        Ok(equation == TRUE || self.literals.contains(&equation))
    }

    /// Whether two terms are the sides of a pair, or each equal to its side by an equation of the clause.
    fn are_paired(&self, context: &Context, a: TermId, b: TermId) -> Result<bool, String> {
        let none = Vec::new();
        let lefts = self.equals.get(&a).unwrap_or(&none);
        let rights = self.equals.get(&b).unwrap_or(&none);
        context.spend((1 + lefts.len() as u64) * (1 + rights.len() as u64))?;
        let mut lefts = [a].into_iter().chain(lefts.iter().copied());
        let rights = [b].into_iter().chain(rights.iter().copied());
        Ok(lefts.any(|left| rights.clone().any(|right| self.pairs.contains(&[left, right]))))
    }
}

/// The constructor of a codatatype that a term is an application of.
fn constructor(store: &Store, term: TermId) -> Option<CtorId> {
    match store.op(term) {
        Op::Construct(ctor) if store.data(store.ctor(ctor).data).is_co => Some(ctor),
        _ => None,
    }
}

/// The clause is an equation of terms of a sort that has one value.
fn only_value(context: &Context, clause: &[Literal]) -> Result<(), String> {
    let [Literal { atom, negated: false }] = *clause else {
        return Err("without pairs the clause is an equation".to_owned());
    };
    let Some((left, _)) = context.sides(atom) else {
        return Err("without pairs the clause is an equation".to_owned());
    };
    let store = context.store();
    let fields = |ctor: &CtorId| 1 + store.ctor(*ctor).fields.len() as u64;
    let datas = store.datas().map(|data| store.data(data).ctors.iter().map(fields).sum::<u64>());
    let size = datas.fold(1, u64::saturating_add);
    context.spend(size.saturating_mul(size))?;
    match cardinality(store, store.sort(left)) {
        Some(1) => Ok(()),
        _ => Err("the sort has more than one value".to_owned()),
    }
}
