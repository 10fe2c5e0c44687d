//! Random terms over arrays and datatypes.

use super::{Formulas, Kind};
use alphorn_term::{DataId, Op, Sort, SortId, Store, TermId};

/// Declares datatypes of every shape, and gives their sorts.
pub(super) fn datatypes(store: &mut Store, kind: Kind) -> Vec<SortId> {
    let has_ints = kind.ints;
    let names = ["Colour", "Pair", "Nat", "Row", "Tree", "Forest"];
    let ids: Vec<DataId> = names.iter().map(|name| store.declare_data(name, &[])).collect();
    let sorts: Vec<SortId> = ids.iter().map(|id| store.data(*id).sort).collect();
    let number = if has_ints { SortId::INT } else { sorts[0] };
    let field = |name: &str, sort: SortId| (name.to_owned(), sort);
    let [colour, _, nat, list, tree, forest] = sorts[..] else { unreachable!("six sorts") };
    store.define_data(ids[0], &[("red", vec![]), ("green", vec![]), ("blue", vec![])]);
    let fields = vec![field("first", number), field("second", SortId::BOOL)];
    store.define_data(ids[1], &[("pair", fields)]);
    store.define_data(ids[2], &[("zero", vec![]), ("succ", vec![field("pred", nat)])]);
    let fields = vec![field("key", number), field("next", list)];
    store.define_data(ids[3], &[("stop", vec![]), ("link", fields)]);
    let leaf = vec![field("mark", SortId::BOOL)];
    let node = vec![field("label", colour), field("below", forest)];
    store.define_data(ids[4], &[("leaf", leaf), ("node", node)]);
    let some = vec![field("item", tree), field("rest", forest)];
    store.define_data(ids[5], &[("none", vec![]), ("some", some)]);
    let mut sorts = sorts;
    let mut record = |store: &mut Store, name: &str, fields: Vec<(String, SortId)>| {
        let id = store.declare_data(name, &[]);
        let maker = name.to_lowercase();
        store.define_data(id, &[(&maker, fields)]);
        sorts.push(store.data(id).sort);
    };
    if kind.words {
        let bits = store.bv_sort(4);
        record(store, "Cell", vec![field("bits", bits), field("is_live", SortId::BOOL)]);
    }
    if kind.arrays && kind.ints {
        let cells = store.array_sort(SortId::INT, SortId::INT);
        record(store, "Box", vec![field("cells", cells), field("paint", colour)]);
        let rows = store.array_sort(SortId::INT, list);
        record(store, "Shelf", vec![field("rows", rows), field("size", SortId::INT)]);
    }
    sorts
}

impl Formulas {
    pub(super) fn declare_arrays(&mut self, store: &mut Store) {
        let symbol = store.symbol("U");
        let element = store.sort_id(Sort::Uninterpreted(symbol, Vec::new()));
        let number = if self.kind.ints { SortId::INT } else { SortId::REAL };
        let plain = match self.kind.ints || self.kind.reals {
            true => store.array_sort(number, number),
            false => store.array_sort(element, element),
        };
        if !self.kind.ints && !self.kind.reals && self.elements.is_empty() {
            self.elements = (0..3).map(|index| store.var(&format!("u{index}"), element)).collect();
        }
        let mut sorts = vec![plain];
        if self.kind.nested {
            let index = if self.kind.ints || self.kind.reals { number } else { element };
            sorts.push(store.array_sort(index, plain));
            sorts.push(store.array_sort(SortId::BOOL, index));
            sorts.push(store.array_sort(index, SortId::BOOL));
        }
        if self.kind.words {
            let (narrow, wide) = (store.bv_sort(2), store.bv_sort(6));
            sorts.extend([store.array_sort(narrow, wide), store.array_sort(wide, wide)]);
        }
        if let Some(colour) = self.trees.first().map(|tree| store.sort(*tree)) {
            let pair = self.trees.iter().map(|tree| store.sort(*tree)).find(|sort| *sort != colour);
            let index = if self.kind.ints || self.kind.reals { number } else { element };
            sorts.push(store.array_sort(colour, index));
            sorts.extend(pair.map(|pair| store.array_sort(index, pair)));
        }
        if self.kind.data && self.kind.ints {
            let places: Vec<SortId> = self.trees.iter().map(|tree| store.sort(*tree)).collect();
            for data in store.datas() {
                let name = store.name(store.data(data).name);
                let sort = store.data(data).sort;
                if matches!(name, "Row" | "Box") && places.contains(&sort) {
                    sorts.push(store.array_sort(SortId::INT, sort));
                }
            }
        }
        for (number, sort) in sorts.into_iter().enumerate() {
            let count = if number == 0 { 3 } else { 2 };
            for index in 0..count {
                self.arrays.push(store.var(&format!("a{number}{index}"), sort));
            }
        }
        if self.kind.functions {
            self.functions.push(store.declare("fa", &[plain], plain));
            self.functions.push(store.declare("na", &[plain], element));
        }
    }

