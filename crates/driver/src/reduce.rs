//! Files made smaller as long as something stays true of them.
//!
//! Horn clauses, circuits, word-level systems and formulas in DIMACS are made smaller as problems, and written in the format
//! they were read from; everything else, and what cannot be read or asks for more than one form has, as a text
//! (`alphorn_reduce`).

use crate::format::Format;
use crate::open::{AnyProblem, Opened};
use alphorn_front::{aiger, btor2, dimacs, smtlib};
use alphorn_reduce::{Reduce, reduce as search, text::Text};

/// What was made smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// A Horn system, by clauses, predicates, arguments and terms.
    Horn,
    /// A circuit, by its gates.
    Circuit,
    /// A word-level system, by its states and terms.
    Words,
    /// A formula, by its clauses and literals.
    Formula,
    /// A text, by its brackets and words.
    Text,
}

impl Level {
    /// What people call it.
    pub fn describe(self) -> &'static str {
        match self {
            Level::Horn => "as Horn clauses",
            Level::Circuit => "as a circuit",
            Level::Words => "as a word-level system",
            Level::Formula => "as a formula",
            Level::Text => "as a text",
        }
    }
}

/// The smallest form found of a file of which `holds` is true, as it is of the file; `holds` ends the search
/// by saying nothing.
pub fn reduce(opened: &Opened, holds: &mut dyn FnMut(&[u8]) -> Option<bool>) -> (Level, Vec<u8>) {
    let format = opened.format;
    let done = match &opened.problem {
        Some(AnyProblem::Horn(horn))
            if format == Some(Format::SmtLib)
                && opened.more.is_empty()
                && opened.requests.is_empty()
                && !opened.inverted
                && horn.quantified.is_empty() =>
        {
            let write = |horn: &_| Some(smtlib::print_horn(horn).into_bytes());
            by_steps(&**horn, write, holds).map(|bytes| (Level::Horn, bytes))
        }
        Some(AnyProblem::Circuit(circuit)) if format == Some(Format::Aiger) => {
            let is_text = opened.bytes.starts_with(b"aag ");
            let write = |circuit: &_| {
                Some(match is_text {
                    true => aiger::write_ascii(circuit).into_bytes(),
                    false => aiger::write_binary(circuit),
                })
            };
            by_steps(&**circuit, write, holds).map(|bytes| (Level::Circuit, bytes))
        }
        Some(AnyProblem::Words(words)) if format == Some(Format::Btor2) => {
            let write = |words: &_| btor2::print(words).ok().map(String::into_bytes);
            by_steps(&**words, write, holds).map(|bytes| (Level::Words, bytes))
        }
        None => formula(&opened.bytes, holds).map(|bytes| (Level::Formula, bytes)),
        _ => None,
    };
    done.unwrap_or_else(|| {
        let first = opened.bytes.iter().find(|byte| !byte.is_ascii_whitespace());
        let has_semicolon_comments = matches!(first, Some(b'(' | b';'))
            || matches!(format, Some(Format::SmtLib | Format::SvLib | Format::Btor2));
        let text = Text { bytes: opened.bytes.to_vec(), has_semicolon_comments };
        (Level::Text, search(text, |text| holds(&text.bytes)).bytes)
    })
}

/// A formula made smaller, if the bytes are one.
fn formula(bytes: &[u8], holds: &mut dyn FnMut(&[u8]) -> Option<bool>) -> Option<Vec<u8>> {
    let (cnf, _) = dimacs::read(bytes);
    let clauses: Vec<Vec<i32>> = cnf?.clauses().map(<[i32]>::to_vec).collect();
    let write = |clauses: &Vec<Vec<i32>>| {
        let largest = clauses.iter().flatten().map(|lit| lit.unsigned_abs()).max().unwrap_or(0);
        let mut text = format!("p cnf {largest} {}\n", clauses.len());
        for clause in clauses {
            clause.iter().for_each(|lit| text.push_str(&format!("{lit} ")));
            text.push_str("0\n");
        }
        Some(text.into_bytes())
    };
    by_steps(&clauses, write, holds)
}

/// A problem made smaller, as it is written; nothing if what is asked does not hold of what is written of the problem
/// as it is.
fn by_steps<P: Reduce>(
    problem: &P,
    write: impl Fn(&P) -> Option<Vec<u8>>,
    holds: &mut dyn FnMut(&[u8]) -> Option<bool>,
) -> Option<Vec<u8>> {
    let whole = write(problem)?;
    holds(&whole).filter(|holds| *holds)?;
    let small = search(problem.clone(), |candidate| match write(candidate) {
        Some(bytes) => holds(&bytes),
        None => Some(false),
    });
    write(&small)
}

