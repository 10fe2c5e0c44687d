//! Numbers that count, as values of a datatype.
//!
//! A predicate that counts an integer down recurses on nothing that a datatype has. But the number may be the length of a
//! list, or of whatever value has at most one part of its own sort: zero is the one that has none, and one more is a value around
//! another. With such values in the place of numbers the predicate is a function like others, and it means: for every
//! value with this length, the function of that value. Nothing is said where no value is known to have the length, so that a
//! goal about a number that is no length is not proved.
//!
//! Below zero there is no length, and what is derived there is said apart (`below`): nothing, or no more than the facts.

use super::branches::{offset, take_apart};
use super::clause::Rule;
use super::recognize::Meaning;
use crate::settings::INDUCTION_CONFLICTS;
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask_within;
use alphorn_problem::evidence::fold::{Fold, FoldCase};
use alphorn_problem::horn::PredId;
use alphorn_problem::obligation::fold::constructors;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{CtorId, FuncId, Op, SortId, Store, Substitution, TermId, Value};
use rustc_hash::FxHashSet;

/// A function that is the number of a value's parts of its own sort.
#[derive(Clone, Copy, Debug)]
pub(super) struct Length {
    func: FuncId,
    /// The datatype.
    pub(super) sort: SortId,
    zero: CtorId,
    next: CtorId,
    /// The field of `next` with the datatype itself.
    part: usize,
}

/// A predicate as a function of values that have the lengths which some of its arguments are.
#[derive(Clone, Debug)]
pub(super) struct Counted {
    /// The arguments.
    pub(super) places: Vec<usize>,
    pub(super) length: Length,
    /// What is meant of values.
    pub(super) inner: Box<Meaning>,
    /// What holds besides, over variables for all arguments.
    pub(super) below: (Vec<TermId>, TermId),
}

impl Length {
    /// The lengths that functions are, and the length of a datatype if there is none.
    pub(super) fn of(store: &mut Store, functions: &mut Vec<Fold>) -> Option<Length> {
        let mut found = None;
        for data in store.datas() {
            let sort = store.data(data).sort;
            let Some((zero, next, part)) = shape(store, sort) else { continue };
            for fold in functions.iter() {
                let length = Length { func: fold.func, sort, zero, next, part };
                let decl = store.func(fold.func);
                if decl.args == [sort] && decl.result == SortId::INT && length.is(store, fold) {
                    return Some(length);
                }
            }
            found = found.or(Some((sort, zero, next, part)));
        }
        let (sort, zero, next, part) = found?;
        let func = store.declare("length", &[sort], SortId::INT);
        let length = Length { func, sort, zero, next, part };
        let level = functions.len() as u32;
        let cases = constructors(store, length.sort).into_iter();
        let cases: Vec<FoldCase> = cases.map(|ctor| length.case(store, ctor)).collect();
        functions.push(Fold { func: length.func, level, params: Vec::new(), cases });
        Some(length)
    }

    fn case(&self, store: &mut Store, ctor: CtorId) -> FoldCase {
        let sorts: Vec<SortId> = store.ctor(ctor).fields.iter().map(|(_, sort)| *sort).collect();
        let fields: Vec<TermId> =
            sorts.into_iter().map(|sort| store.fresh_var("y", sort)).collect();
        let value = match ctor == self.next {
            true => {
                let rest = self.number(store, fields[self.part]);
                let one = store.int(1);
                store.add(&[one, rest])
            }
            false => store.int(0),
        };
        FoldCase { fields, value }
    }

    /// Whether a function is this length.
    fn is(&self, store: &mut Store, fold: &Fold) -> bool {
        let ctors = constructors(store, self.sort);
        fold.cases.iter().zip(ctors).all(|(case, ctor)| {
            let own = self.case(store, ctor);
            let map: Substitution = own.fields.into_iter().zip(case.fields.clone()).collect();
            store.substitute(own.value, &map) == case.value
        })
    }

    /// The length of a value.
    pub(super) fn number(&self, store: &mut Store, value: TermId) -> TermId {
        store.mk(Op::Apply(self.func), &[value])
    }

