//! A clause's terms without arrays: what is read of an array becomes a number of its own.
//!
//! A read goes through writes, choices and constant arrays down to a variable; there it is a fresh
//! *element*, one for each variable and index. Equal indices have equal elements
//! (`Reading::congruence`). An equality of arrays becomes a truth value: where it is true, elements
//! agree at every index at which either side is read; where it is false, they differ at some index.
//! So the constraint that comes out is implied by the one that went in, with values for what is fresh.
//!
//! Arrays of arrays are read along a *path* of indices. Arrays that have indices which are arrays
//! themselves are opaque: what is read of them is anything.

use alphorn_smt::Linear;
use alphorn_term::{Op, Sort, SortId, Store, TermId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Where an array is read: an index for each of its dimensions.
pub(super) type Path = Vec<TermId>;

/// Whether values of a sort are truth values, numbers or words.
pub(super) fn is_plain(store: &Store, sort: SortId) -> bool {
    sort == SortId::BOOL || sort.is_arithmetic() || matches!(store.sort_of(sort), Sort::BitVec(_))
}

/// The sorts of an array's indices, outermost first, and of its elements; none where these are not
/// all plain.
pub(super) fn dimensions(store: &Store, sort: SortId) -> Option<(Vec<SortId>, SortId)> {
    let (mut indices, mut element) = (Vec::new(), sort);
    while let Sort::Array(index, inner) = store.sort_of(element) {
        indices.push(*index);
        element = *inner;
    }
    let all_plain = indices.iter().chain([&element]).all(|&sort| is_plain(store, sort));
    let is_treated = !indices.is_empty() && all_plain;
    is_treated.then_some((indices, element))
}

/// An index as a sum whose summands are in one order, so that equal indices are one term.
pub(super) fn ordered(store: &mut Store, index: TermId) -> TermId {
    if store.sort(index) != SortId::INT || !matches!(store.op(index), Op::Add | Op::Mul) {
        return index;
    }
    let form = Linear::of(store, index);
    if form.is_over_integers(store) { form.to_term(store, SortId::INT) } else { index }
}

/// An equality of arrays.
struct Equality {
    left: TermId,
    right: TermId,
    /// Whether they are equal.
    truth: TermId,
    /// Where they agree by now.
    seen: Vec<Path>,
}

/// The terms of a clause, being made array-free.
#[derive(Default)]
pub(super) struct Reading {
    /// Plain terms, with what they become.
    done: FxHashMap<TermId, TermId>,
    known: FxHashMap<(TermId, Path), TermId>,
    /// The elements that are read of each variable, in the order of the first read.
    elements: BTreeMap<TermId, Vec<(Path, TermId)>>,
    equalities: Vec<Equality>,
    /// What is known about fresh variables.
    pub(super) constraints: Vec<TermId>,
    /// The fresh variables.
    pub(super) fresh: Vec<TermId>,
}

impl Reading {
    /// A fresh variable of the clause.
    pub(super) fn fresh(&mut self, store: &mut Store, name: &str, sort: SortId) -> TermId {
        let var = store.fresh_var(name, sort);
        self.fresh.push(var);
        var
    }

    /// A plain term, without predicates, as one without arrays.
    pub(super) fn scalar(&mut self, store: &mut Store, term: TermId) -> TermId {
        for part in store.subterms(&[term]) {
            if !is_plain(store, store.sort(part)) || self.done.contains_key(&part) {
                continue;
            }
            let result = self.plain(store, part);
            self.done.insert(part, result);
        }
        self.done[&term]
    }

    /// A term whose plain arguments are done.
    fn plain(&mut self, store: &mut Store, part: TermId) -> TermId {
        let args = store.args(part).to_vec();
        if let Some(args) = args.iter().map(|arg| self.done.get(arg).copied()).collect() {
            let args: Vec<TermId> = args;
            return if args == store.args(part) { part } else { store.rebuild(part, &args) };
        }
        match (store.op(part), &args[..]) {
            (Op::Select, &[array, index]) if dimensions(store, store.sort(array)).is_some() => {
                let index = self.done[&index];
                self.read(store, array, &[index])
            }
            (Op::Eq, &[left, right]) => match dimensions(store, store.sort(left)) {
                Some((indices, _)) => self.equality(store, left, right, &indices),
                None => self.fresh(store, "same", SortId::BOOL),
            },
            _ => {
                let sort = store.sort(part);
                self.fresh(store, "any", sort)
            }
        }
    }

    fn equality(
        &mut self,
        store: &mut Store,
        left: TermId,
        right: TermId,
        indices: &[SortId],
    ) -> TermId {
        let truth = self.fresh(store, "same", SortId::BOOL);
        let names = indices.iter().map(|&sort| self.fresh(store, "differ", sort));
        let path: Path = names.collect();
        let (one, other) = (self.read(store, left, &path), self.read(store, right, &path));
        let agree = store.eq(one, other);
        let disagree = store.not(agree);
        self.constraints.push(store.or(&[truth, disagree]));
        self.equalities.push(Equality { left, right, truth, seen: Vec::new() });
        truth
    }

    /// The element of an array at a path that has all of its dimensions.
    pub(super) fn read(&mut self, store: &mut Store, array: TermId, path: &[TermId]) -> TermId {
        let path: &[TermId] =
            &path.iter().map(|&index| ordered(store, index)).collect::<Vec<TermId>>();
        let key = (array, path.to_vec());
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let args = store.args(array).to_vec();
        let result = match (store.op(array), &args[..]) {
            (Op::Store, &[older, index, value]) => {
                let index = self.scalar(store, index);
                let index = ordered(store, index);
                let written = self.inside(store, value, &path[1..]);
                let below = self.read(store, older, path);
                let is_there = store.eq(path[0], index);
                store.ite(is_there, written, below)
            }
            (Op::Ite, &[condition, then, otherwise]) => {
                let condition = self.scalar(store, condition);
                let then = self.read(store, then, path);
                let otherwise = self.read(store, otherwise, path);
                store.ite(condition, then, otherwise)
            }
            (Op::ConstArray, &[value]) => self.inside(store, value, &path[1..]),
            (Op::Select, &[outer, index]) if dimensions(store, store.sort(outer)).is_some() => {
                let mut longer = vec![self.scalar(store, index)];
                longer.extend(path);
                self.read(store, outer, &longer)
            }
            _ => self.element(store, array, path),
        };
        self.known.insert(key, result);
        result
    }

    /// What stands in an array: an element, or an array that is read further.
    fn inside(&mut self, store: &mut Store, value: TermId, path: &[TermId]) -> TermId {
        if path.is_empty() { self.scalar(store, value) } else { self.read(store, value, path) }
    }

    fn element(&mut self, store: &mut Store, array: TermId, path: &[TermId]) -> TermId {
        let sort = dimensions(store, store.sort(array)).map_or(SortId::INT, |(_, sort)| sort);
        let element = self.fresh(store, "cell", sort);
        self.elements.entry(array).or_default().push((path.to_vec(), element));
        element
    }

    /// The paths at which the variables of an array term are read, as paths of the term.
    pub(super) fn paths(&self, store: &Store, array: TermId) -> Vec<Path> {
        let depth = dimensions(store, store.sort(array)).map_or(0, |(indices, _)| indices.len());
        let (mut found, mut stack): (Vec<Path>, Vec<TermId>) = (Vec::new(), vec![array]);
        while let Some(term) = stack.pop() {
            let args = store.args(term);
            match (store.op(term), args) {
                (Op::Store, &[older, _, value]) => {
                    stack.push(older);
                    if self.elements.contains_key(&value) {
                        stack.push(value);
                    }
                }
                (Op::Ite, &[_, then, otherwise]) => stack.extend([otherwise, then]),
                (Op::Select, &[outer, _]) => stack.push(outer),
                _ => {
                    for (path, _) in self.elements.get(&term).into_iter().flatten() {
                        // Of an array inside, the indices outside are left out.
                        if let Some(from) = path.len().checked_sub(depth)
                            && !found.iter().any(|known| *known == path[from..])
                        {
                            found.push(path[from..].to_vec());
                        }
                    }
                }
            }
        }
        found
    }

    /// Makes equal arrays agree wherever they are read; whether something was added.
    pub(super) fn spread(&mut self, store: &mut Store) -> bool {
        let mut has_changed = false;
        for at in 0..self.equalities.len() {
            let Equality { left, right, truth, .. } = self.equalities[at];
            let mut paths = self.paths(store, left);
            paths.extend(self.paths(store, right));
            paths.extend(self.writes(store, left));
            paths.extend(self.writes(store, right));
            for path in paths {
                if self.equalities[at].seen.contains(&path) {
                    continue;
                }
                let (one, other) = (self.read(store, left, &path), self.read(store, right, &path));
                let agree = store.eq(one, other);
                self.constraints.push(store.implies(truth, agree));
                self.equalities[at].seen.push(path);
                has_changed = true;
            }
        }
        has_changed
    }

    /// Where an array of one dimension is written.
    fn writes(&mut self, store: &mut Store, mut array: TermId) -> Vec<Path> {
        let mut found = Vec::new();
        if dimensions(store, store.sort(array)).is_none_or(|(indices, _)| indices.len() != 1) {
            return found;
        }
        while let (Op::Store, &[older, index, _]) = (store.op(array), store.args(array)) {
            found.push(vec![self.scalar(store, index)]);
            array = older;
        }
        found
    }

    /// Says that elements at equal indices are equal.
    pub(super) fn congruence(&mut self, store: &mut Store) {
        for elements in self.elements.values() {
            for (at, (path, element)) in elements.iter().enumerate() {
                for (other_path, other) in &elements[..at] {
                    let pairs = path.iter().zip(other_path);
                    let mut parts: Vec<TermId> = Vec::with_capacity(path.len() + 1);
                    for (&one, &another) in pairs {
                        let equal = store.eq(one, another);
                        parts.push(store.not(equal));
                    }
                    parts.push(store.eq(*element, *other));
                    self.constraints.push(store.or(&parts));
                }
            }
        }
    }
}
