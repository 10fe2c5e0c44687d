//! How much each latch has mattered lately.
//!
//! The latches of every lemma are bumped, and what was bumped long ago counts less. Cubes are asked
//! about with their active literals first, so that cores prefer these, and lemmas lose their inactive
//! literals first: lemmas that speak about the same latches fit together.
//!
//! The score is that of VSIDS (Moskewicz et al., DAC 2001), used in this way by rIC3 (Su, Yang, Ci, Bu, CAV
//! 2025).

use crate::settings::IC3_DECAY;
use alphorn_sat::Lit;

/// Scores above this are scaled down.
const MAX_SCORE: f64 = 1e100;

/// A score for each variable.
pub(crate) struct Activity {
    scores: Vec<f64>,
    bump: f64,
}

impl Activity {
    /// Nothing has mattered to any of `count` variables.
    pub(crate) fn new(count: usize) -> Activity {
        Activity { scores: vec![0.0; count], bump: 1.0 }
    }

    /// Bumps the variables of a lemma.
    pub(crate) fn bump(&mut self, lits: &[Lit]) {
        self.bump /= IC3_DECAY.percent();
        for lit in lits {
            self.scores[lit.var().index()] += self.bump;
        }
        if self.bump > MAX_SCORE {
            self.scores.iter_mut().for_each(|score| *score /= MAX_SCORE);
            self.bump /= MAX_SCORE;
        }
    }

    fn score(&self, lit: Lit) -> f64 {
        self.scores[lit.var().index()]
    }

    /// Sorts by activity, the most active first.
    pub(crate) fn sort_descending(&self, lits: &mut [Lit]) {
        lits.sort_unstable_by(|a, b| self.score(*b).total_cmp(&self.score(*a)).then(a.cmp(b)));
    }

    /// The most active literal.
    pub(crate) fn most(&self, lits: impl Iterator<Item = Lit>) -> Option<Lit> {
        lits.max_by(|a, b| self.score(*a).total_cmp(&self.score(*b)).then(b.cmp(a)))
    }
}
