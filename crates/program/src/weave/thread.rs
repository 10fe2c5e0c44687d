//! Threads as graphs of nodes: where they rest, and what they do from there.
//!
//! A procedure, with bodies in place of its calls, is cut into *nodes* where it may be interrupted and where something
//! about threads is done. A thread *rests* at a node before it does it. It rests where `Yield` stands outside of
//! atomic sections, and in two more places, so that nothing that others may see is hidden from them: before the run
//! may end, if something shared was changed since the last rest; and somewhere in each circle outside of
//! atomic sections. Each thread has variables of its own.

use crate::c::lower::Untreated;
use crate::clauses::calls::{by_term, mentioned, reads, writes};
use crate::clauses::flow::targets;
use crate::clauses::inline::inline_whole;
use crate::form::{Access, Action, BlockId, Jump, ProcId, Program, Step, ThreadOp, VarId};
use alphorn_problem::Span;
use alphorn_term::{Substitution, TermId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// How many threads come from one place that is passed again and again.
pub const MAX_REPEATED: usize = 3;
/// The most threads that are woven.
pub const MAX_THREADS: usize = 12;

/// A piece of a thread.
#[derive(Clone, Debug)]
pub struct Node {
    /// Whether others may run before it.
    pub is_rest: bool,
    /// Whether the program is interrupted here, too, and not only its form.
    pub is_visible: bool,
    /// The access that it begins with.
    pub access: Option<Access>,
    /// What is done first.
    pub op: Option<ThreadOp>,
    /// What is done then; those that only say what holds anyway are marked.
    pub steps: Vec<(Step, bool)>,
    /// Where it goes on; places are nodes.
    pub jump: Jump,
    /// Whether the run may end here.
    pub stops: bool,
    /// In how many atomic sections it is.
    pub depth: u32,
    /// The place in the file.
    pub span: Span,
    /// What it is called.
    pub label: Option<String>,
}

/// A thread that may be created, or the first.
#[derive(Clone, Debug)]
pub struct Thread {
    /// Its nodes; it begins at the first.
    pub nodes: Vec<Node>,
    /// The variables for its arguments.
    pub inputs: Vec<VarId>,
    /// Its other variables.
    pub others: Vec<VarId>,
    /// The threads that it creates, by node.
    pub creates: BTreeMap<usize, Vec<usize>>,
}

/// Something that is not treated.
pub fn untreated(what: &str, span: Span) -> Vec<Untreated> {
    vec![Untreated { what: what.to_owned(), span, needs_words: false }]
}

/// All threads of a program, the first that of the entry; variables are added for the others.
pub fn threads(program: &mut Program) -> Result<Vec<Thread>, Vec<Untreated>> {
    let entry = program.entry.ok_or_else(|| untreated("a program without an entry", Span::NONE))?;
    let mut procs = vec![entry];
    let mut all: Vec<Thread> = Vec::new();
    while let Some(&proc) = procs.get(all.len()) {
        let number = all.len();
        let mut thread = thread(program, proc, number)?;
        for node in 0..thread.nodes.len() {
            let Some(ThreadOp::Create { proc, .. }) = thread.nodes[node].op else { continue };
            let count = if is_passed_again(&thread.nodes, node) { MAX_REPEATED } else { 1 };
            if procs.len() + count > MAX_THREADS {
                return Err(untreated("so many threads", thread.nodes[node].span));
            }
            let created = (procs.len()..procs.len() + count).collect();
            procs.extend(std::iter::repeat_n(proc, count));
            thread.creates.insert(node, created);
        }
        all.push(thread);
    }
    Ok(all)
}

/// One thread.
pub fn thread(
    program: &mut Program,
    proc: ProcId,
    number: usize,
) -> Result<Thread, Vec<Untreated>> {
    let whole = inline_whole(program, proc).map_err(|(proc, why)| {
        let proc = program.proc(proc);
        untreated(&format!("a thread in which {} {why}", proc.name), proc.span)
    })?;
    let mut body = whole.proc(proc).clone();
    let mut map = Substitution::default();
    let mut new: BTreeMap<VarId, VarId> = BTreeMap::new();
    if number > 0 {
        let own: BTreeSet<VarId> = body.variables().collect();
        for var in own {
            let old = program.var(var).clone();
            let copy = program.add_var(&format!("{}@{number}", old.name), old.sort, old.span);
            map.insert(old.term, program.term(copy));
            new.insert(var, copy);
        }
    }
    let renamed = |vars: &[VarId]| -> Vec<VarId> {
        vars.iter().map(|var| new.get(var).copied().unwrap_or(*var)).collect()
    };
    let inputs = renamed(&body.inputs);
    let others: Vec<VarId> =
        renamed(&body.outputs).into_iter().chain(renamed(&body.locals)).collect();
    let mut nodes = cut(&mut body.blocks, number == 0);
    if number > 0 {
        let var = |var: VarId| new.get(&var).copied().unwrap_or(var);
        for node in &mut nodes {
            rename(program, node, &map, &var);
        }
    }
    settle_depths(&mut nodes)?;
    settle_rests(program, &mut nodes, &|_| false);
    Ok(Thread { nodes, inputs, others, creates: BTreeMap::new() })
}

/// Cuts blocks into nodes.
fn cut(blocks: &mut [crate::form::Block], is_first: bool) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::new();
    let mut starts = Vec::new();
    let fresh = |span, label| Node {
        is_rest: false,
        is_visible: false,
        access: None,
        op: None,
        steps: Vec::new(),
        jump: Jump::Return,
        stops: false,
        depth: 0,
        span,
        label,
    };
    for block in blocks {
        starts.push(nodes.len());
        let mut node = fresh(block.span, block.label.clone());
        let mut is_known = false;
        // The node is over, and another one follows it.
        let next = |nodes: &mut Vec<Node>, node: &mut Node, span: Span| {
            node.jump = Jump::Goto(BlockId(u32::MAX));
            nodes.push(std::mem::replace(node, fresh(span, None)));
        };
        for step in std::mem::take(&mut block.steps) {
            let is_empty = node.op.is_none() && node.steps.is_empty();
            match step.action {
                Action::Thread(ThreadOp::Known) => {
                    is_known = true;
                    continue;
                }
                Action::Thread(ThreadOp::Yield(access)) => {
                    next(&mut nodes, &mut node, step.span);
                    (node.is_rest, node.is_visible, node.access) = (true, true, access);
                }
                Action::Thread(op) => {
                    if !is_empty {
                        next(&mut nodes, &mut node, step.span);
                    }
                    node.op = Some(op);
                    // What follows is not done together with it if it has several ways.
                    if matches!(
                        node.op,
                        Some(ThreadOp::Create { .. } | ThreadOp::Join(_) | ThreadOp::Exit)
                    ) {
                        next(&mut nodes, &mut node, step.span);
                    }
                }
                Action::Assume(_) if !is_known => {
                    if !is_empty {
                        next(&mut nodes, &mut node, step.span);
                    }
                    node.stops = true;
                    node.steps.push((step, false));
                }
                _ => node.steps.push((step, is_known)),
            }
            is_known = false;
        }
        let ends = match &block.jump {
            Jump::Choose(targets) => targets.is_empty(),
            Jump::Return => is_first,
            _ => false,
        };
        if ends {
            next(&mut nodes, &mut node, block.span);
            node.stops = true;
        }
        node.jump = block.jump.clone();
        nodes.push(node);
    }
    // Jumps go to nodes: those inside of blocks to the next, and others to where their blocks begin.
    for (at, node) in nodes.iter_mut().enumerate() {
        let to = |target: &BlockId| match target.0 {
            u32::MAX => BlockId(at as u32 + 1),
            block => BlockId(starts[block as usize] as u32),
        };
        node.jump = match &node.jump {
            Jump::Goto(target) => Jump::Goto(to(target)),
            Jump::Branch(formula, yes, no) => Jump::Branch(*formula, to(yes), to(no)),
            Jump::Choose(all) => Jump::Choose(all.iter().map(to).collect()),
            Jump::Return => Jump::Return,
        };
    }
    nodes
}

