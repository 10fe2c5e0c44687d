//! Quantifier elimination by models.
//!
//! A model of the formula that no disjunct so far covers gives an implicant, and its projection is
//! the next disjunct. Each disjunct implies that values for the variables exist, and projection
//! has finitely many results, so the loop ends with all of them covered. `forall` is the negation
//! of `exists` of the negation; nested quantifiers are eliminated from the inside.
//!
//! After Monniaux (LPAR 2008) and Bjørner and Janota (LPAR 2015). What needs no model is done
//! first: conjuncts without the variables stay outside, and equations are used.

use super::cube::{project, solve_equations};
use super::implicant::prime_implicant;
use super::mentions::Mentions;
use super::oracle::{Oracle, Outcome};
use super::simplify::simplify;
use alphorn_term::{Op, Store, TermId};
use rustc_hash::FxHashMap;

/// How long to try.
#[derive(Clone, Debug)]
pub struct Limits {
    /// How many models to ask for, for each quantifier or interpolant.
    pub rounds: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { rounds: 1_000 }
    }
}

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The oracle does not know, or its model is none.
    Unknown,
    /// The limit on rounds is met.
    Rounds,
    /// These variables are below operators that projection does not know, or these literals
    /// cannot be said in the shared symbols.
    Opaque(Vec<TermId>),
    /// The formulas to be separated have a common model.
    Consistent,
}

/// A formula without the variables, equivalent to `exists variables. formula`.
pub fn eliminate(
    store: &mut Store,
    formula: TermId,
    variables: &[TermId],
    oracle: &mut dyn Oracle,
    limits: &Limits,
) -> Result<TermId, Obstacle> {
    let mut conjuncts = match store.op(formula) {
        Op::And => store.args(formula).to_vec(),
        _ => vec![formula],
    };
    solve_equations(store, &mut conjuncts, variables);
    let mut mentions = Mentions::new(variables);
    let (inside, mut outside): (Vec<TermId>, Vec<TermId>) =
        conjuncts.into_iter().partition(|&conjunct| mentions.any(store, conjunct));
    if !inside.is_empty() {
        outside.push(disjuncts(store, &inside, &outside, variables, oracle, limits)?);
    }
    let result = store.and(&outside);
    Ok(simplify(store, result, &[], None))
}

/// The disjunction of projections that covers all models of `inside` and `outside`.
fn disjuncts(
    store: &mut Store,
    inside: &[TermId],
    outside: &[TermId],
    variables: &[TermId],
    oracle: &mut dyn Oracle,
    limits: &Limits,
) -> Result<TermId, Obstacle> {
    let mut question: Vec<TermId> = inside.iter().chain(outside).copied().collect();
    let mut cubes = Vec::new();
    for _ in 0..limits.rounds {
        let model = match oracle.check(store, &question) {
            Outcome::Sat(model) => model,
            Outcome::Unsat => return Ok(store.or(&cubes)),
            Outcome::Unknown => return Err(Obstacle::Unknown),
        };
        let literals = prime_implicant(store, inside, &model).ok_or(Obstacle::Unknown)?;
        let projection = project(store, &literals, variables, &model).ok_or(Obstacle::Unknown)?;
        if !projection.kept.is_empty() {
            return Err(Obstacle::Opaque(projection.kept));
        }
        let cube = store.and(&projection.literals);
        let cube = simplify(store, cube, &[], None);
        cubes.push(cube);
        question.push(store.not(cube));
    }
    Err(Obstacle::Rounds)
}

/// A formula without quantifiers, equivalent to the given one.
pub fn eliminate_all(
    store: &mut Store,
    formula: TermId,
    oracle: &mut dyn Oracle,
    limits: &Limits,
) -> Result<TermId, Obstacle> {
    if !store.has_quantifier(formula) {
        return Ok(simplify(store, formula, &[], None));
    }
    let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
    for term in store.subterms(&[formula]) {
        let args: Vec<TermId> = store.args(term).iter().map(|arg| done[arg]).collect();
        let result = match (store.op(term), args.split_last()) {
            (Op::Exists, Some((body, _))) => {
                let bound = store.bound_vars(term).to_vec();
                eliminate(store, *body, &bound, oracle, limits)?
            }
            (Op::Forall, Some((body, _))) => {
                let bound = store.bound_vars(term).to_vec();
                let negated = store.not(*body);
                let negated = simplify(store, negated, &[], None);
                let counter = eliminate(store, negated, &bound, oracle, limits)?;
                store.not(counter)
            }
            _ if args == store.args(term) => term,
            _ => store.rebuild(term, &args),
        };
        done.insert(term, result);
    }
    Ok(simplify(store, done[&formula], &[], None))
}
