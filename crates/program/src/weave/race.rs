//! Races: an access while another thread is about to make one to the same place.

use super::thread::{Node, Thread};
use super::{DONE, NOT_YET, Places};
use crate::form::Access;
use alphorn_term::{Store, TermId};

/// That the access which a thread makes at a node races with none that others are about to make; none if there is
/// nothing to say.
pub fn race_free(
    store: &mut Store,
    threads: &[Thread],
    places: &Places,
    thread: usize,
    node: &Node,
) -> Option<TermId> {
    let own = node.access.as_ref()?;
    let mut races = Vec::new();
    for (other, &place) in places.iter().enumerate() {
        if other == thread || place == DONE || place == NOT_YET {
            continue;
        }
        let Some(pending) = &threads[other].nodes[place as usize].access else { continue };
        races.extend(racing(store, node, own, pending));
    }
    let any = store.or(&races);
    (!races.is_empty()).then(|| store.not(any))
}

/// That an access which is made at a node and one that another thread is about to make race; none if they never do.
pub fn racing(store: &mut Store, node: &Node, own: &Access, pending: &Access) -> Option<TermId> {
    // In an atomic section the access is atomic, whatever it is to.
    let is_atomic = own.is_atomic || node.depth > 0;
    let may = (own.is_write || pending.is_write) && !(is_atomic && pending.is_atomic);
    may.then(|| same_place(store, own, pending)).flatten()
}

/// That two accesses are to the same place; none if they never are.
fn same_place(store: &mut Store, one: &Access, two: &Access) -> Option<TermId> {
    if !one.vars.iter().any(|var| two.vars.contains(var)) {
        return None;
    }
    let pairs = one.selectors.iter().zip(&two.selectors);
    let mut all: Vec<TermId> = vec![one.guard, two.guard];
    all.extend(pairs.map(|(&one, &two)| store.eq(one, two)).collect::<Vec<_>>());
    Some(store.and(&all))
}
