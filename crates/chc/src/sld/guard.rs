//! Guards under what is known of their variables: true, false, or open for want of a value.
//!
//! Equations between data, testers and connectives are judged by what is known of them, everything else when
//! all its variables have values. An equation with one unknown is solved.
//!
//! Invariant: a guard that was judged stays so, whatever other variables get for values.

use super::bindings::{Bindings, Cell, Node};
use super::program::is_data;
use alphorn_term::value::MAX_VALUE_DEPTH;
use alphorn_term::{CtorId, Model, Op, Rat, SortId, Store, TermId, Value, eval};

/// What is known of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Truth {
    True,
    False,
    /// It depends on a variable.
    Open(Node),
}

/// Where the terms are that variables of guards stand for.
pub(crate) trait Terms {
    /// Whether two terms are equal whatever their variables are; a variable that it depends on otherwise.
    fn same(&self, one: Node, other: Node) -> Result<bool, Node>;
    /// The constructor that a term begins with, if it is one of a datatype; the variable that it is otherwise.
    fn top(&self, node: Node) -> Result<Option<CtorId>, Node>;
    /// The value of a term; an error names a variable without value, or nothing if the value is too deep.
    fn read(&self, node: Node) -> Result<Value, Option<Node>>;
}

impl Terms for Bindings {
    fn same(&self, one: Node, other: Node) -> Result<bool, Node> {
        Bindings::same(self, one, other)
    }

    fn top(&self, node: Node) -> Result<Option<CtorId>, Node> {
        let node = self.find(node);
        match self.cell(node) {
            Cell::Data(ctor, ..) => Ok(Some(ctor)),
            Cell::Free(_) | Cell::Bound(_) => Err(node),
            Cell::Value(_) => Ok(None),
        }
    }

    fn read(&self, node: Node) -> Result<Value, Option<Node>> {
        read(self, node, 0, &mut |_| None)
    }
}

/// What the variables of a guard are.
pub(crate) type Env<'a> = &'a [(TermId, Node)];

/// What is known of a guard.
pub(crate) fn judge(store: &Store, terms: &impl Terms, formula: TermId, env: Env<'_>) -> Truth {
    let args = store.args(formula);
    match store.op(formula) {
        Op::And => all(store, terms, args, env, Truth::False),
        Op::Or => all(store, terms, args, env, Truth::True),
        Op::Not => match judge(store, terms, args[0], env) {
            Truth::True => Truth::False,
            Truth::False => Truth::True,
            open => open,
        },
        Op::Eq if is_data(store, store.sort(args[0])) => {
            match (node_of(args[0], env), node_of(args[1], env)) {
                (Some(one), Some(other)) => match terms.same(one, other) {
                    Ok(true) => Truth::True,
                    Ok(false) => Truth::False,
                    Err(node) => Truth::Open(node),
                },
                _ => by_value(store, terms, formula, env),
            }
        }
        Op::Is(ctor) => match node_of(args[0], env) {
            Some(node) => match terms.top(node) {
                Ok(Some(also)) if also == ctor => Truth::True,
                Ok(_) => Truth::False,
                Err(node) => Truth::Open(node),
            },
            None => by_value(store, terms, formula, env),
        },
        _ => by_value(store, terms, formula, env),
    }
}

/// A conjunction or disjunction, which one part of the value `strong` decides.
fn all(store: &Store, terms: &impl Terms, parts: &[TermId], env: Env<'_>, strong: Truth) -> Truth {
    let weak = if strong == Truth::True { Truth::False } else { Truth::True };
    let mut found = weak;
    for &part in parts {
        match judge(store, terms, part, env) {
            truth if truth == strong => return strong,
            Truth::Open(node) => found = Truth::Open(node),
            _ => {}
        }
    }
    found
}

fn node_of(term: TermId, env: Env<'_>) -> Option<Node> {
    env.iter().find(|(var, _)| *var == term).map(|&(_, node)| node)
}

/// A formula whose variables must all have values.
fn by_value(store: &Store, terms: &impl Terms, formula: TermId, env: Env<'_>) -> Truth {
    match value_of(store, terms, formula, env) {
        Ok(Some(Value::Bool(true))) => Truth::True,
        Ok(_) => Truth::False,
        Err(node) => Truth::Open(node),
    }
}

/// The value of a term; none if there is none, and a variable without value if there is one.
fn value_of(
    store: &Store,
    terms: &impl Terms,
    term: TermId,
    env: Env<'_>,
) -> Result<Option<Value>, Node> {
    let mut model = Model::new();
    for var in store.free_vars(&[term]) {
        let Some(node) = node_of(var, env) else { return Ok(None) };
        match terms.read(node) {
            Ok(value) => model.set(var, value),
            Err(Some(free)) => return Err(free),
            Err(None) => return Ok(None),
        }
    }
    Ok(eval(store, term, &model).ok())
}

