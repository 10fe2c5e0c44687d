//! Formulas with a model's functions written out.
//!
//! Whether a quantified formula holds in a model is a question about numbers and truth values once
//! what the model says of functions, arrays and uninterpreted sorts is part of the formula:
//!
//! - an application becomes a case distinction over the table of its function;
//! - a read of an array becomes one over the writes and the array's value;
//! - a division by what may be zero becomes one over the divisor and what the model says of zero;
//! - a selector becomes one over its constructor and what the model says of others;
//! - an uninterpreted sort of n elements is the numbers 0 … n - 1, and a quantifier over it, or over
//!   truth values, a conjunction or disjunction.
//!
//! This is for finding instances and models. Whether a model is one is for `check` to say, which
//! writes it out in its own way (`problem::obligation::script`).
//!
//! Invariant: the result has the truth value that the formula has in the model, for all values of
//! the variables and constants of plain sorts, which stay as they are.

use alphorn_term::eval::Table;
use alphorn_term::{Int, Model, Op, Sort, SortId, Store, TermId, Value};
use rustc_hash::FxHashMap;

/// The most cases that are written out.
const MAX_CASES: usize = 256;
/// The most elements, for all variables of one quantifier together.
const MAX_ELEMENTS: u64 = 4096;
/// The deepest nesting of quantifiers.
const DEEPEST: u32 = 32;

/// A model to write formulas out with.
pub struct Interpreter<'a> {
    model: &'a Model,
    /// The numbers of elements of uninterpreted sorts.
    sizes: FxHashMap<SortId, u32>,
    /// How many parts the model's values have.
    parts: u64,
}

/// What bound variables are.
type Environment = FxHashMap<TermId, TermId>;

/// The results for terms; none for those that only have a meaning below others.
type Done = FxHashMap<TermId, Option<TermId>>;

impl<'a> Interpreter<'a> {
    /// An interpreter for a model.
    pub fn new(model: &'a Model) -> Interpreter<'a> {
        let mut interpreter = Interpreter { model, sizes: FxHashMap::default(), parts: 0 };
        let tables = model.funcs.values().chain(model.choices.fields.values());
        let in_tables = tables.flat_map(|table| {
            let entries = table.entries.iter().flat_map(|(args, value)| args.iter().chain([value]));
            entries.chain(table.default.as_ref())
        });
        for value in model.vars.values().chain(in_tables) {
            interpreter.count(value);
        }
        interpreter
    }

    fn count(&mut self, value: &Value) {
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            self.parts += 1;
            if let Value::Element(sort, number) = value {
                let size = self.sizes.entry(*sort).or_insert(0);
                *size = (*size).max(number + 1);
            }
            value.push_parts(&mut open);
        }
    }

    /// How many parts the model's values have: whoever writes them out pays for these.
    pub fn parts(&self) -> u64 {
        self.parts
    }

    /// How many elements an uninterpreted sort has.
    pub fn size(&self, sort: SortId) -> u32 {
        self.sizes.get(&sort).copied().unwrap_or(1)
    }

    /// The formula written out, where bound variables are what `environment` says.
    pub fn formula(
        &self,
        store: &mut Store,
        formula: TermId,
        environment: &FxHashMap<TermId, TermId>,
    ) -> Option<TermId> {
        self.within(store, formula, environment, 0)
    }

    fn within(
        &self,
        store: &mut Store,
        root: TermId,
        environment: &Environment,
        depth: u32,
    ) -> Option<TermId> {
        if depth > DEEPEST {
            return None;
        }
        let mut done: Done = FxHashMap::default();
        let mut stack = vec![(root, false)];
        while let Some((term, is_ready)) = stack.pop() {
            if done.contains_key(&term) {
                continue;
            }
            let is_quantifier = matches!(store.op(term), Op::Forall | Op::Exists);
            if !is_ready && !is_quantifier && !store.args(term).is_empty() {
                stack.push((term, true));
                stack.extend(store.args(term).iter().map(|arg| (*arg, false)));
                continue;
            }
            let result = match is_quantifier {
                true => self.quantifier(store, term, environment, depth),
                false => self.term(store, term, environment, &done),
            };
            done.insert(term, result);
        }
        done[&root]
    }

