//! Which side of each cut a variable counts for.
//!
//! A variable that occurs on one side of a cut is labelled with that side. For a variable that
//! occurs on both the policy chooses: `b` for all is McMillan's system and gives the strongest
//! interpolants, `ab` is Pudlák's, `a` is McMillan's dual and gives the weakest; labels may be mixed
//! per variable. Labels are the same at all occurrences of a variable, so none need to be stored
//! with literals.
//!
//! Interpolants of a family are inductive if for each variable the label at a cut is no stronger
//! than at the cuts directly inside, and if one of these says `a`, the others say `b`. One policy for
//! all cuts gives the first. The second fails where siblings share a variable labelled `a`; there
//! `ab` is the weakest choice, and it is taken at the siblings and inside them.
//!
//! Under a partial assignment only clauses that it does not satisfy count as occurrences. A variable without any is
//! labelled with the side that its satisfied clauses are on, as lemmas may join it with others from there.
//!
//! After D'Silva, Kroening, Purandare, Weissenbacher, "Interpolant Strength" (VMCAI 2010); for
//! families Rollini et al. (CAV 2012, ATVA 2013); for assignments Jančík et al. (FMCAD 2014).

use super::cuts::{BitRows, Cuts};
use crate::literal::{Lit, Var};

/// The side for which a variable counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Label {
    /// Side A.
    A,
    /// Side B.
    B,
    /// Both.
    Both,
}

/// How variables that occur on both sides are labelled.
#[derive(Clone, Copy)]
pub enum Policy<'a> {
    /// For side B: the strongest interpolants.
    McMillan,
    /// For both sides.
    Pudlak,
    /// For side A: the weakest interpolants.
    DualMcMillan,
    /// By variable.
    PerVariable(&'a dyn Fn(Var) -> Label),
}

impl Policy<'_> {
    fn label(&self, var: Var) -> Label {
        match self {
            Policy::McMillan => Label::B,
            Policy::Pudlak => Label::Both,
            Policy::DualMcMillan => Label::A,
            Policy::PerVariable(label) => label(var),
        }
    }
}

/// The labels of all variables at all cuts; rows are variables or literals, bits are cuts.
pub(super) struct Labels {
    pub(super) in_a: BitRows,
    pub(super) in_b: BitRows,
    is_a: BitRows,
    is_b: BitRows,
    /// For each literal the cuts whose assignment makes it true; empty without assignments.
    truths: BitRows,
    /// Like `in_a` and `in_b`, with the clauses that an assignment satisfies; empty without assignments.
    anywhere_a: BitRows,
    anywhere_b: BitRows,
    /// The cuts that have an assignment.
    pub(super) assigned: Vec<u64>,
}

impl Labels {
    /// Labels without any occurrence.
    pub(super) fn new(cuts: &Cuts, variables: u32) -> Labels {
        let (words, variables) = (cuts.words(), variables as usize);
        let rows = || BitRows::new(variables, words);
        let truths = if cuts.has_assignments() { 2 * variables } else { 0 };
        let mut labels = Labels {
            in_a: rows(),
            in_b: rows(),
            is_a: rows(),
            is_b: rows(),
            truths: BitRows::new(truths, words),
            anywhere_a: BitRows::new(truths / 2, words),
            anywhere_b: BitRows::new(truths / 2, words),
            assigned: vec![0; words],
        };
        for cut in 0..cuts.len() {
            for lit in cuts.assignment(cut).iter().filter(|lit| lit.var().index() < variables) {
                labels.truths.set(lit.index(), cut as usize);
                labels.assigned[cut as usize / 64] |= 1 << (cut % 64);
            }
        }
        labels
    }

    /// Counts a clause of a partition as an occurrence of its variables.
    pub(super) fn occur(&mut self, literals: &[Lit], members: &[u64]) {
        for (word, member) in members.iter().enumerate() {
            let satisfied = self.satisfied(literals, word);
            for lit in literals {
                self.in_a.row_mut(lit.var().index())[word] |= member & !satisfied;
                self.in_b.row_mut(lit.var().index())[word] |= !member & !satisfied;
                if !self.truths.bits.is_empty() {
                    self.anywhere_a.row_mut(lit.var().index())[word] |= member;
                    self.anywhere_b.row_mut(lit.var().index())[word] |= !member;
                }
            }
        }
    }

