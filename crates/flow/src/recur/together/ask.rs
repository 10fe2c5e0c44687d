//! The question whether a set of states can be left, as clauses, and the answer as sets.

use super::ENGINES;
use crate::recur::chain::Move;
use crate::recur::evidence::Copy;
use crate::settings::RECUR_SAFETY_TICKS;
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::evidence::flow::Path;
use alphorn_problem::evidence::horn::{Derivation, HornClaim};
use alphorn_problem::flow::LocId;
use alphorn_problem::horn::{Clause, Head, Horn, PredId};
use alphorn_problem::{Finding, Flow, Span};
use alphorn_term::{Model, Op, SortId, Store, TermId, Value, eval};

/// Whether moves from the end of a path come to where there is none; the clause of a move is at its position
/// after the first one.
pub(super) fn ask(
    flow: &Flow,
    store: &Store,
    moves: &[(Move, TermId)],
    (at, path): (LocId, &Path),
    round: u32,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Finding<Horn>>, Stop> {
    let sorts: Vec<SortId> = flow.vars.iter().map(|&var| flow.terms.sort(var)).collect();
    let mut horn = Horn::new(flow.terms.clone());
    for location in &flow.locations {
        horn.declare_pred(&location.name, &sorts);
    }
    let mut copy = Copy::new(store, flow.terms.len());
    let mut values = Vec::new();
    for value in path.last() {
        let Some(value) = horn.terms.value_term(value) else { return Ok(None) };
        values.push(value);
    }
    let clause = |body, head, vars: Vec<TermId>| Clause {
        vars,
        body,
        head,
        name: None,
        span: Span::default(),
    };
    horn.clauses.push(clause(TermId::TRUE, Head::Atom(PredId(at.0), values), Vec::new()));
    let mut left: Vec<Vec<TermId>> = vec![Vec::new(); flow.locations.len()];
    for (made, when) in moves {
        let when = copy.term(&mut horn.terms, *when);
        let next: Option<Vec<TermId>> =
            made.next.iter().map(|&term| copy.term(&mut horn.terms, term)).collect();
        let (Some(when), Some(next)) = (when, next) else { return Ok(None) };
        let from = atom(&mut horn, made.from, &flow.vars);
        let body = horn.terms.and(&[from, when]);
        let head = Head::Atom(PredId(made.to.0), next);
        horn.clauses.push(clause(body, head, flow.vars.clone()));
        left[made.from.index()].push(when);
    }
    for location in flow.location_ids() {
        let is_there = location == at || moves.iter().any(|(made, _)| made.to == location);
        if is_there {
            let some = horn.terms.or(&left[location.index()]);
            let none = horn.terms.not(some);
            let from = atom(&mut horn, location, &flow.vars);
            let body = horn.terms.and(&[from, none]);
            horn.clauses.push(clause(body, Head::False, flow.vars.clone()));
        }
    }
    for card in ENGINES {
        ctx.tick(1)?;
        let ticks = RECUR_SAFETY_TICKS.get();
        let found = ctx
            .within(ticks << round.min(20), |ctx| ctx.apart(|ctx| (card.build)().run(&horn, ctx)));
        if let Ok(found) = found {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

fn atom(horn: &mut Horn, at: LocId, args: &[TermId]) -> TermId {
    let func = horn.pred(PredId(at.0)).func;
    horn.terms.mk(Op::Apply(func), args)
}

/// What a claim says of the locations, over the flow's variables.
pub(super) fn models(flow: &Flow, store: &mut Store, claim: &HornClaim) -> Option<Vec<TermId>> {
    let mut terms = claim.terms.clone();
    let mut sets = Vec::with_capacity(claim.preds.len());
    for definition in &claim.preds {
        sets.push(terms.rename(definition.body, &definition.params, &flow.vars));
    }
    let mut copy = Copy::new(&terms, flow.terms.len());
    sets.into_iter().map(|set| copy.term(store, set)).collect()
}

/// The last move of a derivation, by its position, in whose place another one could be made.
pub(super) fn last_choice(
    flow: &Flow,
    store: &Store,
    moves: &[(Move, TermId)],
    derivation: &Derivation,
) -> Option<usize> {
    let mut next = derivation.steps.last()?.premises.first().copied();
    while let Some(position) = next {
        let step = derivation.steps.get(position)?;
        next = step.premises.first().copied();
        let Some(made) = step.clause.index().checked_sub(1) else { break };
        let mut model = Model::new();
        for (&var, value) in flow.vars.iter().zip(&step.values) {
            model.set(var, value.clone());
        }
        let from = moves.get(made)?.0.from;
        let could = |(other, (one, when)): (usize, &(Move, TermId))| {
            other != made && one.from == from && eval(store, *when, &model) == Ok(Value::Bool(true))
        };
        if moves.iter().enumerate().any(could) {
            return Some(made);
        }
    }
    None
}
