//! Values of codatatypes that cannot be told apart are equal.
//!
//! The classes of a complete assignment that a constructor made are split as long as two that are together
//! differ: in the constructor, in an argument of another sort, or in the part where an argument is. A class without a
//! constructor is alone, and so is one from which no walk goes round: congruence has found the equal ones. Classes that are still together then are the same tree, and that is stated: the
//! pairs that one meets by walking down both are a bisimulation, given the equations by which the arguments are what they are.
//! Terms of a codatatype with one value are equal without a reason.
//!
//! Invariant: what is stated is about terms that are there, and false in the assignment, so this ends.
//!
//! After Reynolds, Blanchette, "A decision procedure for (co)datatypes in SMT solvers" (CADE 2015), rule Unique.

use std::collections::{BTreeMap, BTreeSet};

use alphorn_problem::evidence::proof::{Literal, Rule};
use alphorn_term::{Op, SortId, Store, TermId};
use rustc_hash::FxHashSet;

use crate::datatypes::is_forced;
use crate::euf::Node;
use crate::theories::encode::{Encoding, Leaf};
use crate::theories::equality::Equality;
use crate::theories::kernel::Kernel;

/// States that classes are equal which are the same tree; whether there were any.
pub(super) fn refine(kernel: &mut Kernel, store: &mut Store) -> bool {
    let pairs = equal_trees(kernel, store);
    let mut cx = kernel.encoding(store);
    for pair in &pairs {
        match pair {
            Same::Only(left, right) => state(&mut cx, &[], (*left, *right), Vec::new()),
            Same::Bisimilar { pairs, assumed } => {
                let terms = pairs.iter().flatten().copied().collect();
                state(&mut cx, assumed, (pairs[0][0], pairs[0][1]), terms);
            }
        }
    }
    !pairs.is_empty()
}

/// How many pairs are stated before the search goes on with them: often others follow.
const MAX_PAIRS: usize = 1 << 10;

/// Why two terms are the same tree.
enum Same {
    /// Their sort has one value.
    Only(TermId, TermId),
    /// The pairs of applications, the two terms first, are a bisimulation where these equations hold.
    Bisimilar { pairs: Vec<[TermId; 2]>, assumed: Vec<(TermId, TermId)> },
}

impl Same {
    /// How many pairs it takes.
    fn size(&self) -> usize {
        match self {
            Same::Only(..) => 1,
            Same::Bisimilar { pairs, .. } => pairs.len(),
        }
    }
}

fn state(
    cx: &mut Encoding<'_>,
    assumed: &[(TermId, TermId)],
    (left, right): (TermId, TermId),
    pairs: Vec<TermId>,
) {
    let (mut clause, mut literals) = (Vec::new(), Vec::new());
    for &(left, right) in assumed {
        let equation = cx.store.eq(left, right);
        clause.push(!cx.literal(equation));
        literals.push(!Literal::of(cx.store, equation));
    }
    let equation = cx.store.eq(left, right);
    clause.push(cx.literal(equation));
    literals.push(Literal::of(cx.store, equation));
    cx.clause(&clause, Leaf::Axiom(literals, Rule::Bisimulation(pairs)));
}

/// The classes of an assignment that a constructor of a codatatype made.
struct Trees<'a> {
    equality: &'a Equality,
    store: &'a Store,
    /// The application that made each class.
    made: BTreeMap<Node, TermId>,
}

fn equal_trees(kernel: &Kernel, store: &Store) -> Vec<Same> {
    let theory = kernel.theory();
    let mut trees = Trees { equality: &theory.equality, store, made: BTreeMap::new() };
    let mut only: BTreeMap<SortId, (TermId, Node)> = BTreeMap::new();
    let mut found = Vec::new();
    for &term in &theory.data.terms {
        let sort = store.sort(term);
        if store.codata_of(sort).is_none() {
            continue;
        }
        let Some(root) = trees.equality.root(term) else { continue };
        if is_forced(store, sort) {
            let (first, known) = *only.entry(sort).or_insert((term, root));
            if known != root {
                found.push(Same::Only(first, term));
            }
        } else if let Some(made) = trees.carrier(root) {
            trees.made.insert(root, made);
        }
    }
    trees.keep_endless();
    let parts = trees.partition();
    let mut first: BTreeMap<u32, Node> = BTreeMap::new();
    let mut stated = 0;
    for (&root, &part) in &parts {
        let other = *first.entry(part).or_insert(root);
        if other != root && stated < MAX_PAIRS {
            let pair = trees.bisimulation(other, root);
            stated += pair.as_ref().map_or(0, Same::size);
            found.extend(pair);
        }
    }
    found
}

