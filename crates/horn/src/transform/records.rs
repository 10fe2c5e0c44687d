//! The transform `records`: an argument or a variable of a datatype with one constructor becomes its
//! fields.
//!
//! Programs pass structures, tuples and whole states along, of which each clause looks at a few fields;
//! engines and other transforms look at arguments one by one. Arrays of records become an array per
//! field, arrays indexed by records become arrays of arrays (`layout`).

use super::change::Applied;
use super::layout::{Kind, flatten};
use super::system::System;
use alphorn_engine::Ctx;
use alphorn_term::Store;

pub(super) fn apply(system: &System, store: &mut Store, ctx: &mut Ctx<'_>) -> Applied {
    flatten(Kind::Records, system, store, ctx)
}
