//! A template and the circuit that it is looked for in: opened, and evidence about them judged.

use crate::certify::{Answered, Certified};
use crate::format::Format;
use crate::open::{AnyProblem, Opened, open_asking};
use crate::program::Wishes;
use alphorn_check::accept::{AskedMatches, Checkable, accept};
pub use alphorn_front::evidence::matching::is_matches;
use alphorn_front::evidence::matching::{print, print_solution, read};
use alphorn_front::{Code, Diagnostic, Diagnostics, template};
use alphorn_problem::evidence::circuit::Certificate;
use alphorn_problem::matching::Solution;
use alphorn_problem::{Matching, Span, Verdict};

/// A circuit and a template that were opened.
#[derive(Clone, Debug)]
pub struct Templated {
    /// The circuit's file.
    pub circuit: Opened,
    /// The problem, if both files are sound.
    pub problem: Option<Matching>,
    /// What the reader of the template noticed.
    pub diagnostics: Diagnostics,
}

/// Opens a circuit with the bytes of a template for it.
pub fn open_template(
    file: &str,
    bytes: Vec<u8>,
    format: Option<Format>,
    template: &[u8],
) -> Templated {
    let mut circuit = open_asking(file, bytes, format, &Wishes::default());
    let found = match &circuit.problem {
        Some(AnyProblem::Circuit(own)) => template::read(template, (**own).clone()),
        Some(_) => {
            let message = "templates are looked for in circuits, and this is none";
            circuit.diagnostics.push(Diagnostic::error(Code::Template, Span::NONE, message));
            (None, Diagnostics::default())
        }
        None => (None, Diagnostics::default()),
    };
    let (problem, diagnostics) = found;
    let problem = problem.filter(|_| diagnostics.is_clean() && circuit.diagnostics.is_clean());
    Templated { circuit, problem, diagnostics }
}

/// What the bytes of a file show about a template in a circuit.
pub fn certify_matches(matching: &Matching, bytes: &[u8]) -> Certified {
    let (found, diagnostics) = read(bytes, matching);
    let Some(verdict) = found.filter(|_| diagnostics.is_clean()) else {
        return Certified::Unreadable(diagnostics);
    };
    let answered = answered(&verdict);
    let asked: AskedMatches = Matching::claimed(&verdict);
    match accept(matching, asked, verdict) {
        Ok(_) => Certified::Answered(answered),
        Err(refusal) => Certified::Refused(refusal),
    }
}

/// What is said of evidence that was accepted.
pub fn answered(verdict: &Verdict<Matching>) -> Answered {
    let steps = |own: &Certificate| -> usize {
        own.obligations.iter().map(|proof| proof.steps.len()).sum()
    };
    match verdict {
        Verdict::Unsafe(found) => {
            let steps = steps(&found.equivalence);
            let checked = format!("the specialised circuit is the template, LRAT of {steps} steps");
            Answered { verdict: "MATCH", detail: "with orders and settings".to_owned(), checked }
        }
        Verdict::Safe(all) => {
            let (count, vectors) = (all.matches.len(), all.vectors.len());
            let own = steps(&all.exclusion);
            let excluded = format!("{vectors} inputs exclude all others, LRAT of {own} steps");
            match count {
                0 => Answered {
                    verdict: "NO MATCH",
                    detail: "whatever the orders and settings".to_owned(),
                    checked: excluded,
                },
                _ => {
                    let proofs: usize =
                        all.matches.iter().map(|found| steps(&found.equivalence)).sum();
                    let checked = format!("equivalences, LRAT of {proofs} steps; {excluded}");
                    let detail = format!("{count} and no others");
                    Answered { verdict: "MATCH", detail, checked }
                }
            }
        }
    }
}

/// Evidence as text.
pub fn print_matches(matching: &Matching, verdict: &Verdict<Matching>) -> String {
    print(matching, verdict)
}

/// A solution as text, a line for each order and setting.
pub fn solution_lines(matching: &Matching, solution: &Solution) -> Vec<String> {
    print_solution(matching, solution).lines().map(str::to_owned).collect()
}
