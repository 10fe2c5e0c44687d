//! The threads of a program, as many as there are places that create them.
//!
//! A place that is passed once, by a thread of which there is one, creates one thread. Any other place creates
//! any number: they have one template for all, in which each has a number of its own.

use crate::c::lower::Untreated;
use crate::form::{ProcId, Program, ThreadOp, VarId};
use crate::weave::joined;
use crate::weave::movers::{Among, First, needless};
use crate::weave::thread::{Thread, is_passed_again, settle_rests, successors, thread, untreated};
use alphorn_problem::Span;
use alphorn_term::SortId;
use std::collections::{BTreeMap, BTreeSet};

/// The most templates.
const MAX_TEMPLATES: usize = 48;
/// The most nodes of all templates.
const MAX_NODES: usize = 6_000;

/// What one thread does, or any number of them.
pub struct Template {
    /// The procedure that it runs.
    pub proc: ProcId,
    /// What it does.
    pub thread: Thread,
    /// The number of each thread, if there may be several.
    pub me: Option<VarId>,
    /// Where it is, for others: not there yet, there, or gone.
    pub status: Option<VarId>,
    /// The templates of those that it creates, by node.
    pub creates: BTreeMap<usize, usize>,
    /// The thread that a node joins, if that is known.
    pub joins: Vec<Option<usize>>,
    /// Whether no other thread is there, by node.
    pub alone: Vec<bool>,
}

/// All templates, the first that of the entry.
pub fn templates(program: &mut Program, status: SortId) -> Result<Vec<Template>, Vec<Untreated>> {
    let entry = program.entry.ok_or_else(|| untreated("a program without an entry", Span::NONE))?;
    let mut wanted = vec![(entry, false)];
    let mut all: Vec<Template> = Vec::new();
    let mut nodes = 0;
    while let Some(&(proc, is_many)) = wanted.get(all.len()) {
        let mut thread = thread(program, proc, all.len())?;
        nodes += thread.nodes.len();
        let mut creates = BTreeMap::new();
        for at in 0..thread.nodes.len() {
            let Some(ThreadOp::Create { proc, .. }) = thread.nodes[at].op else { continue };
            let wish = (proc, is_many || is_passed_again(&thread.nodes, at));
            let known = wanted.iter().position(|other| wish.1 && *other == wish);
            let one = known.unwrap_or_else(|| {
                wanted.push(wish);
                wanted.len() - 1
            });
            creates.insert(at, one);
            thread.creates.insert(at, if wish.1 { Vec::new() } else { vec![one] });
            if wanted.len() > MAX_TEMPLATES || nodes > MAX_NODES {
                return Err(untreated("so many threads", thread.nodes[at].span));
            }
        }
        let span = program.proc(proc).span;
        let number = all.len();
        let me = is_many.then(|| program.add_var(&format!("me@{number}"), SortId::INT, span));
        let status =
            (number > 0).then(|| program.add_var(&format!("status@{number}"), status, span));
        let (joins, alone) = (Vec::new(), vec![false; thread.nodes.len()]);
        all.push(Template { proc, thread, me, status, creates, joins, alone });
    }
    let threads: Vec<Thread> = all.iter().map(|one| one.thread.clone()).collect();
    for (template, joins) in all.iter_mut().zip(joined(program, &threads)) {
        template.joins = joins;
    }
    rest_elsewhere(program, &mut all);
    Ok(all)
}

/// Threads rest before and after they create others, which must see what they have done; and they do not rest where
/// all that they do commutes with what others do.
fn rest_elsewhere(program: &Program, all: &mut [Template]) {
    for template in &mut *all {
        for &at in template.creates.keys() {
            let nodes = &mut template.thread.nodes;
            nodes[at].is_rest = true;
            for to in successors(&nodes[at]) {
                nodes[to].is_rest = true;
            }
        }
    }
    let first = First::of(&among(all));
    let needless = needless(program, &among(all));
    for (number, (template, needless)) in all.iter_mut().zip(needless).enumerate() {
        let nodes = &mut template.thread.nodes;
        let is_alone = |at: usize| number == 0 && first.is_alone(at);
        let forced =
            |at: &usize| template.creates.contains_key(at) || template.joins[*at].is_some();
        let after: BTreeSet<usize> =
            (0..nodes.len()).filter(forced).flat_map(|at| successors(&nodes[at])).collect();
        for (at, node) in nodes.iter_mut().enumerate().skip(1) {
            if needless.contains(&at) || is_alone(at) {
                node.is_rest = template.creates.contains_key(&at);
            }
            node.is_rest |= after.contains(&at);
        }
        template.alone = (0..nodes.len()).map(is_alone).collect();
        settle_rests(program, nodes, &is_alone);
    }
}

/// The templates, for the question who can be there at once.
fn among(all: &[Template]) -> Vec<Among<'_>> {
    let mut found = Vec::new();
    for Template { thread, me, creates, joins, .. } in all {
        found.push(Among { thread, is_many: me.is_some(), creates, joins });
    }
    found
}
