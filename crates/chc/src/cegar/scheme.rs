//! Schemes: paths on which loops may be gone round any number of times.
//!
//! A loop in a scheme is a step by its closure. If no run follows the scheme, its interpolants before and after a
//! loop are I′ and I″, and `sp(I′, L*)` and `wp(I″, L*)` lie between them (`I′ → sp → wp → I″`) and are kept by
//! the loop. So one refinement does what would take as many as there are rounds. At the places inside a loop of
//! several rules, interpolants of one round between the invariant and its negation are added, or the
//! abstraction would forget there what holds.
//!
//! Source: \[HIK+12\], \[Hoj13\] ch. 4.

use super::unfolding::value;
use crate::la::interpolants::interpolants_of;
use crate::la::position::{Position, make};
use crate::la::system::{Pred, System};
use crate::settings::{CEGAR_ACCELERATED_CONFLICTS, CEGAR_ACCELERATED_ROUNDS};
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::accel::{Cycle, Way, between, copies, lost};
use alphorn_horn::ask::{ask_within, eliminate_within};
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::{Derivation, Step};
use alphorn_smt::interpolate::{Strength, tree};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Model, Store, Substitution, TermId, Value, eval};
use std::rc::Rc;

/// A part of a folded path, from the query down.
pub(super) enum Part {
    /// A rule, by its position.
    Rule(usize),
    /// A loop at a relation symbol: its rules, from the last to the first, and what rounds of it do.
    Loop { pred: Pred, rules: Vec<usize>, cycle: Rc<Cycle> },
}

/// How loops are closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Exactly, all of them.
    Exact,
    /// By hulls where that is not so.
    Hull,
    /// Case by case, one after the other.
    PathOrder,
}

/// What a scheme came to.
pub(super) enum Outcome {
    /// No run follows it, as these predicates tell.
    Excluded(Vec<(Pred, TermId)>),
    /// A run does.
    Derived(Derivation),
    /// It is too hard to tell, or means nothing.
    Unknown,
}

/// A part of a scheme between two states, the one above and the one below.
struct Member<'a> {
    pred: Option<Pred>,
    above: Vec<TermId>,
    below: Vec<TermId>,
    formula: TermId,
    what: What<'a>,
}

enum What<'a> {
    Rule(Position),
    Rounds(Rounds<'a>),
}

/// Rounds of a loop in a scheme.
struct Rounds<'a> {
    rules: &'a [usize],
    cycle: &'a Cycle,
    /// The case; none for the hull.
    case: Option<usize>,
    /// What they can do here, with the variables that ways have of their own.
    ways: Vec<(TermId, Substitution)>,
}

impl Rounds<'_> {
    /// The states and formulas of the closure as it was made.
    fn closure(&self) -> ((&[TermId], &[TermId]), Vec<TermId>) {
        match (self.case, &self.cycle.hull) {
            (Some(case), _) => {
                let case = &self.cycle.cases[case];
                let ways = case.ways.iter().map(|way| way.formula).collect();
                ((&case.pre, &case.post), ways)
            }
            (None, Some(hull)) => ((&hull.pre, &hull.post), hull.ways.clone()),
            (None, None) => ((&[], &[]), Vec::new()),
        }
    }
}

/// A path on which loops may be gone round any number of times, from the query down.
pub(super) struct Scheme<'a> {
    system: &'a System,
    form: Form,
    members: Vec<Member<'a>>,
}

