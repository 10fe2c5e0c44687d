//! Horn systems over words as systems over integers.
//!
//! A word is read as an integer, signed or not as most comparisons of the system are; sums that leave
//! the range of words come back into it by cases. So all engines for linear arithmetic apply, and they
//! find invariants over sums of arguments that no set of bits says briefly. What integers do not say
//! well (bitwise operators, products and quotients of variables) may be anything.
//!
//! The *ideal* reading is bolder: sums do not leave the range. That is neither more nor less than the
//! system says, but programs seldom mean to overflow, and without cases engines are faster.
//!
//! Either way nothing is believed: a model comes back as formulas over words, wide enough that nothing
//! overflows (`lift`), and every clause is proved; a derivation comes back with its numbers modulo 2ⁿ
//! and is evaluated.

mod lift;
#[cfg(test)]
mod tests;
mod translate;

use alphorn_engine::{Back, Ctx, Lost, Seen, Steps, Stop, View};
use alphorn_horn::readable::tidied;
use alphorn_horn::{TRANSFORMS, simplify, simplify_with};
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::{Definition, Derivation, HornClaim, Step};
use alphorn_problem::horn::{Clause, Head, PredId};
use alphorn_term::{Bv, Model, Op, SortId, Store, TermId, Value, eval};
use std::sync::Arc;
use translate::Translation;

/// How words are read as integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Sums that leave the range come back into it.
    Exact,
    /// Sums do not leave the range.
    Ideal,
}

/// Systems over words as systems over integers that wrap around.
pub static WRAPPED: View<Horn, Horn> = View {
    name: "words as integers that wrap around",
    steps: Steps::Changed,
    make: |horn, ctx| make(horn, Reading::Exact, ctx),
};

/// Systems over words as systems over integers that do not wrap around.
pub static IDEAL: View<Horn, Horn> = View {
    name: "words as integers that do not wrap around",
    steps: Steps::Changed,
    make: |horn, ctx| make(horn, Reading::Ideal, ctx),
};

/// Systems with a clause for each part of a disjunction that determines variables: steps of programs
/// that front ends wrote as one formula.
pub static BY_CASES: View<Horn, Horn> =
    View { name: "by cases", steps: Steps::Changed, make: make_cases };