/// The node with the variables of another thread.
fn rename(
    program: &mut Program,
    node: &mut Node,
    map: &Substitution,
    var: &dyn Fn(VarId) -> VarId,
) {
    let store = &mut program.terms;
    let mut term = |term: &mut TermId| *term = store.substitute(*term, map);
    if let Jump::Branch(formula, ..) = &mut node.jump {
        term(formula);
    }
    if let Some(access) = &mut node.access {
        access.selectors.iter_mut().for_each(&mut term);
        term(&mut access.guard);
    }
    match &mut node.op {
        Some(ThreadOp::Create { args, handle, .. }) => {
            args.iter_mut().for_each(&mut term);
            *handle = var(*handle);
        }
        Some(ThreadOp::Join(thread)) => term(thread),
        Some(ThreadOp::TryLock(_, result)) => *result = var(*result),
        _ => {}
    }
    for (step, _) in &mut node.steps {
        match &mut step.action {
            Action::Assign(pairs) => {
                for (to, value) in pairs {
                    *to = var(*to);
                    term(value);
                }
            }
            Action::Havoc(vars) => vars.iter_mut().for_each(|one| *one = var(*one)),
            Action::Relate(pairs, formula) => {
                pairs.iter_mut().for_each(|pair| pair.0 = var(pair.0));
                term(formula);
            }
            Action::Assume(formula) => term(formula),
            Action::Check(check) => term(&mut check.formula),
            Action::Observe(seen) => {
                let mut terms = seen.terms();
                terms.iter_mut().for_each(&mut term);
                *seen = seen.with_terms(&terms);
            }
            Action::Call { .. } | Action::Thread(_) => {
                unreachable!("bodies have taken the place of calls, and nodes are cut")
            }
        }
    }
}

