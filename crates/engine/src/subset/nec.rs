//! NEC: clauses that every subset that will do must have.
//!
//! The property is to be supported. If an element that is there anyway is not supported by all other
//! clauses together, that clause must stay. One question finds such a clause: is there a step that
//! violates the element and begins where at most one clause fails? Together there are at most two
//! questions per clause found.

use super::{Element, Support};
use crate::{Ctx, Stop};

/// The clauses found to be necessary.
pub fn nec(support: &mut impl Support, ctx: &mut Ctx<'_>) -> Result<Vec<usize>, Stop> {
    let mut is_necessary = vec![false; support.count()];
    let mut found: Vec<usize> = Vec::new();
    let mut waiting = vec![Element::Property];
    while let Some(element) = waiting.pop() {
        while let Some(index) = support.necessary(element, &is_necessary, ctx)? {
            is_necessary[index] = true;
            found.push(index);
            waiting.push(Element::Part(index));
        }
    }
    Ok(found)
}
