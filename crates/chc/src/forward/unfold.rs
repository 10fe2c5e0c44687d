//! Unfolding of predicates that do not depend on themselves: their clauses take the atoms' place.
//!
//! A predicate that describes a function has more facts than can be sampled, and most would never
//! meet the arguments a caller has. Put in place of the caller's atom, its clauses are constraints
//! like any others, and propagation finds the values that fit. An atom becomes the disjunction of
//! the predicate's clauses, each with variables of its own, so bodies grow by what they call and
//! not by combinations.
//!
//! The *origin* of an unfolded clause remembers what stands where, so that an instance of it is
//! turned back into instances of the clauses it is made of. Unfolding is for refuting only: a
//! model of the unfolded system says nothing about the predicates that are gone.

use super::facts::Instance;
use crate::settings::FORWARD_MAX_UNFOLDED;
use alphorn_horn::graph::body_preds;
use alphorn_problem::Horn;
use alphorn_problem::evidence::horn::Step;
use alphorn_problem::horn::{Clause, ClauseId, Head, PredId};
use alphorn_term::{Model, Substitution, TermId, Value, eval};
use std::sync::Arc;

/// The deepest nesting of unfolded predicates.
const MAX_DEPTH: u32 = 64;

/// A clause in an unfolded one.
struct Origin {
    clause: ClauseId,
    /// The positions of its variables among those of the unfolded clause.
    vars: Vec<usize>,
    /// For each atom of its body, in order, the clauses in its place; none if the atom stayed.
    atoms: Vec<(TermId, Option<Vec<Origin>>)>,
}

/// An unfolded system with the way back for derivations.
pub(super) struct Unfolding {
    pub horn: Horn,
    origins: Vec<Origin>,
}

/// A fact that an instance uses, with the step that derives it.
pub(super) type Premise = (PredId, Arc<[Value]>, usize);

/// The system with all predicates unfolded that can be; none if there are none.
pub(super) fn unfold(horn: &Horn) -> Option<Unfolding> {
    let clauses_of = clauses_of(horn);
    let unfolded = choose(horn, &clauses_of);
    if !unfolded.contains(&true) {
        return None;
    }
    let mut result = Unfolding { horn: horn.clone(), origins: Vec::new() };
    result.horn.clauses.clear();
    for (id, clause) in horn.clauses() {
        if matches!(clause.head, Head::Atom(pred, _) if unfolded[pred.index()]) {
            continue;
        }
        let mut builder =
            Builder { horn, clauses_of: &clauses_of, unfolded: &unfolded, vars: Vec::new() };
        let (body, _, origin) = builder.expand(&mut result.horn, id, false);
        let (vars, head, name) = (builder.vars, clause.head.clone(), clause.name.clone());
        result.horn.clauses.push(Clause { vars, body, head, name, span: clause.span });
        result.origins.push(origin);
    }
    Some(result)
}

fn clauses_of(horn: &Horn) -> Vec<Vec<ClauseId>> {
    let mut clauses_of = vec![Vec::new(); horn.preds.len()];
    for (id, clause) in horn.clauses() {
        if let Head::Atom(pred, _) = clause.head {
            clauses_of[pred.index()].push(id);
        }
    }
    clauses_of
}

/// The predicates to unfold: not recursive, and small with all that is unfolded in them.
fn choose(horn: &Horn, clauses_of: &[Vec<ClauseId>]) -> Vec<bool> {
    let count = horn.preds.len();
    let uses: Vec<Vec<PredId>> = clauses_of
        .iter()
        .map(|clauses| clauses.iter().flat_map(|&id| body_preds(horn, horn.clause(id))).collect())
        .collect();
    let mut unfolded = vec![false; count];
    let (mut size, mut depth) = (vec![1u64; count], vec![0u32; count]);
    for pred in postorder(&uses) {
        if is_recursive(&uses, pred) {
            continue;
        }
        let mut total = 1u64;
        let mut deepest = 0;
        for &id in &clauses_of[pred] {
            let body = horn.clause(id).body;
            total = total.saturating_add(horn.terms.dag_size(&[body]) as u64);
            for used in horn.atoms(body).into_iter().filter_map(|atom| horn.atom(atom)) {
                total = total.saturating_add(size[used.index()]);
                deepest = deepest.max(depth[used.index()]);
            }
        }
        if total <= FORWARD_MAX_UNFOLDED.get() && deepest < MAX_DEPTH {
            (unfolded[pred], size[pred], depth[pred]) = (true, total, deepest + 1);
        }
    }
    unfolded
}

/// All predicates, those a predicate uses before it where that is possible.
fn postorder(uses: &[Vec<PredId>]) -> Vec<usize> {
    let (mut order, mut seen) = (Vec::new(), vec![false; uses.len()]);
    for root in 0..uses.len() {
        let mut stack = vec![(root, false)];
        while let Some((pred, ready)) = stack.pop() {
            if ready {
                order.push(pred);
            } else if !std::mem::replace(&mut seen[pred], true) {
                stack.push((pred, true));
                stack.extend(uses[pred].iter().map(|used| (used.index(), false)));
            }
        }
    }
    order
}

fn is_recursive(uses: &[Vec<PredId>], pred: usize) -> bool {
    let mut seen = vec![false; uses.len()];
    let mut stack: Vec<usize> = uses[pred].iter().map(|used| used.index()).collect();
    while let Some(next) = stack.pop() {
        if next == pred {
            return true;
        }
        if !std::mem::replace(&mut seen[next], true) {
            stack.extend(uses[next].iter().map(|used| used.index()));
        }
    }
    false
}

struct Builder<'a> {
    horn: &'a Horn,
    clauses_of: &'a [Vec<ClauseId>],
    unfolded: &'a [bool],
    /// The variables of the unfolded clause.
    vars: Vec<TermId>,
}

