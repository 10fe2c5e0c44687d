//! Concrete values: an infinitesimal small enough for all bounds.
//!
//! A bound `l + p·ε <= v + q·ε` between numbers with l < v holds for all ε up to (v − l)/(p − q) if
//! p > q, and for all ε otherwise. The least of these numbers, and 1, will do for all bounds
//! (Dutertre and de Moura, CAV 2006, section 4).

use alphorn_term::Rat;

use super::Arith;
use super::bound::{Delta, Var};

impl Arith {
    /// Rational values that satisfy all bounds, by variable, forms included.
    pub fn model(&self) -> Vec<Rat> {
        let epsilon = self.epsilon();
        (0..self.variables.len() as u32)
            .map(|var| {
                let Delta { value, epsilon: multiple } = self.value(Var(var));
                let mut value = value.clone();
                if !multiple.is_zero() {
                    value.mul_add_assign(multiple, &epsilon);
                }
                value
            })
            .collect()
    }

    /// A positive number that can stand for the infinitesimal.
    pub fn epsilon(&self) -> Rat {
        let mut epsilon = Rat::ONE;
        for (limits, value) in self.limits.iter().zip(&self.values) {
            if let Some(lower) = &limits.lower {
                shrink(&mut epsilon, &lower.value, value);
            }
            if let Some(upper) = &limits.upper {
                shrink(&mut epsilon, value, &upper.value);
            }
        }
        epsilon
    }
}

/// Makes ε small enough for `low <= high`.
fn shrink(epsilon: &mut Rat, low: &Delta, high: &Delta) {
    let excess = &low.epsilon - &high.epsilon;
    if !excess.is_positive() {
        return;
    }
    let room = &high.value - &low.value;
    if let Some(most) = room.checked_div(&excess)
        && most < *epsilon
    {
        *epsilon = most;
    }
}
