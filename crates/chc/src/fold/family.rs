//! Folds to choose from, for any datatypes.
//!
//! A *template* names kinds of folds; each kind has a definition for every recursive datatype: how many
//! recursive constructors a value has (the length of a list, the size of a tree, the number that a chain
//! of successors stands for), its height, the sum of the numbers in it, and so on. Values that are not
//! recursive become their parts. Where a fold is about the numbers in a value, a part that is itself of
//! another datatype counts as the first number that it is abstracted to.
//!
//! Catamorphisms as abstractions in Horn clauses: Govind, Shoham, Gurfinkel, "Solving constrained Horn
//! clauses modulo algebraic data types and recursive functions" (POPL 2022), and Katsura, Kobayashi,
//! Sato, "Automated catamorphism synthesis" (SAS 2025). We enumerate a fixed family instead of learning.

use super::template::{Kind, Template};
use alphorn_horn::folds::data::{Datatypes, ctors, field_sorts, is_data};
use alphorn_problem::evidence::fold::{Fold, FoldCase, Folds};
use alphorn_term::{CtorId, FuncId, Op, SortId, Store, TermId, Value};
use std::collections::{BTreeMap, BTreeSet};

/// A fold before it has its cases.
pub(super) struct Plan {
    pub(super) func: FuncId,
    pub(super) sort: SortId,
    pub(super) what: What,
}

/// What a fold computes.
#[derive(Clone, Copy)]
pub(super) enum What {
    Kind(Kind),
    /// How many of one constructor there are.
    CountOf(CtorId),
    /// Part `.2` of a field of what a constructor makes: the field itself, or a fold of it.
    Part(CtorId, usize, Option<FuncId>),
}

/// How values of datatypes are abstracted.
#[derive(Clone)]
pub(super) struct Family {
    /// The folds; laws are without proofs.
    pub(super) folds: Folds,
    /// The folds of each datatype.
    pub(super) of: BTreeMap<SortId, Vec<FuncId>>,
    /// The datatypes whose values are the same if their folds are.
    pub(super) exact: BTreeSet<SortId>,
    /// The number that is watched: a parameter of the folds that ask for it.
    pub(super) watched: Option<TermId>,
}

impl Family {
    /// The folds of a template for some datatypes and what they contain; an error if a field has a sort
    /// that has no default.
    pub(super) fn new(
        store: &mut Store,
        datatypes: &Datatypes,
        sorts: &BTreeSet<SortId>,
        template: &Template,
    ) -> Result<Family, String> {
        let Template { kinds, is_deep, .. } = *template;
        let is_watching = kinds.contains(&Kind::Occurs);
        let watched = is_watching.then(|| store.fresh_var("g", SortId::INT));
        let (plans, of) = (Vec::new(), BTreeMap::new());
        let mut builder = Builder { store, datatypes, is_deep, watched, plans, of };
        let mut exact = BTreeSet::new();
        // What values contain comes first, but for what contains them.
        let mut open: Vec<SortId> = sorts.iter().copied().collect();
        while !open.is_empty() {
            let is_ready = |&sort: &SortId| {
                let mut parts = builder.parts(sort).into_iter();
                parts.all(|of| builder.of.contains_key(&of) || datatypes.is_mutual(sort, of))
            };
            let Some(at) = open.iter().position(is_ready) else {
                return Err("datatypes contain one another in an unexpected way".to_owned());
            };
            let sort = open.remove(at);
            if datatypes.is_plain(sort) {
                builder.plan_plain(sort);
                if builder.parts(sort).iter().all(|of| exact.contains(of)) {
                    exact.insert(sort);
                }
            } else {
                builder.plan_recursive(sort, kinds);
            }
        }
        let functions = builder.functions()?;
        let laws = builder.laws();
        Ok(Family { folds: Folds { functions, laws }, of: builder.of, exact, watched })
    }

    /// A fold of a value.
    pub(super) fn applied(&self, store: &mut Store, func: FuncId, value: TermId) -> TermId {
        applied(store, func, value, self.watched)
    }
}