impl<'a> Scheme<'a> {
    /// The scheme of a folded path in a form; none if it has no such form.
    pub(super) fn of(
        system: &'a System,
        parts: &'a [Part],
        form: Form,
        store: &mut Store,
    ) -> Option<Scheme<'a>> {
        let cycles = || {
            parts.iter().filter_map(|part| match part {
                Part::Loop { cycle, .. } => Some(cycle),
                Part::Rule(_) => None,
            })
        };
        let is_exact = cycles().all(|cycle| cycle.is_exact);
        let has_form = match form {
            Form::Exact => is_exact,
            Form::Hull => !is_exact && cycles().all(|cycle| cycle.is_exact || cycle.hull.is_some()),
            Form::PathOrder => !is_exact && cycles().all(|cycle| !cycle.cases.is_empty()),
        };
        if !has_form || cycles().next().is_none() {
            return None;
        }
        let mut scheme = Scheme { system, form, members: Vec::new() };
        let mut state: Vec<TermId> = Vec::new();
        for part in parts {
            match part {
                Part::Rule(rule) => state = scheme.rule(*rule, state, store),
                Part::Loop { pred, rules, cycle } => {
                    for case in order(cycle, form) {
                        state = scheme.rounds(*pred, rules, cycle, case, state, store);
                    }
                }
            }
        }
        Some(scheme)
    }

    /// Adds a rule below a state; the state below it.
    fn rule(&mut self, rule: usize, above: Vec<TermId>, store: &mut Store) -> Vec<TermId> {
        let position = make(store, self.system, rule, &above, TermId::TRUE);
        let formula = store.and(&position.parts);
        let below = position.slots.first().map_or(Vec::new(), |slot| slot.params.clone());
        let pred = self.system.rules[rule].head.as_ref().map(|(pred, _)| *pred);
        let what = What::Rule(position);
        self.members.push(Member { pred, above, below: below.clone(), formula, what });
        below
    }

    /// Adds rounds of a loop below a state; the state below them.
    fn rounds(
        &mut self,
        pred: Pred,
        rules: &'a [usize],
        cycle: &'a Cycle,
        case: Option<usize>,
        above: Vec<TermId>,
        store: &mut Store,
    ) -> Vec<TermId> {
        let below = copies(&self.system.params[pred], store);
        let mut rounds = Rounds { rules, cycle, case, ways: Vec::new() };
        let (states, formulas) = rounds.closure();
        let mut ways = Vec::with_capacity(formulas.len());
        for formula in formulas {
            ways.push(between(store, states, formula, &below, &above));
        }
        let mut all = vec![same(&below, &above, store)];
        all.extend(ways.iter().map(|(way, _)| *way));
        let formula = store.or(&all);
        rounds.ways = ways;
        let (pred, what) = (Some(pred), What::Rounds(rounds));
        self.members.push(Member { pred, above, below: below.clone(), formula, what });
        below
    }

    /// Looks for a run, unless the form has runs that are none, and else for what excludes all of them.
    pub(super) fn look(
        &self,
        horn: &Horn,
        store: &mut Store,
        ctx: &mut Ctx<'_>,
    ) -> Result<Outcome, Stop> {
        let mut smt = Smt::new(Options::default());
        for member in &self.members {
            smt.assert(store, member.formula);
        }
        let conflicts = CEGAR_ACCELERATED_CONFLICTS.get();
        match ask_within(&mut smt, store, &[], conflicts, ctx)? {
            Answer::Sat if self.form != Form::Hull => {
                let model = smt.model(store);
                // What is not found again in steps costs the violation, not the refinement.
                Ok(self.run(horn, model, store, ctx).map_or(Outcome::Unknown, Outcome::Derived))
            }
            Answer::Sat | Answer::Unknown => Ok(Outcome::Unknown),
            Answer::Unsat => {
                let found = self.predicates(store, ctx)?;
                Ok(if found.is_empty() { Outcome::Unknown } else { Outcome::Excluded(found) })
            }
        }
    }

    /// The run that a model is, as steps of clauses.
    fn run(
        &self,
        horn: &Horn,
        mut model: Model,
        store: &mut Store,
        ctx: &mut Ctx<'_>,
    ) -> Result<Derivation, Stop> {
        let mut steps: Vec<Step> = Vec::new();
        for member in self.members.iter().rev() {
            let premises: Vec<usize> = steps.len().checked_sub(1).into_iter().collect();
            match &member.what {
                What::Rule(position) => {
                    let rule = position.rule.ok_or_else(lost)?;
                    let clause = self.system.rules[rule].clause;
                    let count = horn.clause(clause).vars.len();
                    let mut values = Vec::with_capacity(count);
                    for &term in &position.values[..count] {
                        values.push(value(store, term, &mut model)?);
                    }
                    steps.push(Step::new(clause, values, premises));
                }
                What::Rounds(rounds) => {
                    let mut state = |terms: &[TermId]| -> Result<Vec<Value>, Stop> {
                        terms.iter().map(|&term| value(store, term, &mut model)).collect()
                    };
                    let (from, to) = (state(&member.below)?, state(&member.above)?);
                    if from != to {
                        rounds.tell((&from, &to), &premises, &mut model, store, &mut steps, ctx)?;
                    }
                }
            }
        }
        Ok(Derivation::of(steps))
    }

    /// Predicates that exclude all runs; none if they are hard to say.
    fn predicates(
        &self,
        store: &mut Store,
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<(Pred, TermId)>, Stop> {
        let formulas: Vec<TermId> = self.members.iter().map(|member| member.formula).collect();
        let Some(interpolants) = of_chain(&formulas, store, ctx)? else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        for (at, member) in self.members.iter().enumerate().skip(1) {
            let Some(pred) = member.pred else { continue };
            let params = &self.system.params[pred];
            let after = store.rename(interpolants[at], &member.above, params);
            found.push((pred, after));
            let What::Rounds(rounds) = &member.what else { continue };
            let Some(&below) = interpolants.get(at + 1) else { continue };
            let before = store.rename(below, &member.below, params);
            let kept = [
                reached(params, before, rounds, store, ctx)?,
                not_leaving(params, after, rounds, store, ctx)?,
            ];
            for kept in kept.into_iter().flatten() {
                found.push((pred, kept));
                found.extend(inside(self.system, (pred, kept), rounds.rules, store, ctx)?);
            }
        }
        Ok(found)
    }
}

