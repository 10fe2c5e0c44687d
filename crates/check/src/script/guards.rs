//! What is known where a subterm matters to the value of a term.
//!
//! A branch of `ite` matters only where its condition says so, and a member of a conjunction only where
//! the others are true. Others count that mention no function, so that what they say does not hang on
//! what they guard. A subterm that occurs in several places has the facts that hold in all of them.
//!
//! Invariant: if a fact of a subterm is false, the value of the term is the same for all values of the
//! subterm.

use alphorn_term::{CtorId, Exhausted, Int, Meter, Op, Sort, Store, TermId};
use rustc_hash::FxHashMap;

/// Atoms, each with whether it is true.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Facts(Vec<(TermId, bool)>);

/// The facts of each subterm of a term.
pub(super) struct Guards(Vec<(TermId, Facts)>);

impl Guards {
    /// The facts of the subterms of `root`, which has no quantifiers.
    pub(super) fn of(store: &Store, root: TermId, meter: &Meter) -> Result<Guards, Exhausted> {
        let mut order = store.subterms(&[root]);
        meter.spend(4 * order.len() as u64)?;
        // Terms come before their arguments, so all that is known of a term is known when it comes.
        order.reverse();
        let mut known: FxHashMap<TermId, Facts> = FxHashMap::default();
        known.insert(root, Facts::default());
        let mut all = Vec::with_capacity(order.len());
        for term in order {
            let facts = known.remove(&term).unwrap_or_default();
            for (position, &arg) in store.args(term).iter().enumerate() {
                let mut own = facts.clone();
                match store.op(term) {
                    Op::Ite if position > 0 => own.learn(store, store.args(term)[0], position == 1),
                    op @ (Op::And | Op::Or) => {
                        for (other, &sibling) in store.args(term).iter().enumerate() {
                            if other != position && !store.has_apply(sibling) {
                                own.learn(store, sibling, op == Op::And);
                            }
                        }
                    }
                    _ => {}
                }
                own.0.sort_unstable();
                own.0.dedup();
                meter.spend(4 + own.len() as u64 + store.args(term).len() as u64)?;
                known.entry(arg).and_modify(|facts| facts.weaken(&own)).or_insert(own);
            }
            all.push((term, facts));
        }
        Ok(Guards(all))
    }

    /// The subterms, with their facts.
    pub(super) fn terms(&self) -> impl Iterator<Item = (TermId, &Facts)> {
        self.0.iter().map(|(term, facts)| (*term, facts))
    }
}

impl Facts {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Learns that a formula is true or false, as far as that says what its parts without functions are.
    fn learn(&mut self, store: &Store, formula: TermId, is_true: bool) {
        let mut stack = vec![(formula, is_true)];
        while let Some((term, is_true)) = stack.pop() {
            match store.op(term) {
                Op::Not => stack.push((store.args(term)[0], !is_true)),
                Op::And if is_true => stack.extend(store.args(term).iter().map(|arg| (*arg, true))),
                Op::Or if !is_true => {
                    stack.extend(store.args(term).iter().map(|arg| (*arg, false)))
                }
                Op::Is(_) | Op::Eq | Op::Le | Op::Lt if !store.has_apply(term) => {
                    self.0.push((term, is_true));
                }
                _ => {}
            }
        }
    }

    /// Keeps what `other` has as well; both are sorted.
    fn weaken(&mut self, other: &Facts) {
        self.0.retain(|fact| other.0.binary_search(fact).is_ok());
    }

    fn has(&self, is_meant: impl Fn(TermId, bool) -> bool) -> bool {
        self.0.iter().any(|(atom, is_true)| is_meant(*atom, *is_true))
    }

    /// Whether a value was made by this constructor: because it is, or is made by no other.
    pub(super) fn is_made_by(&self, store: &Store, value: TermId, ctor: CtorId) -> bool {
        let Sort::Data(data) = store.sort_of(store.sort(value)) else { return false };
        let ctors = &store.data(*data).ctors;
        let says = |atom: TermId, of: CtorId| {
            let (op, args) = (store.op(atom), store.args(atom));
            let is_test = op == Op::Is(of) && args[0] == value;
            let is_value =
                |term: TermId| store.op(term) == Op::Construct(of) && store.args(term).is_empty();
            let is_equation = op == Op::Eq
                && (args[0] == value && is_value(args[1]) || args[1] == value && is_value(args[0]));
            is_test || is_equation
        };
        let is_other = |other: &CtorId| {
            *other == ctor || self.has(|atom, is_true| !is_true && says(atom, *other))
        };
        ctors.contains(&ctor)
            && (self.has(|atom, is_true| is_true && says(atom, ctor)) || ctors.iter().all(is_other))
    }

    /// Whether some number is not larger than the variable.
    pub(super) fn has_lower_bound(&self, store: &Store, var: TermId) -> bool {
        let is_number = |term: TermId| store.number_value(term).is_some();
        let is_above = |term: TermId| offset(store, term, var).is_some();
        self.has(|atom, is_true| {
            let &[left, right] = store.args(atom) else { return false };
            match (store.op(atom), is_true) {
                (Op::Le | Op::Lt, true) => is_number(left) && is_above(right),
                (Op::Le | Op::Lt, false) => is_number(right) && is_above(left),
                (Op::Eq, true) => {
                    is_number(left) && is_above(right) || is_number(right) && is_above(left)
                }
                _ => false,
            }
        })
    }
}

/// By how much a term is larger than a variable; nothing if that is no literal.
pub(super) fn offset(store: &Store, term: TermId, var: TermId) -> Option<Int> {
    if term == var {
        return Some(Int::ZERO);
    }
    let (Op::Add, &[left, right]) = (store.op(term), store.args(term)) else { return None };
    let number = match (left == var, right == var) {
        (true, false) => right,
        (false, true) => left,
        _ => return None,
    };
    let value = store.number_value(number)?;
    value.is_integer().then(|| value.floor())
}
