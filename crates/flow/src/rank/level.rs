//! One level of ranks for the transitions of a component, by linear programming.
//!
//! A rank is affine with unknown coefficients at each location; that it decreases along a polyhedron of
//! steps is, by Farkas' lemma, that it is a sum of the polyhedron's rows with multipliers that are not
//! negative. No transition may increase it, and as many as possible are to be removed: each in turn is added
//! to the program and stays if there still is a solution. A solution is tried on the transitions
//! themselves; a counterexample adds a polyhedron, of which each transition has finitely many.
//!
//! With several functions the level is a nested rank (Leike, Heizmann, "Ranking templates for linear loops",
//! TACAS 2014): the same program with more unknowns. Levels after Bradley, Manna, Sipma, "Linear ranking with
//! reachability" (CAV 2005), and Alias, Darte, Feautrier, Gonnord (SAS 2010); the loop over implicants after
//! Gonnord, Monniaux, Radanne (PLDI 2015).

mod found;

use super::lp::{Lp, Sum, Unknown};
use super::steps::{Outcome, Piece, Steps};
use crate::settings::{RANK_LP_TICKS, RANK_MAX_ROUNDS};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::evidence::flow::Level;
use alphorn_problem::flow::LocId;
use alphorn_smt::Linear;
use alphorn_smt::project::Polyhedron;
use alphorn_term::{Rat, TermId};
pub(super) use found::{affine_term, level_of, violation};
use std::collections::{BTreeMap, BTreeSet};

/// Unknown affine functions, one for each location and case: a coefficient for each variable and, last, the
/// constant.
pub(super) type Affine = BTreeMap<(LocId, usize), Vec<Unknown>>;

/// Affine functions with values for the unknowns.
pub(super) type Coefficients = BTreeMap<(LocId, usize), Vec<Rat>>;

/// That a sum of dimensions is not negative in a polyhedron: sums that must be zero, and one that must not be
/// negative.
pub(super) struct Condition {
    pub(super) zeros: Vec<Sum>,
    pub(super) constant: Sum,
}

/// The conditions of a polyhedron of a transition.
struct Conditions {
    /// No function increases.
    kept: Vec<Condition>,
    /// Each function decreases, with the credit of the one before.
    credited: Vec<Condition>,
    /// The last function is not negative.
    bounded: Condition,
}

/// A sum of dimensions with unknown coefficients.
#[derive(Default)]
pub(super) struct Target {
    constant: Sum,
    terms: BTreeMap<TermId, Sum>,
}

impl Target {
    /// Adds a multiple of an affine function of some values.
    pub(super) fn add(&mut self, function: &[Unknown], values: &[Linear], factor: &Rat) {
        let (&constant, coefficients) = function.split_last().expect("it has a constant");
        self.constant.add(constant, factor);
        for (&unknown, value) in coefficients.iter().zip(values) {
            self.constant.add(unknown, &(&value.constant * factor));
            for (dimension, multiple) in &value.terms {
                let sum = self.terms.entry(*dimension).or_default();
                sum.add(unknown, &(multiple * factor));
            }
        }
    }

    /// That this is not negative in a polyhedron: by Farkas' lemma.
    pub(super) fn holds_in(mut self, polyhedron: &Polyhedron, lp: &mut Lp) -> Condition {
        for row in &polyhedron.rows {
            let multiplier = lp.multiplier();
            self.constant.add(multiplier, &-&row.constant);
            for (dimension, value) in &row.terms {
                self.terms.entry(*dimension).or_default().add(multiplier, &-value);
            }
        }
        Condition { zeros: self.terms.into_values().collect(), constant: self.constant }
    }
}

/// A linear program for one level of a component.
struct Program {
    lp: Lp,
    functions: Vec<Affine>,
    /// For each transition, what its polyhedra demand.
    conditions: BTreeMap<usize, Vec<Conditions>>,
    /// The coefficients in the solution found last.
    solution: Vec<Coefficients>,
}

