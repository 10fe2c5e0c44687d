//! Trees of growing height, from queries towards facts.
//!
//! Two approximations take turns. First a tree's open leaves are taken as underivable. If the query has a
//! derivation even so, it is one. If not, the contradiction names the leaves whose absence it needs, as few as
//! can be told quickly, and only of those some are expanded. Then the leaves are taken as derivable with any
//! arguments that are not known to be impossible. If the query has no derivation even so, no height would
//! do, and the interpolants of the tree say why: a model. If it has one, the leaves that it goes through come
//! first among those that were named. Clauses that are alternatives share the nodes of their atoms.
//!
//! What is known of leaves is what other engines found to hold, and what excluded earlier queries.
//!
//! The farthest and the nearest of the named leaves take turns. The farthest go straight down a chain of
//! calls to the assertion at its end, where clearing one height after the other would first expand every
//! call beside the chain, and double with each of them. The nearest leave nothing out for ever, and
//! their share grows with the tree.
//!
//! Invariant: a derivation has a leaf that was named last among its nodes, so that all nodes of some are
//! at least as far from the query as the nearest of these.
//!
//! After Lal, Qadeer, Lahiri (CAV 2012), whose guidance is the second approximation, and for deep assertions
//! Lal, Qadeer (FMCAD 2014). Where we differ: of the leaves that a counterexample goes through, a
//! contradiction chooses those to expand.

use crate::settings::{BMC_CONFLICTS, BMC_GUIDANCE, BMC_MAX_TRIED, BMC_STEPS_PER_LEAF};
use crate::ts::bmc::too_hard;
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::{ask, ask_within};
use alphorn_horn::fragment::understood_with_data;
use alphorn_horn::model::parameters;
use alphorn_horn::recursion_free::derivation::{Reading, read};
use alphorn_horn::recursion_free::expansion::{Expansion, ROOT};
use alphorn_horn::recursion_free::solution::of_predicates;
use alphorn_problem::evidence::horn::{Definition, Derivation, HornClaim};
use alphorn_problem::horn::{ClauseId, Head, PredId};
use alphorn_problem::{Finding, Horn};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Store, TermId};
use rustc_hash::FxHashSet;

/// The tree of a query.
struct Tree<'a> {
    expansion: Expansion<'a>,
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

/// What is known of the predicates, and the terms, which extend the system's.
struct Known {
    store: Store,
    definitions: Vec<Definition>,
}

