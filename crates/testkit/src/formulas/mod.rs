//! Random formulas of every theory, and what every answer about them must satisfy.

mod answers;
pub mod pigeons;
mod words;

pub use answers::{check_answer, declarations, publish};

use crate::Rng;
use crate::shrink::Assertions;
use alphorn_term::{DataId, FuncId, Op, Sort, SortId, Store, TermId};

/// The seeds of a test: so many, or what the environment says.
pub fn seeds(count: u64) -> std::ops::Range<u64> {
    let read = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let first = read("ALPHORN_SEED").unwrap_or(0);
    first..first + read("ALPHORN_SEEDS").unwrap_or(count)
}

/// What random formulas may contain.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kind {
    /// Integers.
    pub ints: bool,
    /// Reals.
    pub reals: bool,
    /// Functions, and elements of a declared sort.
    pub functions: bool,
    /// Conditionals, quotients, remainders, absolute values.
    pub operators: bool,
    /// Products of variables.
    pub products: bool,
    /// Bit-vectors.
    pub words: bool,
    /// Arrays of numbers, or of elements and truth values where there are no numbers.
    pub arrays: bool,
    /// Arrays of arrays, and arrays over truth values.
    pub nested: bool,
    /// An enumeration, a record, numbers by succession, lists, and trees with forests.
    pub data: bool,
}

/// Makes formulas over a few symbols.
pub struct Formulas {
    /// What decides.
    pub rng: Rng,
    /// What they are about.
    pub kind: Kind,
    ints: Vec<TermId>,
    reals: Vec<TermId>,
    bools: Vec<TermId>,
    elements: Vec<TermId>,
    functions: Vec<FuncId>,
    arrays: Vec<TermId>,
    trees: Vec<TermId>,
}

