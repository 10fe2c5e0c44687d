//! Which subterms get a name, and where the name is valid.
//!
//! A quantifier's body is a scope of its own. A subterm that occurs more than once in a scope,
//! bodies of quantifiers inside included, is named in that scope if no quantifier inside binds a
//! variable that is free in it; its name is then valid in the bodies too. Other subterms that
//! occur more than once outside the bodies are named as well, but these names stay outside. What
//! is named in a scope is a leaf in the scopes inside, so text grows with the shared size only,
//! whatever is shared between quantifiers.

use super::Printer;
use crate::id::TermId;
use crate::op::Op;
use crate::store::Store;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Names of terms in a scope.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// Valid in this scope, but not inside quantifiers.
    here: FxHashMap<TermId, String>,
    /// Valid inside quantifiers too.
    deep: FxHashMap<TermId, String>,
    outer: Option<Rc<Names>>,
    /// How many scopes are around.
    depth: u32,
}

/// Scopes deeper than this look at themselves only: looking inside costs a walk per scope.
const DEEPEST: u32 = 64;

impl Names {
    /// The name of a term in this scope.
    pub(super) fn find(&self, term: TermId) -> Option<&str> {
        if let Some(name) = self.here.get(&term) {
            return Some(name);
        }
        let mut scope = Some(self);
        while let Some(names) = scope {
            if let Some(name) = names.deep.get(&term) {
                return Some(name);
            }
            scope = names.outer.as_deref();
        }
        None
    }

    /// These names as the outer ones of a scope; scopes without a name to pass on are left out.
    fn as_outer(self: &Rc<Names>) -> Option<Rc<Names>> {
        if self.deep.is_empty() { self.outer.clone() } else { Some(Rc::clone(self)) }
    }

    /// The names that are valid inside a quantifier that binds variables under other names.
    pub(super) fn inside(self: &Rc<Names>, renamed: FxHashMap<TermId, String>) -> Rc<Names> {
        let (outer, depth) = (self.as_outer(), self.depth + 1);
        Rc::new(Names { here: FxHashMap::default(), deep: renamed, outer, depth })
    }
}

impl Drop for Names {
    /// Without recursion: quantifiers may be nested deeply.
    fn drop(&mut self) {
        let mut next = self.outer.take();
        while let Some(mut names) = next.and_then(Rc::into_inner) {
            next = names.outer.take();
        }
    }
}

/// The subterms of a scope, arguments before applications, with the number of their uses.
struct Uses {
    order: Vec<TermId>,
    count: FxHashMap<TermId, u32>,
    /// The variables that quantifiers inside bind, if the walk went inside.
    bound: FxHashSet<TermId>,
}

impl Uses {
    fn of(store: &Store, root: TermId, outer: &Names, inside: bool) -> Uses {
        let (mut order, mut bound) = (Vec::new(), FxHashSet::default());
        let mut count: FxHashMap<TermId, u32> = FxHashMap::default();
        let mut stack = vec![(root, false)];
        while let Some((term, ready)) = stack.pop() {
            if ready {
                order.push(term);
                continue;
            }
            let uses = count.entry(term).or_default();
            *uses += 1;
            let args = store.args(term);
            if *uses > 1 || args.is_empty() || outer.find(term).is_some() {
                continue;
            }
            stack.push((term, true));
            match (store.op(term), args.split_last()) {
                (Op::Forall | Op::Exists, Some((body, vars))) => {
                    if inside {
                        bound.extend(vars);
                        stack.push((*body, false));
                    }
                }
                _ => stack.extend(args.iter().rev().map(|&arg| (arg, false))),
            }
        }
        Uses { order, count, bound }
    }
}

impl Printer<'_> {
    /// The subterms to name in the scope of `root`, arguments before applications, and the names.
    pub(super) fn share(&mut self, root: TermId, outer: &Rc<Names>) -> (Vec<TermId>, Rc<Names>) {
        let store = self.store;
        let inside = store.has_quantifier(root) && outer.depth < DEEPEST;
        let uses = Uses::of(store, root, outer, inside);
        let level =
            if inside { Uses::of(store, root, outer, false).count } else { FxHashMap::default() };
        let mut open: FxHashSet<TermId> = uses.bound.clone();
        let mut names = Names::default();
        (names.outer, names.depth) = (outer.as_outer(), outer.depth);
        let mut shared = Vec::new();
        let mut sizes: FxHashMap<TermId, u32> = FxHashMap::default();
        for &term in &uses.order {
            // What has a name already is one word long, and so is what is not looked at here.
            let size = store.args(term).iter().fold(1u32, |sum, arg| {
                let named = names.here.contains_key(arg) || names.deep.contains_key(arg);
                sum.saturating_add(if named { 1 } else { sizes.get(arg).copied().unwrap_or(1) })
            });
            sizes.insert(term, size);
            let parts = match store.op(term) {
                Op::Forall | Op::Exists => &self.free[&term],
                _ => store.args(term),
            };
            let is_open = parts.iter().any(|part| open.contains(part));
            if is_open {
                open.insert(term);
            }
            let count = if is_open { level.get(&term) } else { uses.count.get(&term) };
            let is_single = term == root || count.is_none_or(|&count| count < 2);
            if is_single || size <= self.unnamed || is_small(store, term) {
                continue;
            }
            let name = self.fresh_name();
            let table = if inside && !is_open { &mut names.deep } else { &mut names.here };
            table.insert(term, name);
            shared.push(term);
        }
        (shared, Rc::new(names))
    }
}

/// Whether a term is shorter than a `let` would be.
fn is_small(store: &Store, term: TermId) -> bool {
    store.op(term) == Op::Not && store.args(store.args(term)[0]).is_empty()
}
