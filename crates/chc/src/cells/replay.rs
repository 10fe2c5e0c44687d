//! Derivations of the abstraction, tried on the system.
//!
//! A derivation about cells may derive several facts for one atom, each about other cells, and each by
//! clauses of its own. Of the system one fact is needed. So every step becomes an instance of the
//! system's clause, with variables of its own, that may be used or not; an atom is one of the facts
//! that were used for it. Whether the query's instance can be used is one question to the solver, and
//! its model is a derivation. If there is none, the derivation said something about arrays that no
//! array does, and the abstraction must be refined.

use crate::settings::{CELLS_CONFLICTS, CELLS_MAX_STEPS};
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask_within;
use alphorn_horn::derivation::{is_derivation, minimize};
use alphorn_horn::transform::head_args;
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::{Derivation, Step};
use alphorn_problem::horn::Head;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Model, Op, Store, Substitution, TermId, Value, eval};

/// An instance of a clause.
struct Instance {
    /// Whether it is used.
    flag: TermId,
    vars: Vec<TermId>,
    /// The conclusion's arguments.
    args: Vec<TermId>,
    /// The ways in which atoms hold: the formula, and the instance that concludes it.
    uses: Vec<(TermId, usize)>,
}

/// A derivation of the system that uses clauses as one of the abstraction does, if there is one.
pub(super) fn replay(
    horn: &Horn,
    derivation: &Derivation,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Derivation>, Stop> {
    let is_query = |step: &Step| horn.clause(step.clause).head == Head::False;
    let Some(end) = derivation.steps.iter().position(is_query) else { return Ok(None) };
    if end > CELLS_MAX_STEPS.size() {
        return Ok(None);
    }
    let mut store = horn.terms.clone();
    let mut smt = Smt::new(Options::default());
    let mut instances: Vec<Instance> = Vec::with_capacity(end + 1);
    for step in &derivation.steps[..=end] {
        ctx.tick(1)?;
        let (instance, body) = instance(horn, &mut store, step, derivation, &instances);
        let formula = store.implies(instance.flag, body);
        smt.assert(&mut store, formula);
        instances.push(instance);
    }
    smt.assert(&mut store, instances[end].flag);
    if ask_within(&mut smt, &mut store, &[], CELLS_CONFLICTS.get(), ctx)? != Answer::Sat {
        return Ok(None);
    }
    let mut model = smt.model(&store);
    let vars = instances.iter().flat_map(|instance| instance.vars.iter().chain([&instance.flag]));
    for &var in vars {
        if let Some(value) = Value::default_of(&store, store.sort(var)) {
            model.vars.entry(var).or_insert(value);
        }
    }
    let found = read(&store, &model, derivation, &instances);
    Ok(found.map(|found| minimize(found, horn)).filter(|found| is_derivation(found, horn)))
}

/// The instance of a step's clause, and its body.
fn instance(
    horn: &Horn,
    store: &mut Store,
    step: &Step,
    derivation: &Derivation,
    earlier: &[Instance],
) -> (Instance, TermId) {
    let clause = horn.clause(step.clause);
    let mut map = Substitution::default();
    let mut vars = Vec::with_capacity(clause.vars.len());
    for &var in &clause.vars {
        let own = store.fresh_var("r", store.sort(var));
        map.insert(var, own);
        vars.push(own);
    }
    let mut uses = Vec::new();
    let mut atoms = Substitution::default();
    for atom in horn.atoms(clause.body) {
        let pred = horn.atom(atom);
        let needed: Vec<TermId> = store.args(atom).to_vec();
        let needed: Vec<TermId> =
            needed.into_iter().map(|arg| store.substitute(arg, &map)).collect();
        let mut ways = Vec::new();
        for &premise in &step.premises {
            let head = &horn.clause(derivation.steps[premise].clause).head;
            if !matches!(head, Head::Atom(concluded, _) if Some(*concluded) == pred) {
                continue;
            }
            let Some(below) = earlier.get(premise) else { continue };
            let mut parts = vec![below.flag];
            for (&one, &other) in needed.iter().zip(&below.args) {
                parts.push(store.eq(one, other));
            }
            let way = store.and(&parts);
            uses.push((way, premise));
            ways.push(way);
        }
        atoms.insert(atom, store.or(&ways));
    }
    // Atoms first: their arguments have the clause's variables.
    let body = store.substitute(clause.body, &atoms);
    let body = store.substitute(body, &map);
    let args = head_args(clause).iter().map(|&arg| store.substitute(arg, &map)).collect();
    let flag = store.fresh_var("used", alphorn_term::SortId::BOOL);
    (Instance { flag, vars, args, uses }, body)
}

/// The instances that are used, as a derivation.
fn read(
    store: &Store,
    model: &Model,
    derivation: &Derivation,
    instances: &[Instance],
) -> Option<Derivation> {
    let mut steps = Vec::with_capacity(instances.len());
    let mut place: Vec<Option<usize>> = Vec::with_capacity(instances.len());
    for (step, instance) in derivation.steps.iter().zip(instances) {
        debug_assert!(matches!(store.op(instance.flag), Op::Var(_)));
        if model.vars.get(&instance.flag) != Some(&Value::Bool(true)) {
            place.push(None);
            continue;
        }
        let mut premises = Vec::new();
        for &(way, premise) in &instance.uses {
            if eval(store, way, model) == Ok(Value::Bool(true))
                && let Some(below) = place[premise]
                && !premises.contains(&below)
            {
                premises.push(below);
            }
        }
        let values: Option<Vec<Value>> =
            instance.vars.iter().map(|var| model.vars.get(var).cloned()).collect();
        place.push(Some(steps.len()));
        steps.push(Step::new(step.clause, values?, premises));
    }
    Some(Derivation::of(steps))
}
