//! Bodies in place of calls, where that is small.
//!
//! A procedure that is not recursive is active once at a time, so its variables can stand for those of
//! every call, and only its blocks are copied. A call becomes: the locals and outputs have any values, the
//! inputs the arguments; the blocks; the results get the outputs. Clauses of a program without calls are
//! linear, which most engines like best.
//!
//! Invariant: runs of the result are those of the program, step for step.

use super::calls::Calls;
use crate::form::{Action, Block, BlockId, Jump, Proc, ProcId, Program, Step, VarId};
use alphorn_term::TermId;

/// The largest procedure, in steps with those of its calls, that takes the place of each of several calls.
const MAX_COPIED: usize = 400;
/// The largest procedure that bodies are put into.
const MAX_STEPS: usize = 20_000;
/// The largest procedure that has no calls left.
const MAX_WHOLE: usize = 200_000;

/// The program with bodies in place of calls; procedures that nobody calls any more have no blocks.
pub fn inline(program: &Program) -> Program {
    let calls = Calls::of(program);
    let mut result = program.clone();
    let mut sizes = vec![0; program.procs.len()];
    let mut inlined = vec![false; program.procs.len()];
    for proc in bottom_up(&calls) {
        let index = proc.0 as usize;
        expand(&mut result, proc, &inlined, &sizes, MAX_STEPS);
        sizes[index] = size(&result.procs[index]);
        let count = calls.callees.iter().flatten().filter(|callee| **callee == proc).count();
        inlined[index] = !calls.is_recursive[index]
            && program.entry != Some(proc)
            && sizes[index] <= MAX_STEPS / 2
            && (count == 1 || sizes[index] <= MAX_COPIED);
    }
    drop_unused(&mut result);
    result
}

/// The entry with bodies in place of all calls; or the procedure that this is not possible for, and why.
pub fn inline_whole(program: &Program, entry: ProcId) -> Result<Program, (ProcId, &'static str)> {
    let calls = Calls::of(program);
    let mut result = program.clone();
    let mut used = vec![false; program.procs.len()];
    let mut todo = vec![entry];
    while let Some(proc) = todo.pop() {
        let index = proc.0 as usize;
        if std::mem::replace(&mut used[index], true) {
            continue;
        }
        if calls.is_recursive[index] {
            return Err((proc, "may call itself"));
        }
        if program.proc(proc).blocks.is_empty() {
            return Err((proc, "has no body"));
        }
        todo.extend(&calls.callees[index]);
    }
    let mut sizes = vec![0; program.procs.len()];
    for proc in bottom_up(&calls) {
        let index = proc.0 as usize;
        if !used[index] {
            continue;
        }
        expand(&mut result, proc, &used, &sizes, MAX_WHOLE);
        sizes[index] = size(&result.procs[index]);
        let is_call = |step: &Step| matches!(step.action, Action::Call { .. });
        if result.proc(proc).blocks.iter().any(|block| block.steps.iter().any(is_call)) {
            return Err((proc, "is too large with the bodies of all that it calls"));
        }
    }
    Ok(result)
}

/// The program with bodies in place of all calls but those of the procedures that are `kept`.
pub fn inline_all_but(program: &Program, kept: &[bool]) -> Program {
    let mut result = program.clone();
    let has_body = program.procs.iter().map(|proc| !proc.blocks.is_empty());
    let inlined: Vec<bool> = has_body.zip(kept).map(|(body, kept)| body && !kept).collect();
    let mut sizes = vec![0; program.procs.len()];
    for proc in bottom_up(&Calls::of(program)) {
        expand(&mut result, proc, &inlined, &sizes, MAX_WHOLE);
        sizes[proc.0 as usize] = size(&result.procs[proc.0 as usize]);
    }
    result
}

/// Procedures, those that are called before those that call them; callers in a circle in any order.
fn bottom_up(calls: &Calls) -> Vec<ProcId> {
    let count = calls.callees.len();
    let (mut order, mut seen) = (Vec::new(), vec![false; count]);
    for root in 0..count {
        let mut stack = vec![(root, 0)];
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        while let Some((at, next)) = stack.pop() {
            match calls.callees[at].get(next) {
                Some(callee) => {
                    stack.push((at, next + 1));
                    let callee = callee.0 as usize;
                    if !std::mem::replace(&mut seen[callee], true) {
                        stack.push((callee, 0));
                    }
                }
                None => order.push(ProcId(at as u32)),
            }
        }
    }
    order
}

