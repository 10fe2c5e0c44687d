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

use crate::arena::ClauseRef;
use crate::decide::Vmtf;
use crate::literal::{Lit, Var};
use crate::phase::Phases;
use crate::proof::ClauseId;
use crate::solver::{Reason, Solver};

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

impl Context<'_> {
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

/// What came of asking the theory.
pub(crate) enum Progress {
    None,
    Some,
    Conflict(ClauseRef),
}

/// What came of a complete assignment.
pub(crate) enum Verdict {
    Consistent,
    Conflict(ClauseRef),
    GoOn,
    GiveUp,
}

/// What a theory gave, until the solver takes it; the memory is kept between calls.
#[derive(Default)]
pub(crate) struct Gifts {
    implied: Vec<Lit>,
    lemmas: Vec<Lit>,
    ends: Vec<u32>,
    fresh: u32,
    /// The reason or lemma at hand.
    clause: Vec<Lit>,
}

impl Gifts {
    fn clear(&mut self) {
        self.implied.clear();
        self.lemmas.clear();
        self.ends.clear();
        self.fresh = 0;
    }
}

impl<T: Theory> Solver<T> {
    pub(crate) fn theory_new_level(&mut self) {
        self.inform_theory();
        self.theory.new_level();
    }

    pub(crate) fn theory_backtrack(&mut self, level: u32, length: usize) {
        self.theory_head = self.theory_head.min(length);
        self.theory.backtrack(level);
    }

    fn inform_theory(&mut self) {
        while self.theory_head < self.trail.len() {
            let lit = self.trail[self.theory_head];
            self.theory_head += 1;
            self.theory.assign(lit);
        }
    }