/// The nodes that a node goes to.
pub fn successors(node: &Node) -> Vec<usize> {
    match node.op {
        Some(ThreadOp::Exit) => Vec::new(),
        _ => targets(&node.jump).into_iter().map(|to| to.0 as usize).collect(),
    }
}

/// Whether a node can be come to from itself.
pub fn is_passed_again(nodes: &[Node], node: usize) -> bool {
    reached(nodes, successors(&nodes[node])).contains(&node)
}

/// The nodes that can be come to from some.
pub fn reached(nodes: &[Node], mut todo: Vec<usize>) -> BTreeSet<usize> {
    let mut seen = BTreeSet::new();
    while let Some(at) = todo.pop() {
        if seen.insert(at) {
            todo.extend(successors(&nodes[at]));
        }
    }
    seen
}

/// Finds in how many atomic sections each node is.
fn settle_depths(nodes: &mut [Node]) -> Result<(), Vec<Untreated>> {
    let mut depths: Vec<Option<u32>> = vec![None; nodes.len()];
    let mut todo = vec![(0, 0)];
    while let Some((at, depth)) = todo.pop() {
        match depths[at] {
            Some(before) if before == depth => continue,
            Some(_) => {
                let what = "an atomic section that begins or ends on one of several ways";
                return Err(untreated(what, nodes[at].span));
            }
            None => depths[at] = Some(depth),
        }
        let after = match nodes[at].op {
            Some(ThreadOp::AtomicBegin) => depth + 1,
            Some(ThreadOp::AtomicEnd) if depth > 0 => depth - 1,
            Some(ThreadOp::AtomicEnd) => {
                return Err(untreated("the end of an atomic section", nodes[at].span));
            }
            Some(ThreadOp::Exit | ThreadOp::Create { .. } | ThreadOp::Join(_)) if depth > 0 => {
                return Err(untreated("threads in an atomic section", nodes[at].span));
            }
            _ => depth,
        };
        if after > 0 && matches!(nodes[at].jump, Jump::Return) {
            return Err(untreated("a thread that ends in an atomic section", nodes[at].span));
        }
        todo.extend(successors(&nodes[at]).into_iter().map(|to| (to, after)));
    }
    for (node, depth) in nodes.iter_mut().zip(depths) {
        node.depth = depth.unwrap_or(0);
        node.is_rest &= node.depth == 0;
    }
    Ok(())
}

