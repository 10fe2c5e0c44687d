//! Columns: formulas about them as formulas about the arrays that they are columns of.
//!
//! The column of a field is the array of the values that the field has in the elements of an array. No
//! term says that, so a column is an application of a function made for it, and a formula is rid of
//! these: what is read of a column is the field of what is read of the array, through writes, cases and
//! constants. Arrays of which all columns are equal are equal; single columns are equal if they are equal
//! at every index, which needs a quantifier.
//!
//! Invariant: where a formula comes back, no column is left in it.

use super::Layout;
use super::parts::{parts_of, term_of_parts};
use super::testers::with_testers;
use alphorn_engine::Lost;
use alphorn_term::{FuncId, Op, Sort, Store, TermId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// How deep reads go through writes and cases at most.
const MAX_NESTED: usize = 500;

/// The functions that columns are applications of.
#[derive(Clone, Debug, Default)]
pub(in crate::transform) struct Columns {
    /// The array's layout, and which of its columns.
    of: BTreeMap<FuncId, (Arc<Layout>, usize)>,
    /// Whether tags may be mentioned.
    has_tags: bool,
}

impl Columns {
    /// Without columns; `has_tags` says whether formulas may mention tags.
    pub(super) fn new(has_tags: bool) -> Columns {
        Columns { has_tags, ..Columns::default() }
    }

    /// A column of an array.
    pub(super) fn column(
        &mut self,
        store: &mut Store,
        layout: &Arc<Layout>,
        at: usize,
        array: TermId,
    ) -> TermId {
        let sort = store.sort(array);
        let is_it = |(func, (_, place)): &(&FuncId, &(Arc<Layout>, usize))| {
            *place == at && store.func(**func).args == [sort]
        };
        let known = self.of.iter().find(is_it).map(|(&func, _)| func);
        let func = known.unwrap_or_else(|| {
            let name = format!("column {at}");
            let func = store.declare(&name, &[sort], layout.sorts()[at]);
            self.of.insert(func, (Arc::clone(layout), at));
            func
        });
        store.mk(Op::Apply(func), &[array])
    }

    /// A formula without columns and tags that says the same.
    pub(in crate::transform) fn written_out(
        &self,
        store: &mut Store,
        formula: TermId,
    ) -> Result<TermId, Lost> {
        let formula = self.without_columns(store, formula)?;
        Ok(if self.has_tags { with_testers(store, formula) } else { formula })
    }

    fn without_columns(&self, store: &mut Store, formula: TermId) -> Result<TermId, Lost> {
        if self.of.is_empty() || !store.has_apply(formula) {
            return Ok(formula);
        }
        let columns = self.clone();
        let mut work = Work { store, columns, done: FxHashMap::default() };
        for term in work.store.subterms(&[formula]) {
            if let Some(result) = work.term(term) {
                work.done.insert(term, result);
            }
        }
        let lost = || Lost("a formula about columns of arrays has no form without them".to_owned());
        work.done.get(&formula).copied().ok_or_else(lost)
    }
}

/// A formula at work.
struct Work<'a> {
    store: &'a mut Store,
    columns: Columns,
    /// What terms became that need no columns; the others are arrays.
    done: FxHashMap<TermId, TermId>,
}

