//! Random elements of sorts, terms and models, from a seed.
//!
//! A `World` is a store with one variable or more of every sort that the tests use, and a pool of
//! terms that grows by random applications over it. Nothing here evaluates or compares; what must
//! hold of the terms is said by the tests.

mod apply;
mod models;
pub mod word_operators;

pub use models::{choices, model, table};

use crate::Rng;
use alphorn_term::eval::{Choices, Model, Table};
use alphorn_term::value::ArrayValue;
use alphorn_term::value::codata::{Node, Part};
use alphorn_term::{Bv, CtorId, DataId, Int, Op, Rat, Sort, SortId, Store, TermId, Value};
use dashu_int::UBig;
use std::sync::Arc;

/// The widths of words in a world.
pub const WIDTHS: &[u32] = &[1, 2, 3, 4, 5, 6, 8, 16, 65, 130];

/// A store, its datatypes, and terms to build on.
pub struct World {
    /// Where the terms are.
    pub store: Store,
    /// What decides.
    pub rng: Rng,
    /// Every sort in use.
    pub sorts: Vec<SortId>,
    /// Terms by sort, parallel to `sorts`.
    pub pool: Vec<Vec<TermId>>,
    /// The variables in the pool.
    pub vars: Vec<TermId>,
    /// Sorts small enough to quantify over.
    pub finite: Vec<SortId>,
    /// Constructors without arguments of an enumeration.
    pub colours: Vec<CtorId>,
    /// The empty list.
    pub nil: CtorId,
    /// A list with an element before another list.
    pub cons: CtorId,
    /// A record of two fields.
    pub pair: CtorId,
    /// The sort of the enumeration.
    pub colour: SortId,
    /// The sort of the lists.
    pub list: SortId,
    /// The sort of the records.
    pub pairs: SortId,
    /// Array sorts.
    pub arrays: Vec<SortId>,
}

impl World {
    /// The world of a seed, with an empty pool.
    pub fn new(seed: u64) -> World {
        let mut store = Store::new();
        let words: Vec<SortId> = WIDTHS.iter().map(|&width| store.bv_sort(width)).collect();
        let colour_data = store.declare_data("Colour", &[]);
        store.define_data(colour_data, &[("red", vec![]), ("green", vec![]), ("blue", vec![])]);
        let colour = store.data(colour_data).sort;
        let list_data = store.declare_data("Stack", &[]);
        let list = store.data(list_data).sort;
        let cell = vec![("top".to_owned(), SortId::INT), ("below".to_owned(), list)];
        store.define_data(list_data, &[("empty", vec![]), ("push", cell)]);
        let pair_data = store.declare_data("Point", &[]);
        let both = vec![("place".to_owned(), words[1]), ("marked".to_owned(), SortId::BOOL)];
        store.define_data(pair_data, &[("point", both)]);
        let pairs = store.data(pair_data).sort;
        let flags = store.array_sort(SortId::BOOL, words[0]);
        let arrays = vec![
            flags,
            store.array_sort(words[1], words[2]),
            store.array_sort(colour, SortId::BOOL),
            store.array_sort(SortId::INT, SortId::INT),
            store.array_sort(words[6], SortId::REAL),
            store.array_sort(words[0], flags),
        ];
        let mut sorts = vec![SortId::BOOL, SortId::INT, SortId::REAL];
        sorts.extend(&words);
        sorts.extend([colour, list, pairs]);
        sorts.extend(&arrays);
        let finite = vec![SortId::BOOL, words[0], words[1], words[2], colour, flags];
        let (lists, colours) =
            (store.data(list_data).ctors.clone(), &store.data(colour_data).ctors);
        let (colours, pair) = (colours.clone(), store.data(pair_data).ctors[0]);
        let (nil, cons) = (lists[0], lists[1]);
        let (pool, vars) = (vec![Vec::new(); sorts.len()], Vec::new());
        let rng = Rng::new(seed);
        World {
            store,
            rng,
            sorts,
            pool,
            vars,
            finite,
            colours,
            nil,
            cons,
            pair,
            colour,
            list,
            pairs,
            arrays,
        }
    }

