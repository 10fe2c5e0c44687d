//! Layouts: values of datatypes that are not recursive as several values of simpler sorts.
//!
//! A record is its fields. A choice between constructors is a tag, and *slots* that hold the fields of
//! whichever constructor it is: constructors share slots of the same sort, and a slot that a constructor
//! does not use holds the default of its sort, so that equal values have equal parts. An array of such
//! values is an array per part of its elements (a *column*), and one that is indexed by records is an
//! array of arrays. So every value is a vector of *parts*, equality is equality of all parts, and the
//! datatype is gone.
//!
//! Two tags are a truth value, more are the numbers from zero. What cannot be laid out stays as it is:
//! recursive datatypes, arrays indexed by choices (which have indices that are no values), and sorts
//! that would become very wide.
//!
//! - `flatten`: clauses over parts
//! - `parts`: terms and values from parts and into parts
//! - `columns`: formulas about columns as formulas about the arrays; `testers`: tags as testers

mod columns;
mod flatten;
mod parts;
mod testers;

pub(super) use columns::Columns;
pub(super) use flatten::{VarParts, flatten};
pub(super) use parts::value_of_parts;

use crate::settings::LAYOUT_MAX_PARTS;
use alphorn_term::{CtorId, Sort, SortId, Store};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// How deep sorts are nested at most.
const MAX_NESTED: usize = 50;

/// What the values of a sort become.
#[derive(Clone, Debug)]
pub(super) enum Layout {
    /// Themselves.
    Same(SortId),
    /// The parts of the fields of the only constructor.
    Record(CtorId, Vec<Arc<Layout>>),
    /// A tag and slots.
    Choice(Choice),
    /// A column for each part of the elements.
    Array {
        /// The sort of the array.
        sort: SortId,
        /// What its indices become; without choices.
        index: Arc<Layout>,
        /// What its elements become.
        element: Arc<Layout>,
        /// The sorts of the columns.
        columns: Vec<SortId>,
    },
}

/// How values are laid out of which several constructors can be on top.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    /// The constructors, in order.
    ctors: Vec<CtorId>,
    /// The sorts of the slots.
    slots: Vec<SortId>,
    /// For each constructor and each field, its layout and the slots of its parts.
    fields: Vec<Vec<(Arc<Layout>, Vec<usize>)>>,
}

impl Choice {
    /// The sort of the tag.
    fn tag_sort(&self) -> SortId {
        if self.ctors.len() == 2 { SortId::BOOL } else { SortId::INT }
    }

    fn place(&self, ctor: CtorId) -> Option<usize> {
        self.ctors.iter().position(|&other| other == ctor)
    }

    /// Whether the fields of a constructor use a slot.
    fn uses(&self, place: usize, slot: usize) -> bool {
        self.fields[place].iter().any(|(_, slots)| slots.contains(&slot))
    }
}

impl Layout {
    /// The sorts of the parts.
    pub(super) fn sorts(&self) -> Vec<SortId> {
        match self {
            Layout::Same(sort) => vec![*sort],
            Layout::Record(_, fields) => fields.iter().flat_map(|field| field.sorts()).collect(),
            Layout::Choice(choice) => [&[choice.tag_sort()], &choice.slots[..]].concat(),
            Layout::Array { columns, .. } => columns.clone(),
        }
    }

    /// The number of parts.
    fn width(&self) -> usize {
        match self {
            Layout::Same(_) => 1,
            Layout::Record(_, fields) => fields.iter().map(|field| field.width()).sum(),
            Layout::Choice(choice) => 1 + choice.slots.len(),
            Layout::Array { columns, .. } => columns.len(),
        }
    }

    /// Whether values stay as they are.
    pub(super) fn is_same(&self) -> bool {
        matches!(self, Layout::Same(_))
    }

    /// Whether some choice inside has fields.
    fn has_variants(&self) -> bool {
        match self {
            Layout::Same(_) => false,
            Layout::Record(_, fields) => fields.iter().any(|field| field.has_variants()),
            Layout::Choice(choice) => choice.fields.iter().any(|fields| !fields.is_empty()),
            Layout::Array { element, .. } => element.has_variants(),
        }
    }

    /// Whether every vector of parts is a value.
    fn is_exact(&self) -> bool {
        match self {
            Layout::Same(_) => true,
            Layout::Record(_, fields) => fields.iter().all(|field| field.is_exact()),
            Layout::Choice(_) => false,
            Layout::Array { index, element, .. } => index.is_exact() && element.is_exact(),
        }
    }
}

/// Which datatypes are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Those with one constructor.
    Records,
    /// Those with several constructors and no fields.
    Enumerations,
    /// All that are not recursive.
    All,
}

/// The layouts of sorts, each made once.
pub(super) struct Layouts {
    kind: Kind,
    known: FxHashMap<SortId, Arc<Layout>>,
}

impl Layouts {
    /// Layouts of datatypes of some kind.
    pub(super) fn new(kind: Kind) -> Layouts {
        Layouts { kind, known: FxHashMap::default() }
    }

