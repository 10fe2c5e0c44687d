//! Implicants: few literals of a formula, true in a model, that imply the formula.
//!
//! Justification walks from the formula down and follows only what its value depends on: all
//! arguments of a true conjunction, one true argument of a disjunction, the condition and the
//! taken branch of a conditional. What is forced comes first; where there is a choice, an argument
//! that is justified already costs nothing, and otherwise the one with the fewest literals is
//! taken. A conditional that is no truth value, inside a literal, is replaced by its taken branch,
//! and its condition is justified as well; so literals are free of such conditionals.
//!
//! After the justification of partial models in Niemetz, Preiner, Biere (FMCAD 2014) and the
//! implicants of Komuravelli, Gurfinkel, Chaki (CAV 2014). Prime implicants are prime with respect
//! to the formula's Boolean structure: no literal can go while three-valued evaluation still finds
//! the formula true.

use super::structure::with_structure;
use super::ternary::Ternary;
use super::valuation::Valuation;
use alphorn_term::{Model, Op, SortId, Store, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// Literals, true in the model, whose conjunction implies all formulas; `None` if the model does
/// not make them true.
pub fn implicant(store: &mut Store, formulas: &[TermId], model: &Model) -> Option<Vec<TermId>> {
    Justifier::new(&mut Valuation::new(model)).run(store, formulas, false)
}

/// An implicant of which no literal can be left out, as far as the Boolean structure tells.
pub fn prime_implicant(
    store: &mut Store,
    formulas: &[TermId],
    model: &Model,
) -> Option<Vec<TermId>> {
    Justifier::new(&mut Valuation::new(model)).run(store, formulas, true)
}

/// `implicant` in a valuation.
pub(crate) fn implicant_in(
    store: &mut Store,
    formulas: &[TermId],
    values: &mut Valuation,
) -> Option<Vec<TermId>> {
    Justifier::new(values).run(store, formulas, false)
}

/// Whether a term is part of the Boolean structure, and not an atom.
pub(crate) fn is_connective(store: &Store, term: TermId) -> bool {
    match store.op(term) {
        Op::True | Op::False | Op::Not | Op::And | Op::Or => true,
        Op::Ite => store.sort(term) == SortId::BOOL,
        Op::Eq => store.sort(store.args(term)[0]) == SortId::BOOL,
        _ => false,
    }
}

/// The literal that says that an atom has a truth value, without a negated comparison.
pub(crate) fn literal(store: &mut Store, atom: TermId, value: bool) -> TermId {
    match (store.op(atom), store.args(atom)) {
        (Op::Le, &[left, right]) if !value => store.lt(right, left),
        (Op::Lt, &[left, right]) if !value => store.le(right, left),
        (Op::BvUle, &[left, right]) if !value => store.mk(Op::BvUlt, &[right, left]),
        (Op::BvUlt, &[left, right]) if !value => store.mk(Op::BvUle, &[right, left]),
        (Op::BvSle, &[left, right]) if !value => store.mk(Op::BvSlt, &[right, left]),
        (Op::BvSlt, &[left, right]) if !value => store.mk(Op::BvSle, &[right, left]),
        _ if value => atom,
        _ => store.not(atom),
    }
}

struct Justifier<'a> {
    values: &'a mut Valuation,
    /// How many literals the value of a term takes, about.
    costs: FxHashMap<TermId, u64>,
    /// Terms whose value is justified, or on the way to be.
    done: FxHashSet<TermId>,
    /// Terms to justify.
    forced: Vec<TermId>,
    /// Terms that several of their arguments can justify.
    choices: VecDeque<TermId>,
    /// Atoms, with their values.
    atoms: Vec<(TermId, bool)>,
}

