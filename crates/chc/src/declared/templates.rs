//! Functions as terms with unknowns.
//!
//! Arrays that are the same throughout a derivation and are only read are functions (`roles`), and axioms about them may
//! ask for ones that differ from themselves at infinitely many places: injective ones, growing ones, inverses of each
//! other. So a function is looked for among terms over its arguments: a sum of some of them, each with a
//! sign, and an unknown number; with some exceptions, unknown as well. Where elements of a declared sort are
//! read at an index and written at one, they are arrays, reading is `select` and writing is `store`; elements of
//! other declared sorts are integers.
//!
//! Templates as invariants are looked for with them; that they are functions, and which, is ours.

use super::roles::Function;
use alphorn_problem::Horn;
use alphorn_problem::horn::Head;
use alphorn_term::{Op, Sort, SortId, Store, TermId};
use std::collections::BTreeSet;

/// What functions may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Family {
    /// At how many places a function may be anything.
    pub exceptions: usize,
    /// Whether arguments may be taken twice.
    pub doubles: bool,
}

/// A term for what a function is.
#[derive(Clone, Debug)]
pub(super) struct Template {
    /// Its arguments.
    pub args: Vec<TermId>,
    /// What is unknown.
    pub unknowns: Vec<TermId>,
    pub body: TermId,
}

/// How elements of a declared sort are read and written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Map {
    sort: SortId,
    /// The sort of arrays that elements are.
    values: SortId,
    /// The functions, by position.
    reader: usize,
    writer: usize,
}

/// What a function does, if its name for it is known.
#[derive(Clone, Copy, Debug)]
pub(super) enum Role {
    Reads,
    Writes,
    Any,
}

/// The declared sorts whose elements a function of the system reads at indices, giving values, and another one writes at
/// such indices, given such values.
pub(super) fn maps(horn: &Horn, functions: &[Function]) -> Vec<Map> {
    let mut found: Vec<Map> = Vec::new();
    for (reader, own) in functions.iter().enumerate() {
        let &[sort, ref rest @ ..] = &own.args[..] else { continue };
        let is_known = found.iter().any(|map| map.sort == sort);
        if rest.is_empty() || is_known || !is_declared(&horn.terms, sort) || own.result == sort {
            continue;
        }
        let written: Vec<SortId> = [&own.args[..], &[own.result]].concat();
        let writes = |other: &Function| other.result == sort && other.args == written;
        let Sort::Array(_, values) = *horn.terms.sort_of(own.sort) else { continue };
        if let Some(writer) = functions.iter().position(writes) {
            found.push(Map { sort, values, reader, writer });
        }
    }
    found
}

/// What is put for declared sorts: arrays for those that are maps, integers for the others.
pub(super) fn sorts(horn: &Horn, maps: &[Map]) -> Vec<(SortId, SortId)> {
    let mut declared: BTreeSet<SortId> = BTreeSet::new();
    for clause in &horn.clauses {
        let mut roots = [&clause.vars[..], &[clause.body]].concat();
        if let Head::Atom(_, args) = &clause.head {
            roots.extend(args);
        }
        for term in horn.terms.subterms(&roots) {
            let sort = horn.terms.sort(term);
            if is_declared(&horn.terms, sort) {
                declared.insert(sort);
            }
        }
    }
    declared.retain(|sort| !maps.iter().any(|map| map.sort == *sort));
    let mut all: Vec<(SortId, SortId)> =
        declared.into_iter().map(|sort| (sort, SortId::INT)).collect();
    all.extend(maps.iter().map(|map| (map.sort, map.values)));
    all
}

fn is_declared(store: &Store, sort: SortId) -> bool {
    matches!(store.sort_of(sort), Sort::Uninterpreted(..))
}

/// What the function at a position does.
pub(super) fn role(maps: &[Map], position: usize) -> Role {
    match maps.iter().find(|map| [map.reader, map.writer].contains(&position)) {
        Some(map) if map.reader == position => Role::Reads,
        Some(_) => Role::Writes,
        None => Role::Any,
    }
}

/// A template for a function of arguments and a result of these sorts, with fresh variables.
pub(super) fn template(
    store: &mut Store,
    (sorts, result): (&[SortId], SortId),
    role: Role,
    family: Family,
) -> Template {
    let args: Vec<TermId> = sorts.iter().map(|&sort| store.fresh_var("x", sort)).collect();
    let mut made = Template { args, unknowns: Vec::new(), body: TermId::TRUE };
    match (role, &made.args[..]) {
        (Role::Reads, &[map, ref at @ ..]) => {
            made.body = at.iter().fold(map, |array, &index| store.select(array, index));
            return made;
        }
        (Role::Writes, &[map, ref at @ .., value]) => {
            made.body = written(store, map, at, value);
            return made;
        }
        _ => {}
    }
    made.body = match *store.sort_of(result) {
        Sort::Int | Sort::Real | Sort::BitVec(_) => made.sum(store, result, family),
        _ => made.choice(store, result),
    };
    for _ in 0..family.exceptions {
        let mut same = Vec::with_capacity(made.args.len());
        for arg in made.args.clone() {
            let place = made.unknown(store, "at", store.sort(arg));
            same.push(store.eq(arg, place));
        }
        let (is_here, value) = (store.and(&same), made.unknown(store, "value", result));
        made.body = store.ite(is_here, value, made.body);
    }
    made
}

/// An array of arrays with the value at indices replaced.
fn written(store: &mut Store, array: TermId, at: &[TermId], value: TermId) -> TermId {
    let Some((&first, rest)) = at.split_first() else { return value };
    let inner = store.select(array, first);
    let inner = written(store, inner, rest, value);
    store.mk(Op::Store, &[array, first, inner])
}

impl Template {
    fn unknown(&mut self, store: &mut Store, name: &str, sort: SortId) -> TermId {
        let unknown = store.fresh_var(name, sort);
        self.unknowns.push(unknown);
        unknown
    }

    /// A sum of arguments of its sort, or their negations, and a number.
    fn sum(&mut self, store: &mut Store, sort: SortId, family: Family) -> TermId {
        let is_word = matches!(store.sort_of(sort), Sort::BitVec(_));
        let plus = if is_word { Op::BvAdd } else { Op::Add };
        let mut whole = self.unknown(store, "number", sort);
        for arg in self.args.clone() {
            if store.sort(arg) != sort {
                continue;
            }
            let is_there = self.unknown(store, "counts", SortId::BOOL);
            let is_negative = self.unknown(store, "negative", SortId::BOOL);
            let negated = match is_word {
                true => store.mk(Op::BvNeg, &[arg]),
                false => store.neg(arg),
            };
            let mut part = store.ite(is_negative, negated, arg);
            if family.doubles {
                let is_twice = self.unknown(store, "twice", SortId::BOOL);
                let twice = store.mk(plus, &[part, part]);
                part = store.ite(is_twice, twice, part);
            }
            let more = store.mk(plus, &[whole, part]);
            whole = store.ite(is_there, more, whole);
        }
        whole
    }

    /// An argument of its sort, or a value.
    fn choice(&mut self, store: &mut Store, sort: SortId) -> TermId {
        let mut whole = self.unknown(store, "value", sort);
        for arg in self.args.clone() {
            if store.sort(arg) == sort {
                let is_it = self.unknown(store, "is", SortId::BOOL);
                whole = store.ite(is_it, arg, whole);
            }
        }
        whole
    }
}
