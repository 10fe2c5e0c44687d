//! Small inductive subsets: of the parts of a proof some that are still a proof.
//!
//! Engines learn more than they need. Given parts (clauses of an invariant, conjuncts of a model) that
//! together are inductive and give the property, find fewer that do. A part is *supported* by a set if
//! the set, one step before, implies it; the property is supported if the set implies it. A subset will
//! do if it supports each of its members and the property. Support grows with the set, which is all that
//! the methods rest on:
//!
//! * `nec` collects parts that every such subset has (an under-approximation),
//! * `feas` adds, round by round, a minimal set of parts that supports what was added before,
//! * `msis` removes parts until nothing can be removed any more: the result is minimal,
//! * `minimum` looks for one that has the fewest members of all.
//!
//! After Ivrii, Gurfinkel, Belov, "Small Inductive Safe Invariants" (FMCAD 2014). We differ in the
//! property, which is not one of the parts, in remembering for each part what supported it, so that it is
//! looked at again only when some of that is removed, and in the last method, which is not in the paper.
//! What a step is, and who is asked about it, is the business of those who have the parts.

pub mod feas;
pub mod minimum;
pub mod msis;
pub mod nec;

use crate::{Ctx, Stop};

/// How hard to look for a small subset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// What the proofs of the obligations use.
    Quick,
    /// The parts every subset has, and what these need, as one solver's answer says it.
    Nec,
    /// The same, but of each round's answer a minimal part.
    Feas,
    /// A subset of which nothing can be removed.
    #[default]
    Msis,
    /// A subset with the fewest members.
    Minimum,
}

/// What a set of parts can be asked to support: the property, or one of the parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Element {
    /// The property.
    Property,
    /// A part, by its position.
    Part(usize),
}

/// The members of a set that an answer rests on; nothing if the set is not enough.
pub type Core = Result<Option<Vec<usize>>, Stop>;

/// The questions about the parts of a proof.
pub trait Support {
    /// How many parts there are.
    fn count(&self) -> usize;

    /// The members of a set that support an element; nothing if the set does not.
    fn supporters(&mut self, element: Element, set: &[usize], ctx: &mut Ctx<'_>) -> Core;

    /// The members of a set that support all of several parts; nothing if the set does not.
    fn supporters_of_all(&mut self, parts: &[usize], set: &[usize], ctx: &mut Ctx<'_>) -> Core {
        let mut is_used = vec![false; self.count()];
        for &part in parts {
            let Some(used) = self.supporters(Element::Part(part), set, ctx)? else {
                return Ok(None);
            };
            used.into_iter().for_each(|index| is_used[index] = true);
        }
        Ok(Some(set.iter().copied().filter(|&index| is_used[index]).collect()))
    }

    /// A part without which the others do not support the element, other than those in `kept`.
    fn necessary(
        &mut self,
        element: Element,
        kept: &[bool],
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<usize>, Stop> {
        let all: Vec<usize> = (0..self.count()).collect();
        let Some(mut candidates) = self.supporters(element, &all, ctx)? else {
            return Err(Stop::Stuck("the proof is not inductive".into()));
        };
        candidates.retain(|&index| !kept[index]);
        // What is missing from one answer is not necessary.
        while let Some(candidate) = candidates.pop() {
            let others: Vec<usize> = all.iter().copied().filter(|&i| i != candidate).collect();
            match self.supporters(element, &others, ctx)? {
                Some(used) => candidates.retain(|index| used.contains(index)),
                None => return Ok(Some(candidate)),
            }
        }
        Ok(None)
    }

    /// Whether every question so far was answered: what could not be told counts as not supported.
    fn is_exact(&self) -> bool {
        true
    }
}

/// A subset that will do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subset {
    /// The positions of its members, in order.
    pub members: Vec<usize>,
    /// Whether it is known that none has fewer.
    pub is_least: bool,
}

/// A small subset of parts that will do together; `make` has the questions about some of them, which are
/// then at the positions of that list. Whoever asks for `Effort::Quick` gets them all.
pub fn small<S: Support>(
    count: usize,
    mut make: impl FnMut(&[usize]) -> Result<S, Stop>,
    effort: Effort,
    ctx: &mut Ctx<'_>,
) -> Result<Subset, Stop> {
    let all: Vec<usize> = (0..count).collect();
    if effort == Effort::Quick || count == 0 {
        return Ok(Subset { members: all, is_least: count == 0 });
    }
    let mut support = make(&all)?;
    let necessary = nec::nec(&mut support, ctx)?;
    let mut enough = feas::feas(&mut support, &necessary, effort != Effort::Nec, ctx)?;
    enough.sort_unstable();
    if matches!(effort, Effort::Nec | Effort::Feas) {
        let is_least = support.is_exact() && enough.len() == necessary.len();
        return Ok(Subset { members: enough, is_least });
    }
    // Fewer parts to choose from make more of them necessary.
    let mut among = make(&enough)?;
    let kept = nec::nec(&mut among, ctx)?;
    let minimal = msis::msis(&mut among, &kept, ctx)?;
    let minimal: Vec<usize> = minimal.into_iter().map(|index| enough[index]).collect();
    if effort == Effort::Msis {
        let is_least = support.is_exact() && minimal.len() == necessary.len();
        return Ok(Subset { members: minimal, is_least });
    }
    minimum::minimum(&mut support, &necessary, minimal, ctx)
}
