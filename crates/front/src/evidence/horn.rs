//! Evidence about Horn systems as text.
//!
//! A model is a list of SMT-LIB definitions, one per predicate, as the competition's validators
//! read them. What only our checker needs stands in `set-info` commands, which others skip:
//!
//! ```text
//! (define-fun P ((x Int)) Bool (<= 0 x))
//! (define-funs-rec …) and (set-info :alphorn-law …) as in `fold`
//! (set-info :alphorn-proof (clause 2 (var x Int) (atom 0 …) (step 0 …) …))
//! (set-info :alphorn-proof (clause 3 (case …) (case …))) as in `cases`
//! (set-info :alphorn-function (f (case (1) 2) (else 0)))
//! (set-info :alphorn-choice (div (else 0)))
//! (set-info :alphorn-choice (select head (List Int) (else 0)))
//! (set-info :alphorn-element (e!1 Thing 0))
//! (set-info :alphorn-variable (f!1 Int "f"))
//! ```
//!
//! A clause without a proof is checked by evaluation. A system without predicates has the model
//! `()`. Derivations are described in `derivation`.

mod read;

use super::layout::lay_out;
use super::names::Names;
use super::values::Printer;
use super::{cases, derivation, fold, proof};
use crate::smtlib::general::reply;
use alphorn_problem::Horn;
use alphorn_problem::Verdict;
use alphorn_problem::evidence::horn::{ClauseProof, Definition, HornModel};
use alphorn_term::eval::{Choices, Table};
use alphorn_term::print::quote;
use alphorn_term::{Store, TermId};
pub use read::read;
use std::collections::BTreeSet;
use std::fmt::Write;

/// A verdict's evidence as text.
pub fn print(horn: &Horn, verdict: &Verdict<Horn>) -> String {
    match verdict {
        Verdict::Safe(model) => print_model(horn, model),
        Verdict::Unsafe(derivation) => derivation::print(horn, derivation),
    }
}

fn print_model(horn: &Horn, model: &HornModel) -> String {
    let mut roots: Vec<TermId> = Vec::new();
    // The checker refuses definitions with other variables than parameters; the text says them.
    let mut free: BTreeSet<TermId> = BTreeSet::new();
    for definition in &model.preds {
        roots.extend(&definition.params);
        roots.push(definition.body);
        let vars = model.terms.free_vars(&[definition.body]);
        free.extend(vars.into_iter().filter(|var| !definition.params.contains(var)));
    }
    roots.extend(model.proofs.iter().flat_map(|proof| match proof {
        ClauseProof::Refute(proof) => proof::mentioned(proof),
        ClauseProof::Cases(all) => cases::mentioned(all),
        ClauseProof::Evaluate => Vec::new(),
    }));
    let mut store = model.terms.clone();
    roots.extend(fold::mentioned(&model.folds, &mut store));
    let mut names = Names::of(&store, &roots);
    let mut out = String::new();
    let free: Vec<TermId> = free.into_iter().collect();
    for declaration in names.declarations(&free) {
        let _ = writeln!(out, "(set-info :alphorn-variable ({declaration}))");
    }
    if let Some(functions) = fold::print_functions(&mut names, &model.folds) {
        out.push_str(&functions);
        out.push('\n');
    }
    for (pred, definition) in horn.pred_ids().zip(&model.preds) {
        out.push_str(&define(&mut names, horn.pred_name(pred), definition));
        out.push('\n');
    }
    print_tables(&mut out, model);
    fold::print_laws(&mut out, &mut names, &model.folds);
    for (clause, proof) in model.proofs.iter().enumerate() {
        if matches!(proof, ClauseProof::Evaluate) {
            continue;
        }
        let _ = writeln!(out, "(set-info :alphorn-proof (clause {clause}");
        match proof {
            ClauseProof::Refute(proof) => proof::print(&mut out, &mut names, proof),
            ClauseProof::Cases(all) => cases::print(&mut out, &mut names, all),
            ClauseProof::Evaluate => {}
        }
        out.push_str("))\n");
    }
    // Nothing at all would look like a file that was not written.
    if out.is_empty() { "()\n".to_owned() } else { out }
}

