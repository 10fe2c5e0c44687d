//! Conversion of problems between formats, where that makes sense.
//!
//! Circuits are word-level systems of one-bit words; word-level systems are Horn systems with one
//! predicate; word-level systems over words and small arrays are circuits; linear Horn systems
//! over words are word-level systems. Everything else has no counterpart, and we say so.

use crate::format::Format;
use crate::open::{AnyProblem, Opened};
use alphorn_chc::horn_to_words;
use alphorn_front::{Code, Diagnostic, aiger, btor2, smtlib};
use alphorn_hw::{circuit_to_words, words_to_circuit, words_to_horn};
use alphorn_problem::{Circuit, Horn, Span, Words};

/// A format to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Horn clauses in SMT-LIB.
    SmtLib,
    /// Binary AIGER.
    AigerBinary,
    /// AIGER as text.
    AigerText,
    /// BTOR2.
    Btor2,
}

impl Target {
    /// The format that the name of a file to write suggests.
    pub fn of_name(name: &str) -> Option<Target> {
        Some(match Format::of_name(name)? {
            Format::SmtLib => Target::SmtLib,
            Format::Aiger if name.to_ascii_lowercase().ends_with(".aag") => Target::AigerText,
            Format::Aiger => Target::AigerBinary,
            Format::Btor2 => Target::Btor2,
        })
    }

    /// The format that reads it.
    pub fn format(self) -> Format {
        match self {
            Target::SmtLib => Format::SmtLib,
            Target::AigerBinary | Target::AigerText => Format::Aiger,
            Target::Btor2 => Format::Btor2,
        }
    }
}

fn meaningless(message: impl Into<String>) -> Diagnostic {
    Diagnostic::unsupported(Code::ConvertMeaningless, Span::NONE, message)
}

/// The problem of `opened`, which has one, in another format.
pub fn convert(opened: &Opened, target: Target) -> Result<Vec<u8>, Diagnostic> {
    let problem = opened.problem.as_ref().ok_or_else(|| meaningless("there is no problem"))?;
    Ok(match target {
        Target::SmtLib => smtlib::print_horn(&horn(problem)?).into_bytes(),
        Target::Btor2 => btor2::print(&words(problem)?)?.into_bytes(),
        Target::AigerBinary => aiger::write_binary(&circuit(problem)?),
        Target::AigerText => aiger::write_ascii(&circuit(problem)?).into_bytes(),
    })
}

fn words(problem: &AnyProblem) -> Result<Words, Diagnostic> {
    match problem {
        AnyProblem::Words(words) => Ok((**words).clone()),
        AnyProblem::Circuit(circuit) => match circuit_to_words(circuit) {
            Ok((words, _)) => Ok(words),
            Err(message) => Err(meaningless(message)),
        },
        AnyProblem::Horn(horn) => match horn_to_words(horn) {
            Ok((words, _)) => Ok(words),
            Err(message) => Err(meaningless(message)),
        },
    }
}

fn circuit(problem: &AnyProblem) -> Result<Circuit, Diagnostic> {
    match problem {
        AnyProblem::Circuit(circuit) => Ok((**circuit).clone()),
        other => match words_to_circuit(&words(other)?) {
            Ok((circuit, _)) => Ok(circuit),
            Err(message) => Err(meaningless(message)),
        },
    }
}

fn horn(problem: &AnyProblem) -> Result<Horn, Diagnostic> {
    match problem {
        AnyProblem::Horn(horn) => Ok((**horn).clone()),
        other => match words_to_horn(&words(other)?) {
            Ok((horn, _)) => Ok(horn),
            Err(message) => Err(meaningless(message)),
        },
    }
}
