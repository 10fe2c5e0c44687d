//! Three-valued evaluation of formulas, kept up to date as atoms lose and get values.
//!
//! Used to see which atoms a formula's truth depends on: an atom is unset, and the formulas above
//! it are evaluated again as far as their values change.

use super::implicant::is_connective;
use alphorn_term::{Op, Store, TermId};
use rustc_hash::FxHashMap;

/// Values of formulas under values of some atoms.
pub(crate) struct Ternary {
    values: FxHashMap<TermId, Option<bool>>,
    /// The formulas that a formula is an argument of.
    above: FxHashMap<TermId, Vec<TermId>>,
}

impl Ternary {
    /// Evaluates formulas under values of atoms.
    pub(crate) fn new(store: &Store, formulas: &[TermId], atoms: &[(TermId, bool)]) -> Ternary {
        let mut ternary = Ternary {
            values: atoms.iter().map(|&(atom, value)| (atom, Some(value))).collect(),
            above: FxHashMap::default(),
        };
        let mut stack: Vec<(TermId, bool)> = formulas.iter().map(|&root| (root, false)).collect();
        while let Some((term, ready)) = stack.pop() {
            if ternary.values.contains_key(&term) {
                continue;
            }
            if !is_connective(store, term) {
                ternary.values.insert(term, None);
            } else if ready {
                for &arg in store.args(term) {
                    ternary.above.entry(arg).or_default().push(term);
                }
                let value = ternary.evaluate(store, term);
                ternary.values.insert(term, value);
            } else {
                stack.push((term, true));
                stack.extend(store.args(term).iter().map(|&arg| (arg, false)));
            }
        }
        ternary
    }

    /// The value of a formula.
    pub(crate) fn value(&self, formula: TermId) -> Option<bool> {
        self.values.get(&formula).copied().flatten()
    }

    /// Gives an atom a value, or takes it away.
    pub(crate) fn set(&mut self, store: &Store, atom: TermId, value: Option<bool>) {
        self.values.insert(atom, value);
        let mut changed = vec![atom];
        while let Some(term) = changed.pop() {
            for above in self.above.get(&term).cloned().unwrap_or_default() {
                let value = self.evaluate(store, above);
                if self.values.insert(above, value) != Some(value) {
                    changed.push(above);
                }
            }
        }
    }

    /// The value of a connective from those of its arguments.
    fn evaluate(&self, store: &Store, term: TermId) -> Option<bool> {
        let args = store.args(term);
        let of = |index: usize| self.value(args[index]);
        match store.op(term) {
            Op::True => Some(true),
            Op::False => Some(false),
            Op::Not => of(0).map(|value| !value),
            Op::And | Op::Or => {
                let dominant = store.op(term) == Op::Or;
                let mut result = Some(!dominant);
                for &arg in args {
                    match self.value(arg) {
                        Some(value) if value == dominant => return Some(dominant),
                        Some(_) => {}
                        None => result = None,
                    }
                }
                result
            }
            Op::Eq => of(0).zip(of(1)).map(|(left, right)| left == right),
            Op::Ite => match of(0) {
                Some(true) => of(1),
                Some(false) => of(2),
                None => of(1).filter(|_| of(1) == of(2)),
            },
            _ => None,
        }
    }
}