    /// A read that gives a value of a sort, if there is such an array.
    pub fn select(&mut self, store: &mut Store, sort: SortId, depth: u32) -> Option<TermId> {
        let has_elements = |store: &Store, array: TermId| match store.sort_of(store.sort(array)) {
            Sort::Array(_, element) => *element == sort,
            _ => false,
        };
        let arrays: Vec<TermId> =
            self.arrays.iter().copied().filter(|array| has_elements(store, *array)).collect();
        if arrays.is_empty() {
            return None;
        }
        let array = self.rng.pick(&arrays);
        let Sort::Array(index, _) = *store.sort_of(store.sort(array)) else { return None };
        let depth = depth.saturating_sub(1);
        let array = self.array(store, store.sort(array), depth);
        let index = self.term(store, index, depth.min(1));
        Some(store.select(array, index))
    }

    pub(super) fn array(&mut self, store: &mut Store, sort: SortId, depth: u32) -> TermId {
        let Sort::Array(index, element) = *store.sort_of(sort) else {
            unreachable!("the sort is one of arrays")
        };
        let vars: Vec<TermId> =
            self.arrays.iter().copied().filter(|array| store.sort(*array) == sort).collect();
        match self.rng.below(if depth == 0 { 3 } else { 9 }) {
            0 if self.rng.one_in(3) => {
                let value = self.term(store, element, 0);
                store.const_array(sort, value)
            }
            3..=5 => {
                let array = self.array(store, sort, depth - 1);
                let index = self.term(store, index, depth.min(1) - 1);
                let value = self.term(store, element, depth - 1);
                store.store(array, index, value)
            }
            6 => {
                let condition = self.formula(store, 0);
                let then = self.array(store, sort, depth - 1);
                let other = self.array(store, sort, depth - 1);
                store.ite(condition, then, other)
            }
            7 => match self.select(store, sort, depth) {
                Some(term) => term,
                None => self.rng.pick(&vars),
            },
            8 => match self.apply(store, sort, depth) {
                Some(term) => term,
                None => self.rng.pick(&vars),
            },
            _ => self.rng.pick(&vars),
        }
    }

    /// A tree: a variable, an application of a constructor, or of a selector.
    pub(super) fn tree(&mut self, store: &mut Store, data: DataId, depth: u32) -> TermId {
        let sort = store.data(data).sort;
        if depth > 0
            && self.kind.arrays
            && self.rng.one_in(3)
            && let Some(term) = self.select(store, sort, depth)
        {
            return term;
        }
        let vars: Vec<TermId> =
            self.trees.iter().copied().filter(|var| store.sort(*var) == sort).collect();
        if depth == 0 {
            return self.rng.pick(&vars);
        }
        match self.rng.below(8) {
            0 | 1 => self.rng.pick(&vars),
            2..=4 => {
                let ctor = self.rng.pick(&store.data(data).ctors.clone());
                let fields = store.ctor(ctor).fields.clone();
                let args: Vec<TermId> =
                    fields.iter().map(|(_, sort)| self.term(store, *sort, depth - 1)).collect();
                store.mk(Op::Construct(ctor), &args)
            }
            5 => {
                let condition = self.formula(store, 0);
                let (then, other) =
                    (self.tree(store, data, depth - 1), self.tree(store, data, depth - 1));
                store.ite(condition, then, other)
            }
            6 if self.kind.functions => match self.apply(store, sort, depth) {
                Some(term) => term,
                None => self.rng.pick(&vars),
            },
            _ => match self.field(store, sort, depth) {
                Some(term) => term,
                None => self.rng.pick(&vars),
            },
        }
    }

    /// A field of a sort.
    pub(super) fn field(&mut self, store: &mut Store, sort: SortId, depth: u32) -> Option<TermId> {
        let mut fields = Vec::new();
        for data in store.datas() {
            for &ctor in &store.data(data).ctors {
                for (place, (_, field)) in store.ctor(ctor).fields.iter().enumerate() {
                    if *field == sort {
                        fields.push((data, Op::Field(ctor, place as u32)));
                    }
                }
            }
        }
        if fields.is_empty() || !self.kind.data {
            return None;
        }
        let (data, op) = self.rng.pick(&fields);
        let of = self.tree(store, data, depth.saturating_sub(1));
        Some(store.mk(op, &[of]))
    }

    /// An atom about trees.
    pub(super) fn tree_atom(&mut self, store: &mut Store, depth: u32) -> TermId {
        let datas: Vec<DataId> = store.datas().collect();
        let data = self.rng.pick(&datas);
        let left = self.tree(store, data, depth);
        match self.rng.below(4) {
            0 => {
                let ctor = self.rng.pick(&store.data(data).ctors.clone());
                store.mk(Op::Is(ctor), &[left])
            }
            1 if self.rng.one_in(2) => match self.field(store, SortId::BOOL, depth) {
                Some(field) => field,
                None => left,
            },
            2 if self.rng.one_in(3) => {
                let others = [left, self.tree(store, data, depth), self.tree(store, data, depth)];
                store.mk(Op::Distinct, &others)
            }
            _ => {
                let right = self.tree(store, data, depth);
                store.eq(left, right)
            }
        }
    }
}
