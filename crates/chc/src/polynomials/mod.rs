//! Models of polynomial equations.
//!
//! What a loop multiplies, adds up or squares is no matter of linear inequalities: `d = e·f` is inductive, and every
//! linear formula about it is one of a sequence without end. Equations that some derived facts have in common
//! (`points`) are made weaker until clauses keep them (`grow`), and `houdini` leaves out what the solver could not tell. They are
//! a model if they exclude the queries; if not, clauses are told what they say without products (`consequences`), and `pdr` finds the
//! rest. A derivation of the system that is told more is one of the system.
//!
//! Before that, linear equations are looked for in each phase of a loop (`phases`), in the same way; after it,
//! what equations say where a loop begins is tried as inequalities (`one_sided`).
//!
//! Invariant: clauses keep their positions and variables, and bodies only get what their atoms' equations imply.
//!
//! After Sharma et al., "A data driven approach for algebraic loop invariants" (ESOP 2013).

mod consequences;
mod grow;
mod one_sided;
mod phases;
mod points;
#[cfg(test)]
mod tests;

use crate::forward::{VARIED, some_facts};
use crate::houdini::{Guesses, Houdini, definitions};
use crate::settings::{
    POLYNOMIALS_BOUND_TICKS, POLYNOMIALS_FACT_TICKS, POLYNOMIALS_MAX_CLAUSES,
    POLYNOMIALS_MAX_NUMBERS, POLYNOMIALS_MAX_POINTS, POLYNOMIALS_ROUNDS,
};
use alphorn_engine::{Card, Ctx, Engine, Event, Stop};
use alphorn_horn::evidence::{Outcome, prove};
use alphorn_horn::transform::{System, conjuncts, octagon_facts, weaken};
use alphorn_problem::evidence::horn::{Definition, HornClaim};
use alphorn_problem::horn::Head;
use alphorn_problem::{Finding, Horn};
use alphorn_smt::Linear;
use alphorn_term::{Op, Rat, SortId, Store, Substitution, TermId, Value};
use grow::{Known, Phase, are_curved, grow};
use phases::{Phases, phases};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The most factors of products.
const MAX_DEGREE: usize = 3;

/// Facts of each predicate.
type Facts = Vec<BTreeSet<Arc<[Value]>>>;

/// Registry entry.
pub const CARD: Card<Horn> = Card {
    name: "polynomials",
    about: "keeps equations of products that derived facts have in common [SGH+13]",
    proves: true,
    refutes: true,
    build: || Box::new(Polynomials),
};

struct Polynomials;

