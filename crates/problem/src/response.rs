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
use crate::words::{Justice, Named, State, Words};
use alphorn_term::{SortId, Store, TermId};

/// An action that is not passed over for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fair {
    /// Whether it suffices that it is enabled again and again, and not always.
    pub is_strong: bool,
    /// When it is enabled, over states.
    pub enabled: TermId,
    /// When it is taken, over states and inputs.
    pub taken: TermId,
}

/// A question about a system: whether one formula over its states leads to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// What holds first.
    pub from: TermId,
    /// What must hold then or later.
    pub to: TermId,
    /// The actions that runs are fair to.
    pub fair: Vec<Fair>,
}

impl Response {
    /// The system with this question in the place of its own.
    pub fn ask(&self, words: &mut Words) {
        words.bads.clear();
        words.justice.clear();
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
