//! What tests share, and nothing that is linked into a product.
//!
//! | | |
//! |---|---|
//! | [`Rng`] | one source of random numbers |
//! | [`horn`], [`circuit`], [`words`], [`cnf`], [`formulas`], [`terms`], [`flow`], [`c`] | random problems of each kind, and what is right about the small ones, by brute force |
//! | [`proofs`], [`damage`], [`hostile`] | proofs in a small language, texts that are damaged, evidence that is built to be hostile |
//! | [`shrink`] | failing inputs made small |
//! | [`read`], [`same`], [`reading`] | problems from texts without mistakes, when two are the same, and what is asked of every reader |
//! | [`folder`] | folders for tests that run programs |
//! | [`corpus`], [`harness`] | the files of the corpus, and one named test for each, run in parallel |
//!
//! Crates have this one as a dev-dependency, also those it is made of: their tests in `tests/` may use all of it,
//! their tests in `src/` what does not speak of their own types, because there they are two crates.

pub mod c;
pub mod circuit;
pub mod cnf;
pub mod corpus;
pub mod damage;
pub mod flow;
pub mod folder;
pub mod formulas;
pub mod harness;
pub mod horn;
pub mod hostile;
pub mod proofs;
pub mod read;
pub mod reading;
mod rng;
pub mod same;
pub mod shrink;
pub mod terms;
pub mod words;

pub use rng::{Count, Rng};

/// Why an engine stopped, in a line.
pub fn stopped(stop: &alphorn_engine::Stop) -> String {
    use alphorn_engine::Stop;
    match stop {
        Stop::Budget(limit) => limit.describe().to_owned(),
        Stop::Unsupported(reason) => format!("unsupported: {reason}"),
        stop => format!("stuck: {}", stop.describe()),
    }
}

/// The seeds that the command line of an example asks for: `[FIRST_SEED [COUNT]]`, from 0 on without an end
/// if it says nothing. What is not a number ends the program, with a line about how it is called.
pub fn seeds(program: &str) -> impl Iterator<Item = u64> {
    let mut arguments = std::env::args().skip(1).map(|word| word.parse::<u64>());
    let mut next = |default| match arguments.next() {
        None => default,
        Some(Ok(number)) => number,
        Some(Err(_)) => {
            eprintln!("usage: {program} [FIRST_SEED [COUNT]]");
            std::process::exit(3);
        }
    };
    let (first, count) = (next(0), next(u64::MAX));
    (first..=u64::MAX).take(count as usize)
}
