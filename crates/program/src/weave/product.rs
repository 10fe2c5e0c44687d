//! The blocks of the product, made as they are reached.

use super::race::race_free;
use super::reduce::Reduction;
use super::thread::{Node, Thread, untreated};
use super::{DONE, NOT_YET, Places};
use crate::c::lower::{OUTSIDE, Untreated};
use crate::c::property::Property;
use crate::form::{
    Action, Block, BlockId, Check, Jump, Observation, Program, Step, ThreadOp, VarId,
};
use alphorn_problem::Span;
use alphorn_term::{Bv, Sort, SortId, Store, TermId};
use std::collections::BTreeMap;

/// The most blocks of a product.
const MAX_BLOCKS: usize = 30_000;

/// A state of control.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    /// All threads rest.
    Rest(Places),
    /// One of them is at a node; the others rest.
    Run(Places, usize, u32),
    /// One of them joins another one that has ended, at a node.
    Join(Places, usize, u32, usize),
}

/// A product that is being made.
pub struct Product<'a> {
    program: &'a mut Program,
    threads: &'a [Thread],
    reduction: Reduction<'a>,
    keys: BTreeMap<Key, BlockId>,
    todo: Vec<Key>,
    blocks: Vec<Block>,
}

/// The number of a thread, or nobody's, as a value of a sort.
fn number(store: &mut Store, sort: SortId, number: usize) -> TermId {
    match *store.sort_of(sort) {
        Sort::BitVec(bits) => store.bv(Bv::from_u64(bits, number as u64)),
        _ => store.int(number as i64),
    }
}

impl<'a> Product<'a> {
    /// The blocks of the product of some threads.
    pub fn of(
        program: &'a mut Program,
        threads: &'a [Thread],
        joins: Vec<Vec<Option<usize>>>,
    ) -> Result<Vec<Block>, Vec<Untreated>> {
        let reduction = Reduction::of(program, threads, joins);
        let (keys, todo, blocks) = (BTreeMap::new(), Vec::new(), Vec::new());
        let mut product = Product { program, threads, reduction, keys, todo, blocks };
        let mut places = vec![NOT_YET; threads.len()];
        places[0] = 0;
        product.block(Key::Rest(places));
        while let Some(key) = product.todo.pop() {
            if product.blocks.len() > MAX_BLOCKS {
                let span = threads[0].nodes[0].span;
                return Err(untreated("so many interleavings of threads", span));
            }
            let block = match key.clone() {
                Key::Rest(places) => product.rest(&places),
                Key::Run(places, thread, node) => product.run(places, thread, node),
                Key::Join(places, thread, node, other) => product.join(places, thread, node, other),
            };
            let id = product.keys[&key];
            product.blocks[id.0 as usize] = block;
        }
        Ok(product.blocks)
    }

    /// The block of a state of control.
    fn block(&mut self, key: Key) -> BlockId {
        if let Some(&id) = self.keys.get(&key) {
            return id;
        }
        let id = BlockId(self.blocks.len() as u32);
        let (label, span) = (None, Span::NONE);
        self.blocks.push(Block { label, span, steps: Vec::new(), jump: Jump::Choose(Vec::new()) });
        self.keys.insert(key.clone(), id);
        self.todo.push(key);
        id
    }

