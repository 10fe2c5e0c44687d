//! Recursive procedures without a stack, for questions about runs that never end.
//!
//! A run that never ends either stays in an activation of a procedure for ever, or enters one more again and
//! again. Whether a call comes back is therefore chosen: if it does, the step over it gives its results, and the
//! global variables that it may change, any values; if it does not, the caller's variables do not matter any more,
//! and one copy of the procedure's blocks is enough for all its activations. Where such a copy returns the run
//! ends: it was chosen not to.
//!
//! Invariant: if the program has a run that never ends, so has the result, which has no calls of recursive
//! procedures. The other way round is not so, since what a call comes back with is any value.

use crate::clauses::calls::Calls;
use crate::clauses::inline::inline_all_but;
use crate::form::{Action, Block, BlockId, Jump, ProcId, Program, Step, VarId};
use alphorn_problem::Span;
use std::collections::{BTreeMap, BTreeSet};

/// The program with recursion taken apart, if a procedure that the entry comes to call may call itself.
pub(crate) fn unstacked(program: &Program, entry: ProcId) -> Option<Program> {
    let calls = Calls::of(program);
    let mut reached = BTreeSet::new();
    let mut todo = vec![entry];
    while let Some(proc) = todo.pop() {
        if reached.insert(proc) {
            todo.extend(&calls.callees[proc.0 as usize]);
        }
    }
    let is_recursive = |proc: &ProcId| calls.is_recursive[proc.0 as usize];
    let recursive: Vec<ProcId> = reached.into_iter().filter(is_recursive).collect();
    if recursive.is_empty() {
        return None;
    }
    let mut result = inline_all_but(program, &calls.is_recursive);
    let mut blocks = std::mem::take(&mut result.procs[entry.0 as usize].blocks);
    let mut first = BTreeMap::from([(entry, BlockId(0))]);
    let mut taken: BTreeSet<VarId> = BTreeSet::new();
    for &proc in recursive.iter().filter(|proc| **proc != entry) {
        let begin = blocks.len() as u32;
        first.insert(proc, BlockId(begin));
        let proc = std::mem::take(&mut result.procs[proc.0 as usize]);
        taken.extend(proc.variables());
        blocks.extend(proc.blocks.into_iter().map(|block| copied(block, begin)));
    }
    let mut at = 0;
    while at < blocks.len() {
        let is_call = |step: &Step| matches!(step.action, Action::Call { proc, .. } if first.contains_key(&proc));
        if let Some(position) = blocks[at].steps.iter().position(is_call) {
            either_way(program, &calls, &first, &mut blocks, at, position);
        }
        at += 1;
    }
    let target = &mut result.procs[entry.0 as usize];
    target.blocks = blocks;
    let own: BTreeSet<VarId> = target.variables().collect();
    target.locals.extend(taken.difference(&own));
    Some(result)
}

/// A block of a procedure among those of the entry.
fn copied(mut block: Block, first: u32) -> Block {
    let to = |target: &mut BlockId| target.0 += first;
    match &mut block.jump {
        Jump::Goto(target) => to(target),
        Jump::Branch(_, yes, no) => [yes, no].into_iter().for_each(to),
        Jump::Choose(targets) => targets.iter_mut().for_each(to),
        Jump::Return => block.jump = Jump::Choose(Vec::new()),
    }
    block
}

/// Lets a block end before its call, with the choice to step over it or to go into it.
fn either_way(
    program: &Program,
    calls: &Calls,
    first: &BTreeMap<ProcId, BlockId>,
    blocks: &mut Vec<Block>,
    at: usize,
    position: usize,
) {
    let rest = blocks[at].steps.split_off(position + 1);
    let call = blocks[at].steps.pop().expect("the call stands there");
    let Action::Call { proc, args, results } = call.action else {
        unreachable!("the position is that of a call")
    };
    let callee = program.proc(proc);
    let block = |steps, jump, span: Span| Block { label: None, span, steps, jump };
    let step = |action| Step { action, span: call.span };
    let inputs = callee.inputs.iter().copied().zip(args).collect();
    let others: Vec<VarId> = callee.outputs.iter().chain(&callee.locals).copied().collect();
    let into = vec![step(Action::Assign(inputs)), step(Action::Havoc(others))];
    let changed: BTreeSet<VarId> =
        results.into_iter().chain(calls.changes[proc.0 as usize].iter().copied()).collect();
    let mut over = vec![step(Action::Havoc(changed.into_iter().collect()))];
    over.extend(rest);
    let ways = [blocks.len() as u32, blocks.len() as u32 + 1].map(BlockId);
    let jump = std::mem::replace(&mut blocks[at].jump, Jump::Choose(ways.to_vec()));
    blocks.push(block(over, jump, call.span));
    blocks.push(block(into, Jump::Goto(first[&proc]), call.span));
}
