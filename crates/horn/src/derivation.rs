//! Derivations without what they do not need.
//!
//! A search derives more than a query uses, the same fact twice, and facts for a disjunction that
//! holds without them. People read what is left; the checker replays it. Nothing is searched for
//! here: bodies are evaluated with the values that the steps have.
//!
//! - steps with equal conclusions are one step, the first;
//! - a premise goes if the body holds without it;
//! - of several steps that conclude false the one that needs the fewest others is the end;
//! - a progression begins where the steps before it are rounds of it that nobody else uses;
//! - steps that the end does not need go.
//!
//! Invariant: what is left is a derivation if the original was one. Where a step cannot be
//! evaluated it stays as it is.

#[cfg(test)]
mod tests;

use crate::settings::DERIVATION_MAX_EVALUATIONS;
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::{Derivation, Fact, Member, Step};
use alphorn_problem::horn::{ClauseId, Head};
use alphorn_term::eval::{Program, Table};
use alphorn_term::{Int, Model, Op, Value, eval};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// The derivation without steps and premises that the query does not need.
pub fn minimize(derivation: Derivation, horn: &Horn) -> Derivation {
    let is_sound = |(at, step): (usize, &Step)| {
        let clause = horn.clauses.get(step.clause.index());
        clause.is_some_and(|clause| clause.vars.len() == step.values.len())
            && step.premises.iter().all(|&premise| premise < at)
    };
    if derivation.refuted.is_some() || !derivation.steps.iter().enumerate().all(is_sound) {
        return derivation;
    }
    let mut steps = derivation.steps;
    let facts = conclusions(horn, &steps);
    merge(&mut steps, &facts);
    let mut evaluations = DERIVATION_MAX_EVALUATIONS.size();
    // By clause: how many facts its body needs, if it is a conjunction.
    let mut needs: FxHashMap<ClauseId, Option<usize>> = FxHashMap::default();
    for step in &mut steps {
        let count = *needs.entry(step.clause).or_insert_with(|| {
            horn.conjunctive(step.clause)?;
            Some(horn.atoms(horn.clause(step.clause).body).len())
        });
        drop_premises(horn, step, count, &facts, &mut evaluations);
    }
    absorb(horn, &mut steps);
    let queries = (0..steps.len()).filter(|&at| is_query(horn, &steps[at]));
    match queries.map(|at| cone(&steps, at)).min_by_key(|cone| cone.count) {
        Some(needed) => Derivation::of(keep(steps, &needed)),
        None => Derivation::of(steps),
    }
}

/// What the steps conclude; none for queries, and where it cannot be evaluated. Each clause is compiled once.
fn conclusions(horn: &Horn, steps: &[Step]) -> Vec<Option<Fact>> {
    let mut programs: FxHashMap<ClauseId, Program> = FxHashMap::default();
    let nothing = Model::new();
    let conclusion = |step: &Step| {
        let clause = horn.clauses.get(step.clause.index())?;
        let Head::Atom(pred, args) = &clause.head else { return None };
        let made = || Program::new(&horn.terms, &clause.vars, args);
        let program = programs.entry(step.clause).or_insert_with(made);
        if step.values.len() != clause.vars.len() {
            return None;
        }
        program.run(&horn.terms, &step.values, &nothing);
        let values = (0..args.len()).map(|output| program.output(output).ok().cloned());
        Some((horn.pred(*pred).func, values.collect::<Option<Vec<Value>>>()?))
    };
    steps.iter().map(conclusion).collect()
}

/// Whether every step's body is true for its values and its premises, whatever the system leaves open.
pub fn holds_throughout(derivation: &Derivation, horn: &Horn) -> bool {
    let steps = &derivation.steps;
    let facts = conclusions(horn, steps);
    let has_conclusion = |step: &Step, fact: &Option<Fact>| is_query(horn, step) || fact.is_some();
    (steps.iter().zip(&facts))
        .all(|(step, fact)| has_conclusion(step, fact) && holds(horn, step, &facts))
}

