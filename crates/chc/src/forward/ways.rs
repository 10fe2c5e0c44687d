//! Ways to clauses that sampling never fires.
//!
//! A guard may ask for a value that was chosen long before: that a number read at the beginning is one more than another,
//! that a cell of a memory nobody wrote is zero. Samples seldom have it, and whatever lies behind is never seen. So a
//! clause that no fact fires is looked at with facts that nearly do: how such a fact was derived is a path, or a tree, of
//! clauses, whose variables are open again, and a solver says with which values of them the path ends in a fact
//! that the clause takes (concolic execution: Godefroid, Klarlund, Sen, "DART", PLDI 2005). All facts on it are new seeds for rounds
//! of sampling.
//!
//! Invariant: a seed is concluded by an instance whose body evaluates to true.

use super::facts::{Facts, Instance};
use crate::settings::{
    FORWARD_MAX_NEAR, FORWARD_MAX_WAY, FORWARD_WAY_CONFLICTS, FORWARD_WAYS_PER_CLAUSE,
};
use alphorn_engine::{Ctx, Stop};
use alphorn_horn::ask::ask_within;
use alphorn_horn::transform::{conjuncts, head_args};
use alphorn_problem::Horn;
use alphorn_problem::horn::{Clause, ClauseId, Head, PredId};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::eval::Program;
use alphorn_term::{Model, Op, Store, Substitution, TermId, Value, eval};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// A fact to begin with, and how it is concluded.
pub(super) struct Seed {
    pred: PredId,
    args: Vec<Value>,
    clause: ClauseId,
    values: Vec<Value>,
    premises: Vec<(PredId, Vec<Value>)>,
}

impl Seed {
    /// Puts the seed among facts, behind its premises; whether it was not there.
    pub(super) fn plant(&self, facts: &mut Facts) -> bool {
        let found = |(pred, args): &(PredId, Vec<Value>)| {
            Some((*pred, facts.relations[pred.index()].find(args)?))
        };
        let premises: Option<Vec<(PredId, u32)>> = self.premises.iter().map(found).collect();
        let Some(premises) = premises else { return false };
        let instance = Instance { clause: self.clause, values: self.values.clone(), premises };
        facts.insert(self.pred, self.args.clone(), instance)
    }
}

/// A fact by its predicate and its position.
type Key = (PredId, u32);

/// Looks for ways to clauses that no fact has fired; the facts on them are planted, and become seeds.
pub(super) fn ways(
    horn: &Horn,
    facts: &mut Facts,
    seeds: &mut Vec<Seed>,
    ctx: &mut Ctx<'_>,
) -> Result<(), Stop> {
    let mut fired: FxHashSet<ClauseId> = FxHashSet::default();
    for relation in &facts.relations {
        fired.extend((0..relation.len()).map(|fact| relation.instance(fact).clause));
    }
    loop {
        let mut is_new = false;
        for (id, clause) in horn.clauses() {
            if fired.contains(&id) || clause.head == Head::False {
                continue;
            }
            let Some(near) = Near::of(horn, clause) else { continue };
            for fact in near.facts(facts, ctx)? {
                let Some(found) = way(horn, facts, id, fact, ctx)? else { continue };
                for seed in found {
                    fired.insert(seed.clause);
                    if seed.plant(facts) {
                        seeds.push(seed);
                    }
                }
                is_new = true;
                break;
            }
        }
        if !is_new {
            return Ok(());
        }
    }
}

/// What a clause with one atom says of a fact in the atom's place.
struct Near {
    store: Store,
    pred: PredId,
    params: Vec<TermId>,
    tests: Vec<TermId>,
}

impl Near {
    fn of(horn: &Horn, clause: &Clause) -> Option<Near> {
        let atoms = horn.atoms(clause.body);
        let &[atom] = &atoms[..] else { return None };
        let (pred, mut store) = (horn.atom(atom)?, horn.terms.clone());
        let parts = conjuncts(&store, clause.body);
        if !parts.contains(&atom) {
            return None;
        }
        let (mut map, mut params, mut tests) = (Substitution::default(), Vec::new(), Vec::new());
        for &arg in horn.terms.args(atom) {
            let param = store.fresh_var("p", store.sort(arg));
            params.push(param);
            match store.op(arg) {
                Op::Var(_) if !map.contains_key(&arg) => {
                    map.insert(arg, param);
                }
                _ => tests.push((param, arg)),
            }
        }
        let mut tests: Vec<TermId> = tests
            .into_iter()
            .map(|(param, arg)| {
                let arg = store.substitute(arg, &map);
                store.eq(param, arg)
            })
            .collect();
        let parts: Vec<TermId> = parts.into_iter().filter(|&part| part != atom).collect();
        tests.extend(store.substitute_all(&parts, &map));
        tests.retain(|&test| store.free_vars(&[test]).iter().all(|var| params.contains(var)));
        Some(Near { store, pred, params, tests })
    }

