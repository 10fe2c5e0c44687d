//! Eager propagation: what is known of earlier instances, tried on later ones.
//!
//! When an instance was annotated, lemmas of the latest earlier instances of its predicate are tried:
//! a lemma that each way of the instance implies, given what is known below, is known of it, too.
//! Nothing is tried twice unless more is known below.
//!
//! Only simple loops are treated, as in the paper: where a fact needs several others, lemmas that happen
//! to hold of an early instance keep it from covering later ones.

use super::annotation::{Node, NodeId, Way};
use super::bounded::Bounded;
use super::goal::Goal;
use crate::settings::LA_MAX_INSTANCES;
use alphorn_engine::{Ctx, Stop};
use alphorn_smt::Answer;
use alphorn_term::TermId;

impl Bounded<'_> {
    /// Tries lemmas on the instance of a leaf; whether one was learned.
    pub(crate) fn propagate(
        &mut self,
        goal: &Goal,
        leaf: usize,
        node: NodeId,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        let mut has_learned = false;
        if !self.is_in_simple_loop(node) {
            return Ok(false);
        }
        for lemma in self.lemmas_to_try(node) {
            let known = self.nodes[node].lemmas.clone();
            if !self.entailments.implies(&mut self.store, &known, lemma, ctx)?
                && self.follows(goal, leaf, node, lemma, ctx)?
                && self.strengthen(node, lemma, ctx)?
            {
                self.counts.propagated += 1;
                has_learned = true;
            }
        }
        Ok(has_learned)
    }

    /// Whether an instance is derived from one other instance, of the same predicate, or from none.
    fn is_in_simple_loop(&self, node: NodeId) -> bool {
        let Node { pred, ways, .. } = &self.nodes[node];
        let is_simple = |way: &Way| match way.children[..] {
            [] => true,
            [Some(child)] => self.nodes[child].pred == *pred,
            _ => false,
        };
        ways.iter().all(is_simple) && ways.iter().any(|way| !way.children.is_empty())
    }

    /// Lemmas of earlier instances that were not tried on an instance since more is known below it.
    fn lemmas_to_try(&mut self, node: NodeId) -> Vec<TermId> {
        let pred = self.nodes[node].pred;
        let children = self.nodes[node].ways.iter().flat_map(|way| way.children.iter().flatten());
        let below: u32 = 1 + children.map(|&child| self.nodes[child].strengthened).sum::<u32>();
        let earlier = (0..node).rev().filter(|&other| self.nodes[other].pred == pred);
        let mut found: Vec<TermId> = Vec::new();
        for other in earlier.take(LA_MAX_INSTANCES.size()) {
            for &lemma in &self.nodes[other].lemmas {
                if !self.nodes[node].lemmas.contains(&lemma)
                    && !found.contains(&lemma)
                    && self.tried.get(&(node, lemma)) != Some(&below)
                {
                    found.push(lemma);
                }
            }
        }
        for &lemma in &found {
            self.tried.insert((node, lemma), below);
        }
        found
    }

    /// Whether each way of the instance of a leaf implies a lemma, given what is known below.
    fn follows(
        &mut self,
        goal: &Goal,
        leaf: usize,
        node: NodeId,
        lemma: TermId,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        let Some((above, atom)) = goal.vertices[leaf].above else { return Ok(false) };
        let Some(position) = goal.vertices[above].position else { return Ok(false) };
        for way in self.nodes[node].ways.clone() {
            let below =
                self.positions.below(&mut self.store, &self.system, (position, atom), way.rule);
            let mut demands = self.positions.at(below).parts.clone();
            for (slot, child) in self.positions.at_mut(below).slots.iter_mut().zip(&way.children) {
                match child {
                    Some(child) => {
                        let lemmas = &self.nodes[*child].lemmas;
                        demands.extend(lemmas.iter().map(|&lemma| slot.of(&mut self.store, lemma)));
                    }
                    None => demands.push(self.store.not(slot.flag)),
                }
            }
            let slot = &mut self.positions.at_mut(position).slots[atom];
            let claim = slot.of(&mut self.store, lemma);
            demands.push(self.store.not(claim));
            if self.check(&demands, ctx)? != Answer::Unsat {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