/// Finds where else threads rest; before the run may end only where others may be there.
pub fn settle_rests(program: &Program, nodes: &mut [Node], is_alone: &dyn Fn(usize) -> bool) {
    nodes[0].is_rest = true;
    let globals: BTreeSet<VarId> = program.globals.iter().copied().collect();
    let changes: Vec<bool> = nodes.iter().map(|node| changes_shared(node, &globals)).collect();
    loop {
        let before = nodes.iter().filter(|node| node.is_rest).count();
        let mut is_changed = vec![false; nodes.len()];
        let mut todo: Vec<usize> = (0..nodes.len()).collect();
        while let Some(at) = todo.pop() {
            let after = changes[at] || (is_changed[at] && !nodes[at].is_rest);
            for to in successors(&nodes[at]) {
                if after && !is_changed[to] {
                    is_changed[to] = true;
                    todo.push(to);
                }
            }
        }
        for (at, (node, is_changed)) in nodes.iter_mut().zip(is_changed).enumerate() {
            node.is_rest |= node.stops && is_changed && node.depth == 0 && !is_alone(at);
        }
        if nodes.iter().filter(|node| node.is_rest).count() == before {
            break;
        }
    }
    while let Some(at) = circle_without_rest(nodes) {
        nodes[at].is_rest = true;
    }
}

/// Whether a node changes something that others may see.
fn changes_shared(node: &Node, globals: &BTreeSet<VarId>) -> bool {
    let by_op = matches!(
        node.op,
        Some(
            ThreadOp::Lock(_)
                | ThreadOp::TryLock(..)
                | ThreadOp::Unlock(_)
                | ThreadOp::Create { .. }
        )
    );
    by_op
        || node
            .steps
            .iter()
            .any(|(step, _)| writes(&step.action).iter().any(|var| globals.contains(var)))
}

/// A node outside of atomic sections that a circle without a rest goes back to.
fn circle_without_rest(nodes: &[Node]) -> Option<usize> {
    back_into(nodes, |node| !node.is_rest && node.depth == 0).into_iter().next()
}

/// The nodes that a search depth first goes back to, among those that count.
pub fn back_into(nodes: &[Node], counts: impl Fn(&Node) -> bool) -> BTreeSet<usize> {
    let (mut is_open, mut is_seen) = (vec![false; nodes.len()], vec![false; nodes.len()]);
    let mut found = BTreeSet::new();
    for root in 0..nodes.len() {
        if is_seen[root] || !counts(&nodes[root]) {
            continue;
        }
        let mut stack = vec![(root, successors(&nodes[root]))];
        (is_open[root], is_seen[root]) = (true, true);
        while let Some((at, next)) = stack.last_mut() {
            match next.pop() {
                Some(to) if counts(&nodes[to]) => {
                    if is_open[to] {
                        found.insert(to);
                    } else if !std::mem::replace(&mut is_seen[to], true) {
                        is_open[to] = true;
                        stack.push((to, successors(&nodes[to])));
                    }
                }
                Some(_) => {}
                None => {
                    is_open[*at] = false;
                    stack.pop();
                }
            }
        }
    }
    found
}

/// The shared variables that a node reads, and those it writes, without what it does to mutexes and what it says that
/// holds anyway.
pub fn uses(
    program: &Program,
    of: &FxHashMap<TermId, VarId>,
    globals: &BTreeSet<VarId>,
    node: &Node,
) -> (BTreeSet<VarId>, BTreeSet<VarId>) {
    let (mut read, mut written) = (BTreeSet::new(), BTreeSet::new());
    let mut terms: Vec<TermId> = Vec::new();
    for (step, is_known) in &node.steps {
        if !is_known {
            terms.extend(reads(&step.action));
        }
        written.extend(writes(&step.action).into_iter().filter(|var| globals.contains(var)));
    }
    if let Some(op) = &node.op {
        terms.extend(op.terms());
    }
    if let Jump::Branch(formula, ..) = &node.jump {
        terms.push(*formula);
    }
    read.extend(mentioned(&program.terms, of, &terms).intersection(globals));
    (read, written)
}

/// The variables of a program by their terms.
pub fn vars_by_term(program: &Program) -> FxHashMap<TermId, VarId> {
    by_term(program)
}
