//! What is known of datatypes while a script is read: their templates, and who bears a name.

use crate::smtlib::scope::NameId;
use crate::smtlib::sorts::Template;
use alphorn_term::{DataId, SortId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, VecDeque};

/// A constructor's name and fields.
#[derive(Clone, Debug)]
pub struct CtorTemplate {
    pub(in crate::smtlib) name: NameId,
    /// Selectors and sorts; the sort is missing where only instances are known.
    pub(in crate::smtlib) fields: Vec<(NameId, Option<Template>)>,
}

#[derive(Clone, Debug)]
pub struct Datatype {
    pub(in crate::smtlib) name: NameId,
    pub(in crate::smtlib) arity: usize,
    /// Whether it is a codatatype.
    pub(in crate::smtlib) is_co: bool,
    /// The first datatype of its declaration.
    pub(in crate::smtlib) group: usize,
    /// `None` while the declaration is being read.
    pub(in crate::smtlib) ctors: Option<Vec<CtorTemplate>>,
    pub(in crate::smtlib) instances: BTreeMap<Vec<SortId>, DataId>,
}

/// What a name of a datatype's declaration may mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Candidate {
    /// A constructor, by the positions of its datatype and of itself.
    Ctor(usize, usize),
    /// A selector, by the positions of its datatype, constructor and field.
    Selector(usize, usize, usize),
}

impl Candidate {
    pub(in crate::smtlib) fn datatype(self) -> usize {
        match self {
            Candidate::Ctor(data, _) | Candidate::Selector(data, _, _) => data,
        }
    }
}

/// The datatypes in force.
#[derive(Clone, Debug, Default)]
pub struct Datatypes {
    pub(in crate::smtlib) list: Vec<Datatype>,
    pub(in crate::smtlib) owner: FxHashMap<DataId, usize>,
    candidates: FxHashMap<NameId, Vec<Candidate>>,
    pub(in crate::smtlib) pending: VecDeque<(usize, Vec<SortId>, DataId)>,
    pub(in crate::smtlib) is_working: bool,
    /// Instances known to have a value, a finite one unless they are codatatypes.
    pub(in crate::smtlib) finite: FxHashSet<DataId>,
    /// How many declarations are being read, each because the one before needs it.
    pub(in crate::smtlib) nested: usize,
    /// Where declarations begin that were read because others needed them.
    pub(in crate::smtlib) read_before: FxHashSet<u32>,
}

impl Datatypes {
    pub(in crate::smtlib) fn arity(&self, data: usize) -> usize {
        self.list[data].arity
    }

    pub(in crate::smtlib) fn is_defined(&self, data: usize) -> bool {
        self.list[data].ctors.is_some()
    }

    pub(in crate::smtlib) fn candidates(&self, name: NameId) -> &[Candidate] {
        self.candidates.get(&name).map_or(&[], Vec::as_slice)
    }

    pub(in crate::smtlib) fn add_candidate(&mut self, name: NameId, candidate: Candidate) {
        self.candidates.entry(name).or_default().push(candidate);
    }

    /// Forgets all but the first `count` datatypes.
    pub(in crate::smtlib) fn truncate(&mut self, count: usize) {
        self.list.truncate(count);
        self.owner.retain(|_, data| *data < count);
        for candidates in self.candidates.values_mut() {
            candidates.retain(|candidate| candidate.datatype() < count);
        }
    }
}
