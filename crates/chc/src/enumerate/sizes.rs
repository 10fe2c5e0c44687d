//! The values of a sort, small ones first.
//!
//! A value's size is the number of its constructors; numbers count as much as they are away from zero. All values of a size
//! are made of smaller ones, once. A sort ends where the next size would have too many.

use super::heap::{Ground, Heap};
use crate::settings::ENUMERATE_MAX_VALUES;
use alphorn_engine::{Ctx, Stop};
use alphorn_term::{Bv, Int, Rat, Sort, SortId, Store, Value};
use std::collections::BTreeMap;
use std::ops::Range;

/// How many sizes without values there are before those with no more: constructors of many fields jump.
const MAX_GAP: usize = 40;

/// What values are made with.
pub(super) struct With<'a, 'c> {
    pub(super) store: &'a Store,
    pub(super) heap: &'a mut Heap,
    pub(super) ctx: &'a mut Ctx<'c>,
}

/// What is known of a sort.
#[derive(Default)]
struct Layers {
    /// All so far.
    values: Vec<Ground>,
    /// Where those of each size end.
    ends: Vec<usize>,
    /// Whether there are too many beyond.
    has_ended: bool,
}

/// The values of all sorts, as far as they were asked for.
#[derive(Default)]
pub(super) struct Sizes {
    sorts: BTreeMap<SortId, Layers>,
}

impl Sizes {
    /// The value of a sort at a place; none if it has no more, or too many.
    pub(super) fn get(
        &mut self,
        with: &mut With<'_, '_>,
        sort: SortId,
        place: usize,
    ) -> Result<Option<Ground>, Stop> {
        loop {
            let layers = self.sorts.entry(sort).or_default();
            if let Some(&value) = layers.values.get(place) {
                return Ok(Some(value));
            }
            let size = layers.ends.len();
            let empty = layers.ends.iter().rev().take_while(|&&end| end == layers.values.len());
            if layers.has_ended || empty.count() > MAX_GAP {
                return Ok(None);
            }
            self.grow(with, sort, size)?;
        }
    }

    /// The values of a size, by their places.
    fn layer(
        &mut self,
        with: &mut With<'_, '_>,
        sort: SortId,
        size: usize,
    ) -> Result<Range<usize>, Stop> {
        loop {
            let layers = self.sorts.entry(sort).or_default();
            let known = layers.ends.len();
            if let Some(&end) = layers.ends.get(size) {
                let first = if size == 0 { 0 } else { layers.ends[size - 1] };
                return Ok(first..end);
            }
            if layers.has_ended {
                return Ok(0..0);
            }
            self.grow(with, sort, known)?;
        }
    }

    /// Makes the values of the next size.
    fn grow(&mut self, with: &mut With<'_, '_>, sort: SortId, size: usize) -> Result<(), Stop> {
        let made = self.made(with, sort, size)?;
        let layers = self.sorts.entry(sort).or_default();
        match made {
            Some(made) => {
                layers.values.extend(made);
                layers.ends.push(layers.values.len());
            }
            None => layers.has_ended = true,
        }
        Ok(())
    }

    /// All values of a size, if they are not too many.
    fn made(
        &mut self,
        with: &mut With<'_, '_>,
        sort: SortId,
        size: usize,
    ) -> Result<Option<Vec<Ground>>, Stop> {
        let Sort::Data(data) = with.store.sort_of(sort) else {
            let Some(values) = scalars(with.store.sort_of(sort), size) else { return Ok(None) };
            return Ok(values.iter().map(|value| with.heap.write(value)).collect());
        };
        let mut found = Vec::new();
        for &ctor in &with.store.data(*data).ctors {
            let fields: Vec<SortId> =
                with.store.ctor(ctor).fields.iter().map(|(_, sort)| *sort).collect();
            // The first fields of a value, and what is left for the others, which have one at least.
            let mut partial: Vec<(Vec<Ground>, usize)> = match size.checked_sub(1 + fields.len()) {
                Some(rest) => vec![(Vec::new(), rest)],
                None => continue,
            };
            for (at, &field) in fields.iter().enumerate() {
                let mut longer = Vec::new();
                for (first, rest) in partial {
                    let is_last = at + 1 == fields.len();
                    let least = if is_last { rest } else { 0 };
                    for more in least..=rest {
                        with.ctx.tick(1)?;
                        let layer = self.layer(with, field, 1 + more)?;
                        for &value in &self.sorts[&field].values[layer] {
                            longer.push(([&first[..], &[value]].concat(), rest - more));
                        }
                        if longer.len() + found.len() > ENUMERATE_MAX_VALUES.size() {
                            return Ok(None);
                        }
                    }
                }
                partial = longer;
            }
            for (fields, rest) in partial {
                if rest == 0 {
                    with.ctx.tick(1)?;
                    let Some(made) = with.heap.data(ctor, &fields) else { return Ok(None) };
                    found.push(made);
                }
            }
        }
        Ok(Some(found))
    }
}

/// The values of a size of a sort without constructors; none if it has none that could be named.
fn scalars(sort: &Sort, size: usize) -> Option<Vec<Value>> {
    let Some(from_zero) = size.checked_sub(1) else { return Some(Vec::new()) };
    let away = from_zero as i64;
    let both = if away == 0 { vec![0] } else { vec![away, -away] };
    match sort {
        Sort::Bool if away == 0 => Some(vec![Value::Bool(false), Value::Bool(true)]),
        Sort::Bool => Some(Vec::new()),
        Sort::Int => Some(both.into_iter().map(|n| Value::Int(Int::from(n))).collect()),
        Sort::Real => Some(both.into_iter().map(|n| Value::Real(Rat::from(n))).collect()),
        Sort::BitVec(width) => {
            let word = |n: i64| Bv::from_int(*width, &Int::from(n));
            // Words come round: half of them are above zero.
            let half = 1u64.checked_shl(width - 1).unwrap_or(u64::MAX);
            let mut words: Vec<Bv> = both.into_iter().map(word).collect();
            words.dedup();
            words.truncate(if away as u64 > half { 0 } else { 2 });
            Some(words.into_iter().map(Value::Bv).collect())
        }
        _ => None,
    }
}
