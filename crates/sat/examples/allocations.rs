//! Counts what small queries allocate, which is nothing once buffers have grown; exit code 1
//! otherwise.
//!
//! A layered circuit of conjunctions is asked about its outputs: under assumptions, in a domain,
//! with a temporary clause, and with a theory that implies literals and explains them. The queries
//! are run ten times for the buffers and once more for the count; those that meet conflicts are left
//! out, because what is learned has to be stored.

// Counting needs an allocator of its own, and the trait of allocators is unsafe.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

use alphorn_sat::{Context, FinalCheck, Lit, NoTheory, Options, Solver, Theory, Var};
use alphorn_testkit::Rng;

struct Counting;

static COUNT: AtomicU64 = AtomicU64::new(0);

// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const INPUTS: u32 = 40;
const GATES: u32 = 600;

/// Where one of two inputs is true, a third one is; explained when asked.
struct Implies {
    trail: Vec<Lit>,
    levels: Vec<usize>,
}

impl Theory for Implies {
    fn assign(&mut self, lit: Lit) {
        self.trail.push(lit);
    }

    fn new_level(&mut self) {
        self.levels.push(self.trail.len());
    }

    fn backtrack(&mut self, level: u32) {
        self.trail.truncate(self.levels[level as usize]);
        self.levels.truncate(level as usize);
    }

    fn propagate(&mut self, context: &mut Context<'_>) {
        for lit in &self.trail {
            let next = Var((lit.var().0 + 1) % INPUTS).positive();
            if lit.var().0 < 8 && !lit.is_negated() && context.value(next).is_none() {
                context.imply(next);
            }
        }
    }

    fn explain(&mut self, lit: Lit, others: &mut Vec<Lit>) {
        others.push(Var(lit.var().0 - 1).negative());
    }

    fn decide(&mut self, _: &mut Context<'_>) -> Option<Lit> {
        None
    }

    fn final_check(&mut self, _: &mut Context<'_>) -> FinalCheck {
        FinalCheck::Consistent
    }
}

/// A query: assumptions, a temporary clause or none, and the cone of both.
struct Query {
    assumptions: Vec<Lit>,
    clause: Vec<Lit>,
    cone: Vec<Var>,
}

fn circuit<T: Theory>(solver: &mut Solver<T>) -> Vec<[Lit; 2]> {
    let mut random = Rng::new(1);
    (0..INPUTS).for_each(|_| _ = solver.new_var());
    let mut gates = Vec::new();
    for _ in 0..GATES {
        let known = solver.variables();
        let input = |random: &mut Rng| {
            let back = 1 + random.below(known.min(60));
            Var(known - back).lit(random.one_in(2))
        };
        let (a, b) = (input(&mut random), input(&mut random));
        let out = solver.new_var().positive();
        solver.add_clause(&[!out, a]);
        solver.add_clause(&[!out, b]);
        solver.add_clause(&[out, !a, !b]);
        gates.push([a, b]);
    }
    gates
}

fn queries(gates: &[[Lit; 2]]) -> Vec<Query> {
    let mut random = Rng::new(2);
    let mut queries = Vec::new();
    for _ in 0..500 {
        let mut lit = || Var(random.below(INPUTS + GATES)).lit(random.one_in(2));
        let (assumptions, clause) = (vec![lit(), lit()], vec![lit(), lit()]);
        let mut is_inside = vec![false; (INPUTS + GATES) as usize];
        assumptions.iter().chain(&clause).for_each(|lit| is_inside[lit.var().index()] = true);
        for index in (0..gates.len()).rev() {
            if is_inside[INPUTS as usize + index] {
                gates[index].iter().for_each(|lit| is_inside[lit.var().index()] = true);
            }
        }
        let inside = (0..is_inside.len()).filter(|index| is_inside[*index]);
        queries.push(Query { assumptions, clause, cone: inside.map(|v| Var(v as u32)).collect() });
    }
    queries
}

fn ask<T: Theory>(solver: &mut Solver<T>, query: &Query, domain: bool, clause: bool) {
    if domain {
        solver.set_domain(&query.cone);
    }
    match clause {
        true => solver.solve_with_clause(&query.assumptions, &query.clause),
        false => solver.solve(&query.assumptions),
    };
}

/// Runs the queries often; returns how many counted in the last round, and their allocations.
fn measure<T: Theory>(theory: T, domain: bool, clause: bool) -> (usize, u64) {
    let mut solver = Solver::with_theory(Options::default(), theory);
    let gates = circuit(&mut solver);
    let queries = queries(&gates);
    for _ in 0..10 {
        queries.iter().for_each(|query| ask(&mut solver, query, domain, clause));
    }
    let (mut counted, mut allocations) = (0, 0);
    for query in &queries {
        let (conflicts, before) = (solver.stats().conflicts, COUNT.load(Ordering::Relaxed));
        ask(&mut solver, query, domain, clause);
        if solver.stats().conflicts == conflicts {
            counted += 1;
            allocations += COUNT.load(Ordering::Relaxed) - before;
        }
    }
    (counted, allocations)
}

fn main() {
    let implies = || Implies { trail: Vec::new(), levels: Vec::new() };
    let rows = [
        ("assumptions", measure(NoTheory, false, false)),
        ("domain", measure(NoTheory, true, false)),
        ("temporary clause", measure(NoTheory, false, true)),
        ("domain, clause", measure(NoTheory, true, true)),
        ("theory", measure(implies(), false, false)),
        ("theory, clause", measure(implies(), false, true)),
    ];
    for (name, (queries, allocations)) in rows {
        println!("{name:<20} {queries:>4} queries {allocations:>6} allocations");
    }
    let is_good = |(queries, allocations): (usize, u64)| queries > 100 && allocations == 0;
    std::process::exit(i32::from(!rows.iter().all(|(_, row)| is_good(*row))));
}
