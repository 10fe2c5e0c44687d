//! Definitions of a model as tables, which is how the checker takes functions.
//!
//! A definition by cases becomes a table exactly, and so does one over truth values and elements that
//! have names; of any other the table has the cases that the formulas without quantifiers meet.
//!
//! Whoever wrote the model need not be kind: a value may square itself in each line. So everything is
//! evaluated on one meter, whose limit follows from the sizes of question and text.

use alphorn_check::work;
use alphorn_problem::Question;
use alphorn_problem::evidence::horn::Definition;
use alphorn_script::complete;
use alphorn_term::eval::bound::{self, Tables};
use alphorn_term::eval::{Table, eval};
use alphorn_term::{Exhausted, FuncId, Meter, Model, Op, Sort, Store, TermId, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The most cases of functions that are not given by cases, each of which costs an evaluation.
const MAX_CASES: usize = 1 << 14;
/// The ticks of beginning an evaluation.
const EVALUATION: u64 = 64;

type Definitions = BTreeMap<FuncId, Definition>;

/// The meter for evaluating parts of a question and of a model of `length` bytes.
pub(super) fn meter(question: &Question, length: usize) -> Meter {
    work::meter(question.terms.effort().saturating_add(length as u64))
}

/// The value of a term, unless it has none or making it takes too much.
pub(super) fn value(
    terms: &Store,
    term: TermId,
    (model, tables): (&Model, &Tables),
    meter: &Meter,
) -> Option<Value> {
    meter.spend(EVALUATION).ok()?;
    bound::evaluation(terms, &[term], model, tables, meter).ok()?;
    eval(terms, term, model).ok()
}

/// The model with a table for each function, or why there is none; `elements` are what names stand for.
pub(super) fn model(
    question: &Question,
    funcs: &[FuncId],
    (definitions, elements): (&Definitions, &Model),
    meter: &Meter,
) -> Result<Model, String> {
    let Question { terms, formulas } = question;
    let known = Model { vars: elements.vars.clone(), ..Model::new() };
    let mut making = Making { terms, meter, known, tables: Tables::default() };
    let waiting = making.in_order(definitions)?;
    let mut open: BTreeMap<FuncId, &Definition> = BTreeMap::new();
    for func in waiting {
        let definition = &definitions[&func];
        if definition.params.is_empty() {
            let name = terms.name(terms.func(func).name);
            making.still_allowed()?;
            return Err(format!("the value of `{name}` cannot be evaluated"));
        }
        open.insert(func, definition);
    }
    making.met(formulas, &open)?;
    let mut model = Model { vars: BTreeMap::new(), ..making.known };
    for func in open.keys() {
        let result = terms.func(*func).result;
        let table = model.funcs.entry(*func).or_default();
        table.default = Value::default_of(terms, result);
    }
    complete(terms, funcs, formulas, &mut model);
    Ok(model)
}

/// A model in the making.
struct Making<'a> {
    terms: &'a Store,
    meter: &'a Meter,
    /// The elements that have names, the functions that have tables, and for a while parameters.
    known: Model,
    /// What is known of the tables.
    tables: Tables,
}