/// Declares datatypes of every shape, and gives their sorts.
fn datatypes(store: &mut Store, kind: Kind) -> Vec<SortId> {
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

/// Formulas of a kind that are asserted together.
pub fn assertions(rng: &mut Rng, kind: Kind, count: usize) -> Assertions {
    let mut store = Store::new();
    let mut formulas = Formulas::with(&mut store, rng.clone(), kind);
    let mut next = || {
        let depth = 1 + formulas.rng.below(3);
        formulas.formula(&mut store, depth)
    };
    let all = (0..count).map(|_| next()).collect();
    *rng = formulas.rng;
    Assertions { store, formulas: all }
}

impl Formulas {
    /// Declares what formulas of a kind are about; the formulas are those of a seed.
    pub fn new(store: &mut Store, seed: u64, kind: Kind) -> Formulas {
        Formulas::with(store, Rng::new(seed), kind)
    }

    /// Declares what formulas of a kind are about.
    pub fn with(store: &mut Store, mut rng: Rng, kind: Kind) -> Formulas {
        let count = 2 + rng.below(4);
        let mut vars = |prefix: &str, sort: SortId, count: u32| -> Vec<TermId> {
            (0..count).map(|index| store.var(&format!("{prefix}{index}"), sort)).collect()
        };
        let ints = if kind.ints { vars("i", SortId::INT, count) } else { Vec::new() };
        let reals = if kind.reals { vars("r", SortId::REAL, count) } else { Vec::new() };
        let bools = vars("b", SortId::BOOL, 3);
        let (mut elements, mut functions) = (Vec::new(), Vec::new());
        if kind.functions {
            let symbol = store.symbol("U");
            let sort = store.sort_id(Sort::Uninterpreted(symbol, Vec::new()));
            elements = (0..3).map(|index| store.var(&format!("u{index}"), sort)).collect();
            functions.push(store.declare("f", &[sort], sort));
            functions.push(store.declare("g", &[sort, sort], sort));
            functions.push(store.declare("p", &[sort], SortId::BOOL));
            functions.push(store.declare("q", &[SortId::BOOL], sort));
            if kind.ints {
                functions.push(store.declare("h", &[SortId::INT], SortId::INT));
                functions.push(store.declare("k", &[SortId::INT, SortId::INT], SortId::INT));
                functions.push(store.declare("m", &[SortId::INT], sort));
            }
            if kind.reals {
                functions.push(store.declare("w", &[SortId::REAL], SortId::REAL));
            }
        }
        let mut trees = Vec::new();
        if kind.data {
            let sorts = datatypes(store, kind);
            for (number, sort) in sorts.iter().enumerate() {
                for index in 0..1 + rng.below(3) {
                    trees.push(store.var(&format!("t{number}{index}"), *sort));
                }
            }
            if kind.functions {
                functions.push(store.declare("dye", &[sorts[0]], sorts[1]));
                functions.push(store.declare("turn", &[sorts[3]], sorts[3]));
                functions.push(store.declare("plant", &[sorts[4], sorts[2]], sorts[5]));
                functions.push(store.declare("is_old", &[sorts[4]], SortId::BOOL));
            }
        }
        let arrays = Vec::new();
        let mut formulas =
            Formulas { rng, kind, ints, reals, bools, elements, functions, arrays, trees };
        if kind.words && kind.functions {
            let element = formulas.elements.first().map(|element| store.sort(*element));
            formulas.declare_word_functions(store, element);
        }
        if kind.arrays {
            formulas.declare_arrays(store);
        }
        formulas
    }

    fn declare_arrays(&mut self, store: &mut Store) {
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

    fn array(&mut self, store: &mut Store, sort: SortId, depth: u32) -> TermId {
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
    fn tree(&mut self, store: &mut Store, data: DataId, depth: u32) -> TermId {
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
    fn field(&mut self, store: &mut Store, sort: SortId, depth: u32) -> Option<TermId> {
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
    fn tree_atom(&mut self, store: &mut Store, depth: u32) -> TermId {
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

    fn apply(&mut self, store: &mut Store, sort: SortId, depth: u32) -> Option<TermId> {
        let fitting: Vec<FuncId> =
            self.functions.iter().copied().filter(|f| store.func(*f).result == sort).collect();
        if fitting.is_empty() {
            return None;
        }
        let function = self.rng.pick(&fitting);
        let sorts = store.func(function).args.clone();
        let args: Vec<TermId> =
            sorts.iter().map(|sort| self.term(store, *sort, depth.saturating_sub(1))).collect();
        Some(store.mk(Op::Apply(function), &args))
    }

    /// A term of a sort.
    pub fn term(&mut self, store: &mut Store, sort: SortId, depth: u32) -> TermId {
        match sort {
            SortId::BOOL => self.formula(store, depth),
            SortId::INT | SortId::REAL => self.number(store, sort, depth),
            _ if store.width_of(sort).is_some() => {
                let width = store.width_of(sort).unwrap_or(1);
                self.word(store, width, depth)
            }
            _ if matches!(store.sort_of(sort), Sort::Array(..)) => self.array(store, sort, depth),
            _ => {
                if let Sort::Data(data) = *store.sort_of(sort) {
                    return self.tree(store, data, depth);
                }
                if depth > 0
                    && self.rng.below(2) == 0
                    && let Some(term) = self.select(store, sort, depth)
                {
                    return term;
                }
                if depth > 0
                    && self.rng.below(2) == 0
                    && let Some(term) = self.apply(store, sort, depth)
                {
                    return term;
                }
                let elements = self.elements.clone();
                self.rng.pick(&elements)
            }
        }
    }

    fn literal(&mut self, store: &mut Store, sort: SortId) -> TermId {
        let value = self.rng.below(9) as i64 - 4;
        store.number(sort, &value.into())
    }

    fn number(&mut self, store: &mut Store, sort: SortId, depth: u32) -> TermId {
        let vars = if sort == SortId::INT { self.ints.clone() } else { self.reals.clone() };
        let choice = self.rng.below(if depth == 0 { 4 } else { 12 });
        if depth > 0
            && self.kind.arrays
            && self.rng.one_in(3)
            && let Some(term) = self.select(store, sort, depth)
        {
            return term;
        }
        match choice {
            0 => self.literal(store, sort),
            1..=3 => self.rng.pick(&vars),
            4..=6 => {
                let parts: Vec<TermId> = (0..2 + self.rng.below(2))
                    .map(|_| self.number(store, sort, depth - 1))
                    .collect();
                store.mk(Op::Add, &parts)
            }
            7 | 8 => {
                let (factor, term) =
                    (self.literal(store, sort), self.number(store, sort, depth - 1));
                store.mk(Op::Mul, &[factor, term])
            }
            9 if self.kind.operators => {
                let condition = self.formula(store, depth - 1);
                let then = self.number(store, sort, depth - 1);
                let other = self.number(store, sort, depth - 1);
                store.ite(condition, then, other)
            }
            9 if self.kind.words && sort == SortId::INT => {
                let width = 1 + self.rng.below(4);
                let word = self.word(store, width, depth - 1);
                let op = if self.rng.one_in(2) { Op::UbvToInt } else { Op::SbvToInt };
                store.mk(op, &[word])
            }
            10 if self.kind.operators && sort == SortId::INT => {
                let x = self.number(store, sort, depth - 1);
                let n = store.int(i64::from(2 + self.rng.below(3)));
                match self.rng.below(3) {
                    0 => store.mk(Op::IntDiv, &[x, n]),
                    1 => store.mk(Op::Mod, &[x, n]),
                    _ => store.mk(Op::Abs, &[x]),
                }
            }
            10 if self.kind.operators && self.kind.ints => {
                let x = self.number(store, SortId::INT, depth - 1);
                store.mk(Op::ToReal, &[x])
            }
            11 if self.kind.products => {
                let (a, b) = (self.rng.pick(&vars), self.rng.pick(&vars));
                store.mk(Op::Mul, &[a, b])
            }
            _ => {
                if self.kind.data
                    && self.rng.one_in(2)
                    && let Some(term) = self.field(store, sort, depth)
                {
                    return term;
                }
                match self.apply(store, sort, depth) {
                    Some(term) => term,
                    None => self.rng.pick(&vars),
                }
            }
        }
    }

    fn atom(&mut self, store: &mut Store, depth: u32) -> TermId {
        if self.kind.words && !self.rng.one_in(4) {
            return self.comparison(store, depth);
        }
        if self.kind.data && self.rng.below(3) > 0 {
            return self.tree_atom(store, depth);
        }
        let mut sorts = Vec::new();
        if self.kind.ints {
            sorts.extend([SortId::INT, SortId::INT]);
        }
        if self.kind.reals {
            sorts.extend([SortId::REAL, SortId::REAL]);
        }
        if let Some(element) = self.elements.first() {
            sorts.push(store.sort(*element));
        }
        sorts.push(SortId::BOOL);
        sorts.extend(self.arrays.iter().map(|array| store.sort(*array)));
        let sort = self.rng.pick(&sorts);
        if sort == SortId::BOOL {
            if self.rng.one_in(2)
                && let Some(term) = self.select(store, sort, depth)
            {
                return term;
            }
            if let (true, Some(term)) = (self.rng.one_in(2), self.apply(store, sort, depth)) {
                return term;
            }
            let bools = self.bools.clone();
            return self.rng.pick(&bools);
        }
        let (left, right) = (self.term(store, sort, depth), self.term(store, sort, depth));
        match self.rng.below(3) {
            0 if sort.is_arithmetic() => store.mk(Op::Le, &[left, right]),
            1 if sort.is_arithmetic() => store.mk(Op::Lt, &[left, right]),
            _ => store.eq(left, right),
        }
    }

    /// A formula.
    pub fn formula(&mut self, store: &mut Store, depth: u32) -> TermId {
        if depth == 0 || self.rng.below(4) == 0 {
            let term = self.atom(store, depth.min(2));
            return if self.rng.one_in(2) { store.not(term) } else { term };
        }
        let count = 2 + self.rng.below(2);
        let parts: Vec<TermId> = (0..count).map(|_| self.formula(store, depth - 1)).collect();
        match self.rng.below(6) {
            0 | 1 => store.and(&parts),
            2 | 3 => store.or(&parts),
            4 => store.eq(parts[0], parts[1]),
            _ => {
                let condition = self.formula(store, 0);
                store.ite(condition, parts[0], parts[1])
            }
        }
    }
}
