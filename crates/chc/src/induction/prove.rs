//! Proofs of laws by induction.
//!
//! A goal is a formula for all values of its variables. It is proved by induction on one of them, the
//! others being quantified in the induction hypothesis. Where no variable works, other laws may help: what
//! a failed induction leaves, made more general (`generalize`), and equations of small terms that hold on
//! samples (`explore`). Each law that is proved helps with those after it.

use super::generalize::recursed;
use crate::settings::INDUCTION_MAX_LAWS;
use crate::settings::{
    INDUCTION_AGAIN_ROUNDS, INDUCTION_FOLLOWS_ROUNDS, INDUCTION_GENERALIZATIONS,
    INDUCTION_LARGEST_TERM,
};
use alphorn_engine::{Ctx, Event, Stop};
use alphorn_horn::folds::{Effort, refute};
use alphorn_problem::evidence::fold::{Folds, Law, LawCase};
use alphorn_problem::obligation::fold::{axioms, constructors, induction};
use alphorn_term::{FuncId, Op, SortId, Store, TermId};
use std::collections::BTreeSet;

/// The functions with what is proved about them.
pub(super) struct Theory {
    pub(super) store: Store,
    pub(super) folds: Folds,
    /// Formulas that were not proved, with how many laws there were.
    pub(super) failed: BTreeSet<(TermId, usize)>,
}

impl Theory {
    /// Proves a goal for all values of its variables by induction on one of them; whether it did.
    pub(super) fn by_induction(
        &mut self,
        goal: TermId,
        effort: Effort,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        let free = self.store.free_vars(&[goal]);
        for var in recursed(&self.store, goal) {
            if constructors(&self.store, self.store.sort(var)).is_empty() {
                continue;
            }
            let others: Vec<TermId> = free.iter().copied().filter(|&other| other != var).collect();
            let formula = match others.is_empty() {
                true => goal,
                false => self.store.forall(&others, goal),
            };
            let level = self.folds.laws.len() as u32;
            let law = Law { level, var, formula, cases: Vec::new() };
            if let Some(law) = self.cases(law, effort, ctx)? {
                let text = format!("law: {}", self.store.show_readable(goal));
                ctx.emit(Event::Remark(text));
                self.folds.laws.push(law);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A law with proofs of its cases, if all are found.
    fn cases(
        &mut self,
        mut law: Law,
        effort: Effort,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Law>, Stop> {
        let mut folds = self.folds.clone();
        folds.laws.push(law.clone());
        let store = &mut self.store;
        let mut proofs = Vec::new();
        // The larger constructors fail more often.
        let mut ctors: Vec<_> =
            constructors(store, store.sort(law.var)).into_iter().enumerate().collect();
        ctors.sort_by_key(|(_, ctor)| usize::MAX - store.ctor(*ctor).fields.len());
        for (at, ctor) in ctors {
            let sorts: Vec<SortId> =
                store.ctor(ctor).fields.iter().map(|(_, sort)| *sort).collect();
            let fields: Vec<TermId> =
                sorts.into_iter().map(|sort| store.fresh_var("z", sort)).collect();
            let claims = induction(&folds, &law, ctor, &fields, store);
            let Some(proof) = refute(store, &claims, effort, ctx)? else { return Ok(None) };
            proofs.push((at, LawCase { fields, proof }));
        }
        proofs.sort_by_key(|(at, _)| *at);
        law.cases.extend(proofs.into_iter().map(|(_, case)| case));
        Ok(Some(law))
    }

    /// Whether a goal follows from what is known without induction.
    pub(super) fn follows(&mut self, goal: TermId, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        let mut claims = axioms(&self.folds, &mut self.store);
        claims.push(self.store.not(goal));
        let effort = Effort { rounds: INDUCTION_FOLLOWS_ROUNDS.size(), ..Effort::quick() };
        Ok(refute(&mut self.store, &claims, effort, ctx)?.is_some())
    }

    /// Proves a goal, looking for laws if need be; whether it did.
    pub(super) fn prove(&mut self, goal: TermId, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        if goal == TermId::TRUE
            || self.follows(goal, ctx)?
            || self.with_conjectures(goal, INDUCTION_GENERALIZATIONS.size(), ctx)?
        {
            return Ok(true);
        }
        let relevant = self.relevant(goal);
        let mut search = self.exploration(&relevant, ctx);
        let again = Effort { rounds: INDUCTION_AGAIN_ROUNDS.size(), ..Effort::quick() };
        while let Some(equation) = self.explore(&mut search, INDUCTION_LARGEST_TERM.size(), ctx)? {
            if self.folds.laws.len() as u64 >= INDUCTION_MAX_LAWS.get() {
                break;
            }
            if self.follows(equation, ctx)? || !self.by_induction(equation, Effort::quick(), ctx)? {
                continue;
            }
            if self.by_induction(goal, again, ctx)? {
                return Ok(true);
            }
        }
        self.with_conjectures(goal, INDUCTION_GENERALIZATIONS.size(), ctx)
    }

    /// Proves a goal by induction, if need be after generalizations of what is left.
    pub(super) fn with_conjectures(
        &mut self,
        goal: TermId,
        depth: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        let effort = if depth == INDUCTION_GENERALIZATIONS.size() {
            Effort::thorough()
        } else {
            Effort::quick()
        };
        if self.by_induction(goal, effort, ctx)? {
            return Ok(true);
        }
        if depth == 0 || !self.failed.insert((goal, self.folds.laws.len())) {
            return Ok(false);
        }
        for conjecture in self.conjectures(goal, ctx)? {
            let text = format!("conjecture: {}", self.store.show_readable(conjecture));
            ctx.emit(Event::Remark(text));
            let is_proved = self.with_conjectures(conjecture, depth - 1, ctx)?;
            if is_proved && self.by_induction(goal, effort, ctx)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The functions of a goal, and those that they use.
    fn relevant(&self, goal: TermId) -> BTreeSet<FuncId> {
        self.using(applied(&self.store, goal))
    }

    /// Functions, and those that they use.
    pub(super) fn using(&self, mut open: Vec<FuncId>) -> BTreeSet<FuncId> {
        let mut found = BTreeSet::new();
        while let Some(func) = open.pop() {
            if found.insert(func) {
                let fold = self.folds.functions.iter().find(|fold| fold.func == func);
                for case in fold.iter().flat_map(|fold| &fold.cases) {
                    open.extend(applied(&self.store, case.value));
                }
            }
        }
        found
    }
}

/// The functions that are applied in a term.
pub(super) fn applied(store: &Store, root: TermId) -> Vec<FuncId> {
    let func = |term| match store.op(term) {
        Op::Apply(func) => Some(func),
        _ => None,
    };
    store.subterms(&[root]).into_iter().filter_map(func).collect()
}
