//! The engine `rank-union`: a finite union of well-founded relations, after T2 and Terminator.
//!
//! At each cut point the state may be saved, once; then the run goes on. Whenever it comes back to the cut
//! point, one of the functions found so far must have decreased from a number that was not negative. That
//! is a question about Horn clauses. A model answers it for good. A derivation is a lasso: a way to the
//! cut point, and a cycle along which no function decreased. The lasso is a flow of one location, and its
//! rank is the next function, or the next few if it is nested; if it has none, it may be repeated for ever, and the engine gives up.
//!
//! After Cook, Podelski, Rybalchenko, "Termination proofs for systems code" (PLDI 2006), and Brockschmidt et
//! al., "T2: temporal property verification" (TACAS 2016); that the union is enough is Ramsey's theorem
//! (Podelski, Rybalchenko, LICS 2004).

mod lasso;

use super::steps::Steps;
use super::wish::join;
use super::{components, one_level, ranking, seed};
use crate::ask::ask_horn;
use crate::horn::as_horn;
use crate::settings::{RANK_HORN_TICKS, RANK_MAX_DEPTH, RANK_MAX_UNION};
use alphorn_engine::{Card, Ctx, Engine, Event, Stop};
use alphorn_problem::evidence::flow::{Disjunctive, Measure};
use alphorn_problem::evidence::horn::HornClaim;
use alphorn_problem::flow::LocId;
use alphorn_problem::horn::{Clause, Head, Horn, PredId};
use alphorn_problem::lemma::FlowLemma;
use alphorn_problem::obligation::flow::{moved, on_cycles};
use alphorn_problem::{Finding, Flow, Span};
use alphorn_term::{Int, Op, SortId, Store, Substitution, TermId};
use lasso::{lasso, lasso_flow};
use std::collections::{BTreeMap, BTreeSet};

/// The engine's card.
pub const CARD: Card<Flow> = Card {
    name: "rank-union",
    about: "a finite union of well-founded relations, from lassos of runs (Cook06)",
    proves: true,
    refutes: false,
    build: || Box::new(Union),
};

struct Union;

impl Engine<Flow> for Union {
    fn run(&mut self, flow: &Flow, ctx: &mut Ctx<'_>) -> Result<Finding<Flow>, Stop> {
        let mut steps = Steps::new(flow);
        seed::add(&mut steps, ctx)?;
        let copies = flow.vars.iter().map(|&var| {
            let name = format!("{}@", flow.terms.var_name(var).unwrap_or("v"));
            steps.store.fresh_var(&name, flow.terms.sort(var))
        });
        let saved = copies.collect();
        let cuts = cut_points(flow);
        let mut union = Disjunctive {
            cuts,
            saved,
            relations: Vec::new(),
            functions: Vec::new(),
            least: Vec::new(),
        };
        for cut in union.cuts.clone() {
            let relation = cover(&mut steps, &mut union, cut, ctx)?;
            union.relations.push(relation);
        }
        Ok(Finding::Holds(ranking(steps, Measure::Disjunctive(union))))
    }
}

/// Locations without which there is no cycle, in order: each time one with most transitions on cycles.
fn cut_points(flow: &Flow) -> Vec<LocId> {
    let graph: Vec<(LocId, LocId)> = flow.transitions.iter().map(|t| (t.from, t.to)).collect();
    let mut present: Vec<usize> = (0..graph.len()).collect();
    let mut cuts = BTreeSet::new();
    loop {
        present = on_cycles(flow.locations.len(), &graph, &present);
        let mut counts: BTreeMap<LocId, (usize, usize)> = BTreeMap::new();
        for &edge in &present {
            counts.entry(graph[edge].0).or_default().0 += 1;
            counts.entry(graph[edge].1).or_default().1 += 1;
        }
        let most = counts.iter().rev().max_by_key(|(_, (out, into))| out * into);
        let Some((&cut, _)) = most else { return cuts.into_iter().collect() };
        cuts.insert(cut);
        present.retain(|&edge| graph[edge].0 != cut && graph[edge].1 != cut);
    }
}

