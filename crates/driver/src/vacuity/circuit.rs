//! Circuits without a first step: constraints that no initial state satisfies.

use super::{Found, listed};
use crate::settings::{VACUITY_MAX_TERMS, VACUITY_TICKS};
use alphorn_problem::{Circuit, Span};
use alphorn_sat::{Answer, Budget, Lit, Options, Solver};

/// Ticks of the search for one of the terms'.
const SCALE: u64 = 16;

/// Whether the constraints exclude every initial state.
pub(super) fn look(circuit: &Circuit) -> Found {
    if circuit.constraints.is_empty() || circuit.ands.len() > VACUITY_MAX_TERMS.size() {
        return Found::default();
    }
    let mut solver = Solver::new(Options::default());
    for _ in 0..=circuit.max_var() {
        solver.new_var();
    }
    let lit = |lit: alphorn_problem::circuit::Lit| Lit::from_code(lit.0);
    // Literal 0 is false.
    solver.add_clause(&[!Lit::from_code(0)]);
    for (index, gate) in circuit.ands.iter().enumerate() {
        let (out, left, right) = (lit(circuit.gate(index)), lit(gate.left), lit(gate.right));
        solver.add_clause(&[!out, left]);
        solver.add_clause(&[!out, right]);
        solver.add_clause(&[out, !left, !right]);
    }
    for (index, latch) in circuit.latches.iter().enumerate() {
        let (now, first) = (lit(circuit.latch(index)), lit(latch.reset));
        // One that may start with anything has its own value.
        if now != first {
            solver.add_clause(&[!now, first]);
            solver.add_clause(&[now, !first]);
        }
    }
    solver.set_budget(Budget { ticks: Some(VACUITY_TICKS.get() * SCALE), ..Budget::default() });
    let constraints: Vec<Lit> = circuit.constraints.iter().map(|&c| lit(c)).collect();
    if solver.solve(&constraints) != Answer::Unsat {
        return Found::default();
    }
    let mut names: Vec<String> = Vec::new();
    for (index, constraint) in constraints.iter().enumerate() {
        if solver.is_contradictory() || solver.is_failed(*constraint) {
            names.push(match circuit.symbols.name(b'c', index) {
                Some(name) => format!("constraint {index} (\"{name}\")"),
                None => format!("constraint {index}"),
            });
        }
    }
    let (what, do_not) = if names.len() == 1 { ("excludes", "") } else { ("exclude", " together") };
    let names = listed(&names);
    let message = format!("{names} {what} every initial state{do_not}: there is no run at all");
    Found::vacuous(Span::NONE, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alphorn_front::aiger;

    fn found(text: &str) -> Found {
        look(&aiger::read(text.as_bytes()).0.expect("a circuit"))
    }

    #[test]
    fn constraints_that_contradict_each_other_are_named() {
        // Input 2 and its negation; a third constraint has nothing to do with it.
        let found = found("aag 2 2 0 0 0 1 3\n2\n4\n2\n4\n2\n3\n");
        assert!(found.is_vacuous);
        let message = &found.warnings[0].message;
        assert!(message.starts_with("constraint 1 and constraint 2 exclude every"), "{message}");
    }

    #[test]
    fn a_constraint_against_the_initial_state_is_named() {
        assert!(found("aag 1 0 1 0 0 1 1\n2 3\n2\n2\n").is_vacuous);
        // Here the latch may start with either value.
        assert!(!found("aag 1 0 1 0 0 1 1\n2 3 2\n2\n2\n").is_vacuous);
        assert!(!found("aag 1 0 1 0 0 1 1\n2 3 1\n3\n2\n").is_vacuous);
    }
}