    /// Facts that fail few tests, one for each set of tests that fail.
    fn facts(&self, facts: &Facts, ctx: &mut Ctx<'_>) -> Result<Vec<Key>, Stop> {
        let relation = &facts.relations[self.pred.index()];
        let mut program = Program::new(&self.store, &self.params, &self.tests);
        let mut kinds: BTreeMap<(usize, Vec<usize>), u32> = BTreeMap::new();
        let step = (relation.len() / FORWARD_MAX_NEAR.short().max(1)).max(1);
        for fact in (0..relation.len()).step_by(step as usize) {
            ctx.tick(1 + self.tests.len() as u64 / 8)?;
            program.run(&self.store, relation.args(fact), &Model::new());
            let fails = |at: &usize| program.holds(*at) != Ok(true);
            let failing: Vec<usize> = (0..self.tests.len()).filter(fails).collect();
            kinds.entry((failing.len(), failing)).or_insert(fact);
        }
        let least = FORWARD_WAYS_PER_CLAUSE.size();
        Ok(kinds.into_values().take(least).map(|fact| (self.pred, fact)).collect())
    }
}

/// The facts that a fact was derived from, each after its premises; nothing if they are too many.
fn ancestors(facts: &Facts, last: Key) -> Option<Vec<Key>> {
    let (mut order, mut seen) = (Vec::new(), FxHashSet::default());
    let mut stack = vec![(last, false)];
    while let Some((key, is_ready)) = stack.pop() {
        if is_ready {
            order.push(key);
        } else if seen.insert(key) {
            stack.push((key, true));
            let instance = facts.relations[key.0.index()].instance(key.1);
            stack.extend(instance.premises.iter().map(|&premise| (premise, false)));
        }
        if seen.len() > FORWARD_MAX_WAY.size() {
            return None;
        }
    }
    Some(order)
}

/// An instance of a clause whose values are open.
struct Open {
    id: ClauseId,
    vars: Vec<TermId>,
    body: TermId,
    head: Vec<TermId>,
    premises: Vec<Key>,
}

