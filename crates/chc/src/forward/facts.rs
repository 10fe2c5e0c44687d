//! The facts found so far: per predicate an insertion-ordered set, indexed on demand.
//!
//! A fact keeps the clause instance that concluded it, so that a derivation can be read off
//! backwards. Facts are never removed; those of one height stand together, so "older facts",
//! "facts of the last height" and "all known facts" are ranges of positions. An index maps a
//! value at an argument position to the positions of the facts that have it, in order.

use crate::settings::{FORWARD_MAX_BITS, FORWARD_MAX_NODES};
use alphorn_problem::horn::{ClauseId, PredId};
use alphorn_term::Value;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The size of a value, in numbers, constructors and array entries; none if it is too large to
/// keep. Shared parts count as often as they occur, because hashing looks at all of them.
pub(super) fn size(value: &Value) -> Option<u64> {
    let mut size = 0;
    let mut stack = vec![value];
    while let Some(value) = stack.pop() {
        size += 1;
        let bits = match value {
            Value::Int(value) => value.bit_len(),
            Value::Real(value) => value.numerator().bit_len().max(value.denominator().bit_len()),
            _ => 0,
        };
        if size > FORWARD_MAX_NODES.get() || bits > FORWARD_MAX_BITS.size() {
            return None;
        }
        value.push_parts(&mut stack);
    }
    Some(size)
}

/// A ground instance of a clause: its variables' values and the facts its body uses.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    pub clause: ClauseId,
    pub values: Vec<Value>,
    pub premises: Vec<(PredId, u32)>,
}

/// The facts of one predicate.
#[derive(Default)]
pub(super) struct Relation {
    facts: Vec<(Arc<[Value]>, Instance)>,
    position_of: FxHashMap<Arc<[Value]>, u32>,
    /// For each argument position, once asked for: the facts with a value there.
    by_argument: Vec<Option<FxHashMap<Value, Vec<u32>>>>,
}

impl Relation {
    pub fn new(arity: usize) -> Relation {
        Relation { by_argument: (0..arity).map(|_| None).collect(), ..Relation::default() }
    }

    pub fn len(&self) -> u32 {
        self.facts.len() as u32
    }

    pub fn args(&self, fact: u32) -> &Arc<[Value]> {
        &self.facts[fact as usize].0
    }

    pub fn instance(&self, fact: u32) -> &Instance {
        &self.facts[fact as usize].1
    }

    pub fn find(&self, args: &[Value]) -> Option<u32> {
        self.position_of.get(args).copied()
    }

    /// Adds a fact; whether it was not there.
    pub fn insert(&mut self, args: Vec<Value>, instance: impl FnOnce() -> Instance) -> bool {
        if self.position_of.contains_key(args.as_slice()) {
            return false;
        }
        let args: Arc<[Value]> = args.into();
        let position = self.len();
        for (value, index) in args.iter().zip(&mut self.by_argument) {
            if let Some(index) = index {
                index.entry(value.clone()).or_default().push(position);
            }
        }
        self.position_of.insert(Arc::clone(&args), position);
        self.facts.push((args, instance()));
        true
    }

    /// The facts whose argument number `argument` is `value`, in order.
    pub fn with_argument(&mut self, argument: usize, value: &Value) -> &[u32] {
        let facts = &self.facts;
        let index = self.by_argument[argument].get_or_insert_with(|| {
            let mut index: FxHashMap<Value, Vec<u32>> = FxHashMap::default();
            for (position, (args, _)) in facts.iter().enumerate() {
                index.entry(args[argument].clone()).or_default().push(position as u32);
            }
            index
        });
        index.get(value).map_or(&[], Vec::as_slice)
    }
}

/// The facts of all predicates, and which of them the search may use.
pub(super) struct Facts {
    pub relations: Vec<Relation>,
    /// Per predicate, how many facts are older than the last complete height.
    pub old: Vec<u32>,
    /// Per predicate, how many facts belong to complete heights.
    pub known: Vec<u32>,
    /// Facts of all predicates together.
    pub total: u64,
    /// Values stored in facts and their instances: a measure of memory.
    pub stored: u64,
}

impl Facts {
    pub fn new(arities: impl Iterator<Item = usize>) -> Facts {
        let relations: Vec<Relation> = arities.map(Relation::new).collect();
        let count = relations.len();
        Facts { relations, old: vec![0; count], known: vec![0; count], total: 0, stored: 0 }
    }

    /// Makes what was added since the last call the last complete height; how much that is.
    pub fn next_height(&mut self) -> u64 {
        let mut fresh = 0;
        for (pred, relation) in self.relations.iter().enumerate() {
            self.old[pred] = self.known[pred];
            self.known[pred] = relation.len();
            fresh += u64::from(self.known[pred] - self.old[pred]);
        }
        fresh
    }

    pub fn insert(&mut self, pred: PredId, args: Vec<Value>, instance: Instance) -> bool {
        let held: u64 =
            args.iter().map(|value| size(value).unwrap_or(FORWARD_MAX_NODES.get())).sum();
        let stored = held + (instance.values.len() + instance.premises.len() + 8) as u64;
        let added = self.relations[pred.index()].insert(args, || instance);
        self.total += u64::from(added);
        self.stored += if added { stored } else { 0 };
        added
    }
}