/// What a clause of a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// A run begins.
    Start(usize),
    /// A step before the state is saved.
    Before(usize),
    /// The first step after the state was saved, or a further one.
    After(usize),
    /// Back at the cut point no function has decreased.
    Back,
}

/// What may come back to a cut point, as clauses.
struct Question {
    horn: Horn,
    roles: Vec<Role>,
    /// The predicates for what follows after the state was saved, by location.
    since: BTreeMap<LocId, PredId>,
}

/// Finds functions that cover what comes back to a cut point, and what holds meanwhile at the locations.
fn cover(
    steps: &mut Steps<'_>,
    union: &mut Disjunctive,
    cut: LocId,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<TermId>, Stop> {
    for _ in 0..=RANK_MAX_UNION.get() {
        let question = question(steps, union, cut);
        match ask_horn(&question.horn, RANK_HORN_TICKS.get(), ctx)? {
            Some(Finding::Holds(claim)) => {
                let relation = relation(steps, union, &question, cut, &claim);
                join(steps, claim, ctx);
                return relation;
            }
            Some(Finding::Fails(derivation)) => {
                let (start, stem, cycle) = lasso(&question, &derivation)?;
                add_function(steps, union, start, &stem, &cycle, ctx)?;
            }
            None => {
                return Err(Stop::Stuck(format!(
                    "nobody can tell what comes back to {}",
                    steps.flow.location_name(cut)
                )));
            }
        }
    }
    Err(Stop::Stuck("the union has become too large".to_owned()))
}

/// Whether one of the functions has decreased since the state was saved.
fn has_decreased(store: &mut Store, vars: &[TermId], union: &Disjunctive) -> TermId {
    let mut ways = Vec::new();
    for (&function, &least) in union.functions.iter().zip(&union.least) {
        let before = moved(function, vars, &union.saved, store);
        let after = store.add(&[function, least]);
        let zero = store.number(store.sort(function), &Int::ZERO);
        let (decreases, bounded) = (store.ge(before, after), store.ge(before, zero));
        ways.push(store.and(&[decreases, bounded]));
    }
    store.or(&ways)
}

fn question(steps: &mut Steps<'_>, union: &Disjunctive, cut: LocId) -> Question {
    let flow = steps.flow;
    let done = has_decreased(&mut steps.store, &flow.vars, union);
    let seen = Flow { terms: steps.store.clone(), ..flow.clone() };
    let mut horn = as_horn(&seen);
    let mut roles: Vec<Role> = (0..flow.starts.len()).map(Role::Start).collect();
    roles.extend((0..flow.transitions.len()).map(Role::Before));
    let all: Vec<usize> = (0..flow.transitions.len()).collect();
    let is_here = |edges: &Vec<usize>| edges.iter().any(|&edge| flow.transitions[edge].from == cut);
    let inside = components(flow, &all).into_iter().find(is_here).unwrap_or_default();
    let both: Vec<TermId> = union.saved.iter().chain(&flow.vars).copied().collect();
    let sorts: Vec<SortId> = both.iter().map(|&var| horn.terms.sort(var)).collect();
    let mut since = BTreeMap::new();
    for &edge in &inside {
        let at = flow.transitions[edge].from;
        let name = format!("since {} at {}", flow.location_name(cut), flow.location_name(at));
        since.entry(at).or_insert_with(|| horn.declare_pred(&name, &sorts));
    }
    let apply = |horn: &mut Horn, pred: PredId, args: &[TermId]| {
        let func = horn.pred(pred).func;
        horn.terms.mk(Op::Apply(func), args)
    };
    for &edge in &inside {
        let step = &flow.transitions[edge];
        let vars = [&flow.vars[..], &flow.next, &step.inputs].concat();
        let invariant = horn.terms.and(&steps.invariants[step.from.index()]);
        let span = step.span;
        if step.from == cut {
            let from = apply(&mut horn, PredId(cut.0), &flow.vars);
            let body = horn.terms.and(&[from, invariant, step.formula]);
            let head = Head::Atom(since[&step.to], [&flow.vars[..], &flow.next].concat());
            horn.clauses.push(Clause { vars: vars.clone(), body, head, name: None, span });
            roles.push(Role::After(edge));
        }
        let from = apply(&mut horn, since[&step.from], &both);
        let body = horn.terms.and(&[from, invariant, step.formula]);
        let head = Head::Atom(since[&step.to], [&union.saved[..], &flow.next].concat());
        let vars = [&union.saved[..], &vars].concat();
        horn.clauses.push(Clause { vars, body, head, name: None, span });
        roles.push(Role::After(edge));
    }
    let invariant = horn.terms.and(&steps.invariants[cut.index()]);
    let before = moved(invariant, &flow.vars, &union.saved, &mut horn.terms);
    let at = apply(&mut horn, since[&cut], &both);
    let open = horn.terms.not(done);
    let body = horn.terms.and(&[at, invariant, before, open]);
    horn.clauses.push(Clause { vars: both, body, head: Head::False, name: None, span: Span::NONE });
    roles.push(Role::Back);
    Question { horn, roles, since }
}

/// What a model says between a state at the cut point and a later one, for each location.
fn relation(
    steps: &mut Steps<'_>,
    union: &Disjunctive,
    question: &Question,
    cut: LocId,
    claim: &HornClaim,
) -> Result<Vec<TermId>, Stop> {
    let flow = steps.flow;
    let both: Vec<TermId> = union.saved.iter().chain(&flow.vars).copied().collect();
    let reached = reachable(flow, cut);
    let mut relation = Vec::new();
    for at in flow.location_ids() {
        relation.push(match question.since.get(&at) {
            None => steps.store.bool(reached.contains(&at)),
            Some(pred) => {
                let definition = &claim.preds[pred.index()];
                let mut store = claim.terms.clone();
                let map: Substitution =
                    definition.params.iter().copied().zip(both.iter().copied()).collect();
                let body = store.substitute(definition.body, &map);
                let lemma = FlowLemma::new(&store, *pred, &both, body);
                let read = lemma.and_then(|lemma| lemma.read(&mut steps.store, &both));
                read.ok_or_else(|| Stop::Stuck("a relation cannot be written down".to_owned()))?
            }
        });
    }
    Ok(relation)
}

fn reachable(flow: &Flow, from: LocId) -> BTreeSet<LocId> {
    let mut seen = BTreeSet::from([from]);
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        for step in flow.transitions.iter().filter(|step| step.from == at) {
            if seen.insert(step.to) {
                open.push(step.to);
            }
        }
    }
    seen
}

