//! The steps of one thread, as blocks of a procedure: what the nodes of a template do.

use super::templates::Template;
use super::{DONE, code, is_at};
use crate::form::{Action, Block, Jump, Observation, Program, Step, ThreadOp, VarId};
use alphorn_term::{Bv, Sort, TermId};

/// The blocks of a template, one for each node.
pub fn blocks(program: &mut Program, all: &[Template], number: usize) -> Vec<Block> {
    let nodes = all[number].thread.nodes.len();
    (0..nodes).map(|at| block(program, all, number, at)).collect()
}

fn block(program: &mut Program, all: &[Template], number: usize, at: usize) -> Block {
    let template = &all[number];
    let node = &template.thread.nodes[at];
    let span = node.span;
    let mut actions: Vec<Action> = Vec::new();
    if let Some(access) = &node.access {
        // They are looked at where threads meet.
        let terms = access.selectors.iter().chain([&access.guard]);
        actions.extend(terms.map(|&term| Action::Observe(Observation::Value(term))));
    }
    let mut jump = node.jump.clone();
    match &node.op {
        None | Some(ThreadOp::AtomicBegin | ThreadOp::AtomicEnd) => {}
        Some(ThreadOp::Lock(mutex)) => {
            let holder = Holder::of(program, *mutex, number, template.me);
            actions.push(Action::Assume(holder.is_free));
            actions.push(Action::Assign(vec![(*mutex, holder.mine)]));
        }
        Some(ThreadOp::TryLock(mutex, result)) => {
            let holder = Holder::of(program, *mutex, number, template.me);
            let held = program.term(*mutex);
            let after = program.terms.ite(holder.is_free, holder.mine, held);
            actions.push(Action::Assign(vec![(*result, holder.is_free), (*mutex, after)]));
        }
        Some(ThreadOp::Unlock(mutex)) => {
            let holder = Holder::of(program, *mutex, number, template.me);
            actions.push(Action::Assume(holder.is_mine));
            actions.push(Action::Assign(vec![(*mutex, holder.nobody)]));
        }
        Some(ThreadOp::Create { args, handle, .. }) => {
            actions.extend(args.iter().map(|&term| Action::Observe(Observation::Value(term))));
            let child = &all[template.creates[&at]];
            let status = child.status.expect("only the entry has none");
            if child.me.is_none() {
                let not_yet = is_at(program, status, 0);
                actions.push(Action::Assume(not_yet));
            }
            let there = code(program, status, 1);
            actions.push(Action::Assign(vec![(status, there)]));
            actions.push(Action::Havoc(vec![*handle]));
        }
        Some(ThreadOp::Join(_)) => {
            if let Some(other) = template.joins[at] {
                let status = all[other].status.expect("nobody joins the entry");
                let gone = is_at(program, status, DONE);
                actions.push(Action::Assume(gone));
            }
        }
        Some(ThreadOp::Exit) => jump = Jump::Return,
        Some(ThreadOp::Yield(_) | ThreadOp::Known) => unreachable!("nodes are cut there"),
    }
    let mut steps: Vec<Step> = actions.into_iter().map(|action| Step { action, span }).collect();
    steps.extend(node.steps.iter().map(|(step, _)| step.clone()));
    if matches!(jump, Jump::Return) {
        match template.status {
            // The program ends with its entry, unless that thread ends alone.
            _ if number == 0 && !matches!(node.op, Some(ThreadOp::Exit)) => {
                jump = Jump::Choose(Vec::new());
            }
            Some(status) if template.me.is_none() => {
                let gone = code(program, status, DONE);
                steps.push(Step { action: Action::Assign(vec![(status, gone)]), span });
            }
            _ => {}
        }
    }
    Block { label: node.label.clone(), span, steps, jump }
}

/// Who holds a mutex, for a thread.
struct Holder {
    nobody: TermId,
    mine: TermId,
    is_free: TermId,
    is_mine: TermId,
}

impl Holder {
    fn of(program: &mut Program, mutex: VarId, number: usize, me: Option<VarId>) -> Holder {
        let (term, sort) = (program.term(mutex), program.var(mutex).sort);
        let me = me.map(|me| program.term(me));
        let store = &mut program.terms;
        let mut value = |number: usize| match *store.sort_of(sort) {
            Sort::BitVec(bits) => store.bv(Bv::from_u64(bits, number as u64)),
            _ => store.int(number as i64),
        };
        let nobody = value(0);
        let mine = me.unwrap_or_else(|| value(number + 1));
        let (is_free, is_mine) = (store.eq(term, nobody), store.eq(term, mine));
        Holder { nobody, mine, is_free, is_mine }
    }
}
