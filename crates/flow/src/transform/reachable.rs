//! Locations that no run comes to, and those from which none comes to a cycle, go with their transitions.
//!
//! Only the graph is looked at. On the way back nothing holds where no run comes, so that cycles there are
//! removed by a level of their own; where no cycle follows there is nothing to be ranked.

use super::{Carry, Change, Endless};
use alphorn_engine::Lost;
use alphorn_problem::Flow;
use alphorn_problem::evidence::flow::{Level, Measure, Ranking};
use alphorn_problem::flow::{LocId, Transition};
use alphorn_problem::obligation::flow::on_cycles;
use alphorn_term::{SortId, Store, TermId};

/// Removes such locations, if there are any.
pub(super) fn apply(flow: &Flow) -> Option<Change> {
    let count = flow.locations.len();
    let graph: Vec<(LocId, LocId)> = flow.transitions.iter().map(|t| (t.from, t.to)).collect();
    let all: Vec<usize> = (0..graph.len()).collect();
    let begun = flow.starts.iter().map(|start| start.at);
    let is_reached = closed(count, begun, &graph);
    let cyclic = on_cycles(count, &graph, &all);
    let turned: Vec<(LocId, LocId)> = graph.iter().map(|&(from, to)| (to, from)).collect();
    let leads_on = closed(count, cyclic.iter().map(|&edge| graph[edge].0), &turned);
    let is_kept: Vec<bool> = is_reached.iter().zip(&leads_on).map(|(a, b)| *a && *b).collect();
    if is_kept.iter().all(|kept| *kept) {
        return None;
    }
    let mut place = vec![None; count];
    let mut small = Flow {
        terms: flow.terms.clone(),
        vars: flow.vars.clone(),
        next: flow.next.clone(),
        is_loose: flow.is_loose,
        ..Flow::default()
    };
    for (at, location) in flow.locations.iter().enumerate().filter(|(at, _)| is_kept[*at]) {
        place[at] = Some(small.add_location(&location.name, location.span));
    }
    let (mut starts, mut steps) = (Vec::new(), Vec::new());
    for (position, start) in flow.starts.iter().enumerate() {
        if let Some(at) = place[start.at.index()] {
            starts.push(position);
            let mut start = start.clone();
            start.at = at;
            small.starts.push(start);
        }
    }
    for (position, step) in flow.transitions.iter().enumerate() {
        if let (Some(from), Some(to)) = (place[step.from.index()], place[step.to.index()]) {
            steps.push(position);
            small.transitions.push(Transition { from, to, ..named(step, position) });
        }
    }
    let never = |&edge: &usize| !is_reached[graph[edge].0.index()];
    let dead = cyclic.into_iter().filter(never).collect();
    Some(Change { flow: small, back: Box::new(Places { place, is_reached, dead, starts, steps }) })
}

/// A transition that keeps what it is called where its position changes.
pub(super) fn named(step: &Transition, position: usize) -> Transition {
    let name = step.name.clone().unwrap_or_else(|| position.to_string());
    Transition { name: Some(name), ..step.clone() }
}

/// The locations that edges lead to from some.
fn closed(count: usize, from: impl Iterator<Item = LocId>, edges: &[(LocId, LocId)]) -> Vec<bool> {
    let mut out = vec![Vec::new(); count];
    for (from, to) in edges {
        out[from.index()].push(to.index());
    }
    let mut seen = vec![false; count];
    let mut open: Vec<usize> = from.map(LocId::index).collect();
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut seen[at], true) {
            open.extend(&out[at]);
        }
    }
    seen
}

/// What became of locations, starts and transitions.
struct Places {
    /// For each location of the original, its place in what is left.
    place: Vec<Option<LocId>>,
    /// Whether the graph has a way to a location.
    is_reached: Vec<bool>,
    /// The transitions on cycles that no run comes to.
    dead: Vec<usize>,
    /// The starts that are left, by their positions in the original.
    starts: Vec<usize>,
    /// The transitions that are left.
    steps: Vec<usize>,
}

impl Places {
    /// Something for each location of the original: what was said, or one of two things.
    fn spread(&self, said: &[TermId], unreached: TermId, ended: TermId) -> Vec<TermId> {
        let one = |(place, is_reached): (&Option<LocId>, &bool)| match (place, is_reached) {
            (Some(at), _) => said[at.index()],
            (None, true) => ended,
            (None, false) => unreached,
        };
        self.place.iter().zip(&self.is_reached).map(one).collect()
    }

    /// A level that removes what no run comes to.
    fn dead_level(&self, store: &mut Store) -> Level {
        let zero = store.number(SortId::INT, &0.into());
        let least = store.number(SortId::INT, &1.into());
        let functions = vec![vec![zero; self.place.len()]];
        Level { functions, removed: self.dead.clone(), least }
    }

    fn level(&self, level: &Level, store: &mut Store) -> Level {
        let zero = store.number(store.sort(level.least), &0.into());
        let spread = |function: &Vec<TermId>| self.spread(function, zero, zero);
        Level {
            functions: level.functions.iter().map(spread).collect(),
            removed: level.removed.iter().map(|&edge| self.steps[edge]).collect(),
            least: level.least,
        }
    }
}

impl Carry for Places {
    fn ranking(&self, ranking: Ranking) -> Ranking {
        let Ranking { mut terms, invariants, measure } = ranking;
        let invariants = self.spread(&invariants, TermId::FALSE, TermId::TRUE);
        let measure = match measure {
            Measure::Levels(levels) => {
                let dead = (!self.dead.is_empty()).then(|| self.dead_level(&mut terms));
                let levels: Vec<Level> =
                    levels.iter().map(|level| self.level(level, &mut terms)).collect();
                Measure::Levels(dead.into_iter().chain(levels).collect())
            }
            Measure::Disjunctive(mut union) => {
                let back = |small: &LocId| {
                    let at = self.place.iter().position(|place| *place == Some(*small));
                    LocId(at.expect("what is left has a place in the original") as u32)
                };
                let told = union.cuts.iter().map(back).zip(&union.relations);
                let mut all: Vec<(LocId, Vec<TermId>)> = told
                    .map(|(cut, said)| (cut, self.spread(said, TermId::FALSE, TermId::TRUE)))
                    .collect();
                let unreached =
                    self.is_reached.iter().enumerate().filter(|(_, reached)| !**reached);
                all.extend(
                    unreached
                        .map(|(at, _)| (LocId(at as u32), vec![TermId::FALSE; self.place.len()])),
                );
                all.sort_by_key(|(cut, _)| *cut);
                (union.cuts, union.relations) = all.into_iter().unzip();
                Measure::Disjunctive(union)
            }
        };
        Ranking { terms, invariants, measure }
    }

    fn endless(&self, mut run: Endless) -> Result<Endless, Lost> {
        run.path.first.start = self.starts[run.path.first.start];
        for step in &mut run.path.steps {
            step.transition = self.steps[step.transition];
        }
        for choice in &mut run.choices {
            choice.transition = self.steps[choice.transition];
        }
        run.sets = self.spread(&run.sets, TermId::FALSE, TermId::FALSE);
        Ok(run)
    }
}
