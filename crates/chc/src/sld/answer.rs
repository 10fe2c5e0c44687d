//! A derivation from resolved goals.
//!
//! Goals below a goal are newer, so from the newest to the oldest they are steps of a derivation. Guards that still
//! wait for values are a question to the solver; variables that nothing asks about have a default.

use super::bindings::{Bindings, Cell, Node};
use super::guard::read;
use super::program::{Pattern, Procedure};
use super::search::Search;
use crate::settings::SLD_CONFLICTS;
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask_within;
use alphorn_horn::derivation::{is_derivation, minimize};
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::{Derivation, Step};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::value::MAX_VALUE_DEPTH;
use alphorn_term::{Op, SortId, Store, Substitution, TermId, Value};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// The derivation that resolved goals are, if guards that wait can be true.
pub(super) fn derivation(
    horn: &Horn,
    store: &Store,
    program: &[Procedure],
    search: &Search<'_>,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Derivation>, Stop> {
    let Some(mut known) = values(store, search, ctx)? else { return Ok(None) };
    let bindings = &search.bindings;
    let last = search.goals.len() - 1;
    let mut steps = Vec::with_capacity(search.goals.len());
    for goal in search.goals.iter().rev() {
        ctx.tick(1)?;
        let Some(rule) = goal.rule else { return Ok(None) };
        let rule = &program[goal.pred].rules[rule];
        let mut values = Vec::with_capacity(rule.values.len());
        for (&var, pattern) in horn.clause(rule.clause).vars.iter().zip(&rule.values) {
            let sort = horn.terms.sort(var);
            let found = value(store, bindings, (pattern, sort), &goal.frame, &mut known);
            let Some(found) = found else { return Ok(None) };
            values.push(found);
        }
        let premises = goal.below.clone().map(|below| last - below).collect();
        steps.push(Step::new(rule.clause, values, premises));
    }
    let found = minimize(Derivation::of(steps), horn);
    Ok(is_derivation(&found, horn).then_some(found))
}

/// The value of a pattern in a frame.
fn value(
    store: &Store,
    bindings: &Bindings,
    (pattern, sort): (&Pattern, SortId),
    frame: &[Node],
    known: &mut BTreeMap<Node, Value>,
) -> Option<Value> {
    match pattern {
        Pattern::Var(var) => {
            let node = frame[*var as usize];
            give_defaults(store, bindings, node, sort, known)?;
            read(bindings, node, 0, &mut |node| known.get(&node).cloned()).ok()
        }
        Pattern::Data(ctor, args) => {
            let fields = &store.ctor(*ctor).fields;
            let args = args
                .iter()
                .zip(fields)
                .map(|(arg, (_, sort))| value(store, bindings, (arg, *sort), frame, known));
            Value::data(*ctor, args.collect::<Option<_>>()?)
        }
        Pattern::Value(value) => Some(value.clone()),
    }
}

/// Gives variables of a term that have no value a default.
fn give_defaults(
    store: &Store,
    bindings: &Bindings,
    node: Node,
    sort: SortId,
    known: &mut BTreeMap<Node, Value>,
) -> Option<()> {
    let mut stack = vec![(node, sort)];
    while let Some((node, sort)) = stack.pop() {
        let node = bindings.find(node);
        match bindings.cell(node) {
            Cell::Free(_) | Cell::Bound(_) => {
                if let Entry::Vacant(place) = known.entry(node) {
                    place.insert(Value::default_of(store, sort)?);
                }
            }
            Cell::Data(ctor, first, false) => {
                let fields = &store.ctor(ctor).fields;
                stack.extend(
                    bindings.args(first).iter().zip(fields).map(|(&arg, (_, sort))| (arg, *sort)),
                );
            }
            Cell::Data(_, _, true) | Cell::Value(_) => {}
        }
    }
    Some(())
}

/// Values that make all guards true that wait; none if the solver finds none.
fn values(
    store: &Store,
    search: &Search<'_>,
    ctx: &mut Ctx<'_>,
) -> Result<Option<BTreeMap<Node, Value>>, Stop> {
    if search.open().next().is_none() {
        return Ok(Some(BTreeMap::new()));
    }
    let mut store = store.clone();
    let mut names: BTreeMap<Node, TermId> = BTreeMap::new();
    let mut smt = Smt::new(Options::default());
    for guard in search.open() {
        ctx.tick(1)?;
        let mut map = Substitution::default();
        for &(var, node) in &guard.env {
            let sort = store.sort(var);
            let bindings = &search.bindings;
            let Some(term) = term(&mut store, bindings, (node, sort), &mut names, 0) else {
                return Ok(None);
            };
            map.insert(var, term);
        }
        let formula = store.substitute(guard.formula, &map);
        smt.assert(&mut store, formula);
    }
    if ask_within(&mut smt, &mut store, &[], SLD_CONFLICTS.get(), ctx)? != Answer::Sat {
        return Ok(None);
    }
    let mut model = smt.model(&store);
    let mut known = BTreeMap::new();
    for (node, name) in names {
        if let Some(value) = model.vars.remove(&name) {
            known.insert(node, value);
        }
    }
    Ok(Some(known))
}

/// A node as a term, with names for variables; none if it is deeper than a value can be.
fn term(
    store: &mut Store,
    bindings: &Bindings,
    (node, sort): (Node, SortId),
    names: &mut BTreeMap<Node, TermId>,
    depth: u32,
) -> Option<TermId> {
    let node = bindings.find(node);
    match bindings.cell(node) {
        Cell::Free(_) | Cell::Bound(_) => {
            Some(*names.entry(node).or_insert_with(|| store.fresh_var("v", sort)))
        }
        Cell::Value(place) => store.value_term(bindings.value_at(place)),
        Cell::Data(..) if depth > MAX_VALUE_DEPTH => None,
        Cell::Data(ctor, first, _) => {
            let fields: Vec<SortId> =
                store.ctor(ctor).fields.iter().map(|(_, sort)| *sort).collect();
            let args = bindings.args(first).iter().zip(fields);
            let args =
                args.map(|(&arg, sort)| term(store, bindings, (arg, sort), names, depth + 1));
            let args: Option<Vec<TermId>> = args.collect();
            args.map(|args| store.mk(Op::Construct(ctor), &args))
        }
    }
}
