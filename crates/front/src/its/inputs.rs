//! Existential quantifiers as inputs.
//!
//! A relation holds if some values of its inputs make it true, so that a quantifier that says just that needs
//! none: one that stands positively, below conjunctions, disjunctions and an even number of negations, is
//! dropped, and what it binds becomes an input. Where one and the same quantified formula stands twice, one
//! input does for both: if there is a value, it serves both, and if there is none, neither holds.

use crate::diag::{Code, Diagnostic};
use crate::smtlib::Fallible;
use alphorn_problem::Span;
use alphorn_term::{Op, Store, TermId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// What is left to do with a formula that stands positively or not.
enum Task {
    Enter(TermId, bool),
    Leave(TermId, bool),
    /// The quantified formula is what its body became.
    Same(TermId, TermId, bool),
}

/// A formula without quantifiers, and its inputs. No variable of `used` is taken for one, and those taken are
/// added.
pub(super) fn open(
    store: &mut Store,
    formula: TermId,
    used: &mut BTreeSet<TermId>,
    span: Span,
) -> Fallible<(TermId, Vec<TermId>)> {
    let mut inputs = Vec::new();
    let mut done: FxHashMap<(TermId, bool), TermId> = FxHashMap::default();
    let mut tasks = vec![Task::Enter(formula, true)];
    while let Some(task) = tasks.pop() {
        match task {
            Task::Enter(term, is_positive) => {
                if done.contains_key(&(term, is_positive)) {
                    continue;
                }
                if !store.has_quantifier(term) {
                    done.insert((term, is_positive), term);
                    continue;
                }
                match (store.op(term), is_positive) {
                    (Op::And | Op::Or, _) => {
                        tasks.push(Task::Leave(term, is_positive));
                        tasks.extend(store.args(term).iter().map(|&t| Task::Enter(t, is_positive)));
                    }
                    (Op::Not, _) => {
                        tasks.push(Task::Leave(term, is_positive));
                        tasks.push(Task::Enter(store.args(term)[0], !is_positive));
                    }
                    (Op::Exists, true) | (Op::Forall, false) => {
                        let body = opened(store, term, used, &mut inputs);
                        tasks.push(Task::Same(term, body, is_positive));
                        tasks.push(Task::Enter(body, is_positive));
                    }
                    _ => return Err(stays(store, term, span)),
                }
            }
            Task::Leave(term, is_positive) => {
                let inner = is_positive != (store.op(term) == Op::Not);
                let args: Vec<TermId> =
                    store.args(term).iter().map(|&arg| done[&(arg, inner)]).collect();
                let result = store.rebuild(term, &args);
                done.insert((term, is_positive), result);
            }
            Task::Same(term, body, is_positive) => {
                let result = done[&(body, is_positive)];
                done.insert((term, is_positive), result);
            }
        }
    }
    Ok((done[&(formula, true)], inputs))
}

/// The body of a quantified formula, over new inputs.
fn opened(
    store: &mut Store,
    quantified: TermId,
    used: &mut BTreeSet<TermId>,
    inputs: &mut Vec<TermId>,
) -> TermId {
    let bound = store.bound_vars(quantified).to_vec();
    let args = store.args(quantified);
    let body = args[args.len() - 1];
    let (mut from, mut to) = (Vec::new(), Vec::new());
    for var in bound {
        let mut input = var;
        if !used.insert(var) {
            let name = store.var_name(var).unwrap_or("input").to_owned();
            input = store.fresh_var(&name, store.sort(var));
            used.insert(input);
            from.push(var);
            to.push(input);
        }
        inputs.push(input);
    }
    if from.is_empty() { body } else { store.rename(body, &from, &to) }
}

fn stays(store: &Store, term: TermId, span: Span) -> Box<Diagnostic> {
    let message = match store.op(term) {
        Op::Forall => "a relation says that something holds for all values of a variable",
        Op::Exists => "a relation says that something holds for no value of a variable",
        _ => "a quantifier stands below an operator other than and, or, not",
    };
    let diagnostic = Diagnostic::unsupported(Code::ItsQuantifier, span, message);
    Box::new(diagnostic.hint("only exists that stands positively below and, or can be an input"))
}
