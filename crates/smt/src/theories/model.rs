//! Models out of a search that ended well.
//!
//! Numbers come from arithmetic, truth values from the search, elements of uninterpreted sorts from
//! the classes of equal nodes, arrays from what their theory planned, trees from their constructors; a
//! function is given by the cases that occur, and is constant elsewhere. What the formulas leave open gets some value of its sort.

use std::cell::{OnceCell, RefCell};

use alphorn_term::eval::{Elsewhere, Table};
use alphorn_term::{Model, Op, Rat, Sort, SortId, Store, TermId, Value};
use rustc_hash::FxHashMap;

use crate::euf::Node;
use crate::theories::agreement;
use crate::theories::arithmetic::quotients;
use crate::theories::equality::tokens;
use crate::theories::kernel::Kernel;
use crate::theories::{self, data};

/// What is needed to tell the values of terms.
pub(crate) struct Reading<'a> {
    pub(crate) kernel: &'a Kernel,
    pub(crate) store: &'a Store,
    pub(crate) numbers: Vec<Rat>,
    /// The element of each class of nodes, by the class's root.
    pub(crate) elements: FxHashMap<Node, u32>,
    /// How many elements of uninterpreted sorts there are.
    pub(crate) element_counts: FxHashMap<SortId, u32>,
    /// The number of each class of tokens, by the class's root.
    tokens: OnceCell<FxHashMap<Node, Rat>>,
    /// The values of classes of arrays that were asked for.
    pub(crate) arrays: RefCell<FxHashMap<usize, Value>>,
    /// The tree of each class of datatype terms, by the class's root.
    pub(crate) trees: RefCell<FxHashMap<Node, Value>>,
}

impl Kernel {
    /// The model found by the last query, which answered `Sat`.
    pub(crate) fn model(&self, store: &Store) -> Model {
        let reading = Reading::new(self, store);
        let mut model = Model::new();
        reading.choose(&mut model);
        for &symbol in &self.encoder.symbols {
            let value = reading.value(symbol);
            match store.op(symbol) {
                Op::Apply(func) => {
                    model.funcs.insert(func, Table::constant(value));
                }
                _ => model.set(symbol, value),
            }
        }
        for &application in &self.theory().equality.applications {
            let Op::Apply(func) = store.op(application) else { continue };
            if !self.theory().quantifiers.is_alive(application) {
                continue;
            }
            let args = store.args(application).iter().map(|arg| reading.value(*arg)).collect();
            let value = reading.value(application);
            let table = model.funcs.entry(func).or_default();
            // The latest case says best what holds elsewhere: instances of quantified formulas
            // are stated where a model was wrong.
            table.default = Some(value.clone());
            table.entries.entry(args).or_insert(value);
        }
        if self.theory().quantifiers.variant > 0 {
            vary(&mut model, self.theory().quantifiers.variant as usize);
        }
        model
    }

    /// The values of these variables in the model found by the last query, which answered `Sat`.
    pub(crate) fn model_of(&self, store: &Store, vars: &[TermId]) -> Model {
        let mut reading = Reading::without_elements(self, store);
        let is_plain = |var: &TermId| {
            matches!(store.sort_of(store.sort(*var)), Sort::Bool | Sort::Int | Sort::Real)
        };
        if !vars.iter().all(is_plain) || !self.theory().data.terms.is_empty() {
            reading.count_elements();
            reading.grow_trees();
        }
        let mut model = Model::new();
        reading.choose(&mut model);
        for &var in vars {
            model.set(var, reading.value(var));
        }
        model
    }

    /// A term for each element of uninterpreted sorts in the last model.
    pub(crate) fn element_terms(&self, store: &Store) -> FxHashMap<(SortId, u32), TermId> {
        let reading = Reading::new(self, store);
        let mut nodes: Vec<(TermId, Node)> =
            self.theory().equality.nodes.iter().map(|(term, node)| (*term, *node)).collect();
        nodes
            .sort_unstable_by_key(|(term, _)| (self.theory().quantifiers.generation(*term), *term));
        let mut found = FxHashMap::default();
        for (term, node) in nodes {
            let root = self.theory().equality.closure.root(node);
            if let Some(element) = reading.elements.get(&root) {
                found.entry((store.sort(term), *element)).or_insert(term);
            }
        }
        found
    }

    /// The value of a Boolean literal of the last model.
    pub(crate) fn truth_of(&self, store: &Store, term: TermId) -> Option<bool> {
        let (atom, negated) = match store.op(term) {
            Op::Not => (store.args(term)[0], true),
            _ => (term, false),
        };
        let lit = self.encoder.literals.get(&atom)?;
        Some(self.search.value(*lit)? != negated)
    }
}

/// The first way to vary functions that is not another value elsewhere.
const STEPS: usize = 4;

/// Gives functions other values where nothing is known of them: another value that they have, or an
/// element whose number is smaller; then what they are at the nearest arguments, and an argument and
/// a little more or less.
fn vary(model: &mut Model, variant: usize) {
    let is_function = |table: &&mut Table| !table.entries.is_empty();
    for table in model.funcs.values_mut().filter(is_function) {
        match variant {
            STEPS if is_plain(table) => table.elsewhere = Elsewhere::Steps,
            STEPS => {}
            _ if variant > STEPS => add_argument(table, [1, -1, 0][(variant - STEPS - 1) % 3]),
            _ => choose_default(table, variant),
        }
    }
}

