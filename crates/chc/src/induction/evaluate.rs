//! Values of terms with recursive functions, by unfolding.
//!
//! Ground terms are rewritten until constructors and literals are left. Numbers of steps are bounded; what
//! takes more has no value here.

use crate::settings::{INDUCTION_CONJECTURE_ASSIGNMENTS, INDUCTION_DEPTH, INDUCTION_STEPS};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::evidence::fold::Fold;
use alphorn_problem::obligation::fold::constructors;
use alphorn_term::{FuncId, Op, SortId, Store, Substitution, TermId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Evaluates terms over some functions.
pub(super) struct Evaluator<'a> {
    folds: BTreeMap<FuncId, &'a Fold>,
    known: FxHashMap<TermId, Option<TermId>>,
    steps: usize,
}

impl<'a> Evaluator<'a> {
    pub(super) fn new(functions: &'a [Fold]) -> Evaluator<'a> {
        let folds = functions.iter().map(|fold| (fold.func, fold)).collect();
        Evaluator { folds, known: FxHashMap::default(), steps: 0 }
    }

    /// The value of a term without variables.
    pub(super) fn value(&mut self, store: &mut Store, term: TermId) -> Option<TermId> {
        self.steps = INDUCTION_STEPS.size();
        self.eval(store, term, INDUCTION_DEPTH.size())
    }

    fn eval(&mut self, store: &mut Store, term: TermId, depth: usize) -> Option<TermId> {
        if let Some(value) = self.known.get(&term) {
            return *value;
        }
        if store.args(term).is_empty() {
            return Some(term);
        }
        self.steps = self.steps.checked_sub(1)?;
        let depth = depth.checked_sub(1)?;
        let value = self.step(store, term, depth);
        if value.is_some() || depth + 1 == INDUCTION_DEPTH.size() {
            self.known.insert(term, value);
        }
        value
    }

    fn step(&mut self, store: &mut Store, term: TermId, depth: usize) -> Option<TermId> {
        let args = store.args(term).to_vec();
        if store.op(term) == Op::Ite {
            let condition = self.eval(store, args[0], depth)?;
            return match condition {
                TermId::TRUE => self.eval(store, args[1], depth),
                TermId::FALSE => self.eval(store, args[2], depth),
                _ => None,
            };
        }
        let mut values = Vec::with_capacity(args.len());
        let mut has_all = true;
        for arg in args {
            let value = self.eval(store, arg, depth);
            match (store.op(term), value) {
                (Op::And, Some(TermId::FALSE)) => return Some(TermId::FALSE),
                (Op::Or, Some(TermId::TRUE)) => return Some(TermId::TRUE),
                // A later argument may decide, as a test does beside fields that there are not.
                (Op::And | Op::Or, None) => has_all = false,
                _ => values.push(value?),
            }
        }
        if !has_all {
            return None;
        }
        // Values are written in one way: those that are not the same differ.
        if let (Op::Eq, &[left, right]) = (store.op(term), &values[..]) {
            return Some(if left == right { TermId::TRUE } else { TermId::FALSE });
        }
        let Op::Apply(func) = store.op(term) else {
            let made = store.rebuild(term, &values);
            return is_value(store, made).then_some(made);
        };
        let body = self.unfolded(store, func, &values)?;
        self.eval(store, body, depth)
    }
}

impl Evaluator<'_> {
    /// Whether a formula is false for no assignment that is tried, and true for some; nothing if it has no value for any.
    pub(super) fn on_samples(
        &mut self,
        store: &mut Store,
        formula: TermId,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<bool>, Stop> {
        let mut choices = Vec::new();
        for var in store.free_vars(&[formula]) {
            let sort = store.sort(var);
            choices.push((var, samples(store, sort, 3)));
        }
        if choices.iter().any(|(_, values)| values.is_empty()) || choices.is_empty() {
            return Ok(None);
        }
        let mut rng = ctx.rng(11);
        let mut found = None;
        for _ in 0..INDUCTION_CONJECTURE_ASSIGNMENTS.size() {
            ctx.tick(5)?;
            let mut map = Substitution::default();
            for (var, values) in &choices {
                map.insert(*var, values[rng.below(values.len() as u64) as usize]);
            }
            let ground = store.substitute(formula, &map);
            match self.value(store, ground) {
                Some(TermId::TRUE) => found = Some(true),
                Some(TermId::FALSE) => return Ok(Some(false)),
                _ => {}
            }
        }
        Ok(found)
    }

    /// A term with functions unfolded where their argument has a constructor on top.
    pub(super) fn simplified(&mut self, store: &mut Store, root: TermId) -> TermId {
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut steps = INDUCTION_STEPS.size();
        self.simplify(store, root, INDUCTION_DEPTH.size(), &mut steps, &mut done)
    }

    fn simplify(
        &self,
        store: &mut Store,
        term: TermId,
        depth: usize,
        steps: &mut usize,
        done: &mut FxHashMap<TermId, TermId>,
    ) -> TermId {
        if let Some(&known) = done.get(&term) {
            return known;
        }
        let args = store.args(term).to_vec();
        let is_closed = matches!(store.op(term), Op::Forall | Op::Exists);
        if args.is_empty() || is_closed || *steps == 0 || depth == 0 {
            return term;
        }
        *steps -= 1;
        let args: Vec<TermId> =
            args.into_iter().map(|arg| self.simplify(store, arg, depth - 1, steps, done)).collect();
        let mut result = store.rebuild(term, &args);
        if let Op::Apply(func) = store.op(result)
            && let Some(body) = self.unfolded(store, func, &args)
        {
            result = self.simplify(store, body, depth - 1, steps, done);
        }
        done.insert(term, result);
        result
    }

    /// The body of a function on arguments of which the first has a constructor on top.
    fn unfolded(&self, store: &mut Store, func: FuncId, args: &[TermId]) -> Option<TermId> {
        let fold = *self.folds.get(&func)?;
        let Op::Construct(ctor) = store.op(*args.first()?) else { return None };
        let all = constructors(store, store.sort(args[0]));
        let case = &fold.cases[all.iter().position(|&other| other == ctor)?];
        let fields = store.args(args[0]).to_vec();
        let mut map: Substitution = case.fields.iter().copied().zip(fields).collect();
        map.extend(fold.params.iter().copied().zip(args[1..].iter().copied()));
        Some(store.substitute(case.value, &map))
    }
}

/// Whether a term is made of constructors, numbers and truth values alone.
fn is_value(store: &Store, term: TermId) -> bool {
    match store.op(term) {
        Op::Construct(_) => true,
        _ => store.args(term).is_empty(),
    }
}

/// Some values of a sort, small ones first.
pub(super) fn samples(store: &mut Store, sort: SortId, depth: usize) -> Vec<TermId> {
    match sort {
        SortId::BOOL => return vec![TermId::FALSE, TermId::TRUE],
        SortId::INT => return [0, 1, 2, -1].map(|n| store.int(n)).to_vec(),
        _ => {}
    }
    let ctors = constructors(store, sort);
    let mut found: Vec<TermId> = Vec::new();
    for ctor in ctors {
        let sorts: Vec<SortId> = store.ctor(ctor).fields.iter().map(|(_, sort)| *sort).collect();
        if sorts.is_empty() {
            found.push(store.mk(Op::Construct(ctor), &[]));
        } else if depth > 0 {
            let choices: Vec<Vec<TermId>> =
                sorts.into_iter().map(|sort| samples(store, sort, depth - 1)).collect();
            if choices.iter().any(Vec::is_empty) {
                continue;
            }
            // Not all combinations: each choice of one field, with the others shifted along.
            let most = choices.iter().map(Vec::len).max().unwrap_or(0).min(6);
            for at in 0..most {
                for shift in 0..2 {
                    let args: Vec<TermId> = (choices.iter().enumerate())
                        .map(|(k, list)| list[(at + k * shift) % list.len()])
                        .collect();
                    let made = store.mk(Op::Construct(ctor), &args);
                    if !found.contains(&made) {
                        found.push(made);
                    }
                }
            }
        }
    }
    found
}
