//! Counterexamples to induction, kept.
//!
//! That a rule concludes a cube although lemmas hold takes the solver longer to find than that it
//! does not, and the instance it finds is the same again and again: for the next literal that is to be
//! left out, for the next lemma, for the same lemma when it is pushed once more. So the last instances
//! of each rule are kept, and before the solver is asked they are looked through. Each remembers the
//! truth values of literals at its points, so that looking is cheap.
//!
//! Spacer keeps one such model per lemma that could not be pushed; here they are shared by everything
//! that is asked of a rule.

use super::frames::Frames;
use super::rules::holds;
use super::system::Pred;
use crate::settings::PDR_MAX_INSTANCES;
use alphorn_term::{Model, Store, TermId};
use rustc_hash::FxHashMap;

/// Values for the parameters of a predicate, and what is true of them.
struct Point {
    values: Model,
    known: FxHashMap<TermId, bool>,
}

impl Point {
    fn new(values: Model) -> Point {
        Point { values, known: FxHashMap::default() }
    }

    fn holds(&mut self, store: &Store, formula: TermId) -> bool {
        let Point { values, known } = self;
        *known.entry(formula).or_insert_with(|| holds(store, formula, values))
    }
}

/// An instance of a rule.
pub(super) struct Witness {
    head: Point,
    /// The atoms that the body uses.
    atoms: Vec<(Pred, Point)>,
}

impl Witness {
    /// The instance with these values of the head's and of the used atoms' parameters.
    pub(super) fn new(head: Model, atoms: Vec<(Pred, Model)>) -> Witness {
        let atoms = atoms.into_iter().map(|(pred, values)| (pred, Point::new(values))).collect();
        Witness { head: Point::new(head), atoms }
    }

    /// Whether the head has these literals, the atoms of `own` do not have them all, and the lemmas
    /// of a level hold.
    fn fits(
        &mut self,
        store: &Store,
        frames: &Frames,
        (own, level): (Pred, usize),
        literals: &[TermId],
    ) -> bool {
        literals.iter().all(|&literal| self.head.holds(store, literal))
            && self.atoms.iter_mut().all(|(pred, point)| {
                let mut has = |literal: &TermId| point.holds(store, *literal);
                let is_apart = *pred != own || !literals.iter().all(&mut has);
                is_apart
                    && (level > 0)
                    && frames.of(*pred).iter().all(|lemma| {
                        lemma.level < level
                            || !lemma.cube.iter().all(|&literal| point.holds(store, literal))
                    })
            })
    }
}

/// The instances that are kept.
pub(super) struct Witnesses {
    by_rule: Vec<Vec<Witness>>,
    /// How often one fitted.
    pub(super) used: u64,
}

impl Witnesses {
    /// None, for this many rules.
    pub(super) fn new(rules: usize) -> Witnesses {
        Witnesses { by_rule: (0..rules).map(|_| Vec::new()).collect(), used: 0 }
    }

    /// Keeps an instance of a rule.
    pub(super) fn add(&mut self, rule: usize, witness: Witness) {
        let kept = &mut self.by_rule[rule];
        if kept.len() >= PDR_MAX_INSTANCES.size() {
            kept.remove(0);
        }
        kept.push(witness);
    }

    /// The head's values in an instance that concludes the literals from the lemmas of a level and
    /// from the literals' own exclusion.
    pub(super) fn find(
        &mut self,
        rule: usize,
        store: &Store,
        frames: &Frames,
        query: (Pred, usize),
        literals: &[TermId],
    ) -> Option<Model> {
        let kept = &mut self.by_rule[rule];
        let place =
            (0..kept.len()).rev().find(|&at| kept[at].fits(store, frames, query, literals))?;
        self.used += 1;
        let witness = kept.remove(place);
        let head = witness.head.values.clone();
        kept.push(witness);
        Some(head)
    }
}