/// Whether arguments and values are all numbers, words and truth values, which are terms everywhere.
fn is_plain(table: &Table) -> bool {
    let is_plain = |value: &Value| {
        matches!(value, Value::Bool(_) | Value::Int(_) | Value::Real(_) | Value::Bv(_))
    };
    table.entries.iter().all(|(args, value)| is_plain(value) && args.iter().all(is_plain))
}

fn choose_default(table: &mut Table, variant: usize) {
    let mut values: Vec<Value> = table.entries.values().cloned().collect();
    if let Some(Value::Element(sort, _)) = table.default {
        values = (0..variant as u32).map(|number| Value::Element(sort, number)).collect();
    }
    values.dedup();
    values.retain(|value| table.default.as_ref() != Some(value));
    if let Some(value) = values.get(variant - 1) {
        table.default = Some(value.clone());
    }
}

/// Lets a function be its first argument of the sort of its values, plus a number.
fn add_argument(table: &mut Table, number: i64) {
    let Some((args, value)) = table.entries.first_key_value() else { return };
    let fits = |arg: &Value| {
        matches!((arg, value), (Value::Int(_), Value::Int(_)) | (Value::Real(_), Value::Real(_)))
    };
    let Some(place) = args.iter().position(fits).filter(|_| is_plain(table)) else { return };
    let factors = (0..args.len()).map(|position| i8::from(position == place)).collect();
    table.default = Some(match value {
        Value::Real(_) => Value::Real(number.into()),
        _ => Value::Int(number.into()),
    });
    table.elsewhere = Elsewhere::Sum(factors);
}

impl<'a> Reading<'a> {
    /// What the assignment of the last search says.
    pub(crate) fn new(kernel: &'a Kernel, store: &'a Store) -> Reading<'a> {
        let mut reading = Reading::without_elements(kernel, store);
        reading.count_elements();
        reading.grow_trees();
        reading
    }

    /// What the assignment says about truth values, numbers and words.
    pub(crate) fn without_elements(kernel: &'a Kernel, store: &'a Store) -> Reading<'a> {
        Reading {
            kernel,
            store,
            numbers: agreement::numbers(kernel.theory()),
            elements: FxHashMap::default(),
            element_counts: FxHashMap::default(),
            tokens: OnceCell::new(),
            arrays: RefCell::default(),
            trees: RefCell::default(),
        }
    }

    /// A number above all that the assignment has.
    pub(crate) fn above_all(&self) -> Rat {
        let shared = agreement::shared_values(self.kernel.theory());
        let values = shared.iter().map(|value| &value.value).chain(&self.numbers);
        let most = values.max().map_or(Rat::ZERO, Rat::clone);
        &Rat::from(most.floor()) + &Rat::from(2)
    }

    /// The number of each class of tokens, by the class's root.
    pub(crate) fn tokens(&self) -> &FxHashMap<Node, Rat> {
        let theory = self.kernel.theory();
        self.tokens.get_or_init(|| tokens::numbers(theory, self.store, self.above_all()))
    }

    /// Numbers the classes of nodes of uninterpreted sorts, in the order of their first term.
    fn count_elements(&mut self) {
        let theory = self.kernel.theory();
        let counts = &mut self.element_counts;
        let mut nodes: Vec<(TermId, Node)> =
            self.kernel.theory().equality.nodes.iter().map(|(term, node)| (*term, *node)).collect();
        nodes.sort_unstable_by_key(|(term, _)| *term);
        for (term, node) in nodes {
            let sort = self.store.sort(term);
            let is_word = self.store.width_of(sort).is_some();
            if sort == SortId::BOOL || sort.is_arithmetic() || is_word {
                continue;
            }
            let root = theory.equality.closure.root(node);
            self.elements.entry(root).or_insert_with(|| {
                let count = counts.entry(sort).or_insert(0);
                *count += 1;
                *count - 1
            });
        }
    }

    /// Gives classes of datatype terms their trees.
    fn grow_trees(&self) {
        if !self.kernel.theory().data.terms.is_empty() {
            data::grow(self, self.elements.len() as u32);
            // Those of trees may have been made without trees.
            self.arrays.borrow_mut().clear();
        }
    }

    /// Makes the choices that operators leave open.
    fn choose(&self, model: &mut Model) {
        data::wrong_fields(self, &mut model.choices);
        quotients::choose(self, &mut model.choices);
    }

    /// The value of a term; some value of its sort where the assignment says nothing.
    pub(crate) fn value(&self, term: TermId) -> Value {
        let sort = self.store.sort(term);
        if sort == SortId::BOOL {
            let value = self.kernel.truth_of(self.store, term);
            return Value::Bool(value.unwrap_or(term == TermId::TRUE));
        }
        let value = theories::Table::value(self, term, self.store.sort_of(sort));
        value.or_else(|| Value::default_of(self.store, sort)).unwrap_or(Value::Bool(false))
    }
}
