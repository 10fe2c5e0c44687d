//! Checks what is said about matches of a template in a circuit.
//!
//! A match is a safety property of a circuit, and so is that there are no others; the circuits are made here
//! anew from circuit and template (`problem::obligation::matching`), and their certificates are checked like any
//! other. `PROOFS.md` shows that they suffice.

use crate::{Refusal, circuit, work};
use alphorn_problem::circuit::Circuit;
use alphorn_problem::evidence::circuit::{Certificate, Property};
use alphorn_problem::evidence::matching::{AllMatches, Match};
use alphorn_problem::matching::{Matching, Solution};
use alphorn_problem::obligation::blast::gates::words_ticks;
use alphorn_problem::obligation::matching::{exclusion, specialised};
use alphorn_term::TermId;

/// Accepts a match if the circuit with its settings is the template in its orders.
pub fn check_match(matching: &Matching, found: &Match) -> Result<(), Refusal> {
    is_allowed(matching, 1)?;
    let refuse = |reason: String| Refusal::new("the match", reason);
    let circuit = specialised(matching, &found.solution).map_err(refuse)?;
    check_circuit("the match", &circuit, &found.equivalence)
}

/// Accepts a list of matches if each is one, no two are the same, and there are no others.
pub fn check_all(matching: &Matching, all: &AllMatches) -> Result<(), Refusal> {
    for found in &all.matches {
        check_match(matching, found)?;
    }
    let mut solutions: Vec<Solution> = all.solutions();
    solutions.sort();
    if solutions.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(Refusal::new("the matches", "a solution is listed twice"));
    }
    is_allowed(matching, all.vectors.len() as u64)?;
    let refuse = |reason: String| Refusal::new("the exclusion", reason);
    let circuit = exclusion(matching, &all.vectors, &all.solutions()).map_err(refuse)?;
    check_circuit("the exclusion", &circuit, &all.exclusion)
}

/// Counts the work of writing the problem down so many times.
fn is_allowed(matching: &Matching, times: u64) -> Result<(), Refusal> {
    let template = &matching.template;
    let functions: Vec<TermId> = template.cases.iter().map(|case| case.function).collect();
    let is_known = |term: &TermId| term.index() < template.terms.len();
    if !functions.iter().all(is_known) {
        return Err(Refusal::new("the template", "a function is no term"));
    }
    let widths = || template.permutations.iter().map(|order| order.width as u64);
    let once = words_ticks(&template.terms, &functions)
        .saturating_add(widths().map(|width| width.saturating_pow(2)).sum::<u64>())
        .saturating_add(u64::from(matching.circuit.max_var()));
    let cases = template.cases.len() as u64;
    // Each pair of bits of each row and column.
    let pairs = widths().map(|width| width.saturating_pow(3)).fold(0, u64::saturating_add);
    let total = once.saturating_mul(cases).saturating_mul(times).saturating_add(pairs);
    let meter = work::of_matching(matching, times);
    meter.spend(total).map_err(|exhausted| Refusal::too_large("the matches", exhausted))
}

fn check_circuit(place: &str, own: &Circuit, certificate: &Certificate) -> Result<(), Refusal> {
    if certificate.holds() != Property::Bad(0) {
        return Err(Refusal::new(place, "its certificate is about another property"));
    }
    circuit::check_certificate(own, certificate)
        .map_err(|refusal| Refusal { place: format!("{place}, {}", refusal.place), ..refusal })
}