impl<'a> Justifier<'a> {
    fn new(values: &'a mut Valuation) -> Justifier<'a> {
        Justifier {
            values,
            costs: FxHashMap::default(),
            done: FxHashSet::default(),
            forced: Vec::new(),
            choices: VecDeque::new(),
            atoms: Vec::new(),
        }
    }

    fn run(mut self, store: &mut Store, formulas: &[TermId], prime: bool) -> Option<Vec<TermId>> {
        let formulas = &with_structure(store, formulas)[..];
        for &formula in formulas {
            if self.values.holds(store, formula) != Some(true) {
                return None;
            }
        }
        self.forced.extend(formulas.iter().rev());
        self.justify(store)?;
        if prime {
            self.drop_needless(store, formulas);
        }
        let mut literals = Vec::new();
        let mut given = FxHashSet::default();
        let mut next = 0;
        // Conditions inside atoms are justified in their turn, and add atoms at the end.
        while let Some(&(atom, value)) = self.atoms.get(next) {
            next += 1;
            let lifted = self.lift(store, atom)?;
            let lifted = literal(store, lifted, value);
            if lifted != TermId::TRUE && given.insert(lifted) {
                literals.push(lifted);
            }
            self.justify(store)?;
        }
        Some(literals)
    }

    /// Empties the lists of what is to be justified.
    fn justify(&mut self, store: &mut Store) -> Option<()> {
        loop {
            while let Some(term) = self.forced.pop() {
                if self.done.insert(term) {
                    self.step(store, term)?;
                }
            }
            match self.choices.pop_front() {
                Some(term) => self.choose(store, term)?,
                None => return Some(()),
            }
        }
    }

    /// What the value of a term depends on.
    fn step(&mut self, store: &mut Store, term: TermId) -> Option<()> {
        let value = self.values.holds(store, term)?;
        let args = store.args(term);
        match store.op(term) {
            Op::True | Op::False => {}
            Op::And | Op::Or if value == (store.op(term) == Op::And) => {
                self.forced.extend(args.iter().rev());
            }
            Op::And | Op::Or => self.choices.push_back(term),
            Op::Not => self.forced.push(args[0]),
            Op::Eq if is_connective(store, term) => self.forced.extend(args.iter().rev()),
            Op::Ite if is_connective(store, term) => {
                let branches = [args[1], args[2]];
                let both = branches.iter().all(|&arg| self.values.holds(store, arg) == Some(value));
                if both {
                    self.choices.push_back(term);
                } else {
                    self.take_branch(store, term)?;
                }
            }
            Op::Distinct => self.distinct(store, term, value)?,
            _ => self.atoms.push((term, value)),
        }
        Some(())
    }

    /// Justifies a conditional by its condition and the branch taken.
    fn take_branch(&mut self, store: &Store, term: TermId) -> Option<()> {
        let [condition, then, otherwise] = *store.args(term) else { return None };
        let taken = if self.values.holds(store, condition)? { then } else { otherwise };
        self.forced.extend([taken, condition]);
        Some(())
    }

    /// Numbers that differ are in some order; of terms that do not all differ two are equal.
    fn distinct(&mut self, store: &mut Store, term: TermId, value: bool) -> Option<()> {
        let mut args = store.args(term).to_vec();
        let is_number = store.sort(args[0]).is_arithmetic();
        if value && !is_number {
            self.atoms.push((term, true));
            return Some(());
        }
        let mut valued = Vec::with_capacity(args.len());
        for arg in args.drain(..) {
            valued.push((self.values.value(store, arg)?, arg));
        }
        valued.sort();
        for pair in valued.windows(2) {
            let (left, right) = (pair[0].1, pair[1].1);
            if value {
                let less = store.lt(left, right);
                self.forced.push(less);
            } else if pair[0].0 == pair[1].0 {
                let same = store.eq(left, right);
                self.forced.push(same);
                break;
            }
        }
        Some(())
    }

    /// Justifies a term that several of its arguments can justify.
    fn choose(&mut self, store: &mut Store, term: TermId) -> Option<()> {
        let value = self.values.holds(store, term)?;
        let args = store.args(term).to_vec();
        if store.op(term) == Op::Ite {
            let taken = if self.values.holds(store, args[0])? { args[1] } else { args[2] };
            let by_condition = self.cost(store, args[0]);
            let other = if taken == args[1] { args[2] } else { args[1] };
            if self.cost(store, other) < by_condition {
                self.forced.extend([args[2], args[1]]);
            } else {
                self.forced.extend([taken, args[0]]);
            }
            return Some(());
        }
        let mut best: Option<(u64, TermId)> = None;
        for arg in args {
            if self.values.holds(store, arg) != Some(value) {
                continue;
            }
            let cost = self.further_cost(store, arg);
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, arg));
            }
        }
        self.forced.push(best?.1);
        Some(())
    }

    /// About how many literals the value of a term takes on top of those it has.
    fn further_cost(&mut self, store: &Store, term: TermId) -> u64 {
        if self.done.contains(&term) {
            return 0;
        }
        let cost = self.cost(store, term);
        let value = self.values.holds(store, term);
        let needs_all = match store.op(term) {
            Op::And | Op::Or => value == Some(store.op(term) == Op::And),
            Op::Not => true,
            _ => false,
        };
        if !needs_all {
            return cost;
        }
        // What costs nothing was counted when `cost` was remembered.
        let args = store.args(term).iter().filter(|arg| self.done.contains(arg));
        let saved = args.fold(0u64, |sum, arg| sum.saturating_add(self.costs[arg]));
        cost.saturating_sub(saved)
    }

    /// About how many literals the value of a term takes.
    fn cost(&mut self, store: &Store, root: TermId) -> u64 {
        let mut stack = vec![(root, false)];
        while let Some((term, ready)) = stack.pop() {
            if self.costs.contains_key(&term) {
                continue;
            }
            if !ready && is_connective(store, term) {
                stack.push((term, true));
                stack.extend(store.args(term).iter().map(|&arg| (arg, false)));
                continue;
            }
            let cost = self.cost_of_node(store, term);
            self.costs.insert(term, cost);
        }
        self.costs[&root]
    }

    /// The cost of a term whose arguments have theirs.
    fn cost_of_node(&mut self, store: &Store, term: TermId) -> u64 {
        let cost = |arg: &TermId| self.costs.get(arg).copied().unwrap_or(1);
        let args = store.args(term);
        let sum = || args.iter().fold(0u64, |sum, arg| sum.saturating_add(cost(arg)));
        match store.op(term) {
            Op::True | Op::False => 0,
            Op::And | Op::Or => {
                let value = self.values.holds(store, term);
                if value == Some(store.op(term) == Op::And) {
                    sum()
                } else {
                    let fitting =
                        args.iter().filter(|&&arg| self.values.holds(store, arg) == value);
                    fitting.map(|arg| self.costs[arg]).min().unwrap_or(u64::MAX)
                }
            }
            Op::Ite if is_connective(store, term) => {
                let condition = self.values.holds(store, args[0]);
                let taken = if condition == Some(true) { args[1] } else { args[2] };
                cost(&args[0]).saturating_add(cost(&taken))
            }
            Op::Not => cost(&args[0]),
            Op::Eq if is_connective(store, term) => sum(),
            _ => 1,
        }
    }

    /// The atom with its conditionals, other than truth values, replaced by their taken branches;
    /// their conditions are to be justified.
    fn lift(&mut self, store: &mut Store, atom: TermId) -> Option<TermId> {
        let mut lifted: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut stack = vec![(atom, false)];
        while let Some((term, ready)) = stack.pop() {
            if lifted.contains_key(&term) {
                continue;
            }
            let is_leaf = store.args(term).is_empty()
                || matches!(store.op(term), Op::Forall | Op::Exists)
                || (term != atom && store.sort(term) == SortId::BOOL);
            if is_leaf {
                lifted.insert(term, term);
            } else if store.op(term) == Op::Ite {
                let [condition, then, otherwise] = *store.args(term) else { return None };
                let taken = if self.values.holds(store, condition)? { then } else { otherwise };
                if let Some(&result) = lifted.get(&taken) {
                    self.forced.push(condition);
                    lifted.insert(term, result);
                } else {
                    stack.extend([(term, true), (taken, false)]);
                }
            } else if ready {
                let args: Vec<TermId> = store.args(term).iter().map(|arg| lifted[arg]).collect();
                let result =
                    if args == store.args(term) { term } else { store.rebuild(term, &args) };
                lifted.insert(term, result);
            } else {
                stack.push((term, true));
                stack.extend(store.args(term).iter().map(|&arg| (arg, false)));
            }
        }
        lifted.get(&atom).copied()
    }

    /// Removes atoms without which the formulas are still seen to be true.
    fn drop_needless(&mut self, store: &Store, formulas: &[TermId]) {
        let mut ternary = Ternary::new(store, formulas, &self.atoms);
        let mut needless = FxHashSet::default();
        // Later atoms come from choices; the forced ones are rarely needless.
        for &(atom, value) in self.atoms.iter().rev() {
            ternary.set(store, atom, None);
            if formulas.iter().all(|&formula| ternary.value(formula) == Some(true)) {
                needless.insert(atom);
            } else {
                ternary.set(store, atom, Some(value));
            }
        }
        self.atoms.retain(|(atom, _)| !needless.contains(atom));
    }
}