fn make_cases(horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Seen<Horn, Horn>, Stop> {
    let chosen = TRANSFORMS.iter().filter(|card| card.is_default || card.name == "cases");
    let small = simplify_with(horn, &chosen.collect::<Vec<_>>(), ctx)?;
    Ok(Seen::new(small.horn, small.back))
}

fn make(horn: &Horn, reading: Reading, ctx: &mut Ctx<'_>) -> Result<Seen<Horn, Horn>, Stop> {
    if !has_words(horn) {
        return Err(Stop::Unsupported("there are no words".to_owned()));
    }
    let cases = ctx.see(&BY_CASES, horn)?;
    if !has_words(&cases.problem) {
        // What is left is over integers as it is.
        return Ok(cases);
    }
    let integers = Integers::of(&cases.problem, reading).map_err(Stop::Unsupported)?;
    let small = simplify(&integers.system, &[], ctx)?;
    let (words, integers) = (Arc::clone(&cases.problem), Arc::new(integers));
    let (claim_words, claims) = (Arc::clone(&words), Arc::clone(&integers));
    let back = Back::new(
        move |claim| claims.claim(&claim_words, tidied(&claims.system, claim)),
        move |derivation| integers.derivation(&words, &derivation),
    );
    Ok(cases.then(Seen::new(small.horn, back.after(small.back))))
}

/// A system over words read as integers.
struct Integers {
    system: Horn,
    is_signed: bool,
}

impl Integers {
    /// The system over integers, or what in it cannot be read so.
    fn of(horn: &Horn, reading: Reading) -> Result<Integers, String> {
        if !has_words(horn) {
            return Err("there are no words".to_owned());
        }
        let is_signed = is_signed(horn);
        let mut store = horn.terms.clone();
        let mut args: Vec<Vec<SortId>> = Vec::with_capacity(horn.preds.len());
        for pred in horn.pred_ids() {
            let sorts = horn.pred_args(pred).iter().map(|&sort| integer_sort(&store, sort));
            args.push(sorts.collect::<Result<_, _>>()?);
        }
        let mut system = Horn::new(std::mem::take(&mut store));
        for (pred, sorts) in horn.pred_ids().zip(&args) {
            let name = horn.terms.name(horn.terms.func(horn.pred(pred).func).name).to_owned();
            system.declare_pred(&name, sorts);
        }
        let mut translation = Translation::new(horn, &mut system, is_signed, reading);
        let clauses = horn.clauses.iter().map(|clause| translation.clause(clause));
        system.clauses = clauses.collect::<Result<Vec<Clause>, String>>()?;
        system.validate().map_err(|(_, reason)| reason)?;
        Ok(Integers { system, is_signed })
    }

    /// A model of the system over integers as definitions over words.
    fn claim(&self, horn: &Horn, claim: HornClaim) -> Result<HornClaim, Lost> {
        let HornClaim { mut terms, preds, funcs, choices, .. } = claim;
        let mut definitions = Vec::with_capacity(preds.len());
        for (pred, definition) in horn.pred_ids().zip(preds) {
            definitions.push(self.lifted(horn, &mut terms, pred, &definition)?);
        }
        Ok(HornClaim { funcs, choices, ..HornClaim::of(terms, definitions) })
    }

    fn lifted(
        &self,
        horn: &Horn,
        terms: &mut Store,
        pred: PredId,
        definition: &Definition,
    ) -> Result<Definition, Lost> {
        let mut params = Vec::with_capacity(definition.params.len());
        for &sort in horn.pred_args(pred) {
            params.push(terms.fresh_var("x", sort));
        }
        let pairs = definition.params.iter().copied().zip(params.iter().copied());
        let body = lift::lift(terms, definition.body, pairs, self.is_signed)?;
        Ok(Definition { params, body })
    }

    /// A derivation over integers as one over words, if it is one.
    fn derivation(&self, horn: &Horn, derivation: &Derivation) -> Result<Derivation, Lost> {
        if derivation.steps.iter().any(|step| step.progression.is_some()) {
            return Err(Lost("a progression over integers is none over words".to_owned()));
        }
        let mut steps: Vec<Step> = Vec::with_capacity(derivation.steps.len());
        for step in &derivation.steps {
            let clause = horn.clause(step.clause);
            let mut values = Vec::with_capacity(clause.vars.len());
            // The clause over integers has those of the clause over words first.
            for (&var, value) in clause.vars.iter().zip(&step.values) {
                values.push(word_value(&horn.terms, var, value));
            }
            let step = Step::new(step.clause, values, step.premises.clone());
            if !holds(horn, &steps, &step) {
                let text = "a derivation over integers does not hold over words";
                return Err(Lost(text.to_owned()));
            }
            steps.push(step);
        }
        Ok(Derivation::of(steps))
    }
}

/// Whether an argument or a variable of a system is a word.
fn has_words(horn: &Horn) -> bool {
    let args = horn.pred_ids().flat_map(|pred| horn.pred_args(pred)).copied();
    let vars = horn.clauses.iter().flat_map(|clause| &clause.vars);
    let mut sorts = args.chain(vars.map(|&var| horn.terms.sort(var)));
    sorts.any(|sort| horn.terms.width_of(sort).is_some())
}

/// Whether most comparisons of a system are signed.
fn is_signed(horn: &Horn) -> bool {
    let bodies: Vec<TermId> = horn.clauses.iter().map(|clause| clause.body).collect();
    let mut balance = 0i64;
    for term in horn.terms.subterms(&bodies) {
        match horn.terms.op(term) {
            Op::BvSle | Op::BvSlt | Op::BvSdiv | Op::BvSrem | Op::BvSmod | Op::BvAshr => {
                balance += 1
            }
            Op::BvUle | Op::BvUlt | Op::BvUdiv | Op::BvUrem | Op::BvLshr => balance -= 1,
            _ => {}
        }
    }
    balance >= 0
}

fn integer_sort(store: &Store, sort: SortId) -> Result<SortId, String> {
    match store.width_of(sort) {
        Some(_) => Ok(SortId::INT),
        None if sort == SortId::BOOL || sort == SortId::INT => Ok(sort),
        None => Err(format!("terms of sort {} are not read as integers", store.show_sort(sort))),
    }
}

/// The value of a variable of a clause over words.
fn word_value(store: &Store, var: TermId, value: &Value) -> Value {
    match (store.width_of(store.sort(var)), value) {
        (Some(width), Value::Int(value)) => Value::Bv(Bv::from_int(width, value)),
        _ => value.clone(),
    }
}

/// Whether a step derives something from earlier ones.
fn holds(horn: &Horn, earlier: &[Step], step: &Step) -> bool {
    let clause = horn.clause(step.clause);
    let mut model = Model::new();
    for (&var, value) in clause.vars.iter().zip(&step.values) {
        model.set(var, value.clone());
    }
    for pred in horn.pred_ids() {
        model.funcs.entry(horn.pred(pred).func).or_default().default = Some(Value::Bool(false));
    }
    for &premise in &step.premises {
        let fact = earlier.get(premise).and_then(|step| step.conclusion(horn));
        let Some((func, args)) = fact else { return false };
        model.funcs.entry(func).or_default().entries.insert(args, Value::Bool(true));
    }
    let is_closed = step.values.len() == clause.vars.len();
    is_closed && eval(&horn.terms, clause.body, &model) == Ok(Value::Bool(true))
}

/// The clause's head with other arguments.
fn head_with(head: &Head, args: Vec<TermId>) -> Head {
    match head {
        Head::False => Head::False,
        Head::Atom(pred, _) => Head::Atom(*pred, args),
    }
}