fn is_query(horn: &Horn, step: &Step) -> bool {
    horn.clause(step.clause).head == Head::False
}

/// The values that a step gives to its clause's variables.
fn assignment(horn: &Horn, step: &Step) -> Model {
    let mut model = Model::new();
    for (&var, value) in horn.clause(step.clause).vars.iter().zip(&step.values) {
        model.set(var, value.clone());
    }
    model
}

/// Lets premises point to the first step with their conclusion.
fn merge(steps: &mut [Step], facts: &[Option<Fact>]) {
    let mut first: FxHashMap<&Fact, usize> = FxHashMap::default();
    let mut instead: Vec<usize> = Vec::with_capacity(steps.len());
    for (at, fact) in facts.iter().enumerate() {
        instead.push(match fact {
            Some(fact) => *first.entry(fact).or_insert(at),
            None => at,
        });
    }
    for step in steps {
        let mut seen = BTreeSet::new();
        step.premises.iter_mut().for_each(|premise| *premise = instead[*premise]);
        step.premises.retain(|&premise| seen.insert(premise));
    }
}

/// Whether what holds in two rounds of a clause holds in those between: it is a conjunction of linear
/// comparisons. Of a disjunction another part may hold in each.
fn is_convex(horn: &Horn, clause: ClauseId) -> bool {
    let (store, clause) = (&horn.terms, horn.clause(clause));
    let mut roots = vec![clause.body];
    if let Head::Atom(_, args) = &clause.head {
        roots.extend(args);
    }
    store.subterms(&roots).into_iter().all(|term| {
        let args = store.args(term);
        match store.op(term) {
            Op::Var(_) | Op::True | Op::IntVal(_) | Op::RealVal(_) => true,
            Op::And | Op::Le | Op::Lt | Op::Add | Op::ToReal => true,
            Op::Eq => store.sort(args[0]).is_arithmetic(),
            Op::Mul => {
                args.len() == 2 && matches!(store.op(args[0]), Op::IntVal(_) | Op::RealVal(_))
            }
            Op::Not => matches!(store.op(args[0]), Op::Le | Op::Lt | Op::Var(_)),
            _ => horn.atom(term).is_some(),
        }
    })
}

/// Lets progressions begin earlier where the steps before them are a round of theirs that nobody else uses.
fn absorb(horn: &Horn, steps: &mut [Step]) {
    if steps.iter().all(|step| step.progression.is_none()) {
        return;
    }
    let mut users: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); steps.len()];
    let mut places: BTreeMap<(u32, Vec<Value>), usize> = BTreeMap::new();
    for (at, step) in steps.iter().enumerate() {
        step.premises.iter().for_each(|&premise| {
            users[premise].insert(at);
        });
        if step.progression.is_none() {
            places.entry((step.clause.0, step.values.clone())).or_insert(at);
        }
    }
    for at in 0..steps.len() {
        while let Some(run) = &steps[at].progression {
            let round = Int::from(-1);
            let place =
                |member: &Member| places.get(&(member.clause.0, member.at(&round))).copied();
            let found: Option<BTreeSet<usize>> = run.members.iter().map(place).collect();
            let own = |found: &BTreeSet<usize>| {
                let is_own = |user: &usize| *user == at || found.contains(user);
                run.members.iter().all(|member| is_convex(horn, member.clause))
                    && found.len() == run.members.len()
                    && found.iter().all(|&step| step < at && users[step].iter().all(is_own))
                    && found.iter().any(|step| steps[at].premises.contains(step))
            };
            let Some(found) = found.filter(own) else { break };
            let old = steps[at]
                .premises
                .iter()
                .chain(found.iter().flat_map(|&step| &steps[step].premises));
            let premises: BTreeSet<usize> =
                old.copied().filter(|step| !found.contains(step)).collect();
            let mut run = run.clone();
            run.rounds = &run.rounds + &Int::from(1);
            for member in &mut run.members {
                member.start = member.at(&round);
            }
            for &premise in &premises {
                users[premise].retain(|user| !found.contains(user));
                users[premise].insert(at);
            }
            // What was absorbed has no users any more, and goes with the steps that nobody needs.
            found.iter().for_each(|&step| users[step].clear());
            places.retain(|_, place| !found.contains(place));
            steps[at].premises = premises.into_iter().collect();
            steps[at].progression = Some(run);
        }
    }
}