/// The cases of a loop from the last to the first; none for its hull.
fn order(cycle: &Cycle, form: Form) -> Vec<Option<usize>> {
    if form == Form::Hull && !cycle.is_exact {
        return vec![None];
    }
    let times = if cycle.cases.len() == 1 { 1 } else { 2 };
    (0..times).flat_map(|_| (0..cycle.cases.len()).rev().map(Some)).collect()
}

impl Rounds<'_> {
    /// Appends the steps that rounds are in a model.
    fn tell(
        &self,
        (from, to): (&[Value], &[Value]),
        premises: &[usize],
        model: &mut Model,
        store: &mut Store,
        steps: &mut Vec<Step>,
        ctx: &mut Ctx<'_>,
    ) -> Result<(), Stop> {
        let case = &self.cycle.cases[self.case.ok_or_else(lost)?];
        let holds =
            |(way, _): &&(TermId, Substitution)| eval(store, *way, model) == Ok(Value::Bool(true));
        let taken = self.ways.iter().position(|way| holds(&way)).ok_or_else(lost)?;
        let way = &case.ways[taken];
        let number = store.substitute(way.number, &self.ways[taken].1);
        let Value::Int(number) = value(store, number, model)? else { return Err(lost().into()) };
        let mut way = Way { store, of: &case.of, closure: &way.closure };
        way.append(from, to, &number, premises, steps, ctx)
    }
}

