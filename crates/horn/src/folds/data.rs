//! The datatypes of a system: which are recursive, and which contain which.
//!
//! A datatype is *plain* if no value of it contains another value of it: records, enumerations, and
//! what is made of them. Plain values are as good as tuples of their fields.

use alphorn_term::{CtorId, Sort, SortId, Store};
use std::collections::{BTreeMap, BTreeSet};

/// What is known of the datatypes of a store.
pub struct Datatypes {
    /// For each datatype, the datatypes that its values contain, directly or not.
    inside: BTreeMap<SortId, BTreeSet<SortId>>,
}

impl Datatypes {
    /// The datatypes of a store.
    pub fn of(store: &Store) -> Datatypes {
        let mut inside: BTreeMap<SortId, BTreeSet<SortId>> = BTreeMap::new();
        for data in store.datas() {
            let data = store.data(data);
            let fields = data.ctors.iter().flat_map(|&ctor| &store.ctor(ctor).fields);
            let direct = fields.map(|(_, sort)| *sort).filter(|&sort| is_data(store, sort));
            inside.insert(data.sort, direct.collect());
        }
        loop {
            let mut grown = false;
            for sort in inside.keys().copied().collect::<Vec<_>>() {
                let more: BTreeSet<SortId> =
                    inside[&sort].iter().flat_map(|of| inside[of].iter().copied()).collect();
                let own = inside.entry(sort).or_default();
                let before = own.len();
                own.extend(more);
                grown |= own.len() > before;
            }
            if !grown {
                return Datatypes { inside };
            }
        }
    }

    /// Whether a sort is a datatype whose values do not contain one another.
    pub fn is_plain(&self, sort: SortId) -> bool {
        self.inside.get(&sort).is_some_and(|inside| !inside.contains(&sort))
    }

    /// Whether values of two datatypes contain one another.
    pub fn is_mutual(&self, sort: SortId, other: SortId) -> bool {
        let contains = |a: SortId, b: SortId| self.inside.get(&a).is_some_and(|i| i.contains(&b));
        contains(sort, other) && contains(other, sort)
    }

    /// The datatypes that values of some sorts are or contain, in order.
    pub fn closure(&self, sorts: impl IntoIterator<Item = SortId>) -> BTreeSet<SortId> {
        let mut all = BTreeSet::new();
        for sort in sorts {
            if let Some(inside) = self.inside.get(&sort) {
                all.insert(sort);
                all.extend(inside);
            }
        }
        all
    }
}

/// Whether a sort is a datatype.
pub fn is_data(store: &Store, sort: SortId) -> bool {
    matches!(store.sort_of(sort), Sort::Data(_))
}

/// The constructors of a datatype.
pub fn ctors(store: &Store, sort: SortId) -> Vec<CtorId> {
    alphorn_problem::obligation::fold::constructors(store, sort)
}

/// The sorts of a constructor's fields.
pub fn field_sorts(store: &Store, ctor: CtorId) -> Vec<SortId> {
    store.ctor(ctor).fields.iter().map(|(_, sort)| *sort).collect()
}
