//! `abmc`: bounded search that closes the loops it meets [FG24].
//!
//! Runs of one length after another are looked for, and a query at their ends. A run that comes back to a
//! predicate has gone through a loop: the cases of the clauses that it took are composed and closed, and the
//! search begins anew with the closures as steps of their own. Where a closure is exact and tells every number
//! of rounds, neither it nor its loop follows it or its loop: that would be one closure. So a loop that must
//! be taken a million times costs as much as one that is taken twice, and runs of one length have no copies.
//!
//! A state of a run is at a predicate only if a step led to it there; several steps at once are several runs
//! side by side. What is found becomes steps of clauses (`path`).

use crate::settings::{ABMC_MAX_LENGTH, ABMC_MAX_LOOPS};
use alphorn_engine::{Card, Ctx, Engine, Stop};
use alphorn_horn::accel::{Accuracy, Closure, Link, Loop, Way, close, links, lost, through};
use alphorn_horn::ask::ask;
use alphorn_horn::derivation::needed;
use alphorn_problem::evidence::horn::{Derivation, Step};
use alphorn_problem::horn::{ClauseId, Head, PredId};
use alphorn_problem::{Finding, Horn};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Model, SortId, Store, Substitution, TermId, Value, eval};
use std::collections::BTreeSet;

/// The engine.
pub const ABMC: Card<Horn> = Card {
    name: "abmc",
    about: "bounded search that closes the loops it meets, for deep violations [FG24]",
    proves: false,
    refutes: true,
    build: || Box::new(Abmc),
};

/// Bounded search that closes loops.
struct Abmc;

impl Engine<Horn> for Abmc {
    fn run(&mut self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Finding<Horn>, Stop> {
        let mut search = Search::of(horn, ctx)?;
        loop {
            match search.deepen(ctx)? {
                Outcome::Found(derivation) => return Ok(Finding::Fails(derivation)),
                Outcome::Learned => {}
            }
        }
    }
}

/// A step of a run.
struct Edge {
    from: Option<PredId>,
    to: Option<PredId>,
    vars: Vec<TermId>,
    args: Vec<TermId>,
    head: Vec<TermId>,
    constraint: TermId,
    what: What,
    /// The case that it closes exactly, for every number of rounds.
    closes: Option<usize>,
}

enum What {
    Clause(ClauseId),
    Closure { of: Box<Loop>, closure: Box<Closure>, piece: usize },
}

enum Outcome {
    Found(Derivation),
    Learned,
}

/// A step that may be taken at some place of a run.
struct Choice {
    edge: usize,
    is_taken: TermId,
    /// The edge's variables there.
    vars: Vec<TermId>,
    /// Loops with exact closures that it goes through, by their case, and when it does.
    rounds: Vec<(usize, TermId)>,
}

/// A place of a run: for each predicate whether it is there, and with what.
struct Place {
    is_at: Vec<TermId>,
    state: Vec<Vec<TermId>>,
}

struct Search<'h> {
    horn: &'h Horn,
    store: Store,
    edges: Vec<Edge>,
    links: Vec<Link>,
    /// Loops that were closed, or cannot be: their cases.
    met: BTreeSet<Vec<usize>>,
    /// Cases whose closures are exact and tell every number of rounds.
    closed: BTreeSet<usize>,
    loops: usize,
}

