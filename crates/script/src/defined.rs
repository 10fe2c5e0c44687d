//! Functions that are defined by recursion, in a model of everything else.
//!
//! Where recursion ends, a model gives such functions their values: what they are at some arguments is
//! found by unfolding, call by call, as far as conditions ask for it. The cases found on the way are
//! the table that `check` evaluates the definitions and the other formulas with.
//!
//! What is found here is a guess like others: whether recursion ends, and whether the cases are right,
//! `check` says.

use crate::kernel::Kernel;
use crate::session::Session;
use alphorn_problem::evidence::script::{Reason, ScriptModel};
use alphorn_smt::quantifiers::evaluated;
use alphorn_term::eval::{Program, Table};
use alphorn_term::{FuncId, Model, Op, SortId, Store, TermId, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::atomic::{AtomicBool, Ordering};

/// The most cases that are unfolded for one model.
const MAX_CASES: usize = 10_000;

/// A function that is defined by an equation, perhaps by itself.
pub(crate) struct Definition {
    func: FuncId,
    params: Vec<TermId>,
    /// What the function is, or what it is not.
    body: TermId,
    is_negated: bool,
    /// The argument that gets smaller in recursive calls.
    smaller: Option<usize>,
}

impl Definition {
    /// The definition of a function that `∀x. f(x) = body` is, if its recursion may end.
    fn of(store: &Store, formula: TermId, func: FuncId) -> Option<Definition> {
        let (Op::Forall, [params @ .., equation]) = (store.op(formula), store.args(formula)) else {
            return None;
        };
        let (is_negated, equation) = match store.op(*equation) {
            Op::Not => (true, store.args(*equation)[0]),
            _ => (false, *equation),
        };
        let (Op::Eq, &[left, right]) = (store.op(equation), store.args(equation)) else {
            return None;
        };
        let is_call =
            |term: TermId| store.op(term) == Op::Apply(func) && store.args(term) == params;
        let body = match (is_call(left), is_call(right)) {
            (true, _) => right,
            (_, true) => left,
            _ => return None,
        };
        let mut calls = store.subterms(&[body]);
        calls.retain(|term| store.op(*term) == Op::Apply(func));
        let is_smaller = |place: &usize| {
            calls.iter().all(|call| is_smaller(store, store.args(*call)[*place], params[*place]))
        };
        let smaller = match calls.is_empty() {
            true => None,
            false => Some((0..params.len()).find(is_smaller)?),
        };
        Some(Definition { func, params: params.to_vec(), body, is_negated, smaller })
    }

    /// Whether a model lists values of the function, and no others.
    pub(crate) fn is_listed_in(&self, model: &Model) -> bool {
        model.funcs.get(&self.func).is_none_or(|table| table.default.is_none())
    }

    /// Lets a model say nothing of the function but what it lists.
    pub(crate) fn list_in(&self, model: &mut Model) {
        model.funcs.entry(self.func).or_default().default = None;
    }
}

/// Whether an argument looks smaller than a parameter.
fn is_smaller(store: &Store, argument: TermId, parameter: TermId) -> bool {
    if store.sort(parameter) == SortId::INT {
        let is_step = |term: &TermId| {
            store.number_value(*term).is_some_and(|value| value < alphorn_term::Rat::ZERO)
        };
        let args = store.args(argument);
        return store.op(argument) == Op::Add
            && args.len() == 2
            && args.contains(&parameter)
            && args.iter().any(is_step);
    }
    let mut part = argument;
    while let Op::Field(..) = store.op(part) {
        part = store.args(part)[0];
    }
    part == parameter && argument != parameter
}

/// A function at some arguments.
type Call = (FuncId, Vec<Value>);

/// Formulas or a body, with all their subterms, to be evaluated for some values of variables.
struct Part {
    roots: Vec<TermId>,
    place: FxHashMap<TermId, usize>,
    program: Program,
}

impl Part {
    fn new(store: &Store, params: &[TermId], roots: &[TermId]) -> Part {
        let mut terms = store.subterms(roots);
        // What is below quantifiers has no value of its own.
        terms.retain(|term| roots.contains(term) || !store.has_quantifier(*term));
        let program = Program::new(store, params, &terms);
        let place = terms.iter().enumerate().map(|(place, term)| (*term, place)).collect();
        Part { roots: roots.to_vec(), place, program }
    }

    fn value(&self, term: TermId) -> Option<&Value> {
        self.place.get(&term).and_then(|place| self.program.output(*place).ok())
    }

    /// A call without a value that the roots need.
    fn missing(&self, store: &Store, is_defined: impl Fn(FuncId) -> bool) -> Option<Call> {
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut stack = self.roots.clone();
        while let Some(term) = stack.pop() {
            if self.value(term).is_some() || !seen.insert(term) || !self.place.contains_key(&term) {
                continue;
            }
            let args = store.args(term);
            match store.op(term) {
                Op::Forall | Op::Exists => {}
                Op::Ite => match self.value(args[0]).and_then(Value::as_bool) {
                    Some(condition) => stack.push(args[if condition { 1 } else { 2 }]),
                    None => stack.push(args[0]),
                },
                // The first without a value may make the others unnecessary.
                Op::And | Op::Or => {
                    stack.extend(args.iter().find(|arg| self.value(**arg).is_none()));
                }
                Op::Apply(func) if is_defined(func) => {
                    let values: Option<Vec<Value>> =
                        args.iter().map(|arg| self.value(*arg).cloned()).collect();
                    match values {
                        Some(values) => return Some((func, values)),
                        None => stack.extend(args),
                    }
                }
                _ => stack.extend(args),
            }
        }
        None
    }
}

/// Evaluates terms in a model, unfolding definitions, and lists the cases that it took; nothing if a
/// term has no value within the limits.
pub(crate) fn unfold(
    store: &Store,
    definitions: &[Definition],
    model: &mut Model,
    roots: &[TermId],
    interrupt: &AtomicBool,
) -> Option<Vec<Value>> {
    let numbers: FxHashMap<FuncId, usize> =
        definitions.iter().enumerate().map(|(number, own)| (own.func, number)).collect();
    let is_defined = |func: FuncId| numbers.contains_key(&func);
    let part = |own: &Definition| Part::new(store, &own.params, &[own.body]);
    let mut parts: Vec<Part> = definitions.iter().map(part).collect();
    let mut whole = Part::new(store, &[], roots);
    let mut open: Vec<Call> = Vec::new();
    let mut waiting: FxHashSet<Call> = FxHashSet::default();
    let mut steps = 0;
    loop {
        steps += 1;
        if steps > MAX_CASES || interrupt.load(Ordering::Relaxed) {
            return None;
        }
        let missing = match open.last() {
            None => {
                whole.program.run(store, &[], model);
                match whole.missing(store, is_defined) {
                    Some(missing) => missing,
                    None => return roots.iter().map(|root| whole.value(*root).cloned()).collect(),
                }
            }
            Some((func, args)) => {
                let number = numbers[func];
                let (part, own) = (&mut parts[number], &definitions[number]);
                part.program.run(store, args, model);
                if let Some(value) = part.value(own.body) {
                    let value = match (own.is_negated, value) {
                        (true, Value::Bool(value)) => Value::Bool(!value),
                        (_, value) => value.clone(),
                    };
                    let (func, args) = open.pop()?;
                    waiting.remove(&(func, args.clone()));
                    model.funcs.entry(func).or_default().entries.insert(args, value);
                    continue;
                }
                part.missing(store, is_defined)?
            }
        };
        // A call that waits for itself has no value.
        if !waiting.insert(missing.clone()) {
            return None;
        }
        open.push(missing);
    }
}

impl<K: Kernel> Session<'_, K> {
    /// The definitions in force, with their positions among the assertions, if all of them may end.
    pub(crate) fn definitions(&self) -> Option<Vec<(usize, Definition)>> {
        let asserted = self.in_force.assertions.iter().enumerate();
        let definitions = asserted.filter_map(|(position, asserted)| {
            let func = asserted.defines?;
            let found = Definition::of(&self.store, asserted.formula.term, func);
            Some(found.map(|found| (position, found)))
        });
        definitions.collect()
    }

    /// Evidence that formulas, of which the first are the assertions, hold in a model whose functions
    /// are as they are defined.
    pub(crate) fn by_definitions(&self, formulas: &[TermId], model: &Model) -> Option<ScriptModel> {
        let found = self.definitions().filter(|found| !found.is_empty())?;
        let (positions, definitions): (Vec<usize>, Vec<Definition>) = found.into_iter().unzip();
        let mut model = model.clone();
        for definition in &definitions {
            model.funcs.insert(definition.func, Table::default());
        }
        let is_definition = |position: &usize| positions.contains(position);
        let others = (0..formulas.len()).filter(|position| !is_definition(position));
        let others: Vec<TermId> = others.map(|position| formulas[position]).collect();
        let interrupt = &self.request.interrupt;
        let values = unfold(&self.store, &definitions, &mut model, &others, interrupt)?;
        if values.iter().any(|value| value.as_bool() != Some(true)) {
            return None;
        }
        let mut evidence = evaluated(formulas, model);
        for (position, definition) in positions.into_iter().zip(&definitions) {
            let Definition { func, smaller, .. } = definition;
            evidence.reasons[position] = Reason::Define { func: *func, smaller: *smaller };
        }
        Some(evidence)
    }
}