fn size(proc: &Proc) -> usize {
    proc.blocks.iter().map(|block| block.steps.len() + 1).sum()
}

/// Puts the bodies of those that are marked in place of their calls in one procedure.
fn expand(
    program: &mut Program,
    proc: ProcId,
    inlined: &[bool],
    sizes: &[usize],
    max_steps: usize,
) {
    let mut blocks = std::mem::take(&mut program.procs[proc.0 as usize].blocks);
    let mut taken: Vec<VarId> = Vec::new();
    let mut total: usize = blocks.iter().map(|block| block.steps.len() + 1).sum();
    let mut at = 0;
    while at < blocks.len() {
        let is_taken = |step: &Step| match &step.action {
            Action::Call { proc, .. } => {
                inlined[proc.0 as usize] && total + sizes[proc.0 as usize] <= max_steps
            }
            _ => false,
        };
        let Some(position) = blocks[at].steps.iter().position(is_taken) else {
            at += 1;
            continue;
        };
        let rest = blocks[at].steps.split_off(position + 1);
        let call = blocks[at].steps.pop().expect("the call stands there");
        let Action::Call { proc: callee, args, results } = call.action else {
            unreachable!("only calls are taken")
        };
        total += sizes[callee.0 as usize];
        let callee = program.procs[callee.0 as usize].clone();
        let after = BlockId(blocks.len() as u32);
        let first = blocks.len() as u32 + 1;
        let outputs = results.iter().zip(&callee.outputs);
        let copies: Vec<(VarId, TermId)> =
            outputs.map(|(&var, &output)| (var, program.term(output))).collect();
        let mut steps = vec![Step { action: Action::Assign(copies), span: call.span }];
        steps.extend(rest);
        let jump = std::mem::replace(&mut blocks[at].jump, Jump::Goto(BlockId(first)));
        blocks.push(Block { label: None, span: call.span, steps, jump });
        enter(&mut blocks[at], &callee, args, call.span);
        blocks.extend(callee.blocks.iter().map(|block| moved(block, first, after)));
        taken.extend(callee.inputs.iter().chain(&callee.outputs).chain(&callee.locals));
    }
    let target = &mut program.procs[proc.0 as usize];
    target.blocks = blocks;
    taken.sort();
    taken.dedup();
    target.locals.extend(taken);
}

/// The values that the variables of a called procedure have at first.
fn enter(block: &mut Block, callee: &Proc, args: Vec<TermId>, span: alphorn_problem::Span) {
    let inputs = callee.inputs.iter().copied().zip(args).collect();
    let others: Vec<VarId> = callee.outputs.iter().chain(&callee.locals).copied().collect();
    block.steps.push(Step { action: Action::Assign(inputs), span });
    if !others.is_empty() {
        block.steps.push(Step { action: Action::Havoc(others), span });
    }
}

/// A block of a called procedure among those of the caller.
fn moved(block: &Block, first: u32, after: BlockId) -> Block {
    let to = |target: &BlockId| BlockId(target.0 + first);
    let jump = match &block.jump {
        Jump::Goto(target) => Jump::Goto(to(target)),
        Jump::Branch(formula, yes, no) => Jump::Branch(*formula, to(yes), to(no)),
        Jump::Choose(targets) => Jump::Choose(targets.iter().map(to).collect()),
        Jump::Return => Jump::Goto(after),
    };
    Block { jump, ..block.clone() }
}

/// Empties procedures that are not called.
fn drop_unused(program: &mut Program) {
    let calls = Calls::of(program);
    let mut used = vec![false; program.procs.len()];
    let mut todo: Vec<usize> = program.entry.iter().map(|proc| proc.0 as usize).collect();
    while let Some(at) = todo.pop() {
        if !std::mem::replace(&mut used[at], true) {
            todo.extend(calls.callees[at].iter().map(|proc| proc.0 as usize));
        }
    }
    for (proc, used) in program.procs.iter_mut().zip(used) {
        if !used {
            proc.blocks.clear();
        }
    }
}