impl<'h> Search<'h> {
    fn of(horn: &'h Horn, ctx: &mut Ctx<'_>) -> Result<Search<'h>, Stop> {
        let mut store = horn.terms.clone();
        let (mut edges, mut all) = (Vec::new(), Vec::new());
        for (id, clause) in horn.clauses() {
            ctx.tick(1)?;
            let Some((atoms, rest)) = horn.conjunctive(id).filter(|(atoms, _)| atoms.len() <= 1)
            else {
                let text = "some body needs several atoms, or one of several";
                return Err(Stop::Unsupported(text.to_owned()));
            };
            let (to, head) = match &clause.head {
                Head::Atom(pred, args) => (Some(*pred), args.clone()),
                Head::False => (None, Vec::new()),
            };
            let (from, args) = match atoms[..] {
                [atom] => (horn.atom(atom), horn.terms.args(atom).to_vec()),
                _ => (None, Vec::new()),
            };
            let (vars, constraint) = (clause.vars.clone(), store.and(&rest));
            edges.push(Edge {
                from,
                to,
                vars,
                args,
                head,
                constraint,
                what: What::Clause(id),
                closes: None,
            });
            all.extend(links(horn, &mut store, id));
        }
        Ok(Search {
            horn,
            store,
            edges,
            links: all,
            met: BTreeSet::new(),
            closed: BTreeSet::new(),
            loops: 0,
        })
    }

    /// Longer and longer runs, until a query is met or there is a loop to learn from.
    fn deepen(&mut self, ctx: &mut Ctx<'_>) -> Result<Outcome, Stop> {
        let mut smt = Smt::new(Options::default());
        let mut places: Vec<Place> = Vec::new();
        let mut choices: Vec<Vec<Choice>> = Vec::new();
        let mut goes_on: Vec<TermId> = Vec::new();
        for depth in 0u64.. {
            ctx.tick(10)?;
            let place = self.place();
            let here = self.choices(&mut smt, depth, places.last(), &place);
            let before = choices.last().map_or(&[][..], |before: &Vec<Choice>| before);
            self.no_rounds_in_two(&mut smt, before, &here);
            let queries: Vec<TermId> = (here.iter())
                .filter(|choice| self.edges[choice.edge].to.is_none())
                .map(|choice| choice.is_taken)
                .collect();
            let ends = self.store.or(&queries);
            choices.push(here);
            let mut wanted = goes_on.clone();
            wanted.push(ends);
            if ends != TermId::FALSE && ask(&mut smt, &mut self.store, &wanted, ctx)? == Answer::Sat
            {
                let model = smt.model(&self.store);
                let path = self.path(&model, &choices, None);
                return self.derivation(&model, &choices, &path, ctx).map(Outcome::Found);
            }
            ctx.cleared(depth)?;
            goes_on.push(self.store.or(&place.is_at));
            places.push(place);
            if ask(&mut smt, &mut self.store, &goes_on, ctx)? != Answer::Sat {
                return Err(Stop::Stuck("no longer runs are left to look at".to_owned()));
            }
            if self.loops < ABMC_MAX_LOOPS.size() {
                let model = smt.model(&self.store);
                let path = self.path(&model, &choices, places.last());
                if self.learn(&model, &choices, &path, ctx)? {
                    return Ok(Outcome::Learned);
                }
            }
        }
        Err(Stop::Stuck("runs cannot be any longer".to_owned()))
    }

    fn place(&mut self) -> Place {
        let horn = self.horn;
        let (mut is_at, mut state) = (Vec::new(), Vec::new());
        for pred in horn.pred_ids() {
            is_at.push(self.store.fresh_var("at", SortId::BOOL));
            let sorts = horn.pred_args(pred).iter();
            state.push(sorts.map(|&sort| self.store.fresh_var("s", sort)).collect());
        }
        Place { is_at, state }
    }

    /// The steps from a place to the next one.
    fn choices(
        &mut self,
        smt: &mut Smt,
        depth: u64,
        before: Option<&Place>,
        after: &Place,
    ) -> Vec<Choice> {
        let store = &mut self.store;
        let mut choices = Vec::new();
        let mut ways: Vec<Vec<TermId>> = vec![Vec::new(); after.is_at.len()];
        for (at, edge) in self.edges.iter().enumerate() {
            if (depth == 0) != edge.from.is_none() {
                continue;
            }
            let is_taken = store.fresh_var("step", SortId::BOOL);
            let mut map = Substitution::default();
            for &var in &edge.vars {
                map.insert(var, store.fresh_var("v", store.sort(var)));
            }
            let mut parts = vec![store.substitute(edge.constraint, &map)];
            if let (Some(pred), Some(place)) = (edge.from, before) {
                parts.push(place.is_at[pred.index()]);
                join(store, &edge.args, &map, &place.state[pred.index()], &mut parts);
            }
            if let Some(pred) = edge.to {
                join(store, &edge.head, &map, &after.state[pred.index()], &mut parts);
                ways[pred.index()].push(is_taken);
            }
            let all = store.and(&parts);
            let formula = store.implies(is_taken, all);
            smt.assert(store, formula);
            let vars = edge.vars.iter().map(|var| map[var]).collect();
            let mut rounds: Vec<(usize, TermId)> =
                edge.closes.iter().map(|&case| (case, is_taken)).collect();
            for &case in &self.closed {
                if matches!(edge.what, What::Clause(id) if id == self.links[case].clause) {
                    let mut parts = store.substitute_all(&self.links[case].case, &map);
                    parts.push(is_taken);
                    rounds.push((case, store.and(&parts)));
                }
            }
            choices.push(Choice { edge: at, is_taken, vars, rounds });
        }
        for (&is_at, ways) in after.is_at.iter().zip(&ways) {
            let some = store.or(ways);
            let formula = store.implies(is_at, some);
            smt.assert(store, formula);
        }
        choices
    }

    /// Rounds of one loop are one step, not two in a row.
    fn no_rounds_in_two(&mut self, smt: &mut Smt, before: &[Choice], here: &[Choice]) {
        let all = |choices: &[Choice]| -> Vec<(usize, TermId)> {
            choices.iter().flat_map(|choice| choice.rounds.iter().copied()).collect()
        };
        let (before, here) = (all(before), all(here));
        for (case, first) in before {
            for &(_, second) in here.iter().filter(|(other, _)| *other == case) {
                let both = self.store.and(&[first, second]);
                let formula = self.store.not(both);
                smt.assert(&mut self.store, formula);
            }
        }
    }

    /// The steps of a run in a model, by depth: to a query, or to the last place.
    fn path(&self, model: &Model, choices: &[Vec<Choice>], end: Option<&Place>) -> Vec<usize> {
        let is_true = |var: &TermId| model.vars.get(var) == Some(&Value::Bool(true));
        let mut to = end.and_then(|place| place.is_at.iter().position(is_true));
        let mut path = Vec::with_capacity(choices.len());
        for here in choices.iter().rev() {
            let leads = |choice: &Choice| {
                let edge = &self.edges[choice.edge];
                is_true(&choice.is_taken) && edge.to.map(PredId::index) == to
            };
            let Some(at) = here.iter().position(leads) else { return Vec::new() };
            to = self.edges[here[at].edge].from.map(PredId::index);
            path.push(at);
        }
        path.reverse();
        path
    }

    /// The values of a step's variables.
    fn values(&self, model: &Model, choice: &Choice) -> Option<Vec<Value>> {
        let value = |var: &TermId| {
            let known = model.vars.get(var).cloned();
            known.or_else(|| Value::default_of(&self.store, self.store.sort(*var)))
        };
        choice.vars.iter().map(value).collect()
    }

    /// The derivation that a run is.
    fn derivation(
        &mut self,
        model: &Model,
        choices: &[Vec<Choice>],
        path: &[usize],
        ctx: &mut Ctx<'_>,
    ) -> Result<Derivation, Stop> {
        let mut steps: Vec<Step> = Vec::new();
        for (here, &at) in choices.iter().zip(path) {
            let values = self.values(model, &here[at]).ok_or_else(lost)?;
            let premises: Vec<usize> = steps.len().checked_sub(1).into_iter().collect();
            let edge = &self.edges[here[at].edge];
            match &edge.what {
                What::Clause(clause) => steps.push(Step::new(*clause, values, premises)),
                What::Closure { of, closure, piece } => {
                    let state = |vars: &[TermId]| -> Option<Vec<Value>> {
                        let place = |var| edge.vars.iter().position(|other| *other == var);
                        vars.iter().map(|&var| Some(values[place(var)?].clone())).collect()
                    };
                    let from = state(&of.relation.pre).ok_or_else(lost)?;
                    let to = state(&of.relation.post).ok_or_else(lost)?;
                    let count = state(&[closure.pieces[*piece].count]).ok_or_else(lost)?;
                    let [Value::Int(count)] = &count[..] else { return Err(lost().into()) };
                    let rounds = closure.rounds(*piece, count);
                    let mut way = Way { store: &mut self.store, of, closure };
                    way.append(&from, &to, &rounds, &premises, &mut steps, ctx)?;
                }
            }
        }
        if path.is_empty() { Err(lost().into()) } else { Ok(needed(steps)) }
    }

    /// Closes loops that a run went through; whether there is a closure that was not there before.
    fn learn(
        &mut self,
        model: &Model,
        choices: &[Vec<Choice>],
        path: &[usize],
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        let mut has_learned = false;
        for length in 1..=ABMC_MAX_LENGTH.size() {
            // Shorter runs had the beginning.
            let last = (path.len() + 1).saturating_sub(length);
            for begin in last.saturating_sub(ABMC_MAX_LENGTH.size())..last {
                ctx.tick(1)?;
                let window = begin..begin + length;
                let taken: Vec<&Choice> =
                    window.map(|depth| &choices[depth][path[depth]]).collect();
                let (first, last) =
                    (&self.edges[taken[0].edge], &self.edges[taken[length - 1].edge]);
                if first.from.is_none() || first.from != last.to {
                    continue;
                }
                let cases: Option<Vec<usize>> =
                    taken.iter().map(|choice| self.case(model, choice)).collect();
                let Some(cases) = cases.filter(|cases| !self.met.contains(cases)) else { continue };
                has_learned |= self.close_loop(&cases, ctx)?;
                self.met.insert(cases);
            }
            if has_learned {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The case of its clause that a step is.
    fn case(&self, model: &Model, choice: &Choice) -> Option<usize> {
        let What::Clause(clause) = self.edges[choice.edge].what else { return None };
        let values = self.values(model, choice)?;
        let mut own = Model::new();
        for (&var, value) in self.edges[choice.edge].vars.iter().zip(values) {
            own.set(var, value);
        }
        self.links.iter().position(|link| {
            let holds = |&part: &TermId| eval(&self.store, part, &own) == Ok(Value::Bool(true));
            link.clause == clause && link.case.iter().all(holds)
        })
    }

    /// Adds the closures of a loop to the steps; whether there are any.
    fn close_loop(&mut self, cases: &[usize], ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        let links: Vec<&Link> = cases.iter().map(|&case| &self.links[case]).collect();
        let Some(of) = through(&mut self.store, &links) else { return Ok(false) };
        let mut is_learned = false;
        for closure in close(&mut self.store, &of.relation, ctx)? {
            self.loops += 1;
            let only = match (cases, &closure.pieces[..]) {
                ([case], [piece]) if piece.base == 1 => Some(*case),
                _ => None,
            };
            let closes = only.filter(|_| closure.accuracy == Accuracy::Exact);
            for (piece, told) in closure.pieces.iter().enumerate() {
                // Some loops end after few rounds.
                let mut smt = Smt::new(Options::default());
                smt.assert(&mut self.store, told.formula);
                if ask(&mut smt, &mut self.store, &[], ctx)? == Answer::Unsat {
                    continue;
                }
                is_learned = true;
                self.closed.extend(closes);
                let roots = [&[told.formula][..], &of.relation.pre, &of.relation.post].concat();
                self.edges.push(Edge {
                    from: Some(of.pred),
                    to: Some(of.pred),
                    vars: self.store.free_vars(&roots),
                    args: of.relation.pre.clone(),
                    head: of.relation.post.clone(),
                    constraint: told.formula,
                    what: What::Closure {
                        of: Box::new(of.clone()),
                        closure: Box::new(closure.clone()),
                        piece,
                    },
                    closes,
                });
            }
        }
        Ok(is_learned)
    }
}

/// Says that terms, with variables put for others, are a state.
fn join(
    store: &mut Store,
    terms: &[TermId],
    map: &Substitution,
    state: &[TermId],
    parts: &mut Vec<TermId>,
) {
    for (term, &wanted) in store.substitute_all(terms, map).into_iter().zip(state) {
        parts.push(store.eq(term, wanted));
    }
}
