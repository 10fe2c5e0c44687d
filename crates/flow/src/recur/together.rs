//! Several cycles at once: sets at all locations of a component of the graph, with several moves at each.
//!
//! First the states from which `k` moves can be made, for growing `k`: if as many can make one move more they
//! are a recurrence, the greatest one for these moves. Otherwise moves that leave at least `k` others are put
//! together as a system of their own, which begins in a state that a run comes to; that it never comes to
//! where no move is left is a question about safety, and the engines for Horn systems have models for answers.
//! A derivation is a way to the end; the last move on it that could have been another one is given up. After
//! Chen, Cook, Fuhs, Nimkar, O'Hearn, "Proving nontermination via safety" (TACAS 2014).

use super::Search;
use super::chain::{Chain, Move};
use super::evidence::{Candidate, Copy};
use super::options::terms_of;
use super::solve::Premises;
use crate::settings::{
    RECUR_MAX_AHEAD, RECUR_MAX_FORMULA, RECUR_MAX_GIVEN_UP, RECUR_MAX_MOVES, RECUR_SAFETY_TICKS,
};
use alphorn_chc::engines::{HOUDINI, PDR};
use alphorn_engine::{Card, Ctx, Stop};
use alphorn_problem::evidence::flow::{Path, Recurrence};
use alphorn_problem::evidence::horn::{Derivation, HornClaim};
use alphorn_problem::flow::LocId;
use alphorn_problem::horn::{Clause, Head, Horn, PredId};
use alphorn_problem::obligation::flow::on_cycles;
use alphorn_problem::{Finding, Flow, Span};
use alphorn_smt::project::simplify;
use alphorn_term::{Model, Op, SortId, Store, TermId, Value, eval};

/// Who is asked for models, in this order.
const ENGINES: [Card<Horn>; 2] = [HOUDINI, PDR];

/// Moves inside one component of the graph.
pub(super) struct Component {
    moves: Vec<Move>,
}

/// The components of the graph in which runs can go round.
pub(super) fn components(search: &mut Search<'_>) -> Vec<Component> {
    let Search { flow, store, edges, .. } = search;
    let graph: Vec<(LocId, LocId)> = edges.iter().map(|edge| (edge.from, edge.to)).collect();
    let all: Vec<usize> = (0..edges.len()).collect();
    let inside = on_cycles(flow.locations.len(), &graph, &all);
    // Edges that lie on cycles and meet are in one component.
    let mut merged: Vec<Vec<usize>> = Vec::new();
    let ends = |group: &[usize]| -> Vec<LocId> {
        group.iter().flat_map(|&step| [edges[step].from, edges[step].to]).collect()
    };
    for &step in &inside {
        let own = ends(&[step]);
        let (touching, apart): (Vec<_>, Vec<_>) =
            merged.into_iter().partition(|other| ends(other).iter().any(|end| own.contains(end)));
        merged = apart;
        merged.push(touching.into_iter().flatten().chain([step]).collect());
    }
    let mut found = Vec::new();
    for mut group in merged {
        group.sort_unstable();
        let mut moves = Vec::new();
        for &step in &group {
            for made in moves_of(flow, store, edges, step, &group) {
                if !moves.contains(&made) {
                    moves.push(made);
                }
            }
        }
        found.push(Component { moves });
    }
    found
}

/// Some moves that an edge can be, with a view to the edges after it.
fn moves_of(
    flow: &Flow,
    store: &mut Store,
    edges: &[super::Edge],
    step: usize,
    group: &[usize],
) -> Vec<Move> {
    let edge = &edges[step];
    let after = group.iter().filter(|&&next| edges[next].from == edge.to);
    let ways: Vec<Vec<usize>> = after.map(|&next| vec![step, next]).collect();
    let mut moves = Vec::new();
    for way in ways {
        let chain = Chain::of(flow, store, edges, &way);
        let terms = terms_of(flow, store, edge, &chain.steps[0].1, &chain.conditions);
        let most = terms.iter().map(Vec::len).max().unwrap_or(1);
        for number in 0..most {
            let mut chosen: Vec<TermId> = Vec::new();
            for of_var in &terms {
                let Some(&term) = of_var.get(number.min(of_var.len().saturating_sub(1))) else {
                    return moves;
                };
                let before = edge.open.iter().copied().zip(chosen.iter().copied()).collect();
                chosen.push(store.substitute(term, &before));
            }
            let made = Move::of(flow, store, edge, &chosen);
            if moves.len() < RECUR_MAX_MOVES.size() && !moves.contains(&made) {
                moves.push(made);
            }
        }
    }
    moves
}

