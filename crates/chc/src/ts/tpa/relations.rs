//! Relations for 2^n steps and for fewer, and solvers for two of them in a row.
//!
//! Level n has two relations over the state and the next state, each a growing conjunction:
//! *exact* contains the pairs that are 2^n steps apart, *within* those that are fewer. The exact
//! relation of level 0 is the step, the other one is equality. Two solvers of level n + 1 hold what
//! two relations of level n in a row allow: exact after exact; and within, or within after exact.
//! They grow with the relations.

use super::region::conjuncts;
use crate::settings::{TPA_LARGEST_SIMPLIFIED, TPA_MAX_QUESTIONS};
use crate::ts::System;
use alphorn_smt::project::simplify;
use alphorn_smt::{Options, Smt};
use alphorn_term::{SortId, Store, Substitution, TermId};

/// Which relation of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// For 2^n steps.
    Exact,
    /// For fewer.
    Within,
}

/// One level.
pub(super) struct Level {
    /// The conjuncts of the exact relation; none at level 0, where it is the step.
    pub(super) exact: Vec<TermId>,
    /// The conjuncts of the other.
    pub(super) within: Vec<TermId>,
    /// Exact after exact of the level below; at level 0 the step.
    pub(super) twice: Smt,
    /// Within, or within after exact, of the level below; at level 0 equality.
    pub(super) up_to: Smt,
    /// How many questions the solvers have answered.
    pub(super) questions: usize,
}

/// The relations of all levels.
pub(super) struct Relations<'a> {
    pub(super) system: &'a System,
    /// The state in the middle.
    pub(super) middle: Vec<TermId>,
    pub(super) levels: Vec<Level>,
    /// That a step is made to the middle, and from there: the step with inputs of its own.
    halves: [TermId; 2],
    /// That fewer steps are made, without a middle.
    pub(super) is_short: TermId,
}