/// The interpolants of formulas one below the other, if they contradict each other.
fn of_chain(
    formulas: &[TermId],
    store: &mut Store,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Vec<TermId>>, Stop> {
    let parents: Vec<Option<u32>> =
        (0..formulas.len() as u32).map(|at| at.checked_sub(1)).collect();
    let conflicts = CEGAR_ACCELERATED_CONFLICTS.get();
    interpolants_of(ctx, conflicts, Strength::Weak, |options| {
        tree(store, formulas, &parents, options)
    })
}

/// That two states are the same.
fn same(one: &[TermId], other: &[TermId], store: &mut Store) -> TermId {
    let mut parts = Vec::with_capacity(one.len());
    for (&one, &other) in one.iter().zip(other) {
        parts.push(store.eq(one, other));
    }
    store.and(&parts)
}

/// A state and the variables that a formula has of its own, in a fixed order.
fn with_own(state: &[TermId], own: &Substitution) -> Vec<TermId> {
    let mut hidden: Vec<TermId> = own.values().copied().collect();
    hidden.sort_unstable();
    hidden.splice(0..0, state.iter().copied());
    hidden
}

/// `sp(I′, L*)`: what holds after any number of rounds from where a formula holds; none if that is hard to say.
fn reached(
    params: &[TermId],
    before: TermId,
    rounds: &Rounds<'_>,
    store: &mut Store,
    ctx: &mut Ctx<'_>,
) -> Result<Option<TermId>, Stop> {
    let earlier = copies(params, store);
    let there = store.rename(before, params, &earlier);
    let mut all = vec![before];
    let (states, ways) = rounds.closure();
    for way in ways {
        let (step, own) = between(store, states, way, &earlier, params);
        let both = store.and(&[there, step]);
        let hidden = with_own(&earlier, &own);
        match without(both, &hidden, store, ctx)? {
            Some(formula) => all.push(formula),
            None => return Ok(None),
        }
    }
    Ok(Some(store.or(&all)))
}

/// `wp(I″, L*)`: from where any number of rounds leads to a formula only; none if that is hard to say.
fn not_leaving(
    params: &[TermId],
    after: TermId,
    rounds: &Rounds<'_>,
    store: &mut Store,
    ctx: &mut Ctx<'_>,
) -> Result<Option<TermId>, Stop> {
    let later = copies(params, store);
    let there = store.rename(after, params, &later);
    let outside = store.not(there);
    let mut all = vec![after];
    let (states, ways) = rounds.closure();
    for way in ways {
        let (step, own) = between(store, states, way, params, &later);
        let leaves = store.and(&[outside, step]);
        let hidden = with_own(&later, &own);
        match without(leaves, &hidden, store, ctx)? {
            Some(formula) => all.push(store.not(formula)),
            None => return Ok(None),
        }
    }
    Ok(Some(store.and(&all)))
}

/// A formula without some variables, if that does not take too long.
fn without(
    formula: TermId,
    hidden: &[TermId],
    store: &mut Store,
    ctx: &mut Ctx<'_>,
) -> Result<Option<TermId>, Stop> {
    ctx.tick(100)?;
    let limits = (CEGAR_ACCELERATED_CONFLICTS.get(), CEGAR_ACCELERATED_ROUNDS.size());
    eliminate_within(store, formula, hidden, limits, ctx)
}

/// What holds inside a loop of several rules, from the last to the first, that keeps a formula at its beginning.
fn inside(
    system: &System,
    (pred, kept): (Pred, TermId),
    rules: &[usize],
    store: &mut Store,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<(Pred, TermId)>, Stop> {
    if rules.len() < 2 {
        return Ok(Vec::new());
    }
    let mut state = copies(&system.params[pred], store);
    let end = store.rename(kept, &system.params[pred], &state);
    let (mut formulas, mut states) = (vec![store.not(end)], vec![Vec::new()]);
    for &rule in rules {
        states.push(state.clone());
        let position = make(store, system, rule, &state, TermId::TRUE);
        formulas.push(store.and(&position.parts));
        state = position.slots.first().map_or(Vec::new(), |slot| slot.params.clone());
    }
    states.push(state.clone());
    formulas.push(store.rename(kept, &system.params[pred], &state));
    let interpolants = of_chain(&formulas, store, ctx)?;
    let mut found = Vec::new();
    for (place, &rule) in rules.iter().enumerate().skip(1) {
        let Some(interpolants) = &interpolants else { break };
        let Some((pred, _)) = &system.rules[rule].head else { continue };
        let formula =
            store.rename(interpolants[place + 1], &states[place + 1], &system.params[*pred]);
        found.push((*pred, formula));
    }
    Ok(found)
}
