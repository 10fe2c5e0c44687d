//! Cores and partial models against enumeration, on formulas and circuits small enough for it.

mod circuits;
mod failed;
mod groups;
mod implicants;

use alphorn_sat::Lit;

/// The literal with a DIMACS number.
fn lit(number: i32) -> Lit {
    Lit::from_dimacs(number).expect("tests write no zeros")
}

fn holds(model: u32, lit: Lit) -> bool {
    (model >> lit.var().0 & 1 == 1) != lit.is_negated()
}