    fn ask<R>(&mut self, question: impl FnOnce(&mut T, &mut Context<'_>) -> R) -> (R, Gifts) {
        self.inform_theory();
        let mut gifts = std::mem::take(&mut self.gifts);
        gifts.clear();
        let mut context = Context {
            values: &self.values,
            phases: &self.phases,
            vmtf: &self.vmtf,
            is_stable: self.mode.is_stable(),
            implied: &mut gifts.implied,
            lemmas: &mut gifts.lemmas,
            ends: &mut gifts.ends,
            fresh: &mut gifts.fresh,
        };
        (question(&mut self.theory, &mut context), gifts)
    }

    /// Lets the theory propagate.
    pub(crate) fn theory_propagate(&mut self) -> Progress {
        let ((), gifts) = self.ask(|theory, context| theory.propagate(context));
        self.accept(gifts)
    }

    pub(crate) fn theory_decision(&mut self) -> Option<Lit> {
        let (lit, gifts) = self.ask(|theory, context| theory.decide(context));
        debug_assert!(gifts.implied.is_empty() && gifts.ends.is_empty(), "deciding gives nothing");
        self.gifts = gifts;
        lit.filter(|lit| self.is_open(*lit))
    }

    /// Asks the theory about a complete assignment.
    pub(crate) fn final_check(&mut self) -> Verdict {
        if !T::ACTIVE {
            return Verdict::Consistent;
        }
        let (check, gifts) = self.ask(|theory, context| theory.final_check(context));
        let fresh = gifts.fresh;
        match (self.accept(gifts), check) {
            (Progress::Conflict(clause), _) => Verdict::Conflict(clause),
            (Progress::Some, _) => Verdict::GoOn,
            (Progress::None, FinalCheck::Consistent) if fresh == 0 => Verdict::Consistent,
            (Progress::None, FinalCheck::Consistent) => Verdict::GoOn,
            (Progress::None, FinalCheck::GoOn) => Verdict::GoOn,
            (Progress::None, FinalCheck::Unknown) => Verdict::GiveUp,
        }
    }

    /// Takes over what a theory gave, and keeps the memory.
    fn accept(&mut self, mut gifts: Gifts) -> Progress {
        self.gifts.clause = std::mem::take(&mut gifts.clause);
        let progress = self.accept_all(&gifts);
        gifts.clause = std::mem::take(&mut self.gifts.clause);
        self.gifts = gifts;
        progress
    }

    fn accept_all(&mut self, gifts: &Gifts) -> Progress {
        for _ in 0..gifts.fresh {
            self.new_var();
        }
        let mut is_news = false;
        for &lit in &gifts.implied {
            if self.is_true(lit) {
                continue;
            }
            is_news = true;
            if self.is_false(lit) {
                let clause = self.explanation(lit);
                return self.face_lemma(clause);
            }
            self.assign(lit, Reason::THEORY);
        }
        let mut start = 0;
        for &end in &gifts.ends {
            if !self.consistent {
                break;
            }
            is_news = true;
            let lemma = &gifts.lemmas[start..end as usize];
            start = end as usize;
            if let Some(clause) = self.add_lemma(lemma) {
                let progress = self.face_lemma(clause);
                if matches!(progress, Progress::Conflict(_)) || !self.consistent {
                    return progress;
                }
            }
        }
        if is_news { Progress::Some } else { Progress::None }
    }

    /// Stores a lemma of at least two open or false literals; smaller ones take effect at once.
    fn add_lemma(&mut self, lemma: &[Lit]) -> Option<ClauseRef> {
        self.stats.lemmas += 1;
        self.reactivate(lemma);
        let id = match &mut self.trace {
            Some(trace) => trace.theory_lemma(lemma),
            None => ClauseId::NONE,
        };
        let mut literals = std::mem::take(&mut self.gifts.clause);
        literals.clear();
        literals.extend_from_slice(lemma);
        let stored = self.store_lemma(&mut literals, id);
        self.gifts.clause = literals;
        stored
    }

    fn store_lemma(&mut self, literals: &mut Vec<Lit>, id: ClauseId) -> Option<ClauseRef> {
        literals.sort_unstable();
        literals.dedup();
        let is_tautology = literals.windows(2).any(|pair| pair[0] == !pair[1]);
        if is_tautology || literals.iter().any(|lit| self.fixed_value(*lit) == Some(true)) {
            return None;
        }
        let before = literals.len();
        self.remove_fixed(literals);
        let id = if literals.len() < before { self.derive_shorter(literals, id) } else { id };
        match literals[..] {
            [] => self.contradict(id),
            [unit] => self.add_unit(unit, id),
            _ => {
                self.latest_first(literals);
                return Some(self.store(literals, false, 0, id));
            }
        }
        None
    }

    /// Sorts true and open literals to the front, then false ones by descending level.
    fn latest_first(&self, literals: &mut [Lit]) {
        literals.sort_by_key(|lit| match self.is_false(*lit) {
            false => 0,
            true => u32::MAX - self.level_of(lit.var()),
        });
    }

    /// Goes back to where a clause, sorted by `latest_first`, is a conflict or implies a literal.
    fn face_lemma(&mut self, clause: ClauseRef) -> Progress {
        let (first, second) = (self.arena.literal(clause, 0), self.arena.literal(clause, 1));
        if !self.is_false(second) {
            return Progress::Some;
        }
        let (top, below) = (self.level_of(first.var()), self.level_of(second.var()));
        if self.is_true(first) {
            if top > below {
                self.backtrack(below);
                self.assign(first, Reason::clause(clause));
            }
            return Progress::Some;
        }
        if self.is_false(first) {
            self.backtrack(top);
            if top == below {
                return Progress::Conflict(clause);
            }
        }
        self.backtrack(below);
        self.assign(first, Reason::clause(clause));
        Progress::Some
    }

    /// Replaces the theory as the reason of `var` by a clause.
    pub(crate) fn explain(&mut self, var: Var) -> ClauseRef {
        let lit = self.trail[self.assigned[var.index()].trail as usize];
        let clause = self.explanation(lit);
        self.assigned[var.index()].reason = Reason::clause(clause);
        clause
    }

    /// The theory's reason for `lit`, as a clause that only lives while it is needed.
    fn explanation(&mut self, lit: Lit) -> ClauseRef {
        let mut literals = std::mem::take(&mut self.gifts.clause);
        literals.clear();
        self.theory.explain(lit, &mut literals);
        debug_assert!(literals.iter().all(|other| self.is_false(*other)), "reasons are false");
        literals.push(lit);
        let id = match &mut self.trace {
            Some(trace) => trace.theory_lemma(&literals),
            None => ClauseId::NONE,
        };
        self.latest_first(&mut literals);
        if literals.len() == 1 {
            // Two literals are what everything else expects; repeating one is sound.
            literals.push(literals[0]);
        }
        let clause = self.arena.add(&literals, false, 0, id.0);
        self.arena.delete(clause);
        self.gifts.clause = literals;
        clause
    }
}