/// Removes premises without which the body still holds.
fn drop_premises(
    horn: &Horn,
    step: &mut Step,
    count: Option<usize>,
    facts: &[Option<Fact>],
    evaluations: &mut usize,
) {
    // In a conjunction every atom needs its fact.
    if step.progression.is_some()
        || step.premises.is_empty()
        || count.is_some_and(|atoms| step.premises.len() >= atoms)
    {
        return;
    }
    let mut at = step.premises.len();
    while at > 0 && *evaluations > 0 {
        at -= 1;
        *evaluations -= 1;
        let premise = step.premises.remove(at);
        if !holds(horn, step, facts) {
            step.premises.insert(at, premise);
        }
    }
}

/// Whether a step's body is true when exactly its premises are facts.
fn holds(horn: &Horn, step: &Step, facts: &[Option<Fact>]) -> bool {
    // Progressions are left to the checker, which looks at all their rounds.
    if step.progression.is_some() {
        return true;
    }
    let clause = horn.clause(step.clause);
    let mut model = assignment(horn, step);
    for atom in horn.atoms(clause.body) {
        if let Op::Apply(func) = horn.terms.op(atom) {
            model.funcs.insert(func, Table::constant(Value::Bool(false)));
        }
    }
    for &premise in &step.premises {
        let Some((func, args)) = &facts[premise] else { return false };
        let Some(table) = model.funcs.get_mut(func) else { return false };
        table.entries.insert(args.clone(), Value::Bool(true));
    }
    eval(&horn.terms, clause.body, &model) == Ok(Value::Bool(true))
}

/// Whether every step's body is true when its premises are facts, and the last step concludes false.
pub fn is_derivation(derivation: &Derivation, horn: &Horn) -> bool {
    let steps = &derivation.steps;
    let facts: Vec<Option<Fact>> = steps.iter().map(|step| step.conclusion(horn)).collect();
    steps.last().is_some_and(|step| is_query(horn, step))
        && steps.iter().all(|step| holds(horn, step, &facts))
}

/// The steps that a step needs, itself among them.
fn cone(steps: &[Step], end: usize) -> Cone {
    let mut needed = Cone { is_in: vec![false; steps.len()], count: 1 };
    needed.is_in[end] = true;
    let mut stack = vec![end];
    while let Some(at) = stack.pop() {
        for &premise in &steps[at].premises {
            if !std::mem::replace(&mut needed.is_in[premise], true) {
                needed.count += 1;
                stack.push(premise);
            }
        }
    }
    needed
}

/// Steps, by their positions.
struct Cone {
    is_in: Vec<bool>,
    count: usize,
}

/// The steps in `needed`, numbered anew.
fn keep(steps: Vec<Step>, needed: &Cone) -> Vec<Step> {
    let mut place: Vec<usize> = Vec::with_capacity(steps.len());
    let mut kept: Vec<Step> = Vec::with_capacity(needed.count);
    for (mut step, &is_needed) in steps.into_iter().zip(&needed.is_in) {
        place.push(kept.len());
        if is_needed {
            step.premises.iter_mut().for_each(|premise| *premise = place[*premise]);
            kept.push(step);
        }
    }
    kept
}

/// The steps that the last one needs, in their order.
pub fn needed(steps: Vec<Step>) -> Derivation {
    let Some(last) = steps.len().checked_sub(1) else { return Derivation::of(steps) };
    let needed = cone(&steps, last);
    Derivation::of(keep(steps, &needed))
}