impl Engine<Horn> for Polynomials {
    fn run(&mut self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Finding<Horn>, Stop> {
        if horn.clauses.len() > POLYNOMIALS_MAX_CLAUSES.size() {
            return Err(Stop::Unsupported("there are too many clauses".to_owned()));
        }
        let (rounds, ticks) = (POLYNOMIALS_ROUNDS.short(), POLYNOMIALS_FACT_TICKS.get());
        let facts = ctx.apart(|ctx| some_facts(horn, VARIED..VARIED + rounds, ticks, ctx))?;
        let (system, mut store) = (System::of(horn), horn.terms.clone());
        // Lines are cheaper than what they are all on, and a model of them that is not proved says nothing of that.
        match by_phases(horn, &system, store.clone(), &facts, ctx) {
            Ok(None) | Err(Stop::Stuck(_)) => {}
            Ok(Some(model)) => return Ok(model),
            Err(stop) => return Err(stop),
        }
        let mut known = unknown(horn, &mut store);
        look_at_facts(&mut store, &mut known, &facts);
        grow(&system, &mut store, &mut known, ctx)?;
        match by_products(horn, &system, store.clone(), &known, ctx) {
            Err(Stop::Stuck(why)) => {
                let found = one_sided::by_one_side(horn, &system, store, known, ctx)?;
                found.ok_or(Stop::Stuck(why))
            }
            decided => decided,
        }
    }
}

/// The answer by equations of products that hold throughout, if they say enough.
fn by_products(
    horn: &Horn,
    system: &System,
    mut store: Store,
    known: &[Known],
    ctx: &mut Ctx<'_>,
) -> Result<Finding<Horn>, Stop> {
    if !are_curved(&store, known) {
        return Err(Stop::Stuck("there are no equations of products".to_owned()));
    }
    let (mut kept, excludes) = settled(system, &mut store, known, ctx)?;
    if !kept.iter().any(|definition| is_curved(&store, definition.body)) {
        return Err(Stop::Stuck("clauses keep no equations of products".to_owned()));
    }
    remark(horn, &store, &kept, ctx, is_curved);
    if excludes {
        weaken(horn, &mut store, &mut kept, ctx)?;
        return proved(horn, store, kept, ctx);
    }
    let told = told(horn, system, store, &kept, ctx)?;
    let Some(told) = told else {
        return Err(Stop::Stuck("equations of products say nothing without them".to_owned()));
    };
    match (crate::pdr::CARD.build)().run(&told, ctx)? {
        Finding::Fails(derivation) => Ok(Finding::Fails(derivation)),
        Finding::Holds(HornClaim { mut terms, preds, .. }) => {
            let mut both = Vec::with_capacity(kept.len());
            for (one, other) in kept.iter().zip(&preds) {
                let map: Substitution =
                    other.params.iter().copied().zip(one.params.iter().copied()).collect();
                let rest = terms.substitute(other.body, &map);
                let body = terms.and(&[one.body, rest]);
                both.push(Definition { params: one.params.clone(), body });
            }
            weaken(horn, &mut terms, &mut both, ctx)?;
            proved(horn, terms, both, ctx)
        }
    }
}

/// A model by linear equations of each phase, if there are phases and these equations exclude the queries.
fn by_phases(
    horn: &Horn,
    system: &System,
    mut store: Store,
    facts: &Facts,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Finding<Horn>>, Stop> {
    let mut known = unknown(horn, &mut store);
    for (pred, known) in horn.pred_ids().zip(&mut known) {
        let Phases { conditions, remainders } = phases(system, &mut store, pred, &known.params);
        known.phases = conditions.into_iter().map(Phase::new).collect();
        if known.numbers.len() + remainders.len() <= POLYNOMIALS_MAX_NUMBERS.size() {
            known.numbers.extend(remainders);
        }
        known.degree = 1;
    }
    if known.iter().all(|known| known.phases.len() < 2) {
        return Ok(None);
    }
    let ticks = POLYNOMIALS_BOUND_TICKS.get();
    let bounds = ctx.within(ticks, |ctx| octagon_facts(horn, &mut store, ctx));
    // A flag that was raised is seen here.
    ctx.tick(1)?;
    for (known, bounds) in known.iter_mut().zip(bounds.into_iter().flatten()) {
        let of = |&fact: &TermId| store.rename(fact, &bounds.params, &known.params);
        known.facts = bounds.facts.iter().map(of).collect();
    }
    look_at_facts(&mut store, &mut known, facts);
    grow(system, &mut store, &mut known, ctx)?;
    model_of(horn, system, store, &known, ctx)
}

/// A model of what clauses keep of what is guessed, if that excludes the queries.
fn model_of(
    horn: &Horn,
    system: &System,
    mut store: Store,
    known: &[Known],
    ctx: &mut Ctx<'_>,
) -> Result<Option<Finding<Horn>>, Stop> {
    let (mut kept, excludes) = settled(system, &mut store, known, ctx)?;
    remark(horn, &store, &kept, ctx, |_, body| body != TermId::TRUE);
    if !excludes {
        return Ok(None);
    }
    weaken(horn, &mut store, &mut kept, ctx)?;
    proved(horn, store, kept, ctx).map(Some)
}

/// What clauses keep of what is guessed, as definitions, and whether it excludes the queries.
fn settled(
    system: &System,
    store: &mut Store,
    known: &[Known],
    ctx: &mut Ctx<'_>,
) -> Result<(Vec<Definition>, bool), Stop> {
    let params = known.iter().map(|known| known.params.clone()).collect();
    let of = known.iter().map(|known| known.guesses(store)).collect();
    let guesses = Guesses { params, of };
    let mut search = Houdini::new(system, store, &guesses);
    let excludes = search.settle(store, ctx)?;
    Ok((definitions(store, &guesses, &search), excludes))
}

/// Tells which predicates something is known of.
fn remark(
    horn: &Horn,
    store: &Store,
    kept: &[Definition],
    ctx: &mut Ctx<'_>,
    is_worth_it: impl Fn(&Store, TermId) -> bool,
) {
    for (pred, definition) in horn.pred_ids().zip(kept) {
        if is_worth_it(store, definition.body) {
            let name = horn.pred_name(pred);
            let text = store.show(definition.body).to_string();
            ctx.emit(Event::Remark(format!("{name}: {text}")));
        }
    }
}

fn proved(
    horn: &Horn,
    store: Store,
    definitions: Vec<Definition>,
    ctx: &mut Ctx<'_>,
) -> Result<Finding<Horn>, Stop> {
    match prove(horn, store, definitions, ctx)? {
        Outcome::Proved(model) => Ok(Finding::Holds(model.into_claim())),
        failed => Err(failed.model(horn).err().unwrap_or(Stop::Stuck(String::new()))),
    }
}

/// What is known of predicates before clauses are looked at: nothing, in one phase.
fn unknown(horn: &Horn, store: &mut Store) -> Vec<Known> {
    let mut all = Vec::with_capacity(horn.preds.len());
    for pred in horn.pred_ids() {
        let sorts = horn.pred_args(pred).to_vec();
        let params: Vec<TermId> = sorts.iter().map(|&sort| store.fresh_var("x", sort)).collect();
        let mut numbers = params.clone();
        numbers.retain(|&param| store.sort(param).is_arithmetic());
        if numbers.len() > POLYNOMIALS_MAX_NUMBERS.size() {
            numbers.clear();
        }
        let (phases, facts) = (vec![Phase::new(TermId::TRUE)], Vec::new());
        all.push(Known { params, numbers, phases, facts, degree: MAX_DEGREE });
    }
    all
}

/// Takes the points of facts, and finds what they have in common.
fn look_at_facts(store: &mut Store, known: &mut [Known], facts: &Facts) {
    for (known, facts) in known.iter_mut().zip(facts) {
        // Those that are spread over all of them, as neighbours have more in common than others.
        let step = facts.len().div_ceil(POLYNOMIALS_MAX_POINTS.size()).max(1);
        for fact in facts.iter().step_by(step) {
            if let Some((phase, point)) = known.point(store, fact) {
                known.phases[phase].points.push(point);
            }
        }
        known.look(store);
    }
}

/// That a polynomial is zero.
fn equation(store: &mut Store, polynomial: &Linear) -> TermId {
    let is_whole = polynomial.is_over_integers(store);
    let sort = if is_whole { SortId::INT } else { SortId::REAL };
    let (mut left, mut right) = (Linear::default(), Linear::default());
    for (atom, factor) in &polynomial.terms {
        let side = if factor.is_negative() { &mut right } else { &mut left };
        side.add_scaled(&Linear::atom(*atom), &factor.abs());
    }
    let constant = Linear::constant(polynomial.constant.abs());
    let side = if polynomial.constant.is_negative() { &mut right } else { &mut left };
    side.add_scaled(&constant, &Rat::ONE);
    let (left, right) = (left.to_term(store, sort), right.to_term(store, sort));
    store.eq(left, right)
}

/// Whether a formula multiplies unknowns.
fn is_curved(store: &Store, formula: TermId) -> bool {
    let is_product = |&term: &TermId| {
        let is_unknown = |arg: &&TermId| !store.is_literal(**arg);
        store.op(term) == Op::Mul && store.args(term).iter().filter(is_unknown).count() > 1
    };
    store.subterms(&[formula]).iter().any(is_product)
}

/// The system whose clauses are told what equations of their atoms imply without products, and queries about products the
/// equations; nothing if that is nothing.
fn told(
    horn: &Horn,
    system: &System,
    mut store: Store,
    kept: &[Definition],
    ctx: &mut Ctx<'_>,
) -> Result<Option<Horn>, Stop> {
    let mut told = system.clone();
    let mut is_new = false;
    for clause in &mut told.clauses {
        let mut equations = Vec::new();
        let parts = conjuncts(&store, clause.body);
        for &part in &parts {
            let formulas = match system.atom(&store, part) {
                Some(pred) => {
                    let Definition { params, body } = &kept[pred.index()];
                    let args = store.args(part).to_vec();
                    let map: Substitution = params.iter().copied().zip(args).collect();
                    let body = store.substitute(*body, &map);
                    conjuncts(&store, body)
                }
                None => vec![part],
            };
            for formula in formulas {
                if let (Op::Eq, &[left, right]) = (store.op(formula), store.args(formula))
                    && store.sort(left).is_arithmetic()
                {
                    equations.push(Linear::difference(&store, left, right));
                }
            }
        }
        let mut found = consequences::linear_ones(&mut store, &equations, ctx)?;
        // What a query says about products is compared with the equations themselves.
        if clause.head == Head::False && parts.iter().any(|&part| is_curved(&store, part)) {
            found.append(&mut equations);
        }
        if found.is_empty() {
            continue;
        }
        is_new = true;
        let mut parts = parts;
        parts.extend(found.iter().map(|polynomial| equation(&mut store, polynomial)));
        clause.body = store.and(&parts);
    }
    Ok(is_new.then(|| {
        let mut system = horn.clone();
        system.clauses = told.clauses;
        system.terms = store;
        system
    }))
}