    /// A value whose length is a number, if the number is said by lengths.
    pub(super) fn value(&self, store: &mut Store, number: TermId) -> Option<TermId> {
        let mut more = 0;
        let mut inner = None;
        let parts = match store.op(number) {
            Op::Add => store.args(number).to_vec(),
            _ => vec![number],
        };
        for part in parts {
            match (store.int_value(part), store.op(part)) {
                (Some(literal), _) => more += literal.to_i64()?,
                (None, Op::Apply(func)) if func == self.func && inner.is_none() => {
                    inner = Some(store.args(part)[0]);
                }
                _ => return None,
            }
        }
        let mut value = match inner {
            Some(value) => value,
            None => store.mk(Op::Construct(self.zero), &[]),
        };
        if !(0..=MAX_LITERAL).contains(&more) {
            return None;
        }
        for _ in 0..more {
            let sorts = store.ctor(self.next).fields.clone();
            let mut fields = Vec::with_capacity(sorts.len());
            for (at, (_, sort)) in sorts.into_iter().enumerate() {
                fields.push(match at == self.part {
                    true => value,
                    false => {
                        let default = Value::default_of(store, sort)?;
                        store.value_term(&default)?
                    }
                });
            }
            value = store.mk(Op::Construct(self.next), &fields);
        }
        Some(value)
    }

    /// The pattern of values whose length is a number: what they are around does not matter.
    fn pattern(&self, store: &mut Store, number: TermId) -> Option<TermId> {
        let value = self.value(store, number)?;
        Some(self.loosened(store, value))
    }

    fn loosened(&self, store: &mut Store, value: TermId) -> TermId {
        if store.op(value) != Op::Construct(self.next) {
            return value;
        }
        let mut fields = store.args(value).to_vec();
        for (at, field) in fields.iter_mut().enumerate() {
            *field = match at == self.part {
                true => self.loosened(store, *field),
                false => store.fresh_var("z", store.sort(*field)),
            };
        }
        store.mk(Op::Construct(self.next), &fields)
    }

    /// That the length of a value is not negative.
    pub(super) fn law(&self, store: &mut Store, var: TermId) -> TermId {
        let number = self.number(store, var);
        let zero = store.int(0);
        store.le(zero, number)
    }

