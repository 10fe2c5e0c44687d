//! Weaker cubes by interpolation: half-spaces that a proof separates, in the place of literals.
//!
//! A cube is excluded because each rule's body contradicts it. An interpolant between the two says
//! why in the parameters alone; in arithmetic it is the sum of the body's inequalities that Farkas'
//! certificate makes, and its negation is a literal that the cube implies, often with other numbers
//! than any literal of the cube. Where the interpolants of all rules are clauses, their negations
//! together are a weaker cube. It is taken if it is excluded relative to itself, which is asked as for
//! any other, so nothing depends on how it was found.
//!
//! After Hoder and Bjørner, "Generalized Property Directed Reachability" (SAT 2012), and Bjørner and
//! Gurfinkel, "Property Directed Polyhedral Abstraction" (VMCAI 2015).

use super::frames::INFINITY;
use super::search::Search;
use super::system::Pred;
use crate::la::interpolants::interpolants;
use crate::settings::PDR_INTERPOLANT_CONFLICTS;
use alphorn_engine::{Ctx, Stop};
use alphorn_smt::interpolate::{InterpolationOptions, Strength, binary};
use alphorn_term::{Op, TermId};

impl Search<'_> {
    /// A cube that is weaker than an excluded one and excluded as well, or the same.
    pub(super) fn separate(
        &mut self,
        pred: Pred,
        level: usize,
        literals: Vec<TermId>,
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<TermId>, Stop> {
        let mut weaker: Vec<TermId> = Vec::new();
        for rule in self.system.rules_of[pred].clone() {
            let Some(found) = self.separated(rule, level, &literals, ctx)? else {
                return Ok(literals);
            };
            weaker.extend(found);
        }
        weaker.sort_unstable();
        weaker.dedup();
        let is_same = weaker.iter().all(|literal| literals.contains(literal));
        if is_same || weaker.len() > literals.len() {
            return Ok(literals);
        }
        match self.inductive(pred, level, &weaker, ctx)? {
            Ok(core) => {
                self.separated += 1;
                Ok(core)
            }
            Err(_) => Ok(literals),
        }
    }

    /// Literals that the cube implies and that one rule's body, with the lemmas of the level below,
    /// contradicts together; none if they are not to be had.
    fn separated(
        &mut self,
        rule: usize,
        level: usize,
        literals: &[TermId],
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Vec<TermId>>, Stop> {
        let below = if level == INFINITY { INFINITY } else { level - 1 };
        let rule = &mut self.system.rules[rule];
        let mut parts = vec![rule.head_view.body];
        parts.extend(&rule.head_view.equations);
        for (atom, on) in rule.atoms.iter().zip(&mut rule.head_view.atoms) {
            let unused = self.store.not(atom.used);
            if below == 0 {
                parts.push(unused);
            }
            for lemma in self.frames.of(atom.pred).iter().filter(|lemma| lemma.level >= below) {
                let lemma = on.of(&mut self.store, lemma.formula);
                parts.push(self.store.or(&[unused, lemma]));
            }
        }
        let (body, cube) = (self.store.and(&parts), self.store.and(literals));
        let store = &mut self.store;
        // The stronger the interpolant, the weaker the cube.
        let found = interpolants(ctx, PDR_INTERPOLANT_CONFLICTS.get(), |options| {
            let options = InterpolationOptions { strength: Strength::Strong, ..options.clone() };
            binary(store, body, cube, &options)
        })?;
        let Some(&interpolant) = found.as_deref().and_then(<[TermId]>::first) else {
            return Ok(None);
        };
        let negation = self.store.not(interpolant);
        Ok(self.as_cube(negation))
    }

    /// The literals of a formula that is a cube.
    fn as_cube(&self, formula: TermId) -> Option<Vec<TermId>> {
        let is_literal = |term: TermId| {
            let atom = if self.store.op(term) == Op::Not { self.store.args(term)[0] } else { term };
            !matches!(self.store.op(atom), Op::And | Op::Or | Op::Not | Op::Ite)
        };
        match self.store.op(formula) {
            _ if formula == TermId::TRUE => Some(Vec::new()),
            Op::And => {
                let args = self.store.args(formula).to_vec();
                args.iter().all(|&arg| is_literal(arg)).then_some(args)
            }
            _ => is_literal(formula).then(|| vec![formula]),
        }
    }
}
