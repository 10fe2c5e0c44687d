//! Trees of growing height, from queries towards facts.
//!
//! A tree's open leaves are taken as underivable. If the query has a derivation even so, it is one. If
//! not, the contradiction names the leaves whose absence it needs, as few as can be told quickly, and only
//! of those some are expanded. So parts of the tree that do not matter stay closed, and a contradiction
//! that names no leaf excludes the query for good. Clauses that are alternatives share the nodes of their
//! atoms.
//!
//! The farthest and the nearest of the named leaves take turns. The farthest go straight down a chain of
//! calls to the assertion at its end, where clearing one height after the other would first expand every
//! call beside the chain, and double with each of them. The nearest leave nothing out for ever, and
//! their share grows with the tree.
//!
//! Invariant: a derivation has a leaf that was named last among its nodes, so that all nodes of some are
//! at least as far from the query as the nearest of these.
//!
//! After Lal, Qadeer, Lahiri (CAV 2012), and for deep assertions Lal, Qadeer (FMCAD 2014). Where we
//! differ: there the leaves to expand are those a model of the tree with arbitrary leaves passes through;
//! here a contradiction chooses them.

use super::exhausted;
use crate::settings::{BMC_CONFLICTS, BMC_MAX_TRIED, BMC_STEPS_PER_LEAF};
use crate::ts::bmc::too_hard;
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::{ask, ask_within};
use alphorn_horn::fragment::understood_with_data;
use alphorn_horn::model::parameters;
use alphorn_horn::recursion_free::derivation::{Reading, read};
use alphorn_horn::recursion_free::expansion::{Expansion, ROOT};
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
    /// How many steps were made.
    steps: usize,
}

/// What a step came to.
enum Outcome {
    Derived(Derivation),
    /// No derivation has all its nodes nearer to the query than this.
    Cleared(u64),
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
    let mut told = 0;
    while !trees.is_empty() {
        let mut open = Vec::with_capacity(trees.len());
        let mut cleared = u64::MAX;
        for mut tree in trees {
            match tree.step(horn, ctx)? {
                Outcome::Derived(derivation) => return Ok(derivation),
                Outcome::Cleared(height) => {
                    cleared = cleared.min(height);
                    open.push(tree);
                }
                Outcome::Excluded => {}
            }
        }
        trees = open;
        while !trees.is_empty() && told < cleared {
            ctx.cleared(told)?;
            told += 1;
        }
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
        let mut tree = Tree { expansion, store, smt, heights: vec![0], steps: 0 };
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

    /// Derives the query, or expands some of the leaves whose absence excludes that.
    fn step(&mut self, horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Outcome, Stop> {
        let leaves = self.leaves();
        // A leaf that every derivation has cannot be assumed to be absent.
        let mut certain = leaves.iter().filter(|&&leaf| self.expansion.nodes[leaf].flag.is_none());
        // A derivation that is wanted has no node farther away.
        let last = ctx.bound().unwrap_or(u64::MAX);
        if let Some(&leaf) = certain.next() {
            let height = self.heights[leaf];
            if height <= last {
                self.expand(leaf, ctx)?;
            }
            return Ok(Outcome::Cleared(height));
        }
        let mut absent: Vec<(TermId, usize)> = Vec::with_capacity(leaves.len());
        for &leaf in &leaves {
            if let Some(flag) = self.expansion.nodes[leaf].flag {
                absent.push((self.store.not(flag), leaf));
            }
        }
        let all: Vec<TermId> = absent.iter().map(|&(literal, _)| literal).collect();
        match ask(&mut self.smt, &mut self.store, &all, ctx)? {
            Answer::Sat => return self.derivation(horn, ctx).map(Outcome::Derived),
            Answer::Unknown => return Err(too_hard()),
            Answer::Unsat => {}
        }
        let named = self.few(self.smt.failed(), ctx)?;
        if named.is_empty() {
            return Ok(Outcome::Excluded);
        }
        let named = absent.into_iter().filter(|(literal, _)| named.contains(literal));
        let mut named: Vec<usize> = named.map(|(_, leaf)| leaf).collect();
        named.sort_by_key(|&leaf| (self.heights[leaf], leaf));
        let nearest = self.heights[named[0]];
        named.retain(|&leaf| self.heights[leaf] <= last);
        let Some(&end) = named.last() else { return Ok(Outcome::Cleared(nearest)) };
        let farthest = self.heights[end];
        self.steps += 1;
        if self.steps.is_multiple_of(2) {
            named.truncate(1 + self.steps / BMC_STEPS_PER_LEAF.size());
        } else {
            named.retain(|&leaf| self.heights[leaf] == farthest);
        }
        for leaf in named {
            self.expand(leaf, ctx)?;
        }
        Ok(Outcome::Cleared(nearest))
    }

    /// The literals of a contradiction without those that it is quickly seen not to need, the last made
    /// first.
    fn few(&mut self, failed: Vec<TermId>, ctx: &mut Ctx<'_>) -> Result<FxHashSet<TermId>, Stop> {
        let mut needed: Vec<TermId> = failed;
        if needed.len() > 1 && needed.len() <= BMC_MAX_TRIED.size() {
            needed.sort_unstable();
            for literal in needed.clone().into_iter().rev() {
                if !needed.contains(&literal) {
                    continue;
                }
                let fewer: Vec<TermId> =
                    needed.iter().copied().filter(|&other| other != literal).collect();
                let (smt, store) = (&mut self.smt, &mut self.store);
                if ask_within(smt, store, &fewer, BMC_CONFLICTS.get(), ctx)? == Answer::Unsat {
                    let failed = self.smt.failed();
                    needed.retain(|other| failed.contains(other));
                }
            }
        }
        Ok(needed.into_iter().collect())
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