    /// Puts `count` variables of every sort into the pool.
    pub fn with_vars(mut self, count: usize) -> World {
        for (at, sort) in self.sorts.clone().into_iter().enumerate() {
            for number in 0..count {
                let var = self.store.var(&format!("x{at}_{number}"), sort);
                self.vars.push(var);
                self.add(var);
            }
        }
        self
    }

    /// Puts `count` random elements of every sort into the pool.
    pub fn with_values(mut self, count: usize) -> World {
        for sort in self.sorts.clone() {
            for _ in 0..count {
                let value = self.value(sort);
                let term = self.store.value_term(&value).expect("values of these sorts have terms");
                self.add(term);
            }
        }
        self
    }

    /// Puts a term into the pool.
    pub fn add(&mut self, term: TermId) {
        let at = self.position(self.store.sort(term));
        if !self.pool[at].contains(&term) {
            self.pool[at].push(term);
        }
    }

    /// The place of a sort in `sorts`.
    pub fn position(&self, sort: SortId) -> usize {
        self.sorts.iter().position(|&s| s == sort).expect("a sort of this world")
    }

    /// Whether a sort is one of this world.
    pub fn in_use(&self, sort: SortId) -> bool {
        self.sorts.contains(&sort)
    }

    /// A term of the pool; recent ones are more likely.
    pub fn term(&mut self, sort: SortId) -> TermId {
        let at = self.position(sort);
        let len = self.pool[at].len();
        let from = if self.rng.one_in(2) { len.saturating_sub(12) } else { 0 };
        self.pool[at][from + self.rng.below(len - from)]
    }

    /// A random element of a sort, with a liking for the corners.
    pub fn value(&mut self, sort: SortId) -> Value {
        value(&self.store, sort, Values::Corners, &mut self.rng)
    }

    /// Values for all variables, and choices for everything SMT-LIB leaves open.
    pub fn model(&mut self) -> Model {
        let mut model = Model { choices: self.choices(), ..Model::default() };
        for var in self.vars.clone() {
            let value = self.value(self.store.sort(var));
            model.set(var, value);
        }
        model
    }

    fn choices(&mut self) -> Choices {
        let mut choices = Choices {
            int_div: Some(Table::constant(self.value(SortId::INT))),
            modulo: Some(Table::constant(self.value(SortId::INT))),
            real_div: Some(Table::constant(self.value(SortId::REAL))),
            ..Choices::default()
        };
        let head = Table::constant(self.value(SortId::INT));
        let tail = Table::constant(self.value(self.list));
        choices.fields.insert((self.cons, 0), head);
        choices.fields.insert((self.cons, 1), tail);
        choices
    }

    /// The sort of a word in use, at random.
    fn word_sort(&mut self) -> (SortId, u32) {
        let width = self.rng.pick(WIDTHS);
        (self.store.bv_sort(width), width)
    }

    /// A random operator and terms of the pool that fit it.
    pub fn application(&mut self) -> (Op, Vec<TermId>) {
        let (op, sorts) = self.signature();
        let args = sorts.into_iter().map(|sort| self.term(sort)).collect();
        (op, args)
    }
}

/// What random values are like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// Few and near each other, so that they are often equal.
    Small,
    /// Everything, corners more often.
    Corners,
}

/// How deep random elements of datatypes are at most.
const MAX_DEPTH: u32 = 6;

/// A random element of a sort.
pub fn value(store: &Store, sort: SortId, values: Values, rng: &mut Rng) -> Value {
    value_within(store, sort, values, MAX_DEPTH, rng)
}