impl Making<'_> {
    /// An error once the meter is used up.
    fn still_allowed(&self) -> Result<(), String> {
        if self.meter.is_exhausted() { Err(Exhausted.to_string()) } else { Ok(()) }
    }

    fn value(&self, term: TermId) -> Option<Value> {
        value(self.terms, term, (&self.known, &self.tables), self.meter)
    }

    /// The value of a body where its parameters are `args`.
    fn applied(&mut self, definition: &Definition, args: &[Value]) -> Option<Value> {
        let ticks = args.iter().map(bound::value_ticks).fold(0, u64::saturating_add);
        self.meter.spend(ticks).ok()?;
        for (&param, value) in definition.params.iter().zip(args) {
            self.known.set(param, value.clone());
        }
        let value = self.value(definition.body);
        for param in &definition.params {
            self.known.vars.remove(param);
        }
        value
    }

    fn insert(&mut self, func: FuncId, table: Table) {
        self.tables.set(func, &table);
        self.known.funcs.insert(func, table);
    }

    /// Makes the tables of all definitions that have one, each after those that it uses; returns the
    /// others.
    fn in_order(&mut self, definitions: &Definitions) -> Result<BTreeSet<FuncId>, String> {
        let mut users: BTreeMap<FuncId, Vec<FuncId>> = BTreeMap::new();
        let mut missing: BTreeMap<FuncId, usize> = BTreeMap::new();
        for (&func, definition) in definitions {
            let used = self.used(definition.body, definitions)?;
            missing.insert(func, used.len());
            used.into_iter().for_each(|other| users.entry(other).or_default().push(func));
        }
        let mut waiting: BTreeSet<FuncId> = definitions.keys().copied().collect();
        let mut ready: Vec<FuncId> = waiting.iter().copied().filter(|f| missing[f] == 0).collect();
        while let Some(func) = ready.pop() {
            let Some(table) = self.table(&definitions[&func]) else {
                self.still_allowed()?;
                continue;
            };
            self.insert(func, table);
            waiting.remove(&func);
            for user in users.get(&func).into_iter().flatten() {
                let count = missing.entry(*user).or_default();
                *count -= 1;
                if *count == 0 {
                    ready.push(*user);
                }
            }
        }
        Ok(waiting)
    }

    /// The functions with definitions that a term uses.
    fn used(&self, body: TermId, definitions: &Definitions) -> Result<BTreeSet<FuncId>, String> {
        let mut used = BTreeSet::new();
        let subterms = self.terms.subterms(&[body]);
        self.meter.spend(subterms.len() as u64)?;
        for term in subterms {
            if let Op::Apply(func) = self.terms.op(term)
                && definitions.contains_key(&func)
            {
                used.insert(func);
            }
        }
        Ok(used)
    }

    /// A definition as a table, if it has one.
    fn table(&mut self, definition: &Definition) -> Option<Table> {
        self.by_cases(definition).or_else(|| self.by_elements(definition))
    }

    /// Adds the cases of `open` definitions that formulas meet.
    fn met(
        &mut self,
        formulas: &[TermId],
        open: &BTreeMap<FuncId, &Definition>,
    ) -> Result<(), String> {
        for (func, args) in points(self.terms, formulas, open)? {
            let Some(definition) = open.get(&func) else { continue };
            self.still_allowed()?;
            // What stands under a quantifier has no value; the checker will say so.
            let args: Option<Vec<Value>> = args.iter().map(|&arg| self.value(arg)).collect();
            let Some(args) = args else { continue };
            if let Some(value) = self.applied(definition, &args) {
                let table = self.known.funcs.entry(func).or_default();
                self.tables.widen(func, &value);
                table.entries.insert(args, value);
            }
        }
        self.still_allowed()
    }

    /// A definition by cases as a table: a value, or a choice between values by equations of parameters.
    fn by_cases(&self, definition: &Definition) -> Option<Table> {
        let terms = self.terms;
        let mut table = Table::default();
        let mut rest = definition.body;
        while let (Op::Ite, &[condition, then, other]) = (terms.op(rest), terms.args(rest))
            && let Some(args) = self.case(definition, condition)
        {
            let value = self.value(then)?;
            // The first case that fits counts.
            table.entries.entry(args).or_insert(value);
            rest = other;
        }
        if let Some(value) = self.value(rest) {
            table.default = Some(value);
            return Some(table);
        }
        // A formula is true in some cases, or in all but some.
        let (cases, value) = match (terms.op(rest), terms.args(rest)) {
            (Op::Ite, _) => return None,
            (Op::Not, &[condition]) => (vec![condition], false),
            (Op::Or, conditions) => (conditions.to_vec(), true),
            _ => (vec![rest], true),
        };
        for condition in cases {
            let args = self.case(definition, condition)?;
            table.entries.entry(args).or_insert(Value::Bool(value));
        }
        table.default = Some(Value::Bool(!value));
        Some(table)
    }

    /// A definition as a table of all that its arguments can be, if they are truth values and elements
    /// of declared sorts, of which there are those that have names.
    fn by_elements(&mut self, definition: &Definition) -> Option<Table> {
        let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
        for &param in &definition.params {
            let sort = self.terms.sort(param);
            let is_of = |value: &&Value| matches!(value, Value::Element(of, _) if *of == sort);
            let values: Vec<Value> = match self.terms.sort_of(sort) {
                Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
                Sort::Uninterpreted(..) => {
                    self.known.vars.values().filter(is_of).cloned().collect()
                }
                _ => return None,
            };
            if rows.len().checked_mul(values.len())? > MAX_CASES {
                return None;
            }
            let longer =
                |row: &Vec<Value>, value: &Value| [&row[..], std::slice::from_ref(value)].concat();
            rows = rows.iter().flat_map(|row| values.iter().map(|v| longer(row, v))).collect();
        }
        let mut table = Table::default();
        for row in rows {
            let value = self.applied(definition, &row)?;
            table.entries.insert(row, value);
        }
        table.default = table.entries.values().next().cloned();
        Some(table)
    }

    /// The arguments that a condition stands for, if it says exactly what they are.
    fn case(&self, definition: &Definition, condition: TermId) -> Option<Vec<Value>> {
        let terms = self.terms;
        let place = |term: TermId| definition.params.iter().position(|&param| param == term);
        let mut args: Vec<Option<Value>> = vec![None; definition.params.len()];
        let parts = match terms.op(condition) {
            Op::And => terms.args(condition),
            _ => &[condition],
        };
        for &part in parts {
            let (at, value) = match (terms.op(part), terms.args(part)) {
                (Op::Eq, &[left, right]) => match (place(left), place(right)) {
                    (Some(at), _) => (at, self.value(right)?),
                    (None, Some(at)) => (at, self.value(left)?),
                    (None, None) => return None,
                },
                (Op::Not, &[param]) => (place(param)?, Value::Bool(false)),
                (Op::Var(_), []) => (place(part)?, Value::Bool(true)),
                _ => return None,
            };
            if args[at].replace(value).is_some() {
                return None;
            }
        }
        args.into_iter().collect()
    }
}

/// The applications of functions in the formulas, arguments before what they are arguments of.
fn points(
    terms: &Store,
    formulas: &[TermId],
    open: &BTreeMap<FuncId, &Definition>,
) -> Result<Vec<(FuncId, Vec<TermId>)>, String> {
    let mut points = Vec::new();
    if open.is_empty() {
        return Ok(points);
    }
    let mut subterms: Vec<TermId> = terms.subterms(formulas).into_iter().collect();
    subterms.sort_unstable();
    for term in subterms {
        if let Op::Apply(func) = terms.op(term)
            && open.contains_key(&func)
        {
            points.push((func, terms.args(term).to_vec()));
        }
    }
    match points.len() > MAX_CASES {
        true => Err("a function is not given by cases, and is applied too often".to_owned()),
        false => Ok(points),
    }
}
