//! Numbers that formulas only compare for equality.
//!
//! Votes, addresses and phases are often numbers that nobody adds or puts in an order. An equation of such numbers
//! needs no bounds: as there are infinitely many numbers, *tokens* behave as elements of a declared sort among which
//! the literals are different. So equality alone looks after them, a disequation is no choice between less and
//! more, and explanations are chains of equations.
//!
//! Invariant: a token is a variable, a constant or a conditional, and what it is compared with or chosen from are tokens and
//! literals. That holds of the formulas that were looked at (`of`); if others say more of a token, models are no longer
//! trusted, and refutations are what they are: each lemma holds of all numbers.

use alphorn_term::{Op, Rat, Store, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::euf::Node;
use crate::linear::number_of;
use crate::theories::Theories;

/// The tokens of formulas; none if there is a quantifier, below which terms are not seen.
pub(crate) fn of(store: &Store, formulas: &[TermId]) -> FxHashSet<TermId> {
    if formulas.iter().any(|&formula| store.has_quantifier(formula)) {
        return FxHashSet::default();
    }
    let mut groups = Groups::default();
    let is_number = |term: TermId| store.sort(term).is_arithmetic();
    let terms = store.subterms(formulas);
    for &term in &terms {
        let args = store.args(term);
        match store.op(term) {
            Op::Eq | Op::Distinct if is_number(args[0]) => groups.join(store, args),
            Op::Ite if is_number(term) => {
                groups.join(store, &[term, args[1], args[2]]);
                // That it is one of two literals is its condition, as a term: there is no equation to say it with.
                if args[1..].iter().all(|&branch| number_of(store, branch).is_some()) {
                    groups.spoil(term);
                }
            }
            op => {
                let is_symbol = matches!(op, Op::Var(_) | Op::Apply(_)) && args.is_empty();
                if is_number(term) && !is_symbol {
                    groups.spoil(term);
                }
                args.iter().filter(|&&arg| is_number(arg)).for_each(|&arg| groups.spoil(arg));
            }
        }
    }
    let is_token = |term: &TermId| {
        is_number(*term) && number_of(store, *term).is_none() && !groups.is_spoiled(*term)
    };
    terms.into_iter().filter(is_token).collect()
}

/// Terms that are compared with each other, and whether something else is said of one of them.
#[derive(Default)]
struct Groups {
    above: FxHashMap<TermId, TermId>,
    spoiled: FxHashSet<TermId>,
}

impl Groups {
    fn top(&self, mut term: TermId) -> TermId {
        while let Some(&above) = self.above.get(&term) {
            term = above;
        }
        term
    }

    /// Puts terms into one group, except for literals, which are in all of them.
    fn join(&mut self, store: &Store, terms: &[TermId]) {
        let mut tops = Vec::with_capacity(terms.len());
        for &term in terms {
            if number_of(store, term).is_none() {
                tops.push(self.top(term));
            }
        }
        let Some((&first, others)) = tops.split_first() else { return };
        for &other in others {
            let other = self.top(other);
            if other != first {
                self.above.insert(other, first);
                if self.spoiled.remove(&other) {
                    self.spoiled.insert(first);
                }
            }
        }
    }

    fn spoil(&mut self, term: TermId) {
        let top = self.top(term);
        self.spoiled.insert(top);
    }

    fn is_spoiled(&self, term: TermId) -> bool {
        self.spoiled.contains(&self.top(term))
    }
}

/// The numbers that classes of tokens are in a model: their literal, or one above `least` that no other has.
pub(crate) fn numbers(theories: &Theories, store: &Store, least: Rat) -> FxHashMap<Node, Rat> {
    let equality = &theories.equality;
    let mut numbers = FxHashMap::default();
    if equality.tokens.is_empty() {
        return numbers;
    }
    let mut next = least;
    let mut nodes: Vec<(TermId, Node)> = Vec::new();
    for (&term, &node) in &equality.nodes {
        let root = equality.closure.root(node);
        match number_of(store, term).filter(|_| store.sort(term).is_arithmetic()) {
            Some(number) => {
                let above = &Rat::from(number.floor()) + &Rat::from(2);
                next = next.max(above);
                numbers.insert(root, number);
            }
            None if equality.tokens.contains(&term) => nodes.push((term, root)),
            None => {}
        }
    }
    nodes.sort_unstable();
    for (_, root) in nodes {
        numbers.entry(root).or_insert_with(|| {
            let number = next.clone();
            next = &next + &Rat::ONE;
            number
        });
    }
    numbers
}