    /// A rule of a predicate with values for the numbers at some of its places; nothing if it has others there than
    /// variables and numbers more or less, and no rule if it is about none that is a length.
    pub(super) fn counted(
        &self,
        store: &mut Store,
        pred: PredId,
        rule: &Rule,
        places: &[usize],
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Vec<Rule>>, Stop> {
        let mut rule = rule.clone();
        let counting = |rule: &Rule| -> Vec<TermId> {
            let own = rule.calls.iter().chain(&rule.head).filter(|(of, _)| *of == pred);
            own.flat_map(|(_, args)| places.iter().map(|&at| args[at])).collect()
        };
        // Variables stand for the least number that is counted.
        let mut least: Vec<(TermId, i64)> = Vec::new();
        for term in counting(&rule) {
            let (var, more) = match (store.op(term), offset(store, term)) {
                (Op::Var(_), _) => (term, 0),
                (_, Some((var, number))) => {
                    let Some(more) = store.int_value(number).and_then(|number| number.to_i64())
                    else {
                        return Ok(None);
                    };
                    (var, more)
                }
                _ if store.int_value(term).is_some() => continue,
                _ => return Ok(None),
            };
            match least.iter_mut().find(|(other, _)| *other == var) {
                Some((_, other)) => *other = (*other).min(more),
                None => least.push((var, more)),
            }
        }
        let mut map = Substitution::default();
        let mut lengths = Vec::new();
        for (var, more) in least {
            let value = store.fresh_var("k", self.sort);
            let length = self.number(store, value);
            lengths.push(length);
            let shift = store.int(more.min(0).unsigned_abs());
            let number = store.add(&[length, shift]);
            map.insert(var, number);
        }
        for (_, args) in rule.calls.iter_mut().chain(&mut rule.head) {
            *args = store.substitute_all(args, &map);
        }
        rule.guards = store.substitute_all(&rule.guards, &map);
        let mut guards = Vec::new();
        for guard in std::mem::take(&mut rule.guards) {
            match self.of_lengths(store, guard, &lengths, ctx)? {
                Some(true) => {}
                Some(false) => return Ok(Some(Vec::new())),
                None => guards.push(guard),
            }
        }
        rule.guards = guards;
        for (of, args) in rule.calls.iter_mut().chain(&mut rule.head) {
            for &at in places.iter().filter(|_| *of == pred) {
                if store.int_value(args[at]).is_some_and(|number| number.is_negative()) {
                    return Ok(Some(Vec::new()));
                }
                let Some(pattern) = self.pattern(store, args[at]) else { return Ok(None) };
                args[at] = pattern;
            }
        }
        Ok(Some(vec![rule]))
    }

    /// Whether a condition holds, or does not, because lengths are not negative.
    fn of_lengths(
        &self,
        store: &mut Store,
        guard: TermId,
        lengths: &[TermId],
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<bool>, Stop> {
        let zero = store.int(0);
        for (value, opposite) in [(true, store.not(guard)), (false, guard)] {
            let mut smt = Smt::new(Options::default());
            smt.assert(store, opposite);
            for &length in lengths {
                let law = store.le(zero, length);
                smt.assert(store, law);
            }
            let conflicts = INDUCTION_CONFLICTS.get();
            if ask_within(&mut smt, store, &[], conflicts, ctx)? == Answer::Unsat {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }
}

/// The largest number that is written as a value.
const MAX_LITERAL: i64 = 4;

/// The constructors of a datatype that has one without fields and one with one field of its own sort.
pub(super) fn shape(store: &Store, sort: SortId) -> Option<(CtorId, CtorId, usize)> {
    let &[one, two] = &constructors(store, sort)[..] else { return None };
    let has_none = |ctor: CtorId| store.ctor(ctor).fields.is_empty();
    let (zero, next) = match (has_none(one), has_none(two)) {
        (true, false) => (one, two),
        (false, true) => (two, one),
        _ => return None,
    };
    let fields = &store.ctor(next).fields;
    let mut own = (0..fields.len()).filter(|&at| fields[at].1 == sort);
    match (own.next(), own.next()) {
        (Some(part), None) => Some((zero, next, part)),
        _ => None,
    }
}

impl Counted {
    fn output(&self) -> Option<usize> {
        self.inner.output()
    }

    /// The arguments with values for the numbers; nothing if one is no length.
    fn values(&self, store: &mut Store, args: &[TermId]) -> Option<Vec<TermId>> {
        let mut args = args.to_vec();
        for &at in self.places.iter().filter(|at| Some(**at) != self.output()) {
            args[at] = self.length.value(store, args[at])?;
        }
        Some(args)
    }

    /// What is computed of values.
    fn result(&self, store: &mut Store, args: &[TermId]) -> Option<TermId> {
        let call = self.inner.call(store, args)?;
        Some(match self.output().is_some_and(|at| self.places.contains(&at)) {
            true => self.length.number(store, call),
            false => call,
        })
    }

    /// The function on inputs, if those that count are lengths.
    pub(super) fn call(&self, store: &mut Store, args: &[TermId]) -> Option<TermId> {
        let args = self.values(store, args)?;
        self.result(store, &args)
    }

    /// The predicate on arguments, for all values that have the lengths.
    pub(super) fn formula(&self, store: &mut Store, args: &[TermId]) -> Option<TermId> {
        let (mut actual, mut vars) = (args.to_vec(), Vec::new());
        let mut options = Vec::new();
        for &at in self.places.iter().filter(|at| Some(**at) != self.output()) {
            let var = store.fresh_var("k", self.length.sort);
            let number = self.length.number(store, var);
            let same = store.eq(number, args[at]);
            options.push(store.not(same));
            vars.push(var);
            actual[at] = var;
        }
        let result = self.result(store, &actual)?;
        options.push(match self.output() {
            Some(at) => store.eq(args[at], result),
            None => result,
        });
        let holds = store.or(&options);
        let map: Substitution = self.below.0.iter().copied().zip(args.iter().copied()).collect();
        let below = store.substitute(self.below.1, &map);
        let body = store.and(&[below, holds]);
        Some(match vars.is_empty() {
            true => body,
            false => store.forall(&vars, body),
        })
    }

    /// What may hold of negative numbers: anything, nothing, or the facts.
    pub(super) fn belows(
        store: &mut Store,
        sorts: &[SortId],
        rules: &[&Rule],
        places: &[usize],
    ) -> Vec<(Vec<TermId>, TermId)> {
        let params: Vec<TermId> = sorts.iter().map(|&sort| store.fresh_var("a", sort)).collect();
        let zero = store.int(0);
        let positive: Vec<TermId> = places.iter().map(|&at| store.le(zero, params[at])).collect();
        let positive = store.and(&positive);
        let mut options = vec![positive];
        for rule in rules.iter().filter(|rule| rule.calls.is_empty()) {
            let Some((_, head)) = &rule.head else { continue };
            let (mut known, mut values, mut tests) =
                (FxHashSet::default(), Substitution::default(), Vec::new());
            for (&pattern, &param) in head.iter().zip(&params) {
                take_apart(store, pattern, param, &mut known, &mut values, &mut tests);
            }
            // A weaker condition will do where something is not determined.
            tests.extend(rule.guards.iter().copied().filter(|&guard| {
                store.free_vars(&[guard]).iter().all(|var| values.contains_key(var))
            }));
            let tests = store.substitute_all(&tests, &values);
            options.push(store.and(&tests));
        }
        let facts = store.or(&options);
        [TermId::TRUE, positive, facts].map(|below| (params.clone(), below)).to_vec()
    }
}
