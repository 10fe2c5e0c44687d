//! Axioms in bodies: engines see instances of them, and what they find is found of the axioms.
//!
//! A body may say that something holds for all values, as it does where a system is to be safe for every
//! interpretation of its functions: functions are then arrays among the arguments of predicates, and axioms
//! conditions of clauses. In their place stand instances: at the terms that match their triggers among those of the
//! clause, and among those of the instances before, a few times over; variables may be numbers that stand somewhere in
//! the system, so that what a lemma says of a cell is known where the map is written. A model of what is left is a model of
//! the system, since a body with instances is weaker, and its lemmas speak of functions at terms.
//!
//! A derivation from instances may have functions that violate the axioms elsewhere. Then the solver looks for functions
//! that satisfy the axioms and make the same clauses fire, as arrays that are values and as terms (`defined`), and the
//! clauses are refuted there: instances of the clauses as formulas, in which it is proved that the axioms hold
//! (`refutation`).
//!
//! After the background axioms of McMillan, Rybalchenko, Solving constrained Horn clauses using interpolation
//! (MSR-TR-2013-6).

use super::{Interpreted, defined, functions, refutation};
use crate::settings::{
    AXIOMS_MAX_INSTANCES, AXIOMS_MAX_NUMBERS, AXIOMS_MODEL_ROUNDS, AXIOMS_ROUNDS,
};
use alphorn_engine::{Back, Ctx, Lost, Stop};
use alphorn_horn::derivation::holds_throughout;
use alphorn_horn::revalue::solved;
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::{Derivation, HornClaim};
use alphorn_problem::horn::{Clause, Head};
use alphorn_smt::Options;
use alphorn_smt::quantifiers::{Ground, Reach, instances, triggers};
use alphorn_term::{Op, SortId, Store, Substitution, TermId, Value};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Steps of matching for one trigger.
const MAX_STEPS: u64 = 20_000;

