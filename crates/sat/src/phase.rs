//! Which value a decided variable is given.
//!
//! In this order: the value the user asked for; while stable, the value in the *target*, the
//! largest assignment without conflict since phases were last reset; the value the variable had
//! last; the initial value. Now and then the saved values are *rephased*: set to the initial values,
//! their opposites, the best assignment so far, the negation of what they are, or random ones.
//!
//! After Pipatsrisawat, Darwiche (SAT 2007), Biere, Fleury (2020).

use crate::literal::{Lit, Var};
use crate::options::Options;
use crate::solver::Solver;
use crate::theory::Theory;

/// Remembered values: 1 true, -1 false, 0 none.
pub(crate) struct Phases {
    initial: i8,
    /// Whether values are saved; not while simplifying.
    pub(crate) saves: bool,
    target_mode: u32,
    saved: Vec<i8>,
    target: Vec<i8>,
    best: Vec<i8>,
    forced: Vec<i8>,
    target_size: usize,
    best_size: usize,
    /// How much of the trail is known to be without conflict; 0 outside the search.
    pub(crate) agreed: usize,
    rephase_at: u64,
    rephased: u64,
}

fn sign(lit: Lit) -> i8 {
    if lit.is_negated() { -1 } else { 1 }
}

impl Phases {
    pub(crate) fn new(options: &Options) -> Phases {
        Phases {
            initial: if options.phase_initial != 0 { 1 } else { -1 },
            saves: options.phase_save != 0,
            target_mode: options.phase_target,
            saved: Vec::new(),
            target: Vec::new(),
            best: Vec::new(),
            forced: Vec::new(),
            target_size: 0,
            best_size: 0,
            agreed: 0,
            rephase_at: u64::from(options.phase_interval),
            rephased: 0,
        }
    }

    pub(crate) fn grow(&mut self) {
        self.saved.push(self.initial);
        self.target.push(0);
        self.best.push(0);
        self.forced.push(0);
    }

    #[inline]
    pub(crate) fn save(&mut self, lit: Lit) {
        if self.saves {
            self.saved[lit.var().index()] = sign(lit);
        }
    }

    pub(crate) fn force(&mut self, lit: Lit) {
        self.forced[lit.var().index()] = sign(lit);
    }

    pub(crate) fn release(&mut self, var: Var) {
        self.forced[var.index()] = 0;
    }

    /// The literal of `var` to decide.
    pub(crate) fn choose(&self, var: Var, is_stable: bool) -> Lit {
        let index = var.index();
        let mut value = self.forced[index];
        if value == 0 && (self.target_mode == 2 || self.target_mode == 1 && is_stable) {
            value = self.target[index];
        }
        if value == 0 {
            value = self.saved[index];
        }
        var.lit(value > 0)
    }

    /// Lets the next call look for its own targets.
    pub(crate) fn restart_targets(&mut self) {
        self.target_size = 0;
        self.best_size = 0;
        self.agreed = 0;
    }
}

impl<T: Theory> Solver<T> {
    /// Keeps the assignment as target and best if it is the largest without conflict so far.
    pub(crate) fn update_target(&mut self) {
        let Solver { phases, trail, .. } = self;
        let size = std::mem::take(&mut phases.agreed).min(trail.len());
        if size > phases.target_size {
            phases.target_size = size;
            for lit in &trail[..size] {
                phases.target[lit.var().index()] = sign(*lit);
            }
        }
        if size > phases.best_size {
            phases.best_size = size;
            for lit in &trail[..size] {
                phases.best[lit.var().index()] = sign(*lit);
            }
        }
    }

    pub(crate) fn is_rephasing(&self) -> bool {
        self.options.phase_rephase != 0
            && !self.domain.is_restricted()
            && self.stats.conflicts >= self.phases.rephase_at
    }

    /// Resets the saved phases.
    pub(crate) fn rephase(&mut self) {
        let base = self.base_level();
        self.backtrack(base);
        let Solver { phases, random, .. } = self;
        let initial = phases.initial;
        match phases.rephased {
            0 => phases.saved.fill(initial),
            1 => phases.saved.fill(-initial),
            count => match (count - 2) % 6 {
                0 | 2 | 4 => {
                    for (saved, best) in phases.saved.iter_mut().zip(&phases.best) {
                        if *best != 0 {
                            *saved = *best;
                        }
                    }
                    phases.best_size = 0;
                }
                1 => phases.saved.iter_mut().for_each(|saved| *saved = -*saved),
                3 => phases.saved.fill(initial),
                _ => {
                    for saved in &mut phases.saved {
                        *saved = if random.one_in(2) { 1 } else { -1 };
                    }
                }
            },
        }
        phases.target.fill(0);
        phases.target_size = 0;
        phases.rephased += 1;
        let interval = u64::from(self.options.phase_interval);
        phases.rephase_at = self.stats.conflicts + interval * (phases.rephased + 1);
        self.stats.rephased += 1;
    }
}
