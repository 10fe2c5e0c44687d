//! Threads woven into one procedure: the product of their places.
//!
//! A block of the result is where all threads rest, with the choice of who runs next, or where one of them is on the
//! way from one rest to the next. Runs are the interleavings of the threads' segments, in which each shared access is
//! a segment of its own (`thread`); those that lead nowhere else than others are left out (`reduce`). A thread that
//! is created gets its arguments, and any values for its other variables; how many threads one place creates is limited,
//! and one more is a failed check of what the form does not follow. Where an access is made while another thread
//! is about to use the same place, a check says that they are not the same or nobody writes, if somebody asks.
//!
//! Invariant: a check of the woven program fails in some run exactly if one does in some interleaving; with the
//! limits on threads, at least then.
//!
//! Source: \[GPR11\] for threads as Horn clauses; `reduce` for what is left out.

pub(crate) mod movers;
mod product;
pub(crate) mod race;
mod reduce;
pub(crate) mod thread;

use crate::c::lower::Untreated;
use crate::form::{Action, Program, ThreadOp, VarId};
use alphorn_term::{Int, Op, Store, TermId};
use product::Product;
use std::collections::BTreeMap;
use thread::{Thread, vars_by_term};

/// Where each thread rests.
type Places = Vec<u32>;
/// A thread that is not created yet.
const NOT_YET: u32 = u32::MAX;
/// A thread that has ended.
const DONE: u32 = u32::MAX - 1;

/// A program without threads.
pub struct Woven {
    /// The program.
    pub program: Program,
    /// Its variables that are copies, for other threads; they come last.
    pub copies: Vec<VarId>,
}

/// Weaves the threads of a program into one procedure.
pub fn weave(mut program: Program) -> Result<Woven, Vec<Untreated>> {
    let first = program.vars.len() as u32;
    let threads = thread::threads(&mut program)?;
    let joins = joined(&program, &threads);
    let woven = Product::of(&mut program, &threads, joins)?;
    let entry = program.entry.expect("there are threads");
    // Nothing is called any more, and what bodies that took the place of calls have belongs to the entry.
    for (at, proc) in program.procs.iter_mut().enumerate() {
        proc.blocks.clear();
        if at != entry.0 as usize {
            for vars in [&mut proc.inputs, &mut proc.outputs, &mut proc.locals] {
                vars.clear();
            }
        }
    }
    let main = &mut program.procs[entry.0 as usize];
    main.blocks = woven;
    let own: std::collections::BTreeSet<VarId> = main.variables().collect();
    let all = threads.iter().flat_map(|thread| thread.inputs.iter().chain(&thread.others));
    let new: std::collections::BTreeSet<VarId> =
        all.copied().filter(|var| !own.contains(var)).collect();
    main.locals.extend(new);
    let copies = (first..program.vars.len() as u32).map(VarId).collect();
    Ok(Woven { program, copies })
}

/// The thread that each node joins, if the handle comes from one place that creates one thread. A handle that nothing
/// was put into is no thread, and joining it has no meaning.
pub(crate) fn joined(program: &Program, threads: &[Thread]) -> Vec<Vec<Option<usize>>> {
    let of = vars_by_term(program);
    // What each variable gets: other variables, threads, or something else.
    let mut sources: BTreeMap<VarId, Vec<Source>> = BTreeMap::new();
    for thread in threads {
        for (at, node) in thread.nodes.iter().enumerate() {
            if let Some(ThreadOp::Create { handle, .. }) = node.op {
                let created = thread.creates.get(&at).map_or(&[][..], |all| all);
                let source = match created {
                    [one] => Source::Thread(*one),
                    _ => Source::Other,
                };
                sources.entry(handle).or_default().push(source);
            }
            for (step, _) in &node.steps {
                match &step.action {
                    Action::Assign(pairs) => {
                        for (var, value) in pairs {
                            // No thread has the number zero.
                            if is_zero(&program.terms, *value) {
                                continue;
                            }
                            let source = match (program.terms.op(*value), of.get(value)) {
                                (Op::Var(_), Some(from)) => Source::Var(*from),
                                _ => Source::Other,
                            };
                            sources.entry(*var).or_default().push(source);
                        }
                    }
                    Action::Relate(pairs, _) => {
                        for (var, _) in pairs {
                            sources.entry(*var).or_default().push(Source::Other);
                        }
                    }
                    _ => {}
                }
            }
        }
    }
    let resolve = |term: TermId| {
        let mut var = *of.get(&term)?;
        for _ in 0..8 {
            match sources.get(&var).map(Vec::as_slice) {
                Some([Source::Thread(thread)]) => return Some(*thread),
                Some([Source::Var(from)]) => var = *from,
                _ => return None,
            }
        }
        None
    };
    let of_node = |node: &thread::Node| match node.op {
        Some(ThreadOp::Join(term)) => resolve(term),
        _ => None,
    };
    threads.iter().map(|thread| thread.nodes.iter().map(of_node).collect()).collect()
}

/// Where the value of a variable comes from.
#[derive(Clone, Copy)]
enum Source {
    Var(VarId),
    Thread(usize),
    Other,
}

/// Whether a term is the number zero.
fn is_zero(store: &Store, term: TermId) -> bool {
    let is_int = store.int_value(term).is_some_and(|value| *value == Int::ZERO);
    is_int || store.bv_value(term).is_some_and(|value| value.to_unsigned() == Int::ZERO)
}
