//! Negation normal form with readable atoms.
//!
//! Negations stand before atoms and Boolean equations only, and not before comparisons. Arithmetic
//! atoms are written from their constraint (`Constraint::to_term`), so atoms with the same meaning
//! are the same term, up to what the polynomials say.

use crate::project::constraint::Constraint;
use crate::project::implicant::is_connective;
use alphorn_term::{Op, SortId, Store, TermId};
use rustc_hash::FxHashMap;

/// The normal forms of terms, and of formulas' negations, as far as they have been asked for.
#[derive(Default)]
pub(super) struct NormalForms {
    done: FxHashMap<(TermId, bool), TermId>,
}

impl NormalForms {
    /// The normal form of a term of any sort.
    pub(super) fn of(&mut self, store: &mut Store, root: TermId) -> TermId {
        let mut stack = vec![(root, true, false)];
        while let Some((term, value, ready)) = stack.pop() {
            if self.done.contains_key(&(term, value)) {
                continue;
            }
            let below = parts(store, term, value);
            if !ready && !below.is_empty() {
                stack.push((term, value, true));
                stack.extend(below.into_iter().rev().map(|(arg, value)| (arg, value, false)));
                continue;
            }
            let args: Vec<TermId> = below.iter().map(|part| self.done[part]).collect();
            let result = combine(store, term, value, &args);
            self.done.insert((term, value), result);
        }
        self.done[&(root, true)]
    }

    /// The normal form of a formula's negation.
    pub(super) fn negation(&mut self, store: &mut Store, formula: TermId) -> TermId {
        let negated = store.not(formula);
        self.of(store, negated)
    }
}

/// The normal form of a term of any sort.
pub(super) fn normal(store: &mut Store, root: TermId) -> TermId {
    NormalForms::default().of(store, root)
}

/// The normal form of a formula's negation.
pub(super) fn negation(store: &mut Store, formula: TermId) -> TermId {
    NormalForms::default().negation(store, formula)
}

/// Whether a formula in normal form is a literal.
pub(super) fn is_literal(store: &Store, term: TermId) -> bool {
    match store.op(term) {
        Op::Not => !is_connective(store, store.args(term)[0]),
        _ => !is_connective(store, term),
    }
}

/// What the normal form of a term, or of its negation, is made of.
fn parts(store: &Store, term: TermId, value: bool) -> Vec<(TermId, bool)> {
    let args = store.args(term);
    match store.op(term) {
        Op::Not => vec![(args[0], !value)],
        Op::And | Op::Or => args.iter().map(|&arg| (arg, value)).collect(),
        Op::Ite if store.sort(term) == SortId::BOOL => {
            vec![(args[0], true), (args[1], value), (args[2], value)]
        }
        Op::Forall | Op::Exists => vec![(args[args.len() - 1], true)],
        _ => args.iter().map(|&arg| (arg, true)).collect(),
    }
}

/// The normal form of a term, or of its negation, from those of its parts.
fn combine(store: &mut Store, term: TermId, value: bool, args: &[TermId]) -> TermId {
    let result = match store.op(term) {
        Op::Not => return args[0],
        Op::And | Op::Or if (store.op(term) == Op::And) == value => return store.and(args),
        Op::And | Op::Or => return store.or(args),
        Op::Ite if store.sort(term) == SortId::BOOL => return store.ite(args[0], args[1], args[2]),
        Op::Forall | Op::Exists => {
            let mut all = store.bound_vars(term).to_vec();
            all.extend(args);
            store.mk(store.op(term), &all)
        }
        _ if args.is_empty() || args == store.args(term) => term,
        _ => store.rebuild(term, args),
    };
    if store.sort(result) != SortId::BOOL {
        return result;
    }
    let literal = if value { result } else { store.not(result) };
    match Constraint::of(store, literal) {
        Some(constraint) => constraint.literal(store),
        None => literal,
    }
}