/// A derivation, or a model; goes on as long as there may be one.
pub(super) fn search(horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Finding<Horn>, Stop> {
    let mut clauses_of: Vec<Vec<ClauseId>> = vec![Vec::new(); horn.preds.len()];
    let mut queries: Vec<ClauseId> = Vec::new();
    for (id, clause) in horn.clauses() {
        understood_with_data(horn, clause)?;
        match clause.head {
            Head::Atom(pred, _) => clauses_of[pred.index()].push(id),
            Head::False => queries.push(id),
        }
    }
    let mut known = Known::new(horn);
    let tree = |&query: &ClauseId| Tree::new(horn, &mut known, &clauses_of, query);
    let mut trees: Vec<Tree<'_>> = queries.iter().map(tree).collect();
    let mut told = 0;
    while !trees.is_empty() {
        for (pred, formula) in known.heard(ctx) {
            known.learn(pred, formula, &mut trees);
        }
        let mut open = Vec::with_capacity(trees.len());
        let mut cleared = u64::MAX;
        let mut facts: Vec<(PredId, TermId)> = Vec::new();
        for mut tree in trees {
            match tree.step(horn, &mut known.store, ctx)? {
                Outcome::Derived(derivation) => return Ok(Finding::Fails(derivation)),
                Outcome::Cleared(height) => {
                    cleared = cleared.min(height);
                    open.push(tree);
                }
                Outcome::Excluded => {
                    facts.extend(of_predicates(&tree.expansion, &mut known.store, ctx)?);
                }
            }
        }
        trees = open;
        for (pred, formula) in facts {
            known.learn(pred, formula, &mut trees);
        }
        while !trees.is_empty() && told < cleared {
            ctx.cleared(told)?;
            told += 1;
        }
    }
    Ok(Finding::Holds(HornClaim::of(known.store, known.definitions)))
}

impl Known {
    fn new(horn: &Horn) -> Known {
        let mut store = horn.terms.clone();
        let nothing = |pred| {
            let params = parameters(&mut store, horn, pred);
            Definition { params, body: TermId::TRUE }
        };
        let definitions = horn.pred_ids().map(nothing).collect();
        Known { store, definitions }
    }

    /// What other engines say holds of all facts of predicates.
    fn heard(&mut self, ctx: &mut Ctx<'_>) -> Vec<(PredId, TermId)> {
        let mut found = Vec::new();
        for lemma in ctx.news::<Horn>().into_iter().filter(|lemma| lemma.is_held()) {
            let Some(definition) = self.definitions.get(lemma.pred.index()) else { continue };
            let formula = lemma.read(&mut self.store, &definition.params);
            found.extend(formula.map(|formula| (lemma.pred, formula)));
        }
        found
    }

    /// Adds a formula to what is known of a predicate.
    fn learn(&mut self, pred: PredId, formula: TermId, trees: &mut [Tree<'_>]) {
        let definition = &mut self.definitions[pred.index()];
        definition.body = self.store.and(&[definition.body, formula]);
        trees.iter_mut().for_each(|tree| tree.learn(pred, formula, &mut self.store));
    }
}

impl<'a> Tree<'a> {
    fn new(
        horn: &'a Horn,
        known: &mut Known,
        clauses_of: &'a [Vec<ClauseId>],
        query: ClauseId,
    ) -> Tree<'a> {
        let Known { store, definitions } = known;
        let expansion = Expansion::new(horn, definitions, clauses_of, query, false, store);
        let mut smt = Smt::new(Options::default());
        smt.assert(store, expansion.nodes[ROOT].label);
        let mut tree = Tree { expansion, smt, heights: vec![0], steps: 0 };
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

    /// Adds a formula to what is known of a predicate.
    fn learn(&mut self, pred: PredId, formula: TermId, store: &mut Store) {
        for node in self.expansion.learn(pred, formula, store) {
            self.smt.assert(store, self.expansion.nodes[node].label);
        }
    }

    fn expand(&mut self, node: usize, store: &mut Store, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        let first = self.expansion.nodes.len();
        self.expansion.expand(node, store);
        let label = self.expansion.nodes[node].label;
        ctx.tick(1 + store.dag_size(&[label]) as u64)?;
        self.smt.assert(store, label);
        for child in &self.expansion.nodes[first..] {
            self.smt.assert(store, child.label);
        }
        self.measure();
        Ok(())
    }

    /// The nodes that have no clauses yet.
    fn leaves(&self) -> Vec<usize> {
        let nodes = self.expansion.nodes.iter().enumerate();
        nodes.filter(|(_, node)| node.branches.is_none()).map(|(index, _)| index).collect()
    }

    /// Derives the query, or expands some of the leaves whose absence excludes that.
    fn step(&mut self, horn: &Horn, store: &mut Store, ctx: &mut Ctx<'_>) -> Result<Outcome, Stop> {
        let leaves = self.leaves();
        // A leaf that every derivation has cannot be assumed to be absent.
        let mut certain = leaves.iter().filter(|&&leaf| self.expansion.nodes[leaf].flag.is_none());
        // A derivation that is wanted has no node farther away.
        let last = ctx.bound().unwrap_or(u64::MAX);
        if let Some(&leaf) = certain.next() {
            let height = self.heights[leaf];
            if height <= last {
                self.expand(leaf, store, ctx)?;
            }
            return Ok(Outcome::Cleared(height));
        }
        let mut absent: Vec<(TermId, usize)> = Vec::with_capacity(leaves.len());
        for &leaf in &leaves {
            if let Some(flag) = self.expansion.nodes[leaf].flag {
                absent.push((store.not(flag), leaf));
            }
        }
        let all: Vec<TermId> = absent.iter().map(|&(literal, _)| literal).collect();
        match ask(&mut self.smt, store, &all, ctx)? {
            Answer::Sat => return self.derivation(horn, store, ctx),
            Answer::Unknown => return Err(too_hard()),
            Answer::Unsat => {}
        }
        let named = self.few(self.smt.failed(), store, ctx)?;
        if named.is_empty() {
            return Ok(Outcome::Excluded);
        }
        let named = absent.into_iter().filter(|(literal, _)| named.contains(literal));
        let mut named: Vec<usize> = named.map(|(_, leaf)| leaf).collect();
        named.sort_by_key(|&leaf| (self.heights[leaf], leaf));
        let nearest = self.heights[named[0]];
        named.retain(|&leaf| self.heights[leaf] <= last);
        if named.is_empty() {
            return Ok(Outcome::Cleared(nearest));
        }
        self.steps += 1;
        if self.steps.is_multiple_of(2) {
            named.truncate(1 + self.steps / BMC_STEPS_PER_LEAF.size());
        } else {
            match self.guide(horn, store, ctx)? {
                Guide::Excluded => return Ok(Outcome::Excluded),
                Guide::Through(passed) if named.iter().any(|leaf| passed.contains(leaf)) => {
                    named.retain(|leaf| passed.contains(leaf));
                }
                Guide::Through(_) => {}
            }
            let farthest = named.last().map_or(0, |&leaf| self.heights[leaf]);
            named.retain(|&leaf| self.heights[leaf] == farthest);
        }
        for leaf in named {
            self.expand(leaf, store, ctx)?;
        }
        Ok(Outcome::Cleared(nearest))
    }

    /// Which leaves a counterexample of the tree with arbitrary leaves goes through.
    fn guide(&mut self, horn: &Horn, store: &mut Store, ctx: &mut Ctx<'_>) -> Result<Guide, Stop> {
        if BMC_GUIDANCE.get() == 0 {
            return Ok(Guide::Through(Vec::new()));
        }
        match ask(&mut self.smt, store, &[], ctx)? {
            Answer::Unsat => return Ok(Guide::Excluded),
            Answer::Unknown => return Ok(Guide::Through(Vec::new())),
            Answer::Sat => {}
        }
        let model = self.smt.model(store);
        Ok(Guide::Through(match read(horn, &self.expansion, store, model, ctx) {
            Ok(Reading::Open { nodes, .. }) => nodes,
            // It depends on what the system leaves open, and says nothing.
            Ok(Reading::Derived(_)) | Err(Stop::Stuck(_)) => Vec::new(),
            Err(stop) => return Err(stop),
        }))
    }

    /// The literals of a contradiction without those that it is quickly seen not to need, the last made
    /// first.
    fn few(
        &mut self,
        failed: Vec<TermId>,
        store: &mut Store,
        ctx: &mut Ctx<'_>,
    ) -> Result<FxHashSet<TermId>, Stop> {
        let mut needed: Vec<TermId> = failed;
        if needed.len() > 1 && needed.len() <= BMC_MAX_TRIED.size() {
            needed.sort_unstable();
            for literal in needed.clone().into_iter().rev() {
                if !needed.contains(&literal) {
                    continue;
                }
                let fewer: Vec<TermId> =
                    needed.iter().copied().filter(|&other| other != literal).collect();
                if ask_within(&mut self.smt, store, &fewer, BMC_CONFLICTS.get(), ctx)?
                    == Answer::Unsat
                {
                    let failed = self.smt.failed();
                    needed.retain(|other| failed.contains(other));
                }
            }
        }
        Ok(needed.into_iter().collect())
    }

    fn derivation(&self, horn: &Horn, store: &Store, ctx: &mut Ctx<'_>) -> Result<Outcome, Stop> {
        let model = self.smt.model(store);
        match read(horn, &self.expansion, store, model, ctx)? {
            Reading::Derived(derivation) => Ok(Outcome::Derived(derivation)),
            Reading::Open { .. } => {
                Err(Stop::Stuck("a derivation goes through what it may not use".to_owned()))
            }
        }
    }
}

/// What the tree with arbitrary leaves says.
enum Guide {
    /// There is no derivation even so.
    Excluded,
    /// One goes through these leaves.
    Through(Vec<usize>),
}
