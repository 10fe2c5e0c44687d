//! Guesses at invariants.
//!
//! What systems keep is mostly written in them. A conjunct of the initial states may hold for ever; a
//! conjunct of the step that is about the next state alone holds of every state but perhaps the first
//! (in systems made from dataflow programs, these define most of the state); numbers stay between
//! constants of the text, or in an order; one truth value implies another. A guess that a state of a
//! sampled path breaks is none.

use crate::settings::{
    GUESS_MAX_ATOMS, GUESS_MAX_BOUNDS, GUESS_MAX_COMPARED, GUESS_MAX_CONSTANTS, GUESS_MAX_OF_A_KIND,
};
use crate::ts::System;
use crate::ts::bmc::Bounded;
use crate::ts::unroll::conjuncts;
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask;
use alphorn_smt::Answer;
use alphorn_term::{Model, Op, Rat, SortId, Store, TermId, Value, eval};
use rustc_hash::FxHashSet;

/// States on a path, as models.
pub(in crate::ts) fn samples(
    base: &mut Bounded<'_>,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<Model>, Stop> {
    let unrolling = &mut base.unrolling;
    if ask(&mut unrolling.smt, &mut unrolling.store, &[], ctx)? != Answer::Sat {
        return Ok(Vec::new());
    }
    let vars = base.system().state.clone();
    let model = |state: Vec<Value>| {
        let mut model = Model::new();
        vars.iter().zip(state).for_each(|(&var, value)| model.set(var, value));
        model
    };
    Ok(base.unrolling.path().into_iter().map(model).collect())
}

/// Formulas over the state that may be invariants, all true in the samples.
pub(in crate::ts) fn guesses(system: &System, store: &mut Store, samples: &[Model]) -> Vec<TermId> {
    let mut found = Guesses { samples, seen: FxHashSet::default(), all: Vec::new(), of_kind: 0 };
    found.written(system, store);
    found.of_kind = 0;
    found.bounds(system, store);
    found.of_kind = 0;
    found.orders(system, store);
    found.of_kind = 0;
    found.implications(system, store);
    found.all
}

struct Guesses<'a> {
    samples: &'a [Model],
    seen: FxHashSet<TermId>,
    all: Vec<TermId>,
    of_kind: usize,
}

