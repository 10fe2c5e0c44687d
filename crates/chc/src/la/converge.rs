//! A model of the whole system from the annotations of a bounded one.
//!
//! The lemmas of the last layer are candidates for invariants. Those that a clause breaks are
//! dropped, which may break others, until none is broken; what is left is the strongest model that
//! is a conjunction of candidates. If it excludes all queries, it answers the system.
//!
//! This is the Houdini algorithm (Flanagan, Leino, FME 2001), as McMillan uses it (CAV 2010).

use super::annotation::NodeId;
use super::bounded::Bounded;
use super::layers::Layers;
use super::system::Pred;
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::evidence::horn::Definition;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Substitution, TermId};

use alphorn_horn::ask::ask;

impl Bounded<'_> {
    /// Definitions that satisfy all clauses, made of the lemmas of the last layer.
    pub(super) fn converge(
        &mut self,
        layers: &Layers,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Vec<Definition>>, Stop> {
        let Some(layer) = layers.nodes.last() else { return Ok(None) };
        let lemmas_of = |node: &Option<NodeId>| match node {
            Some(node) => self.nodes[*node].lemmas.clone(),
            None => vec![TermId::FALSE],
        };
        let mut candidates: Vec<Vec<TermId>> = layer.iter().map(lemmas_of).collect();
        loop {
            let mut has_dropped = false;
            for rule in 0..self.system.rules.len() {
                has_dropped |= self.drop_broken(rule, &mut candidates, ctx)?;
            }
            if !has_dropped {
                break;
            }
        }
        for rule in self.system.queries.clone() {
            let mut smt = self.body_under(rule, &candidates);
            if ask(&mut smt, &mut self.store, &[], ctx)? != Answer::Unsat {
                return Ok(None);
            }
        }
        let mut definitions = Vec::with_capacity(candidates.len());
        for (pred, lemmas) in candidates.iter().enumerate() {
            let is_relevant = self.system.relevant[pred];
            let body = if is_relevant { self.store.and(lemmas) } else { TermId::TRUE };
            definitions.push(Definition { params: self.system.params[pred].clone(), body });
        }
        Ok(Some(definitions))
    }

    /// Drops what a rule breaks of its head's candidates; whether it does.
    fn drop_broken(
        &mut self,
        rule: usize,
        candidates: &mut [Vec<TermId>],
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        let Some((pred, args)) = self.system.rules[rule].head.clone() else { return Ok(false) };
        if candidates[pred].is_empty() {
            return Ok(false);
        }
        let mut smt = self.body_under(rule, candidates);
        let mut kept = Vec::with_capacity(candidates[pred].len());
        for &lemma in &candidates[pred] {
            let claim = self.applied(pred, &args, lemma);
            let otherwise = self.store.not(claim);
            if ask(&mut smt, &mut self.store, &[otherwise], ctx)? == Answer::Unsat {
                kept.push(lemma);
            }
        }
        let has_dropped = kept.len() < candidates[pred].len();
        candidates[pred] = kept;
        Ok(has_dropped)
    }

    /// A solver with a rule's body, in which atoms satisfy the candidates of their predicates.
    fn body_under(&mut self, rule: usize, candidates: &[Vec<TermId>]) -> Smt {
        let mut smt = Smt::new(Options::default());
        smt.assert(&mut self.store, self.system.rules[rule].body);
        for place in 0..self.system.rules[rule].atoms.len() {
            let atom = &self.system.rules[rule].atoms[place];
            let (pred, args, used) = (atom.pred, atom.args.clone(), atom.used);
            for &lemma in &candidates[pred] {
                let claim = self.applied(pred, &args, lemma);
                let part = self.store.implies(used, claim);
                smt.assert(&mut self.store, part);
            }
        }
        smt
    }

    /// A formula over a predicate's parameters, on arguments.
    fn applied(&mut self, pred: Pred, args: &[TermId], formula: TermId) -> TermId {
        let params = self.system.params[pred].iter().copied();
        let map: Substitution = params.zip(args.iter().copied()).collect();
        self.store.substitute(formula, &map)
    }
}
