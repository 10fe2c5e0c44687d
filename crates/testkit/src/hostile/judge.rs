//! Reads a piece of evidence as `alphorn check` does, hands it to the gate, and says what became of it.

use super::fate::Fate;
use super::pieces::{
    About, CIRCUIT_SAFE, CIRCUIT_UNSAFE, HORN_SAFE, HORN_UNSAFE, WORDS_SAFE, WORDS_UNSAFE,
};
use alphorn_check::{Refusal, circuit, horn, words};
use alphorn_front::{aiger, btor2, evidence, smtlib};
use alphorn_problem::Span;
use alphorn_problem::evidence::circuit::{Lrat, LratStep};
use alphorn_problem::{Circuit, Horn, Verdict, Words};

/// The problems that pieces are about.
pub struct Problems {
    horn: [Horn; 2],
    words: [Words; 2],
    circuits: [Circuit; 2],
}

impl Problems {
    /// Reads them.
    pub fn read() -> Problems {
        let horn = [HORN_UNSAFE, HORN_SAFE]
            .map(|text| smtlib::read(text.as_bytes()).0.expect("the clauses are read").horn);
        let words = [WORDS_UNSAFE, WORDS_SAFE]
            .map(|text| btor2::read(text.as_bytes()).0.expect("the system is read"));
        let circuits = [CIRCUIT_UNSAFE, CIRCUIT_SAFE]
            .map(|text| aiger::read(text.as_bytes()).0.expect("the circuit is read"));
        Problems { horn, words, circuits }
    }

    /// What becomes of a text.
    pub fn judge(&self, about: About, text: &str) -> Fate {
        let bytes = text.as_bytes();
        let mut why = String::from("no evidence");
        let results: Option<Vec<Result<(), Refusal>>> = match about {
            About::HornUnsafe | About::HornSafe => {
                let own = &self.horn[usize::from(about == About::HornSafe)];
                let (verdicts, found) = evidence::read_horn(bytes, own);
                if let Some(first) = found.list.first() {
                    why.clone_from(&first.message);
                }
                verdicts.filter(|_| found.is_clean()).map(|all| {
                    let judge = |verdict| match verdict {
                        Verdict::Safe(model) => horn::check_model(own, &model).map(|_| ()),
                        Verdict::Unsafe(trace) => horn::check_derivation(own, &trace),
                    };
                    all.into_iter().map(judge).collect()
                })
            }
            About::WordsUnsafe | About::WordsSafe => {
                let own = &self.words[usize::from(about == About::WordsSafe)];
                let (verdicts, found) = evidence::read_words(bytes, own);
                if let Some(first) = found.list.first() {
                    why.clone_from(&first.message);
                }
                verdicts.filter(|_| found.is_clean()).map(|all| {
                    let judge = |verdict| match verdict {
                        Verdict::Safe(proof) => words::check_certificate(own, &proof),
                        Verdict::Unsafe(trace) => words::check_trace(own, &trace),
                    };
                    all.into_iter().map(judge).collect()
                })
            }
            About::CircuitUnsafe | About::CircuitSafe => {
                let own = &self.circuits[usize::from(about == About::CircuitSafe)];
                let (verdicts, found) = evidence::read_circuit(bytes, own);
                if let Some(first) = found.list.first() {
                    why.clone_from(&first.message);
                }
                verdicts.filter(|_| found.is_clean()).map(|all| {
                    let judge = |verdict| match verdict {
                        Verdict::Safe(proof) => circuit::check_certificate(own, &proof),
                        Verdict::Unsafe(trace) => circuit::check_trace(own, &trace),
                    };
                    all.into_iter().map(judge).collect()
                })
            }
            About::Witness => {
                let (circuit, proofs) = text.split_once("c\nproofs\n").unwrap_or((text, ""));
                let (witness, found) = aiger::read(circuit.as_bytes());
                if let Some(first) = found.list.first() {
                    why.clone_from(&first.message);
                }
                let proofs: Option<Vec<Lrat>> =
                    proofs.split("obligation\n").skip(1).map(lrat).collect();
                let witness = witness.filter(|_| found.is_clean());
                witness.zip(proofs).map(|(witness, proofs)| {
                    vec![circuit::check_witness(&self.circuits[0], 0, &witness, &proofs)]
                })
            }
        };
        let Some(results) = results else { return Fate::Unreadable(why) };
        let mut reason = String::from("no evidence");
        for result in results {
            match result {
                Ok(()) => return Fate::Accepted,
                Err(refusal) => reason = refusal.to_string(),
            }
        }
        Fate::Refused(reason)
    }
}

/// The proof in some lines.
fn lrat(lines: &str) -> Option<Lrat> {
    let read = |line| evidence::lrat::read_step(line, Span::NONE).ok();
    Some(Lrat { steps: lines.lines().map(read).collect::<Option<Vec<LratStep>>>()? })
}