/// The facts on the way to a clause that takes what a fact is when the choices before it are made anew; nothing if
/// there are no such choices.
fn way(
    horn: &Horn,
    facts: &Facts,
    id: ClauseId,
    last: Key,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Vec<Seed>>, Stop> {
    let Some(order) = ancestors(facts, last) else { return Ok(None) };
    let mut store = horn.terms.clone();
    let mut heads: FxHashMap<Key, Vec<TermId>> = FxHashMap::default();
    let mut steps: Vec<Open> = Vec::with_capacity(order.len() + 1);
    for key in order {
        let instance = facts.relations[key.0.index()].instance(key.1);
        let values = Some((facts, &instance.values[..]));
        let step = open(horn, &mut store, instance.clause, values, &instance.premises, &heads);
        let Some(step) = step else { return Ok(None) };
        heads.insert(key, step.head.clone());
        steps.push(step);
    }
    let Some(step) = open(horn, &mut store, id, None, &[last], &heads) else { return Ok(None) };
    steps.push(step);
    let mut smt = Smt::new(Options::default());
    for step in &steps {
        ctx.tick(1 + step.vars.len() as u64)?;
        smt.assert(&mut store, step.body);
    }
    let answer = ask_within(&mut smt, &mut store, &[], FORWARD_WAY_CONFLICTS.get(), ctx)?;
    if answer != Answer::Sat {
        return Ok(None);
    }
    Ok(seeds(horn, &store, &smt, &steps, &heads))
}

/// The facts that a model makes of steps; nothing if one of them does not evaluate.
fn seeds(
    horn: &Horn,
    store: &Store,
    smt: &Smt,
    steps: &[Open],
    heads: &FxHashMap<Key, Vec<TermId>>,
) -> Option<Vec<Seed>> {
    let found = smt.model(store);
    let mut model = Model::new();
    for &var in steps.iter().flat_map(|step| &step.vars) {
        let value = found.vars.get(&var).cloned();
        model.set(var, value.or_else(|| Value::default_of(store, store.sort(var)))?);
    }
    let all = |terms: &[TermId]| -> Option<Vec<Value>> {
        terms.iter().map(|&term| eval(store, term, &model).ok()).collect()
    };
    let mut seeds = Vec::with_capacity(steps.len());
    for step in steps {
        if eval(store, step.body, &model) != Ok(Value::Bool(true)) {
            return None;
        }
        let Head::Atom(pred, _) = horn.clause(step.id).head else { return None };
        let premise = |key: &Key| Some((key.0, all(&heads[key])?));
        seeds.push(Seed {
            pred,
            args: all(&step.head)?,
            clause: step.id,
            values: all(&step.vars)?,
            premises: step.premises.iter().map(premise).collect::<Option<_>>()?,
        });
    }
    Some(seeds)
}

/// A clause with variables of its own, whose atoms are the heads of premises: of those they were matched with, or of the
/// only one.
fn open(
    horn: &Horn,
    store: &mut Store,
    id: ClauseId,
    matched: Option<(&Facts, &[Value])>,
    premises: &[Key],
    heads: &FxHashMap<Key, Vec<TermId>>,
) -> Option<Open> {
    let clause = horn.clause(id);
    let mut map = Substitution::default();
    let mut vars = Vec::with_capacity(clause.vars.len());
    for &var in &clause.vars {
        let own = store.fresh_var("w", store.sort(var));
        map.insert(var, own);
        vars.push(own);
    }
    let mut model = Model::new();
    if let Some((_, values)) = matched {
        clause.vars.iter().zip(values).for_each(|(&var, value)| model.set(var, value.clone()));
    }
    let mut with_atoms = map.clone();
    for atom in horn.atoms(clause.body) {
        let (pred, args) = (horn.atom(atom)?, horn.terms.args(atom));
        let premise = match matched {
            None => premises.first().copied(),
            Some((facts, _)) => {
                let values = args.iter().map(|&arg| eval(&horn.terms, arg, &model).ok());
                let values: Vec<Value> = values.collect::<Option<_>>()?;
                let fact = facts.relations[pred.index()].find(&values);
                fact.map(|fact| (pred, fact)).filter(|key| premises.contains(key))
            }
        };
        let holds = match premise {
            None => TermId::FALSE,
            Some(premise) => {
                let args = store.substitute_all(args, &map);
                let equal = args.iter().zip(heads.get(&premise)?);
                let equal: Vec<TermId> = equal.map(|(&arg, &head)| store.eq(arg, head)).collect();
                store.and(&equal)
            }
        };
        with_atoms.insert(atom, holds);
    }
    let body = store.substitute(clause.body, &with_atoms);
    let head = store.substitute_all(head_args(clause), &map);
    Some(Open { id, vars, body, head, premises: premises.to_vec() })
}

#[cfg(test)]
mod tests {
    use crate::forward::{some_facts, some_guarded_facts};
    use alphorn_engine::{Ctx, Stopper};
    use alphorn_testkit::read::horn as read;

    #[test]
    fn guards_on_what_was_chosen_long_before_are_passed() {
        let horn = read(
            "(set-logic HORN)
            (declare-fun p (Int Int Int (Array Int Int)) Bool)
            (assert (forall ((a Int) (b Int) (m (Array Int Int))) (p 0 a b m)))
            (assert (forall ((a Int) (b Int) (m (Array Int Int))) (=> (p 0 a b m) (p 1 (* 3 a) (+ a b) m))))
            (assert (forall ((a Int) (b Int) (m (Array Int Int)))
              (=> (and (p 1 a b m) (= (+ a b) 1000) (= (select m b) 48) (= (select m a) 0)) (p 2 a b m))))
            (assert (forall ((a Int) (b Int) (m (Array Int Int))) (=> (and (p 2 a b m) (= b 777)) (p 3 a b m))))
            (assert (forall ((a Int) (b Int) (m (Array Int Int))) (=> (and (p 3 a b m) (= a b)) false)))
            (check-sat)",
        );
        let mut sink = |_| {};
        let mut ctx = Ctx::new(10_000_000, Stopper::new(), 0, &mut sink);
        let mut last = |has_ways: bool| {
            let rounds = [0, 4];
            let facts = match has_ways {
                true => some_guarded_facts(&horn, rounds, 10_000, &mut ctx),
                false => some_facts(&horn, rounds, 10_000, &mut ctx),
            };
            let place = |fact: &std::sync::Arc<[alphorn_term::Value]>| fact[0].clone();
            facts.expect("there are ticks enough")[0].iter().map(place).max()
        };
        // What is a multiple of three is the sum's difference to 777 as well: 223 is none.
        assert_eq!(last(false), Some(alphorn_term::Value::Int(1.into())));
        assert_eq!(last(true), Some(alphorn_term::Value::Int(2.into())));
    }
}
