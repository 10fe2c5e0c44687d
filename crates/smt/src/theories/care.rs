//! Which applications must not be alike by chance.
//!
//! Applications of one function whose arguments have the same values have the same value in a model. If they are of
//! different classes, the search has to settle whether an argument differs. That takes all their arguments: those
//! that are numbers are compared by value, others by class, which those who know their sorts keep apart.
//!
//! Two classes of trees may be one tree, if nobody is told so: where trees stand in no other term than in their
//! fields, in equations that are not false or false by constructors, and in trees of which that holds in
//! turn, they are *inert*. Most trees are: whether `x` was made by C is an equation with `C(sel₁ x, …, selₙ x)`,
//! and so for each constructor of its sort but one there is a tree that is nothing to anybody.
//!
//! Trees of codatatypes may be equal all the way down without their parts being of one class, so that every number in
//! one may tell it from another: they always matter.
//!
//! Invariant: what is left out here is in no function's, array's or selector's argument, so a model with
//! equal values there makes no literal false.
//!
//! After Jovanović, Barrett, Sharing is caring: combination of theories (FroCoS 2011).

use rustc_hash::FxHashMap;

use crate::euf::{Euf, Node};

/// How deep trees are looked at; what is inside of more is taken to matter.
const MAX_DEPTH: u32 = 32;

/// Which classes of trees matter, as far as somebody asked.
pub(super) struct Care<'a> {
    closure: &'a Euf,
    known: FxHashMap<Node, bool>,
}

impl Care<'_> {
    pub(super) fn new(closure: &Euf) -> Care<'_> {
        Care { closure, known: FxHashMap::default() }
    }

    /// Pairs of applications of different classes that have one value, by what their arguments are; those of which
    /// `is_kept` holds always matter.
    pub(super) fn alike<K: std::hash::Hash + Eq>(
        &mut self,
        applications: &[Node],
        is_kept: impl Fn(Node) -> bool,
        key: impl Fn(Node, Node) -> K,
    ) -> Vec<(Node, Node)> {
        let mut leaders: FxHashMap<(u64, Vec<K>), Node> = FxHashMap::default();
        let mut pairs = Vec::new();
        for &application in applications {
            let args = self.closure.arguments(application);
            let args = args.map(|arg| key(application, arg)).collect();
            let leader =
                leaders.entry((self.closure.symbol(application), args)).or_insert(application);
            if self.closure.are_equal(*leader, application)
                || !is_kept(application) && !self.matters(application, 0)
            {
                continue;
            }
            let earlier = std::mem::replace(leader, application);
            if is_kept(earlier) || self.matters(earlier, 0) {
                *leader = earlier;
                pairs.push((earlier, application));
            }
        }
        pairs
    }

    /// Whether the class of an application must have a value of its own.
    fn matters(&mut self, application: Node, depth: u32) -> bool {
        if !self.closure.is_maker(application) || depth > MAX_DEPTH {
            return true;
        }
        let root = self.closure.root(application);
        if let Some(known) = self.known.get(&root) {
            return *known;
        }
        let closure = self.closure;
        let matters = closure.class(root).any(|member| {
            closure.owners(member).any(|owner| self.is_told_by(owner, member, depth))
        });
        self.known.insert(root, matters);
        matters
    }

    /// Whether an application or equation can tell trees from each other.
    fn is_told_by(&mut self, owner: Node, tree: Node, depth: u32) -> bool {
        let closure = self.closure;
        if let Some((left, right)) = closure.equated(owner) {
            return closure.truth(owner) == Some(false)
                && !closure.have_different_values(left, right);
        }
        if closure.is_maker(owner) {
            return self.matters(owner, depth + 1);
        }
        // Fields of what the tree is made of are as its arguments are.
        let made = closure.carrier(tree);
        let symbol = closure.symbol(owner);
        let is_field = |field: Node| closure.is_defined(field) && closure.symbol(field) == symbol;
        !made.is_some_and(|made| closure.owners(made).any(is_field))
    }
}