#[cfg(test)]
mod tests {
    use super::{Level, reduce};
    use crate::open::{open_bytes, open_expanded};

    fn reduced(name: &str, text: &str, kept: &str) -> (Level, String) {
        let opened = open_bytes(name, text.as_bytes().to_vec(), None);
        let mut holds = |bytes: &[u8]| {
            let again = open_expanded(name, bytes.to_vec(), None);
            let is_readable = again.problem.is_some() || opened.problem.is_none();
            Some(is_readable && String::from_utf8_lossy(bytes).contains(kept))
        };
        let (level, bytes) = reduce(&opened, &mut holds);
        (level, String::from_utf8(bytes).expect("it is a text"))
    }

    const HORN: &str = "(set-logic HORN)(declare-fun p (Int Int) Bool)(declare-fun q (Int) Bool)
        (assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 77)) (p x y))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (< x 1000)) (p (+ x 1) y))))
        (assert (forall ((x Int) (y Int)) (=> (and (p x y) (> y 99)) (q x))))
        (assert (forall ((x Int)) (=> (q x) false)))(check-sat)";

    #[test]
    fn clauses_lose_what_is_not_needed_and_stay_readable() {
        let (level, text) = reduced("a.smt2", HORN, "(declare-fun p");
        assert_eq!(level, Level::Horn);
        assert!(
            !text.contains("declare-fun q") && text.contains("(declare-fun p () Bool)"),
            "{text}"
        );
    }

    #[test]
    fn a_script_that_asks_for_a_model_is_made_smaller_as_a_text() {
        let (level, text) = reduced("a.smt2", &format!("{HORN}(get-model)"), "(get-model)");
        assert_eq!(level, Level::Text);
        assert!(text.len() < 60, "{text}");
    }

    #[test]
    fn a_formula_loses_clauses_and_its_header_fits() {
        let (level, text) = reduced("a.cnf", "c x\np cnf 3 3\n1 -2 0\n2 3 0\n-3 1 0\n", "3");
        assert_eq!((level, text.as_str()), (Level::Formula, "p cnf 3 1\n-3 0\n"));
    }

    #[test]
    fn a_model_in_the_murphi_language_stays_one() {
        let model = "var x: 0..3; y: boolean;\nstartstate begin x := 0; y := false; end;\n\
                     rule x < 3 ==> begin x := x + 1; end;\ninvariant \"low\" x < 2;\n";
        let (level, text) = reduced("a.m", model, "invariant");
        assert_eq!(level, Level::Text);
        assert!(text.contains("invariant") && text.len() < model.len() / 2, "{text}");
    }

    #[test]
    fn circuits_keep_the_names_of_what_stays() {
        let game = "aag 4 2 1 1 1\n2\n4\n6 8\n6\n8 2 4\ni0 request\ni1 controllable_grant\nl0 owed\no0 late\n";
        let (level, text) = reduced("a.aag", game, "controllable_grant");
        assert_eq!(level, Level::Circuit);
        assert_eq!(text, "aag 1 1 0 1 0\n2\n0\ni0 controllable_grant\n");
    }

    #[test]
    fn what_cannot_be_read_is_made_smaller_too() {
        let (level, text) =
            reduced("a.c", "int main() { int x = 08; f(x); return 0; }\n#if 1\n", "08");
        assert_eq!((level, text.trim()), (Level::Text, "08"));
    }

    #[test]
    fn systems_over_words_and_circuits_keep_their_formats() {
        let words = "1 sort bitvec 4\n2 zero 1\n3 state 1 s\n4 init 1 3 2\n5 one 1\n6 add 1 3 5\n\
                     7 next 1 3 6\n8 sort bitvec 1\n9 ones 1\n10 eq 8 3 9\n11 bad 10\n";
        let (level, text) = reduced("a.btor2", words, "state");
        assert_eq!(level, Level::Words);
        assert!(text.contains("bad") && !text.contains("add"), "{text}");
        let circuit = "aag 3 1 1 0 1 1\n2\n4 6\n6\n6 2 4\n";
        let (level, text) = reduced("a.aag", circuit, "aag");
        assert_eq!((level, text.as_str()), (Level::Circuit, "aag 0 0 0 0 0 1\n0\n"));
    }
}
