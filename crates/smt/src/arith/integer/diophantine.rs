//! The equations that hold because bounds meet, solved over the integers.
//!
//! Variables whose bounds meet are equations over integer unknowns. They are solved one after the
//! other: an equation with a coefficient ±1 gives its unknown; in one without, the unknown x with
//! the smallest coefficient a is replaced by t = x + Σ qᵢ·yᵢ, where the qᵢ are the quotients of the
//! other coefficients by a, which leaves remainders smaller than a. As the replacement is
//! invertible over the integers, coefficients have the same common divisors before and after, and
//! an equation whose coefficients have one that the constant lacks is a contradiction. Each
//! equation carries its multipliers of the original ones, which are the certificate.
//!
//! The solution also tightens bounds: a bounded form that is g·q + c on all solutions is only equal
//! to c modulo g.
//!
//! After Griggio (JSAT 8, 2012); the use of solutions on bounds is that of Bromberger and
//! Weidenbach (IJCAR 2016) in spirit. Replacements are applied to an equation when its turn comes,
//! so that there is only ever one equation to rewrite.

use crate::settings::{DIOPHANTINE_MAX_BITS, DIOPHANTINE_MAX_BOUNDS, DIOPHANTINE_MAX_EQUATIONS};
use std::collections::BTreeMap;

use alphorn_term::{Int, Rat};

use super::super::Arith;
use super::super::bound::{Bound, Delta, Side, Var};
use super::super::certificate::{Derivation, Line};
use super::Stop;

/// The polynomial `Σ terms + constant`: an original one plus multiples of fixed variables' equations.
#[derive(Debug, Default)]
struct Polynomial {
    terms: BTreeMap<u32, Int>,
    constant: Int,
    /// The multipliers of `v - b`, by the fixed variables v.
    weights: BTreeMap<u32, Rat>,
}

impl Polynomial {
    fn add_term(&mut self, var: u32, coefficient: &Int, by: &Int) {
        let sum = self.terms.entry(var).or_default();
        sum.mul_add_assign(coefficient, by);
        if sum.is_zero() {
            self.terms.remove(&var);
        }
    }

    fn add(&mut self, other: &Polynomial, by: &Int) {
        for (var, coefficient) in &other.terms {
            self.add_term(*var, coefficient, by);
        }
        self.constant.mul_add_assign(&other.constant, by);
        let by = Rat::from(by);
        for (var, weight) in &other.weights {
            let sum = self.weights.entry(*var).or_default();
            sum.mul_add_assign(weight, &by);
            if sum.is_zero() {
                self.weights.remove(var);
            }
        }
    }

    fn content(&self) -> Int {
        let mut content = Int::ZERO;
        for coefficient in self.terms.values() {
            content = content.gcd(coefficient);
            if content.is_one() {
                break;
            }
        }
        content
    }

    /// Divides by a common divisor of all numbers.
    fn divide(&mut self, divisor: &Int) {
        let exact = |number: &Int| number.div_exact(divisor).expect("a common divisor divides");
        for coefficient in self.terms.values_mut() {
            *coefficient = exact(coefficient);
        }
        self.constant = exact(&self.constant);
        let inverse = Rat::from(divisor).recip().expect("divisors are not zero");
        for weight in self.weights.values_mut() {
            *weight *= &inverse;
        }
    }

    fn weights(&self) -> Vec<(u32, Rat)> {
        self.weights.iter().map(|(var, weight)| (*var, weight.clone())).collect()
    }

    fn is_small(&self) -> bool {
        self.terms.values().all(|coefficient| coefficient.bit_len() <= DIOPHANTINE_MAX_BITS.size())
    }
}

/// What an unknown is replaced by.
#[derive(Debug)]
enum Replacement {
    /// `var + Σ quotients = fresh`.
    Renaming { var: u32, fresh: u32, quotients: Vec<(u32, Int)> },
    /// An equation in which the unknown has the coefficient `sign`, 1 or −1.
    Solution { var: u32, sign: Int, equation: Polynomial },
}

impl Replacement {
    fn apply(&self, to: &mut Polynomial) {
        match self {
            Replacement::Renaming { var, fresh, quotients } => {
                let Some(coefficient) = to.terms.remove(var) else { return };
                for (other, quotient) in quotients {
                    to.add_term(*other, quotient, &-&coefficient);
                }
                to.add_term(*fresh, &coefficient, &Int::ONE);
            }
            Replacement::Solution { var, sign, equation } => {
                let Some(coefficient) = to.terms.get(var) else { return };
                let by = -(coefficient * sign);
                to.add(equation, &by);
            }
        }
    }
}

/// A solved system of equations.
#[derive(Debug, Default)]
struct Solver {
    replacements: Vec<Replacement>,
    /// The number of the next unknown made up.
    fresh: u32,
}

/// What became of an equation.
enum Outcome {
    Solved,
    /// No integers solve it.
    Contradiction(Polynomial),
    /// Its numbers grew too large.
    TooLarge,
}

impl Solver {
    fn reduce(&self, polynomial: &mut Polynomial) {
        for replacement in &self.replacements {
            replacement.apply(polynomial);
        }
    }

