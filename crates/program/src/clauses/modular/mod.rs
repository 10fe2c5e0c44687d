//! Threads one by one: Horn clauses in which each has predicates of its own.
//!
//! Where a thread rests there is a predicate of what all share and of its own variables. A step of it leads from one rest
//! to the next, and is a step of its *effect*, a relation between what is shared before and after. What holds where one
//! thread rests must also hold after a step of the effect of any other one (rely–guarantee, with the least rely; with the
//! effects written out, Owicki and Gries). Of threads that one place creates again and again, one template stands for all:
//! each has a number, and an effect says whose it is, so that two of them are different.
//! So the number of clauses grows with the sum of the threads' places, and not with the product, and how many
//! threads there are does not matter.
//!
//! Beside the program's variables all see where each thread is: not there yet, there, or gone; with `Sight::Places` also
//! at which rest.
//!
//! Invariant: if the clauses have a model, no interleaving violates a check. They allow more than the program does
//! (`Horn::allows_more`), so a derivation is no violation.
//!
//! Source: \[OG76\], \[Jon83\]; as Horn clauses \[GPR11\]; any number of threads: \[HMP17\].

mod blocks;
mod rules;
mod templates;

use super::calls::{Calls, by_term, mentioned, reads, writes};
use super::flow::targets;
use super::{Clauses, Maker};
use crate::c::lower::Untreated;
use crate::form::{Jump, Proc, ProcId, Program, VarId};
use crate::weave::thread::{back_into, untreated};
use alphorn_term::{Bv, Sort, SortId, TermId};
pub(super) use rules::Effect;
use std::collections::BTreeSet;
use templates::{Template, templates};

/// A thread that has ended; 0 is one that is not there yet, and others are there.
const DONE: i64 = 255;

/// What a thread sees of others, beside what they share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sight {
    /// Whether they are there.
    Own,
    /// Besides, where they rest.
    Places,
}

impl Sight {
    /// All, from the least.
    pub const EACH: [Sight; 2] = [Sight::Own, Sight::Places];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Sight::Own => "own",
            Sight::Places => "places",
        }
    }
}

/// The clauses of a program's threads, one by one.
pub fn modular(mut program: Program, sight: Sight, words: bool) -> Result<Clauses, Vec<Untreated>> {
    let status = if words { program.terms.bv_sort(16) } else { SortId::INT };
    let mut all = templates(&mut program, status)?;
    let span = |template: &Template| template.thread.nodes[0].span;
    if let Some(many) = all.iter().find(|one| words && one.me.is_some()) {
        return Err(untreated("threads without bound where integers are words", span(many)));
    }
    for template in &all {
        let is_inside = |node: &crate::weave::thread::Node| !node.is_rest && node.depth > 0;
        if let Some(&at) = back_into(&template.thread.nodes, is_inside).first() {
            let span = template.thread.nodes[at].span;
            return Err(untreated("a loop in an atomic section, for threads one by one", span));
        }
    }
    if sight >= Sight::Places {
        let span = span(&all[0]);
        all[0].status = Some(program.add_var("status@0", status, span));
    }
    let procs: Vec<Proc> = (0..all.len())
        .map(|number| {
            let template = &all[number];
            let Proc { name, span, .. } = program.proc(template.proc).clone();
            let inputs = template.thread.inputs.clone();
            let locals = template.thread.others.iter().copied().chain(template.me).collect();
            let blocks = blocks::blocks(&mut program, &all, number);
            Proc { name, inputs, outputs: Vec::new(), locals, blocks, span }
        })
        .collect();
    let statuses: Vec<VarId> = all.iter().filter_map(|one| one.status).collect();
    let mut start: Vec<TermId> = program.start.into_iter().collect();
    for template in &all[1..] {
        start.extend(template.status.map(|status| is_at(&mut program, status, 0)));
    }
    program.start = Some(program.terms.and(&start));
    program.globals.extend(statuses);
    program.procs = procs;
    program.entry = Some(ProcId(0));
    let shared = shared(&program, &all);
    let calls = Calls::of(&program);
    let mut maker = Maker::new(&program, calls);
    maker.horn.allows_more = true;
    maker.threads(&all, &shared, sight);
    let Maker { horn, spots, stories, .. } = maker;
    Ok(Clauses { program, horn, spots, stories })
}

/// What all predicates are about: the globals that several threads mention, and where threads are.
fn shared(program: &Program, all: &[Template]) -> Vec<VarId> {
    let of = by_term(program);
    let statuses: BTreeSet<VarId> = all.iter().filter_map(|one| one.status).collect();
    let mut used: Vec<BTreeSet<VarId>> = vec![BTreeSet::new(); all.len()];
    for (proc, used) in program.procs.iter().zip(&mut used) {
        for block in &proc.blocks {
            for step in &block.steps {
                used.extend(mentioned(&program.terms, &of, &reads(&step.action)));
                used.extend(writes(&step.action));
            }
            if let Jump::Branch(formula, ..) = &block.jump {
                used.extend(mentioned(&program.terms, &of, &[*formula]));
            }
        }
    }
    let mut shared: Vec<VarId> = program.globals.clone();
    // What only one thread mentions is its own.
    let own = |var: &VarId| {
        let mut users = (0..all.len()).filter(|&number| used[number].contains(var));
        match (users.next(), users.next()) {
            (Some(number), None) => all[number].me.is_none(),
            (first, _) => first.is_none(),
        }
    };
    shared.retain(|var| statuses.contains(var) || !own(var));
    let mut seen = BTreeSet::new();
    shared.retain(|var| seen.insert(*var));
    shared
}

/// A place of a thread as a value of a variable that says where it is.
fn code(program: &mut Program, status: VarId, at: i64) -> TermId {
    let sort = program.var(status).sort;
    match *program.terms.sort_of(sort) {
        Sort::BitVec(bits) => program.terms.bv(Bv::from_u64(bits, at as u64)),
        _ => program.terms.int(at),
    }
}

/// That a thread is at a place.
fn is_at(program: &mut Program, status: VarId, at: i64) -> TermId {
    let (term, value) = (program.term(status), code(program, status, at));
    program.terms.eq(term, value)
}

/// Whether a block can be come to.
fn reached(program: &Program, proc: ProcId) -> BTreeSet<usize> {
    let blocks = &program.proc(proc).blocks;
    let (mut todo, mut seen) = (vec![0], BTreeSet::new());
    while let Some(at) = todo.pop() {
        if seen.insert(at) {
            todo.extend(targets(&blocks[at].jump).into_iter().map(|to| to.0 as usize));
        }
    }
    seen
}