/// A node as a value, with values for variables that have none; an error names one without, or nothing if the
/// value is too deep.
pub(crate) fn read(
    bindings: &Bindings,
    node: Node,
    depth: u32,
    free: &mut impl FnMut(Node) -> Option<Value>,
) -> Result<Value, Option<Node>> {
    let node = bindings.find(node);
    match bindings.cell(node) {
        Cell::Free(_) | Cell::Bound(_) => free(node).ok_or(Some(node)),
        Cell::Value(place) => Ok(bindings.value_at(place).clone()),
        Cell::Data(..) if depth > MAX_VALUE_DEPTH => Err(None),
        Cell::Data(ctor, first, _) => {
            let args = bindings.args(first).iter();
            let args = args.map(|&arg| read(bindings, arg, depth + 1, free));
            Value::data(ctor, args.collect::<Result<_, _>>()?).ok_or(None)
        }
    }
}

/// A value as a node.
fn write(bindings: &mut Bindings, value: &Value) -> Node {
    match value {
        Value::Data(data) => {
            let args: Vec<Node> = data.args.iter().map(|arg| write(bindings, arg)).collect();
            bindings.data(data.ctor, &args)
        }
        other => bindings.value(other.clone()),
    }
}

/// Solves an equation that has one unknown; none if it cannot, else whether there is a solution.
pub(crate) fn solve(
    store: &Store,
    bindings: &mut Bindings,
    formula: TermId,
    env: Env<'_>,
) -> Option<bool> {
    let (node, value) = solution(store, bindings, formula, env)?;
    let Some(value) = value else { return Some(false) };
    let made = write(bindings, &value);
    Some(bindings.unify(node, made))
}

/// What an equation says of a term that it does not determine otherwise: its value, or that it has none.
pub(crate) fn solution(
    store: &Store,
    terms: &impl Terms,
    formula: TermId,
    env: Env<'_>,
) -> Option<(Node, Option<Value>)> {
    if store.op(formula) != Op::Eq {
        return None;
    }
    let args = store.args(formula);
    for (var, term) in [(args[0], args[1]), (args[1], args[0])] {
        let Some(node) = node_of(var, env) else { continue };
        if let Ok(value) = value_of(store, terms, term, env) {
            return Some((node, value));
        }
    }
    linear(store, terms, formula, env)
}

/// The unknown of a linear equation and its value; no value if there is none.
fn linear(
    store: &Store,
    terms: &impl Terms,
    formula: TermId,
    env: Env<'_>,
) -> Option<(Node, Option<Value>)> {
    let args = store.args(formula);
    let is_int = match store.sort(args[0]) {
        SortId::INT => true,
        SortId::REAL => false,
        _ => return None,
    };
    let mut unknown: Option<Node> = None;
    let mut model = Model::new();
    let mut places = Vec::new();
    for var in store.free_vars(&[formula]) {
        match terms.read(node_of(var, env)?) {
            Ok(value) => model.set(var, value),
            Err(Some(free)) if *unknown.get_or_insert(free) == free => {
                if store.sort(var) != store.sort(args[0]) {
                    return None;
                }
                places.push(var);
            }
            Err(_) => return None,
        }
    }
    let unknown = unknown?;
    let number = |value: Rat| {
        if is_int { Value::Int(value.floor()) } else { Value::Real(value) }
    };
    let mut difference = |at: Rat| -> Option<Rat> {
        places.iter().for_each(|&var| model.set(var, number(at.clone())));
        let sides = args.iter().map(|&arg| match eval(store, arg, &model).ok()? {
            Value::Int(value) => Some(Rat::from(value)),
            Value::Real(value) => Some(value),
            _ => None,
        });
        let sides: Option<Vec<Rat>> = sides.collect();
        sides.map(|sides| &sides[0] - &sides[1])
    };
    let zero = difference(Rat::from(0))?;
    let slope = &difference(Rat::from(1))? - &zero;
    // What is linear at three places may not be so elsewhere; then a solution may be missed.
    let is_linear = difference(Rat::from(2))? == &(&slope + &slope) + &zero;
    let found = -zero.checked_div(&slope)?;
    if !is_linear {
        return None;
    }
    if is_int && !found.is_integer() {
        return Some((unknown, None));
    }
    difference(found.clone())?.is_zero().then(|| (unknown, Some(number(found))))
}
