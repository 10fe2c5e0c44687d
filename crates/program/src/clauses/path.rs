//! A clause for every path.
//!
//! Paths are walked depth first. The checks of a stretch without branches become one query: the first
//! fails, or it holds and so does what follows up to the second, which fails, and so on.

use super::state::State;
use super::story::{Event, What};
use super::{Maker, Plan};
use crate::form::{Action, BlockId, Jump, ProcId};
use alphorn_problem::Span;
use alphorn_problem::horn::Head;
use alphorn_term::TermId;

/// A path so far.
#[derive(Clone)]
struct Path {
    state: State,
    /// Where, among what holds, checks stand that no query has yet.
    checks: Vec<usize>,
    /// For every event, how much held when it happened.
    times: Vec<usize>,
    span: Span,
}

impl Maker<'_> {
    /// Makes clauses for all paths from a block.
    pub(super) fn by_paths(&mut self, proc: ProcId, plan: &Plan, block: BlockId, begin: State) {
        let path = Path { state: begin, checks: Vec::new(), times: Vec::new(), span: Span::NONE };
        let mut todo = vec![(block, path)];
        while let Some((block, mut path)) = todo.pop() {
            if !self.along(proc, plan, block, &mut path) {
                self.query(&mut path);
                continue;
            }
            let span = path.span;
            let jump = self.program.proc(proc).blocks[block.0 as usize].jump.clone();
            let mut next: Vec<(BlockId, Path)> = Vec::new();
            match jump {
                Jump::Goto(target) => next.push((target, path)),
                Jump::Return => {
                    self.query(&mut path);
                    self.reach_return(plan, &path.state, span);
                }
                Jump::Choose(targets) => {
                    self.query(&mut path);
                    next.extend(targets.into_iter().map(|target| (target, path.clone())));
                }
                Jump::Branch(formula, yes, no) => {
                    let formula = self.said(&path.state, &[formula])[0];
                    if yes == no {
                        next.push((yes, path));
                    } else {
                        self.query(&mut path);
                        let mut other = path.clone();
                        let negated = self.horn.terms.not(formula);
                        if self.demand(&mut path, formula) {
                            next.push((yes, path));
                        }
                        if self.demand(&mut other, negated) {
                            next.push((no, other));
                        }
                    }
                }
            }
            for (target, mut path) in next.into_iter().rev() {
                if plan.flow.is_cut[target.0 as usize] {
                    self.query(&mut path);
                    self.reach_head(plan, &path.state, target, span);
                } else {
                    todo.push((target, path));
                }
            }
        }
    }

    /// Does the steps of a block; whether the path goes on.
    fn along(&mut self, proc: ProcId, plan: &Plan, block: BlockId, path: &mut Path) -> bool {
        let program = self.program;
        self.pass_mark(plan, &path.state, block, path.span);
        let block = &program.proc(proc).blocks[block.0 as usize];
        path.span = block.span;
        for step in &block.steps {
            path.span = step.span;
            let demanded = match &step.action {
                Action::Check(check) => {
                    let formula = self.said(&path.state, &[check.formula])[0];
                    if formula != self.horn.terms.bool(true) {
                        path.checks.push(path.state.holds.len());
                    }
                    Some(formula)
                }
                Action::Call { proc, args, results } => {
                    // The context is what holds before; checks so far are among it.
                    let mut before = path.state.clone();
                    let (context, atom) = self.call(&mut path.state, *proc, args, results);
                    if let Some((context, given)) = context {
                        before.events = path.state.events.clone();
                        self.clause(&before, &[], Head::Atom(context, given), step.span);
                    }
                    path.state.events.push(Event { guard: None, what: What::Call(atom) });
                    Some(atom)
                }
                action => self.step(&mut path.state, action),
            };
            path.times.resize(path.state.events.len(), path.state.holds.len());
            if let Some(formula) = demanded
                && !self.demand(path, formula)
            {
                return false;
            }
        }
        true
    }

    /// Goes on only where a formula holds; whether that may be.
    fn demand(&mut self, path: &mut Path, formula: TermId) -> bool {
        if formula != self.horn.terms.bool(true) {
            path.state.holds.push(formula);
        }
        formula != self.horn.terms.bool(false)
    }

    /// The query that one of the checks since the last query fails.
    fn query(&mut self, path: &mut Path) {
        let checks = std::mem::take(&mut path.checks);
        let Some(&first) = checks.first() else { return };
        let holds = &path.state.holds;
        let mut fails: Option<TermId> = None;
        let mut end = holds.len();
        for &at in checks.iter().rev() {
            let failed = self.horn.terms.not(holds[at]);
            fails = Some(match fails {
                None => failed,
                Some(later) => {
                    let mut parts = holds[at..end].to_vec();
                    parts.push(later);
                    let later = self.horn.terms.and(&parts);
                    self.horn.terms.or(&[failed, later])
                }
            });
            end = at;
        }
        let fails = fails.expect("there is a check");
        let mut state = path.state.clone();
        state.holds.truncate(first);
        // What comes after a check happens only if it holds.
        for (event, &time) in state.events.iter_mut().zip(&path.times) {
            let passed: Vec<TermId> =
                checks.iter().filter(|&&at| at < time).map(|&at| path.state.holds[at]).collect();
            if !passed.is_empty() {
                event.guard = Some(self.horn.terms.and(&passed));
            }
        }
        self.clause(&state, &[fails], Head::False, path.span);
    }
}