/// Ranks a lasso, and adds the functions to the union.
fn add_function(
    steps: &mut Steps<'_>,
    union: &mut Disjunctive,
    start: usize,
    stem: &[usize],
    cycle: &[usize],
    ctx: &mut Ctx<'_>,
) -> Result<(), Stop> {
    let (small, invariant) = lasso_flow(steps, start, stem, cycle);
    let mut inner = Steps::new(&small);
    inner.strengthen(LocId(0), invariant);
    let most = RANK_MAX_DEPTH.get() as usize;
    let level = match one_level(&mut inner, &[0], most, ctx) {
        Ok(level) => level,
        Err(stop @ Stop::Budget(_)) => return Err(stop),
        Err(_) => {
            let names: Vec<String> =
                cycle.iter().map(|&edge| steps.flow.transition_name(edge)).collect();
            let text = format!("no rank was found for the cycle {}", names.join(", "));
            ctx.emit(Event::Remark(text.clone()));
            return Err(Stop::Stuck(text));
        }
    };
    // Of a nested rank, the first function that is not negative decreases.
    let vars = &steps.flow.vars;
    let mut is_new = false;
    for function in &level.functions {
        let lemma = FlowLemma::new(&inner.store, PredId(0), vars, function[0]);
        let function = lemma.and_then(|lemma| lemma.read(&mut steps.store, vars));
        let function =
            function.ok_or_else(|| Stop::Stuck("a function cannot be written down".to_owned()))?;
        if !union.functions.contains(&function) {
            is_new = true;
            let least = steps.store.number(steps.store.sort(function), &Int::ONE);
            union.functions.push(function);
            union.least.push(least);
        }
    }
    match is_new {
        true => Ok(()),
        false => Err(Stop::Stuck("the functions of a lasso do not cover it".to_owned())),
    }
}
