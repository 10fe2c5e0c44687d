//! The instances of one clause, given the facts: search by propagation and choice.
//!
//! A choice is a fact for an atom that must hold, a disjunct for a disjunction that must hold, or
//! a value for a variable; after each the network is propagated. What is found is an instance
//! whose body evaluates to true. The search says whether it may have missed instances
//! (`Losses`): by sampling a variable, by cutting choices short, or by an error of evaluation.
//!
//! Sampled values after the first count as *discrepancies* (Harvey and Ginsberg, IJCAI 1995), of
//! which an instance may have a limited number: few discrepancies first.

use super::facts::{Facts, Instance, size};
use super::network::Network;
use super::propagate::{Conflict, State};
use super::sample::candidates;
use alphorn_engine::{Ctx, Rng, Stop};
use alphorn_problem::horn::PredId;
use alphorn_term::{Model, Op, Store, Value};

/// How hard to look.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// Sampled values after the first in one instance.
    pub discrepancies: u32,
    /// Values sampled for one variable.
    pub width: usize,
    /// Whether some of them are far from where comparisons change.
    pub is_wide: bool,
    /// The most instances from one start of the search.
    pub instances: u64,
    /// Choices are made in random order.
    pub random: bool,
}

/// What a search may have missed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Losses {
    /// A variable was sampled.
    pub sampled: bool,
    /// More effort would look at more instances.
    pub cut: bool,
    /// An instance could not be evaluated, or is too large.
    pub error: bool,
}

impl Losses {
    pub fn any(self) -> bool {
        self.sampled || self.cut || self.error
    }
}

/// A round's way of searching, and what it has missed so far.
pub(super) struct Pursuit {
    pub effort: Effort,
    pub losses: Losses,
    pub rng: Rng,
}

enum Options {
    Facts { atom: usize, facts: Vec<u32> },
    Values { var: u32, values: Vec<Value>, sampled: bool },
    Disjunct { arg: u32, first: bool, dominant: bool },
}

struct Choice {
    options: Options,
    next: usize,
    mark: usize,
    discrepancies: u32,
}

/// One option of a choice.
enum Taken {
    /// Match the atom with the fact.
    Fact(usize, u32),
    /// Give the variable the value; whether that is a discrepancy.
    Value { var: u32, value: Value, costs: bool },
    /// Make the argument of a junction dominate it.
    Argument(u32, bool),
    /// Do not: the argument has the other value, or (with atoms in it) is not chosen.
    Without(u32, bool),
}

impl Choice {
    fn next_option(&mut self, losses: &mut Losses) -> Option<Taken> {
        let number = self.next;
        self.next += 1;
        match &self.options {
            Options::Facts { atom, facts } => {
                facts.get(number).map(|&fact| Taken::Fact(*atom, fact))
            }
            Options::Values { var, values, sampled } => {
                let value = values.get(number)?.clone();
                let costs = *sampled && number > 0;
                if costs && self.discrepancies == 0 {
                    losses.cut = true;
                    return None;
                }
                Some(Taken::Value { var: *var, value, costs })
            }
            &Options::Disjunct { arg, first, dominant } => match number {
                0 | 1 if (number == 0) == first => Some(Taken::Argument(arg, dominant)),
                0 | 1 => Some(Taken::Without(arg, !dominant)),
                _ => None,
            },
        }
    }
}

/// What the search concluded from an instance: the head's values; none for a query.
pub(super) struct Firing {
    pub instance: Instance,
    pub head: Option<(PredId, Vec<Value>)>,
}

/// A compiled clause with the state of its search.
pub(super) struct Search {
    pub net: Network,
    state: State,
    base: usize,
    /// Whether the body can hold at all.
    pub possible: bool,
    choices: Vec<Choice>,
    matched: Vec<u32>,
    /// Atoms before this one may only use old facts.
    delta_atom: usize,
    instances: u64,
    ready: bool,
    discrepancies: u32,
    width: usize,
    is_wide: bool,
}

impl Search {
    pub fn new(net: Network, store: &Store) -> Search {
        let mut state = State::new(&net);
        let possible = state.settle_ground(&net, store).is_ok()
            && state.assign(&net, net.body, Value::Bool(true), false).is_ok()
            && state.settle(&net, store).is_ok();
        let matched = vec![0; net.atoms.len()];
        Search {
            base: state.mark(),
            net,
            state,
            possible,
            choices: Vec::new(),
            matched,
            delta_atom: 0,
            instances: 0,
            ready: false,
            discrepancies: 0,
            width: 0,
            is_wide: false,
        }
    }

    /// Begins to look for instances; with `delta`, for those that use this fact for this atom,
    /// and only older facts for the atoms before it.
    pub fn start(
        &mut self,
        store: &Store,
        facts: &Facts,
        effort: &Effort,
        delta: Option<(usize, u32)>,
    ) {
        self.state.undo(self.base);
        self.choices.clear();
        self.instances = 0;
        self.discrepancies = effort.discrepancies;
        self.width = effort.width;
        self.is_wide = effort.is_wide;
        self.delta_atom = delta.map_or(0, |(atom, _)| atom);
        self.ready = self.possible
            && match delta {
                None => true,
                Some((atom, fact)) => self.match_fact(store, facts, atom, fact).is_ok(),
            };
    }

