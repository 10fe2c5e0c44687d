//! Which argument of a predicate its clauses compute from the others.
//!
//! Functions that were written as relations have an argument for their value. A variable that a goal computes
//! gets its value when the goal's other arguments have theirs, so it is not to be guessed. An argument is computed if in every
//! rule its variables are known once those of the others are: directly, by atoms whose arguments
//! are known but for one that is computed, or by equations (well-moded programs: Dembiński, Małuszyński 1985; the
//! greatest fixpoint), and where the others do not tell two rules apart, one has a test of them. Of several arguments the one is taken for which
//! the others tell most rules apart.
//!
//! It is a matter of the order in which things are tried, and of nothing else.

use super::bindings::{Bindings, NONE};
use super::program::{Pattern, Procedure, Rule};
use alphorn_term::{Op, Store};
use std::collections::BTreeSet;

/// For each procedure the position that it computes, if there is one.
pub(crate) fn computed(store: &Store, program: &[Procedure]) -> Vec<Option<usize>> {
    best(program, &possible(store, program))
}

/// The position of each procedure for which the others tell most rules apart, of those that it may compute.
pub(crate) fn best(program: &[Procedure], possible: &[Vec<bool>]) -> Vec<Option<usize>> {
    let best = |(procedure, may): (&Procedure, &Vec<bool>)| {
        let positions = (0..may.len()).filter(|&position| may[position]);
        positions.min_by_key(|&position| overlaps(procedure, position).0)
    };
    program.iter().zip(possible).map(best).collect()
}

/// For each procedure which positions it may compute.
pub(crate) fn possible(store: &Store, program: &[Procedure]) -> Vec<Vec<bool>> {
    let may = |procedure: &Procedure| {
        let positions = 0..procedure.sorts.len();
        positions.map(|position| overlaps(procedure, position).1 == 0).collect()
    };
    let mut may: Vec<Vec<bool>> = program.iter().map(may).collect();
    loop {
        let mut has_changed = false;
        for (pred, procedure) in program.iter().enumerate() {
            for position in 0..procedure.sorts.len() {
                let computes = |rule: &Rule| computes(store, rule, position, &may);
                if may[pred][position] && !procedure.rules.iter().all(computes) {
                    may[pred][position] = false;
                    has_changed = true;
                }
            }
        }
        if !has_changed {
            break;
        }
    }
    may
}

/// Whether a rule computes an argument of its head from the others.
fn computes(store: &Store, rule: &Rule, position: usize, may: &[Vec<bool>]) -> bool {
    let mut known = BTreeSet::new();
    for (other, pattern) in rule.head.iter().enumerate() {
        if other != position {
            add_vars(pattern, &mut known);
        }
    }
    loop {
        let before = known.len();
        for (pred, args) in &rule.body {
            for (computed, _) in may[*pred].iter().enumerate().filter(|(_, may)| **may) {
                let mut rest = args.iter().enumerate().filter(|(other, _)| *other != computed);
                if rest.all(|(_, arg)| is_known(arg, &known)) {
                    add_vars(&args[computed], &mut known);
                }
            }
        }
        for guard in &rule.guards {
            let mut open = guard.vars.iter().filter(|(_, pattern)| !is_known(pattern, &known));
            if store.op(guard.formula) == Op::Eq
                && let (Some((_, pattern)), None) = (open.next(), open.next())
            {
                add_vars(pattern, &mut known);
            }
        }
        if known.len() == before {
            break;
        }
    }
    is_known(&rule.head[position], &known)
}

/// Adds the variables of a pattern.
pub(crate) fn add_vars(pattern: &Pattern, vars: &mut BTreeSet<u32>) {
    match pattern {
        Pattern::Var(var) => {
            vars.insert(*var);
        }
        Pattern::Data(_, args) => args.iter().for_each(|arg| add_vars(arg, vars)),
        Pattern::Value(_) => {}
    }
}

/// Whether the variables of a pattern are among some.
pub(crate) fn is_known(pattern: &Pattern, known: &BTreeSet<u32>) -> bool {
    match pattern {
        Pattern::Var(var) => known.contains(var),
        Pattern::Data(_, args) => args.iter().all(|arg| is_known(arg, known)),
        Pattern::Value(_) => true,
    }
}

/// How many pairs of rules the arguments but for one do not tell apart, and how many of these no test does.
fn overlaps(procedure: &Procedure, position: usize) -> (usize, usize) {
    let rules = &procedure.rules;
    // A clash is seen without unification; most rules have one.
    let is_apart = |one: &Rule, other: &Rule| {
        let mut heads = one.head.iter().zip(&other.head).enumerate();
        heads.any(|(at, (one, other))| at != position && clash(one, other))
            || !unify(one, other, position)
    };
    let (mut all, mut bare) = (0, 0);
    for (at, one) in rules.iter().enumerate() {
        for other in rules[at + 1..].iter().filter(|other| !is_apart(one, other)) {
            all += 1;
            bare += usize::from(!has_test(one, position) && !has_test(other, position));
        }
    }
    (all, bare)
}

/// Whether a rule has an atom or guard about its head's arguments, but for one, or an atom that must have a result of
/// a certain form.
fn has_test(rule: &Rule, position: usize) -> bool {
    let mut known = BTreeSet::new();
    for (_, pattern) in rule.head.iter().enumerate().filter(|(other, _)| *other != position) {
        add_vars(pattern, &mut known);
    }
    let is_formed = |arg: &Pattern| matches!(arg, Pattern::Data(..)) && !is_known(arg, &known);
    let is_test = |args: &[Pattern]| {
        args.iter().all(|arg| is_known(arg, &known)) || args.iter().any(is_formed)
    };
    rule.body.iter().any(|(_, args)| is_test(args))
        || (rule.guards.iter())
            .any(|guard| guard.vars.iter().all(|(_, pattern)| is_known(pattern, &known)))
}

/// Whether the arguments of two heads, but for one, have an instance in common.
fn unify(one: &Rule, other: &Rule, position: usize) -> bool {
    let mut bindings = Bindings::default();
    let mut frames = [vec![NONE; one.vars], vec![NONE; other.vars]];
    one.head.iter().zip(&other.head).enumerate().all(|(at, (one, other))| {
        let nodes = [bindings.build(one, &mut frames[0]), bindings.build(other, &mut frames[1])];
        at == position || bindings.unify(nodes[0], nodes[1])
    })
}

/// Whether no term is an instance of both, by the constructors that they begin with.
fn clash(one: &Pattern, other: &Pattern) -> bool {
    match (one, other) {
        (Pattern::Data(ctor, args), Pattern::Data(also, others)) => {
            ctor != also || args.iter().zip(others).any(|(one, other)| clash(one, other))
        }
        (Pattern::Value(one), Pattern::Value(other)) => one != other,
        _ => false,
    }
}