/// A family as it is made.
pub(super) struct Builder<'a> {
    pub(super) store: &'a mut Store,
    datatypes: &'a Datatypes,
    is_deep: bool,
    pub(super) watched: Option<TermId>,
    pub(super) plans: Vec<Plan>,
    pub(super) of: BTreeMap<SortId, Vec<FuncId>>,
}

/// A fold of a value; of the number that is watched as well, if it asks for it.
fn applied(store: &mut Store, func: FuncId, value: TermId, watched: Option<TermId>) -> TermId {
    match watched {
        Some(watched) if store.func(func).args.len() == 2 => {
            store.mk(Op::Apply(func), &[value, watched])
        }
        _ => store.mk(Op::Apply(func), &[value]),
    }
}

impl Builder<'_> {
    fn applied(&mut self, func: FuncId, value: TermId) -> TermId {
        applied(self.store, func, value, self.watched)
    }

    fn plan(&mut self, name: &str, sort: SortId, result: SortId, what: What) {
        let name = format!("{name}-{}", self.store.show_sort(sort));
        let name = match self.store.find_symbol(&name) {
            None => name,
            Some(_) => {
                let symbol = self.store.fresh_symbol(&name);
                self.store.name(symbol).to_owned()
            }
        };
        let is_watching = match what {
            What::Kind(kind) => kind == Kind::Occurs,
            What::Part(_, _, Some(part)) => self.store.func(part).args.len() == 2,
            What::CountOf(_) | What::Part(_, _, None) => false,
        };
        let args = if is_watching { &[sort, SortId::INT][..] } else { &[sort] };
        let func = self.store.declare(&name, args, result);
        self.of.entry(sort).or_default().push(func);
        self.plans.push(Plan { func, sort, what });
    }

    fn plan_recursive(&mut self, sort: SortId, kinds: &[Kind]) {
        self.of.entry(sort).or_default();
        let all = ctors(self.store, sort);
        let recursive: Vec<CtorId> =
            all.iter().copied().filter(|&ctor| !self.own(sort, ctor).is_empty()).collect();
        let has_numbers = all.iter().any(|&ctor| !self.numbers(sort, ctor).is_empty());
        let is_chain = all.iter().all(|&ctor| self.own(sort, ctor).len() <= 1);
        for &kind in kinds {
            let (name, result) = match kind {
                Kind::Count => ("count", SortId::INT),
                Kind::Height if is_chain => ("count", SortId::INT),
                Kind::Digits if self.is_written_in_digits(sort) => ("digits", SortId::INT),
                Kind::Digits => ("count", SortId::INT),
                Kind::Height => ("height", SortId::INT),
                Kind::Sum if has_numbers => ("sum", SortId::INT),
                // Two constructors of which one is recursive are told apart by counts.
                Kind::Tag if all.len() == 2 && recursive.len() == 1 => continue,
                Kind::Tag if all.len() == 2 => ("is-second", SortId::BOOL),
                Kind::Tag => ("top", SortId::INT),
                Kind::Head if has_numbers => ("head", SortId::INT),
                Kind::Last if has_numbers && is_chain => ("last", SortId::INT),
                Kind::Greatest if has_numbers => ("greatest", SortId::INT),
                Kind::Least if has_numbers => ("least", SortId::INT),
                Kind::Sorted if has_numbers && is_chain => ("sorted", SortId::BOOL),
                Kind::Occurs if has_numbers => ("occurs", SortId::INT),
                Kind::Each => {
                    for &ctor in &all {
                        let name = self.store.name(self.store.ctor(ctor).name).to_owned();
                        let is_only = recursive.len() == 1 && all.len() == 2;
                        if !is_only || recursive.contains(&ctor) {
                            let name = format!("count-{name}");
                            self.plan(&name, sort, SortId::INT, What::CountOf(ctor));
                        }
                    }
                    continue;
                }
                _ => continue,
            };
            let is_deeper = all.iter().any(|&ctor| {
                self.is_deep && self.numbers_for(sort, ctor, kind) != self.numbers(sort, ctor)
            });
            let name = if is_deeper { format!("deep-{name}") } else { name.to_owned() };
            self.plan(&name, sort, result, What::Kind(kind));
        }
    }

    /// Tags and parts for a datatype that is not recursive.
    fn plan_plain(&mut self, sort: SortId) {
        self.of.entry(sort).or_default();
        let all = ctors(self.store, sort);
        match all.len() {
            0 | 1 => {}
            2 => self.plan("is-second", sort, SortId::BOOL, What::Kind(Kind::Tag)),
            _ => self.plan("top", sort, SortId::INT, What::Kind(Kind::Tag)),
        }
        for ctor in all {
            for (field, of) in field_sorts(self.store, ctor).into_iter().enumerate() {
                let symbol = self.store.ctor(ctor).fields[field].0;
                let name = self.store.name(symbol).to_owned();
                if !is_data(self.store, of) {
                    self.plan(&name, sort, of, What::Part(ctor, field, None));
                    continue;
                }
                for part in self.of[&of].clone() {
                    let result = self.store.func(part).result;
                    let inner = self.store.name(self.store.func(part).name).to_owned();
                    let name = format!("{inner}-of-{name}");
                    self.plan(&name, sort, result, What::Part(ctor, field, Some(part)));
                }
            }
        }
    }

    /// The datatypes of the fields of a datatype.
    fn parts(&self, sort: SortId) -> Vec<SortId> {
        let all = ctors(self.store, sort).into_iter();
        let fields = all.flat_map(|ctor| field_sorts(self.store, ctor));
        fields.filter(|&of| is_data(self.store, of)).collect()
    }

    /// The fields of a constructor whose sort is the datatype or contains it.
    pub(super) fn own(&self, sort: SortId, ctor: CtorId) -> Vec<usize> {
        let sorts = field_sorts(self.store, ctor).into_iter().enumerate();
        let is_own = |&(_, of): &(usize, SortId)| of == sort || self.datatypes.is_mutual(sort, of);
        sorts.filter(is_own).map(|(at, _)| at).collect()
    }

    /// The fields of a constructor that count as numbers, each with the fold that makes it one.
    fn numbers(&self, sort: SortId, ctor: CtorId) -> Vec<(usize, Option<FuncId>)> {
        let own = self.own(sort, ctor);
        let mut found = Vec::new();
        for (at, of) in field_sorts(self.store, ctor).into_iter().enumerate() {
            if of == SortId::INT {
                found.push((at, None));
            } else if !own.contains(&at) {
                let is_number = |func: &&FuncId| self.store.func(**func).result == SortId::INT;
                let fold = self.of.get(&of).and_then(|list| list.iter().find(is_number));
                found.extend(fold.map(|&func| (at, Some(func))));
            }
        }
        found
    }

    /// The numbers of a constructor that a fold of a kind is about, each with the fold that makes it one.
    pub(super) fn numbers_for(
        &self,
        sort: SortId,
        ctor: CtorId,
        kind: Kind,
    ) -> Vec<(usize, Option<FuncId>)> {
        let usual = self.numbers(sort, ctor);
        let has_numbers =
            matches!(kind, Kind::Sum | Kind::Head | Kind::Last | Kind::Greatest | Kind::Least);
        if !self.is_deep || !has_numbers {
            return usual;
        }
        let fields = field_sorts(self.store, ctor);
        let mut found = Vec::new();
        for (at, fold) in usual {
            let folds = self.of.get(&fields[at]).map(Vec::as_slice).unwrap_or_default();
            let of_kind = |wanted: Kind| {
                let is_it = move |func: &&FuncId| self.kind_of(**func) == Some(wanted);
                folds.iter().filter(is_it).map(|&func| (at, Some(func))).collect::<Vec<_>>()
            };
            let mut chosen = of_kind(kind);
            if chosen.is_empty() && fold.is_some() {
                chosen = of_kind(Kind::Count);
            }
            match chosen.is_empty() {
                true => found.push((at, fold)),
                false => found.append(&mut chosen),
            }
        }
        found
    }

    /// The kind of a fold, or of the part that it is.
    fn kind_of(&self, func: FuncId) -> Option<Kind> {
        let mut func = func;
        // What a part is part of was planned before it.
        loop {
            match self.plans.iter().find(|plan| plan.func == func)?.what {
                What::Kind(kind) => return Some(kind),
                What::Part(_, _, Some(part)) => func = part,
                What::CountOf(_) | What::Part(_, _, None) => return None,
            }
        }
    }

    /// The fold of a kind that a datatype has.
    fn fold(&self, sort: SortId, kind: Kind) -> Option<FuncId> {
        let is_it = |plan: &&Plan| match plan.what {
            What::Kind(of) => plan.sort == sort && of == kind,
            _ => false,
        };
        self.plans.iter().find(is_it).map(|plan| plan.func)
    }

    fn functions(&mut self) -> Result<Vec<Fold>, String> {
        let mut all = Vec::with_capacity(self.plans.len());
        for at in 0..self.plans.len() {
            let Plan { func, sort, what } = self.plans[at];
            let mut cases = Vec::new();
            for (tag, ctor) in ctors(self.store, sort).into_iter().enumerate() {
                let sorts = field_sorts(self.store, ctor);
                let fields: Vec<TermId> =
                    sorts.into_iter().map(|of| self.store.fresh_var("y", of)).collect();
                let value = self.case(sort, what, tag, ctor, &fields)?;
                cases.push(FoldCase { fields, value });
            }
            let is_watching = self.store.func(func).args.len() == 2;
            let params = self.watched.filter(|_| is_watching).into_iter().collect();
            all.push(Fold { func, level: 0, params, cases });
        }
        Ok(all)
    }

    fn case(
        &mut self,
        sort: SortId,
        what: What,
        tag: usize,
        ctor: CtorId,
        fields: &[TermId],
    ) -> Result<TermId, String> {
        let own = self.own(sort, ctor);
        let result = match what {
            What::Kind(kind) => return Ok(self.kind_case(sort, kind, tag, ctor, fields)),
            What::CountOf(counted) => {
                let mut parts = vec![self.store.int(i64::from(counted == ctor))];
                for at in own {
                    let of = self.store.sort(fields[at]);
                    let same = self.plans.iter().find(|plan| {
                        plan.sort == of && matches!(plan.what, What::CountOf(c) if c == counted)
                    });
                    if let Some(func) = same.map(|plan| plan.func) {
                        parts.push(self.applied(func, fields[at]));
                    }
                }
                return Ok(self.store.add(&parts));
            }
            What::Part(of, field, None) if of == ctor => return Ok(fields[field]),
            What::Part(of, field, Some(part)) if of == ctor => {
                return Ok(self.applied(part, fields[field]));
            }
            What::Part(of, field, None) => field_sorts(self.store, of)[field],
            What::Part(_, _, Some(part)) => self.store.func(part).result,
        };
        let default = Value::default_of(self.store, result);
        let default = default.and_then(|value| self.store.value_term(&value));
        let sort = self.store.show_sort(result);
        default.ok_or_else(|| format!("a field of sort {sort} has no default"))
    }

    fn kind_case(
        &mut self,
        sort: SortId,
        kind: Kind,
        tag: usize,
        ctor: CtorId,
        fields: &[TermId],
    ) -> TermId {
        let own = self.own(sort, ctor);
        let numbers: Vec<TermId> = (self.numbers_for(sort, ctor, kind).into_iter())
            .map(|(at, fold)| match fold {
                None => fields[at],
                Some(func) => self.applied(func, fields[at]),
            })
            .collect();
        // The folds of the same kind, and their counts, of the fields that are recursive.
        let mut below = Vec::new();
        let mut counts = Vec::new();
        for &at in &own {
            let of = self.store.sort(fields[at]);
            if let Some(func) = self.fold(of, kind) {
                below.push(self.applied(func, fields[at]));
                let count = self.fold(of, Kind::Count);
                counts.push(count.map(|func| self.applied(func, fields[at])));
            }
        }
        let (zero, one) = (self.store.int(0), self.store.int(1));
        match kind {
            Kind::Count | Kind::Height if own.is_empty() => zero,
            Kind::Digits if !self.is_written_in_digits(sort) => {
                let mut parts = below;
                parts.push(if own.is_empty() { zero } else { one });
                self.store.add(&parts)
            }
            Kind::Count => {
                below.push(one);
                self.store.add(&below)
            }
            Kind::Height => {
                let highest = below.into_iter().reduce(|a, b| self.larger(a, b)).unwrap_or(zero);
                self.store.add(&[highest, one])
            }
            Kind::Sum => {
                below.extend(numbers);
                below.push(zero);
                self.store.add(&below)
            }
            Kind::Tag if ctors(self.store, sort).len() == 2 => self.store.bool(tag == 1),
            Kind::Tag => self.store.int(tag as i64),
            Kind::Head => numbers.first().copied().unwrap_or(zero),
            Kind::Last => {
                let here = numbers.first().copied().unwrap_or(zero);
                self.past_ends(here, &below, &counts, |_, _, below| below)
            }
            Kind::Greatest => {
                let here = numbers.into_iter().reduce(|a, b| self.larger(a, b)).unwrap_or(zero);
                self.past_ends(here, &below, &counts, Self::larger)
            }
            Kind::Least => {
                let here = numbers.into_iter().reduce(|a, b| self.smaller(a, b)).unwrap_or(zero);
                self.past_ends(here, &below, &counts, Self::smaller)
            }
            Kind::Sorted => {
                let mut parts = below.clone();
                let next = own.first().and_then(|&at| {
                    let head = self.fold(self.store.sort(fields[at]), Kind::Head)?;
                    Some(self.applied(head, fields[at]))
                });
                if let (Some(&here), Some(next)) = (numbers.first(), next) {
                    let in_order = self.store.le(here, next);
                    let ends = match counts.first() {
                        Some(&Some(count)) => self.store.eq(count, zero),
                        _ => TermId::FALSE,
                    };
                    parts.push(self.store.or(&[ends, in_order]));
                }
                self.store.and(&parts)
            }
            Kind::Occurs => {
                let watched = self.watched.unwrap_or(zero);
                for number in numbers {
                    let is_it = self.store.eq(number, watched);
                    below.push(self.store.ite(is_it, one, zero));
                }
                below.push(zero);
                self.store.add(&below)
            }
            Kind::Each => zero,
            Kind::Digits => self.digits(sort, ctor, &below),
        }
    }

    /// Whether a datatype is a chain of several recursive constructors.
    pub(super) fn is_written_in_digits(&self, sort: SortId) -> bool {
        let all = ctors(self.store, sort);
        let own = all.iter().map(|&ctor| self.own(sort, ctor).len());
        own.clone().all(|count| count <= 1) && own.filter(|&count| count == 1).count() > 1
    }

    /// A number in as many digits as there are recursive constructors, the last one first; others are
    /// leading digits, from one on, so that different chains of one end are different numbers.
    fn digits(&mut self, sort: SortId, ctor: CtorId, below: &[TermId]) -> TermId {
        let is_recursive = |&other: &CtorId| !self.own(sort, other).is_empty();
        let (recursive, ends): (Vec<CtorId>, Vec<CtorId>) =
            ctors(self.store, sort).into_iter().partition(is_recursive);
        let Some(&rest) = below.first() else {
            let at = ends.iter().position(|&other| other == ctor).unwrap_or(0);
            return self.store.int(1 + at as i64);
        };
        let digit = recursive.iter().position(|&other| other == ctor).unwrap_or(0);
        let (base, digit) = (recursive.len() as i64, digit as i64);
        let (base, digit) = (self.store.int(base), self.store.int(digit));
        let product = self.store.mk(Op::Mul, &[base, rest]);
        self.store.add(&[product, digit])
    }

    /// A value joined with those of the fields that do not end there.
    fn past_ends(
        &mut self,
        here: TermId,
        below: &[TermId],
        counts: &[Option<TermId>],
        join: impl Fn(&mut Self, TermId, TermId) -> TermId,
    ) -> TermId {
        let zero = self.store.int(0);
        let mut value = here;
        for (&part, count) in below.iter().zip(counts) {
            let joined = join(self, value, part);
            value = match count {
                Some(count) => {
                    let ends = self.store.eq(*count, zero);
                    self.store.ite(ends, value, joined)
                }
                None => joined,
            };
        }
        value
    }

    fn larger(&mut self, a: TermId, b: TermId) -> TermId {
        let condition = self.store.le(a, b);
        self.store.ite(condition, b, a)
    }

    fn smaller(&mut self, a: TermId, b: TermId) -> TermId {
        let condition = self.store.le(a, b);
        self.store.ite(condition, a, b)
    }
}
