//! AIGER 1.9: circuits in text (`aag`) and binary (`aig`), and witnesses.
//!
//! The text parts of both formats are read into words that remember where they stand, so that
//! every complaint can point at a byte; binary gates are decoded straight into the circuit.
//! Text files may number variables freely and list gates in any order: `canonical` gives them the
//! order of the binary format. What `read` returns satisfies `Circuit::validate`, and each gate's
//! left fan-in is not smaller than its right one.
//!
//! Memory stays in proportion to the bytes of the file, whatever its header claims.
//!
//! After Biere, "The AIGER And-Inverter Graph Format" (2007) and Biere, Heljanko, Wieringa,
//! "AIGER 1.9 and beyond" (2011). We differ in accepting any run of blanks between numbers, and
//! reset functions, as the hardware competition does since 2024.

mod binary;
mod canonical;
mod certificate;
mod controlled;
mod header;
mod lex;
mod order;
mod sections;
mod symbols;
mod witness;
mod write;

use crate::diag::{Code, Diagnostic, Read};
use alphorn_problem::{Circuit, Span};
use header::Header;
use lex::Reader;

pub use certificate::witness_circuit;
pub use controlled::write_controlled;
pub use witness::{Witness, read_witness, write_answer, write_witness};
pub use write::{write_ascii, write_binary};

/// Reads a circuit in either format; the header says which.
pub fn read(bytes: &[u8]) -> Read<Circuit> {
    let mut reader = Reader::new(bytes);
    let circuit = read_circuit(&mut reader);
    let mut diagnostics = reader.diagnostics;
    // Phases look at the file more than once; the user reads it from top to bottom.
    diagnostics.list.sort_by_key(|diagnostic| diagnostic.span.start);
    (circuit.filter(|_| diagnostics.is_clean()), diagnostics)
}

fn read_circuit(reader: &mut Reader<'_>) -> Option<Circuit> {
    if reader.bytes.is_empty() {
        reader.report(Diagnostic::error(Code::FileEmpty, Span::NONE, "the file is empty"));
        return None;
    }
    if let Some(diagnostic) = Diagnostic::too_large(reader.bytes) {
        reader.report(diagnostic);
        return None;
    }
    let header = Header::read(reader)?;
    reader.max_var = header.max_var;
    let sections = sections::read(reader, &header)?;
    if header.binary {
        let ands = binary::read_gates(reader, &header)?;
        let (symbols, comments) = symbols::read(reader, &header);
        let mut circuit = canonical::from_binary(reader, &header, &sections)?;
        circuit.ands = ands;
        canonical::check_resets(reader, &circuit, &sections);
        Some(Circuit { symbols, comments, ..circuit })
    } else {
        let gates = sections::read_gates(reader, &header)?;
        let (symbols, comments) = symbols::read(reader, &header);
        let circuit = canonical::from_ascii(reader, &header, &sections, gates)?;
        canonical::check_resets(reader, &circuit, &sections);
        Some(Circuit { symbols, comments, ..circuit })
    }
}
