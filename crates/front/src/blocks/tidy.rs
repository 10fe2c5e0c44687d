//! Blocks without those that say nothing.
//!
//! Jumps go past blocks without steps, a block that only one other goes to becomes a part of that, and what
//! cannot be reached is dropped. The order of the others, and the first, stay.

use alphorn_program::form::{Block, BlockId, Jump, Proc};

/// Makes a procedure smaller without changing its runs.
pub(crate) fn tidy(proc: &mut Proc) {
    if proc.blocks.is_empty() {
        return;
    }
    let targets = resolved(&proc.blocks);
    for block in &mut proc.blocks {
        for target in jump_targets(&mut block.jump) {
            *target = targets[target.0 as usize];
        }
    }
    merge(&mut proc.blocks);
    drop_unreachable(&mut proc.blocks);
}

/// Where jumps to the blocks really go.
fn resolved(blocks: &[Block]) -> Vec<BlockId> {
    let mut ends: Vec<Option<BlockId>> = vec![None; blocks.len()];
    let mut is_passed = vec![false; blocks.len()];
    for start in 0..blocks.len() {
        let mut path = Vec::new();
        let mut at = start;
        let end = loop {
            if let Some(end) = ends[at] {
                break end;
            }
            // A circle of blocks without steps is entered anywhere.
            if std::mem::replace(&mut is_passed[at], true) {
                break BlockId(at as u32);
            }
            path.push(at);
            match blocks[at].jump {
                Jump::Goto(next) if blocks[at].steps.is_empty() => at = next.0 as usize,
                _ => break BlockId(at as u32),
            }
        };
        for passed in path {
            ends[passed] = Some(end);
        }
    }
    ends.into_iter().map(|end| end.expect("every block was walked from")).collect()
}

/// The targets of a jump.
fn jump_targets(jump: &mut Jump) -> Vec<&mut BlockId> {
    match jump {
        Jump::Goto(target) => vec![target],
        Jump::Branch(_, then, otherwise) => vec![then, otherwise],
        Jump::Choose(targets) => targets.iter_mut().collect(),
        Jump::Return => Vec::new(),
    }
}

/// How many jumps of reachable blocks go to each; the first block is gone to from outside, too.
fn counts(blocks: &mut [Block]) -> Vec<usize> {
    let mut counts = vec![0; blocks.len()];
    counts[0] = 1;
    let mut stack = vec![0];
    while let Some(at) = stack.pop() {
        for target in jump_targets(&mut blocks[at].jump) {
            let index = target.0 as usize;
            counts[index] += 1;
            if counts[index] == 1 {
                stack.push(index);
            }
        }
    }
    counts
}

fn merge(blocks: &mut [Block]) {
    let counts = counts(blocks);
    for at in 0..blocks.len() {
        if counts[at] == 0 {
            continue;
        }
        while let Jump::Goto(next) = blocks[at].jump {
            let next = next.0 as usize;
            if next == at || next == 0 || counts[next] != 1 {
                break;
            }
            let steps = std::mem::take(&mut blocks[next].steps);
            let jump = std::mem::replace(&mut blocks[next].jump, Jump::Choose(Vec::new()));
            if blocks[at].steps.is_empty() && blocks[at].label.is_none() {
                blocks[at].label = blocks[next].label.take();
            }
            blocks[at].steps.extend(steps);
            blocks[at].jump = jump;
        }
    }
}

fn drop_unreachable(blocks: &mut Vec<Block>) {
    let counts = counts(blocks);
    let mut numbers = vec![BlockId(0); blocks.len()];
    let mut next = 0;
    for (number, count) in numbers.iter_mut().zip(&counts) {
        if *count > 0 {
            *number = BlockId(next);
            next += 1;
        }
    }
    for block in blocks.iter_mut() {
        for target in jump_targets(&mut block.jump) {
            *target = numbers[target.0 as usize];
        }
    }
    let mut reached = counts.into_iter().map(|count| count > 0);
    blocks.retain(|_| reached.next().unwrap_or(false));
}
