//! Whether a set of clauses supports a clause or the property, asked of a solver.
//!
//! The formulas are the obligations of the invariant that has all clauses (`obligation::circuit`), with
//! a selector for each clause of the first step: the clause holds if its selector does, and where it
//! holds the selector may hold. That the invariant is violated afterwards is not part of the formula
//! but asked clause by clause.
//!
//! For `nec` there is a switch: with it at most one clause of the first step fails.

use crate::ask::{ask, make_variables};
use alphorn_engine::subset::{Core, Element, Support};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Circuit;
use alphorn_problem::circuit::Lit as Bit;
use alphorn_problem::evidence::circuit::Invariant;
use alphorn_problem::obligation::circuit::{Cnf, Obligations};
use alphorn_sat::{Lit, Options, Solver, Var};

/// One of the two formulas.
struct Formula {
    solver: Solver,
    selectors: Vec<Lit>,
    /// That at most one clause fails.
    at_most_one: Lit,
}

/// The questions about an invariant.
pub(super) struct Clauses {
    count: usize,
    consecution: Formula,
    sufficiency: Formula,
    /// For each clause that it fails after the step.
    violated: Vec<Lit>,
    /// How often a solver was asked.
    pub(super) asked: usize,
}

impl Clauses {
    /// The questions about an invariant of clauses, none of which always holds, or why they cannot be
    /// asked.
    pub(super) fn new(
        circuit: &Circuit,
        property: usize,
        clauses: &[Vec<Bit>],
    ) -> Result<Clauses, String> {
        let invariant = Invariant::Clauses(clauses.to_vec());
        let obligations = Obligations::new(circuit, property, &invariant)?;
        let (consecution, sufficiency) = (obligations.build(1)?.cnf, obligations.build(2)?.cnf);
        let count = clauses.len();
        let literals: usize = clauses.iter().map(Vec::len).sum();
        // The clauses of the first step, then the definitions of the violations, then that there is one.
        let first = consecution.clauses().len() - 1 - literals - count;
        let violated = (0..count as u32)
            .map(|index| Var(consecution.variables() - count as u32 + index).positive())
            .collect();
        let last = consecution.clauses().len() - 1;
        let consecution = Formula::new(&consecution, first, count, last);
        let first = sufficiency.clauses().len() - count;
        let sufficiency = Formula::new(&sufficiency, first, count, usize::MAX);
        Ok(Clauses { count, consecution, sufficiency, violated, asked: 0 })
    }

    fn formula(&mut self, element: Element) -> (&mut Formula, Option<Lit>) {
        match element {
            Element::Property => (&mut self.sufficiency, None),
            Element::Part(index) => (&mut self.consecution, Some(self.violated[index])),
        }
    }
}

impl Support for Clauses {
    fn count(&self) -> usize {
        self.count
    }

    fn supporters(&mut self, element: Element, set: &[usize], ctx: &mut Ctx<'_>) -> Core {
        self.asked += 1;
        let (formula, violated) = self.formula(element);
        let mut assumptions: Vec<Lit> = violated.into_iter().collect();
        assumptions.extend(set.iter().map(|&index| formula.selectors[index]));
        if ask(&mut formula.solver, &assumptions, None, ctx)? {
            return Ok(None);
        }
        Ok(Some(formula.used(set)))
    }

    fn supporters_of_all(&mut self, parts: &[usize], set: &[usize], ctx: &mut Ctx<'_>) -> Core {
        self.asked += 1;
        let violated: Vec<Lit> = parts.iter().map(|&index| self.violated[index]).collect();
        let formula = &mut self.consecution;
        let assumptions: Vec<Lit> = set.iter().map(|&index| formula.selectors[index]).collect();
        if ask(&mut formula.solver, &assumptions, Some(&violated), ctx)? {
            return Ok(None);
        }
        Ok(Some(formula.used(set)))
    }

    fn necessary(
        &mut self,
        element: Element,
        kept: &[bool],
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<usize>, Stop> {
        self.asked += 1;
        let (formula, violated) = self.formula(element);
        let mut assumptions = vec![formula.at_most_one];
        assumptions.extend(violated);
        let hard = formula.selectors.iter().zip(kept).filter(|(_, kept)| **kept);
        assumptions.extend(hard.map(|(selector, _)| *selector));
        if !ask(&mut formula.solver, &assumptions, None, ctx)? {
            return Ok(None);
        }
        let fails = |selector: &Lit| formula.solver.value(*selector) == Some(false);
        let found = formula.selectors.iter().position(fails);
        found.map(Some).ok_or_else(|| Stop::Stuck("the invariant is not inductive".into()))
    }
}

impl Formula {
    /// The clauses of an obligation, with selectors for `count` of them from `first` on, without the
    /// one at `without`.
    fn new(cnf: &Cnf, first: usize, count: usize, without: usize) -> Formula {
        let mut solver = Solver::new(Options::default());
        make_variables(&mut solver, cnf.variables());
        let selectors: Vec<Lit> = (0..count).map(|_| solver.new_var().positive()).collect();
        let mut clause: Vec<Lit> = Vec::new();
        for (position, numbers) in cnf.clauses().enumerate().filter(|(at, _)| *at != without) {
            clause.clear();
            clause.extend(numbers.iter().filter_map(|number| Lit::from_dimacs(*number)));
            if let Some(index) = position.checked_sub(first).filter(|index| *index < count) {
                for &lit in &clause {
                    solver.add_clause(&[selectors[index], !lit]);
                }
                clause.push(!selectors[index]);
            }
            solver.add_clause(&clause);
        }
        let at_most_one = at_most_one_false(&mut solver, &selectors);
        Formula { solver, selectors, at_most_one }
    }

    /// The members of the set that the last answer used.
    fn used(&self, set: &[usize]) -> Vec<usize> {
        let used = |index: &usize| self.solver.is_failed(self.selectors[*index]);
        set.iter().copied().filter(used).collect()
    }
}

/// A literal that makes at most one of the selectors false, by counting along them.
fn at_most_one_false(solver: &mut Solver, selectors: &[Lit]) -> Lit {
    let switch = solver.new_var().positive();
    let mut before: Option<Lit> = None;
    for &selector in selectors {
        let seen = solver.new_var().positive();
        solver.add_clause(&[!switch, selector, seen]);
        if let Some(before) = before {
            solver.add_clause(&[!switch, !before, seen]);
            solver.add_clause(&[!switch, !before, selector]);
        }
        before = Some(seen);
    }
    switch
}
