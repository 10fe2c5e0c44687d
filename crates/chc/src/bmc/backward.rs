//! Trees of growing height, from queries towards facts.
//!
//! A tree's open leaves are taken as underivable. If the query has a derivation even so, it is one. If
//! not, the contradiction names the leaves whose absence it needs; only those below the bound are
//! expanded, and when none is left the bound is cleared. So parts of the tree that do not matter stay
//! closed, and a contradiction that names no leaf excludes the query for good. Clauses that are
//! alternatives share the nodes of their atoms.
//!
//! Invariant: every node below the bound is expanded, or its absence is not what excludes the query.
//!
//! After Lal, Qadeer, Lahiri (CAV 2012). Where we differ: there the leaves to expand are those a model
//! of the tree with arbitrary leaves passes through; here a contradiction chooses them.

use super::exhausted;
use crate::ask::ask;
use crate::fragment::understood_with_data;
use crate::model::parameters;
use crate::recursion_free::derivation::{Reading, read};
use crate::recursion_free::expansion::{Expansion, ROOT};
use crate::ts::bmc::too_hard;
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::{Definition, Derivation};
use alphorn_problem::horn::{ClauseId, Head};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Store, TermId};
use rustc_hash::FxHashSet;

/// The tree of a query.
struct Tree<'a> {
    expansion: Expansion<'a>,
    /// The terms, which extend the system's.
    store: Store,
    smt: Smt,
    /// How far each node is from the query.
    heights: Vec<u64>,
}

/// What a bound came to.
enum Outcome {
    Derived(Derivation),
    Cleared,
    /// No height would do.
    Excluded,
}

/// A derivation; goes on as long as there may be one.
pub(super) fn search(horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Derivation, Stop> {
    let mut clauses_of: Vec<Vec<ClauseId>> = vec![Vec::new(); horn.preds.len()];
    let mut queries: Vec<ClauseId> = Vec::new();
    for (id, clause) in horn.clauses() {
        understood_with_data(horn, clause)?;
        match clause.head {
            Head::Atom(pred, _) => clauses_of[pred.index()].push(id),
            Head::False => queries.push(id),
        }
    }
    let mut store = horn.terms.clone();
    let known: Vec<Definition> = horn
        .pred_ids()
        .map(|pred| Definition { params: parameters(&mut store, horn, pred), body: TermId::TRUE })
        .collect();
    let tree = |&query: &ClauseId| Tree::new(horn, &known, &clauses_of, query, store.clone());
    let mut trees: Vec<Tree<'_>> = queries.iter().map(tree).collect();
    for bound in 1.. {
        let mut open = Vec::with_capacity(trees.len());
        for mut tree in trees {
            match tree.clear(horn, bound, ctx)? {
                Outcome::Derived(derivation) => return Ok(derivation),
                Outcome::Cleared => open.push(tree),
                Outcome::Excluded => {}
            }
        }
        if open.is_empty() {
            break;
        }
        trees = open;
        ctx.cleared(bound - 1)?;
    }
    Err(exhausted())
}

impl<'a> Tree<'a> {
    fn new(
        horn: &'a Horn,
        known: &'a [Definition],
        clauses_of: &'a [Vec<ClauseId>],
        query: ClauseId,
        mut store: Store,
    ) -> Tree<'a> {
        let expansion = Expansion::new(horn, known, clauses_of, query, false, &mut store);
        let mut smt = Smt::new(Options::default());
        smt.assert(&mut store, expansion.nodes[ROOT].label);
        let mut tree = Tree { expansion, store, smt, heights: vec![0] };
        tree.measure();
        tree
    }

    /// Gives heights to nodes without one.
    fn measure(&mut self) {
        for node in &self.expansion.nodes[self.heights.len()..] {
            let below = node.parent.map_or(0, |parent| self.heights[parent] + 1);
            self.heights.push(below);
        }
    }

    fn expand(&mut self, node: usize, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        self.expansion.expand(node, &mut self.store);
        let label = self.expansion.nodes[node].label;
        ctx.tick(1 + self.store.dag_size(&[label]) as u64)?;
        self.smt.assert(&mut self.store, label);
        self.measure();
        Ok(())
    }

    /// The nodes that have no clauses yet.
    fn leaves(&self) -> Vec<usize> {
        let nodes = self.expansion.nodes.iter().enumerate();
        nodes.filter(|(_, node)| node.branches.is_none()).map(|(index, _)| index).collect()
    }

    /// Derives the query by a tree in which no node is `bound` or more from it, or excludes that.
    fn clear(&mut self, horn: &Horn, bound: u64, ctx: &mut Ctx<'_>) -> Result<Outcome, Stop> {
        loop {
            let leaves = self.leaves();
            // A leaf that every derivation has cannot be assumed to be absent.
            let mut certain = leaves.iter().filter(|&&it| self.expansion.nodes[it].flag.is_none());
            if let Some(&leaf) = certain.next() {
                if self.heights[leaf] >= bound {
                    return Ok(Outcome::Cleared);
                }
                self.expand(leaf, ctx)?;
                continue;
            }
            let mut absent: Vec<TermId> = Vec::with_capacity(leaves.len());
            for &leaf in &leaves {
                if let Some(flag) = self.expansion.nodes[leaf].flag {
                    absent.push(self.store.not(flag));
                }
            }
            match ask(&mut self.smt, &mut self.store, &absent, ctx)? {
                Answer::Sat => return self.derivation(horn, ctx).map(Outcome::Derived),
                Answer::Unknown => return Err(too_hard()),
                Answer::Unsat => {}
            }
            let failed: FxHashSet<TermId> = self.smt.failed().into_iter().collect();
            if failed.is_empty() {
                return Ok(Outcome::Excluded);
            }
            let is_named = |place: &usize| failed.contains(&absent[*place]);
            let named: Vec<usize> =
                (0..leaves.len()).filter(is_named).map(|place| leaves[place]).collect();
            let low = named.into_iter().filter(|&leaf| self.heights[leaf] < bound);
            let low: Vec<usize> = low.collect();
            if low.is_empty() {
                return Ok(Outcome::Cleared);
            }
            for leaf in low {
                self.expand(leaf, ctx)?;
            }
        }
    }

    fn derivation(&self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Derivation, Stop> {
        let model = self.smt.model(&self.store);
        match read(horn, &self.expansion, &self.store, model, ctx)? {
            Reading::Derived(derivation) => Ok(derivation),
            Reading::Open { .. } => {
                Err(Stop::Stuck("a derivation goes through what it may not use".to_owned()))
            }
        }
    }
}
