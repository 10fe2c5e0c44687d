//! Congruence closure of ground terms, which patterns are matched modulo.
//!
//! Terms that the facts make equal are in one class: facts are equations, or formulas that are true.
//! What constructors say is closed under as well: fields, testers and injectivity, and conditionals
//! whose condition is known. Whatever needs a choice is left to the solver; here it is only asked which
//! instances of axioms are about terms that are there, by the solver's own matching.

#[cfg(test)]
mod tests;

use crate::settings::{FOLD_LAWS_MATCH_STEPS, FOLD_LAWS_MAX_BINDINGS, FOLD_LAWS_MAX_MATCHES};
use std::rc::Rc;

use alphorn_smt::quantifiers::{Ground, Reach, instances};
use alphorn_term::{Op, Store, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The classes of ground terms that some facts make equal.
pub(super) struct Closure<'a> {
    store: &'a Store,
    terms: Vec<TermId>,
    index: FxHashMap<TermId, usize>,
    parent: Vec<usize>,
    /// The terms of each class, by its root.
    members: Vec<Vec<usize>>,
    /// Terms with what they equal in some case.
    possible: &'a [(TermId, TermId)],
}

impl<'a> Closure<'a> {
    /// The classes of the terms of some facts, all of them ground, and of terms with what they equal in some case.
    pub(super) fn new(
        store: &'a Store,
        facts: &[TermId],
        possible: &'a [(TermId, TermId)],
    ) -> Closure<'a> {
        let mut roots = vec![TermId::TRUE, TermId::FALSE];
        roots.extend(facts);
        roots.extend(possible.iter().map(|(_, other)| other));
        let terms = open_subterms(store, &roots);
        let index = terms.iter().enumerate().map(|(at, &term)| (term, at)).collect();
        let parent = (0..terms.len()).collect();
        let members = (0..terms.len()).map(|at| vec![at]).collect();
        let mut closure = Closure { store, terms, index, parent, members, possible };
        for &fact in facts {
            closure.state(fact, true);
        }
        while closure.pass() {}
        closure
    }

    fn root(&self, mut at: usize) -> usize {
        while self.parent[at] != at {
            at = self.parent[at];
        }
        at
    }

    /// The class of a term that is there.
    fn class(&self, term: TermId) -> Option<usize> {
        self.index.get(&term).map(|&at| self.root(at))
    }

    /// Whether two terms are there and equal.
    pub(super) fn are_equal(&self, left: TermId, right: TermId) -> bool {
        left == right || self.class(left).is_some_and(|class| self.class(right) == Some(class))
    }

    fn join(&mut self, left: usize, right: usize) -> bool {
        let (left, right) = (self.root(left), self.root(right));
        if left == right {
            return false;
        }
        let (large, small) = match self.members[left].len() >= self.members[right].len() {
            true => (left, right),
            false => (right, left),
        };
        let moved = std::mem::take(&mut self.members[small]);
        self.members[large].extend(moved);
        self.parent[small] = large;
        true
    }

    fn join_terms(&mut self, left: TermId, right: TermId) -> bool {
        match (self.index.get(&left), self.index.get(&right)) {
            (Some(&left), Some(&right)) => self.join(left, right),
            _ => false,
        }
    }

    /// Takes a formula for true, or for false.
    fn state(&mut self, formula: TermId, value: bool) -> bool {
        let args = self.store.args(formula).to_vec();
        let truth = if value { TermId::TRUE } else { TermId::FALSE };
        let mut changed = self.join_terms(formula, truth);
        match (self.store.op(formula), value) {
            (Op::Not, _) => changed |= self.state(args[0], !value),
            (Op::And, true) | (Op::Or, false) => {
                for arg in args {
                    changed |= self.state(arg, value);
                }
            }
            (Op::Eq, true) => changed |= self.join_terms(args[0], args[1]),
            _ => {}
        }
        changed
    }

    fn is(&self, term: TermId, truth: TermId) -> bool {
        self.are_equal(term, truth)
    }

    /// Joins what follows at once; whether anything did.
    fn pass(&mut self) -> bool {
        let mut changed = false;
        let mut known: FxHashMap<(Op, Vec<usize>), usize> = FxHashMap::default();
        for at in 0..self.terms.len() {
            let term = self.terms[at];
            let args = self.store.args(term);
            if args.is_empty() {
                continue;
            }
            let op = self.store.op(term);
            let classes: Vec<usize> = args.iter().filter_map(|arg| self.class(*arg)).collect();
            if classes.len() == args.len() {
                match known.get(&(op, classes.clone())) {
                    Some(&other) => changed |= self.join(at, other),
                    None => _ = known.insert((op, classes), at),
                }
            }
            changed |= self.infer(term, op);
        }
        for class in 0..self.members.len() {
            changed |= self.inject(class);
        }
        changed
    }

    /// What the arguments of one term say about it, or it about them.
    fn infer(&mut self, term: TermId, op: Op) -> bool {
        let args = self.store.args(term).to_vec();
        match op {
            Op::Ite if self.is(args[0], TermId::TRUE) => self.join_terms(term, args[1]),
            Op::Ite if self.is(args[0], TermId::FALSE) => self.join_terms(term, args[2]),
            Op::Eq if self.are_equal(args[0], args[1]) => self.join_terms(term, TermId::TRUE),
            Op::Eq | Op::Not | Op::And | Op::Or if self.is(term, TermId::TRUE) => match op {
                Op::Or => self.last_choice(&args, TermId::FALSE),
                _ => self.state(term, true),
            },
            Op::Not | Op::And | Op::Or if self.is(term, TermId::FALSE) => match op {
                Op::And => self.last_choice(&args, TermId::TRUE),
                _ => self.state(term, false),
            },
            Op::Not if self.is(args[0], TermId::TRUE) => self.join_terms(term, TermId::FALSE),
            Op::Not if self.is(args[0], TermId::FALSE) => self.join_terms(term, TermId::TRUE),
            Op::And if args.iter().any(|&arg| self.is(arg, TermId::FALSE)) => {
                self.join_terms(term, TermId::FALSE)
            }
            Op::And if args.iter().all(|&arg| self.is(arg, TermId::TRUE)) => {
                self.join_terms(term, TermId::TRUE)
            }
            Op::Or if args.iter().any(|&arg| self.is(arg, TermId::TRUE)) => {
                self.join_terms(term, TermId::TRUE)
            }
            Op::Is(ctor) => match self.construct(args[0]) {
                Some(made) => {
                    let truth = self.store.op(made) == Op::Construct(ctor);
                    self.join_terms(term, if truth { TermId::TRUE } else { TermId::FALSE })
                }
                None => false,
            },
            Op::Field(ctor, field) => match self.construct(args[0]) {
                Some(made) if self.store.op(made) == Op::Construct(ctor) => {
                    self.join_terms(term, self.store.args(made)[field as usize])
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Of arguments of which one must differ from `truth`, the last one that can.
    fn last_choice(&mut self, args: &[TermId], truth: TermId) -> bool {
        let mut open = args.iter().copied().filter(|&arg| !self.is(arg, truth));
        match (open.next(), open.next()) {
            (Some(only), None) => self.state(only, truth == TermId::FALSE),
            _ => false,
        }
    }

    /// Constructors are injective.
    fn inject(&mut self, class: usize) -> bool {
        let mut first: FxHashMap<Op, TermId> = FxHashMap::default();
        let mut pairs: Vec<(TermId, TermId)> = Vec::new();
        for &member in &self.members[class] {
            let term = self.terms[member];
            let op = self.store.op(term);
            if !matches!(op, Op::Construct(_)) {
                continue;
            }
            match first.get(&op) {
                None => _ = first.insert(op, term),
                Some(&other) => {
                    let (left, right) = (self.store.args(term), self.store.args(other));
                    pairs.extend(left.iter().copied().zip(right.iter().copied()));
                }
            }
        }
        let mut changed = false;
        for (left, right) in pairs {
            changed |= self.join_terms(left, right);
        }
        changed
    }

    /// A term with a constructor on top that equals a term.
    pub(super) fn construct(&self, term: TermId) -> Option<TermId> {
        let class = self.class(term)?;
        let members = self.members[class].iter().map(|&at| self.terms[at]);
        members.into_iter().find(|&term| matches!(self.store.op(term), Op::Construct(_)))
    }

    /// The terms with a constructor on top that a term equals in some case of a conditional.
    pub(super) fn choices(&self, term: TermId) -> Vec<TermId> {
        let made = |class: usize| self.construct(self.terms[class]);
        let ends = self.cases(term, |class| made(class).is_some());
        ends.into_iter().filter_map(made).collect()
    }

    /// What a term equals in the cases of a conditional, where it is one.
    pub(super) fn branches(&self, term: TermId) -> Vec<TermId> {
        let ends = self.cases(term, |class| self.alternatives(class).is_empty());
        let mut found: Vec<TermId> = ends.into_iter().map(|class| self.smallest(class)).collect();
        found.retain(|&branch| branch != term);
        found
    }

    /// The conditionals in a class.
    fn conditionals(&self, class: usize) -> impl Iterator<Item = TermId> + '_ {
        let members = self.members[class].iter().map(|&at| self.terms[at]);
        members.filter(|&term| self.store.op(term) == Op::Ite)
    }

    /// What the terms of a class equal in some case.
    fn alternatives(&self, class: usize) -> Vec<TermId> {
        let branches = |conditional: TermId| &self.store.args(conditional)[1..];
        let mut found: Vec<TermId> = self.conditionals(class).flat_map(branches).copied().collect();
        let is_own = |(term, _): &&(TermId, TermId)| self.class(*term) == Some(class);
        found.extend(self.possible.iter().filter(is_own).map(|(_, other)| *other));
        found
    }

    /// The classes that a term comes to through the cases of conditionals, each as far as the first that is an end.
    fn cases(&self, term: TermId, is_end: impl Fn(usize) -> bool) -> Vec<usize> {
        let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
        let mut stack = vec![term];
        while let Some(term) = stack.pop() {
            let Some(class) = self.class(term) else { continue };
            if !seen.insert(class) {
                continue;
            }
            match is_end(class) {
                true => found.push(class),
                false => stack.extend(self.alternatives(class)),
            }
        }
        found
    }

    /// All terms that have a class.
    pub(super) fn terms(&self) -> &[TermId] {
        &self.terms
    }

    /// The smallest term of a class.
    fn smallest(&self, class: usize) -> TermId {
        let members = self.members[class].iter().map(|&at| self.terms[at]);
        let size = |&term: &TermId| (tree_size(self.store, term), term);
        members.min_by_key(size).unwrap_or(TermId::TRUE)
    }

    /// The terms for some variables with which some patterns are all there: of each class the smallest.
    pub(super) fn matches(&self, patterns: &[TermId], vars: &[TermId]) -> Vec<Vec<TermId>> {
        // Several matches may be one binding.
        let (most, steps) = (FOLD_LAWS_MAX_MATCHES.size(), FOLD_LAWS_MATCH_STEPS.get());
        let mut found = instances(self, vars, patterns, Reach { most, steps });
        found.truncate(FOLD_LAWS_MAX_BINDINGS.size());
        for term in found.iter_mut().flatten() {
            *term = self.class(*term).map_or(*term, |class| self.smallest(class));
        }
        found
    }
}

impl Ground for Closure<'_> {
    type Key = usize;

    fn store(&self) -> &Store {
        self.store
    }

    fn key(&self, term: TermId) -> Option<usize> {
        self.class(term)
    }

    fn applications(&self, op: Op) -> Rc<[TermId]> {
        let terms = self.terms.iter().copied();
        terms.filter(|term| self.store.op(*term) == op).collect()
    }

    fn equal(&self, term: TermId, op: Op) -> Vec<TermId> {
        let Some(class) = self.class(term) else { return Vec::new() };
        let members = self.members[class].iter().map(|&at| self.terms[at]);
        members.filter(|term| self.store.op(*term) == op).collect()
    }
}

/// The subterms outside quantifiers.
fn open_subterms(store: &Store, roots: &[TermId]) -> Vec<TermId> {
    let (mut order, mut seen) = (Vec::new(), FxHashSet::default());
    let mut stack: Vec<(TermId, bool)> = roots.iter().rev().map(|&root| (root, false)).collect();
    while let Some((term, is_ready)) = stack.pop() {
        if is_ready {
            order.push(term);
            continue;
        }
        if !seen.insert(term) {
            continue;
        }
        stack.push((term, true));
        if !matches!(store.op(term), Op::Forall | Op::Exists) {
            stack.extend(store.args(term).iter().rev().map(|&arg| (arg, false)));
        }
    }
    order
}

/// How many operators and variables a term has, written out; large terms count as large.
pub fn tree_size(store: &Store, root: TermId) -> usize {
    let (mut size, mut stack) = (0, vec![root]);
    while let Some(term) = stack.pop() {
        size += 1;
        if size > 500 {
            return size;
        }
        stack.extend(store.args(term));
    }
    size
}
