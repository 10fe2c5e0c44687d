//! The procedure that is being made: blocks, steps, jumps, and the conditions that terms are under.

use super::{Lower, Origin};
use crate::c::property::Property;
use crate::c::tree::{FuncId, LabelId, VarId};
use crate::form::{self, Action, Block, BlockId, Check, Jump, ProcId, Step, ThreadOp};
use alphorn_problem::Span;
use alphorn_term::{SortId, TermId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// What a check is called that fails where the program does what the form does not follow: its failing
/// shows that there is no proof, and nothing more.
pub const OUTSIDE: &str = "outside";

/// What is known about the procedure that is being made.
#[derive(Default)]
pub struct Body {
    /// Its id in the program; none between procedures.
    pub proc: Option<ProcId>,
    /// The function that it is made from.
    pub function: Option<FuncId>,
    /// The blocks so far; one without a jump yet ends the run.
    blocks: Vec<Block>,
    /// The block that steps go to; none where control cannot come.
    current: Option<BlockId>,
    /// Under which conditions what is evaluated is evaluated.
    guards: Vec<TermId>,
    /// Where `break` goes, and how many scopes are open there.
    pub breaks: Vec<(BlockId, usize)>,
    /// Where `continue` goes, likewise.
    pub continues: Vec<(BlockId, usize)>,
    /// Of the enclosing `switch`es, how many scopes are open and the blocks of the cases that were not met
    /// yet, the next one last.
    pub cases: Vec<(usize, Vec<BlockId>)>,
    /// The blocks of labels.
    pub labels: FxHashMap<LabelId, BlockId>,
    /// The variables in scope.
    pub scope: Vec<VarId>,
    /// Of the open blocks of the program, how many variables were in scope where they began.
    pub scope_starts: Vec<usize>,
    /// The blocks of the program that are open, by their places, with the variables in memory that live
    /// in them.
    pub scopes: Vec<(Span, Vec<VarId>)>,
    /// The objects that live until the function returns, by the places that make them; zero for none.
    pub allocated: Vec<(Span, form::VarId)>,
    /// For each label, the blocks of the program around it.
    pub label_scopes: FxHashMap<LabelId, Vec<(Span, Vec<VarId>)>>,
    /// The labels that are gone back to.
    pub labels_back: BTreeSet<LabelId>,
}

impl Body {
    /// Whether control can come to where steps go now.
    pub fn is_live(&self) -> bool {
        self.current.is_some()
    }

    /// The block that steps go to now.
    pub fn current(&self) -> Option<BlockId> {
        self.current
    }

    /// Steps go to this block again, or nowhere.
    pub fn resume(&mut self, block: Option<BlockId>) {
        self.current = block;
    }
}

impl Lower<'_> {
    /// Begins a procedure; steps go to its first block.
    pub fn begin(&mut self, proc: ProcId, function: Option<FuncId>) {
        self.body = Body { proc: Some(proc), function, ..Body::default() };
        let span = self.program.proc(proc).span;
        let first = self.new_block(None, span);
        self.enter(first);
    }

    /// Ends a procedure: what cannot be reached goes, and the rest is put into the program.
    pub fn end(&mut self) {
        let proc = self.body.proc.expect("a procedure is being made");
        let blocks = without_unreachable(std::mem::take(&mut self.body.blocks));
        self.program.procs[proc.0 as usize].blocks = blocks;
        self.body = Body::default();
    }

    /// A new block, to which nothing goes yet.
    pub fn new_block(&mut self, label: Option<&str>, span: Span) -> BlockId {
        let label = label.map(str::to_owned);
        let block = Block { label, span, steps: Vec::new(), jump: Jump::Choose(Vec::new()) };
        self.body.blocks.push(block);
        BlockId(u32::try_from(self.body.blocks.len() - 1).expect("fewer than 2^32 blocks"))
    }

    /// Steps go to this block from now on.
    pub fn enter(&mut self, block: BlockId) {
        self.body.current = Some(block);
    }

    /// Ends the current block.
    pub fn jump(&mut self, jump: Jump) {
        if let Some(current) = self.body.current.take() {
            self.body.blocks[current.0 as usize].jump = jump;
        }
    }

    /// Goes to a block.
    pub fn goto(&mut self, block: BlockId) {
        self.jump(Jump::Goto(block));
    }

    /// Goes to a block, and steps go there from now on.
    pub fn goto_and_enter(&mut self, block: BlockId) {
        self.goto(block);
        self.enter(block);
    }

    /// Goes to the first block if the formula holds, else to the second.
    pub fn branch(&mut self, condition: TermId, then: BlockId, otherwise: BlockId) {
        self.jump(match condition {
            TermId::TRUE => Jump::Goto(then),
            TermId::FALSE => Jump::Goto(otherwise),
            _ => Jump::Branch(condition, then, otherwise),
        });
    }

    /// Ends the run.
    pub fn stop(&mut self) {
        self.jump(Jump::Choose(Vec::new()));
    }

    /// Adds a step.
    pub fn emit(&mut self, action: Action, span: Span) {
        if let Some(current) = self.body.current {
            self.body.blocks[current.0 as usize].steps.push(Step { action, span });
        }
    }

    /// Assigns a value.
    pub fn assign(&mut self, var: form::VarId, term: TermId, span: Span) {
        if self.term(var) != term {
            self.emit(Action::Assign(vec![(var, term)]), span);
        }
    }

    /// What is evaluated is evaluated if this holds, until `unguard`.
    pub fn guard(&mut self, condition: TermId) {
        self.body.guards.push(condition);
    }

    /// Takes back the last guard.
    pub fn unguard(&mut self) {
        self.body.guards.pop();
    }

    /// That what is evaluated now is evaluated.
    pub fn guards(&mut self) -> TermId {
        let guards = self.body.guards.clone();
        self.program.terms.and(&guards)
    }

    /// Says what holds in any case.
    pub fn say(&mut self, formula: TermId, span: Span) {
        let formula = self.guarded(formula);
        if formula != TermId::TRUE {
            self.thread_step(ThreadOp::Known, span);
            self.emit(Action::Assume(formula), span);
        }
    }

    /// The formula where its place is evaluated, true elsewhere.
    fn guarded(&mut self, formula: TermId) -> TermId {
        let guard = self.guards();
        self.program.terms.implies(guard, formula)
    }

    /// Ends the run unless the formula holds.
    pub fn assume(&mut self, formula: TermId, span: Span) {
        let formula = self.guarded(formula);
        if formula != TermId::TRUE {
            self.emit(Action::Assume(formula), span);
        }
    }

    /// The formula must hold, if the property is asked; the run ends unless it does in any case.
    pub fn demand(&mut self, property: Property, formula: TermId, span: Span) {
        if self.asks(property) {
            self.check(property.name(), formula, span);
        } else {
            self.assume(formula, span);
        }
    }

    /// The formula must hold for the form to follow the program.
    pub fn follow(&mut self, formula: TermId, span: Span) {
        self.check(OUTSIDE, formula, span);
    }

    fn check(&mut self, property: &str, formula: TermId, span: Span) {
        let formula = self.guarded(formula);
        if formula != TermId::TRUE {
            let property = property.to_owned();
            self.emit(Action::Check(Check { property, formula }), span);
        }
    }

    /// A new variable of the procedure.
    pub fn new_local(
        &mut self,
        name: &str,
        sort: SortId,
        span: Span,
        origin: Origin,
    ) -> form::VarId {
        let var = self.new_var(name, sort, span, origin);
        let proc = self.body.proc.expect("a procedure is being made");
        self.program.procs[proc.0 as usize].locals.push(var);
        var
    }

    /// A new variable of the procedure that stands in no program.
    pub fn new_temporary(&mut self, name: &str, sort: SortId, span: Span) -> form::VarId {
        self.new_local(name, sort, span, Origin::Hidden)
    }
}

