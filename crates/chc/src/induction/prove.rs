//! Proofs of laws by induction, and the search for laws that help.
//!
//! A goal is a formula for all values of its variables. It is proved by induction on one of them, the
//! others being quantified in the induction hypothesis. Where no variable works, laws are looked for
//! among equations of small terms that hold on samples, as in theory exploration (Claessen, Johansson,
//! Rosén, Smallbone, "Automating inductive proofs using theory exploration", CADE 2013); each law that is
//! proved helps with those after it.

use super::evaluate::{Evaluator, samples};
use crate::ask::ask_within;
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::evidence::fold::{Folds, Law, LawCase};
use alphorn_problem::obligation::fold::{constructors, induction};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Op, SortId, Store, Substitution, TermId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Conflicts for a case of an induction, and rounds of instances.
const CONFLICTS: u64 = 1_000;
const ROUNDS: u32 = 12;
/// The most equations that are tried as laws, and the most terms that they are made of.
const MOST_EQUATIONS: usize = 300;
const MOST_TERMS: usize = 1_500;
/// The largest terms of equations, in applications.
const LARGEST: usize = 4;

/// The functions with what is proved about them.
pub(super) struct Theory {
    pub(super) store: Store,
    pub(super) folds: Folds,
}

impl Theory {
    /// Proves a goal for all values of its variables by induction on one of them; whether it did.
    pub(super) fn by_induction(&mut self, goal: TermId, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        let free = self.store.free_vars(&[goal]);
        for &var in &free {
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
            if let Some(law) = self.cases(law, ctx)? {
                self.folds.laws.push(law);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A law with proofs of its cases, if all are found.
    fn cases(&mut self, mut law: Law, ctx: &mut Ctx<'_>) -> Result<Option<Law>, Stop> {
        let mut folds = self.folds.clone();
        folds.laws.push(law.clone());
        let store = &mut self.store;
        // The larger constructors fail more often.
        for ctor in constructors(store, store.sort(law.var)) {
            let sorts: Vec<SortId> =
                store.ctor(ctor).fields.iter().map(|(_, sort)| *sort).collect();
            let fields: Vec<TermId> =
                sorts.into_iter().map(|sort| store.fresh_var("z", sort)).collect();
            let claims = induction(&folds, &law, ctor, &fields, store);
            let mut smt =
                Smt::new(Options { proofs: true, instance_rounds: ROUNDS, ..Options::default() });
            for claim in claims {
                smt.assert(store, claim);
            }
            let refutation = match ask_within(&mut smt, store, &[], CONFLICTS, ctx)? {
                Answer::Unsat => smt.refutation(store),
                _ => None,
            };
            let Some(refutation) = refutation else { return Ok(None) };
            law.cases.push(LawCase { fields, proof: refutation.proof });
        }
        Ok(Some(law))
    }

    /// Whether a goal follows from what is known without induction.
    fn follows(&mut self, goal: TermId, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        let axioms = alphorn_problem::obligation::fold::axioms(&self.folds, &mut self.store);
        let opposite = self.store.not(goal);
        let mut smt = Smt::new(Options { instance_rounds: ROUNDS, ..Options::default() });
        for claim in axioms.into_iter().chain([opposite]) {
            smt.assert(&mut self.store, claim);
        }
        Ok(ask_within(&mut smt, &mut self.store, &[], CONFLICTS / 4, ctx)? == Answer::Unsat)
    }

    /// Proves a goal, looking for laws if need be; whether it did.
    pub(super) fn prove(&mut self, goal: TermId, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        if self.by_induction(goal, ctx)? {
            return Ok(true);
        }
        for equation in self.equations(ctx)? {
            if self.follows(equation, ctx)? || !self.by_induction(equation, ctx)? {
                continue;
            }
            if self.by_induction(goal, ctx)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Equations of small terms that hold on samples, small ones first.
    fn equations(&mut self, ctx: &mut Ctx<'_>) -> Result<Vec<TermId>, Stop> {
        let terms = self.terms();
        let vars: BTreeSet<TermId> =
            terms.iter().flat_map(|(term, _)| self.store.free_vars(&[*term])).collect();
        let order: Vec<TermId> = vars.iter().copied().collect();
        let mut assignments: Vec<Substitution> = Vec::new();
        let mut choices: Vec<(TermId, Vec<TermId>)> = Vec::new();
        for &var in &vars {
            let sort = self.store.sort(var);
            let values = samples(&mut self.store, sort, 3);
            choices.push((var, values));
        }
        let mut rng = ctx.rng(7);
        for _ in 0..24 {
            let mut map = Substitution::default();
            for (var, values) in &choices {
                if !values.is_empty() {
                    map.insert(*var, values[rng.below(values.len() as u64) as usize]);
                }
            }
            assignments.push(map);
        }
        let functions = self.folds.functions.clone();
        let mut evaluator = Evaluator::new(&functions);
        let mut first: FxHashMap<(SortId, Vec<Option<TermId>>), TermId> = FxHashMap::default();
        let mut equations = Vec::new();
        for (term, _) in terms {
            ctx.tick(20)?;
            let mut values = Vec::with_capacity(assignments.len());
            for map in &assignments {
                let ground = self.store.substitute(term, map);
                values.push(evaluator.value(&mut self.store, ground));
            }
            if values.iter().filter(|value| value.is_some()).count() < 8 {
                continue;
            }
            let key = (self.store.sort(term), values);
            match first.get(&key) {
                None => _ = first.insert(key, term),
                Some(&smaller) => {
                    let equation = self.store.eq(smaller, term);
                    let is_wanted =
                        equation != TermId::TRUE && self.is_first(smaller, term, &order);
                    if is_wanted && equations.len() < MOST_EQUATIONS {
                        equations.push(equation);
                    }
                }
            }
        }
        Ok(equations)
    }

    /// Whether the variables of two terms are, in the order in which they occur, the first of their sorts:
    /// other equations are the same with other names.
    fn is_first(&self, left: TermId, right: TermId, order: &[TermId]) -> bool {
        let mut met: Vec<TermId> = Vec::new();
        for var in [self.store.free_vars(&[left]), self.store.free_vars(&[right])].concat() {
            if met.contains(&var) {
                continue;
            }
            let sort = self.store.sort(var);
            let mut open =
                order.iter().filter(|&&v| self.store.sort(v) == sort && !met.contains(&v));
            if open.next() != Some(&var) {
                return false;
            }
            met.push(var);
        }
        true
    }

    /// Small terms over the functions and constructors, in the order of their size.
    fn terms(&mut self) -> Vec<(TermId, usize)> {
        let mut sorts: BTreeSet<SortId> = BTreeSet::new();
        let mut ops: Vec<(Op, Vec<SortId>)> = Vec::new();
        for fold in &self.folds.functions {
            let decl = self.store.func(fold.func).clone();
            sorts.extend(decl.args.iter().copied().chain([decl.result]));
            ops.push((Op::Apply(fold.func), decl.args));
        }
        sorts.retain(|&sort| sort == SortId::INT || !constructors(&self.store, sort).is_empty());
        for &sort in &sorts {
            for ctor in constructors(&self.store, sort) {
                let fields = self.store.ctor(ctor).fields.iter().map(|(_, sort)| *sort).collect();
                ops.push((Op::Construct(ctor), fields));
            }
        }
        if sorts.contains(&SortId::INT) {
            ops.push((Op::Add, vec![SortId::INT; 2]));
        }
        let mut all: Vec<(TermId, usize)> = Vec::new();
        for &sort in &sorts {
            for _ in 0..3 {
                all.push((self.store.fresh_var("v", sort), 0));
            }
        }
        let mut seen: BTreeSet<TermId> = all.iter().map(|(term, _)| *term).collect();
        for size in 1..=LARGEST {
            for (op, args) in &ops {
                let mut partial: Vec<(Vec<TermId>, usize)> = vec![(Vec::new(), 0)];
                for &sort in args {
                    let mut next = Vec::new();
                    for (list, used) in &partial {
                        for &(term, own) in &all {
                            if self.store.sort(term) == sort && used + own < size {
                                let mut longer = list.clone();
                                longer.push(term);
                                next.push((longer, used + own));
                            }
                        }
                    }
                    partial = next;
                    if partial.len() > 20_000 {
                        break;
                    }
                }
                for (list, used) in partial {
                    if list.len() < args.len() || used + 1 != size {
                        continue;
                    }
                    if all.len() >= MOST_TERMS {
                        return all;
                    }
                    let term = self.store.mk(*op, &list);
                    if seen.insert(term) {
                        all.push((term, size));
                    }
                }
            }
        }
        all
    }
}