impl<'a> Relations<'a> {
    /// No level.
    pub(super) fn new(store: &mut Store, system: &'a System) -> Relations<'a> {
        let middle = system.copy_of_state(store, "m");
        let halves = [
            system.trans_at(store, &system.state, &middle),
            system.trans_at(store, &middle, &system.next),
        ];
        let is_short = store.fresh_var("short", SortId::BOOL);
        Relations { system, middle, levels: Vec::new(), halves, is_short }
    }

    /// Adds a level, at which everything is related, or level 0.
    pub(super) fn add_level(&mut self, store: &mut Store) {
        let mut within = Vec::new();
        if self.levels.is_empty() {
            let pairs = self.system.state.iter().zip(&self.system.next);
            within.extend(pairs.map(|(&left, &right)| store.eq(left, right)));
        }
        let (twice, up_to) = (Smt::default(), Smt::default());
        self.levels.push(Level { exact: Vec::new(), within, twice, up_to, questions: 0 });
        self.make_solvers(store, self.levels.len() - 1);
    }

    /// Makes the solvers of a level.
    fn make_solvers(&mut self, store: &mut Store, level: usize) {
        let [mut twice, mut up_to] = [(); 2].map(|()| Smt::new(Options::default()));
        let (exact, within) = match level.checked_sub(1) {
            None => (vec![self.system.trans], self.levels[0].within.clone()),
            Some(below) => (self.exact_after_exact(store, below), self.within_twice(store, below)),
        };
        for part in exact {
            twice.assert(store, part);
        }
        for part in within {
            up_to.assert(store, part);
        }
        let level = &mut self.levels[level];
        (level.twice, level.up_to, level.questions) = (twice, up_to, 0);
    }

    /// Counts a question at a level; solvers that know too much that nobody needs are made anew.
    pub(super) fn count_question(&mut self, store: &mut Store, level: usize) {
        self.levels[level].questions += 1;
        if self.levels[level].questions <= TPA_MAX_QUESTIONS.size() {
            return;
        }
        if let Some(below) = level.checked_sub(1).filter(|below| *below > 0) {
            for kind in [Kind::Exact, Kind::Within] {
                let all = store.and(self.relation(below, kind));
                if store.dag_size(&[all]) <= TPA_LARGEST_SIMPLIFIED.size() {
                    let all = simplify(store, all, &[], None);
                    *self.relation(below, kind) = conjuncts(store, all);
                }
            }
        }
        self.make_solvers(store, level);
    }

    fn relation(&mut self, level: usize, kind: Kind) -> &mut Vec<TermId> {
        match kind {
            Kind::Exact => &mut self.levels[level].exact,
            Kind::Within => &mut self.levels[level].within,
        }
    }

    /// A conjunct of a relation, of two other states.
    pub(super) fn at(
        &self,
        store: &mut Store,
        conjunct: TermId,
        from: &[TermId],
        to: &[TermId],
    ) -> TermId {
        let mut map = Substitution::default();
        map.extend(self.system.state.iter().copied().zip(from.iter().copied()));
        map.extend(self.system.next.iter().copied().zip(to.iter().copied()));
        store.substitute(conjunct, &map)
    }

    fn before_middle(&self, store: &mut Store, conjunct: TermId) -> TermId {
        self.at(store, conjunct, &self.system.state, &self.middle)
    }

    fn after_middle(&self, store: &mut Store, conjunct: TermId) -> TermId {
        self.at(store, conjunct, &self.middle, &self.system.next)
    }

    /// That the exact relation of a level holds twice in a row.
    pub(super) fn exact_after_exact(&self, store: &mut Store, level: usize) -> Vec<TermId> {
        if level == 0 {
            return self.halves.to_vec();
        }
        let conjuncts = &self.levels[level].exact;
        let mut parts = Vec::with_capacity(2 * conjuncts.len());
        for &conjunct in conjuncts {
            parts.extend(self.doubled(store, conjunct));
        }
        parts
    }

    fn doubled(&self, store: &mut Store, conjunct: TermId) -> [TermId; 2] {
        [self.before_middle(store, conjunct), self.after_middle(store, conjunct)]
    }

    /// That a level's relation for fewer steps holds, or holds after the exact one.
    pub(super) fn within_twice(&self, store: &mut Store, level: usize) -> Vec<TermId> {
        let mut parts = Vec::new();
        let here = &self.levels[level];
        if level == 0 {
            parts.push(store.or(&[self.is_short, self.halves[0]]));
        }
        for &conjunct in &here.exact {
            parts.push(self.exact_half(store, conjunct));
        }
        for &conjunct in &here.within {
            parts.extend(self.within_halves(store, conjunct));
        }
        parts
    }

    fn exact_half(&self, store: &mut Store, conjunct: TermId) -> TermId {
        let half = self.before_middle(store, conjunct);
        store.or(&[self.is_short, half])
    }

    fn within_halves(&self, store: &mut Store, conjunct: TermId) -> [TermId; 2] {
        let half = self.after_middle(store, conjunct);
        let is_long = store.not(self.is_short);
        [store.or(&[is_long, conjunct]), store.or(&[self.is_short, half])]
    }

    /// Makes a relation stronger.
    pub(super) fn strengthen(
        &mut self,
        store: &mut Store,
        level: usize,
        kind: Kind,
        conjunct: TermId,
    ) {
        self.relation(level, kind).push(conjunct);
        if level + 1 == self.levels.len() {
            return;
        }
        let mut twice = Vec::new();
        let mut up_to = Vec::new();
        match kind {
            Kind::Exact => {
                twice.extend(self.doubled(store, conjunct));
                up_to.push(self.exact_half(store, conjunct));
            }
            Kind::Within => up_to.extend(self.within_halves(store, conjunct)),
        }
        let above = &mut self.levels[level + 1];
        for part in twice {
            above.twice.assert(store, part);
        }
        for part in up_to {
            above.up_to.assert(store, part);
        }
    }
}
