//! Random programs over the numbers 0, 1 and 2.

use alphorn_problem::Span;
use alphorn_program::form::{
    Action, Block, BlockId, Check, Jump, Observation, Proc, ProcId, Program, Step, VarId,
};
use alphorn_term::{SortId, TermId};
use alphorn_testkit::Rng;

/// What programs look like.
#[derive(Clone, Copy)]
pub struct Shape {
    /// How many procedures there are at most.
    pub procs: usize,
    /// Whether all choices are observed, and no others are made.
    pub observes: bool,
    /// How many blocks a procedure has at most.
    pub blocks: usize,
}

/// A random program; whatever is assigned is 0, 1 or 2.
pub fn program(rng: &mut Rng, shape: Shape) -> Program {
    let mut program = Program::default();
    for name in ["g", "h"] {
        let var = program.add_var(name, SortId::INT, Span::NONE);
        program.globals.push(var);
    }
    let zero = program.terms.int(0);
    let starts: Vec<TermId> =
        program.globals.clone().iter().map(|&var| program.term(var)).collect();
    let starts: Vec<TermId> = starts.into_iter().map(|var| program.terms.eq(var, zero)).collect();
    program.start = Some(program.terms.and(&starts));
    let count = 1 + rng.below(shape.procs);
    for number in 0..count {
        let name = format!("p{number}");
        let mut own =
            |kind: &str| program.add_var(&format!("{name}_{kind}"), SortId::INT, Span::NONE);
        // The entry has no inputs, which could be anything.
        let inputs = if number == 0 { Vec::new() } else { vec![own("in")] };
        let (outputs, locals) = (vec![own("out")], vec![own("x")]);
        program.procs.push(Proc { name, inputs, outputs, locals, ..Proc::default() });
    }
    program.entry = Some(ProcId(0));
    for number in 0..count {
        let blocks = body(rng, &mut program, number, count, shape);
        program.procs[number].blocks = blocks;
    }
    program
}

fn body(
    rng: &mut Rng,
    program: &mut Program,
    number: usize,
    procs: usize,
    shape: Shape,
) -> Vec<Block> {
    let own = program.procs[number].clone();
    let mut vars = program.globals.clone();
    vars.extend(own.inputs.iter().chain(&own.outputs).chain(&own.locals));
    let zero = program.terms.int(0);
    let fresh: Vec<(VarId, TermId)> =
        own.outputs.iter().chain(&own.locals).map(|&var| (var, zero)).collect();
    let count = 2 + rng.below(shape.blocks - 1);
    let mut blocks = Vec::new();
    for index in 0..count {
        let mut steps = Vec::new();
        let mut push = |action| steps.push(Step { action, span: Span::NONE });
        if index == 0 {
            push(Action::Assign(fresh.clone()));
        }
        for _ in 0..1 + rng.below(3usize) {
            for action in actions(rng, program, &vars, procs, shape) {
                push(action);
            }
        }
        let target = |rng: &mut Rng| BlockId(rng.below(count as u64) as u32);
        let forward = |rng: &mut Rng| {
            BlockId(
                (index as u64 + 1 + rng.below((count - index) as u64)).min(count as u64 - 1) as u32
            )
        };
        let jump = match rng.below(8usize) {
            _ if index + 1 == count => Jump::Return,
            0 => Jump::Goto(target(rng)),
            1 if !shape.observes => Jump::Choose(vec![forward(rng), target(rng)]),
            2 if 2 * index > count => Jump::Return,
            3 => Jump::Branch(formula(rng, program, &vars), target(rng), forward(rng)),
            _ => Jump::Branch(formula(rng, program, &vars), forward(rng), forward(rng)),
        };
        blocks.push(Block { label: None, span: Span::NONE, steps, jump });
    }
    blocks
}

fn actions(
    rng: &mut Rng,
    program: &mut Program,
    vars: &[VarId],
    procs: usize,
    shape: Shape,
) -> Vec<Action> {
    let var = rng.pick(vars);
    match rng.below(14usize) {
        0 | 1 => {
            let is_small = in_range(program, program.term(var));
            let mut all = vec![Action::Havoc(vec![var]), Action::Assume(is_small)];
            if shape.observes {
                all.insert(1, Action::Observe(Observation::Value(program.term(var))));
            }
            all
        }
        2 | 7 => {
            let formula = formula(rng, program, vars);
            vec![Action::Check(Check { property: "check".to_owned(), formula })]
        }
        3 => vec![Action::Assume(formula(rng, program, vars))],
        4 if !shape.observes => {
            let next = program.terms.fresh_var("next", SortId::INT);
            let (is_small, now) = (in_range(program, next), program.term(var));
            let differs = program.terms.eq(next, now);
            let differs = program.terms.not(differs);
            let formula = program.terms.and(&[is_small, differs]);
            vec![Action::Relate(vec![(var, next)], formula)]
        }
        5 | 6 => {
            let callee = ProcId(rng.below(procs as u64) as u32);
            let inputs = program.proc(callee).inputs.len();
            let args = (0..inputs).map(|_| value(rng, program, vars)).collect();
            vec![Action::Call { proc: callee, args, results: vec![var] }]
        }
        _ => {
            let other = rng.pick(vars);
            let mut pairs = vec![(var, value(rng, program, vars))];
            if other != var {
                pairs.push((other, value(rng, program, vars)));
            }
            vec![Action::Assign(pairs)]
        }
    }
}

fn in_range(program: &mut Program, term: TermId) -> TermId {
    let (zero, two) = (program.terms.int(0), program.terms.int(2));
    let (low, high) = (program.terms.le(zero, term), program.terms.le(term, two));
    program.terms.and(&[low, high])
}

/// A number, a variable, or the next number after a variable.
fn value(rng: &mut Rng, program: &mut Program, vars: &[VarId]) -> TermId {
    let var = program.term(rng.pick(vars));
    match rng.below(3usize) {
        0 => program.terms.int(rng.between(0, 2)),
        1 => var,
        _ => {
            let (zero, one, two) =
                (program.terms.int(0), program.terms.int(1), program.terms.int(2));
            let (is_last, next) = (program.terms.eq(var, two), program.terms.add(&[var, one]));
            program.terms.ite(is_last, zero, next)
        }
    }
}

fn formula(rng: &mut Rng, program: &mut Program, vars: &[VarId]) -> TermId {
    let (left, right) = (program.term(rng.pick(vars)), value(rng, program, vars));
    match rng.below(3usize) {
        0 => program.terms.eq(left, right),
        1 => program.terms.le(left, right),
        _ => {
            let same = program.terms.eq(left, right);
            program.terms.not(same)
        }
    }
}
