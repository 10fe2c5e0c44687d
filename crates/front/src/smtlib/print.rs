//! Horn systems and obligations as SMT-LIB scripts.
//!
//! A printed system reads back as the same system: same predicates, clauses, variables, names and
//! terms. Sharing within a body or a head is kept by `let`. Names that would be mixed up in a text
//! are made distinct first.
//!
//! After the format of CHC-COMP, with generalized bodies and heads as they are.

use super::distinct::{
    Renaming, clause_terms, distinct_names, functions, global_names, rename_vars,
};
use alphorn_problem::horn::{Clause, Head, Horn};
use alphorn_term::print::quote;
use alphorn_term::{FuncId, Op, Sort, SortId, Store, TermId};
use std::collections::BTreeSet;
use std::fmt::Write;

mod declarations;
mod families;
mod questions;

pub use declarations::Declarations;
pub use questions::{print_horn, print_queries, print_questions};

/// What was said about a clause's variables, as far as it mentions functions that are declared.
fn annotations(store: &mut Store, clause: &Clause, head: TermId, declared: &[FuncId]) -> String {
    if !store.has_annotations() {
        return String::new();
    }
    let holds = store.implies(clause.body, head);
    let formula = store.forall(&clause.vars, holds);
    let Some(said) = store.annotations(formula) else { return String::new() };
    let used = used_functions(store, &said.terms());
    match used.iter().all(|func| declared.contains(func)) {
        true => store.show_annotations(formula),
        false => String::new(),
    }
}

fn write_clause(
    store: &mut Store,
    horn: &Horn,
    clause: &Clause,
    declared: &[FuncId],
    out: &mut String,
) {
    out.push_str("\n(assert\n  ");
    if clause.name.is_some() {
        out.push_str("(! ");
    }
    if !clause.vars.is_empty() {
        out.push_str("(forall (");
        for (position, &var) in clause.vars.iter().enumerate() {
            let space = if position > 0 { " " } else { "" };
            let name = quote(store.var_name(var).unwrap_or_default());
            let _ = write!(out, "{space}({name} {})", store.show_sort(store.sort(var)));
        }
        out.push_str(")\n    ");
    }
    let head = match &clause.head {
        Head::False => TermId::FALSE,
        Head::Atom(pred, args) => store.mk(Op::Apply(horn.pred(*pred).func), args),
    };
    let said = annotations(store, clause, head, declared);
    if !said.is_empty() {
        out.push_str("(! ");
    }
    out.push_str("(=> ");
    store.write_term(out, clause.body);
    out.push_str("\n      ");
    store.write_term(out, head);
    out.push(')');
    if !said.is_empty() {
        let _ = write!(out, "{said})");
    }
    if !clause.vars.is_empty() {
        out.push(')');
    }
    if let Some(name) = &clause.name {
        let _ = write!(out, " :named {})", quote(name));
    }
    out.push_str(")\n");
}

/// A script that asks whether formulas can hold together, in the smallest logic that has their
/// symbols. Free variables become constants. A formula is valid if the script that asserts its
/// negation is unsatisfiable.
pub fn print_script(store: &Store, asserts: &[TermId]) -> String {
    let mut store = store.clone();
    let mut renaming = Renaming::default();
    let used = used_functions(&store, asserts);
    let names = global_names(&mut store, &used, &mut renaming);
    rename_vars(&mut store, asserts, &names, &mut renaming);
    let asserts = match renaming.is_empty() {
        true => asserts.to_vec(),
        false => renaming.apply(&mut store, asserts),
    };
    let declarations = Declarations::of(&store, &asserts, &used_functions(&store, &asserts));
    let vars = store.free_vars(&asserts);
    let mut out = String::new();
    let _ =
        writeln!(out, "(set-logic {})\n", logic(&store, &asserts, !declarations.funcs.is_empty()));
    declarations.write(&store, &mut out);
    for var in vars {
        let name = quote(store.var_name(var).unwrap_or_default());
        let _ = writeln!(out, "(declare-const {name} {})", store.show_sort(store.sort(var)));
    }
    for assert in asserts {
        out.push_str("\n(assert\n  ");
        store.write_term(&mut out, assert);
        out.push_str(")\n");
    }
    out.push_str("\n(check-sat)\n");
    out
}

