//! A tree of formulas, and which symbols occur where.
//!
//! Nodes are numbered children first, and so that a subtree is a range of numbers that ends with
//! its root. So whether a symbol occurs inside and outside of a subtree is a matter of comparing
//! numbers.

use alphorn_problem::evidence::proof::Literal;
use alphorn_sat::interpolate::CutError;
use alphorn_term::{Store, TermId};
use rustc_hash::FxHashMap;

use crate::project::{Symbol, symbols_of};

/// A tree of formulas, its nodes numbered children first.
pub(super) struct Problem {
    pub(super) formulas: Vec<TermId>,
    pub(super) parents: Vec<Option<u32>>,
    /// The smallest number in the subtree of each node.
    first: Vec<u32>,
    /// The number of each node as it was given.
    numbers: Vec<u32>,
    /// The nodes whose formulas have a symbol, ascending.
    occurrences: FxHashMap<Symbol, Vec<u32>>,
    /// By node: literals under which alone its interpolant has to be one. Empty where there are none at all.
    pub(super) assumed: Vec<Vec<Literal>>,
}

impl Problem {
    /// A tree without branches: each formula's node is the child of the next one's.
    pub(super) fn sequence(store: &Store, formulas: &[TermId]) -> Problem {
        let count = formulas.len() as u32;
        let parents = (1..=count).map(|next| (next < count).then_some(next)).collect();
        Problem::new(
            store,
            formulas.to_vec(),
            parents,
            vec![0; formulas.len()],
            (0..count).collect(),
        )
    }

    /// A tree without branches, in which each node's interpolant has to be one only under literals.
    pub(super) fn assuming(
        store: &Store,
        formulas: &[TermId],
        assumed: Vec<Vec<Literal>>,
    ) -> Problem {
        Problem { assumed, ..Problem::sequence(store, formulas) }
    }

    /// Any forest.
    pub(super) fn tree(
        store: &Store,
        formulas: &[TermId],
        parents: &[Option<u32>],
    ) -> Result<Problem, CutError> {
        let count = formulas.len();
        let parent = |node: usize| parents.get(node).copied().flatten();
        let mut children = vec![Vec::new(); count];
        let mut stack = Vec::new();
        for node in (0..count).rev() {
            match parent(node) {
                None => stack.push((node, false)),
                Some(above) => children
                    .get_mut(above as usize)
                    .ok_or(CutError::NoSuchPartition(above))?
                    .push(node),
            }
        }
        let mut numbers = vec![u32::MAX; count];
        let (mut order, mut first) = (Vec::new(), Vec::new());
        let mut starts = Vec::new();
        while let Some((node, is_ready)) = stack.pop() {
            if is_ready {
                numbers[node] = order.len() as u32;
                order.push(node);
                first.push(starts.pop().expect("a node is entered before it is left"));
            } else {
                starts.push(order.len() as u32);
                stack.push((node, true));
                stack.extend(children[node].iter().map(|child| (*child, false)));
            }
        }
        if let Some(node) = numbers.iter().position(|number| *number == u32::MAX) {
            return Err(CutError::Cycle(node as u32));
        }
        let renumbered =
            order.iter().map(|&node| parent(node).map(|above| numbers[above as usize])).collect();
        let formulas = order.iter().map(|&node| formulas[node]).collect();
        Ok(Problem::new(store, formulas, renumbered, first, numbers))
    }

    fn new(
        store: &Store,
        formulas: Vec<TermId>,
        parents: Vec<Option<u32>>,
        first: Vec<u32>,
        numbers: Vec<u32>,
    ) -> Problem {
        let mut occurrences: FxHashMap<Symbol, Vec<u32>> = FxHashMap::default();
        for (node, formula) in formulas.iter().enumerate() {
            for symbol in symbols_of(store, *formula) {
                occurrences.entry(symbol).or_default().push(node as u32);
            }
        }
        Problem { formulas, parents, first, numbers, occurrences, assumed: Vec::new() }
    }

    /// Whether interpolants have to be such only under literals.
    pub(super) fn is_assuming(&self) -> bool {
        !self.assumed.is_empty()
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> u32 {
        self.formulas.len() as u32
    }

    /// Results by node, in the order in which nodes were given.
    pub(super) fn in_given_order(&self, results: &[TermId]) -> Vec<TermId> {
        self.numbers.iter().map(|number| results[*number as usize]).collect()
    }

    /// The children of a node.
    pub(super) fn children(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        (self.first[node as usize]..node)
            .filter(move |child| self.parents[*child as usize] == Some(node))
    }

    /// Whether no node has two children.
    pub(super) fn is_chain(&self) -> bool {
        self.first.iter().all(|first| *first == 0)
    }

    /// The nodes before one that are outside its subtree and whose parent is not before it.
    pub(super) fn open_before(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        (0..self.first[node as usize])
            .filter(move |other| self.parents[*other as usize].is_none_or(|above| above >= node))
    }

    fn is_in(&self, node: u32, other: u32) -> bool {
        (self.first[node as usize]..=node).contains(&other)
    }

    /// Whether a symbol occurs in the subtree of a node.
    pub(super) fn occurs_inside(&self, node: u32, symbol: Symbol) -> bool {
        let occurrences = self.occurrences.get(&symbol);
        occurrences.is_some_and(|nodes| nodes.iter().any(|other| self.is_in(node, *other)))
    }

    /// Whether a symbol occurs outside of the subtree of a node.
    pub(super) fn occurs_outside(&self, node: u32, symbol: Symbol) -> bool {
        let occurrences = self.occurrences.get(&symbol);
        occurrences.is_some_and(|nodes| nodes.iter().any(|other| !self.is_in(node, *other)))
    }

    /// Whether a symbol may occur in the interpolant of a node.
    pub(super) fn is_shared(&self, node: u32, symbol: Symbol) -> bool {
        self.occurs_inside(node, symbol) && self.occurs_outside(node, symbol)
    }

    /// The nodes whose formulas have all of the symbols.
    pub(super) fn nodes_with(&self, symbols: &[Symbol]) -> Vec<u32> {
        let has = |node: &u32, symbol: &Symbol| {
            let nodes = self.occurrences.get(symbol);
            nodes.is_some_and(|nodes| nodes.binary_search(node).is_ok())
        };
        (0..self.len()).filter(|node| symbols.iter().all(|symbol| has(node, symbol))).collect()
    }
}

/// The symbols of terms, remembered.
#[derive(Default)]
pub(super) struct Symbols {
    known: FxHashMap<TermId, Vec<Symbol>>,
}

impl Symbols {
    /// The symbols of a term, ascending.
    pub(super) fn of(&mut self, store: &Store, term: TermId) -> &[Symbol] {
        self.known.entry(term).or_insert_with(|| {
            let mut symbols: Vec<Symbol> = symbols_of(store, term).into_iter().collect();
            symbols.sort_unstable();
            symbols
        })
    }
}
