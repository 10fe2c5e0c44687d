//! What a theory does for a search, and how it is asked.
//!
//! A theory hears of every literal that becomes true and of levels that begin and end. After the
//! clauses are propagated it may imply literals, whose reasons it states only if conflict analysis
//! asks; it may add lemmas, false ones included, which is how it reports conflicts; it may decide;
//! and it has the last word on complete assignments. All lemmas and reasons are clauses that follow
//! in the theory; the proof has them as leaves.
//!
//! `Solver` is generic over the theory, and everything about it is guarded by a constant, so that
//! without a theory no instruction remains.
//!
//! After Ganzinger et al., DPLL(T) (CAV 2004), and the interface IPASIR-UP (Fazekas et al., SAT 2023).

use crate::literal::{Lit, Var};
use crate::state::{Phases, Vmtf};

/// A theory over the literals of a solver.
pub trait Theory {
    /// Whether there is anything to ask; false only for the absent theory.
    const ACTIVE: bool = true;

    /// Hears that `lit` has become true.
    fn assign(&mut self, lit: Lit);

    /// Hears that a level begins.
    fn new_level(&mut self);

    /// Hears that the levels above `level` end, with all literals assigned there.
    fn backtrack(&mut self, level: u32);

    /// Implies literals and adds lemmas, as far as that is cheap.
    fn propagate(&mut self, context: &mut Context<'_>);

    /// States why `lit`, which the theory implied, is true: the other literals of a clause that
    /// follows in the theory, all false and assigned before `lit`.
    fn explain(&mut self, lit: Lit, others: &mut Vec<Lit>);

    /// Chooses an open literal to decide next; none leaves that to the search.
    fn decide(&mut self, _: &mut Context<'_>) -> Option<Lit> {
        None
    }

    /// Whether the last call of `decide` found that nothing more has to be decided.
    fn is_enough(&self) -> bool {
        false
    }

    /// Judges an assignment of all variables, or of enough of them; lemmas or implications send the
    /// search on.
    fn final_check(&mut self, context: &mut Context<'_>) -> FinalCheck;

    /// Hears how much work it may do in the query that begins, in ticks.
    fn allow(&mut self, _ticks: u64) {}

    /// The work it has done so far, in ticks.
    fn work(&self) -> u64 {
        0
    }
}

/// What a theory says about a complete assignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FinalCheck {
    /// It has a model, unless lemmas or literals were given.
    Consistent,
    /// More has to be decided.
    GoOn,
    /// The theory cannot tell.
    Unknown,
}

/// What a theory sees of the search, and where it puts what it finds.
pub struct Context<'a> {
    values: &'a [i8],
    phases: &'a Phases,
    vmtf: &'a Vmtf,
    is_stable: bool,
    implied: &'a mut Vec<Lit>,
    lemmas: &'a mut Vec<Lit>,
    ends: &'a mut Vec<u32>,
    fresh: &'a mut u32,
}

impl<'a> Context<'a> {
    pub(crate) fn new(
        values: &'a [i8],
        (phases, is_stable): (&'a Phases, bool),
        vmtf: &'a Vmtf,
        gifts: &'a mut Gifts,
    ) -> Context<'a> {
        let Gifts { implied, lemmas, ends, fresh, .. } = gifts;
        Context { values, phases, vmtf, is_stable, implied, lemmas, ends, fresh }
    }

    /// The value of `lit`, if it has one.
    pub fn value(&self, lit: Lit) -> Option<bool> {
        match self.values.get(lit.index()) {
            Some(1) => Some(true),
            Some(-1) => Some(false),
            _ => None,
        }
    }

    /// The literal of an open variable that the search would decide.
    #[inline]
    pub fn preferred(&self, var: Var) -> Lit {
        self.phases.choose(var, self.is_stable)
    }

    /// A number that is the larger the later a variable took part in a conflict.
    #[inline]
    pub fn rank(&self, var: Var) -> u64 {
        self.vmtf.stamp(var)
    }

    /// States that `lit` follows; the theory can be asked to explain.
    pub fn imply(&mut self, lit: Lit) {
        self.implied.push(lit);
    }

    /// Adds a clause that follows in the theory.
    pub fn lemma(&mut self, literals: &[Lit]) {
        self.lemmas.extend_from_slice(literals);
        self.ends.push(self.lemmas.len() as u32);
    }

    /// A variable that no clause mentions, for use in lemmas.
    pub fn new_var(&mut self) -> Var {
        *self.fresh += 1;
        Var((self.values.len() / 2) as u32 + *self.fresh - 1)
    }
}

/// The absent theory.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTheory;

impl Theory for NoTheory {
    const ACTIVE: bool = false;
    fn assign(&mut self, _: Lit) {}
    fn new_level(&mut self) {}
    fn backtrack(&mut self, _: u32) {}
    fn propagate(&mut self, _: &mut Context<'_>) {}
    fn explain(&mut self, _: Lit, _: &mut Vec<Lit>) {}
    fn final_check(&mut self, _: &mut Context<'_>) -> FinalCheck {
        FinalCheck::Consistent
    }
}

/// What a theory gave, until the solver takes it; the memory is kept between calls.
#[derive(Default)]
pub(crate) struct Gifts {
    pub(crate) implied: Vec<Lit>,
    pub(crate) lemmas: Vec<Lit>,
    pub(crate) ends: Vec<u32>,
    pub(crate) fresh: u32,
    /// The reason or lemma at hand.
    pub(crate) clause: Vec<Lit>,
}

impl Gifts {
    pub(crate) fn clear(&mut self) {
        self.implied.clear();
        self.lemmas.clear();
        self.ends.clear();
        self.fresh = 0;
    }
}
