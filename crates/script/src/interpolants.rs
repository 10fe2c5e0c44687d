//! Interpolants between parts of a contradiction, as a sequence or a tree.
//!
//! Each part gets a formula that follows from it and the formulas of the parts below it, that the
//! rest contradicts, and that mentions only what both sides mention. They are made one after the
//! other in post-order, each by separating what is below from what is left; the formulas made so
//! far stand for the subtrees they summarise, so that the next one follows from them.
//!
//! Invariant: the formulas of finished subtrees and the unfinished parts contradict each other.
//!
//! Our solver makes all of them out of one proof; what is described here is for one that cannot.
//!
//! How they were made does not matter to the check: for each part, that its formula follows is
//! refuted in the negative and replayed, and so is the root with what is below it.

use crate::Said;
use crate::kernel::{Asking, Found, Kernel};
use crate::session::{Reply, Session};
use alphorn_check::proof::refute;
use alphorn_front::smtlib::general::Partition;
use alphorn_smt::project::{Obstacle, Oracle, Separation, Side, Symbol, separate, symbols_of};
use alphorn_term::print::quote;
use alphorn_term::{Store, TermId};
use rustc_hash::FxHashSet;

/// The formulas of the parts, and the parts below each.
struct Tree {
    parts: Vec<TermId>,
    children: Vec<Vec<usize>>,
}

impl<K: Kernel> Session<'_, K> {
    pub(crate) fn get_interpolants(&mut self, partition: &Partition) -> Reply {
        self.wants(":produce-interpolants")?;
        self.last_refutation()?;
        let tree = self.tree(partition)?;
        let interpolants = match self.interpolate(partition, &tree) {
            Ok(interpolants) => interpolants,
            Err(Obstacle::Consistent) => {
                return Err("the parts do not contradict each other".to_owned());
            }
            Err(_) => {
                self.summary.undecided += 1;
                return Ok(Some("unsupported".to_owned()));
            }
        };
        if self.request.check
            && let Err(reason) = self.check_interpolants(partition, &tree, &interpolants)
        {
            self.summary.refused += 1;
            self.tell(Said::Refused(reason));
            return Err("the interpolants were refused".to_owned());
        }
        let texts = interpolants.iter().map(|&formula| self.store.show(formula));
        Ok(Some(format!("({})", texts.collect::<Vec<String>>().join("\n "))))
    }

    fn tree(&mut self, partition: &Partition) -> Result<Tree, String> {
        let mut parts = Vec::with_capacity(partition.parts.len());
        for names in &partition.parts {
            let mut formulas = Vec::with_capacity(names.len());
            for name in names {
                let is_own = |other: &Option<String>| other.as_ref() == Some(name);
                let found = self.in_force.assertions.iter().find(|asserted| is_own(&asserted.name));
                let Some(asserted) = found else {
                    return Err(format!("{} is not the name of an assertion", quote(name)));
                };
                formulas.push(asserted.formula.term);
            }
            parts.push(self.store.and(&formulas));
        }
        if parts.iter().any(|&part| self.store.has_quantifier(part)) {
            return Err("there are no interpolants of formulas with quantifiers".to_owned());
        }
        let mut children = vec![Vec::new(); parts.len()];
        for (part, parent) in partition.parents.iter().enumerate() {
            if let Some(parent) = parent {
                children[*parent].push(part);
            }
        }
        Ok(Tree { parts, children })
    }

    /// A formula for each part but the root.
    fn interpolate(&mut self, partition: &Partition, tree: &Tree) -> Result<Vec<TermId>, Obstacle> {
        let parents: Vec<Option<u32>> =
            partition.parents.iter().map(|parent| parent.map(|parent| parent as u32)).collect();
        let solver = self.fresh(false);
        if let Some(mut all) = solver.interpolants(&mut self.store, &tree.parts, &parents) {
            all.truncate(tree.parts.len().saturating_sub(1));
            return Ok(all);
        }
        let mut oracle = Asking(solver);
        let store = &mut self.store;
        let mut made: Vec<TermId> = Vec::new();
        for part in 0..tree.parts.len().saturating_sub(1) {
            let mut below: Vec<TermId> =
                tree.children[part].iter().map(|&child| made[child]).collect();
            below.push(tree.parts[part]);
            let is_beside = |other: &usize| partition.parents[*other].is_some_and(|p| p > part);
            let mut rest: Vec<TermId> =
                (0..part).filter(is_beside).map(|other| made[other]).collect();
            rest.extend(&tree.parts[part + 1..]);
            let (left, right) = (store.and(&below), store.and(&rest));
            made.push(between(store, left, right, &mut oracle)?);
        }
        Ok(made)
    }

    /// Replays that each formula follows from its part and the formulas below, that the root and
    /// those below it contradict each other, and that formulas mention only what is shared.
    fn check_interpolants(
        &mut self,
        partition: &Partition,
        tree: &Tree,
        interpolants: &[TermId],
    ) -> Result<(), String> {
        let mut solver = self.fresh(true);
        let starts = partition.subtree_starts();
        let symbols: Vec<FxHashSet<Symbol>> =
            tree.parts.iter().map(|&part| symbols_of(&self.store, part)).collect();
        for (part, &formula) in tree.parts.iter().enumerate() {
            let mut formulas: Vec<TermId> =
                tree.children[part].iter().map(|&child| interpolants[child]).collect();
            formulas.push(formula);
            if let Some(&own) = interpolants.get(part) {
                formulas.push(self.store.not(own));
                let (before, others) = symbols.split_at(starts[part]);
                let (inside, after) = others.split_at(part + 1 - starts[part]);
                let is_shared = |symbol: &Symbol| {
                    let mut outside = before.iter().chain(after);
                    inside.iter().any(|symbols| symbols.contains(symbol))
                        && outside.any(|symbols| symbols.contains(symbol))
                };
                if !symbols_of(&self.store, own).iter().all(is_shared) {
                    return Err(format!("interpolant {}: a symbol is not shared", part + 1));
                }
            }
            let wrong = |why: String| format!("interpolant {}: {why}", part + 1);
            if solver.check(&mut self.store, &formulas) != Found::Unsat {
                return Err(wrong("it does not follow".to_owned()));
            }
            let proof = solver.refutation(&mut self.store);
            let proof = proof.ok_or_else(|| wrong("there is no proof to check".to_owned()))?;
            let result = refute(&self.store, &formulas, &proof);
            result.map_err(|refusal| wrong(refusal.to_string()))?;
        }
        Ok(())
    }
}

/// An interpolant, sampled from the left or else from the right.
fn between(
    store: &mut Store,
    left: TermId,
    right: TermId,
    oracle: &mut dyn Oracle,
) -> Result<TermId, Obstacle> {
    let (ours, theirs) = (symbols_of(store, left), symbols_of(store, right));
    let is_shared = |symbol: Symbol| ours.contains(&symbol) && theirs.contains(&symbol);
    let options = Separation { side: Side::Left, ..Separation::default() };
    match separate(store, left, right, &is_shared, oracle, &options) {
        Err(Obstacle::Opaque(_) | Obstacle::Rounds | Obstacle::Unknown) => {}
        result => return result,
    }
    let options = Separation { side: Side::Right, ..options };
    separate(store, left, right, &is_shared, oracle, &options)
}
