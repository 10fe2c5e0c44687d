//! Valuations worth a question: those that no point undercuts and no failure speaks for.
//!
//! A solver has the clauses of `problem::obligation::front` as they come; a bound on a cost is a literal, so
//! that valuations that undercut a certain one are those under assumptions. If the property is monotone, a
//! candidate is raised as long as it stays one: what fails then excludes most, and what holds is lowered
//! afterwards.

use crate::ask::{ask, make_variables};
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::obligation::front::{Bound, Encoder, Excluded};
use alphorn_problem::parameters::Parametric;
use alphorn_sat::{Lit, Options, Solver, Var};

/// The candidates that are left.
pub(super) struct Candidates<'a> {
    problem: &'a Parametric,
    is_monotone: bool,
    encoder: Encoder,
    /// How many clauses the solver has.
    told: usize,
    solver: Solver,
    /// The costs of what has to be undercut.
    prices: Vec<Vec<u64>>,
    /// The parameters by rising weight, summed over the costs in proportion to what each can be.
    cheapest: Vec<usize>,
}

impl<'a> Candidates<'a> {
    pub(super) fn new(problem: &'a Parametric, is_monotone: bool) -> Candidates<'a> {
        let mut solver = Solver::new(Options::default());
        make_variables(&mut solver, problem.params.len() as u32);
        let share = |at: usize| {
            let shares = problem.costs.iter().map(|cost| {
                let all: u128 = cost.weights.iter().map(|weight| u128::from(*weight)).sum();
                u128::from(cost.weights[at]) * (1 << 32) / all.max(1)
            });
            shares.sum::<u128>()
        };
        let mut cheapest: Vec<usize> = (0..problem.params.len()).collect();
        cheapest.sort_by_key(|at| share(*at));
        let (encoder, prices) = (Encoder::new(problem), Vec::new());
        Candidates { problem, is_monotone, encoder, told: 0, solver, prices, cheapest }
    }

    /// Whether what lies below a failure is excluded.
    pub(super) fn is_monotone(&self) -> bool {
        self.is_monotone
    }

    /// The parameters by falling weight.
    pub(super) fn dearest_first(&self) -> Vec<usize> {
        self.cheapest.iter().rev().copied().collect()
    }

    /// A candidate; one that undercuts a valid valuation, if there is one.
    pub(super) fn next(
        &mut self,
        below: Option<&[bool]>,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Vec<bool>>, Stop> {
        let limits = below.map(|valuation| self.problem.price(valuation));
        let mut assumptions = Vec::new();
        for (cost, most) in limits.iter().flatten().enumerate() {
            match self.encoder.at_most(cost, *most).map_err(Stop::Unsupported)? {
                Bound::Always => {}
                Bound::Never => return Ok(None),
                Bound::If(number) => assumptions.extend(Lit::from_dimacs(number)),
            }
        }
        self.tell();
        if !ask(&mut self.solver, &assumptions, None, ctx)? {
            return Ok(None);
        }
        let count = self.problem.params.len() as u32;
        let value = |at: u32| self.solver.value(Var(at).positive()) == Some(true);
        let mut candidate: Vec<bool> = (0..count).map(value).collect();
        if self.is_monotone {
            self.raise(&mut candidate, limits.as_deref());
        }
        Ok(Some(candidate))
    }

    /// Excludes what does not undercut a valid valuation.
    pub(super) fn undercut(&mut self, valuation: &[bool]) -> Result<(), Stop> {
        let price = self.problem.price(valuation);
        self.encoder.undercut(&price).map_err(Stop::Unsupported)?;
        self.prices.push(price);
        Ok(())
    }

    /// Excludes what a failure speaks for.
    pub(super) fn exclude(&mut self, excluded: &Excluded) {
        self.encoder.exclude(excluded);
    }

    /// Raises parameters, cheap ones first, as long as the valuation stays a candidate within the limits.
    fn raise(&self, candidate: &mut [bool], limits: Option<&[u64]>) {
        for &at in &self.cheapest {
            if candidate[at] {
                continue;
            }
            candidate[at] = true;
            let price = self.problem.price(candidate);
            let is_below = |most: &[u64]| price.iter().zip(most).any(|(cost, most)| cost < most);
            let is_within = |most: &[u64]| price.iter().zip(most).all(|(cost, most)| cost <= most);
            let stays = self.prices.iter().all(|price| is_below(price));
            candidate[at] = stays && limits.is_none_or(is_within);
        }
    }

    /// Gives the solver the clauses that it has not.
    fn tell(&mut self) {
        make_variables(&mut self.solver, self.encoder.cnf().variables());
        for clause in self.encoder.cnf().clauses().skip(self.told) {
            let clause: Vec<Lit> =
                clause.iter().filter_map(|number| Lit::from_dimacs(*number)).collect();
            self.solver.add_clause(&clause);
        }
        self.told = self.encoder.cnf().clauses().len();
    }
}
