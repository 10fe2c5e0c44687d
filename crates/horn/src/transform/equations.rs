//! The transform `equations`: variables that an equation of a body defines are eliminated.
//!
//! A conjunct `x = t`, a linear equation with a coefficient of one (over reals: any; over words: one
//! or minus one) and a plain truth value define a variable. Definitions are collected as long as they do not depend on each
//! other in a circle, put into one another, and put into the clause at once, so that a chain of
//! equations costs one pass. The recipe keeps them: values are recovered by evaluation.
//!
//! Equations inside disjunctions define variables that occur nowhere else (`dominators`); where the
//! disjunct does not hold, the value that the recipe gives is as good as any.
//!
//! Two rules keep clauses in the form that engines like. A variable that is an argument of an atom in
//! the body is replaced by a variable or a literal only, and a large term only where the variable
//! occurs once.

use super::change::{Applied, Change, Recipe};
use super::dominators::Dominators;
use super::system::{System, conjuncts, head_args};
use crate::settings::{EQUATIONS_LARGEST, EQUATIONS_MAX_PASSES};
use crate::word_sum::WordSum;
use alphorn_engine::Ctx;
use alphorn_problem::horn::{Clause, Head};
use alphorn_smt::Linear;
use alphorn_term::{Op, Rat, SortId, Store, Substitution, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) fn apply(system: &System, store: &mut Store, ctx: &mut Ctx<'_>) -> Applied {
    let mut clauses = Vec::with_capacity(system.clauses.len());
    let mut has_changed = false;
    for (at, clause) in system.clauses.iter().enumerate() {
        let (mut changed, mut values) = (clause.clone(), clause.vars.clone());
        for _ in 0..EQUATIONS_MAX_PASSES.size() {
            ctx.tick(1)?;
            let solved = Solved::of(system, store, &changed);
            if solved.map.is_empty() {
                break;
            }
            has_changed = true;
            changed = solved.put_in(store, &changed);
            values = store.substitute_all(&values, &solved.map);
        }
        clauses.push((changed, Recipe::terms(at, values)));
    }
    Ok(has_changed.then(|| Change::of_clauses(system, store, clauses)))
}

/// Variables of a clause with what equations say they are.
struct Solved {
    /// Terms without the variables that have terms.
    map: Substitution,
    /// The conjuncts that said so.
    used: FxHashSet<TermId>,
}

/// How a clause uses its variables.
struct Uses {
    /// In how many conjuncts and arguments of the head each occurs.
    count: FxHashMap<TermId, usize>,
    /// Those that are arguments of atoms of the body.
    in_atoms: FxHashSet<TermId>,
}

/// Definitions of variables in the making.
struct Collection {
    vars: FxHashSet<TermId>,
    definitions: FxHashMap<TermId, (TermId, Vec<TermId>)>,
    order: Vec<TermId>,
    used: FxHashSet<TermId>,
}

impl Collection {
    fn new(clause: &Clause) -> Collection {
        Collection {
            vars: clause.vars.iter().copied().collect(),
            definitions: FxHashMap::default(),
            order: Vec::new(),
            used: FxHashSet::default(),
        }
    }

    /// Takes a formula as the definition of one of its variables, if it defines one that may be.
    fn take(
        &mut self,
        store: &mut Store,
        part: TermId,
        may: impl Fn(&Store, TermId, TermId) -> bool,
    ) {
        if self.used.contains(&part) {
            return;
        }
        for (var, term) in options(store, part, &self.vars) {
            if self.definitions.contains_key(&var) || !may(store, var, term) {
                continue;
            }
            let needs = store.free_vars(&[term]);
            if !reaches(&self.definitions, &needs, var) {
                self.definitions.insert(var, (term, needs));
                self.order.push(var);
                self.used.insert(part);
                return;
            }
        }
    }

    fn solved(self, store: &mut Store) -> Solved {
        Solved { map: resolve(store, &self.definitions, &self.order), used: self.used }
    }
}

