//! Invariants that fail after more rounds than anybody can run.
//!
//! A run that breaks an invariant is replayed on the program, step by step, and some would take years. Its clauses
//! may derive the same with all rounds of a loop in one step, which the checker of derivations takes (`steady-bmc`). That
//! counts where clauses and program say the same of every run: the program has numbers alone and calls nothing that is
//! not known, and no operation of it is undefined for some of them.

use super::Request;
use super::instrument::Instrumented;
use crate::config::{Config, Limits};
use crate::evidence::AnyEvidence;
use crate::open::Opened;
use crate::run::decide;
use crate::source::Lines;
use alphorn_check::Refusal;
use alphorn_cross::c_horn::c_to_horn;
use alphorn_horn::transform::head_args;
use alphorn_problem::{Horn, Verdict};
use alphorn_program::c::evidence::Numbers;
use alphorn_program::c::lower::Assumption;
use alphorn_program::c::property::Task;
use alphorn_term::{Op, Sort};
use std::sync::Arc;

/// The engine that looks for such derivations, and the ticks it has.
const ENGINE: &str = "steady-bmc";
const TICKS: u64 = 2_000_000;
/// Derivations of so many steps are left to runs.
const MAX_RUN: usize = 1 << 17;

/// Why invariants in a program are refused, if its clauses derive that one does not hold.
pub(super) fn derived(
    opened: &Opened,
    instrumented: &Instrumented,
    task: &Task,
    request: &Request,
) -> Option<Refusal> {
    let seen = c_to_horn(task, Numbers::Integers).ok()?;
    let is_exact =
        |one: &Assumption| matches!(one, Assumption::DataModel(_) | Assumption::SignedWraps);
    if !seen.lowered.assumptions.iter().all(is_exact) || !is_total(&seen.clauses.horn) {
        return None;
    }
    let horn = Arc::new(seen.clauses.horn.clone());
    let clauses = Opened::of_horn(&opened.file, Arc::clone(&horn), Arc::clone(&opened.bytes));
    let limits = Limits { ticks: TICKS, ..Limits::default() };
    let config = Config { limits, engines: vec![ENGINE.to_owned()], ..Config::default() };
    let decided = decide(&clauses, &config, &request.stopper, &mut |_| {}, &mut |_| {});
    let evidence = decided.ok()?.pop()?.evidence?;
    let AnyEvidence::Horn(checked) = &evidence else { return None };
    let Verdict::Unsafe(derivation) = checked.verdict() else { return None };
    // What takes few steps is better shown by a run.
    if derivation.expanded(&horn, MAX_RUN).is_some() {
        return None;
    }
    let query = horn.clause(derivation.steps.last()?.clause);
    let (index, at) = instrumented.invariant_at(query.span.start)?;
    let (line, column) = Lines::of(&opened.bytes).place(at);
    let how = evidence.summary(&clauses).detail;
    let why = format!("it is derived from the program that invariant {index} fails, {how}");
    Some(Refusal::new(format!("line {line}, column {column}"), why))
}

/// Whether all that clauses speak of is numbers, and all operations have a value for all of them.
fn is_total(horn: &Horn) -> bool {
    let bodies = horn.clauses.iter().map(|clause| clause.body);
    let heads = horn.clauses.iter().flat_map(|clause| head_args(clause).to_vec());
    let roots: Vec<_> = bodies.chain(heads).collect();
    let is_plain = |term| {
        let is_number = matches!(horn.terms.sort_of(horn.terms.sort(term)), Sort::Bool | Sort::Int);
        let is_partial = match horn.terms.op(term) {
            Op::IntDiv | Op::Mod => {
                horn.terms.int_value(horn.terms.args(term)[1]).is_none_or(|by| !by.is_positive())
            }
            _ => false,
        };
        is_number && !is_partial
    };
    horn.terms.subterms(&roots).into_iter().all(is_plain)
}