fn value_within(store: &Store, sort: SortId, values: Values, depth: u32, rng: &mut Rng) -> Value {
    let is_small = values == Values::Small;
    match store.sort_of(sort) {
        Sort::Bool => Value::Bool(rng.one_in(2)),
        Sort::Int => Value::Int(int(values, rng)),
        Sort::Real if is_small => {
            Value::Real(Rat::ratio(rng.between(-8, 8), 2).expect("two is not zero"))
        }
        Sort::Real => {
            let denominator = rng.pick(&[1i64, 1, 2, 3, 7, 1 << 40]);
            let quotient = Rat::new(int(values, rng), Int::from(denominator));
            Value::Real(quotient.expect("the denominator is positive"))
        }
        Sort::BitVec(width) if is_small => Value::Bv(Bv::from_u64(*width, rng.below(8))),
        Sort::BitVec(width) => Value::Bv(word(rng, *width)),
        Sort::Array(index, element) => {
            let default = value_within(store, *element, values, depth, rng);
            let array = ArrayValue::constant(store, *index, default);
            let mut array = array.expect("values here are shallow");
            for _ in 0..rng.below(if is_small { 3 } else { 5 }) {
                let at = value_within(store, *index, values, depth, rng);
                let to = value_within(store, *element, values, depth, rng);
                array = array.with(store, at, to).expect("values here are shallow");
            }
            Value::Array(Arc::new(array))
        }
        Sort::Data(data) if store.data(*data).is_co => tree(store, *data, values, rng),
        Sort::Data(_) if depth == 0 => {
            Value::default_of(store, sort).expect("datatypes have finite values")
        }
        Sort::Data(data) => {
            let ctor = rng.pick(&store.data(*data).ctors);
            let fields = &store.ctor(ctor).fields;
            let args =
                fields.iter().map(|(_, sort)| value_within(store, *sort, values, depth - 1, rng));
            Value::data(ctor, args.collect()).expect("values here are shallow")
        }
        Sort::Uninterpreted(..) => Value::Element(sort, rng.below(3)),
    }
}

/// A random tree of a codatatype: equations of a few nodes, each of which may come up below any other.
fn tree(store: &Store, data: DataId, values: Values, rng: &mut Rng) -> Value {
    let mut owners = vec![data];
    let mut nodes: Vec<Node> = Vec::new();
    while let Some(&data) = owners.get(nodes.len()) {
        let ctor = rng.pick(&store.data(data).ctors);
        let mut args = Vec::new();
        for &(_, sort) in &store.ctor(ctor).fields {
            let Some(next) = store.codata_of(sort) else {
                args.push(Part::Value(value_within(store, sort, values, 1, rng)));
                continue;
            };
            let known = (0..owners.len()).filter(|at| owners[*at] == next).collect::<Vec<_>>();
            let is_new = known.is_empty() || (owners.len() < 4 && rng.one_in(2));
            let at = if is_new { owners.len() } else { rng.pick(&known) };
            if is_new {
                owners.push(next);
            }
            args.push(Part::Node(at as u32));
        }
        nodes.push(Node { ctor, args });
    }
    Value::codata(nodes, 0).expect("trees here are small")
}

fn int(values: Values, rng: &mut Rng) -> Int {
    match rng.below(8) {
        _ if values == Values::Small => Int::from(rng.between(-4, 4)),
        0 => Int::from(rng.pick(&[i64::MIN, i64::MAX, 1 << 32, -(1 << 53)])),
        1 => Int::from(rng.next_u64() as i64) * Int::from(rng.next_u64() as i64),
        2 => Int::from(rng.next_u64() as i64 >> 40),
        _ => Int::from(rng.between(-9, 9)),
    }
}

/// Any word, all alike.
pub fn any_word(rng: &mut Rng, width: u32) -> Bv {
    let mut bits = UBig::ZERO;
    for _ in 0..width.div_ceil(64) {
        bits = (bits << 64) | UBig::from(rng.next_u64());
    }
    Bv::new(width, bits)
}

/// A random word: corners, sparse ones, and any.
pub fn word(rng: &mut Rng, width: u32) -> Bv {
    match rng.below(6) {
        0 => Bv::from_u64(width, rng.below(4) as u64),
        1 => Bv::from_int(width, &Int::from(-(rng.below(4) as i64))),
        2 => Bv::new(width, (UBig::ONE << (width as usize - 1)) + UBig::from(rng.below(3) as u64)),
        3 => Bv::from_u64(width, rng.below(2 * width as usize) as u64),
        _ => any_word(rng, width),
    }
}
