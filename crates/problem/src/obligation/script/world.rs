//! Sorts, values, functions and formulas of a question in the store of an interpretation.
//!
//! Invariant: different sorts, constructors and functions of the question are different here, and an
//! element of a finite sort is the constructor with its number. So a formula has here the truth value
//! that it has in the model whose declared sorts have as many elements as they are given.

use alphorn_term::eval::{Choices, Table};
use alphorn_term::value::ArrayValue;
use alphorn_term::value::codata::{Node, Part};
use alphorn_term::{
    CtorId, DataId, FuncId, Model, Op, Sort, SortId, Store, SymbolId, TermId, Value,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The most elements that a finite declared sort may have.
pub const MAX_UNIVERSE: u32 = 1 << 12;
/// The most elements of all finite declared sorts together.
const MAX_ELEMENTS: u64 = 1 << 16;
/// The deepest nesting of sorts.
const MAX_NESTING: u32 = 200;

/// A model's meaning of declared sorts, constants and functions, with formulas said in its terms.
#[derive(Clone, Debug)]
pub struct Interpretation {
    pub(super) store: Store,
    pub(super) model: Model,
    /// The sorts here that are finite declared sorts of the question.
    pub(super) enumerations: FxHashMap<SortId, Vec<CtorId>>,
    universes: BTreeMap<SortId, u32>,
    sorts: FxHashMap<SortId, SortId>,
    ctors: FxHashMap<CtorId, CtorId>,
    funcs: FxHashMap<FuncId, FuncId>,
    terms: FxHashMap<TermId, TermId>,
    /// Datatypes of the question, and what they are here, that have no constructors yet.
    pending: Vec<(DataId, DataId)>,
    /// What constructors here stand for.
    originals: FxHashMap<CtorId, Original>,
    original_sorts: FxHashMap<SortId, SortId>,
    /// Values of datatypes that were made, by where the model has them; only while it is read.
    values: FxHashMap<usize, Value>,
    /// What was spent on obligations.
    pub(super) steps: u64,
}

/// What a constructor of the interpretation stands for.
#[derive(Clone, Copy, Debug)]
enum Original {
    Constructor(CtorId),
    Element(SortId, u32),
}

impl Interpretation {
    /// The interpretation that a model of terms of `from` is, where declared sorts have as many
    /// elements as `universes` says, and infinitely many if it says nothing.
    pub fn new(
        from: &Store,
        model: &Model,
        universes: &BTreeMap<SortId, u32>,
    ) -> Result<Interpretation, String> {
        let mut interpretation = Interpretation {
            store: Store::new(),
            model: Model::new(),
            enumerations: FxHashMap::default(),
            universes: universes.clone(),
            sorts: FxHashMap::default(),
            ctors: FxHashMap::default(),
            funcs: FxHashMap::default(),
            terms: FxHashMap::default(),
            pending: Vec::new(),
            originals: FxHashMap::default(),
            values: FxHashMap::default(),
            original_sorts: FxHashMap::default(),
            steps: 0,
        };
        let all: u64 = universes.values().map(|size| u64::from(*size)).sum();
        if all > MAX_ELEMENTS || universes.values().any(|size| *size > MAX_UNIVERSE) {
            return Err("the universes have too many elements".to_owned());
        }
        for (&sort, &size) in universes {
            let is_declared = sort.index() < from.sort_count()
                && matches!(from.sort_of(sort), Sort::Uninterpreted(..));
            if !is_declared || size == 0 {
                return Err("a universe is empty, or not of a declared sort".to_owned());
            }
            interpretation.sort(from, sort)?;
        }
        interpretation.model = interpretation.model_of(from, model)?;
        interpretation.values = FxHashMap::default();
        Ok(interpretation)
    }

    /// The terms of the interpretation.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The terms of the interpretation, to add to.
    pub fn into_store(self) -> Store {
        self.store
    }

    /// The model, about terms of the interpretation.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// A term of the question in the interpretation, with functions and constants as they are.
    pub fn formula(&mut self, from: &Store, root: TermId) -> Result<TermId, String> {
        if let Some(&known) = self.terms.get(&root) {
            return Ok(known);
        }
        for term in from.subterms(&[root]) {
            if !self.terms.contains_key(&term) {
                let copy = self.copy(from, term)?;
                self.terms.insert(term, copy);
            }
        }
        Ok(self.terms[&root])
    }

    fn copy(&mut self, from: &Store, term: TermId) -> Result<TermId, String> {
        let args: Vec<TermId> = from.args(term).iter().map(|arg| self.terms[arg]).collect();
        let op = match from.op(term) {
            Op::True | Op::False => return Ok(term),
            Op::IntVal(_) | Op::RealVal(_) | Op::BvVal(_) => {
                let value = from.literal_value(term).ok_or("a literal has no value")?;
                return self.store.value_term(&value).ok_or_else(|| NO_TERM.to_owned());
            }
            Op::Var(symbol) => {
                let sort = self.sort(from, from.sort(term))?;
                return Ok(self.store.var(from.name(symbol), sort));
            }
            Op::ConstArray => {
                let sort = self.sort(from, from.sort(term))?;
                return Ok(self.store.const_array(sort, args[0]));
            }
            Op::Apply(func) => Op::Apply(self.func(from, func)?),
            Op::Construct(ctor) => Op::Construct(self.ctor(from, ctor)?),
            Op::Field(ctor, field) => Op::Field(self.ctor(from, ctor)?, field),
            Op::Is(ctor) => Op::Is(self.ctor(from, ctor)?),
            op => op,
        };
        self.store.app(op, &args).map_err(|error| error.to_string())
    }

    /// A sort of the question in the interpretation.
    fn sort(&mut self, from: &Store, sort: SortId) -> Result<SortId, String> {
        let found = self.undefined_sort(from, sort, 0)?;
        while let Some((data, own)) = self.pending.pop() {
            let mut ctors: Vec<(&str, Vec<(String, SortId)>)> = Vec::new();
            for &ctor in &from.data(data).ctors {
                let declared = from.ctor(ctor);
                let mut fields = Vec::with_capacity(declared.fields.len());
                for &(name, field) in &declared.fields {
                    let field = self.undefined_sort(from, field, 0)?;
                    fields.push((from.name(name).to_owned(), field));
                }
                ctors.push((from.name(declared.name), fields));
            }
            self.store.define_data(own, &ctors);
            let made = self.store.data(own).ctors.clone();
            for (&ctor, own) in from.data(data).ctors.iter().zip(made) {
                self.ctors.insert(ctor, own);
                self.originals.insert(own, Original::Constructor(ctor));
            }
        }
        Ok(found)
    }

    /// `sort`, but datatypes that are new get their constructors later.
    fn undefined_sort(&mut self, from: &Store, sort: SortId, depth: u32) -> Result<SortId, String> {
        if let Some(&known) = self.sorts.get(&sort) {
            return Ok(known);
        }
        if depth > MAX_NESTING {
            return Err("a sort is nested too deep".to_owned());
        }
        let found = match from.sort_of(sort).clone() {
            plain @ (Sort::Bool | Sort::Int | Sort::Real | Sort::BitVec(_)) => {
                self.store.sort_id(plain)
            }
            Sort::Array(index, element) => {
                let index = self.undefined_sort(from, index, depth + 1)?;
                let element = self.undefined_sort(from, element, depth + 1)?;
                self.store.array_sort(index, element)
            }
            Sort::Uninterpreted(name, args) => match self.universes.get(&sort).copied() {
                Some(size) => self.enumeration(from, name, sort, size),
                None => {
                    let args = self.undefined_sorts(from, &args, depth)?;
                    let name = self.store.symbol(from.name(name));
                    self.store.sort_id(Sort::Uninterpreted(name, args))
                }
            },
            Sort::Data(data) => {
                let declared = from.data(data);
                // Parameters are part of the name alone.
                let (name, is_co) = (from.name(declared.name), declared.is_co);
                let own = self.store.declare_data_or_codata(name, &[], is_co);
                self.pending.push((data, own));
                self.store.data(own).sort
            }
        };
        self.sorts.insert(sort, found);
        self.original_sorts.insert(found, sort);
        Ok(found)
    }

    fn undefined_sorts(
        &mut self,
        from: &Store,
        sorts: &[SortId],
        depth: u32,
    ) -> Result<Vec<SortId>, String> {
        sorts.iter().map(|sort| self.undefined_sort(from, *sort, depth + 1)).collect()
    }

    /// A declared sort as an enumeration of its elements.
    fn enumeration(&mut self, from: &Store, name: SymbolId, sort: SortId, size: u32) -> SortId {
        let name = from.name(name);
        let own = self.store.declare_data(name, &[]);
        let names: Vec<String> = (0..size).map(|number| format!("@{name}_{number}")).collect();
        let ctors: Vec<(&str, Vec<(String, SortId)>)> =
            names.iter().map(|name| (name.as_str(), Vec::new())).collect();
        self.store.define_data(own, &ctors);
        let data = self.store.data(own).clone();
        for (number, &ctor) in (0..size).zip(&data.ctors) {
            self.originals.insert(ctor, Original::Element(sort, number));
        }
        self.enumerations.insert(data.sort, data.ctors);
        data.sort
    }

    fn ctor(&mut self, from: &Store, ctor: CtorId) -> Result<CtorId, String> {
        self.sort(from, from.data(from.ctor(ctor).data).sort)?;
        self.ctors.get(&ctor).copied().ok_or_else(|| "a constructor is not there".to_owned())
    }

    fn func(&mut self, from: &Store, func: FuncId) -> Result<FuncId, String> {
        if let Some(&known) = self.funcs.get(&func) {
            return Ok(known);
        }
        let declared = from.func(func);
        let args = declared.args.iter().map(|sort| self.sort(from, *sort));
        let args = args.collect::<Result<Vec<SortId>, String>>()?;
        let result = self.sort(from, declared.result)?;
        let own = self.store.declare(from.name(declared.name), &args, result);
        self.funcs.insert(func, own);
        Ok(own)
    }

    /// A value in the interpretation. Arrays that differ in the question may be one here, so what
    /// they are the indices or arguments of may be said twice; it must be the same then.
    fn value(&mut self, from: &Store, value: &Value) -> Result<Value, String> {
        Ok(match value {
            Value::Bool(_) | Value::Int(_) | Value::Real(_) | Value::Bv(_) => value.clone(),
            &Value::Element(sort, number) => {
                let own = self.sort(from, sort)?;
                let Some(ctors) = self.enumerations.get(&own) else {
                    return Ok(Value::Element(own, number));
                };
                let ctor = ctors.get(number as usize).copied();
                let ctor = ctor.ok_or("an element is not in its universe")?;
                Value::data(ctor, Vec::new()).ok_or(TOO_LARGE)?
            }
            Value::Data(data) => {
                // Parts that are shared stay shared: spelt out they could be a million times as large.
                let place = Arc::as_ptr(data) as usize;
                if let Some(known) = self.values.get(&place) {
                    return Ok(known.clone());
                }
                let ctor = self.ctor(from, data.ctor)?;
                let args = data.args.iter().map(|arg| self.value(from, arg));
                let args = args.collect::<Result<_, String>>()?;
                let made = Value::data(ctor, args).ok_or(TOO_LARGE)?;
                self.values.insert(place, made.clone());
                made
            }
            Value::Codata(tree) => {
                let mut nodes = Vec::with_capacity(tree.nodes().len());
                for node in tree.nodes() {
                    let ctor = self.ctor(from, node.ctor)?;
                    let args = node.args.iter().map(|part| match part {
                        Part::Value(value) => Ok(Part::Value(self.value(from, value)?)),
                        Part::Node(next) => Ok(Part::Node(*next)),
                    });
                    nodes.push(Node { ctor, args: args.collect::<Result<_, String>>()? });
                }
                Value::codata(nodes, 0).ok_or(TOO_LARGE)?
            }
            Value::Array(array) => {
                let index = self.sort(from, array.index_sort())?;
                let default = self.value(from, array.default())?;
                let mut entries = BTreeMap::new();
                for (at, element) in array.entries() {
                    let (at, element) = (self.value(from, at)?, self.value(from, element)?);
                    insert(&mut entries, at, element)?;
                }
                let array = ArrayValue::from_entries(&self.store, index, default, entries);
                Value::Array(Arc::new(array.ok_or(TOO_LARGE)?))
            }
        })
    }

    fn table(&mut self, from: &Store, table: &Table) -> Result<Table, String> {
        let mut entries = BTreeMap::new();
        for (args, value) in &table.entries {
            let args = args.iter().map(|arg| self.value(from, arg)).collect::<Result<_, _>>()?;
            let value = self.value(from, value)?;
            insert(&mut entries, args, value)?;
        }
        let default = table.default.as_ref().map(|value| self.value(from, value)).transpose()?;
        Ok(Table { entries, default, elsewhere: table.elsewhere.clone() })
    }

    fn model_of(&mut self, from: &Store, model: &Model) -> Result<Model, String> {
        let mut own = Model::new();
        for (&var, value) in &model.vars {
            let var = self.formula(from, var)?;
            own.set(var, self.value(from, value)?);
        }
        for (&func, table) in &model.funcs {
            let func = self.func(from, func)?;
            own.funcs.insert(func, self.table(from, table)?);
        }
        let Choices { int_div, modulo, real_div, fields } = &model.choices;
        let numbers = [int_div, modulo, real_div].map(Clone::clone);
        [own.choices.int_div, own.choices.modulo, own.choices.real_div] = numbers;
        for (&(ctor, field), table) in fields {
            let ctor = self.ctor(from, ctor)?;
            own.choices.fields.insert((ctor, field), self.table(from, table)?);
        }
        Ok(own)
    }

    /// A value of the interpretation as one of the question's terms, whose store is `to`.
    pub fn original(&self, to: &Store, value: &Value) -> Option<Value> {
        Some(match value {
            Value::Bool(_) | Value::Int(_) | Value::Real(_) | Value::Bv(_) => value.clone(),
            Value::Element(sort, number) => {
                Value::Element(*self.original_sorts.get(sort)?, *number)
            }
            Value::Data(data) => match *self.originals.get(&data.ctor)? {
                Original::Element(sort, number) => Value::Element(sort, number),
                Original::Constructor(ctor) => {
                    let args = data.args.iter().map(|arg| self.original(to, arg));
                    Value::data(ctor, args.collect::<Option<Vec<Value>>>()?)?
                }
            },
            Value::Codata(tree) => {
                let mut nodes = Vec::with_capacity(tree.nodes().len());
                for node in tree.nodes() {
                    let Original::Constructor(ctor) = *self.originals.get(&node.ctor)? else {
                        return None;
                    };
                    let args = node.args.iter().map(|part| match part {
                        Part::Value(value) => Some(Part::Value(self.original(to, value)?)),
                        Part::Node(next) => Some(Part::Node(*next)),
                    });
                    nodes.push(Node { ctor, args: args.collect::<Option<_>>()? });
                }
                Value::codata(nodes, 0)?
            }
            Value::Array(array) => {
                let index = *self.original_sorts.get(&array.index_sort())?;
                let default = self.original(to, array.default())?;
                let entries = array.entries().map(|(at, element)| {
                    Some((self.original(to, at)?, self.original(to, element)?))
                });
                let entries = entries.collect::<Option<BTreeMap<Value, Value>>>()?;
                Value::Array(Arc::new(ArrayValue::from_entries(to, index, default, entries)?))
            }
        })
    }
}

const NO_TERM: &str = "a value is no term";
const TOO_LARGE: &str = "a value is too large";

/// Adds a case, unless there is one that says something else.
fn insert<K: Ord>(cases: &mut BTreeMap<K, Value>, at: K, value: Value) -> Result<(), String> {
    match cases.get(&at) {
        Some(known) if *known != value => Err("two cases for one value differ".to_owned()),
        _ => {
            cases.insert(at, value);
            Ok(())
        }
    }
}
