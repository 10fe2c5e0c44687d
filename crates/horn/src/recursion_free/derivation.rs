//! From a model of an expansion to a derivation, or to the nodes that must be expanded for one.
//!
//! The model is read from the query downwards. At each node a branch is true, which says which
//! clause is taken and with which values; of its atoms those are followed that make its body true,
//! as few as the first choice at each disjunction needs. Where this meets nodes that are not
//! expanded, the model is a guess about them; otherwise the instances met are a derivation.
//!
//! A derivation must not depend on what the system leaves open (background functions, division by
//! zero, how many elements a sort has), so every instance is evaluated without it.

use super::expansion::{Branch, Expansion, Node, ROOT};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::{Derivation, Step};
use alphorn_problem::horn::Head;
use alphorn_term::eval::Table;
use alphorn_term::{FuncId, Model, Op, SortId, Store, TermId, Value, eval};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What a model of an expansion says.
pub enum Reading {
    /// False is derived.
    Derived(Derivation),
    /// It would be if some nodes could be derived that are not expanded.
    Open {
        /// These nodes.
        nodes: Vec<usize>,
        /// The expanded nodes that were met, with the branches taken.
        taken: Vec<(usize, usize)>,
    },
}

/// A clause taken at a node.
struct Instance {
    node: usize,
    branch: usize,
    values: Vec<Value>,
    /// The nodes that its body needs.
    needs: Vec<usize>,
}

/// Reads a model of an expansion's labels.
pub fn read(
    horn: &Horn,
    expansion: &Expansion<'_>,
    store: &Store,
    model: Model,
    ctx: &mut Ctx<'_>,
) -> Result<Reading, Stop> {
    let model = complete(expansion, store, model);
    let mut instances: Vec<Instance> = Vec::new();
    let mut is_met = vec![false; expansion.nodes.len()];
    let (mut stack, mut open) = (vec![ROOT], Vec::new());
    while let Some(index) = stack.pop() {
        if std::mem::replace(&mut is_met[index], true) {
            continue;
        }
        let node = &expansion.nodes[index];
        let Some(branches) = &node.branches else {
            open.push(index);
            continue;
        };
        ctx.tick(1 + branches.len() as u64)?;
        let is_taken =
            |branch: &Branch| eval(store, branch.condition, &model) == Ok(Value::Bool(true));
        let branch = branches.iter().position(is_taken).ok_or_else(depends)?;
        let instance = instance(horn, expansion, &model, index, branch).ok_or_else(depends)?;
        stack.extend(instance.needs.iter().rev());
        instances.push(instance);
    }
    if !open.is_empty() {
        let taken = instances.iter().map(|instance| (instance.node, instance.branch)).collect();
        return Ok(Reading::Open { nodes: open, taken });
    }
    write(horn, expansion, &model, &instances).map(Reading::Derived).ok_or_else(depends)
}

fn depends() -> Stop {
    let text = "a query can be derived if what the system leaves open is chosen in some way";
    Stop::Stuck(text.to_owned())
}

/// The model with values for all variables.
fn complete(expansion: &Expansion<'_>, store: &Store, mut model: Model) -> Model {
    for node in &expansion.nodes {
        let branches = node.branches.iter().flatten();
        let own = node.params.iter().chain(&node.flag);
        for &var in own.chain(branches.flat_map(|branch| &branch.vars)) {
            if let Some(value) = Value::default_of(store, store.sort(var)) {
                model.vars.entry(var).or_insert(value);
            }
        }
    }
    model
}

/// The value of each variable; none if one has no value.
fn values_of(model: &Model, vars: &[TermId]) -> Option<Vec<Value>> {
    vars.iter().map(|var| model.vars.get(var).cloned()).collect()
}

fn is_used(model: &Model, node: &Node) -> bool {
    node.flag.is_none_or(|flag| model.vars.get(&flag) == Some(&Value::Bool(true)))
}

/// The instance of a branch that the model makes true.
fn instance(
    horn: &Horn,
    expansion: &Expansion<'_>,
    model: &Model,
    node: usize,
    branch: usize,
) -> Option<Instance> {
    let taken = &expansion.nodes[node].branches.as_ref()?[branch];
    let values = values_of(model, &taken.vars)?;
    let clause = horn.clause(taken.clause);
    let mut local = Model { choices: model.choices.clone(), ..Model::new() };
    local.funcs.extend(model.funcs.iter().map(|(&func, table)| (func, table.clone())));
    for (&var, value) in clause.vars.iter().zip(&values) {
        local.set(var, value.clone());
    }
    let mut facts: FxHashMap<(FuncId, Vec<Value>), usize> = FxHashMap::default();
    for &(atom, child) in &taken.atoms {
        let Op::Apply(func) = horn.terms.op(atom) else { return None };
        let table = local.funcs.entry(func).or_insert_with(|| Table::constant(Value::Bool(false)));
        let use_of = &expansion.nodes[child];
        if is_used(model, use_of) {
            let args = values_of(model, &use_of.params)?;
            table.entries.insert(args.clone(), Value::Bool(true));
            facts.entry((func, args)).or_insert(child);
        }
    }
    let mut needs = Vec::new();
    for (func, args) in support(horn, clause.body, &local)? {
        let child = *facts.get(&(func, args))?;
        if !needs.contains(&child) {
            needs.push(child);
        }
    }
    Some(Instance { node, branch, values, needs })
}

