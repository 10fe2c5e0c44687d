//! Linear arithmetic: contradictions as sums, and derivations with rounding.
//!
//! The clause holds if its literals cannot all be false. Their negations are comparisons with
//! zero. A sum of them, inequalities multiplied by positive numbers and equations by any, follows
//! from them; when all atoms cancel and the constant is on the wrong side, they have no common
//! solution (Farkas). Over the integers sums alone do not suffice; then a derivation line by line
//! rounds between sums (Chvátal and Gomory).

use super::constraint::{Constraint, Relation, negation};
use super::context::Context;
use super::polynomial::Polynomial;
use alphorn_problem::evidence::proof::{LinearStep, Literal};
use alphorn_term::{Meter, Rat};

/// The negations of the literals, multiplied and added, give a contradiction.
pub(super) fn farkas(
    context: &Context,
    clause: &[Literal],
    multipliers: &[Rat],
) -> Result<(), String> {
    if clause.len() != multipliers.len() {
        let (literals, given) = (clause.len(), multipliers.len());
        return Err(format!("{given} multipliers are given for {literals} literals"));
    }
    let mut sum = Sum::new();
    for (&literal, multiplier) in clause.iter().zip(multipliers) {
        let line = negation(context.terms(), literal)?.tightened(context.terms());
        sum.add(context.meter(), &line, multiplier)?;
    }
    contradiction(&sum.total())
}

/// The lines, each a negated literal, a sum or a rounding, lead to a contradiction.
pub(super) fn linear(
    context: &Context,
    clause: &[Literal],
    steps: &[LinearStep],
) -> Result<(), String> {
    let terms = context.terms();
    let mut lines: Vec<Constraint> = Vec::with_capacity(steps.len());
    for (position, step) in steps.iter().enumerate() {
        let line = match step {
            LinearStep::Hypothesis(index) => match clause.get(*index) {
                Some(&literal) => negation(terms, literal).map(|line| line.tightened(terms)),
                None => Err(format!("there is no literal {index}")),
            },
            LinearStep::Combine(parts) => combine(terms.meter, &lines, parts),
            LinearStep::Round(of) => earlier(&lines, *of).and_then(|line| {
                let rounded = line.rounded(terms)?;
                rounded.ok_or_else(|| "rounding needs atoms, all of sort Int".to_owned())
            }),
        };
        lines.push(line.map_err(|reason| format!("line {position}: {reason}"))?);
    }
    match lines.last() {
        Some(last) => contradiction(last),
        None => Err("there are no lines".to_owned()),
    }
}

fn earlier(lines: &[Constraint], index: usize) -> Result<&Constraint, String> {
    lines.get(index).ok_or_else(|| format!("line {index} is not an earlier line"))
}

fn combine(
    meter: &Meter,
    lines: &[Constraint],
    parts: &[(Rat, usize)],
) -> Result<Constraint, String> {
    let mut sum = Sum::new();
    for (multiplier, index) in parts {
        sum.add(meter, earlier(lines, *index)?, multiplier)?;
    }
    Ok(sum.total())
}

fn contradiction(line: &Constraint) -> Result<(), String> {
    if line.is_contradiction() {
        return Ok(());
    }
    let constant = shown(&line.polynomial.constant);
    Err(match (line.polynomial.terms.len(), line.relation) {
        (0, Relation::Equal) => format!("the result {constant} = 0 is no contradiction"),
        (0, Relation::Less) => format!("the result {constant} < 0 is no contradiction"),
        (0, _) => format!("the result {constant} <= 0 is no contradiction"),
        (atoms, _) => format!("{atoms} atoms do not cancel"),
    })
}

/// A number in a message; long ones are not written out.
fn shown(number: &Rat) -> String {
    const MAX_BITS: u64 = 1 << 10;
    match number.bit_len() > MAX_BITS {
        true => format!("a number of {} bits", number.bit_len()),
        false => number.to_string(),
    }
}

/// A sum of comparisons.
struct Sum {
    polynomial: Polynomial,
    relation: Relation,
}

impl Sum {
    fn new() -> Sum {
        Sum { polynomial: Polynomial::default(), relation: Relation::Equal }
    }

    fn add(&mut self, meter: &Meter, line: &Constraint, multiplier: &Rat) -> Result<(), String> {
        if multiplier.is_zero() {
            return Err("a multiplier is zero".to_owned());
        }
        if line.relation != Relation::Equal && multiplier.is_negative() {
            return Err(format!("an inequality is multiplied by {}", shown(multiplier)));
        }
        self.polynomial.add(meter, &line.polynomial, multiplier)?;
        self.relation = match (self.relation, line.relation) {
            (_, Relation::Different) => return Err("a disequality cannot be added".to_owned()),
            (Relation::Less, _) | (_, Relation::Less) => Relation::Less,
            (Relation::AtMost, _) | (_, Relation::AtMost) => Relation::AtMost,
            _ => Relation::Equal,
        };
        Ok(())
    }

    fn total(self) -> Constraint {
        Constraint::new(self.relation, self.polynomial)
    }
}