    fn solve(&mut self, mut equation: Polynomial) -> Outcome {
        self.reduce(&mut equation);
        loop {
            let content = equation.content();
            if content.is_zero() || !equation.is_small() {
                return if content.is_zero() { Outcome::Solved } else { Outcome::TooLarge };
            }
            if !equation.constant.is_multiple_of(&content) {
                return Outcome::Contradiction(equation);
            }
            equation.divide(&content);
            let least = equation.terms.iter().min_by_key(|(_, coefficient)| coefficient.abs());
            let (&var, coefficient) = least.expect("the content is not zero");
            let coefficient = coefficient.clone();
            if coefficient.abs().is_one() {
                let sign = coefficient;
                self.replacements.push(Replacement::Solution { var, sign, equation });
                return Outcome::Solved;
            }
            let mut quotients = Vec::new();
            for (other, number) in &equation.terms {
                let quotient = number.div_floor(&coefficient).expect("coefficients are not zero");
                if *other != var && !quotient.is_zero() {
                    quotients.push((*other, quotient));
                }
            }
            let fresh = self.fresh;
            self.fresh += 1;
            let renaming = Replacement::Renaming { var, fresh, quotients };
            renaming.apply(&mut equation);
            self.replacements.push(renaming);
        }
    }
}

impl Arith {
    /// Solves the equations of fixed integers, and tightens bounds by the solution; `true` if
    /// there are any. Those of forms come first alone: what follows from them does not depend on the values that
    /// unknowns happen to have, so it is learned once for all of these.
    pub(super) fn solve_equations(&mut self) -> Result<bool, Stop> {
        let is_fixed = |var: &Var| self.is_fixed_int(var.0);
        let has_values = self.unknowns.iter().any(is_fixed);
        Ok(self.solve_some(false)? || has_values && self.solve_some(true)?)
    }

    /// Solves the equations of fixed forms, and, if so wanted, of fixed unknowns.
    fn solve_some(&mut self, with_unknowns: bool) -> Result<bool, Stop> {
        let mut solver = Solver { fresh: self.variables.len() as u32, ..Solver::default() };
        let first = if with_unknowns { 0 } else { self.unknowns.len() };
        let vars = (first..self.vars_in_play()).map(|position| self.var_in_play(position).0);
        let fixed = vars.filter(|var| self.is_fixed_int(*var));
        for var in fixed.take(DIOPHANTINE_MAX_EQUATIONS.size()).collect::<Vec<_>>() {
            let Some(mut equation) = self.polynomial(var) else { continue };
            let value = self.limits[var as usize].fixed().and_then(|value| value.value.to_int());
            equation.constant = -value.expect("a fixed integer is one");
            equation.weights.insert(var, Rat::ONE);
            self.spend(1 + solver.replacements.len() as u64 / 2);
            if self.is_exhausted() {
                return Ok(false);
            }
            match solver.solve(equation) {
                Outcome::Solved => {}
                Outcome::TooLarge => return Ok(false),
                Outcome::Contradiction(equation) => {
                    let derivation = self.no_integer(&equation.weights());
                    return Err(self.contradiction(derivation));
                }
            }
        }
        if solver.replacements.is_empty() {
            return Ok(false);
        }
        self.tighten_by_solution(&solver)
    }

    fn is_fixed_int(&self, var: u32) -> bool {
        self.is_int(Var(var)) && self.limits[var as usize].fixed().is_some()
    }

    /// An integer variable over unknowns.
    fn polynomial(&self, var: u32) -> Option<Polynomial> {
        let mut polynomial = Polynomial::default();
        match self.definition(Var(var)) {
            None => {
                polynomial.terms.insert(var, Int::ONE);
            }
            Some(definition) => {
                for (unknown, coefficient) in definition {
                    polynomial.terms.insert(unknown.0, coefficient.to_int()?);
                }
            }
        }
        Some(polynomial)
    }

    fn tighten_by_solution(&mut self, solver: &Solver) -> Result<bool, Stop> {
        let mut count = 0;
        for position in 0..self.vars_in_play() {
            let var = self.var_in_play(position).0;
            if !self.is_int(Var(var))
                || self.limits[var as usize].is_free()
                || self.limits[var as usize].fixed().is_some()
                || count > DIOPHANTINE_MAX_BOUNDS.size()
            {
                continue;
            }
            let Some(mut polynomial) = self.polynomial(var) else { continue };
            self.spend(1 + solver.replacements.len() as u64 / 2);
            if self.is_exhausted() {
                break;
            }
            solver.reduce(&mut polynomial);
            let divisor = polynomial.content();
            if divisor.is_zero() || divisor.is_one() || !polynomial.is_small() {
                continue;
            }
            for side in [Side::Lower, Side::Upper] {
                count += usize::from(self.tighten_residue(var, side, &polynomial, &divisor)?);
            }
        }
        self.stats.tightenings += count as u64;
        Ok(count > 0)
    }

    /// Tightens a bound of a variable that equals the polynomial on all solutions.
    fn tighten_residue(
        &mut self,
        var: u32,
        side: Side,
        polynomial: &Polynomial,
        divisor: &Int,
    ) -> Result<bool, Stop> {
        let Some(limit) = self.limits[var as usize].on(side) else { return Ok(false) };
        let rest = &limit.value.value - &Rat::from(&polynomial.constant);
        let divisor = Rat::from(divisor);
        let quotient = rest.checked_div(&divisor).expect("the divisor is not zero");
        if quotient.is_integer() {
            return Ok(false);
        }
        let rounded = match side {
            Side::Lower => quotient.ceil(),
            Side::Upper => quotient.floor(),
        };
        let value = Rat::from(rounded) * &divisor + Rat::from(&polynomial.constant);
        let weights = polynomial.weights();
        let mut derivation = Derivation::default();
        let own = (Rat::ONE, self.fact(var, side));
        let there = std::iter::once(own).chain(self.one_side(&weights, side));
        let sum = derivation.sum(there);
        let rounded = derivation.line(Line::Round(sum));
        let mut back = vec![(divisor, rounded)];
        for (weight, fact) in self.one_side(&weights, side.opposite()) {
            let line = derivation.premise(fact);
            back.push((weight, line));
        }
        derivation.line(Line::Combine(back));
        self.limit_derived(Bound { var: Var(var), side, value: Delta::from(value) }, derivation)
    }
}
