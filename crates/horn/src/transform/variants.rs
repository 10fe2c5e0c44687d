//! The transform `variants`: values of datatypes with several constructors become a tag and the fields.
//!
//! Options, results and the cells of a heap are of this kind. Constructors share what holds their fields
//! (`layout`), so a heap of structures has as many columns as its widest structure. Records and
//! enumerations inside are laid out with them.

use super::change::Applied;
use super::layout::{Kind, flatten};
use super::system::System;
use alphorn_engine::Ctx;
use alphorn_term::Store;

pub(super) fn apply(system: &System, store: &mut Store, ctx: &mut Ctx<'_>) -> Applied {
    flatten(Kind::All, system, store, ctx)
}
