//! The transform `enumerations`: values of datatypes whose constructors have no fields become truth
//! values, if there are two of them, or numbers that are kept in their bounds.
//!
//! Numbers are what bounds, splits by constants and interpolants are made for (`layout`).

use super::change::Applied;
use super::layout::{Kind, flatten};
use super::system::System;
use alphorn_engine::Ctx;
use alphorn_term::Store;

pub(super) fn apply(system: &System, store: &mut Store, ctx: &mut Ctx<'_>) -> Applied {
    flatten(Kind::Enumerations, system, store, ctx)
}
