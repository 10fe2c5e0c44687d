//! The graph of a procedure's blocks: where runs come by again, and which variables matter where.
//!
//! A *cut* is the first block, or the target of a jump back. Every run from one cut passes finitely many
//! blocks before the next. A variable is live at a block if its value there may be read before it is
//! given another.
//!
//! Source: Aho, Lam, Sethi, Ullman, Compilers, §9.2, §9.6.

use super::calls::{Calls, by_term, mentioned, reads, writes};
use crate::form::{Action, BlockId, Jump, ProcId, Program, VarId};
use std::collections::BTreeSet;

/// What is known about a procedure's blocks, by their positions.
pub struct Flow {
    /// Whether a jump back goes there.
    pub is_cut: Vec<bool>,
    /// The blocks that runs reach, each after all that jump there without being a jump back.
    pub order: Vec<BlockId>,
    /// The variables that are live where a block begins.
    pub live: Vec<BTreeSet<VarId>>,
}

/// Where a jump may go.
pub fn targets(jump: &Jump) -> Vec<BlockId> {
    match jump {
        Jump::Goto(target) => vec![*target],
        Jump::Branch(_, yes, no) => vec![*yes, *no],
        Jump::Choose(targets) => targets.clone(),
        Jump::Return => Vec::new(),
    }
}

impl Flow {
    /// Looks at a procedure; `at_return` is live where it returns.
    pub fn of(program: &Program, calls: &Calls, proc: ProcId, at_return: &BTreeSet<VarId>) -> Flow {
        let blocks = &program.proc(proc).blocks;
        let mut flow = Flow {
            is_cut: vec![false; blocks.len()],
            order: Vec::new(),
            live: vec![BTreeSet::new(); blocks.len()],
        };
        flow.walk(program, proc);
        flow.find_live(program, calls, proc, at_return);
        flow
    }

    /// Finds the jumps back and the order, depth first.
    fn walk(&mut self, program: &Program, proc: ProcId) {
        let blocks = &program.proc(proc).blocks;
        let (mut is_open, mut is_seen) = (vec![false; blocks.len()], vec![false; blocks.len()]);
        let mut stack: Vec<(usize, Vec<BlockId>)> = Vec::new();
        if let Some(first) = blocks.first() {
            stack.push((0, targets(&first.jump)));
            (is_open[0], is_seen[0]) = (true, true);
        }
        while let Some((at, next)) = stack.last_mut() {
            match next.pop() {
                Some(target) => {
                    let target = target.0 as usize;
                    self.is_cut[target] |= is_open[target];
                    if !std::mem::replace(&mut is_seen[target], true) {
                        is_open[target] = true;
                        stack.push((target, targets(&blocks[target].jump)));
                    }
                }
                None => {
                    is_open[*at] = false;
                    self.order.push(BlockId(*at as u32));
                    stack.pop();
                }
            }
        }
        self.order.reverse();
    }

    /// Cuts at these blocks and nowhere else, where every circle has one.
    pub fn cut_at(&mut self, program: &Program, proc: ProcId, cuts: &BTreeSet<usize>) {
        let blocks = &program.proc(proc).blocks;
        let next = |at: usize| -> Vec<BlockId> {
            let all = targets(&blocks[at].jump).into_iter();
            all.filter(|to| !cuts.contains(&(to.0 as usize))).collect()
        };
        (0..blocks.len()).for_each(|at| self.is_cut[at] = cuts.contains(&at));
        self.order.clear();
        let mut is_seen = vec![false; blocks.len()];
        for &cut in cuts {
            let mut stack = vec![(cut, next(cut))];
            while let Some((at, to)) = stack.last_mut() {
                match to.pop() {
                    Some(BlockId(to)) => {
                        let to = to as usize;
                        if !std::mem::replace(&mut is_seen[to], true) {
                            stack.push((to, next(to)));
                        }
                    }
                    None => {
                        self.order.push(BlockId(*at as u32));
                        stack.pop();
                    }
                }
            }
        }
        self.order.reverse();
    }

    /// Finds the live variables, from the ends backwards until nothing changes.
    fn find_live(
        &mut self,
        program: &Program,
        calls: &Calls,
        proc: ProcId,
        at_return: &BTreeSet<VarId>,
    ) {
        let of = by_term(program);
        let blocks = &program.proc(proc).blocks;
        let globals: BTreeSet<VarId> = program.globals.iter().copied().collect();
        // What a block reads before writing it, and what it writes for sure.
        let mut needs: Vec<(BTreeSet<VarId>, BTreeSet<VarId>)> = Vec::new();
        for block in blocks {
            let (mut read, mut written) = (BTreeSet::new(), BTreeSet::new());
            let mut see = |vars: BTreeSet<VarId>, written: &BTreeSet<VarId>| {
                read.extend(vars.difference(written).copied());
            };
            for step in &block.steps {
                see(mentioned(&program.terms, &of, &reads(&step.action)), &written);
                if let Action::Call { proc, .. } = &step.action {
                    let mentions = &calls.mentions[proc.0 as usize];
                    see(mentions.intersection(&globals).copied().collect(), &written);
                }
                written.extend(writes(&step.action));
            }
            if let Jump::Branch(formula, ..) = &block.jump {
                see(mentioned(&program.terms, &of, &[*formula]), &written);
            }
            needs.push((read, written));
        }
        let mut changed = true;
        while changed {
            changed = false;
            for &BlockId(at) in self.order.iter().rev() {
                let at = at as usize;
                let mut after = BTreeSet::new();
                if matches!(blocks[at].jump, Jump::Return) {
                    after.extend(at_return.iter().copied());
                }
                for target in targets(&blocks[at].jump) {
                    after.extend(self.live[target.0 as usize].iter().copied());
                }
                let (read, written) = &needs[at];
                let mut before: BTreeSet<VarId> = after.difference(written).copied().collect();
                before.extend(read.iter().copied());
                if before.len() != self.live[at].len() {
                    self.live[at] = before;
                    changed = true;
                }
            }
        }
    }

    /// How many ways lead from a block to cuts or ends, as far as they are at most `most`.
    pub fn count_paths(
        &self,
        program: &Program,
        proc: ProcId,
        from: BlockId,
        most: usize,
    ) -> usize {
        let blocks = &program.proc(proc).blocks;
        let mut counts = vec![0usize; blocks.len()];
        for &BlockId(at) in self.order.iter().rev() {
            let at = at as usize;
            let next = targets(&blocks[at].jump);
            let sum = next.iter().fold(0usize, |sum, target| {
                let target = target.0 as usize;
                sum.saturating_add(if self.is_cut[target] { 1 } else { counts[target] })
            });
            counts[at] = sum.max(1).min(most.saturating_add(1));
        }
        counts[from.0 as usize]
    }
}