    fn satisfied(&self, literals: &[Lit], word: usize) -> u64 {
        if self.truths.bits.is_empty() {
            return 0;
        }
        literals.iter().fold(0, |bits, lit| bits | self.truths.row(lit.index())[word])
    }

    /// Labels the variables, whose occurrences are complete.
    pub(super) fn choose(&mut self, cuts: &Cuts, policy: Policy<'_>) {
        let words = cuts.words();
        let order = outermost_first(cuts);
        let rows = self.in_a.bits.len().checked_div(words).unwrap_or(0);
        let mut mixed = vec![0; words];
        for index in 0..rows {
            let label = policy.label(Var(index as u32));
            if label == Label::A && !cuts.is_sequence() && cuts.len() > 1 {
                self.shared_by_siblings(cuts, &order, index, &mut mixed);
            }
            for (word, mixed) in mixed.iter_mut().enumerate() {
                let (in_a, in_b) = (self.in_a.row(index)[word], self.in_b.row(index)[word]);
                let shared = in_a & in_b;
                let (chosen_a, chosen_b) = match label {
                    Label::A => (shared & !*mixed, 0),
                    Label::B => (0, shared),
                    Label::Both => (0, 0),
                };
                // What only satisfied clauses have may count for either side: for that which has it.
                let clean = match self.anywhere_a.bits.is_empty() {
                    true => 0,
                    false => {
                        let (a, b) = (self.anywhere_a.row(index), self.anywhere_b.row(index));
                        !in_a & !in_b & a[word] & !b[word]
                    }
                };
                self.is_a.row_mut(index)[word] = in_a & !in_b | chosen_a | clean;
                self.is_b.row_mut(index)[word] = !in_a & !clean | chosen_b;
                *mixed = 0;
            }
        }
    }

    /// Sets the cuts that have, or are inside one that has, a sibling where the variable occurs too.
    fn shared_by_siblings(&self, cuts: &Cuts, order: &[u32], var: usize, mixed: &mut [u64]) {
        // How many children of each cut, and of the root, have the variable on side A.
        let root = cuts.len() as usize;
        let mut users = vec![0u32; root + 1];
        let above = |cut: u32| cuts.parent(cut).map_or(root, |parent| parent as usize);
        for cut in order {
            users[above(*cut)] += u32::from(self.in_a.has(var, *cut as usize));
        }
        for cut in order {
            let inherited = cuts
                .parent(*cut)
                .is_some_and(|parent| mixed[parent as usize / 64] >> (parent % 64) & 1 != 0);
            if inherited || users[above(*cut)] > 1 {
                mixed[*cut as usize / 64] |= 1 << (cut % 64);
            }
        }
    }

    /// The label of an unassigned variable.
    #[inline]
    pub(super) fn label(&self, var: Var, cut: usize) -> Label {
        if self.is_a.has(var.index(), cut) {
            Label::A
        } else if self.is_b.has(var.index(), cut) {
            Label::B
        } else {
            Label::Both
        }
    }

    /// Whether the assignment of the cut makes the literal true.
    #[inline]
    pub(super) fn is_true(&self, lit: Lit, cut: usize) -> bool {
        !self.truths.bits.is_empty() && self.truths.has(lit.index(), cut)
    }

    /// Whether the variable may occur in the interpolant of the cut.
    pub(super) fn is_shared(&self, var: Var, cut: usize) -> bool {
        self.in_a.has(var.index(), cut)
            && self.in_b.has(var.index(), cut)
            && !self.is_true(var.positive(), cut)
            && !self.is_true(var.negative(), cut)
    }
}

/// The cuts, each after the one around it.
fn outermost_first(cuts: &Cuts) -> Vec<u32> {
    let mut inside = vec![Vec::new(); cuts.len() as usize];
    let mut order = Vec::new();
    for cut in 0..cuts.len() {
        match cuts.parent(cut) {
            Some(parent) => inside[parent as usize].push(cut),
            None => order.push(cut),
        }
    }
    let mut next = 0;
    while let Some(cut) = order.get(next) {
        order.extend_from_slice(&inside[*cut as usize]);
        next += 1;
    }
    order
}
