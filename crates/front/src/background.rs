//! Declared functions as arrays that nothing changes.
//!
//! Programs have variables and no functions that are left open. A function of a program's text is a global
//! array over its first argument, with arrays over the others in it; what is known about it is known about
//! the array.

use alphorn_problem::Span;
use alphorn_program::Program;
use alphorn_program::form::{Action, Jump};
use alphorn_term::{FuncId, Op, SortId, Store, TermId};
use std::collections::BTreeMap;

/// Replaces applications of declared functions throughout a program, and adds their arrays to its globals.
pub(crate) fn functions_to_arrays(program: &mut Program) {
    let roots = terms_of(program);
    if !roots.iter().any(|&root| program.terms.has_apply(root)) {
        return;
    }
    let mut arrays: BTreeMap<FuncId, TermId> = BTreeMap::new();
    let mut done: BTreeMap<TermId, TermId> = BTreeMap::new();
    for term in program.terms.subterms(&roots) {
        if !program.terms.has_apply(term) {
            continue;
        }
        let args: Vec<TermId> = program.terms.args(term).to_vec();
        let args: Vec<TermId> = args.iter().map(|arg| *done.get(arg).unwrap_or(arg)).collect();
        let replaced = match program.terms.op(term) {
            Op::Apply(func) => {
                let array = *arrays.entry(func).or_insert_with(|| array(program, func));
                args.iter().fold(array, |array, &arg| program.terms.select(array, arg))
            }
            op @ (Op::Forall | Op::Exists) => program.terms.mk(op, &args),
            _ => program.terms.rebuild(term, &args),
        };
        done.insert(term, replaced);
    }
    replace_terms(program, |term| *done.get(&term).unwrap_or(&term));
}

/// The global variable for a function.
fn array(program: &mut Program, func: FuncId) -> TermId {
    let decl = program.terms.func(func).clone();
    let sort = sort(&mut program.terms, &decl.args, decl.result);
    let name = program.terms.name(decl.name).to_owned();
    let var = program.add_var(&name, sort, Span::NONE);
    program.globals.push(var);
    program.term(var)
}

fn sort(store: &mut Store, args: &[SortId], result: SortId) -> SortId {
    args.iter().rev().fold(result, |element, &index| store.array_sort(index, element))
}

/// All terms of a program but those of its variables.
pub(crate) fn terms_of(program: &Program) -> Vec<TermId> {
    let mut terms: Vec<TermId> = program.start.into_iter().collect();
    let mut copy = program.clone();
    replace_terms(&mut copy, |term| {
        terms.push(term);
        term
    });
    terms
}

/// Replaces the terms of a program but those of its variables.
pub(crate) fn replace_terms(program: &mut Program, mut new: impl FnMut(TermId) -> TermId) {
    if let Some(start) = &mut program.start {
        *start = new(*start);
    }
    for block in program.procs.iter_mut().flat_map(|proc| &mut proc.blocks) {
        for step in &mut block.steps {
            match &mut step.action {
                Action::Assign(pairs) => pairs.iter_mut().for_each(|pair| pair.1 = new(pair.1)),
                Action::Relate(_, formula) | Action::Assume(formula) => *formula = new(*formula),
                Action::Check(check) => check.formula = new(check.formula),
                Action::Call { args, .. } => args.iter_mut().for_each(|arg| *arg = new(*arg)),
                Action::Observe(seen) => {
                    let terms: Vec<TermId> = seen.terms().into_iter().map(&mut new).collect();
                    *seen = seen.with_terms(&terms);
                }
                // Files state no threads.
                Action::Havoc(_) | Action::Thread(_) => {}
            }
        }
        if let Jump::Branch(condition, ..) = &mut block.jump {
            *condition = new(*condition);
        }
    }
}
