//! The Horn clauses that a program stands for.
//!
//! There is a predicate for every place where runs come by again (a *head*: the target of a jump back),
//! and two for every procedure that is still called once bodies have taken the place of calls: its
//! *context*, what it is called with, and its *summary*, how what it returns depends on that. Between two
//! such places everything is one clause per path, or, where paths are many, one clause with a body that
//! branches. A check that fails is a query. The system is safe exactly if no run violates a check.
//!
//! These clauses are the obligations of a proof that a program is safe: a model of them is an invariant
//! for every loop and a contract for every procedure. They are made anew for the checker. Each clause has a
//! *story*, the choices and calls it passes, so that a derivation becomes a run.
//!
//! Source: \[BGMR15\] §3; large blocks: \[BCG+09\].

pub(crate) mod calls;
pub(crate) mod flow;
pub(crate) mod inline;
mod merged;
pub mod modular;
mod path;
mod state;
pub mod story;

use crate::form::{BlockId, ProcId, Program, VarId};
use alphorn_problem::horn::PredId;
use alphorn_problem::{Horn, Span};
use alphorn_term::{SortId, TermId};
use calls::Calls;
use flow::Flow;
use std::collections::{BTreeMap, BTreeSet};
use story::Story;

/// The most paths between two places that get clauses of their own.
pub const MAX_PATHS: usize = 24;

/// What a predicate is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Site {
    /// The state at a block where runs come by again.
    Head(ProcId, BlockId),
    /// What a procedure is called with.
    Context(ProcId),
    /// How results depend on what it was called with.
    Summary(ProcId),
    /// How what threads share is changed by a step of one that runs this procedure.
    Effect(ProcId),
}

/// What an argument of a predicate is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// The value of a variable there.
    Now(VarId),
    /// The value of an input or global when the procedure was called.
    Before(VarId),
}

/// A predicate's place and arguments.
#[derive(Clone, Debug)]
pub struct Spot {
    /// Where.
    pub site: Site,
    /// The arguments.
    pub args: Vec<Argument>,
}

/// The clauses of a program.
#[derive(Clone, Debug)]
pub struct Clauses {
    /// The program with bodies in place of calls, to which blocks here belong. Variables and procedures
    /// are those of the program.
    pub program: Program,
    /// The clauses.
    pub horn: Horn,
    /// What the predicates are about, by their positions.
    pub spots: Vec<Spot>,
    /// What happens along each clause, by its position.
    pub stories: Vec<Story>,
}

/// The clauses that a program stands for.
pub fn clauses(program: &Program) -> Clauses {
    let inlined = inline::inline(program);
    let calls = Calls::of(&inlined);
    let mut maker = Maker::new(&inlined, calls);
    maker.declare();
    for proc in maker.used() {
        maker.make(proc);
    }
    let Maker { horn, spots, stories, .. } = maker;
    Clauses { program: inlined, horn, spots, stories }
}

/// A procedure on its way to clauses.
struct Plan {
    flow: Flow,
    /// For a called procedure, the values of inputs and globals when it was called: the variable's own
    /// term where nothing changes it.
    before: BTreeMap<VarId, TermId>,
    context: Option<PredId>,
    summary: Option<PredId>,
    heads: BTreeMap<BlockId, PredId>,
    /// What a step of it does to what others see, if it is a thread.
    effect: Option<modular::Effect>,
    /// Predicates of places where it neither rests nor comes by again, and that others ask for.
    marks: BTreeMap<BlockId, PredId>,
}

/// Makes clauses.
struct Maker<'p> {
    program: &'p Program,
    calls: Calls,
    horn: Horn,
    spots: Vec<Spot>,
    stories: Vec<Story>,
    plans: Vec<Option<Plan>>,
}