/// The blocks that can be reached from the first, numbered anew.
fn without_unreachable(mut blocks: Vec<Block>) -> Vec<Block> {
    let mut new: Vec<Option<BlockId>> = vec![None; blocks.len()];
    let (mut order, mut next) = (vec![0usize], 0);
    new[0] = Some(BlockId(0));
    while let Some(&at) = order.get(next) {
        next += 1;
        let mut targets = targets(&mut blocks[at].jump).into_iter().map(|to| to.0 as usize);
        let seen: Vec<usize> = targets.by_ref().collect();
        for to in seen {
            if new[to].is_none() {
                new[to] = Some(BlockId(order.len() as u32));
                order.push(to);
            }
        }
    }
    let mut old: Vec<Option<Block>> = blocks.into_iter().map(Some).collect();
    let mut kept: Vec<Block> =
        order.into_iter().map(|at| old[at].take().expect("each is kept once")).collect();
    for block in &mut kept {
        for target in targets(&mut block.jump) {
            *target = new[target.0 as usize].expect("targets of reachable blocks are reachable");
        }
    }
    kept
}

/// Where a jump may go.
fn targets(jump: &mut Jump) -> Vec<&mut BlockId> {
    match jump {
        Jump::Goto(to) => vec![to],
        Jump::Branch(_, then, otherwise) => vec![then, otherwise],
        Jump::Choose(all) => all.iter_mut().collect(),
        Jump::Return => Vec::new(),
    }
}