impl Trees<'_> {
    fn carrier(&self, root: Node) -> Option<TermId> {
        let made = *self.equality.node_terms.get(&self.equality.closure.carrier(root)?)?;
        matches!(self.store.op(made), Op::Construct(_)).then_some(made)
    }

    fn root(&self, term: TermId) -> Option<Node> {
        self.equality.root(term)
    }

    /// Forgets classes from which every walk ends.
    fn keep_endless(&mut self) {
        let mut above: BTreeMap<Node, Vec<Node>> = BTreeMap::new();
        let mut open: BTreeMap<Node, usize> = BTreeMap::new();
        let mut ended = Vec::new();
        for (&root, &made) in &self.made {
            let args = self.store.args(made).iter().filter_map(|arg| self.root(*arg));
            let below: Vec<Node> = args.filter(|below| self.made.contains_key(below)).collect();
            if below.is_empty() {
                ended.push(root);
            }
            open.insert(root, below.len());
            below.into_iter().for_each(|below| above.entry(below).or_default().push(root));
        }
        while let Some(root) = ended.pop() {
            self.made.remove(&root);
            for outer in above.remove(&root).unwrap_or_default() {
                if let Some(count) = open.get_mut(&outer) {
                    *count -= 1;
                    if *count == 0 {
                        ended.push(outer);
                    }
                }
            }
        }
    }

    /// The parts that classes are in when no two of one part can be told apart.
    fn partition(&self) -> BTreeMap<Node, u32> {
        let mut parts: BTreeMap<Node, u32> = self.made.keys().map(|root| (*root, 0)).collect();
        let mut count = parts.len().min(1);
        loop {
            let mut numbers = BTreeMap::new();
            let mut finer = BTreeMap::new();
            for (&root, &made) in &self.made {
                let args = self.store.args(made).iter().map(|arg| {
                    let root = self.root(*arg);
                    // A class in a part is what its part is, any other one itself.
                    let part = root.and_then(|root| parts.get(&root).copied());
                    (part, root.filter(|_| part.is_none()))
                });
                let label = (parts[&root], self.store.op(made), args.collect::<Vec<_>>());
                let next = numbers.len() as u32;
                finer.insert(root, *numbers.entry(label).or_insert(next));
            }
            let is_stable = numbers.len() == count;
            (parts, count) = (finer, numbers.len());
            if is_stable {
                return parts;
            }
        }
    }

    /// The pairs that one meets by walking down two classes of one part.
    fn bisimulation(&self, left: Node, right: Node) -> Option<Same> {
        let mut pairs = vec![[self.made[&left], self.made[&right]]];
        let mut met: FxHashSet<[TermId; 2]> = pairs.iter().copied().collect();
        let mut assumed: BTreeSet<(TermId, TermId)> = BTreeSet::new();
        let mut assume = |left: TermId, right: TermId| {
            if left != right {
                assumed.insert((left, right));
            }
        };
        let mut at = 0;
        while let Some(&[one, other]) = pairs.get(at) {
            at += 1;
            let args = self.store.args(one).iter().zip(self.store.args(other));
            for (&a, &b) in args {
                let (left, right) = (self.root(a)?, self.root(b)?);
                if left == right {
                    assume(a, b);
                    continue;
                }
                let (s, t) = (*self.made.get(&left)?, *self.made.get(&right)?);
                assume(a, s);
                assume(b, t);
                if met.insert([s, t]) {
                    pairs.push([s, t]);
                }
            }
        }
        Some(Same::Bisimilar { pairs, assumed: assumed.into_iter().collect() })
    }
}