impl Builder<'_> {
    /// The body and the head's arguments of a clause, unfolded; with variables of its own if it
    /// is `called`.
    fn expand(
        &mut self,
        into: &mut Horn,
        id: ClauseId,
        called: bool,
    ) -> (TermId, Vec<TermId>, Origin) {
        let clause = self.horn.clause(id);
        let mut map = Substitution::default();
        let mut positions = Vec::with_capacity(clause.vars.len());
        for &var in &clause.vars {
            let own = if called {
                let name = into.terms.var_name(var).unwrap_or("x").to_owned();
                into.terms.fresh_var(&name, into.terms.sort(var))
            } else {
                var
            };
            positions.push(self.vars.len());
            self.vars.push(own);
            map.insert(var, own);
        }
        let mut atoms = Vec::new();
        let mut with_atoms = map.clone();
        for atom in self.horn.atoms(clause.body) {
            let pred = self.horn.atom(atom).filter(|pred| self.unfolded[pred.index()]);
            let Some(pred) = pred else {
                atoms.push((atom, None));
                continue;
            };
            let args = into.terms.substitute_all(self.horn.terms.args(atom), &map);
            let (mut cases, mut origins) = (Vec::new(), Vec::new());
            for &callee in &self.clauses_of[pred.index()] {
                let (body, head, origin) = self.expand(into, callee, true);
                let mut parts: Vec<TermId> = head
                    .iter()
                    .zip(&args)
                    .map(|(&left, &right)| into.terms.eq(left, right))
                    .collect();
                parts.push(body);
                cases.push(into.terms.and(&parts));
                origins.push(origin);
            }
            with_atoms.insert(atom, into.terms.or(&cases));
            atoms.push((atom, Some(origins)));
        }
        let body = into.terms.substitute(clause.body, &with_atoms);
        let head = match &clause.head {
            Head::Atom(_, args) => into.terms.substitute_all(args, &map),
            Head::False => Vec::new(),
        };
        (body, head, Origin { clause: id, vars: positions, atoms })
    }
}

impl Unfolding {
    /// Adds the steps an instance of an unfolded clause stands for; the last one's position.
    pub fn steps(
        &self,
        horn: &Horn,
        instance: &Instance,
        premises: &[Premise],
        steps: &mut Vec<Step>,
    ) -> Option<usize> {
        let origin = &self.origins[instance.clause.index()];
        origin.steps(horn, &instance.values, premises, steps).map(|(position, _)| position)
    }
}

impl Origin {
    fn model(&self, horn: &Horn, values: &[Value]) -> Model {
        let mut model = Model::new();
        let vars = &horn.clause(self.clause).vars;
        for (&var, &position) in vars.iter().zip(&self.vars) {
            model.set(var, values[position].clone());
        }
        model
    }

    fn steps(
        &self,
        horn: &Horn,
        values: &[Value],
        known: &[Premise],
        steps: &mut Vec<Step>,
    ) -> Option<(usize, Vec<Value>)> {
        let clause = horn.clause(self.clause);
        let mut model = self.model(horn, values);
        let before = steps.len();
        let mut premises: Vec<usize> = Vec::new();
        let mut facts: Vec<(PredId, Vec<Value>)> = Vec::new();
        for (atom, alternatives) in &self.atoms {
            let pred = horn.atom(*atom)?;
            let args = horn.terms.args(*atom).iter().map(|&arg| eval(&horn.terms, arg, &model));
            let Ok(args) = args.collect::<Result<Vec<Value>, _>>() else { continue };
            let found = match alternatives {
                None => known
                    .iter()
                    .find(|(of, fact, _)| *of == pred && **fact == *args)
                    .map(|(_, _, position)| *position),
                Some(alternatives) => alternatives.iter().find_map(|alternative| {
                    alternative.concluding(horn, values, known, steps, &args)
                }),
            };
            if let Some(position) = found {
                premises.push(position);
                facts.push((pred, args));
            }
        }
        for (atom, _) in &self.atoms {
            let func = horn.pred(horn.atom(*atom)?).func;
            model.funcs.entry(func).or_default().default = Some(Value::Bool(false));
        }
        for (pred, args) in facts {
            let table = model.funcs.entry(horn.pred(pred).func).or_default();
            table.entries.insert(args, Value::Bool(true));
        }
        if eval(&horn.terms, clause.body, &model) != Ok(Value::Bool(true)) {
            steps.truncate(before);
            return None;
        }
        let head = match &clause.head {
            Head::Atom(_, args) => args
                .iter()
                .map(|&arg| eval(&horn.terms, arg, &model))
                .collect::<Result<_, _>>()
                .ok()?,
            Head::False => Vec::new(),
        };
        premises.sort_unstable();
        premises.dedup();
        let own = clause.vars.iter().filter_map(|var| model.vars.get(var).cloned()).collect();
        steps.push(Step::new(self.clause, own, premises));
        Some((steps.len() - 1, head))
    }

    /// The position of a step of this clause that concludes `args`, if its instance does.
    fn concluding(
        &self,
        horn: &Horn,
        values: &[Value],
        known: &[Premise],
        steps: &mut Vec<Step>,
        args: &[Value],
    ) -> Option<usize> {
        let Head::Atom(_, head) = &horn.clause(self.clause).head else { return None };
        let model = self.model(horn, values);
        let fits = |(&term, value): (&TermId, &Value)| {
            eval(&horn.terms, term, &model).as_ref() == Ok(value)
        };
        if !head.iter().zip(args).all(fits) {
            return None;
        }
        self.steps(horn, values, known, steps).map(|(position, _)| position)
    }
}