    fn match_fact(
        &mut self,
        store: &Store,
        facts: &Facts,
        atom: usize,
        fact: u32,
    ) -> Result<(), Conflict> {
        let data = &self.net.atoms[atom];
        let values = facts.relations[data.pred.index()].args(fact);
        self.matched[atom] = fact;
        self.state.match_atom(&self.net, data, values)?;
        self.state.settle(&self.net, store)
    }

    /// The next instance, if there is one.
    pub fn next(
        &mut self,
        store: &Store,
        facts: &mut Facts,
        pursuit: &mut Pursuit,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Firing>, Stop> {
        let Pursuit { effort, losses, rng } = pursuit;
        loop {
            ctx.tick(1 + self.state.take_work() / 4)?;
            if !std::mem::replace(&mut self.ready, false) && !self.advance(store, facts, losses) {
                return Ok(None);
            }
            match self.decide(store, facts, losses) {
                Some(mut options) => {
                    if effort.random {
                        shuffle(&mut options, rng);
                    }
                    let mark = self.state.mark();
                    let discrepancies = self.discrepancies;
                    self.choices.push(Choice { options, next: 0, mark, discrepancies });
                }
                None => {
                    if self.instances >= effort.instances {
                        losses.cut = true;
                        self.choices.clear();
                        return Ok(None);
                    }
                    ctx.tick(1 + self.net.nodes.len() as u64 / 8)?;
                    if let Some(firing) = self.evaluate(store, losses) {
                        self.instances += 1;
                        return Ok(Some(firing));
                    }
                }
            }
        }
    }

    /// Takes the next option of the last choice that has one; whether there was one.
    fn advance(&mut self, store: &Store, facts: &Facts, losses: &mut Losses) -> bool {
        while let Some(choice) = self.choices.last_mut() {
            self.discrepancies = choice.discrepancies;
            let mark = choice.mark;
            let Some(option) = choice.next_option(losses) else {
                self.choices.pop();
                continue;
            };
            self.state.undo(mark);
            if self.take(store, facts, option).is_ok() {
                return true;
            }
        }
        false
    }

    fn take(&mut self, store: &Store, facts: &Facts, option: Taken) -> Result<(), Conflict> {
        match option {
            Taken::Fact(atom, fact) => return self.match_fact(store, facts, atom, fact),
            Taken::Value { var, value, costs } => {
                self.discrepancies -= u32::from(costs);
                self.state.assign(&self.net, var, value, true)?;
            }
            Taken::Argument(arg, value) => {
                self.state.assign(&self.net, arg, Value::Bool(value), false)?;
            }
            Taken::Without(arg, value) => {
                if self.net.node(arg).has_atom {
                    self.state.bar(&self.net, arg)?;
                } else {
                    self.state.assign(&self.net, arg, Value::Bool(value), false)?;
                }
            }
        }
        self.state.settle(&self.net, store)
    }

    /// What to choose next; nothing when the instance is complete.
    fn decide(&mut self, store: &Store, facts: &mut Facts, losses: &mut Losses) -> Option<Options> {
        if let Some(options) = self.decide_atom(facts) {
            return Some(options);
        }
        let var = if self.state.is_justified(self.net.body) {
            self.open_head_var()?
        } else if let Some(options) = self.decide_junction() {
            return Some(options);
        } else {
            self.open_body_var()?
        };
        // Without discrepancies left a second sample only shows that there is one.
        let most = if self.discrepancies == 0 { 2 } else { self.width };
        let found = candidates(&self.net, &self.state, store, var, (most, self.is_wide));
        losses.sampled |= !found.complete;
        Some(Options::Values { var, values: found.values, sampled: !found.complete })
    }

    /// The atom that must hold and has the fewest facts to match.
    fn decide_atom(&mut self, facts: &mut Facts) -> Option<Options> {
        let mut best: Option<(usize, Vec<u32>)> = None;
        for number in 0..self.net.atoms.len() {
            let atom = &self.net.atoms[number];
            if self.state.truth(atom.node) != Some(true) || self.state.matched[atom.node as usize] {
                continue;
            }
            let most = best.as_ref().map_or(u32::MAX as usize, |(_, list)| list.len());
            if let Some(list) = self.matches(facts, number, most) {
                best = Some((number, list));
            }
        }
        best.map(|(atom, facts)| Options::Facts { atom, facts })
    }

    /// The facts an atom may be matched with, if they are fewer than `most`.
    fn matches(&self, facts: &mut Facts, number: usize, most: usize) -> Option<Vec<u32>> {
        let atom = &self.net.atoms[number];
        let pred = atom.pred.index();
        let limit = if number < self.delta_atom { facts.old[pred] } else { facts.known[pred] };
        let relation = &mut facts.relations[pred];
        let values: Vec<Option<&Value>> =
            atom.args.iter().map(|&arg| self.state.value(arg)).collect();
        if values.iter().all(Option::is_some) {
            let args: Vec<Value> = values.into_iter().flatten().cloned().collect();
            let found = relation.find(&args).filter(|&fact| fact < limit);
            return (most > 1 || found.is_none()).then(|| found.into_iter().collect());
        }
        let mut shortest: Option<(usize, usize)> = None;
        let bound = values.iter().enumerate().filter_map(|(at, value)| Some((at, (*value)?)));
        for (argument, value) in bound.take(4) {
            let list = relation.with_argument(argument, value);
            let count = list.partition_point(|&fact| fact < limit);
            if shortest.is_none_or(|(_, least)| count < least) {
                shortest = Some((argument, count));
            }
        }
        match shortest {
            None => ((limit as usize) < most).then(|| (0..limit).collect()),
            Some((argument, count)) => {
                let value = values[argument]?;
                let list = relation.with_argument(argument, value);
                (count < most).then(|| list[..count].to_vec())
            }
        }
    }

    fn open_var(&self, vars: &[u32]) -> Option<u32> {
        vars.iter().copied().find(|&var| self.state.value(var).is_none())
    }

    fn open_head_var(&self) -> Option<u32> {
        let (_, args, below) = self.net.head.as_ref()?;
        let open = args.iter().zip(below).filter(|(arg, _)| !self.state.is_justified(**arg));
        open.filter_map(|(_, vars)| self.open_var(vars)).next()
    }

    /// A variable of the body without a value: of a finite sort if there is one.
    fn open_body_var(&self) -> Option<u32> {
        let finite = |&var: &u32| {
            let domain = self.net.domains.get(&self.net.node(var).sort);
            domain.is_some_and(|values| values.len() <= 4)
        };
        let open = || self.net.body_vars.iter().copied().filter(|&v| self.state.value(v).is_none());
        open().find(finite).or_else(|| open().next())
    }

    /// An argument of a disjunction that must hold and does not yet (or dually).
    fn decide_junction(&self) -> Option<Options> {
        for &node in &self.net.junctions {
            let data = self.net.node(node);
            let dominant = data.op == Op::Or;
            if self.state.is_justified(node) || self.state.truth(node) != Some(dominant) {
                continue;
            }
            if data.args.iter().any(|&arg| self.state.truth(arg) == Some(dominant)) {
                continue;
            }
            let open =
                data.args.iter().copied().find(|&arg| {
                    self.state.truth(arg).is_none() && !self.state.barred[arg as usize]
                });
            if let Some(arg) = open {
                return Some(Options::Disjunct { arg, first: true, dominant });
            }
        }
        None
    }

    /// Evaluates the complete instance; a firing if the body is true.
    fn evaluate(&mut self, store: &Store, losses: &mut Losses) -> Option<Firing> {
        let mut inputs: Vec<Value> = Vec::with_capacity(self.net.vars.len());
        for &var in &self.net.vars {
            let value = self.state.value(var).cloned();
            let value = value.or_else(|| Value::default_of(store, self.net.node(var).sort));
            let Some(value) = value else {
                losses.error = true;
                return None;
            };
            inputs.push(value);
        }
        let values = inputs.clone();
        let mut premises: Vec<(PredId, u32)> = Vec::new();
        for (atom, &fact) in self.net.atoms.iter().zip(&self.matched) {
            let holds = self.state.is_justified(atom.node);
            inputs.push(Value::Bool(holds));
            if holds && !premises.contains(&(atom.pred, fact)) {
                premises.push((atom.pred, fact));
            }
        }
        self.net.program.run(store, &inputs, &Model::new());
        match self.net.program.holds(0) {
            Ok(true) => {}
            Ok(false) => return None,
            Err(_) => {
                losses.error = true;
                return None;
            }
        }
        let mut head = None;
        if let Some((pred, args, _)) = &self.net.head {
            let results = (0..args.len()).map(|index| self.net.program.output(1 + index).cloned());
            let results: Result<Vec<Value>, _> = results.map(|r| r.map_err(|_| ())).collect();
            match results {
                Ok(results) if results.iter().all(|value| size(value).is_some()) => {
                    head = Some((*pred, results))
                }
                _ => {
                    losses.error = true;
                    return None;
                }
            }
        }
        let instance = Instance { clause: self.net.clause, values, premises };
        Some(Firing { instance, head })
    }
}

fn shuffle(options: &mut Options, rng: &mut Rng) {
    match options {
        Options::Facts { facts, .. } => permute(facts, rng),
        Options::Values { values, sampled, .. } => {
            // The first sample is the likeliest; it stays in front half of the time.
            if !*sampled || rng.below(2) == 0 {
                permute(values, rng);
            }
        }
        Options::Disjunct { first, .. } => *first = rng.below(2) == 0,
    }
}

fn permute<T>(items: &mut [T], rng: &mut Rng) {
    for last in (1..items.len()).rev() {
        items.swap(last, rng.below(last as u64 + 1) as usize);
    }
}
