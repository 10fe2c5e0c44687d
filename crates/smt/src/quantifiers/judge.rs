//! What an instance of a quantified body comes to in the assignment, without making it.
//!
//! Subterms are evaluated in order. An application has the value of the one with the same
//! arguments that is there, and none otherwise. What rests on equality, distinctness and
//! truth values that the search has decided alone is *certain*: no other numbers would change it. An
//! instance that is certainly false is a conflict; one that is false excludes the numbers of this
//! assignment; one without a value would bring terms that are not there.
//!
//! After Reynolds, Tinelli, de Moura, Finding conflicting instances of quantified formulas in SMT
//! (FMCAD 2014): the test of entailment, for what `falsify` and matching propose.

use alphorn_term::{Op, Rat, TermId};
use rustc_hash::FxHashMap;

use super::matching::{Binding, Chosen};
use super::trigger::Pattern;
use super::view::{Key, View};
use crate::euf::Node;
use crate::theories::Table;

/// What an instance is in the assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Judgement {
    /// False, whatever the numbers are.
    Conflict,
    /// False.
    False,
    /// It mentions terms that are not there.
    Open,
    /// True.
    True,
}

/// A value, and the node that has it, if there is one.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) key: Key,
    pub(super) node: Option<Node>,
    /// The term that it is, where that is known.
    pub(super) term: Option<TermId>,
    /// Of a truth value: whether it would be the same with other numbers.
    pub(super) is_certain: bool,
}

impl Seen {
    pub(super) fn truth(value: bool, is_certain: bool) -> Option<Seen> {
        Some(Seen { key: Key::Truth(value), node: None, term: None, is_certain })
    }

    fn number(value: Rat) -> Option<Seen> {
        Some(Seen { key: Key::Number(value), node: None, term: None, is_certain: false })
    }
}

/// Judges an instance; `is_positive` says whether the body is to be true.
pub(super) fn judge(
    view: &View<'_>,
    pattern: &Pattern,
    bindings: &[Binding<Key>],
    is_positive: bool,
) -> Judgement {
    let mut seen: FxHashMap<TermId, Seen> = FxHashMap::default();
    for determined in &pattern.determined {
        evaluate(view, pattern, bindings, &determined.order, &mut seen);
        if let Some(found) = seen.get(&determined.term).cloned() {
            seen.insert(pattern.vars[determined.place], found);
        }
    }
    evaluate(view, pattern, bindings, &pattern.order, &mut seen);
    match seen.get(&pattern.body) {
        Some(Seen { key: Key::Truth(value), is_certain, .. }) => {
            match (*value == is_positive, is_certain) {
                (true, _) => Judgement::True,
                (false, true) => Judgement::Conflict,
                (false, false) => Judgement::False,
            }
        }
        _ => Judgement::Open,
    }
}

fn evaluate(
    view: &View<'_>,
    pattern: &Pattern,
    bindings: &[Binding<Key>],
    order: &[TermId],
    seen: &mut FxHashMap<TermId, Seen>,
) {
    for &term in order {
        let found = match pattern.place(term) {
            Some(place) => bound(view, &bindings[place]),
            None => value(view, pattern, seen, term),
        };
        if let Some(found) = found {
            seen.insert(term, found);
        }
    }
}

/// What a bound variable is given.
pub(super) fn bound(view: &View<'_>, binding: &Binding<Key>) -> Option<Seen> {
    let term = match binding.chosen {
        Chosen::Term(term) => Some(term),
        Chosen::Sum(..) => None,
        Chosen::Determined => return None,
    };
    let node = term.and_then(|term| view.node(term));
    Some(Seen { key: binding.key.clone(), node, term, is_certain: true })
}

/// What a term is, with what was seen of its arguments.
pub(super) fn value(
    view: &View<'_>,
    pattern: &Pattern,
    seen: &FxHashMap<TermId, Seen>,
    term: TermId,
) -> Option<Seen> {
    if !pattern.is_open(term)
        && let Some(key) = view.key(term)
    {
        return Some(Seen { key, node: view.node(term), term: Some(term), is_certain: true });
    }
    let store = view.store;
    let (op, args) = (store.op(term), store.args(term));
    if matches!(op, Op::Apply(_)) || Table::congruence(op).is_some() {
        let args: Option<Vec<&Seen>> = args.iter().map(|arg| seen.get(arg)).collect();
        let (args, sort) = (args?, store.sort(term));
        let terms: Option<Vec<TermId>> = args.iter().map(|seen| seen.term).collect();
        let same = terms.and_then(|terms| view.find_same(op, sort, &terms));
        let by_keys = || view.find(op, sort, args.iter().map(|seen| seen.key.clone()).collect());
        let same = same.or_else(by_keys)?;
        let key = view.key(same)?;
        return Some(Seen { key, node: view.node(same), term: Some(same), is_certain: true });
    }
    if store.sort(term).is_arithmetic() {
        return number(view, seen, term);
    }
    formula(view, seen, term)
}

