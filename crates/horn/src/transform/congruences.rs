//! The transform `congruences`: what numbers are modulo others joins the clauses.
//!
//! A counter that goes up by two and begins at zero is even in all facts. Each argument of sort Int
//! has a modulus and a remainder, found from the facts on: a head's argument is a sum of arguments of
//! the body's atoms, whose congruences add up, and two clauses agree modulo the greatest common divisor
//! of what they have and of their difference. A modulus only ever goes down to a divisor, so this ends.
//! Each atom of a body that is a conjunct gets what is known as a conjunct beside it.
//!
//! A model of the changed clauses, together with the congruences, is a model of the clauses before.
//! Derivations stay as they are.
//!
//! After Granger, "Static analysis of arithmetical congruences" (1989).

use super::change::{Applied, Case, Change, Meaning, Recipe};
use super::system::{System, conjuncts};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::horn::{Clause, Head, PredId};
use alphorn_smt::Linear;
use alphorn_term::{Int, Op, SortId, Store, TermId};
use rustc_hash::FxHashMap;

/// What a number is modulo another: with the modulus zero it is the remainder.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Congruence {
    modulus: Int,
    rest: Int,
}

impl Congruence {
    fn new(modulus: Int, rest: Int) -> Congruence {
        let rest = rest.rem_euclid(&modulus).unwrap_or(rest);
        Congruence { modulus, rest }
    }

    fn any() -> Congruence {
        Congruence::new(Int::ONE, Int::ZERO)
    }

    fn join(&self, other: &Congruence) -> Congruence {
        let apart = &self.rest - &other.rest;
        let modulus = self.modulus.gcd(&other.modulus).gcd(&apart);
        Congruence::new(modulus, self.rest.clone())
    }

    /// Whether it says something that is no equation.
    fn is_proper(&self) -> bool {
        !self.modulus.is_zero() && !self.modulus.is_one()
    }
}

/// The congruences of a predicate's arguments; none for predicates without facts.
type Known = Vec<Option<Vec<Congruence>>>;

pub(super) fn apply(system: &System, store: &mut Store, ctx: &mut Ctx<'_>) -> Applied {
    let known = fixpoint(system, store, ctx)?;
    if !known.iter().flatten().flatten().any(Congruence::is_proper) {
        return Ok(None);
    }
    let mut clauses = Vec::with_capacity(system.clauses.len());
    for (at, clause) in system.clauses.iter().enumerate() {
        let mut parts = vec![clause.body];
        for atom in conjuncts(store, clause.body) {
            if let Some(pred) = system.atom(store, atom) {
                let args = store.args(atom).to_vec();
                parts.push(said(store, &args, known[pred.index()].as_deref()));
            }
        }
        let body = store.and(&parts);
        clauses.push((Clause { body, ..clause.clone() }, Recipe::same(at)));
    }
    let mut meanings = Vec::with_capacity(system.preds.len());
    for (at, known) in known.iter().enumerate() {
        let pred = PredId(at as u32);
        let params = system.params(store, pred);
        let condition = said(store, &params, known.as_deref());
        let case = Case::new(condition, Some((pred, params.clone())));
        meanings.push(Some(Meaning { params, cases: vec![case] }));
    }
    let keys = vec![None; system.preds.len()];
    Ok(Some(Change::new(system.preds.clone(), clauses, meanings, keys)))
}

/// What congruences say of arguments.
fn said(store: &mut Store, args: &[TermId], known: Option<&[Congruence]>) -> TermId {
    let mut parts = Vec::new();
    for (&arg, congruence) in args.iter().zip(known.into_iter().flatten()) {
        if congruence.is_proper() {
            let modulus = store.int(congruence.modulus.clone());
            let rest = store.int(congruence.rest.clone());
            let remainder = store.mk(Op::Mod, &[arg, modulus]);
            parts.push(store.eq(remainder, rest));
        }
    }
    store.and(&parts)
}

fn fixpoint(system: &System, store: &Store, ctx: &mut Ctx<'_>) -> Result<Known, Stop> {
    let mut known: Known = vec![None; system.preds.len()];
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for clause in &system.clauses {
            ctx.tick(1)?;
            let Head::Atom(pred, args) = &clause.head else { continue };
            let Some(values) = variables(system, store, clause, &known) else { continue };
            let mut derived: Vec<Congruence> =
                args.iter().map(|&arg| value(store, arg, &values)).collect();
            if let Some(before) = &known[pred.index()] {
                derived = before.iter().zip(&derived).map(|(old, new)| old.join(new)).collect();
            }
            if known[pred.index()].as_ref() != Some(&derived) {
                known[pred.index()] = Some(derived);
                has_changed = true;
            }
        }
    }
    Ok(known)
}

/// What is known of the variables that are arguments of a body's atoms; none if the body needs facts
/// that there are none of so far.
fn variables(
    system: &System,
    store: &Store,
    clause: &Clause,
    known: &Known,
) -> Option<FxHashMap<TermId, Congruence>> {
    let mut values: FxHashMap<TermId, Congruence> = FxHashMap::default();
    for atom in conjuncts(store, clause.body) {
        let Some(pred) = system.atom(store, atom) else { continue };
        for (&arg, congruence) in store.args(atom).iter().zip(known[pred.index()].as_ref()?) {
            if matches!(store.op(arg), Op::Var(_)) {
                // Any of several facts about a variable is true of it.
                values.entry(arg).or_insert_with(|| congruence.clone());
            }
        }
    }
    Some(values)
}

/// What is known of a term.
fn value(store: &Store, term: TermId, values: &FxHashMap<TermId, Congruence>) -> Congruence {
    if store.sort(term) != SortId::INT {
        return Congruence::any();
    }
    if let (Op::Ite, &[_, then, otherwise]) = (store.op(term), store.args(term)) {
        return value(store, then, values).join(&value(store, otherwise, values));
    }
    let form = Linear::of(store, term);
    let mut sum = Congruence::new(Int::ZERO, form.constant.numerator());
    if !form.constant.is_integer() || !form.terms.iter().all(|(_, factor)| factor.is_integer()) {
        return Congruence::any();
    }
    for (atom, factor) in &form.terms {
        let factor = factor.numerator();
        let own = values.get(atom).cloned().unwrap_or_else(Congruence::any);
        let modulus = sum.modulus.gcd(&(&own.modulus * &factor));
        sum = Congruence::new(modulus, &sum.rest + &(&own.rest * &factor));
    }
    sum
}