impl Component {
    /// The greatest recurrence by the component's moves, if few moves ahead tell.
    pub(super) fn greatest(
        &self,
        search: &mut Search<'_>,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Recurrence>, Stop> {
        let flow = search.flow;
        let mut sets = self.all(flow);
        for _ in 0..RECUR_MAX_AHEAD.size() {
            let further = self.further(flow, &mut search.store, &sets);
            if search.store.dag_size(&further) > RECUR_MAX_FORMULA.size() {
                break;
            }
            let mut is_same = true;
            for (&set, &more) in sets.iter().zip(&further).filter(|(set, more)| set != more) {
                let store = &mut search.store;
                is_same = is_same && Premises::new(store, &[set]).imply(store, more, ctx)?;
            }
            if is_same {
                let candidate = self.candidate(flow, &mut search.store, &sets);
                return search.enter(candidate, ctx);
            }
            sets = further;
        }
        Ok(None)
    }

    /// All states at the component's locations.
    fn all(&self, flow: &Flow) -> Vec<TermId> {
        let mut sets = vec![TermId::FALSE; flow.locations.len()];
        for made in &self.moves {
            sets[made.from.index()] = TermId::TRUE;
        }
        sets
    }

    /// The states from which a move leads into sets.
    fn further(&self, flow: &Flow, store: &mut Store, sets: &[TermId]) -> Vec<TermId> {
        let mut all: Vec<Vec<TermId>> = vec![Vec::new(); sets.len()];
        for made in &self.moves {
            let into = made.into(flow, store, sets[made.to.index()]);
            all[made.from.index()].push(into);
        }
        let mut further = Vec::with_capacity(sets.len());
        for parts in all {
            let whole = store.or(&parts);
            further.push(simplify(store, whole, &[], None));
        }
        further
    }

    fn candidate(&self, flow: &Flow, store: &mut Store, sets: &[TermId]) -> Candidate {
        let mut choices = Vec::new();
        for made in &self.moves {
            let when = made.into(flow, store, sets[made.to.index()]);
            if when != TermId::FALSE {
                choices.push(made.choice(when));
            }
        }
        Candidate { sets: sets.to_vec(), choices }
    }

    /// A recurrence by moves that leave some others, from a state on from which there is always one; the
    /// effort grows with `round`.
    pub(super) fn by_safety(
        &self,
        search: &mut Search<'_>,
        round: u32,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Recurrence>, Stop> {
        let flow = search.flow;
        let mut sets = self.all(flow);
        for _ in 0..=round {
            let further = self.further(flow, &mut search.store, &sets);
            if search.store.dag_size(&further) > RECUR_MAX_FORMULA.size() {
                break;
            }
            sets = further;
        }
        for at in flow.location_ids().filter(|at| sets[at.index()] != TermId::FALSE) {
            let Search { store, edges, stems, .. } = search;
            let reached = stems.reach(flow, store, edges, at, &[sets[at.index()]], ctx)?;
            let Some((path, _)) = reached else { continue };
            let mut moves: Vec<(Move, TermId)> = Vec::new();
            for made in &self.moves {
                let when = made.into(flow, &mut search.store, sets[made.to.index()]);
                if when != TermId::FALSE {
                    moves.push((made.clone(), when));
                }
            }
            for _ in 0..RECUR_MAX_GIVEN_UP.size() {
                let found = ask(flow, &search.store, &moves, (at, &path), round, ctx)?;
                let Some(found) = found else { break };
                match found {
                    Finding::Holds(claim) => {
                        let store = &mut search.store;
                        let Some(sets) = models(flow, store, &claim) else { break };
                        let choices = moves.iter().map(|(made, when)| made.choice(*when));
                        let candidate = Candidate { sets, choices: choices.collect() };
                        let proved = candidate.prove(flow, store, path.clone(), ctx)?;
                        if proved.is_some() {
                            return Ok(proved);
                        }
                        break;
                    }
                    Finding::Fails(derivation) => {
                        let given_up = last_choice(flow, &search.store, &moves, &derivation);
                        let Some(position) = given_up else { break };
                        moves.remove(position);
                    }
                }
            }
        }
        Ok(None)
    }
}

/// Whether moves from the end of a path come to where there is none; the clause of a move is at its position
/// after the first one.
fn ask(
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
fn models(flow: &Flow, store: &mut Store, claim: &HornClaim) -> Option<Vec<TermId>> {
    let mut terms = claim.terms.clone();
    let mut sets = Vec::with_capacity(claim.preds.len());
    for definition in &claim.preds {
        sets.push(terms.rename(definition.body, &definition.params, &flow.vars));
    }
    let mut copy = Copy::new(&terms, flow.terms.len());
    sets.into_iter().map(|set| copy.term(store, set)).collect()
}

/// The last move of a derivation, by its position, in whose place another one could be made.
fn last_choice(
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
