//! Equations of small terms that hold on samples.
//!
//! Terms are made size by size and evaluated on the same samples. Two terms with the same values are
//! likely equal: the larger one makes an equation with the smaller, and larger terms are made of the
//! smaller one only. After Claessen, Johansson, Rosén, Smallbone, "Automating inductive proofs using theory
//! exploration" (CADE 2013).

use super::evaluate::{Evaluator, samples};
use super::prove::Theory;
use crate::settings::{
    INDUCTION_ASSIGNMENTS, INDUCTION_LEAST_VALUES, INDUCTION_MAX_TERMS, INDUCTION_VARIABLES,
};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::evidence::fold::Fold;
use alphorn_problem::obligation::fold::constructors;
use alphorn_term::{FuncId, Op, SortId, Store, Substitution, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The values of a term on all assignments.
type Values = Vec<Option<TermId>>;

/// The state of an exploration.
pub(super) struct Exploration {
    functions: Vec<Fold>,
    ops: Vec<(Op, Vec<SortId>)>,
    /// Terms that equal none before them, by sort, with their sizes.
    terms: BTreeMap<SortId, Vec<(TermId, usize)>>,
    order: Vec<TermId>,
    assignments: Vec<Substitution>,
    first: FxHashMap<(SortId, Values), TermId>,
    seen: FxHashSet<TermId>,
    /// Terms of the current size that were not looked at.
    open: VecDeque<TermId>,
    size: usize,
    count: usize,
}

impl Theory {
    /// The beginning of an exploration of some functions.
    pub(super) fn exploration(
        &mut self,
        relevant: &BTreeSet<FuncId>,
        ctx: &mut Ctx<'_>,
    ) -> Exploration {
        let store = &mut self.store;
        let functions = self.folds.functions.clone();
        let mut sorts: BTreeSet<SortId> = BTreeSet::new();
        let mut ops: Vec<(Op, Vec<SortId>)> = Vec::new();
        for fold in functions.iter().filter(|fold| relevant.contains(&fold.func)) {
            let decl = store.func(fold.func).clone();
            sorts.extend(decl.args.iter().copied().chain([decl.result]));
            ops.push((Op::Apply(fold.func), decl.args));
        }
        sorts.retain(|&sort| sort == SortId::INT || !constructors(store, sort).is_empty());
        for &sort in &sorts {
            for ctor in constructors(store, sort) {
                let fields = store.ctor(ctor).fields.iter().map(|(_, sort)| *sort).collect();
                ops.push((Op::Construct(ctor), fields));
            }
        }
        if sorts.contains(&SortId::INT) {
            ops.push((Op::Add, vec![SortId::INT; 2]));
        }
        let mut terms: BTreeMap<SortId, Vec<(TermId, usize)>> = BTreeMap::new();
        let mut choices: Vec<(TermId, Vec<TermId>)> = Vec::new();
        for &sort in &sorts {
            let values = samples(store, sort, 3);
            for _ in 0..INDUCTION_VARIABLES.size() {
                let var = store.fresh_var("v", sort);
                terms.entry(sort).or_default().push((var, 0));
                choices.push((var, values.clone()));
            }
        }
        let mut rng = ctx.rng(7);
        let mut assignments: Vec<Substitution> = Vec::new();
        for _ in 0..INDUCTION_ASSIGNMENTS.size() {
            let mut map = Substitution::default();
            for (var, values) in choices.iter().filter(|(_, values)| !values.is_empty()) {
                map.insert(*var, values[rng.below(values.len() as u64) as usize]);
            }
            assignments.push(map);
        }
        let order: Vec<TermId> = choices.iter().map(|(var, _)| *var).collect();
        let mut first = FxHashMap::default();
        for &var in &order {
            let values = assignments.iter().map(|map| map.get(&var).copied()).collect();
            first.insert((store.sort(var), values), var);
        }
        let seen = order.iter().copied().collect();
        let open = VecDeque::new();
        Exploration {
            functions,
            ops,
            terms,
            order,
            assignments,
            first,
            seen,
            open,
            size: 0,
            count: 0,
        }
    }

    /// The next equation that holds on samples, of terms with at most so many applications; nothing when all are found.
    pub(super) fn explore(
        &mut self,
        search: &mut Exploration,
        largest: usize,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<TermId>, Stop> {
        let functions = std::mem::take(&mut search.functions);
        let mut evaluator = Evaluator::new(&functions);
        let found = loop {
            let Some(term) = search.open.pop_front() else {
                if search.size == largest || search.count >= INDUCTION_MAX_TERMS.size() {
                    break None;
                }
                search.grow(&mut self.store, ctx)?;
                continue;
            };
            ctx.tick(20)?;
            if let Some(equation) = search.compare(&mut self.store, &mut evaluator, term) {
                break Some(equation);
            }
        };
        search.functions = functions;
        Ok(found)
    }
}

impl Exploration {
    /// Evaluates a term; an equation if another term has its values.
    fn compare(
        &mut self,
        store: &mut Store,
        evaluator: &mut Evaluator<'_>,
        term: TermId,
    ) -> Option<TermId> {
        let mut values = Vec::with_capacity(self.assignments.len());
        for map in &self.assignments {
            let ground = store.substitute(term, map);
            values.push(evaluator.value(store, ground));
        }
        if values.iter().filter(|value| value.is_some()).count() < INDUCTION_LEAST_VALUES.size() {
            return None;
        }
        let sort = store.sort(term);
        match self.first.get(&(sort, values.clone())) {
            Some(&smaller) => {
                let equation = store.eq(smaller, term);
                let is_wanted = equation != TermId::TRUE && self.is_first(store, smaller, term);
                is_wanted.then_some(equation)
            }
            None => {
                self.first.insert((sort, values), term);
                self.terms.entry(sort).or_default().push((term, self.size));
                None
            }
        }
    }

    /// Makes the terms of the next size.
    fn grow(&mut self, store: &mut Store, ctx: &mut Ctx<'_>) -> Result<(), Stop> {
        self.size += 1;
        for (op, args) in self.ops.clone() {
            let mut partial: Vec<(Vec<TermId>, usize)> = vec![(Vec::new(), 0)];
            for sort in &args {
                let mut next = Vec::new();
                for (list, used) in &partial {
                    ctx.tick(1)?;
                    for &(term, own) in self.terms.get(sort).into_iter().flatten() {
                        if used + own < self.size {
                            next.push(([&list[..], &[term]].concat(), used + own));
                        }
                    }
                    if next.len() > INDUCTION_MAX_TERMS.size() {
                        break;
                    }
                }
                partial = next;
            }
            for (list, used) in partial {
                if list.len() < args.len()
                    || used + 1 != self.size
                    || self.count >= INDUCTION_MAX_TERMS.size()
                {
                    continue;
                }
                let term = match op {
                    Op::Add => store.add(&list),
                    _ => store.mk(op, &list),
                };
                if self.seen.insert(term) {
                    self.count += 1;
                    self.open.push_back(term);
                }
            }
        }
        // Equations of more variables say more.
        let vars = |term: &TermId| usize::MAX - store.free_vars(&[*term]).len();
        self.open.make_contiguous().sort_by_cached_key(vars);
        Ok(())
    }

    /// Whether the variables of two terms are, in the order in which they occur, the first of their sorts:
    /// other equations are the same with other names.
    fn is_first(&self, store: &Store, left: TermId, right: TermId) -> bool {
        let mut met: Vec<TermId> = Vec::new();
        for var in [store.free_vars(&[right]), store.free_vars(&[left])].concat() {
            if met.contains(&var) {
                continue;
            }
            let sort = store.sort(var);
            let mut open =
                self.order.iter().filter(|&&v| store.sort(v) == sort && !met.contains(&v));
            if open.next() != Some(&var) {
                return false;
            }
            met.push(var);
        }
        true
    }
}
