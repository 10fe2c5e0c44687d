//! Several cycles at once: sets at all locations of a component of the graph, with several moves at each.
//!
//! First the states from which `k` moves can be made, for growing `k`: if as many can make one move more they
//! are a recurrence, the greatest one for these moves. Otherwise moves that leave at least `k` others are put
//! together as a system of their own, which begins in a state that a run comes to; that it never comes to
//! where no move is left is a question about safety, and the engines for Horn systems have models for answers.
//! A derivation is a way to the end; the last move on it that could have been another one is given up. After
//! Chen, Cook, Fuhs, Nimkar, O'Hearn, "Proving nontermination via safety" (TACAS 2014).

mod ask;

use super::Search;
use super::chain::{Chain, Move};
use super::evidence::Candidate;
use super::options::terms_of;
use super::solve::Premises;
use crate::settings::{RECUR_MAX_AHEAD, RECUR_MAX_FORMULA, RECUR_MAX_GIVEN_UP, RECUR_MAX_MOVES};
use alphorn_chc::engines::{HOUDINI, PDR};
use alphorn_engine::{Card, Ctx, Stop};
use alphorn_problem::evidence::flow::Recurrence;
use alphorn_problem::flow::LocId;
use alphorn_problem::horn::Horn;
use alphorn_problem::obligation::flow::on_cycles;
use alphorn_problem::{Finding, Flow};
use alphorn_smt::project::simplify;
use alphorn_term::{Store, TermId};
use ask::{ask, last_choice, models};

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