impl Program {
    fn new(steps: &Steps<'_>, edges: &[usize], depth: usize) -> Program {
        let mut lp = Lp::new(RANK_LP_TICKS.get());
        let functions = (0..depth).map(|_| affine(&mut lp, steps, edges)).collect();
        Program { lp, functions, conditions: BTreeMap::new(), solution: Vec::new() }
    }

    /// Adds what the polyhedra demand that are not there yet.
    fn grow(&mut self, steps: &Steps<'_>, edges: &[usize]) {
        let mut new = Vec::new();
        for &edge in edges {
            let known = self.conditions.get(&edge).map_or(0, Vec::len);
            new.extend(steps.polyhedra[edge][known..].iter().map(|found| (edge, found)));
        }
        let mut made = Vec::new();
        for (edge, Piece { polyhedron, cases }) in new {
            let step = &steps.flow.transitions[edge];
            let (before, after) = polyhedron.values.split_at(steps.flow.vars.len());
            let [from, to] = [(step.from, cases[0]), (step.to, cases[1])];
            let (mut kept, mut credited) = (Vec::new(), Vec::new());
            for (at, function) in self.functions.iter().enumerate() {
                let decrease = || {
                    let mut target = Target::default();
                    target.add(&function[&from], before, &Rat::ONE);
                    target.add(&function[&to], after, &Rat::MINUS_ONE);
                    target
                };
                kept.push(decrease().holds_in(polyhedron, &mut self.lp));
                if at > 0 {
                    let mut target = decrease();
                    target.add(&self.functions[at - 1][&from], before, &Rat::ONE);
                    credited.push(target.holds_in(polyhedron, &mut self.lp));
                }
            }
            let mut target = Target::default();
            let last = self.functions.last().expect("a level has a function");
            target.add(&last[&from], before, &Rat::ONE);
            let bounded = target.holds_in(polyhedron, &mut self.lp);
            made.push((edge, Conditions { kept, credited, bounded }));
        }
        // Equations first: what they are solved for never gets to the simplex method. The first function
        // does not increase, whether or not a transition is removed.
        for zero in made.iter().flat_map(|(_, all)| &all.kept[0].zeros) {
            self.lp.is_zero(zero);
        }
        for (edge, all) in made {
            self.lp.is_at_least(&all.kept[0].constant, &Rat::ZERO);
            self.conditions.entry(edge).or_default().push(all);
        }
    }

    /// Says in the innermost scope that a transition is removed, or that it is kept.
    fn decide(&mut self, edge: usize, is_removed: bool) {
        let Program { lp, conditions, .. } = self;
        let mut say = |condition: &Condition, least: &Rat| {
            condition.zeros.iter().for_each(|zero| lp.is_zero(zero));
            lp.is_at_least(&condition.constant, least);
        };
        for all in conditions.get(&edge).into_iter().flatten() {
            if is_removed {
                say(&all.kept[0], &Rat::ONE);
                all.credited.iter().for_each(|condition| say(condition, &Rat::ONE));
                say(&all.bounded, &Rat::ZERO);
            } else {
                all.kept[1..].iter().for_each(|condition| say(condition, &Rat::ZERO));
            }
        }
    }

    /// Chooses transitions that are removed, among the open ones: with those chosen and then each other one in turn, the program
    /// must have a solution. At the end the solution is there.
    fn choose(
        &mut self,
        edges: &[usize],
        open: &[usize],
        ctx: &mut Ctx<'_>,
    ) -> Result<BTreeSet<usize>, Stop> {
        let mut chosen = BTreeSet::new();
        if !self.lp.is_feasible(ctx)? {
            return Ok(chosen);
        }
        if self.functions.len() == 1 {
            // Being kept asks for nothing more, so that scopes can stay open.
            let mut scopes = 0;
            for &edge in open {
                self.lp.push();
                self.decide(edge, true);
                if self.lp.is_feasible(ctx)? {
                    scopes += 1;
                    chosen.insert(edge);
                } else {
                    self.lp.pop();
                }
            }
            self.lp.is_feasible(ctx)?;
            self.solve();
            (0..scopes).for_each(|_| self.lp.pop());
            return Ok(chosen);
        }
        let all: BTreeSet<usize> = open.iter().copied().collect();
        if self.is_solved(&all, edges, ctx)? {
            return Ok(all);
        }
        for &edge in open {
            chosen.insert(edge);
            if !self.is_solved(&chosen, edges, ctx)? {
                chosen.remove(&edge);
            }
        }
        Ok(chosen)
    }