impl Collection {
    /// Takes equations inside disjunctions.
    fn take_inner(&mut self, store: &mut Store, clause: &Clause, mut uses: Uses) {
        let dominators = Dominators::of(store, clause.body);
        let in_head: FxHashSet<TermId> = store.free_vars(head_args(clause)).into_iter().collect();
        for &var in &clause.vars {
            uses.count.insert(var, dominators.parents(var));
        }
        let conjunctions: Vec<TermId> = dominators.conjunctions(store).collect();
        for conjunction in conjunctions {
            for part in store.args(conjunction).to_vec() {
                self.take(store, part, |store, var, term| {
                    !in_head.contains(&var)
                        && dominators.dominates(conjunction, var)
                        && uses.allow(store, var, term)
                });
            }
        }
    }
}

impl Solved {
    fn of(system: &System, store: &mut Store, clause: &Clause) -> Solved {
        let parts = conjuncts(store, clause.body);
        let uses = Uses::of(system, store, clause, &parts);
        let mut collection = Collection::new(clause);
        for part in parts {
            if system.is_constraint(store, part) {
                collection.take(store, part, |store, var, term| uses.allow(store, var, term));
            }
        }
        if collection.order.is_empty() {
            collection.take_inner(store, clause, uses);
        }
        collection.solved(store)
    }

    /// The clause without the variables.
    fn put_in(&self, store: &mut Store, clause: &Clause) -> Clause {
        let mut map = self.map.clone();
        map.extend(self.used.iter().map(|&part| (part, TermId::TRUE)));
        let body = store.substitute(clause.body, &map);
        let head = match &clause.head {
            Head::False => Head::False,
            Head::Atom(pred, args) => Head::Atom(*pred, store.substitute_all(args, &self.map)),
        };
        let left = clause.vars.iter().copied().filter(|var| !self.map.contains_key(var));
        Clause { vars: left.collect(), body, head, ..clause.clone() }
    }
}

impl Uses {
    fn of(system: &System, store: &Store, clause: &Clause, parts: &[TermId]) -> Uses {
        let mut count: FxHashMap<TermId, usize> = FxHashMap::default();
        for &root in parts.iter().chain(head_args(clause)) {
            for var in store.free_vars(&[root]) {
                *count.entry(var).or_default() += 1;
            }
        }
        let atoms = system.atoms(store, clause.body);
        let args = atoms.iter().flat_map(|&atom| store.args(atom));
        let in_atoms = args.copied().filter(|&arg| matches!(store.op(arg), Op::Var(_))).collect();
        Uses { count, in_atoms }
    }

    /// Whether a term may stand for a variable.
    fn allow(&self, store: &Store, var: TermId, term: TermId) -> bool {
        if matches!(store.op(term), Op::Var(_)) || store.is_literal(term) {
            return true;
        }
        if self.in_atoms.contains(&var) {
            return false;
        }
        let is_used_once = self.count.get(&var).is_none_or(|&count| count <= 2);
        is_used_once || (store.sort(var) != SortId::BOOL && is_small(store, term))
    }
}

fn is_small(store: &Store, term: TermId) -> bool {
    let parts = store.subterms(&[term]);
    parts.len() <= EQUATIONS_LARGEST.size() && parts.iter().all(|&part| store.op(part) != Op::Ite)
}

