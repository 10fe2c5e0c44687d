//! Memory that is lost or left: what is still allocated, and whether anything points to it.

use super::memory::{Kind, Memory};
use super::value::{Address, ObjectId, Value};
use std::collections::BTreeSet;

/// Whether something is allocated and not freed.
pub fn is_left(memory: &Memory) -> bool {
    memory.living_objects().any(|(_, object)| object.kind == Kind::Heap)
}

/// What a search for lost memory found.
pub struct Search {
    /// Whether something is allocated that can be reached neither from the values that were given nor from an
    /// object that is not on the heap.
    pub is_lost: bool,
    /// How many values and objects it looked at.
    pub work: u64,
}

/// Looks for something that is allocated and cannot be reached.
pub fn search_lost<'a>(
    memory: &Memory,
    values: impl Iterator<Item = &'a Value>,
    inside: impl Iterator<Item = ObjectId>,
) -> Search {
    let mut work = 0;
    let mut open: Vec<ObjectId> = values
        .inspect(|_| work += 1)
        .filter_map(|value| match value {
            Value::Address(Address::Object(to)) | Value::Fragment(Address::Object(to), _) => {
                Some(to.object)
            }
            _ => None,
        })
        .collect();
    open.extend(inside);
    let others = memory.living_objects().filter(|(_, object)| object.kind != Kind::Heap);
    open.extend(others.map(|(id, _)| id));
    let mut reached: BTreeSet<ObjectId> = BTreeSet::new();
    while let Some(id) = open.pop() {
        work += 1;
        let Some(object) = memory.get(id) else { continue };
        if reached.insert(id) {
            open.extend(object.targets());
        }
    }
    let mut heap = memory.living_objects().filter(|(_, object)| object.kind == Kind::Heap);
    let is_lost = heap.any(|(id, _)| !reached.contains(&id));
    Search { is_lost, work: work + memory.places() }
}