fn used_functions(store: &Store, terms: &[TermId]) -> Vec<FuncId> {
    let mut funcs: Vec<FuncId> = store
        .subterms(&[terms, &store.annotated_terms(terms)].concat())
        .into_iter()
        .filter_map(|term| match store.op(term) {
            Op::Apply(func) => Some(func),
            _ => None,
        })
        .collect();
    funcs.sort_unstable();
    funcs.dedup();
    funcs
}

/// The sorts of all subterms, with the sorts these are made of: parts of arrays, fields of data.
fn mentioned_sorts(store: &Store, asserts: &[TermId]) -> BTreeSet<SortId> {
    let mut sorts = BTreeSet::new();
    let mut stack: Vec<SortId> =
        store.subterms(asserts).into_iter().map(|term| store.sort(term)).collect();
    while let Some(sort) = stack.pop() {
        if !sorts.insert(sort) {
            continue;
        }
        match store.sort_of(sort) {
            Sort::Array(index, element) => stack.extend([*index, *element]),
            Sort::Uninterpreted(_, args) => stack.extend(args),
            Sort::Data(data) => {
                let ctors = store.data(*data).ctors.iter();
                stack.extend(ctors.flat_map(|&ctor| store.ctor(ctor).fields.iter().map(|f| f.1)));
            }
            _ => {}
        }
    }
    sorts
}

/// The name of the smallest logic with these formulas' symbols.
fn logic(store: &Store, asserts: &[TermId], has_functions: bool) -> String {
    let (mut arrays, mut words, mut data, mut declared) = (false, false, false, has_functions);
    let (mut ints, mut reals, mut nonlinear) = (false, false, false);
    for sort in mentioned_sorts(store, asserts) {
        match store.sort_of(sort) {
            Sort::Int => ints = true,
            Sort::Real => reals = true,
            Sort::BitVec(_) => words = true,
            Sort::Array(..) => arrays = true,
            Sort::Data(_) => data = true,
            Sort::Uninterpreted(..) => declared = true,
            Sort::Bool => {}
        }
    }
    for term in store.subterms(asserts) {
        let is_literal = |&arg: &TermId| store.is_literal(arg);
        nonlinear |= match store.op(term) {
            Op::Mul => store.args(term).iter().filter(|arg| !is_literal(arg)).count() > 1,
            Op::IntDiv | Op::Mod | Op::RealDiv => !is_literal(&store.args(term)[1]),
            _ => false,
        };
    }
    let mut name = String::new();
    if !asserts.iter().any(|&term| store.has_quantifier(term)) {
        name.push_str("QF_");
    }
    let arithmetic = match (ints, reals) {
        (false, false) => "",
        (true, false) => "IA",
        (false, true) => "RA",
        (true, true) => "IRA",
    };
    let is_core = !arrays && !words && !data && arithmetic.is_empty();
    if arrays {
        name.push_str(if words || data || declared || !arithmetic.is_empty() { "A" } else { "AX" });
    }
    if declared || is_core {
        name.push_str("UF");
    }
    if words {
        name.push_str("BV");
    }
    if data {
        name.push_str("DT");
    }
    if !arithmetic.is_empty() {
        name.push(if nonlinear { 'N' } else { 'L' });
        name.push_str(arithmetic);
    }
    name
}

/// The sorts within a sort, and itself.
fn sorts_within(store: &Store, sort: SortId, found: &mut Vec<SortId>) {
    found.push(sort);
    match store.sort_of(sort) {
        Sort::Array(index, element) => {
            sorts_within(store, *index, found);
            sorts_within(store, *element, found);
        }
        Sort::Uninterpreted(_, args) => {
            args.iter().for_each(|&arg| sorts_within(store, arg, found));
        }
        Sort::Data(data) => {
            let params = &store.data(*data).params;
            params.iter().for_each(|&param| sorts_within(store, param, found));
        }
        _ => {}
    }
}