    fn quantifier(
        &self,
        store: &mut Store,
        term: TermId,
        environment: &Environment,
        depth: u32,
    ) -> Option<TermId> {
        let op = store.op(term);
        let vars = store.bound_vars(term).to_vec();
        let body = *store.args(term).last()?;
        let is_plain = |var: &TermId| {
            let sort = store.sort(*var);
            sort != SortId::BOOL && !is_uninterpreted(store, sort)
        };
        let (plain, others): (Vec<TermId>, Vec<TermId>) = vars.into_iter().partition(is_plain);
        if !plain.iter().all(|var| is_literal_sort(store, store.sort(*var))) {
            return None;
        }
        let mut environment = environment.clone();
        environment.extend(plain.iter().map(|var| (*var, *var)));
        let size = |var: &TermId| match store.sort(*var) {
            SortId::BOOL => 2,
            sort => self.size(sort),
        };
        let sizes: Vec<u32> = others.iter().map(size).collect();
        let total = sizes.iter().try_fold(1u64, |all, size| all.checked_mul(u64::from(*size)))?;
        if total > MAX_ELEMENTS {
            return None;
        }
        let mut cases = Vec::new();
        for mut number in 0..total {
            for (var, size) in others.iter().zip(&sizes) {
                let element = number % u64::from(*size);
                number /= u64::from(*size);
                let value = match store.sort(*var) {
                    SortId::BOOL => store.bool(element == 1),
                    _ => store.int(element as i64),
                };
                environment.insert(*var, value);
            }
            cases.push(self.within(store, body, &environment, depth + 1)?);
        }
        let whole = if op == Op::Forall { store.and(&cases) } else { store.or(&cases) };
        Some(match (plain.is_empty(), op) {
            (true, _) => whole,
            (false, Op::Forall) => store.forall(&plain, whole),
            (false, _) => store.exists(&plain, whole),
        })
    }

    fn term(
        &self,
        store: &mut Store,
        term: TermId,
        environment: &Environment,
        done: &Done,
    ) -> Option<TermId> {
        let op = store.op(term);
        let own = store.args(term).to_vec();
        let args = |done: &Done| own.iter().map(|arg| done[arg]).collect::<Option<Vec<TermId>>>();
        match op {
            Op::Var(_) if environment.contains_key(&term) => environment.get(&term).copied(),
            Op::Var(_) => self.constant(store, term, self.model.vars.get(&term).cloned()),
            Op::Apply(func) if own.is_empty() => {
                let value = self.model.funcs.get(&func).and_then(|table| table.at(&[]));
                self.constant(store, term, value)
            }
            Op::Apply(func) => {
                let args = args(done)?;
                let result = store.func(func).result;
                let value = match self.model.funcs.get(&func) {
                    Some(table) => cases(store, table, &args)?,
                    // Of which nothing is known: it is as good as any.
                    None => {
                        let default = Value::default_of(store, result)?;
                        literal(store, &default)?
                    }
                };
                of_sort(store, result, value)
            }
            Op::Select => {
                let value = self.read(store, own[0], done[&own[1]]?, done)?;
                of_sort(store, store.sort(term), value)
            }
            Op::IntDiv | Op::Mod | Op::RealDiv => self.quotient(store, op, &args(done)?),
            // An element inside of a value is no number.
            Op::Field(..) if is_uninterpreted(store, store.sort(term)) => None,
            Op::Field(ctor, field) => {
                let arg = args(done)?[0];
                let own = store.app(op, &[arg]).ok()?;
                let Some(table) = self.model.choices.fields.get(&(ctor, field)) else {
                    return Some(own);
                };
                let other = cases(store, table, &[arg])?;
                let is_own = store.app(Op::Is(ctor), &[arg]).ok()?;
                store.app(Op::Ite, &[is_own, own, other]).ok()
            }
            Op::Store | Op::ConstArray => None,
            Op::Ite if matches!(store.sort_of(store.sort(term)), Sort::Array(..)) => None,
            _ if own.is_empty() => Some(term),
            _ => store.app(op, &args(done)?).ok(),
        }
    }

    /// A quotient or remainder; by zero it is what the model says.
    fn quotient(&self, store: &mut Store, op: Op, args: &[TermId]) -> Option<TermId> {
        let own = store.app(op, args).ok()?;
        let divisor = args[1];
        if !divides_by_unknown(store, own) {
            return Some(own);
        }
        let choices = &self.model.choices;
        let table = match op {
            Op::IntDiv => &choices.int_div,
            Op::Mod => &choices.modulo,
            _ => &choices.real_div,
        };
        let other = match table {
            Some(table) => cases(store, table, &args[..1])?,
            None => store.number(store.sort(own), &Int::ZERO),
        };
        let zero = store.number(store.sort(divisor), &Int::ZERO);
        let is_zero = store.eq(divisor, zero);
        store.app(Op::Ite, &[is_zero, other, own]).ok()
    }

