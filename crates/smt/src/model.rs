//! Models out of a search that ended well.
//!
//! Numbers come from arithmetic, truth values from the search, elements of uninterpreted sorts from
//! the classes of equal nodes; a function is given by the cases that occur, and is constant
//! elsewhere. What the formulas leave open gets some value of its sort.

use alphorn_term::eval::Table;
use alphorn_term::{Model, Op, Rat, Sort, SortId, Store, TermId, Value};
use rustc_hash::FxHashMap;

use crate::euf::Node;
use crate::linear::{Linear, number_of};
use crate::smt::Smt;

/// What is needed to tell the values of terms.
struct Reading<'a> {
    smt: &'a Smt,
    store: &'a Store,
    numbers: Vec<Rat>,
    /// The element of each class of nodes, by the class's root.
    elements: FxHashMap<Node, u32>,
    /// The tree of each class of datatype terms, by the class's root.
    trees: FxHashMap<Node, Value>,
}

impl Smt {
    /// The model found by the last query, which answered `Sat`.
    pub fn model(&self, store: &Store) -> Model {
        let mut reading = Reading {
            smt: self,
            store,
            numbers: self.search.theory().numbers(),
            elements: FxHashMap::default(),
            trees: FxHashMap::default(),
        };
        reading.count_elements();
        reading.grow_trees();
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
        for &application in &self.encoder.applications {
            let Op::Apply(func) = store.op(application) else { continue };
            let args = store.args(application).iter().map(|arg| reading.value(*arg)).collect();
            let value = reading.value(application);
            let default = || Table { default: Some(value.clone()), ..Table::default() };
            let table = model.funcs.entry(func).or_insert_with(default);
            table.entries.entry(args).or_insert(value);
        }
        model
    }

    /// The values of these variables in the model found by the last query, which answered `Sat`.
    pub fn model_of(&self, store: &Store, vars: &[TermId]) -> Model {
        let mut reading = Reading {
            smt: self,
            store,
            numbers: self.search.theory().numbers(),
            elements: FxHashMap::default(),
            trees: FxHashMap::default(),
        };
        if !self.encoder.data.is_empty() {
            reading.count_elements();
            reading.grow_trees();
        } else if vars
            .iter()
            .any(|&var| matches!(store.sort_of(store.sort(var)), Sort::Uninterpreted(..)))
        {
            reading.count_elements();
        }
        let mut model = Model::new();
        reading.choose(&mut model);
        for &var in vars {
            model.set(var, reading.value(var));
        }
        model
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

impl Reading<'_> {
    /// Numbers the classes of nodes of uninterpreted sorts, in the order of their first term.
    fn count_elements(&mut self) {
        let theory = self.smt.search.theory();
        let mut counts: FxHashMap<SortId, u32> = FxHashMap::default();
        let mut nodes: Vec<(TermId, Node)> =
            self.smt.encoder.nodes.iter().map(|(term, node)| (*term, *node)).collect();
        nodes.sort_unstable_by_key(|(term, _)| *term);
        for (term, node) in nodes {
            let sort = self.store.sort(term);
            if sort == SortId::BOOL || sort.is_arithmetic() {
                continue;
            }
            let root = theory.euf.root(node);
            self.elements.entry(root).or_insert_with(|| {
                let count = counts.entry(sort).or_insert(0);
                *count += 1;
                *count - 1
            });
        }
    }

    /// Gives classes of datatype terms their trees.
    fn grow_trees(&mut self) {
        if !self.smt.encoder.data.is_empty() {
            let elements = self.elements.len() as u32;
            self.trees = self.smt.trees(self.store, &|term| self.value(term), elements);
        }
    }

    /// Makes the choices that operators leave open.
    fn choose(&self, model: &mut Model) {
        self.smt.wrong_fields(self.store, &|term| self.value(term), &mut model.choices);
    }

    fn number(&self, term: TermId) -> Rat {
        if let Some(form) = self.smt.encoder.numbers.get(&term) {
            return self.numbers.get(form.0 as usize).cloned().unwrap_or_default();
        }
        let linear = Linear::of(self.store, term);
        let mut sum = linear.constant;
        for (atom, factor) in &linear.terms {
            let value = match self.smt.encoder.numbers.get(atom) {
                Some(form) => self.numbers.get(form.0 as usize).cloned().unwrap_or_default(),
                None => number_of(self.store, *atom).unwrap_or_default(),
            };
            sum = &sum + &(&value * factor);
        }
        sum
    }

    fn value(&self, term: TermId) -> Value {
        let sort = self.store.sort(term);
        match sort {
            SortId::BOOL => match self.smt.truth_of(self.store, term) {
                Some(value) => Value::Bool(value),
                None => Value::Bool(term == TermId::TRUE),
            },
            SortId::INT => Value::Int(self.number(term).floor()),
            SortId::REAL => Value::Real(self.number(term)),
            _ => {
                let node = self.smt.encoder.nodes.get(&term);
                let root = node.map(|node| self.smt.search.theory().euf.root(*node));
                if let Some(tree) = root.and_then(|root| self.trees.get(&root)) {
                    return tree.clone();
                }
                let element = root.and_then(|root| self.elements.get(&root).copied());
                match element {
                    Some(element)
                        if matches!(self.store.sort_of(sort), Sort::Uninterpreted(..)) =>
                    {
                        Value::Element(sort, element)
                    }
                    _ => Value::default_of(self.store, sort).unwrap_or(Value::Bool(false)),
                }
            }
        }
    }
}