impl<'p> Maker<'p> {
    fn new(program: &'p Program, calls: Calls) -> Maker<'p> {
        Maker {
            program,
            calls,
            horn: Horn::new(program.terms.clone()),
            spots: Vec::new(),
            stories: Vec::new(),
            plans: program.procs.iter().map(|_| None).collect(),
        }
    }

    /// Procedures that have blocks.
    fn used(&self) -> Vec<ProcId> {
        let all = (0..self.program.procs.len() as u32).map(ProcId);
        all.filter(|&proc| !self.program.proc(proc).blocks.is_empty()).collect()
    }

    /// Declares the predicates of all procedures.
    fn declare(&mut self) {
        for proc in self.used() {
            let is_called = self.calls.callees.iter().flatten().any(|callee| *callee == proc);
            let index = proc.0 as usize;
            let data = self.program.proc(proc);
            let mut at_return = BTreeSet::new();
            if is_called {
                at_return.extend(data.outputs.iter().chain(&self.calls.changes[index]).copied());
            }
            let flow = Flow::of(self.program, &self.calls, proc, &at_return);
            let mut plan = Plan {
                flow,
                before: BTreeMap::new(),
                context: None,
                summary: None,
                heads: BTreeMap::new(),
                effect: None,
                marks: BTreeMap::new(),
            };
            if is_called {
                plan.before = self.values_before(proc);
                let given: Vec<Argument> = self.given(proc).map(Argument::Before).collect();
                plan.context = Some(self.pred(Site::Context(proc), given.clone()));
                let results = data.outputs.iter().chain(&self.calls.changes[index]).copied();
                let args = given.into_iter().chain(results.map(Argument::Now)).collect();
                plan.summary = Some(self.pred(Site::Summary(proc), args));
            }
            for block in plan.flow.order.clone() {
                if plan.flow.is_cut[block.0 as usize] {
                    let args = self.head_args(&plan, block);
                    let head = self.pred(Site::Head(proc, block), args);
                    plan.heads.insert(block, head);
                }
            }
            self.plans[index] = Some(plan);
        }
    }

    /// The inputs and globals that a procedure's results may depend on.
    fn given(&self, proc: ProcId) -> impl Iterator<Item = VarId> + use<> {
        let inputs = self.program.proc(proc).inputs.clone();
        let globals = self.calls.mentions[proc.0 as usize].clone();
        inputs.into_iter().chain(globals)
    }

    /// Terms for the values that a procedure is called with.
    fn values_before(&mut self, proc: ProcId) -> BTreeMap<VarId, TermId> {
        let mut changed = self.calls.changes[proc.0 as usize].clone();
        for block in &self.program.proc(proc).blocks {
            changed.extend(block.steps.iter().flat_map(|step| calls::writes(&step.action)));
        }
        let mut before = BTreeMap::new();
        for var in self.given(proc) {
            let own = self.program.var(var);
            let term = if changed.contains(&var) {
                self.horn.terms.fresh_var(&format!("{}_before", own.name), own.sort)
            } else {
                own.term
            };
            before.insert(var, term);
        }
        before
    }

    /// What the predicate of a head speaks about: what the procedure was called with, and what is live.
    fn head_args(&self, plan: &Plan, block: BlockId) -> Vec<Argument> {
        let mut args: Vec<Argument> = plan.before.keys().copied().map(Argument::Before).collect();
        let live = plan.flow.live[block.0 as usize].iter();
        let own = |var: &VarId| plan.before.get(var) == Some(&self.program.term(*var));
        args.extend(live.filter(|var| !own(var)).copied().map(Argument::Now));
        args
    }

    fn pred(&mut self, site: Site, args: Vec<Argument>) -> PredId {
        let sorts: Vec<SortId> = args
            .iter()
            .map(|arg| match arg {
                Argument::Now(var) | Argument::Before(var) => self.program.var(*var).sort,
            })
            .collect();
        let (name, span) = self.site_name(site);
        let symbol = self.horn.terms.fresh_symbol(&name);
        let name = self.horn.terms.name(symbol).to_owned();
        let func = self.horn.terms.declare(&name, &sorts, SortId::BOOL);
        self.spots.push(Spot { site, args });
        self.horn.add_pred(func, span)
    }

    /// What a predicate is called, and where its place is.
    fn site_name(&self, site: Site) -> (String, Span) {
        match site {
            Site::Head(proc, block) => {
                let proc = self.program.proc(proc);
                let block = &proc.blocks[block.0 as usize];
                let label = block.label.as_deref().unwrap_or("loop");
                (format!("{}.{label}", proc.name), block.span)
            }
            Site::Context(proc) => {
                let proc = self.program.proc(proc);
                (format!("{}.called", proc.name), proc.span)
            }
            Site::Summary(proc) => {
                let proc = self.program.proc(proc);
                (proc.name.clone(), proc.span)
            }
            Site::Effect(proc) => {
                let proc = self.program.proc(proc);
                (format!("{}.step", proc.name), proc.span)
            }
        }
    }

    /// Makes the clauses that begin in one procedure: at its beginning, and at each of its heads.
    fn make(&mut self, proc: ProcId) {
        let plan = self.plans[proc.0 as usize].take().expect("it was declared");
        if self.program.entry == Some(proc) {
            self.start(proc, &plan);
        }
        let begin = self.at_entry(proc, &plan);
        if plan.heads.contains_key(&BlockId(0)) {
            self.reach_head(&plan, &begin, BlockId(0), Span::NONE);
        } else {
            self.from(proc, &plan, BlockId(0), begin);
        }
        for (&block, &head) in &plan.heads {
            let begin = self.at_head(&plan, block, head);
            self.from(proc, &plan, block, begin);
        }
        self.plans[proc.0 as usize] = Some(plan);
    }

    /// Makes the clauses of all ways from a block to the next heads and ends.
    fn from(&mut self, proc: ProcId, plan: &Plan, block: BlockId, begin: state::State) {
        let count = plan.flow.count_paths(self.program, proc, block, MAX_PATHS);
        if count <= MAX_PATHS {
            self.by_paths(proc, plan, block, begin);
        } else {
            self.merged(proc, plan, block, begin);
        }
    }
}