impl Guesses<'_> {
    /// Adds a guess unless a sample breaks it; whether it holds in the samples.
    fn add(&mut self, store: &Store, guess: TermId) -> bool {
        if guess == TermId::TRUE || guess == TermId::FALSE {
            return guess == TermId::TRUE;
        }
        let holds = self.samples.iter().all(|sample| {
            eval(store, guess, sample).is_ok_and(|value| value.as_bool() == Some(true))
        });
        if holds && self.of_kind < GUESS_MAX_OF_A_KIND.size() && self.seen.insert(guess) {
            self.all.push(guess);
            self.of_kind += 1;
        }
        holds
    }

    /// Conjuncts of the initial states, and of the step about the next state alone.
    fn written(&mut self, system: &System, store: &mut Store) {
        let state: FxHashSet<TermId> = system.state.iter().copied().collect();
        let next: FxHashSet<TermId> = system.next.iter().copied().collect();
        for part in conjuncts(store, system.init) {
            if store.free_vars(&[part]).iter().all(|var| state.contains(var)) {
                self.add(store, part);
            }
        }
        for part in conjuncts(store, system.trans) {
            if store.free_vars(&[part]).iter().all(|var| next.contains(var)) {
                let part = store.rename(part, &system.next, &system.state);
                self.add(store, part);
            }
        }
    }

    /// Truth values that stay, and numbers between constants.
    fn bounds(&mut self, system: &System, store: &mut Store) {
        let constants = constants(system, store);
        for &var in &system.state {
            let sort = store.sort(var);
            if sort == SortId::BOOL {
                self.add(store, var);
                let negation = store.not(var);
                self.add(store, negation);
                continue;
            }
            let Some((least, greatest)) = self.range(var) else { continue };
            let fits = |constant: &&Rat| sort == SortId::REAL || constant.is_integer();
            let below = constants.iter().filter(fits).rev().filter(|constant| **constant <= least);
            for constant in below.take(GUESS_MAX_BOUNDS.size()).cloned().collect::<Vec<_>>() {
                let constant = number(store, sort, &constant);
                let bound = store.ge(var, constant);
                self.add(store, bound);
            }
            let above = constants.iter().filter(fits).filter(|constant| **constant >= greatest);
            for constant in above.take(GUESS_MAX_BOUNDS.size()).cloned().collect::<Vec<_>>() {
                let constant = number(store, sort, &constant);
                let bound = store.le(var, constant);
                self.add(store, bound);
            }
        }
    }

    /// The least and the greatest value of a number in the samples.
    fn range(&self, var: TermId) -> Option<(Rat, Rat)> {
        let value = |sample: &Model| match sample.vars.get(&var)? {
            Value::Int(number) => Some(Rat::from(number.clone())),
            Value::Real(number) => Some(number.clone()),
            _ => None,
        };
        let values: Option<Vec<Rat>> = self.samples.iter().map(value).collect();
        let values = values?;
        Some((values.iter().min()?.clone(), values.iter().max()?.clone()))
    }

    /// Numbers in an order; what is equal in the samples, each to the next.
    fn orders(&mut self, system: &System, store: &mut Store) {
        for sort in [SortId::INT, SortId::REAL, SortId::BOOL] {
            let vars: Vec<TermId> =
                system.state.iter().copied().filter(|&var| store.sort(var) == sort).collect();
            for (place, &left) in vars.iter().enumerate() {
                for &right in &vars[place + 1..] {
                    let equation = store.eq(left, right);
                    if self.add(store, equation) {
                        break;
                    }
                }
                if sort == SortId::BOOL || vars.len() > GUESS_MAX_COMPARED.size() {
                    continue;
                }
                for &right in &vars[place + 1..] {
                    let (below, above) = (store.le(left, right), store.ge(left, right));
                    self.add(store, below);
                    self.add(store, above);
                }
            }
        }
    }

    /// Implications between truth values and atoms of the text.
    fn implications(&mut self, system: &System, store: &mut Store) {
        let mut literals = Vec::new();
        for atom in atoms(system, store) {
            literals.push((atom, atom));
            let negation = store.not(atom);
            literals.push((atom, negation));
        }
        for (place, &(atom, literal)) in literals.iter().enumerate() {
            for &(other_atom, other) in &literals[place + 1..] {
                if atom != other_atom && self.of_kind < GUESS_MAX_OF_A_KIND.size() {
                    let clause = store.or(&[literal, other]);
                    self.add(store, clause);
                }
            }
        }
    }
}

/// A constant of a sort of numbers.
fn number(store: &mut Store, sort: SortId, value: &Rat) -> TermId {
    match sort {
        SortId::INT => store.int(value.floor()),
        _ => store.real(value.clone()),
    }
}

/// Numbers of the text, ascending; the smallest ones if there are many.
fn constants(system: &System, store: &Store) -> Vec<Rat> {
    let roots = [system.init, system.trans, system.bad];
    let found = store.subterms(&roots).into_iter().filter_map(|term| store.number_value(term));
    let mut all: Vec<Rat> = found.collect();
    all.push(Rat::ZERO);
    all.sort_by_key(|number| (number.abs(), number.is_negative()));
    all.dedup();
    all.truncate(GUESS_MAX_CONSTANTS.size());
    all.sort();
    all
}

/// Truth values of the state, and comparisons of the text that are about one state alone.
fn atoms(system: &System, store: &mut Store) -> Vec<TermId> {
    let state: FxHashSet<TermId> = system.state.iter().copied().collect();
    let next: FxHashSet<TermId> = system.next.iter().copied().collect();
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut texts = store.subterms(&[system.bad, system.init]);
    texts.extend(store.subterms(&[system.trans]));
    for term in texts {
        if store.sort(term) != SortId::BOOL {
            continue;
        }
        let is_atom = match store.op(term) {
            Op::Var(_) | Op::Le | Op::Lt => true,
            Op::Eq => store.sort(store.args(term)[0]) != SortId::BOOL,
            _ => false,
        };
        let vars = store.free_vars(&[term]);
        if !is_atom || vars.is_empty() || vars.len() > 2 {
            continue;
        }
        let atom = if vars.iter().all(|var| state.contains(var)) {
            term
        } else if vars.iter().all(|var| next.contains(var)) {
            store.rename(term, &system.next, &system.state)
        } else {
            continue;
        };
        if seen.insert(atom) && found.len() < GUESS_MAX_ATOMS.size() {
            found.push(atom);
        }
    }
    found
}
