//! The least subset, by demands that every subset that will do meets.
//!
//! A set that does not support an element is made as large as it can be while that is so; then every
//! subset that will do, and has the element, has one of the parts outside. Among the sets that meet all
//! such demands one with the fewest members is tried. If it supports the property and all its members it
//! is a least subset; if not, each element that it does not support gives a new demand. These are the
//! implicit hitting sets of Ignatiev, Previti, Liffiton, Marques-Silva, "Smallest MUS Extraction with
//! Minimal Hitting Set Dualization" (CP 2015), with demands that only some members make.
//!
//! How many members are needed only grows with the demands, so the search ends when that is as many as
//! the subset at hand has. Out of its budget that subset is the answer.

use super::{Element, Subset, Support};
use crate::settings::MINIMUM_MAX_TICKS;
use crate::{Ctx, Stop};

/// Who has the element (everybody, if it is the property) needs one of these.
struct Demand {
    by: Option<usize>,
    one_of: Vec<usize>,
}

/// A subset with the fewest members, or the one at hand if that is not found in time; `necessary` are
/// parts that every subset has.
pub fn minimum(
    support: &mut impl Support,
    necessary: &[usize],
    at_hand: Vec<usize>,
    ctx: &mut Ctx<'_>,
) -> Result<Subset, Stop> {
    let found =
        ctx.within(MINIMUM_MAX_TICKS.get(), |ctx| search(support, necessary, at_hand.len(), ctx));
    let (members, is_found) = match found {
        Ok(Some(fewer)) => (fewer, true),
        Ok(None) => (at_hand, true),
        Err(Stop::Budget(_)) => (at_hand, false),
        Err(other) => return Err(other),
    };
    Ok(Subset { members, is_least: is_found && support.is_exact() })
}

/// A least subset, if it has fewer than so many members.
fn search(
    support: &mut impl Support,
    necessary: &[usize],
    fewer_than: usize,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Vec<usize>>, Stop> {
    let mut is_chosen = vec![false; support.count()];
    necessary.iter().for_each(|&index| is_chosen[index] = true);
    let mut demands: Vec<Demand> = Vec::new();
    let mut limit = necessary.len();
    while limit < fewer_than {
        let mut choice = Choice {
            demands: &demands,
            is_chosen: is_chosen.clone(),
            is_barred: vec![false; is_chosen.len()],
        };
        if !choice.meets_all(necessary.len(), limit, ctx)? {
            limit += 1;
            continue;
        }
        let chosen = choice.is_chosen;
        let set = members(&chosen);
        let before = demands.len();
        let elements =
            std::iter::once(Element::Property).chain(set.iter().copied().map(Element::Part));
        for element in elements {
            if support.supporters(element, &set, ctx)?.is_some() {
                continue;
            }
            let by = match element {
                Element::Property => None,
                Element::Part(index) => Some(index),
            };
            let one_of = missing(support, element, &chosen, ctx)?;
            // Only what could not be told leaves nobody to ask for.
            if one_of.is_empty() {
                return Ok(None);
            }
            demands.push(Demand { by, one_of });
        }
        if demands.len() == before {
            return Ok(Some(set));
        }
    }
    Ok(None)
}

/// The parts outside a set that contains the one given, does not support an element, and cannot be larger.
fn missing(
    support: &mut impl Support,
    element: Element,
    chosen: &[bool],
    ctx: &mut Ctx<'_>,
) -> Result<Vec<usize>, Stop> {
    let mut is_in = chosen.to_vec();
    for index in 0..is_in.len() {
        if is_in[index] {
            continue;
        }
        is_in[index] = true;
        if support.supporters(element, &members(&is_in), ctx)?.is_some() {
            is_in[index] = false;
        }
    }
    Ok((0..is_in.len()).filter(|&index| !is_in[index]).collect())
}

fn members(is_in: &[bool]) -> Vec<usize> {
    (0..is_in.len()).filter(|&index| is_in[index]).collect()
}

/// A search among sets that meet demands.
struct Choice<'d> {
    demands: &'d [Demand],
    is_chosen: Vec<bool>,
    is_barred: Vec<bool>,
}

impl Choice<'_> {
    /// Whether members can be added, up to `limit` in all, so that all demands are met; they are then.
    fn meets_all(&mut self, size: usize, limit: usize, ctx: &mut Ctx<'_>) -> Result<bool, Stop> {
        ctx.tick(1 + self.demands.len() as u64)?;
        let mut open: Vec<Vec<usize>> = Vec::new();
        for demand in self.demands {
            let is_made = demand.by.is_none_or(|by| self.is_chosen[by]);
            if is_made && !demand.one_of.iter().any(|&index| self.is_chosen[index]) {
                let free = demand.one_of.iter().copied().filter(|&index| !self.is_barred[index]);
                open.push(free.collect());
            }
        }
        if open.is_empty() {
            return Ok(true);
        }
        open.sort_by_key(Vec::len);
        if size + apart(&open, self.is_chosen.len()) > limit {
            return Ok(false);
        }
        // Those at the end are the smaller ones.
        let narrowest = open.swap_remove(0);
        for &index in narrowest.iter().rev() {
            self.is_chosen[index] = true;
            if self.meets_all(size + 1, limit, ctx)? {
                return Ok(true);
            }
            self.is_chosen[index] = false;
            self.is_barred[index] = true;
        }
        narrowest.iter().for_each(|&index| self.is_barred[index] = false);
        Ok(false)
    }
}

/// How many of the demands have nobody in common, taken one after the other: so many more are needed.
fn apart(open: &[Vec<usize>], count: usize) -> usize {
    let mut is_taken = vec![false; count];
    let mut found = 0;
    for free in open {
        if !free.iter().any(|&index| is_taken[index]) {
            found += 1;
            free.iter().for_each(|&index| is_taken[index] = true);
        }
    }
    found
}
