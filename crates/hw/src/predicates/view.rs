//! A game over words with predicates in place of wide words.
//!
//! Terms over short words are kept. A comparison of wide words is split by the conditions of the wide conditionals
//! in it, until none is left: what stands at the leaves are the predicates. The next value of a tracked predicate is
//! the predicate of the next values, split likewise, so that it is a combination of predicates.
//!
//! Invariant: in every play of the game, where labels are chosen, every predicate has the truth value that the variable in its
//! place has in a play of the small game.

use super::labels::Labels;
use crate::settings::GAMES_SHORT_WORDS;
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::evidence::words::Abstraction;
use alphorn_problem::game::CONTROLLABLE;
use alphorn_problem::obligation::blast::{Goal, Layout, Source, blast};
use alphorn_problem::words::{Named, State};
use alphorn_problem::{Game, Span, Words};
use alphorn_sat::{Answer as Sat, Lit, Options as SatOptions, Solver};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Model, Op, SortId, Store, Substitution, TermId, eval};
use std::collections::BTreeMap;

/// The most predicates that are tracked.
const MAX_TRACKED: usize = 16;
/// The most predicates.
const MAX_PREDICATES: usize = 64;
/// The most splits of comparisons.
const MAX_SPLITS: usize = 1 << 12;
/// How many combinations of predicates are looked at for contradictions.
const MAX_COMBINATIONS: usize = 256;
/// Conflicts for each.
const CONFLICTS: u64 = 200;

/// Whether a term is neither a truth value nor a short word.
pub(super) fn is_wide(store: &Store, term: TermId) -> bool {
    let sort = store.sort(term);
    sort != SortId::BOOL
        && store.width_of(sort).is_none_or(|width| u64::from(width) > GAMES_SHORT_WORDS.get())
}

/// Whether an input is the controller's.
pub(super) fn is_control(store: &Store, input: TermId) -> bool {
    store.var_name(input).is_some_and(|name| name.starts_with(CONTROLLABLE))
}

/// A comparison of wide words.
pub(super) struct Predicate {
    pub(super) term: TermId,
    /// What stands for it.
    pub(super) var: TermId,
    /// Its next value, if it is tracked.
    next: Option<TermId>,
}

/// The small game, and whose bits are whose.
pub(super) struct Small {
    pub(super) game: Game,
    pub(super) words: Words,
    pub(super) layout: Layout,
}

pub(super) struct View<'w> {
    words: &'w Words,
    labels: &'w Labels,
    store: Store,
    /// Next values in place of states, with labels.
    next: Substitution,
    images: BTreeMap<TermId, TermId>,
    predicates: Vec<Predicate>,
    places: BTreeMap<TermId, usize>,
    splits: usize,
}