    /// The layout of a sort.
    pub(super) fn of(&mut self, store: &mut Store, sort: SortId) -> Arc<Layout> {
        self.within(store, sort, 0)
    }

    fn within(&mut self, store: &mut Store, sort: SortId, depth: usize) -> Arc<Layout> {
        if let Some(layout) = self.known.get(&sort) {
            return Arc::clone(layout);
        }
        let found = match store.sort_of(sort).clone() {
            _ if depth > MAX_NESTED => None,
            Sort::Array(index, element) => self.array(store, (sort, index, element), depth),
            Sort::Data(data) => {
                let ctors = store.data(data).ctors.clone();
                let is_taken = self.takes(store, &ctors) && !is_recursive(store, sort);
                if is_taken { self.data(store, &ctors, depth) } else { None }
            }
            _ => None,
        };
        let found = found.filter(|layout| layout.width() <= LAYOUT_MAX_PARTS.size());
        let layout = Arc::new(found.unwrap_or(Layout::Same(sort)));
        self.known.insert(sort, Arc::clone(&layout));
        layout
    }

    fn takes(&self, store: &Store, ctors: &[CtorId]) -> bool {
        match self.kind {
            Kind::Records => ctors.len() == 1,
            Kind::Enumerations => {
                ctors.len() > 1 && ctors.iter().all(|&ctor| store.ctor(ctor).fields.is_empty())
            }
            Kind::All => !ctors.is_empty(),
        }
    }

    fn array(
        &mut self,
        store: &mut Store,
        (sort, index, element): (SortId, SortId, SortId),
        depth: usize,
    ) -> Option<Layout> {
        let index = self.within(store, index, depth + 1);
        let element = self.within(store, element, depth + 1);
        if index.is_same() && element.is_same() || !index.is_exact() {
            return None;
        }
        let indices = index.sorts();
        let column = |part| indices.iter().rev().fold(part, |of, &at| store.array_sort(at, of));
        let columns = element.sorts().into_iter().map(column).collect();
        Some(Layout::Array { sort, index, element, columns })
    }

    fn data(&mut self, store: &mut Store, ctors: &[CtorId], depth: usize) -> Option<Layout> {
        let mut all: Vec<Vec<Arc<Layout>>> = Vec::with_capacity(ctors.len());
        for &ctor in ctors {
            let sorts: Vec<SortId> = store.ctor(ctor).fields.iter().map(|(_, s)| *s).collect();
            let layouts = sorts.into_iter().map(|sort| self.within(store, sort, depth + 1));
            all.push(layouts.collect());
        }
        if let [ctor] = ctors {
            return Some(Layout::Record(*ctor, all.pop()?));
        }
        let mut slots: Vec<SortId> = Vec::new();
        let mut fields = Vec::with_capacity(all.len());
        for layouts in all {
            let mut is_used = vec![false; slots.len()];
            let mut of_ctor = Vec::with_capacity(layouts.len());
            for layout in layouts {
                let mut places = Vec::new();
                for sort in layout.sorts() {
                    let free = (0..slots.len()).find(|&at| slots[at] == sort && !is_used[at]);
                    let place = free.unwrap_or(slots.len());
                    if place == slots.len() {
                        parts::default_term(store, sort)?;
                        slots.push(sort);
                        is_used.push(false);
                    }
                    is_used[place] = true;
                    places.push(place);
                }
                of_ctor.push((layout, places));
            }
            if slots.len() > LAYOUT_MAX_PARTS.size() {
                return None;
            }
            fields.push(of_ctor);
        }
        Some(Layout::Choice(Choice { ctors: ctors.to_vec(), slots, fields }))
    }
}

/// The sorts that values of a sort directly contain.
fn inside(store: &Store, sort: SortId) -> Vec<SortId> {
    match store.sort_of(sort) {
        Sort::Array(index, element) => vec![*index, *element],
        Sort::Data(data) => {
            let ctors = store.data(*data).ctors.iter();
            ctors.flat_map(|&ctor| store.ctor(ctor).fields.iter().map(|(_, of)| *of)).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether values of a sort contain others of the same sort.
pub(super) fn is_recursive(store: &Store, sort: SortId) -> bool {
    let mut seen: FxHashSet<SortId> = FxHashSet::default();
    let mut stack = inside(store, sort);
    while let Some(of) = stack.pop() {
        if of == sort {
            return true;
        }
        if seen.insert(of) {
            stack.extend(inside(store, of));
        }
    }
    false
}

/// Whether values of a sort contain values of a recursive datatype, or are such.
pub(super) fn has_recursion(store: &Store, sort: SortId) -> bool {
    let mut seen: FxHashSet<SortId> = FxHashSet::default();
    let mut stack = vec![sort];
    while let Some(of) = stack.pop() {
        if seen.insert(of) {
            if matches!(store.sort_of(of), Sort::Data(_)) && is_recursive(store, of) {
                return true;
            }
            stack.extend(inside(store, of));
        }
    }
    false
}