/// The functions on datatypes that a model's definitions use, as one command; nothing if they use none.
pub fn print_folds(model: &HornModel) -> Option<String> {
    let mut store = model.terms.clone();
    let roots = fold::mentioned(&model.folds, &mut store);
    fold::print_functions(&mut Names::of(&store, &roots), &model.folds)
}

/// The declared functions that a model gives values, as definitions.
pub fn print_functions(model: &HornModel) -> Vec<String> {
    let tables = model.funcs.iter();
    tables.map(|(&func, table)| reply::definition(&model.terms, func, table)).collect()
}

/// Everything that a model defines: functions on datatypes and declared ones if there are any, then one
/// definition per predicate.
pub fn print_interpretation(horn: &Horn, model: &HornModel) -> Vec<String> {
    let functions = print_folds(model).into_iter().chain(print_functions(model));
    functions.chain(print_definitions(horn, model)).collect()
}

/// The definitions of a model alone, for readers that do their own checking: one per declared
/// predicate, in the order of the file.
pub fn print_definitions(horn: &Horn, model: &HornModel) -> Vec<String> {
    let named = horn.pred_ids().map(|pred| horn.pred_name(pred)).zip(&model.preds);
    print_named_definitions(&model.terms, &named.collect::<Vec<_>>())
}

/// Definitions of predicates with these names, whose terms are in a store.
pub fn print_named_definitions(terms: &Store, named: &[(&str, &Definition)]) -> Vec<String> {
    let params = named.iter().flat_map(|(_, definition)| definition.params.iter().copied());
    let bodies = named.iter().map(|(_, definition)| definition.body);
    let mut names = Names::of(terms, &params.chain(bodies).collect::<Vec<TermId>>());
    named.iter().map(|(name, definition)| define(&mut names, name, definition)).collect()
}

/// The definition of a predicate as a command.
fn define(names: &mut Names, name: &str, definition: &Definition) -> String {
    let params: Vec<String> = (definition.params.iter())
        .map(|&param| format!("({})", names.show_variable(param)))
        .collect();
    let (name, params) = (quote(name), params.join(" "));
    let mut out = format!("(define-fun {name} ({params}) Bool\n  ");
    lay_out(&mut out, &names.show_readable(definition.body), 2);
    out + ")"
}

/// Appends the values of functions and the choices.
fn print_tables(out: &mut String, model: &HornModel) {
    let store = &model.terms;
    let mut printer = Printer::new(store.clone());
    let mut tables: Vec<String> = Vec::new();
    for (&func, table) in &model.funcs {
        let name = quote(store.name(store.func(func).name));
        tables.push(format!("function ({name}{})", printer.show_table(table)));
    }
    for (name, table) in choices(store, &model.choices) {
        tables.push(format!("choice ({name}{})", printer.show_table(table)));
    }
    for declaration in printer.declarations() {
        let _ = writeln!(out, "(set-info :alphorn-element ({declaration}))");
    }
    for table in tables {
        let _ = writeln!(out, "(set-info :alphorn-{table})");
    }
}

/// The choices a model makes, by the names they have in text.
fn choices<'m>(store: &Store, choices: &'m Choices) -> Vec<(String, &'m Table)> {
    let named = [("div", &choices.int_div), ("mod", &choices.modulo), ("/", &choices.real_div)];
    let mut list: Vec<(String, &Table)> =
        named.into_iter().filter_map(|(name, t)| Some((name.to_owned(), t.as_ref()?))).collect();
    for ((ctor, field), table) in &choices.fields {
        let ctor = store.ctor(*ctor);
        if let Some((selector, _)) = ctor.fields.get(*field as usize) {
            // Several datatypes may have selectors of this name.
            let sort = store.show_sort(store.data(ctor.data).sort);
            list.push((format!("select {} {sort}", quote(store.name(*selector))), table));
        }
    }
    list
}
