//! The values that variables had, and are to be given (`phase.rs`).

use crate::literal::{Lit, Var};
use crate::options::Options;
use crate::random::Random;

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

    /// Keeps what is agreed of the trail as target and best if it is the largest so far.
    pub(crate) fn update_target(&mut self, trail: &[Lit]) {
        let size = std::mem::take(&mut self.agreed).min(trail.len());
        if size > self.target_size {
            self.target_size = size;
            for lit in &trail[..size] {
                self.target[lit.var().index()] = sign(*lit);
            }
        }
        if size > self.best_size {
            self.best_size = size;
            for lit in &trail[..size] {
                self.best[lit.var().index()] = sign(*lit);
            }
        }
    }

    /// Whether the saved values are to be reset.
    pub(crate) fn is_due(&self, conflicts: u64) -> bool {
        conflicts >= self.rephase_at
    }

    /// Resets the saved values, to others each time.
    pub(crate) fn rephase(&mut self, random: &mut Random, conflicts: u64, interval: u64) {
        let initial = self.initial;
        match self.rephased {
            0 => self.saved.fill(initial),
            1 => self.saved.fill(-initial),
            count => match (count - 2) % 6 {
                0 | 2 | 4 => {
                    for (saved, best) in self.saved.iter_mut().zip(&self.best) {
                        if *best != 0 {
                            *saved = *best;
                        }
                    }
                    self.best_size = 0;
                }
                1 => self.saved.iter_mut().for_each(|saved| *saved = -*saved),
                3 => self.saved.fill(initial),
                _ => {
                    for saved in &mut self.saved {
                        *saved = if random.one_in(2) { 1 } else { -1 };
                    }
                }
            },
        }
        self.target.fill(0);
        self.target_size = 0;
        self.rephased += 1;
        self.rephase_at = conflicts + interval * (self.rephased + 1);
    }
}