impl<'w> View<'w> {
    pub(super) fn new(words: &'w Words, labels: &'w Labels) -> Result<View<'w>, Stop> {
        let mut store = labels.store.clone();
        let mut next = Substitution::default();
        for state in &words.states {
            let Some(term) = state.next else {
                return Err(Stop::Unsupported("a state has no next value".into()));
            };
            next.insert(state.var, store.substitute(term, &labels.map));
        }
        Ok(View {
            words,
            labels,
            store,
            next,
            images: BTreeMap::new(),
            predicates: Vec::new(),
            places: BTreeMap::new(),
            splits: 0,
        })
    }

    pub(super) fn into_store(self) -> Store {
        self.store
    }

    pub(super) fn store(&self) -> &Store {
        &self.store
    }

    /// The predicates, in order.
    pub(super) fn predicates(&self) -> &[Predicate] {
        &self.predicates
    }

    /// The tracked ones.
    pub(super) fn tracked(&self) -> impl Iterator<Item = TermId> + '_ {
        let tracked = self.predicates.iter().filter(|predicate| predicate.next.is_some());
        tracked.map(|predicate| predicate.term)
    }

    /// The comparisons.
    pub(super) fn compared(&self) -> Vec<TermId> {
        self.predicates.iter().map(|predicate| predicate.term).collect()
    }

    pub(super) fn summary(&self) -> String {
        let tracked = self.predicates.iter().filter(|predicate| predicate.next.is_some()).count();
        let offered: usize = self.labels.list.iter().map(|label| label.terms.len()).sum();
        let untracked = self.predicates.len() - tracked;
        format!("{tracked} tracked and {untracked} untracked predicates, {offered} labels")
    }

    /// Looks at all that the game is made of, and tracks predicates.
    pub(super) fn look(&mut self, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        let words = self.words;
        for root in words.bads.iter().chain(&words.constraints) {
            let root = self.store.substitute(root.term, &self.labels.map);
            self.image(root)?;
        }
        for state in &words.states {
            if !is_wide(&self.store, state.var) {
                let next = self.next[&state.var];
                self.image(next)?;
            }
        }
        let (mut at, mut tracked) = (0, 0);
        while at < self.predicates.len() {
            ctx.tick(1 + self.splits as u64)?;
            let term = self.predicates[at].term;
            let is_state = |var: &TermId| self.next.contains_key(var);
            if tracked < MAX_TRACKED && self.store.free_vars(&[term]).iter().all(is_state) {
                let after = self.store.substitute(term, &self.next);
                self.predicates[at].next = Some(self.image(after)?);
                tracked += 1;
            }
            at += 1;
        }
        Ok(())
    }

    /// A truth value or short word with predicates in place of comparisons of wide words.
    fn image(&mut self, root: TermId) -> Result<TermId, Stop> {
        for term in self.store.subterms(&[root]) {
            if self.images.contains_key(&term) || is_wide(&self.store, term) {
                continue;
            }
            let args = self.store.args(term).to_vec();
            let image = if args.iter().any(|arg| is_wide(&self.store, *arg)) {
                self.split(term)?
            } else if args.is_empty() {
                term
            } else {
                let args: Vec<TermId> = args.iter().map(|arg| self.images[arg]).collect();
                self.store.rebuild(term, &args)
            };
            self.images.insert(term, image);
        }
        Ok(self.images[&root])
    }

    /// A comparison, by the conditions of the conditionals in it.
    fn split(&mut self, term: TermId) -> Result<TermId, Stop> {
        self.splits += 1;
        if self.splits > MAX_SPLITS {
            return Err(Stop::Unsupported("comparisons of words depend on too much".into()));
        }
        let Some(condition) = self.condition(term) else { return self.predicate(term) };
        let [then, otherwise] = [1, 2].map(|branch| self.chosen(term, condition, branch));
        let condition = self.image(condition)?;
        let (then, otherwise) = (self.image(then)?, self.image(otherwise)?);
        Ok(self.store.ite(condition, then, otherwise))
    }

    /// The condition of a wide conditional that is read through wide terms.
    fn condition(&self, term: TermId) -> Option<TermId> {
        self.wide_below(term).into_iter().find_map(|below| match self.store.op(below) {
            Op::Ite => Some(self.store.args(below)[0]),
            _ => None,
        })
    }

    /// The wide terms that a term reads through wide terms.
    fn wide_below(&self, term: TermId) -> Vec<TermId> {
        let mut found: Vec<TermId> = Vec::new();
        let mut stack = self.store.args(term).to_vec();
        while let Some(below) = stack.pop() {
            if is_wide(&self.store, below) && !found.contains(&below) {
                found.push(below);
                stack.extend(self.store.args(below));
            }
        }
        found
    }

    /// A term in which conditionals with this condition are one of their branches.
    fn chosen(&mut self, term: TermId, condition: TermId, branch: usize) -> TermId {
        let mut map = Substitution::default();
        for below in self.wide_below(term) {
            let args = self.store.args(below);
            if self.store.op(below) == Op::Ite && args[0] == condition {
                map.insert(below, args[branch]);
            }
        }
        self.store.substitute(term, &map)
    }

    /// What stands for a comparison without conditionals.
    fn predicate(&mut self, term: TermId) -> Result<TermId, Stop> {
        if let Some(at) = self.places.get(&term) {
            return Ok(self.predicates[*at].var);
        }
        if self.predicates.len() >= MAX_PREDICATES {
            return Err(Stop::Unsupported("there are too many predicates".into()));
        }
        let sort = self.store.sort(term);
        let var = self.store.fresh_var("predicate", sort);
        self.places.insert(term, self.predicates.len());
        self.predicates.push(Predicate { term, var, next: None });
        Ok(var)
    }

    /// The small game.
    pub(super) fn game(&mut self, ctx: &mut Ctx<'_>) -> Result<Small, Stop> {
        self.look(ctx)?;
        let is_own =
            |var: &TermId| self.words.inputs.contains(var) && is_control(&self.store, *var);
        for predicate in &self.predicates {
            if self.store.free_vars(&[predicate.term]).iter().any(is_own) {
                let reason = "words are compared with short ones of the controller";
                return Err(Stop::Unsupported(reason.into()));
            }
        }
        let lemmas = self.lemmas(ctx)?;
        let (words, mut made) = (self.words, Words::default());
        let short = words.inputs.iter().filter(|input| !is_wide(&self.store, **input));
        made.inputs.extend(short);
        made.inputs.extend(self.labels.list.iter().map(|label| label.chosen));
        let start = self.start();
        for state in &words.states {
            if is_wide(&self.store, state.var) {
                continue;
            }
            let (var, span) = (state.var, state.span);
            let init = start.vars.get(&var).and_then(|value| self.store.value_term(value));
            let next = Some(self.images[&self.next[&var]]);
            made.states.push(State { var, init, next, span });
        }
        for at in 0..self.predicates.len() {
            let Predicate { term, var, next } = self.predicates[at];
            if next.is_none() {
                made.inputs.push(var);
                continue;
            }
            let vars = self.store.free_vars(&[term]);
            let init = match vars.iter().all(|var| start.vars.contains_key(var)) {
                true => eval(&self.store, term, &start).ok(),
                false => None,
            };
            let init = init.and_then(|value| self.store.value_term(&value));
            made.states.push(State { var, init, next, span: Span::NONE });
        }
        let named = |term: TermId| Named { term, name: None, span: Span::NONE };
        let mut image = |term: TermId| {
            let term = self.store.substitute(term, &self.labels.map);
            self.image(term).map(named)
        };
        for bad in &words.bads {
            made.bads.push(image(bad.term)?);
        }
        for constraint in &words.constraints {
            made.constraints.push(image(constraint.term)?);
        }
        made.constraints.extend(lemmas.into_iter().map(named));
        made.terms = self.store.clone();
        let states = (0..made.states.len()).collect();
        let abstraction = Abstraction { states, cells: Vec::new() };
        let blasted = blast(&made, Goal::All, &abstraction).map_err(Stop::Unsupported)?;
        let mut controllable = vec![false; blasted.circuit.inputs as usize];
        for (source, bits) in blasted.layout.inputs() {
            if let Source::Input(input) = source
                && is_control(&made.terms, made.inputs[*input])
            {
                controllable[bits.clone()].fill(true);
            }
        }
        let game = Game::new(blasted.circuit, controllable).map_err(Stop::Unsupported)?;
        Ok(Small { game, words: made, layout: blasted.layout })
    }

    /// The first values that are known.
    fn start(&self) -> Model {
        let mut start = Model::new();
        for state in &self.words.states {
            let known = state.init.filter(|init| self.store.is_ground(*init));
            if let Some(Ok(value)) = known.map(|init| eval(&self.store, init, &Model::new())) {
                start.set(state.var, value);
            }
        }
        start
    }

    /// What cannot be true of predicates together, as formulas over what stands for them.
    fn lemmas(&mut self, ctx: &mut Ctx<'_>) -> Result<Vec<TermId>, Stop> {
        let is_truth = |at: &usize| self.store.sort(self.predicates[*at].term) == SortId::BOOL;
        let all: Vec<usize> = (0..self.predicates.len()).filter(is_truth).collect();
        let mut solver = Solver::new(SatOptions::default());
        let vars: Vec<Lit> = all.iter().map(|_| solver.new_var().positive()).collect();
        let mut smt = Smt::new(Options::default());
        let mut lemmas = Vec::new();
        for _ in 0..MAX_COMBINATIONS {
            if solver.solve(&[]) != Sat::Sat {
                break;
            }
            let is_true: Vec<bool> =
                vars.iter().map(|lit| solver.value(*lit) == Some(true)).collect();
            let mut literals = Vec::with_capacity(all.len());
            for (at, is_true) in all.iter().zip(&is_true) {
                let term = self.predicates[*at].term;
                literals.push(if *is_true { term } else { self.store.not(term) });
            }
            let pay = |ticks: u64| ctx.tick(ticks);
            let answer = smt.check_paying(&mut self.store, &literals, CONFLICTS, pay)?;
            let failed = if answer == Answer::Unsat { smt.failed() } else { literals.clone() };
            let mut blocked = Vec::new();
            let mut lemma = Vec::new();
            for (place, literal) in literals.iter().enumerate() {
                if failed.contains(literal) {
                    blocked.push(vars[place].xor(is_true[place]));
                    let var = self.predicates[all[place]].var;
                    lemma.push(if is_true[place] { self.store.not(var) } else { var });
                }
            }
            if answer == Answer::Unsat {
                lemmas.push(self.store.or(&lemma));
            }
            solver.add_clause(&blocked);
        }
        Ok(lemmas)
    }
}