    /// Whether some transitions can be removed and the others kept.
    fn is_solved(
        &mut self,
        removed: &BTreeSet<usize>,
        edges: &[usize],
        ctx: &mut Ctx<'_>,
    ) -> Result<bool, Stop> {
        self.lp.push();
        for &edge in edges {
            self.decide(edge, removed.contains(&edge));
        }
        let is_solved = self.lp.is_feasible(ctx)?;
        if is_solved {
            self.solve();
        }
        self.lp.pop();
        Ok(is_solved)
    }

    /// Takes down the solution that was found last.
    fn solve(&mut self) {
        let values = |function: &Affine| {
            function.iter().map(|(&at, all)| (at, self.lp.values(all))).collect()
        };
        self.solution = self.functions.iter().map(values).collect();
    }
}

/// An unknown affine function at the locations of some transitions, for each case. Only numbers and truth values have
/// unknown coefficients; those of others are never asked about.
pub(super) fn affine(lp: &mut Lp, steps: &Steps<'_>, edges: &[usize]) -> Affine {
    let mut function = Affine::new();
    for &edge in edges {
        let step = &steps.flow.transitions[edge];
        for at in [step.from, step.to] {
            for case in 0..1 << steps.atoms.len() {
                function
                    .entry((at, case))
                    .or_insert_with(|| (0..=steps.flow.vars.len()).map(|_| lp.unknown()).collect());
            }
        }
    }
    function
}

/// A level that removes some of these transitions, which are on cycles of each other.
pub(super) fn find(
    steps: &mut Steps<'_>,
    edges: &[usize],
    depth: usize,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Level>, Stop> {
    for &edge in edges {
        steps.begin(edge, ctx)?;
    }
    let mut program = Program::new(steps, edges, depth);
    let mut hopeless = BTreeSet::new();
    for _ in 0..RANK_MAX_ROUNDS.get() {
        program.grow(steps, edges);
        let open: Vec<usize> =
            edges.iter().copied().filter(|edge| !hopeless.contains(edge)).collect();
        let chosen = program.choose(edges, &open, ctx)?;
        if chosen.is_empty() {
            return Ok(None);
        }
        let level = level_of(steps, &program.solution, chosen.into_iter().collect());
        let mut is_done = true;
        for &edge in edges {
            let wrong = violation(steps, &level, edge);
            match steps.refute(edge, wrong, ctx)? {
                Outcome::Holds => {}
                Outcome::Refuted => is_done = false,
                // A transition that the solver cannot deal with can be kept only by luck.
                Outcome::Unknown if hopeless.insert(edge) => is_done = false,
                Outcome::Unknown => return Ok(None),
            }
        }
        if is_done {
            return Ok(Some(level));
        }
    }
    Ok(None)
}

/// Whether the linear program has a solution without one of the polyhedra, that of a transition, by position:
/// one that removes more than what would then have none.
pub(super) fn would_be_solved(
    steps: &mut Steps<'_>,
    edges: &[usize],
    (edge, position): (usize, usize),
    ctx: &mut Ctx<'_>,
) -> Result<bool, Stop> {
    let left_out = steps.polyhedra[edge].remove(position);
    let mut program = Program::new(steps, edges, 1);
    program.grow(steps, edges);
    let chosen = program.choose(edges, edges, ctx);
    let has_one = |edge: &usize| !steps.polyhedra[*edge].is_empty();
    let is_solved = chosen.map(|chosen| chosen.iter().any(has_one));
    steps.polyhedra[edge].insert(position, left_out);
    is_solved
}
