//! Response: whatever holds here leads to something there, on fair runs.
//!
//! `p` leads to `q` if `q` holds at some time from each time on at which `p` does. A run that violates it is one on
//! which from some time on `p` has held and `q` never does. An input says when that time has come, and a state keeps it:
//! while it is so, a constraint excludes `q`. Weak fairness of an action asks that it be infinitely often taken or not
//! enabled, strong fairness that it be taken infinitely often or, from some time on, never enabled; a further input says
//! when that time has come. So a violation is an infinite run on which each of finitely many signals holds
//! infinitely often: a justice property, and no other question is left.
//!
//! After Manna, Pnueli, "The Temporal Logic of Reactive and Concurrent Systems" (1992); the actions of a system may
//! stand still, so that without fairness hardly anything leads to something else.

use crate::Span;
use crate::circuit::{Circuit, Lit};
use crate::monitor::Builder;
use crate::words::{Justice, Named, State, Words};
use alphorn_term::{SortId, Store, TermId};

/// An action that is not passed over for ever, of a system over words or of a circuit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fair<F = TermId> {
    /// Whether it suffices that it is enabled again and again, and not always.
    pub is_strong: bool,
    /// When it is enabled, over states.
    pub enabled: F,
    /// When it is taken, over states and inputs.
    pub taken: F,
}

/// A question about a system: whether one formula over its states leads to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response<F = TermId> {
    /// What holds first.
    pub from: F,
    /// What must hold then or later.
    pub to: F,
    /// The actions that runs are fair to.
    pub fair: Vec<Fair<F>>,
}

impl<F> Response<F> {
    /// How many inputs, states and constraints the question adds, each behind those that there are: for the time from
    /// which on it is pending, and for each strong action for the time from which on it is over.
    pub fn added(&self) -> usize {
        1 + self.fair.iter().filter(|fair| fair.is_strong).count()
    }
}

impl Response<Lit> {
    /// The circuit with this question in the place of its own. Its inputs and latches come first, and keep their names.
    pub fn ask(&self, circuit: &Circuit) -> Circuit {
        let more = self.added();
        let mut build = Builder::new(circuit, more as u32, more);
        let pending = build.guessed(0, self.from);
        let to = build.moved(self.to);
        let answered = build.and(pending, to);
        let (mut constraints, mut signals) = (vec![!answered], vec![pending]);
        let mut strong = 0;
        for fair in &self.fair {
            let (enabled, taken) = (build.moved(fair.enabled), build.moved(fair.taken));
            let signal = match fair.is_strong {
                false => build.or(!enabled, taken),
                true => {
                    strong += 1;
                    let is_over = build.guessed(strong, Lit::TRUE);
                    let again = build.and(is_over, enabled);
                    constraints.push(!again);
                    build.or(is_over, taken)
                }
            };
            if signal != Lit::TRUE {
                signals.push(signal);
            }
        }
        let fairness = circuit.fairness.iter().map(|lit| build.moved(*lit)).collect();
        let mut asked = build.made;
        asked.constraints.extend(constraints);
        (asked.justice, asked.fairness) = (vec![signals], fairness);
        let kept = circuit.symbols.entries.iter().filter(|(kind, ..)| matches!(kind, b'i' | b'l'));
        asked.symbols.entries = kept.cloned().collect();
        for position in 0..more {
            let name = if position == 0 { "pending".to_owned() } else { format!("over{position}") };
            let latch = circuit.latches.len() + position;
            let input = circuit.inputs + position as u32;
            asked.symbols.entries.push((b'i', input, format!("{name}-now")));
            asked.symbols.entries.push((b'l', latch as u32, name));
        }
        asked.symbols.entries.push((b'j', 0, "response".to_owned()));
        asked
    }
}

impl Response {
    /// The system with this question in the place of its own.
    pub fn ask(&self, words: &mut Words) {
        words.bads.clear();
        words.justice.clear();
        words.homes.clear();
        let pending = guessed(words, "pending", self.from);
        let store = &mut words.terms;
        let answered = store.and(&[pending, self.to]);
        constrain(words, answered);
        let mut signals = vec![pending];
        for fair in &self.fair {
            let signal = match fair.is_strong {
                false => {
                    let disabled = words.terms.not(fair.enabled);
                    words.terms.or(&[disabled, fair.taken])
                }
                true => {
                    let always = words.terms.bool(true);
                    let is_over = guessed(words, "over", always);
                    let again = words.terms.and(&[is_over, fair.enabled]);
                    constrain(words, again);
                    words.terms.or(&[is_over, fair.taken])
                }
            };
            if signal != words.terms.bool(true) {
                signals.push(signal);
            }
        }
        let name = Some("response".to_owned());
        words.justice.push(Justice { terms: signals, name, span: Span::NONE });
        words.response = Some(self.clone());
    }

    /// The system without what this question, which was asked of it, added.
    pub fn unasked(&self, words: &Words) -> Words {
        let mut unasked = words.clone();
        let added = self.added();
        unasked.inputs.truncate(words.inputs.len() - added.min(words.inputs.len()));
        unasked.states.truncate(words.states.len() - added.min(words.states.len()));
        unasked.constraints.truncate(words.constraints.len() - added.min(words.constraints.len()));
        unasked.justice.clear();
        unasked.response = None;
        unasked
    }
}

/// A variable with this name, or with a similar one if the name is taken.
pub fn unused(store: &mut Store, name: &str, sort: SortId) -> TermId {
    match store.find_symbol(name) {
        None => store.var(name, sort),
        Some(_) => store.fresh_var(name, sort),
    }
}

/// Whether an input has said before or now, when `condition` held, that a time has come.
fn guessed(words: &mut Words, name: &str, condition: TermId) -> TermId {
    let store: &mut Store = &mut words.terms;
    let guess = unused(store, &format!("{name}-now"), SortId::BOOL);
    let kept = unused(store, name, SortId::BOOL);
    let now = store.and(&[guess, condition]);
    let is_so = store.or(&[kept, now]);
    let init = Some(store.bool(false));
    words.inputs.push(guess);
    words.states.push(State { var: kept, init, next: Some(is_so), span: Span::NONE });
    is_so
}

/// Excludes runs on which this happens.
fn constrain(words: &mut Words, excluded: TermId) {
    let term = words.terms.not(excluded);
    words.constraints.push(Named { term, name: None, span: Span::NONE });
}