    /// A constant or a free variable.
    fn constant(&self, store: &mut Store, term: TermId, value: Option<Value>) -> Option<TermId> {
        let sort = store.sort(term);
        if sort == SortId::BOOL || sort.is_arithmetic() {
            return Some(term);
        }
        let value = match value {
            Some(value) => value,
            None => Value::default_of(store, sort)?,
        };
        match value {
            Value::Array(_) => None,
            value => literal(store, &value),
        }
    }

    /// The value of an array at an index.
    fn read(&self, store: &mut Store, array: TermId, index: TermId, done: &Done) -> Option<TermId> {
        match store.op(array) {
            Op::Store => {
                let args = store.args(array).to_vec();
                let (place, value) = (done[&args[1]]?, done[&args[2]]?);
                let rest = self.read(store, args[0], index, done)?;
                let is_there = store.app(Op::Eq, &[index, place]).ok()?;
                store.app(Op::Ite, &[is_there, value, rest]).ok()
            }
            Op::ConstArray => done[&store.args(array)[0]],
            Op::Ite => {
                let args = store.args(array).to_vec();
                let condition = done[&args[0]]?;
                let then = self.read(store, args[1], index, done)?;
                let otherwise = self.read(store, args[2], index, done)?;
                store.app(Op::Ite, &[condition, then, otherwise]).ok()
            }
            op @ (Op::Var(_) | Op::Apply(_)) if store.args(array).is_empty() => {
                let value = match op {
                    Op::Apply(func) => self.model.funcs.get(&func).and_then(|t| t.at(&[])),
                    _ => self.model.vars.get(&array).cloned(),
                };
                let value = match value {
                    Some(value) => value,
                    None => Value::default_of(store, store.sort(array))?,
                };
                let Value::Array(value) = value else { return None };
                let mut table = Table::constant(value.default().clone());
                for (index, element) in value.entries() {
                    table.entries.insert(vec![index.clone()], element.clone());
                }
                cases(store, &table, &[index])
            }
            _ => None,
        }
    }
}

/// Whether a term is a quotient or remainder whose divisor may be zero.
pub(super) fn divides_by_unknown(store: &Store, term: TermId) -> bool {
    let by = |divisor: TermId| {
        let number = store.number_value(divisor);
        number.is_none_or(|number| number.is_zero())
    };
    matches!(store.op(term), Op::IntDiv | Op::Mod | Op::RealDiv) && by(store.args(term)[1])
}

/// A table as a case distinction over arguments.
fn cases(store: &mut Store, table: &Table, args: &[TermId]) -> Option<TermId> {
    if table.entries.len() > MAX_CASES {
        return None;
    }
    if args.iter().all(|arg| store.is_literal(*arg)) {
        let value = table.at(&values(store, table, args)?)?;
        return literal(store, &value);
    }
    let first = table.entries.values().next().filter(|_| table.default.is_none()).cloned();
    let otherwise = first.and_then(|value| literal(store, &value));
    store.table_term(table, args, otherwise, &mut literal)
}

/// The values of literals, of which those for elements are numbers.
fn values(store: &Store, table: &Table, args: &[TermId]) -> Option<Vec<Value>> {
    let example = table.entries.first_key_value().map(|(keys, _)| keys.as_slice());
    let value = |(position, arg): (usize, &TermId)| match example.map(|keys| &keys[position]) {
        Some(Value::Element(sort, _)) => {
            let number = store.int_value(*arg)?.to_i64()?;
            Some(Value::Element(*sort, u32::try_from(number).ok()?))
        }
        _ => store.literal_value(*arg),
    };
    args.iter().enumerate().map(value).collect()
}

/// A value as a term, elements as numbers.
fn literal(store: &mut Store, value: &Value) -> Option<TermId> {
    match value {
        Value::Element(_, number) => Some(store.int(i64::from(*number))),
        Value::Array(_) => None,
        value => store.value_term(value),
    }
}

/// What was written out for a term of this sort, if it has the sort that it should have.
fn of_sort(store: &Store, sort: SortId, value: TermId) -> Option<TermId> {
    let expected = if is_uninterpreted(store, sort) { SortId::INT } else { sort };
    (store.sort(value) == expected).then_some(value)
}

/// Whether all values of a sort are terms whose parts the solver knows.
pub(super) fn is_literal_sort(store: &Store, sort: SortId) -> bool {
    match store.sort_of(sort) {
        Sort::Bool | Sort::Int | Sort::Real | Sort::BitVec(_) => true,
        Sort::Data(data) => !store.data(*data).is_co,
        _ => false,
    }
}

/// Whether a sort is one of elements.
pub(super) fn is_uninterpreted(store: &Store, sort: SortId) -> bool {
    matches!(store.sort_of(sort), Sort::Uninterpreted(..))
}
