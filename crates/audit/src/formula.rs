//! Evidence about CNF formulas: models are evaluated, and LRAT is replayed.
//!
//! DRAT says nothing of why its clauses follow. Whoever can find that out makes LRAT of it, which is
//! replayed on the file as read like any other.

use crate::certify::{Answered, Certified};
use crate::compressed::inner_name;
use crate::format::{self, hint_at_kind};
use crate::idle_hints::without_idle_hints;
use alphorn_check::{Refusal, cnf, lrat};
pub use alphorn_front::dimacs::Cnf;
pub use alphorn_front::evidence::clausal::DratLine;
use alphorn_front::evidence::clausal::{self, Clausal};
use alphorn_front::{Code, Diagnostic, Diagnostics, dimacs};
use alphorn_problem::Span;
use alphorn_problem::evidence::circuit::{Lrat, LratStep};

/// Makes LRAT of the lines of a DRAT proof of so many bytes, or says what became of the proof.
pub type Elaborate<'e> = dyn Fn(&Cnf, &[DratLine], usize) -> Result<Lrat, Certified> + 'e;

/// Whether a file is a CNF formula, by its name or its content.
pub fn is_formula(name: &str, bytes: &[u8]) -> bool {
    let ending = inner_name(name).rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    matches!(ending.as_deref(), Some("cnf" | "dimacs")) || format::is_formula(bytes)
}

/// Reads a formula in DIMACS' format.
pub fn read_formula(bytes: &[u8]) -> (Option<Cnf>, Diagnostics) {
    if bytes.trim_ascii().is_empty() {
        let mut diagnostics = Diagnostics::default();
        let empty = Diagnostic::error(Code::FileEmpty, Span::NONE, "the file is empty");
        diagnostics.push(empty.hint("a formula begins with the line: p cnf VARIABLES CLAUSES"));
        return (None, diagnostics);
    }
    let (cnf, mut diagnostics) = dimacs::read(bytes);
    if !format::is_formula(bytes) {
        hint_at_kind(bytes, &mut diagnostics);
    }
    (cnf, diagnostics)
}

/// What the bytes of a file show about a formula; `elaborate` is asked about DRAT.
pub fn certify_formula(cnf: &Cnf, bytes: &[u8], elaborate: &Elaborate<'_>) -> Certified {
    let (readings, diagnostics) = clausal::read(bytes);
    let mut refused = None;
    for reading in readings.into_iter().flatten() {
        match certify_reading(cnf, reading, bytes.len(), elaborate) {
            Certified::Refused(refusal) => refused = refused.or(Some(refusal)),
            other => return other,
        }
    }
    match refused {
        Some(refusal) => Certified::Refused(refusal),
        None => Certified::Unreadable(diagnostics),
    }
}

fn certify_reading(
    cnf: &Cnf,
    reading: Clausal,
    size: usize,
    elaborate: &Elaborate<'_>,
) -> Certified {
    let clauses = cnf.len();
    let shown = match reading {
        Clausal::Model(literals) => cnf::satisfy(cnf.clauses(), &literals).map(|()| Answered {
            verdict: "SATISFIABLE",
            detail: "with a model".to_owned(),
            checked: format!("{clauses} of {clauses} clauses, by evaluation"),
        }),
        Clausal::Lrat(proof) => replayed(cnf, &proof, "LRAT").or_else(|refusal| {
            let meter = lrat::meter(cnf.clauses(), &proof);
            let tidy = without_idle_hints(cnf.clauses(), &proof, &meter);
            let tidy = tidy.map_err(|_| refusal.clone())?;
            replayed(cnf, &tidy, "LRAT").map_err(|_| refusal)
        }),
        Clausal::Drat(lines) => match elaborate(cnf, &lines, size) {
            Ok(proof) => replayed(cnf, &proof, "DRAT"),
            Err(certified) => return certified,
        },
    };
    match shown {
        Ok(answered) => Certified::Answered(answered),
        Err(refusal) => Certified::Refused(refusal),
    }
}

fn replayed(cnf: &Cnf, proof: &Lrat, kind: &str) -> Result<Answered, Refusal> {
    lrat::refute(cnf.clauses(), proof)?;
    let additions = proof.steps.iter().filter(|step| matches!(step, LratStep::Add { .. })).count();
    let steps = format!("{additions} step{}", if additions == 1 { "" } else { "s" });
    Ok(Answered {
        verdict: "UNSATISFIABLE",
        detail: format!("by a proof in {kind}"),
        checked: match kind {
            "DRAT" => format!("{steps} with the hints that were found for them"),
            _ => format!("{steps} with their hints"),
        },
    })
}