/// The variables that a conjunct defines, with their terms.
pub(super) fn options(
    store: &mut Store,
    part: TermId,
    vars: &FxHashSet<TermId>,
) -> Vec<(TermId, TermId)> {
    let args = store.args(part).to_vec();
    match (store.op(part), &args[..]) {
        (Op::Var(_), _) if vars.contains(&part) => vec![(part, TermId::TRUE)],
        (Op::Not, &[arg]) if vars.contains(&arg) => vec![(arg, TermId::FALSE)],
        (Op::Eq, &[left, right]) if store.sort(left).is_arithmetic() => {
            linear_options(store, left, right, vars)
        }
        (Op::Eq, &[left, right]) if store.width_of(store.sort(left)).is_some() => {
            let mut options = plain_options(store, left, right, vars);
            let sum = WordSum::difference(store, left, right);
            options.extend(sum.solutions(store, |term| vars.contains(&term)));
            options
        }
        (Op::Eq, &[left, right]) => {
            let mut options = plain_options(store, left, right, vars);
            // The negation of a variable, too, is defined by what it equals.
            for (negated, term) in [(left, right), (right, left)] {
                if let (Op::Not, &[var]) = (store.op(negated), store.args(negated))
                    && vars.contains(&var)
                    && !store.free_vars(&[term]).contains(&var)
                {
                    options.push((var, store.not(term)));
                }
            }
            options
        }
        _ => Vec::new(),
    }
}

/// The sides of an equation that are variables, with the other side.
fn plain_options(
    store: &Store,
    left: TermId,
    right: TermId,
    vars: &FxHashSet<TermId>,
) -> Vec<(TermId, TermId)> {
    let is_defined = |(var, term): &(TermId, TermId)| {
        vars.contains(var) && !store.free_vars(&[*term]).contains(var)
    };
    [(left, right), (right, left)].into_iter().filter(is_defined).collect()
}

/// The variables for which a linear equation can be solved.
fn linear_options(
    store: &mut Store,
    left: TermId,
    right: TermId,
    vars: &FxHashSet<TermId>,
) -> Vec<(TermId, TermId)> {
    let mut form = Linear::difference(store, left, right);
    let is_integral = store.sort(left) == SortId::INT;
    form.scale(&form.primitive_factor());
    if is_integral && (!form.is_over_integers(store) || !form.constant.is_integer()) {
        return Vec::new();
    }
    let mut options = Vec::new();
    for (atom, coefficient) in form.terms.clone() {
        let is_unit = coefficient.is_one() || (-&coefficient).is_one();
        let fits = vars.contains(&atom) && store.sort(atom) == store.sort(left);
        if !fits || (is_integral && !is_unit) {
            continue;
        }
        let (_, mut rest) = form.split(atom);
        let Some(inverse) = coefficient.recip() else { continue };
        rest.scale(&(&Rat::MINUS_ONE * &inverse));
        let occurs = rest.terms.iter().any(|(other, _)| {
            !matches!(store.op(*other), Op::Var(_)) && store.free_vars(&[*other]).contains(&atom)
        });
        if !occurs {
            options.push((atom, rest.to_term(store, store.sort(atom))));
        }
    }
    options
}

/// Whether a variable is among those that definitions lead to.
fn reaches(
    definitions: &FxHashMap<TermId, (TermId, Vec<TermId>)>,
    from: &[TermId],
    var: TermId,
) -> bool {
    let mut stack = from.to_vec();
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    while let Some(next) = stack.pop() {
        if next == var {
            return true;
        }
        if seen.insert(next)
            && let Some((_, needs)) = definitions.get(&next)
        {
            stack.extend(needs);
        }
    }
    false
}

/// Definitions put into one another.
fn resolve(
    store: &mut Store,
    definitions: &FxHashMap<TermId, (TermId, Vec<TermId>)>,
    order: &[TermId],
) -> Substitution {
    let mut map = Substitution::default();
    let mut stack: Vec<(TermId, bool)> = order.iter().rev().map(|&var| (var, false)).collect();
    while let Some((var, ready)) = stack.pop() {
        if map.contains_key(&var) {
            continue;
        }
        let Some((term, needs)) = definitions.get(&var) else { continue };
        if ready {
            let used = needs.iter().filter_map(|need| map.get(need).map(|&value| (*need, value)));
            let used: Substitution = used.collect();
            let term = store.substitute(*term, &used);
            map.insert(var, term);
        } else {
            stack.push((var, true));
            stack.extend(needs.iter().map(|&need| (need, false)));
        }
    }
    map
}
