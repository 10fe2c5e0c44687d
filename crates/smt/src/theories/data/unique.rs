//! Values of codatatypes that cannot be told apart are equal.
//!
//! The classes of a complete assignment that a constructor made are split as long as two that are together
//! differ: in the constructor, in an argument of another sort, or in the part where an argument is. A class without a
//! constructor is alone. Classes that are still together then are the same tree, and that is stated: the
//! pairs that one meets by walking down both are a bisimulation, given the equations by which the arguments are what they are.
//! Terms of a codatatype with one value are equal without a reason.
//!
//! Invariant: what is stated is about terms that are there, and false in the assignment, so this ends.
//!
//! After Reynolds, Blanchette, "A decision procedure for (co)datatypes in SMT solvers" (CADE 2015), rule Unique.

use std::collections::BTreeMap;

use alphorn_problem::evidence::proof::{Literal, Rule};
use alphorn_term::{Op, SortId, Store, TermId};

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

/// Why two terms are the same tree.
enum Same {
    /// Their sort has one value.
    Only(TermId, TermId),
    /// The pairs of applications, the two terms first, are a bisimulation where these equations hold.
    Bisimilar { pairs: Vec<[TermId; 2]>, assumed: Vec<(TermId, TermId)> },
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
    let parts = trees.partition();
    let mut first: BTreeMap<u32, Node> = BTreeMap::new();
    for (&root, &part) in &parts {
        match first.get(&part) {
            Some(other) => found.extend(trees.bisimulation(*other, root)),
            None => {
                first.insert(part, root);
            }
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
        let mut assumed: Vec<(TermId, TermId)> = Vec::new();
        let mut assume = |left: TermId, right: TermId| {
            if left != right && !assumed.contains(&(left, right)) {
                assumed.push((left, right));
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
                if !pairs.contains(&[s, t]) {
                    pairs.push([s, t]);
                }
            }
        }
        Some(Same::Bisimilar { pairs, assumed })
    }
}