fn number(view: &View<'_>, seen: &FxHashMap<TermId, Seen>, term: TermId) -> Option<Seen> {
    let store = view.store;
    let of = |arg: &TermId| match &seen.get(arg)?.key {
        Key::Number(value) => Some(value.clone()),
        _ => None,
    };
    let args = store.args(term);
    match store.op(term) {
        Op::IntVal(_) | Op::RealVal(_) => Seen::number(store.number_value(term)?),
        Op::Add => {
            let sum = args.iter().try_fold(Rat::ZERO, |sum, arg| Some(&sum + &of(arg)?))?;
            Seen::number(sum)
        }
        Op::Mul => {
            let product = args.iter().try_fold(Rat::ONE, |all, arg| Some(&all * &of(arg)?))?;
            Seen::number(product)
        }
        Op::ToReal => Seen::number(of(&args[0])?),
        Op::Abs => Seen::number(of(&args[0])?.abs()),
        Op::Ite => choose(seen, args),
        _ => None,
    }
}

fn choose(seen: &FxHashMap<TermId, Seen>, args: &[TermId]) -> Option<Seen> {
    let condition = seen.get(&args[0])?;
    let chosen = if condition.key == Key::Truth(true) { args[1] } else { args[2] };
    let mut chosen = seen.get(&chosen)?.clone();
    chosen.is_certain &= condition.is_certain;
    chosen.node = chosen.node.filter(|_| condition.is_certain);
    chosen.term = None;
    Some(chosen)
}

fn formula(view: &View<'_>, seen: &FxHashMap<TermId, Seen>, term: TermId) -> Option<Seen> {
    let args = view.store.args(term);
    let truth = |arg: &TermId| match seen.get(arg)? {
        Seen { key: Key::Truth(value), is_certain, .. } => Some((*value, *is_certain)),
        _ => None,
    };
    match view.store.op(term) {
        Op::True => Seen::truth(true, true),
        Op::False => Seen::truth(false, true),
        Op::Not => truth(&args[0]).and_then(|(value, certain)| Seen::truth(!value, certain)),
        Op::And => junction(args.iter().map(truth), true),
        Op::Or => junction(args.iter().map(truth), false),
        Op::Ite => choose(seen, args),
        Op::Eq => same(view, seen.get(&args[0])?, seen.get(&args[1])?),
        Op::Distinct => {
            let mut is_certain = true;
            for (place, left) in args.iter().enumerate() {
                for right in &args[place + 1..] {
                    let found = same(view, seen.get(left)?, seen.get(right)?)?;
                    if found.key == Key::Truth(true) {
                        return Seen::truth(false, found.is_certain);
                    }
                    is_certain &= found.is_certain;
                }
            }
            Seen::truth(true, is_certain)
        }
        op @ (Op::Le | Op::Lt) => match (&seen.get(&args[0])?.key, &seen.get(&args[1])?.key) {
            (Key::Number(left), Key::Number(right)) => {
                Seen::truth(if op == Op::Le { left <= right } else { left < right }, false)
            }
            _ => None,
        },
        _ => None,
    }
}

/// A conjunction, or its dual.
fn junction(args: impl Iterator<Item = Option<(bool, bool)>>, is_and: bool) -> Option<Seen> {
    let (mut is_known, mut are_certain, mut decisive) = (true, true, None);
    for arg in args {
        match arg {
            None => is_known = false,
            Some((value, is_certain)) if value != is_and => {
                decisive = Some(decisive.unwrap_or(false) || is_certain);
            }
            Some((_, is_certain)) => are_certain &= is_certain,
        }
    }
    match decisive {
        Some(is_certain) => Seen::truth(!is_and, is_certain),
        None if is_known => Seen::truth(is_and, are_certain),
        None => None,
    }
}

/// Whether two things are the same.
pub(super) fn same(view: &View<'_>, left: &Seen, right: &Seen) -> Option<Seen> {
    let is_same = left.key == right.key;
    let euf = &view.kernel.theory().equality.closure;
    let is_certain = match (&left.key, left.node, right.node) {
        (Key::Truth(_), ..) => left.is_certain && right.is_certain,
        (_, Some(a), Some(b)) => match is_same {
            true => euf.are_equal(a, b),
            false => euf.are_distinct(a, b),
        },
        _ => false,
    };
    Seen::truth(is_same, is_certain)
}