/// The system with instances in the place of quantified conjuncts of bodies, and the way back; none if there are none,
/// or quantifiers elsewhere.
pub(super) fn instantiated(horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Option<Interpreted>, Stop> {
    let Some(weaker) = weaker(horn, ctx)? else { return Ok(None) };
    let original = horn.clone();
    let back = Back::searching(
        |claim: HornClaim, _: &mut Ctx<'_>| Ok(HornClaim { hints: Vec::new(), ..claim }),
        move |derivation: Derivation, ctx: &mut Ctx<'_>| carried(&original, derivation, ctx),
    );
    Ok(Some((weaker, back)))
}

/// The system with instances in the place of quantified conjuncts of bodies; none if there are none, or
/// quantifiers elsewhere.
pub(super) fn weaker(horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Option<Horn>, Stop> {
    let has_quantifier = |clause: &Clause| horn.terms.has_quantifier(clause.body);
    if !horn.quantified.is_empty() || !horn.clauses.iter().any(has_quantifier) {
        return Ok(None);
    }
    let numbers = numbers(horn);
    let mut weaker = horn.clone();
    for clause in &mut weaker.clauses {
        let (axioms, mut parts) = split(&weaker.terms, clause.body);
        if parts.iter().any(|&part| weaker.terms.has_quantifier(part)) {
            return Ok(None);
        }
        if !axioms.is_empty() {
            let axioms = with_numbers(&mut weaker.terms, axioms, &numbers);
            let found = of_clause(&mut weaker.terms, clause, &axioms, &parts, ctx)?;
            parts.extend(found);
            clause.body = weaker.terms.and(&parts);
        }
    }
    Ok(Some(weaker))
}

/// The universally quantified conjuncts of a body, and the others.
pub(super) fn split(store: &Store, body: TermId) -> (Vec<TermId>, Vec<TermId>) {
    let (mut axioms, mut others, mut stack) = (Vec::new(), Vec::new(), vec![body]);
    while let Some(term) = stack.pop() {
        match store.op(term) {
            Op::And => stack.extend(store.args(term).iter().rev()),
            Op::Forall => axioms.push(term),
            _ => others.push(term),
        }
    }
    (axioms, others)
}

/// The numbers in the clauses outside of axioms, the first ones.
fn numbers(horn: &Horn) -> Vec<TermId> {
    let mut roots = Vec::new();
    for clause in &horn.clauses {
        roots.extend(split(&horn.terms, clause.body).1);
        if let Head::Atom(_, args) = &clause.head {
            roots.extend(args);
        }
    }
    let terms = horn.terms.subterms(&roots).into_iter();
    let is_number =
        |term: &TermId| horn.terms.sort(*term) == SortId::INT && horn.terms.is_literal(*term);
    terms.filter(is_number).take(AXIOMS_MAX_NUMBERS.size()).collect()
}

/// Axioms, and those of several variables with a number for one of them.
fn with_numbers(store: &mut Store, axioms: Vec<TermId>, numbers: &[TermId]) -> Vec<TermId> {
    let mut all = axioms.clone();
    for axiom in axioms {
        let vars = store.bound_vars(axiom).to_vec();
        let body = *store.args(axiom).last().expect("a quantifier has a body");
        for (&var, &number) in vars.iter().flat_map(|var| numbers.iter().map(move |n| (var, n))) {
            let others: Vec<TermId> = vars.iter().copied().filter(|&other| other != var).collect();
            if !others.is_empty() && store.sort(var) == store.sort(number) {
                let map: Substitution = [(var, number)].into_iter().collect();
                let instance = store.substitute(body, &map);
                all.push(store.forall(&others, instance));
            }
        }
    }
    all.retain(|&axiom| store.op(axiom) == Op::Forall);
    all
}

/// Instances of axioms at the terms of a clause, and at those that instances bring.
fn of_clause(
    store: &mut Store,
    clause: &Clause,
    axioms: &[TermId],
    parts: &[TermId],
    ctx: &mut Ctx<'_>,
) -> Result<Vec<TermId>, Stop> {
    let mut roots = [&clause.vars[..], parts].concat();
    if let Head::Atom(_, args) = &clause.head {
        roots.extend(args);
    }
    let patterns: Vec<(TermId, Vec<Vec<TermId>>)> =
        axioms.iter().map(|&axiom| (axiom, triggers(store, axiom))).collect();
    let mut seen: BTreeSet<(TermId, Vec<TermId>)> = BTreeSet::new();
    let mut found: Vec<TermId> = Vec::new();
    for _ in 0..AXIOMS_ROUNDS.size() {
        let mut new = Vec::new();
        for (axiom, triggers) in &patterns {
            ctx.tick(1)?;
            for terms in matched(store, *axiom, triggers, &roots) {
                if found.len() + new.len() < AXIOMS_MAX_INSTANCES.size()
                    && seen.insert((*axiom, terms.clone()))
                {
                    let instance = instance(store, *axiom, &terms);
                    if !store.has_quantifier(instance) {
                        new.push(instance);
                    }
                }
            }
        }
        if new.is_empty() {
            break;
        }
        roots.extend(&new);
        found.extend(new);
    }
    // Axioms of which nothing reminds may contradict each other all the same.
    for &axiom in axioms.iter().filter(|&&axiom| !seen.iter().any(|(of, _)| *of == axiom)) {
        let vars = store.bound_vars(axiom).to_vec();
        let mut terms = Vec::with_capacity(vars.len());
        for var in vars {
            let value = Value::default_of(store, store.sort(var));
            terms.extend(value.and_then(|value| store.value_term(&value)));
        }
        if terms.len() == store.bound_vars(axiom).len() {
            found.push(instance(store, axiom, &terms));
        }
    }
    found.retain(|&instance| !store.has_quantifier(instance));
    Ok(found)
}

/// The body of a quantified formula at terms for its variables.
pub(super) fn instance(store: &mut Store, axiom: TermId, terms: &[TermId]) -> TermId {
    let body = *store.args(axiom).last().expect("a quantifier has a body");
    let vars = store.bound_vars(axiom).iter().copied();
    let map: Substitution = vars.zip(terms.iter().copied()).collect();
    store.substitute(body, &map)
}

/// Terms for the variables of an axiom: those that its triggers match, or without triggers all that fit.
fn matched(
    store: &Store,
    axiom: TermId,
    triggers: &[Vec<TermId>],
    roots: &[TermId],
) -> Vec<Vec<TermId>> {
    let terms = store.subterms(roots);
    let limits = Reach { most: AXIOMS_MAX_INSTANCES.size(), steps: MAX_STEPS };
    let vars = store.bound_vars(axiom);
    if !triggers.is_empty() {
        let ground = Terms { store, terms: &terms };
        let of = |trigger: &Vec<TermId>| instances(&ground, vars, trigger, limits);
        return triggers.iter().flat_map(of).collect();
    }
    let mut all: Vec<Vec<TermId>> = vec![Vec::new()];
    for &var in vars {
        let fits = |term: &&TermId| store.sort(**term) == store.sort(var);
        let longer = |known: &Vec<TermId>| {
            let known = known.clone();
            let fitting = terms.iter().filter(fits);
            fitting.map(move |&term| [&known[..], &[term]].concat())
        };
        all = all.iter().flat_map(longer).take(limits.most).collect();
    }
    all
}

/// Terms of a clause, equal if they are the same.
struct Terms<'a> {
    store: &'a Store,
    terms: &'a [TermId],
}

impl Ground for Terms<'_> {
    type Key = TermId;

    fn store(&self) -> &Store {
        self.store
    }

    fn key(&self, term: TermId) -> Option<TermId> {
        Some(term)
    }

    fn applications(&self, op: Op) -> Rc<[TermId]> {
        self.terms.iter().copied().filter(|&term| self.store.op(term) == op).collect()
    }

    fn equal(&self, term: TermId, op: Op) -> Vec<TermId> {
        Vec::from_iter((self.store.op(term) == op).then_some(term))
    }
}

/// A derivation from instances as one of the system as it is.
fn carried(horn: &Horn, derivation: Derivation, ctx: &mut Ctx<'_>) -> Result<Derivation, Stop> {
    if derivation.refuted.is_some() || holds_throughout(&derivation, horn) {
        return Ok(derivation);
    }
    let rounds = AXIOMS_MODEL_ROUNDS.short();
    let options = || Options { instance_rounds: rounds, ..Options::default() };
    let mut is_found = false;
    if let Some(valued) = functions::solved(horn, &derivation, options(), ctx)? {
        is_found = true;
        if let Some(refutation) = refutation::at_values(horn, &valued, ctx)? {
            return Ok(refutation);
        }
    }
    if let Some(refutation) = defined::refutation(horn, &derivation, ctx)? {
        return Ok(refutation);
    }
    // Arrays below quantifiers are what the solver finds hardest, so that comes last.
    if let Some(valued) = solved(horn, &derivation, options(), ctx)? {
        is_found = true;
        if let Some(refutation) = refutation::at_values(horn, &valued, ctx)? {
            return Ok(refutation);
        }
    }
    let reason = match is_found {
        true => "the axioms are not proved for the functions of the derivation",
        false => "no functions are found that satisfy the axioms and allow the derivation",
    };
    Err(Lost(reason.to_owned()).into())
}
