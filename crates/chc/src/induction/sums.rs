//! Laws of sums: what is measured of a result is what is measured of its inputs, or two results make up the whole.
//!
//! Lengths, counts and sums of lists are measures: of lists that are appended they are added, and a list that is divided has
//! the sum of its parts. Which functions divide and which put together nobody says, so that the laws are guessed for the
//! calls of a clause, tried on samples, and proved.

use super::clause::Rule;
use super::counters::shape;
use super::prove::Theory;
use super::recognize::Meaning;
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::folds::{Effort, fields_of};
use alphorn_problem::evidence::fold::{Fold, FoldCase};
use alphorn_problem::obligation::fold::constructors;
use alphorn_term::{FuncId, Op, SortId, Store, Substitution, TermId};

/// What a wish says to be the same of two arguments.
#[derive(Clone, Copy)]
pub(super) struct Measure {
    /// A variable for an argument.
    pub(super) var: TermId,
    /// A term over it and variables that the wish is for all values of.
    pub(super) term: TermId,
}

impl Measure {
    /// What is measured of a value.
    fn of(&self, store: &mut Store, value: TermId) -> TermId {
        let map: Substitution = [(self.var, value)].into_iter().collect();
        store.substitute(self.term, &map)
    }
}

impl Theory {
    /// Laws that sums of what is measured may have: of a result and its inputs, and of two results and what both are made
    /// of. Sums of other values than integers are made by functions, if need be by one of their own.
    pub(super) fn sums(
        &mut self,
        rule: &Rule,
        measure: Measure,
        add: Option<FuncId>,
        meanings: &[Meaning],
    ) -> Vec<TermId> {
        let store = &mut self.store;
        let sort = store.sort(measure.var);
        let sum = |store: &mut Store, list: &[TermId]| match add {
            None => store.add(list),
            Some(func) => {
                let (&last, others) = list.split_last().expect("a sum has parts");
                let with = |sum, &part: &TermId| store.mk(Op::Apply(func), &[part, sum]);
                others.iter().rev().fold(last, with)
            }
        };
        let mut found = Vec::new();
        let mut results: Vec<TermId> = Vec::new();
        for (of, args) in &rule.calls {
            let meaning = &meanings[of.index()];
            results.extend(
                meaning.call(store, args).map(|call| parts(store, call)).into_iter().flatten(),
            );
            if meaning.output().is_none_or(|at| store.sort(args[at]) != sort) {
                continue;
            }
            let vars: Vec<TermId> =
                args.iter().map(|&arg| store.fresh_var("v", store.sort(arg))).collect();
            if let Some(result) = meaning.call(store, &vars) {
                let free = store.free_vars(&[result]);
                let is_input = |var: &TermId| free.contains(var) && store.sort(*var) == sort;
                let inputs: Vec<TermId> = vars.into_iter().filter(is_input).collect();
                let inputs: Vec<TermId> =
                    inputs.into_iter().map(|input| measure.of(store, input)).collect();
                if !inputs.is_empty() {
                    let (all, whole) = (sum(store, &inputs), measure.of(store, result));
                    found.push(store.eq(whole, all));
                }
            }
        }
        results.retain(|result| store.sort(*result) == sort);
        for (at, &one) in results.iter().enumerate() {
            for &other in &results[at + 1..] {
                let both = store.free_vars(&[other]);
                let wholes: Vec<TermId> = (store.free_vars(&[one]).into_iter())
                    .filter(|var| store.sort(*var) == sort && both.contains(var))
                    .collect();
                for whole in wholes {
                    let parts = [measure.of(store, one), measure.of(store, other)];
                    let (whole, sum) = (measure.of(store, whole), sum(store, &parts));
                    found.push(store.eq(whole, sum));
                }
            }
        }
        found.retain(|&law| law != TermId::TRUE);
        found
    }

