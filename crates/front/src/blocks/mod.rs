//! Blocks of a procedure while its statements are read.

mod tidy;

use alphorn_problem::Span;
use alphorn_program::form::{Action, Block, BlockId, Jump, Step};
use alphorn_term::TermId;
use std::collections::BTreeMap;

pub(crate) use tidy::tidy;

/// The blocks so far.
#[derive(Debug)]
pub(crate) struct Builder {
    pub blocks: Vec<Block>,
    /// Where the next step goes.
    pub here: BlockId,
    /// Blocks of labels, and where a label was first mentioned that has none yet.
    pub labels: BTreeMap<String, (BlockId, Option<Span>)>,
    /// Where the body is left by `return`.
    pub exit: BlockId,
}

impl Builder {
    /// The beginning and the end of a body.
    pub fn new(span: Span) -> Builder {
        let mut builder = Builder {
            blocks: Vec::new(),
            here: BlockId(0),
            labels: BTreeMap::new(),
            exit: BlockId(1),
        };
        builder.block(span);
        builder.block(span);
        builder.blocks[1].jump = Jump::Return;
        builder
    }

    /// A new block, from which nothing goes on yet.
    pub fn block(&mut self, span: Span) -> BlockId {
        let jump = Jump::Choose(Vec::new());
        self.blocks.push(Block { label: None, span, steps: Vec::new(), jump });
        BlockId(u32::try_from(self.blocks.len() - 1).expect("texts are below 4 GiB"))
    }

    pub fn get(&mut self, block: BlockId) -> &mut Block {
        &mut self.blocks[block.0 as usize]
    }

    pub fn step(&mut self, action: Action, span: Span) {
        let here = self.here;
        self.get(here).steps.push(Step { action, span });
    }

    /// Ends the block with a jump and goes on in another one.
    pub fn jump(&mut self, jump: Jump, next: BlockId) {
        let here = self.here;
        self.get(here).jump = jump;
        self.here = next;
    }

    /// Goes on in a new block.
    pub fn fall(&mut self, span: Span) -> BlockId {
        let next = self.block(span);
        self.jump(Jump::Goto(next), next);
        next
    }

    /// Leaves for another block; what follows can only be reached by a label.
    pub fn leave(&mut self, jump: Jump, span: Span) {
        let next = self.block(span);
        self.jump(jump, next);
    }

    /// The block of a label, which may come later.
    pub fn label(&mut self, name: &str, span: Span) -> BlockId {
        if let Some((block, _)) = self.labels.get(name) {
            return *block;
        }
        let block = self.block(span);
        self.labels.insert(name.to_owned(), (block, Some(span)));
        block
    }

    /// A branch on a condition, into two new blocks.
    pub fn branch(&mut self, condition: TermId, span: Span) -> (BlockId, BlockId) {
        let (then, otherwise) = (self.block(span), self.block(span));
        let here = self.here;
        self.get(here).jump = Jump::Branch(condition, then, otherwise);
        (then, otherwise)
    }
}
