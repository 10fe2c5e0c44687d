//! Minimal unsatisfiable sets of groups of clauses.
//!
//! A proof gives a first core (`trim.rs`). Then each group gets a selector, and groups are left out
//! one at a time. Without a model the group is gone, with all those whose selectors the solver did
//! not need (refinement); with a model it is necessary, and so are those that rotation finds
//! (`rotate.rs`). Necessary groups become hard at once, which makes later queries easier.
//!
//! Invariant: the hard clauses, the necessary groups, those given up on and those in doubt have no
//! model together; no core among them misses a necessary group.
//!
//! After Belov, Lynce, Marques-Silva, "Towards efficient MUS extraction" (AI Communications 2012).

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::effort::Meter;
use super::rotate::Rotation;
use super::trim::trim;
use super::{Core, Effort, Found, Grouped};
use crate::group::Group;
use crate::literal::Lit;
use crate::options::Options;
use crate::solver::{Answer, Solver};

/// How a core is searched for.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What may be spent over all queries.
    pub effort: Effort,
    /// Whether a proof gives the first core.
    pub trim: bool,
    /// Whether models are rotated.
    pub rotate: bool,
    /// The settings of the solvers.
    pub options: Options,
    /// Ends the search soon after it becomes true.
    pub interrupt: Option<Arc<AtomicBool>>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            effort: Effort::default(),
            trim: true,
            rotate: true,
            options: Options::default(),
            interrupt: None,
        }
    }
}

impl Settings {
    /// Makes the variables of a formula and says when to stop.
    pub(super) fn prepare(&self, solver: &mut Solver, variables: usize) {
        for _ in 0..variables {
            solver.new_var();
        }
        if let Some(interrupt) = &self.interrupt {
            solver.set_interrupt(Arc::clone(interrupt));
        }
    }
}

/// Finds groups that with the hard clauses have no model, and no fewer of them, by their numbers.
///
/// ```
/// use alphorn_sat::cores::{Grouped, Settings, minimal_core};
/// use alphorn_sat::{Cnf, Var};
///
/// let (a, b) = (Var(0).positive(), Var(1).positive());
/// let clauses = vec![vec![a], vec![b], vec![!a, !b], vec![a, b]];
/// let formula = Grouped::of_clauses(&Cnf { variables: 2, clauses });
/// let core = minimal_core(&formula, &Settings::default()).into_core();
/// assert_eq!(core.expect("unsatisfiable").elements, [0, 1, 2]);
/// ```
pub fn minimal_core(formula: &Grouped, settings: &Settings) -> Found<usize> {
    let mut meter = Meter::new(settings.effort);
    let mut is_active = vec![true; formula.groups()];
    if settings.trim {
        match trim(formula, settings, &mut meter, &mut is_active) {
            Answer::Unsat => {}
            Answer::Sat => return Found::Satisfiable,
            Answer::Unknown => return Found::Unknown,
        }
    }
    let mut search = Search::new(formula, settings, &is_active);
    if !settings.trim {
        match search.begin(&mut meter) {
            Answer::Unsat => {}
            Answer::Sat => return Found::Satisfiable,
            Answer::Unknown => return Found::Unknown,
        }
    }
    search.run(&mut meter);
    Found::Core(search.into_core())
}

struct Search<'a> {
    solver: Solver,
    /// The groups of the solver that stand for those of the formula.
    selectors: Vec<Option<Group>>,
    rotation: Option<Rotation<'a>>,
    is_necessary: Vec<bool>,
    doubted: Vec<usize>,
    /// Groups about which a query gave up.
    unresolved: Vec<usize>,
    query: Vec<Lit>,
}

impl<'a> Search<'a> {
    fn new(formula: &'a Grouped, settings: &Settings, is_active: &[bool]) -> Search<'a> {
        let mut solver = Solver::new(settings.options.clone());
        settings.prepare(&mut solver, formula.variables());
        let selectors: Vec<Option<Group>> =
            is_active.iter().map(|active| active.then(|| solver.new_group())).collect();
        for (group, clause) in formula.clauses() {
            match group.map(|group| selectors[group]) {
                None => solver.add_clause(clause),
                Some(Some(selector)) => {
                    solver.add_to_group(selector, clause);
                }
                Some(None) => {}
            }
        }
        Search {
            solver,
            selectors,
            rotation: settings.rotate.then(|| Rotation::new(formula, is_active)),
            is_necessary: vec![false; is_active.len()],
            doubted: (0..is_active.len()).filter(|group| is_active[*group]).collect(),
            unresolved: Vec::new(),
            query: Vec::new(),
        }
    }

    fn selector(&self, group: usize) -> Group {
        self.selectors[group].expect("a group in question has a selector")
    }

    fn ask(&mut self, meter: &mut Meter) -> Answer {
        let mut query = std::mem::take(&mut self.query);
        query.clear();
        query.extend(
            self.doubted.iter().chain(&self.unresolved).map(|group| self.selector(*group).lit()),
        );
        let answer = meter.solve(&mut self.solver, &query, None);
        self.query = query;
        answer
    }

    /// Asks whether there is a core at all, and drops what the answer does not need.
    fn begin(&mut self, meter: &mut Meter) -> Answer {
        let answer = self.ask(meter);
        if answer == Answer::Unsat {
            self.refine();
        }
        answer
    }

    fn run(&mut self, meter: &mut Meter) {
        while let Some(group) = self.doubted.pop() {
            if meter.is_spent() {
                self.doubted.push(group);
                return;
            }
            match self.ask(meter) {
                Answer::Unsat => {
                    self.refine();
                    self.drop(group);
                }
                Answer::Sat => self.need(group),
                Answer::Unknown => self.unresolved.push(group),
            }
        }
    }

    /// Drops the groups that the last answer did not need.
    fn refine(&mut self) {
        let groups = self.doubted.drain(..).map(|group| (group, true));
        let groups: Vec<(usize, bool)> =
            groups.chain(self.unresolved.drain(..).map(|group| (group, false))).collect();
        let mut dropped = Vec::new();
        for (group, is_doubted) in groups {
            if !self.solver.is_failed(self.selector(group).lit()) {
                dropped.push(group);
            } else if is_doubted {
                self.doubted.push(group);
            } else {
                self.unresolved.push(group);
            }
        }
        dropped.into_iter().for_each(|group| self.drop(group));
    }

    fn drop(&mut self, group: usize) {
        if let Some(selector) = self.selectors[group].take() {
            // Once the necessary groups alone contradict, the solver is of no further use.
            if !self.solver.is_contradictory() {
                self.solver.release_group(selector);
            }
        }
        if let Some(rotation) = &mut self.rotation {
            rotation.remove(group);
        }
    }

    /// Notes that the last model shows `group` to be necessary, and what follows from that.
    fn need(&mut self, group: usize) {
        self.is_necessary[group] = true;
        let mut found = vec![group];
        if let Some(rotation) = &mut self.rotation {
            let value = |lit| self.solver.value(lit) == Some(true);
            found.extend(rotation.rotate(group, value, &mut self.is_necessary));
        }
        for group in found {
            let selector = self.selector(group).lit();
            self.solver.add_clause(&[selector]);
        }
        self.doubted.retain(|group| !self.is_necessary[*group]);
        self.unresolved.retain(|group| !self.is_necessary[*group]);
    }

    fn into_core(self) -> Core<usize> {
        let is_in = |group: &usize| self.selectors[*group].is_some();
        Core {
            elements: (0..self.selectors.len()).filter(is_in).collect(),
            is_minimal: self.doubted.is_empty() && self.unresolved.is_empty(),
        }
    }
}