    fn node(&self, thread: usize, node: u32) -> &'a Node {
        &self.threads[thread].nodes[node as usize]
    }

    /// All threads rest: one of those that can goes on, or one that may run alone.
    fn rest(&mut self, places: &Places) -> Block {
        let mut able = Vec::new();
        for (thread, &place) in places.iter().enumerate() {
            if place != DONE && place != NOT_YET && self.is_able(places, thread, place) {
                able.push(thread);
            }
        }
        if let Some(&alone) = able.iter().find(|&&thread| self.reduction.runs_alone(places, thread))
        {
            able = vec![alone];
        }
        let span =
            able.first().map_or(Span::NONE, |&thread| self.node(thread, places[thread]).span);
        let mut targets = Vec::new();
        for thread in able {
            targets.push(self.block(running(places, thread, places[thread])));
        }
        let jump = match targets[..] {
            [only] => Jump::Goto(only),
            _ => Jump::Choose(targets),
        };
        Block { label: Some("threads".to_owned()), span, steps: Vec::new(), jump }
    }

    /// Whether a thread need not wait for another one to end.
    fn is_able(&self, places: &Places, thread: usize, node: u32) -> bool {
        match self.node(thread, node).op {
            Some(ThreadOp::Join(_)) => match self.reduction.joined(thread, node as usize) {
                Some(other) => places[other] == DONE,
                None => places.contains(&DONE),
            },
            _ => true,
        }
    }

    /// Where a thread goes on, or rests.
    fn go(&mut self, places: &Places, thread: usize, to: BlockId) -> BlockId {
        match self.node(thread, to.0).is_rest {
            true => {
                let mut places = places.clone();
                places[thread] = to.0;
                self.block(Key::Rest(places))
            }
            false => self.block(running(places, thread, to.0)),
        }
    }

    /// The jump of a node, in the product.
    fn jump(&mut self, places: &Places, thread: usize, jump: &Jump) -> Jump {
        match jump {
            Jump::Goto(to) => Jump::Goto(self.go(places, thread, *to)),
            Jump::Branch(formula, yes, no) => {
                let yes = self.go(places, thread, *yes);
                let no = self.go(places, thread, *no);
                Jump::Branch(*formula, yes, no)
            }
            Jump::Choose(all) => {
                Jump::Choose(all.iter().map(|&to| self.go(places, thread, to)).collect())
            }
            // The program ends with its entry.
            Jump::Return if thread == 0 => Jump::Return,
            Jump::Return => Jump::Goto(self.ended(places, thread)),
        }
    }

    /// A thread has ended.
    fn ended(&mut self, places: &Places, thread: usize) -> BlockId {
        let mut places = places.clone();
        places[thread] = DONE;
        self.block(Key::Rest(places))
    }

    /// A thread does what a node says.
    fn run(&mut self, mut places: Places, thread: usize, at: u32) -> Block {
        let node = self.node(thread, at);
        let span = node.span;
        let mut steps: Vec<Step> = Vec::new();
        let mut add = |action| steps.push(Step { action, span });
        if node.is_rest && node.is_visible {
            add(Action::Observe(Observation::Turn(thread as u32, span)));
        }
        if let Some(formula) =
            race_free(&mut self.program.terms, self.threads, &places, thread, node)
        {
            let property = Property::NoDataRace.name().to_owned();
            add(Action::Check(Check { property, formula }));
        }
        let mut jump = None;
        match &node.op {
            None | Some(ThreadOp::AtomicBegin | ThreadOp::AtomicEnd) => {}
            Some(ThreadOp::Lock(mutex)) => {
                let (free, mine) = self.holding(*mutex, thread);
                add(Action::Assume(free.0));
                add(Action::Assign(vec![(*mutex, mine.1)]));
            }
            Some(ThreadOp::TryLock(mutex, result)) => {
                let (free, mine) = self.holding(*mutex, thread);
                let held = self.program.term(*mutex);
                let after = self.program.terms.ite(free.0, mine.1, held);
                add(Action::Assign(vec![(*result, free.0), (*mutex, after)]));
            }
            Some(ThreadOp::Unlock(mutex)) => {
                let (free, mine) = self.holding(*mutex, thread);
                if !self.reduction.is_held(thread, at as usize) {
                    add(Action::Assume(mine.0));
                }
                add(Action::Assign(vec![(*mutex, free.1)]));
            }
            Some(ThreadOp::Create { args, handle, .. }) => {
                let created = &self.threads[thread].creates[&(at as usize)];
                match created.iter().find(|&&one| places[one] == NOT_YET) {
                    Some(&one) => {
                        places[one] = 0;
                        let other = &self.threads[one];
                        let sort = self.program.var(*handle).sort;
                        let named = number(&mut self.program.terms, sort, one);
                        add(Action::Observe(Observation::Created(one as u32)));
                        add(Action::Assign(
                            other.inputs.iter().copied().zip(args.clone()).collect(),
                        ));
                        add(Action::Havoc(other.others.clone()));
                        add(Action::Assign(vec![(*handle, named)]));
                    }
                    None => {
                        let (property, formula) = (OUTSIDE.to_owned(), TermId::FALSE);
                        add(Action::Check(Check { property, formula }));
                        jump = Some(Jump::Choose(Vec::new()));
                    }
                }
            }
            Some(ThreadOp::Join(_)) => {
                let joined = self.reduction.joined(thread, at as usize);
                let all = (0..places.len()).filter(|&other| places[other] == DONE);
                let all: Vec<usize> =
                    all.filter(|other| joined.is_none_or(|joined| joined == *other)).collect();
                jump = Some(match joined {
                    Some(_) => self.jump(&places, thread, &node.jump),
                    None => Jump::Choose(
                        all.into_iter()
                            .map(|other| self.block(Key::Join(places.clone(), thread, at, other)))
                            .collect(),
                    ),
                });
            }
            Some(ThreadOp::Exit) => jump = Some(Jump::Goto(self.ended(&places, thread))),
            Some(ThreadOp::Yield(_) | ThreadOp::Known) => {
                unreachable!("nodes are cut there")
            }
        }
        steps.extend(node.steps.iter().map(|(step, _)| step.clone()));
        let jump = match jump {
            Some(jump) => jump,
            None => self.jump(&places, thread, &node.jump),
        };
        Block { label: node.label.clone(), span, steps, jump }
    }

    /// A thread joins one that has ended: the handle is that one's.
    fn join(&mut self, places: Places, thread: usize, at: u32, other: usize) -> Block {
        let node = self.node(thread, at);
        let Some(ThreadOp::Join(handle)) = node.op else { unreachable!("the node joins a thread") };
        let sort = self.program.terms.sort(handle);
        let other = number(&mut self.program.terms, sort, other);
        let same = self.program.terms.eq(handle, other);
        let steps = vec![Step { action: Action::Assume(same), span: node.span }];
        let jump = self.jump(&places, thread, &node.jump);
        Block { label: None, span: node.span, steps, jump }
    }

    /// That nobody holds a mutex, and that a thread does; each with the value that says so.
    fn holding(&mut self, mutex: VarId, thread: usize) -> ((TermId, TermId), (TermId, TermId)) {
        let (term, sort) = (self.program.term(mutex), self.program.var(mutex).sort);
        let store = &mut self.program.terms;
        let (none, mine) = (number(store, sort, 0), number(store, sort, thread + 1));
        ((store.eq(term, none), none), (store.eq(term, mine), mine))
    }
}

/// A thread runs; where it rested does not matter.
fn running(places: &Places, thread: usize, node: u32) -> Key {
    let mut places = places.clone();
    places[thread] = 0;
    Key::Run(places, thread, node)
}
