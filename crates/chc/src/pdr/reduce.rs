//! The lemmas that a proof needs, and no others.
//!
//! The lemmas of an inductive level are many: those of dead ends are among them. From the goal
//! backwards: what excludes the goal is needed, and what excludes a needed lemma's cube is. Each
//! rule is asked once per needed lemma, with the lemmas of its body as assumptions, and the
//! unsatisfiable core says which of them it took. Lemmas that are needed anyway come first among the
//! assumptions, which makes it likely that the core gets by with them.
//!
//! Where a question is not answered as it should be, all lemmas are kept, and the proof tells more. So they are
//! where it would take long beside the search: what is saved is a part of one proof.

use super::frames::Lemma;
use super::search::Search;
use super::system::Pred;
use crate::settings::{PDR_REDUCE_SHARE, PDR_REDUCE_TICKS};
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::TermId;
use std::collections::BTreeMap;

impl Search<'_> {
    /// Those of the lemmas, by predicate, that are needed for the goal's and for each other.
    pub(super) fn reduce(
        &mut self,
        lemmas: Vec<Vec<Lemma>>,
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<Vec<Lemma>>, Stop> {
        let mut is_needed: Vec<Vec<bool>> =
            lemmas.iter().map(|lemmas| vec![false; lemmas.len()]).collect();
        let mut solvers: BTreeMap<usize, Smt> = BTreeMap::new();
        let goal = self.system.goal();
        let mut pending: Vec<(Pred, Vec<TermId>)> = vec![(goal, Vec::new())];
        let begun = ctx.ticks_used();
        let allowed = PDR_REDUCE_TICKS.get().max(begun / PDR_REDUCE_SHARE.get());
        while let Some((pred, cube)) = pending.pop() {
            if ctx.ticks_used() - begun > allowed {
                return Ok(lemmas);
            }
            for rule in self.system.rules_of[pred].clone() {
                let (assumed, sources) = self.premises(rule, &lemmas, &is_needed);
                let smt = solvers.entry(rule).or_insert_with(|| {
                    let mut smt = Smt::new(Options::default());
                    smt.assert(&mut self.store, self.system.rules[rule].body);
                    smt
                });
                let mut all = Vec::with_capacity(cube.len() + assumed.len());
                for &literal in &cube {
                    all.push(self.system.rules[rule].on.of(&mut self.store, literal));
                }
                all.extend(&assumed);
                if ask(smt, &mut self.store, &all, ctx)? != Answer::Unsat {
                    return Ok(lemmas);
                }
                let failed = smt.failed();
                for (premise, (pred, place)) in assumed.into_iter().zip(sources) {
                    if failed.contains(&premise) && !is_needed[pred][place] {
                        is_needed[pred][place] = true;
                        pending.push((pred, lemmas[pred][place].cube.clone()));
                    }
                }
            }
        }
        let mut kept = Vec::with_capacity(lemmas.len());
        for (lemmas, is_needed) in lemmas.into_iter().zip(is_needed) {
            let both = lemmas.into_iter().zip(is_needed).filter(|(_, is_needed)| *is_needed);
            kept.push(both.map(|(lemma, _)| lemma).collect());
        }
        Ok(kept)
    }

    /// The lemmas on the atoms of a rule, needed ones first, and where each is from.
    fn premises(
        &mut self,
        rule: usize,
        lemmas: &[Vec<Lemma>],
        is_needed: &[Vec<bool>],
    ) -> (Vec<TermId>, Vec<(Pred, usize)>) {
        let (mut assumed, mut sources) = (Vec::new(), Vec::new());
        for wanted in [true, false] {
            for atom in &mut self.system.rules[rule].atoms {
                for (place, lemma) in lemmas[atom.pred].iter().enumerate() {
                    if is_needed[atom.pred][place] == wanted {
                        let unused = self.store.not(atom.used);
                        let instance = atom.on.of(&mut self.store, lemma.formula);
                        assumed.push(self.store.or(&[unused, instance]));
                        sources.push((atom.pred, place));
                    }
                }
            }
        }
        (assumed, sources)
    }
}
