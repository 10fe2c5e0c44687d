//! Which terms mention which variables.
//!
//! A variable is a term without arguments: a variable proper or a declared constant. A quantifier
//! hides the variables that it binds.

use alphorn_term::{Op, Store, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Answers whether terms mention some of a set of variables.
pub(crate) struct Mentions {
    variables: FxHashSet<TermId>,
    known: FxHashMap<TermId, bool>,
}

impl Mentions {
    /// Asks about these variables.
    pub(crate) fn new(variables: &[TermId]) -> Mentions {
        Mentions { variables: variables.iter().copied().collect(), known: FxHashMap::default() }
    }

    /// Whether a term is itself asked about, and not only mentions what is.
    pub(crate) fn is_variable(&self, term: TermId) -> bool {
        self.variables.contains(&term)
    }

    /// Whether a term mentions one of the variables.
    pub(crate) fn any(&mut self, store: &Store, root: TermId) -> bool {
        let mut stack = vec![(root, false)];
        while let Some((term, ready)) = stack.pop() {
            if self.known.contains_key(&term) {
                continue;
            }
            let found = if self.variables.contains(&term) {
                true
            } else if matches!(store.op(term), Op::Forall | Op::Exists) {
                symbols(store, term).iter().any(|symbol| self.variables.contains(symbol))
            } else if ready {
                store.args(term).iter().any(|arg| self.known[arg])
            } else {
                stack.push((term, true));
                stack.extend(store.args(term).iter().map(|&arg| (arg, false)));
                continue;
            };
            self.known.insert(term, found);
        }
        self.known[&root]
    }
}

/// The free variables and the declared constants of a term, in the order of first occurrence.
pub(crate) fn symbols(store: &Store, root: TermId) -> Vec<TermId> {
    let mut found = store.free_vars(&[root]);
    if store.has_apply(root) {
        let constants = store.subterms(&[root]).into_iter();
        found.extend(
            constants.filter(|&term| {
                matches!(store.op(term), Op::Apply(_)) && store.args(term).is_empty()
            }),
        );
    }
    found
}