    /// The functions that are sums of values of a sort, if need be one of our own.
    pub(super) fn adders(
        &mut self,
        sort: SortId,
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<Option<FuncId>>, Stop> {
        if sort == SortId::INT {
            return Ok(vec![None]);
        }
        let is_adder = |fold: &&Fold| {
            let decl = self.store.func(fold.func);
            decl.args == [sort, sort] && decl.result == sort
        };
        let functions = self.folds.functions.iter().filter(is_adder).map(|fold| fold.func);
        let mut found: Vec<FuncId> = Vec::new();
        for func in functions.collect::<Vec<_>>() {
            if self.adds(sort, func, ctx)? {
                found.push(func);
            }
        }
        if found.is_empty() {
            let functions = &mut self.folds.functions;
            if let Some(func) = sum_of(&mut self.store, sort, functions) {
                self.adds(sort, func, ctx)?;
                found.push(func);
            }
        }
        Ok(found.into_iter().map(Some).collect())
    }

    /// Whether a function adds, as far as samples tell; then what sums have in common is proved of it.
    fn adds(&mut self, sort: SortId, func: FuncId, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        let laws = laws_of_sums(&mut self.store, sort, func);
        for &law in &laws {
            if self.is_wrong(law, ctx)? {
                return Ok(false);
            }
        }
        for law in laws {
            if !self.follows(law, ctx)? {
                self.by_induction(law, Effort::quick(), ctx)?;
            }
        }
        Ok(true)
    }
}

/// A value, or the fields of one that is made by the only constructor of its sort.
fn parts(store: &mut Store, value: TermId) -> Vec<TermId> {
    match constructors(store, store.sort(value))[..] {
        [only] => fields_of(store, only, value),
        _ => vec![value],
    }
}

/// A function that adds numbers of a datatype.
fn sum_of(store: &mut Store, sort: SortId, functions: &mut Vec<Fold>) -> Option<FuncId> {
    let (_, next, 0) = shape(store, sort)? else { return None };
    if store.ctor(next).fields.len() != 1 {
        return None;
    }
    let func = store.declare("sum", &[sort, sort], sort);
    let param = store.fresh_var("a", sort);
    let mut cases = Vec::new();
    for ctor in constructors(store, sort) {
        let fields = match ctor == next {
            true => vec![store.fresh_var("y", sort)],
            false => Vec::new(),
        };
        let value = match fields[..] {
            [field] => {
                let rest = store.mk(Op::Apply(func), &[field, param]);
                store.mk(Op::Construct(next), &[rest])
            }
            _ => param,
        };
        cases.push(FoldCase { fields, value });
    }
    let level = functions.len() as u32;
    functions.push(Fold { func, level, params: vec![param], cases });
    Some(func)
}

/// What sums have in common: nothing added on the right, one more on the right, order, and brackets.
fn laws_of_sums(store: &mut Store, sort: SortId, func: FuncId) -> Vec<TermId> {
    let Some((zero, next, _)) = shape(store, sort) else { return Vec::new() };
    let vars: Vec<TermId> = (0..3).map(|_| store.fresh_var("v", sort)).collect();
    let (a, b, c) = (vars[0], vars[1], vars[2]);
    let add = |store: &mut Store, a: TermId, b: TermId| store.mk(Op::Apply(func), &[a, b]);
    let zero = store.mk(Op::Construct(zero), &[]);
    let mut found = Vec::new();
    let same = add(store, a, zero);
    found.push(store.eq(same, a));
    if store.ctor(next).fields.len() == 1 {
        let more = store.mk(Op::Construct(next), &[b]);
        let (left, right) = (add(store, a, more), add(store, a, b));
        let right = store.mk(Op::Construct(next), &[right]);
        found.push(store.eq(left, right));
    }
    let (one, other) = (add(store, a, b), add(store, b, a));
    found.push(store.eq(one, other));
    let (ab, bc) = (one, add(store, b, c));
    let (left, right) = (add(store, ab, c), add(store, a, bc));
    found.push(store.eq(left, right));
    found
}