/// Facts that make a body true in a model: those of all conjuncts, and of one true disjunct.
fn support(horn: &Horn, body: TermId, model: &Model) -> Option<Vec<(FuncId, Vec<Value>)>> {
    let store = &horn.terms;
    let is_true = |&term: &TermId| eval(store, term, model) == Ok(Value::Bool(true));
    let mut facts = Vec::new();
    let mut stack = vec![body];
    while let Some(term) = stack.pop() {
        if !store.has_apply(term) {
            continue;
        }
        let args = store.args(term);
        match store.op(term) {
            Op::Apply(func) if horn.pred_of(func).is_some() => {
                let args: Result<Vec<Value>, _> =
                    args.iter().map(|&arg| eval(store, arg, model)).collect();
                facts.push((func, args.ok()?));
            }
            Op::And => stack.extend(args.iter().rev()),
            Op::Or => {
                let plain = args.iter().filter(|&&arg| horn.atoms(arg).is_empty());
                let other = args.iter().filter(|&&arg| !horn.atoms(arg).is_empty());
                stack.push(plain.chain(other).copied().find(is_true)?);
            }
            _ => {}
        }
    }
    Some(facts)
}

/// The instances as steps, premises first and each fact once; none if one of them depends on what
/// the system leaves open.
fn write(
    horn: &Horn,
    expansion: &Expansion<'_>,
    model: &Model,
    instances: &[Instance],
) -> Option<Derivation> {
    let mut elements: BTreeMap<SortId, u32> = BTreeMap::new();
    let mut steps: Vec<Step> = Vec::new();
    let mut step_of_node: FxHashMap<usize, usize> = FxHashMap::default();
    let mut step_of_fact: FxHashMap<(FuncId, Vec<Value>), usize> = FxHashMap::default();
    for instance in instances.iter().rev() {
        let node = &expansion.nodes[instance.node];
        let fact = match node.pred {
            Some(pred) => Some((horn.pred(pred).func, values_of(model, &node.params)?)),
            None => None,
        };
        if let Some(&step) = fact.as_ref().and_then(|fact| step_of_fact.get(fact)) {
            step_of_node.insert(instance.node, step);
            continue;
        }
        for value in &instance.values {
            if let Value::Element(sort, number) = value
                && elements.entry(*sort).or_insert(*number) != number
            {
                return None;
            }
        }
        let clause = node.branches.as_ref()?[instance.branch].clause;
        let mut premises: Vec<usize> = Vec::new();
        for need in &instance.needs {
            let step = *step_of_node.get(need)?;
            if !premises.contains(&step) {
                premises.push(step);
            }
        }
        let step = Step::new(clause, instance.values.clone(), premises);
        let needed = instance.needs.iter().map(|&need| &expansion.nodes[need]);
        if !holds(horn, model, &step, needed) {
            return None;
        }
        step_of_node.insert(instance.node, steps.len());
        step_of_fact.extend(fact.map(|fact| (fact, steps.len())));
        steps.push(step);
    }
    Some(Derivation::of(without_unused(steps)))
}

/// Whether a step's body is true for its values and the facts of the nodes it needs alone.
fn holds<'a>(
    horn: &Horn,
    model: &Model,
    step: &Step,
    needed: impl Iterator<Item = &'a Node>,
) -> bool {
    let clause = horn.clause(step.clause);
    let mut local = Model::new();
    for (&var, value) in clause.vars.iter().zip(&step.values) {
        local.set(var, value.clone());
    }
    for atom in horn.atoms(clause.body) {
        if let Op::Apply(func) = horn.terms.op(atom) {
            local.funcs.insert(func, Table::constant(Value::Bool(false)));
        }
    }
    for node in needed {
        if let (Some(pred), Some(args)) = (node.pred, values_of(model, &node.params)) {
            let table = local.funcs.entry(horn.pred(pred).func).or_default();
            table.entries.insert(args, Value::Bool(true));
        }
    }
    let has_value = |&arg: &TermId| eval(&horn.terms, arg, &local).is_ok();
    let has_head = match &clause.head {
        Head::Atom(_, args) => args.iter().all(has_value),
        Head::False => true,
    };
    has_head && eval(&horn.terms, clause.body, &local) == Ok(Value::Bool(true))
}

/// The steps that the last one needs.
fn without_unused(steps: Vec<Step>) -> Vec<Step> {
    let mut is_needed = vec![false; steps.len()];
    if let Some(last) = is_needed.last_mut() {
        *last = true;
    }
    for index in (0..steps.len()).rev() {
        if is_needed[index] {
            steps[index].premises.iter().for_each(|&premise| is_needed[premise] = true);
        }
    }
    let mut place = vec![0; steps.len()];
    let mut kept: Vec<Step> = Vec::new();
    for (index, mut step) in steps.into_iter().enumerate() {
        if is_needed[index] {
            step.premises.iter_mut().for_each(|premise| *premise = place[*premise]);
            place[index] = kept.len();
            kept.push(step);
        }
    }
    kept
}
