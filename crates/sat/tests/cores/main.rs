//! Cores and partial models against enumeration, on formulas and circuits small enough for it.

#[path = "cores/circuits.rs"]
mod circuits;
#[path = "cores/failed.rs"]
mod failed;
#[path = "cores/groups.rs"]
mod groups;
#[path = "cores/implicants.rs"]
mod implicants;

use alphorn_sat::{Lit, Options, Random, Var};

/// The literal with a DIMACS number.
fn lit(number: i32) -> Lit {
    Lit::from_dimacs(number).expect("tests write no zeros")
}

fn holds(model: u32, lit: Lit) -> bool {
    (model >> lit.var().0 & 1 == 1) != lit.is_negated()
}

/// Whether some assignment of the first `variables` variables satisfies all clauses.
fn has_model<'a>(variables: u32, clauses: impl IntoIterator<Item = &'a [Lit]>) -> bool {
    let clauses: Vec<&[Lit]> = clauses.into_iter().collect();
    (0..1u32 << variables)
        .any(|model| clauses.iter().all(|clause| clause.iter().any(|lit| holds(model, *lit))))
}

/// Options with small limits, so that everything the solver can do between conflicts is done.
fn random_options(random: &mut Random) -> Options {
    let mut options = Options::default();
    for info in Options::TABLE {
        let value = match random.below(3) {
            0 => info.default,
            1 => info.min,
            _ => info.min + random.below((info.max - info.min).min(30) + 1),
        };
        options.set(info.name, value).expect("the value is in range");
    }
    options
}

/// A clause of distinct variables.
fn random_clause(random: &mut Random, variables: u32, width: u32) -> Vec<Lit> {
    let mut clause: Vec<Lit> = Vec::new();
    while clause.len() < width as usize {
        let lit = Var(random.below(variables)).lit(random.one_in(2));
        if clause.iter().all(|other| other.var() != lit.var()) {
            clause.push(lit);
        }
    }
    clause
}