impl Work<'_> {
    /// A term without columns, if there is one.
    fn term(&mut self, term: TermId) -> Option<TermId> {
        if !self.store.has_apply(term) {
            return Some(term);
        }
        let (op, args) = (self.store.op(term), self.store.args(term).to_vec());
        if let Op::Apply(func) = op
            && self.columns.of.contains_key(&func)
        {
            return self.read(term, &[], 0);
        }
        if op == Op::And {
            let args = self.joined(&args);
            let flat: Option<Vec<TermId>> =
                args.iter().map(|arg| self.done.get(arg).copied()).collect();
            return flat.map(|flat| self.store.and(&flat));
        }
        let flat: Option<Vec<TermId>> =
            args.iter().map(|arg| self.done.get(arg).copied()).collect();
        if let Some(flat) = flat {
            let same = flat == args;
            return Some(if same { term } else { self.store.rebuild(term, &flat) });
        }
        match op {
            Op::Select => {
                let index = *self.done.get(&args[1])?;
                self.read(args[0], &[index], 0)
            }
            Op::Eq => self.equation(args[0], args[1]),
            Op::Distinct => {
                let mut parts = Vec::new();
                for (at, &left) in args.iter().enumerate() {
                    for &right in &args[at + 1..] {
                        let same = self.equation(left, right)?;
                        parts.push(self.store.not(same));
                    }
                }
                Some(self.store.and(&parts))
            }
            _ => None,
        }
    }

    /// Conjuncts with one equation of arrays for the equations of all of their columns.
    fn joined(&mut self, conjuncts: &[TermId]) -> Vec<TermId> {
        let mut groups: BTreeMap<TermId, Vec<(usize, TermId, TermId)>> = BTreeMap::new();
        for &conjunct in conjuncts {
            let (Op::Eq, &[left, right]) = (self.store.op(conjunct), self.store.args(conjunct))
            else {
                continue;
            };
            for (side, other) in [(left, right), (right, left)] {
                if let Some((array, at, _)) = self.column(side) {
                    groups.entry(array).or_default().push((at, other, conjunct));
                }
            }
        }
        let mut result = conjuncts.to_vec();
        for (array, mut equations) in groups {
            equations.sort_unstable_by_key(|&(at, ..)| at);
            let sides: Vec<TermId> = equations.iter().map(|&(_, other, _)| other).collect();
            let is_whole = equations.iter().enumerate().all(|(place, &(at, ..))| at == place);
            if let Some(other) = self.whole_of(array, &sides)
                && is_whole
            {
                result.retain(|conjunct| equations.iter().all(|(.., known)| known != conjunct));
                let whole = self.store.eq(array, other);
                self.done.insert(whole, whole);
                result.push(whole);
            }
        }
        result
    }

    /// The array of the sort of another that has these columns, if it is one of ours or a constant.
    fn whole_of(&mut self, like: TermId, columns: &[TermId]) -> Option<TermId> {
        let sort = self.store.sort(like);
        let is_like =
            |(func, _): &(&FuncId, &(Arc<Layout>, usize))| self.store.func(**func).args == [sort];
        let (_, (layout, _)) = self.columns.of.iter().find(is_like)?;
        let layout = Arc::clone(layout);
        let Layout::Array { index, element, .. } = &*layout else { return None };
        if columns.len() != layout.width() {
            return None;
        }
        let first = self.column(*columns.first()?);
        if let Some((array, ..)) = first {
            let is_next = |(place, &column): (usize, &TermId)| {
                self.column(column).is_some_and(|(of, at, _)| of == array && at == place)
            };
            return columns.iter().enumerate().all(is_next).then_some(array);
        }
        let mut values = Vec::with_capacity(columns.len());
        for &column in columns {
            let mut value = column;
            for _ in 0..index.width() {
                if self.store.op(value) != Op::ConstArray {
                    return None;
                }
                value = self.store.args(value)[0];
            }
            values.push(*self.done.get(&value)?);
        }
        let value = term_of_parts(self.store, element, &values)?;
        Some(self.store.const_array(sort, value))
    }

    /// The array, the place and the layout, if a term is a column.
    fn column(&self, term: TermId) -> Option<(TermId, usize, Arc<Layout>)> {
        let Op::Apply(func) = self.store.op(term) else { return None };
        let (layout, at) = self.columns.of.get(&func)?;
        Some((self.store.args(term)[0], *at, Arc::clone(layout)))
    }

    /// That two arrays are equal: as wholes, or at every index.
    fn equation(&mut self, left: TermId, right: TermId) -> Option<TermId> {
        for (side, other) in [(left, right), (right, left)] {
            if let Some((array, ..)) = self.column(side)
                && let Some(other) = self.whole_of(array, &[other])
            {
                return Some(self.store.eq(array, other));
            }
        }
        let mut sort = self.store.sort(left);
        let mut indices = Vec::new();
        while let Sort::Array(index, element) = self.store.sort_of(sort).clone() {
            indices.push(self.store.fresh_var("i", index));
            sort = element;
            let values = (self.read(left, &indices, 0), self.read(right, &indices, 0));
            if let (Some(left), Some(right)) = values {
                let same = self.store.eq(left, right);
                return Some(self.store.forall(&indices, same));
            }
        }
        None
    }

    /// What an array of arrays has at some indices, one after the other.
    fn read(&mut self, array: TermId, indices: &[TermId], depth: usize) -> Option<TermId> {
        if let Some(&done) = self.done.get(&array) {
            return Some(indices.iter().fold(done, |of, &at| self.store.select(of, at)));
        }
        if depth > MAX_NESTED {
            return None;
        }
        let args = self.store.args(array).to_vec();
        match self.store.op(array) {
            Op::Apply(func) => self.read_column(func, args[0], indices, depth),
            Op::Select => {
                let index = *self.done.get(&args[1])?;
                self.read(args[0], &[&[index], indices].concat(), depth + 1)
            }
            Op::Store => {
                let (&first, rest) = indices.split_first()?;
                let index = *self.done.get(&args[1])?;
                let here = self.store.eq(index, first);
                let value = self.read(args[2], rest, depth + 1)?;
                let other = self.read(args[0], indices, depth + 1)?;
                Some(self.store.ite(here, value, other))
            }
            Op::ConstArray => {
                let (_, rest) = indices.split_first()?;
                self.read(args[0], rest, depth + 1)
            }
            Op::Ite => {
                let condition = *self.done.get(&args[0])?;
                let then = self.read(args[1], indices, depth + 1)?;
                let otherwise = self.read(args[2], indices, depth + 1)?;
                Some(self.store.ite(condition, then, otherwise))
            }
            _ => None,
        }
    }

    fn read_column(
        &mut self,
        func: FuncId,
        array: TermId,
        indices: &[TermId],
        depth: usize,
    ) -> Option<TermId> {
        let (layout, at) = self.columns.of.get(&func)?.clone();
        let Layout::Array { index, element, .. } = &*layout else { return None };
        let (own, rest) = indices.split_at_checked(index.width())?;
        let whole = term_of_parts(self.store, index, own)?;
        let value = self.store.select(array, whole);
        let parts = parts_of(self.store, element, value, Some(&mut self.columns))?;
        let part = parts[at];
        match self.store.op(part) {
            Op::Apply(func) if self.columns.of.contains_key(&func) => {
                self.read(part, rest, depth + 1)
            }
            _ if self.store.has_apply(part) => None,
            _ => Some(rest.iter().fold(part, |of, &at| self.store.select(of, at))),
        }
    }
}
