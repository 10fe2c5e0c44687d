//! Evidence about circuits as text: AIGER witnesses, and certificates in a format of our own.
//!
//! A certificate is a list of lines:
//!
//! ```text
//! alphorn-certificate 1
//! property 0                  or, for justice: justice 0 count 3, justice 0 loop
//! invariant states 0 2        rows of bits follow, one bit per listed latch; - is an empty row
//! invariant clauses           clauses follow: 1 is latch 0, -1 its negation; 0 ends a clause
//! invariant aig               a circuit as AIGER text follows, up to a line `end`
//! invariant k-induction 3     or: k-induction 3 simple-path; lemmas follow, clauses as above
//! obligation                  the LRAT proof of the next obligation follows
//! end
//! ```
//!
//! There is exactly one `invariant`; which obligations it has, and how their variables are
//! numbered, is said in the checker's PROOFS.md. With `justice` the invariant is one of the circuit
//! with that monitor, whose latches come after the circuit's own. Lines whose first word is `c` are comments.

mod read;

use super::lrat;
use crate::aiger;
use alphorn_problem::Verdict;
use alphorn_problem::circuit::{Circuit, Lit};
use alphorn_problem::evidence::circuit::{Certificate, Invariant, Lrat};
use alphorn_problem::monitor::Monitor;
pub use read::read;
pub(super) use read::{Lines, certificate, invariant, property, watched};
use std::fmt::Write;

pub(super) const HEADER: &str = "alphorn-certificate 1";

/// A verdict's evidence as text.
pub fn print(circuit: &Circuit, verdict: &Verdict<Circuit>) -> String {
    match verdict {
        Verdict::Unsafe(trace) => aiger::write_witness(trace, circuit),
        Verdict::Safe(certificate) => print_certificate(circuit, certificate),
    }
}

/// A certificate as text.
pub(super) fn print_certificate(circuit: &Circuit, certificate: &Certificate) -> String {
    let Certificate { property, invariant, obligations } = certificate;
    let mut out = format!("{HEADER}\n");
    let Invariant::Justice { monitor, invariant } = invariant else {
        print_property(&mut out, *property, None);
        print_invariant(&mut out, circuit, invariant, obligations);
        return out;
    };
    print_property(&mut out, *property, Some(*monitor));
    let watched = monitor.build(circuit, *property).ok();
    print_invariant(&mut out, watched.as_ref().unwrap_or(circuit), invariant, obligations);
    out
}

/// Appends the line that says what a certificate is about.
pub(super) fn print_property(out: &mut String, property: usize, monitor: Option<Monitor>) {
    let _ = match monitor {
        None => writeln!(out, "property {property}"),
        Some(Monitor::Count { most }) => writeln!(out, "justice {property} count {most}"),
        Some(Monitor::Loop) => writeln!(out, "justice {property} loop"),
    };
}

/// Appends an invariant and its proofs, up to the end of the certificate.
pub(super) fn print_invariant(
    out: &mut String,
    circuit: &Circuit,
    invariant: &Invariant,
    proofs: &[Lrat],
) {
    out.push_str("invariant ");
    match invariant {
        Invariant::States { latches, states } => {
            out.push_str("states");
            for latch in latches {
                let _ = write!(out, " {latch}");
            }
            out.push('\n');
            for state in states {
                out.extend(state.iter().map(|&bit| if bit { '1' } else { '0' }));
                out.push_str(if state.is_empty() { "-\n" } else { "\n" });
            }
        }
        Invariant::Clauses(clauses) => {
            out.push_str("clauses\n");
            print_clauses(out, circuit, clauses);
        }
        Invariant::Aig(aig) => {
            out.push_str("aig\n");
            // Names and comments say nothing here and could hold a line `end`.
            let bare =
                Circuit { symbols: Default::default(), comments: Vec::new(), ..(**aig).clone() };
            out.push_str(&aiger::write_ascii(&bare));
            out.push_str("end\n");
        }
        Invariant::KInductive { k, simple_path, lemmas } => {
            let _ =
                writeln!(out, "k-induction {k}{}", if *simple_path { " simple-path" } else { "" });
            print_clauses(out, circuit, lemmas);
        }
        // A monitor's circuit has no justice, so this is refused wherever it is read.
        Invariant::Justice { .. } => out.push_str("justice\n"),
    }
    for proof in proofs {
        out.push_str("obligation\n");
        lrat::print(out, proof);
    }
    out.push_str("end\n");
}

fn print_clauses(out: &mut String, circuit: &Circuit, clauses: &[Vec<Lit>]) {
    let first = circuit.latch(0).var();
    for clause in clauses {
        for lit in clause {
            let latch = i64::from(lit.var()) - i64::from(first) + 1;
            let _ = write!(out, "{} ", if lit.is_negated() { -latch } else { latch });
        }
        out.push_str("0\n");
    }
}
