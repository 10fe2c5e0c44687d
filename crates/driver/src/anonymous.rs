//! Files with other names in them: what a report of a fault may have of a file that nobody may see.
//!
//! Circuits and word-level systems are written anew without names; scripts and C programs are renamed as texts, so that those that cannot be
//! read can be shown, too. Other languages are refused: `alphorn convert` first. Of inputs that a controller sets it stays seen that they are, since
//! a game is none without.

use crate::format::Format;
use crate::open::{AnyProblem, Opened};
use alphorn_front::anonymous::Names;
use alphorn_front::{aiger, btor2, c, smtlib};
use alphorn_problem::Circuit;
use alphorn_problem::circuit::Symbols;

/// What the names of inputs begin with that a controller sets.
const CONTROLLABLE: &str = "controllable_";

/// The file with other names, and what became of its own.
pub fn anonymous(opened: &Opened) -> Result<(Vec<u8>, Names), String> {
    let text = |(text, names): (String, Names)| (text.into_bytes(), names);
    match (&opened.problem, opened.format) {
        (_, Some(Format::SmtLib | Format::Its)) => smtlib::anonymous(&opened.bytes).map(text),
        (_, Some(Format::C)) => c::anonymous(&opened.bytes).map(text),
        (Some(AnyProblem::Circuit(circuit)), Some(Format::Aiger)) => {
            let chosen = circuit.symbols.entries.iter().filter(|(section, _, name)| {
                *section == b'i' && name.starts_with(CONTROLLABLE)
            });
            let renamed = |(section, at, _): &(u8, u32, String)| {
                (*section, *at, format!("{CONTROLLABLE}{at}"))
            };
            let nameless = Circuit {
                symbols: Symbols { entries: chosen.map(renamed).collect() },
                comments: Vec::new(),
                ..(**circuit).clone()
            };
            let bytes = match opened.bytes.starts_with(b"aag ") {
                true => aiger::write_ascii(&nameless).into_bytes(),
                false => aiger::write_binary(&nameless),
            };
            Ok((bytes, Names::default()))
        }
        (Some(AnyProblem::Words(words)), Some(Format::Btor2)) => {
            let written = btor2::print(words).map_err(|why| why.message.clone())?;
            let lines = written.lines().map(nameless);
            Ok((lines.collect::<String>().into_bytes(), Names::default()))
        }
        _ => Err("names can be taken out of SMT-LIB, AIGER, BTOR2 and C; convert it to one of them first"
            .to_owned()),
    }
}

/// A line of BTOR2 without the name at its end.
fn nameless(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let count = match words.get(1) {
        Some(&"input" | &"state" | &"bad" | &"constraint" | &"fair" | &"output") => 3,
        Some(&"justice") => 3 + words.get(2).and_then(|size| size.parse().ok()).unwrap_or(0),
        _ => words.len(),
    };
    let rest = words[..count.min(words.len())].join(" ");
    match words.get(3) {
        Some(name) if words[1] == "input" && name.starts_with(CONTROLLABLE) => {
            format!("{rest} {CONTROLLABLE}{}\n", words[0])
        }
        _ => rest + "\n",
    }
}

#[cfg(test)]
mod tests {
    use super::anonymous;
    use crate::open::open_bytes;

    #[test]
    fn circuits_and_words_lose_their_names_and_stay_readable() {
        let words = "1 sort bitvec 4\n2 zero 1\n3 state 1 vault\n4 init 1 3 2\n5 input 1 gold\n6 add 1 3 5\n\
                     7 next 1 3 6\n8 sort bitvec 1\n9 ones 1\n10 eq 8 3 9\n11 bad 10 robbed\n";
        let circuit =
            "aag 3 1 1 0 1 1\n2\n4 6\n6\n6 2 4\ni0 gold\nl0 vault\nb0 robbed\nc\nthe vault\n";
        for (name, text) in [("a.btor2", words), ("a.aag", circuit)] {
            let opened = open_bytes(name, text.as_bytes().to_vec(), None);
            let (bytes, _) = anonymous(&opened).expect("it is a problem");
            let written = String::from_utf8(bytes.clone()).expect("it is a text");
            for word in ["gold", "vault", "robbed"] {
                assert!(!written.contains(word), "{written}");
            }
            let again = open_bytes(name, bytes, None);
            assert!(again.problem.is_some() && again.diagnostics.is_clean(), "{written}");
        }
    }

    #[test]
    fn a_game_stays_one() {
        let circuit = "aag 2 2 0 0 0 1\n2\n4\n2\ni0 gold\ni1 controllable_door\n";
        let words =
            "1 sort bitvec 1\n2 input 1 gold\n3 input 1 controllable_door\n4 and 1 2 3\n5 bad 4\n";
        for (name, text) in [("a.aag", circuit), ("a.btor2", words)] {
            let opened = open_bytes(name, text.as_bytes().to_vec(), None);
            let (bytes, _) = anonymous(&opened).expect("it is a problem");
            let written = String::from_utf8(bytes).expect("it is a text");
            assert!(written.contains(" controllable_"), "{written}");
            assert!(!written.contains("door") && !written.contains("gold"), "{written}");
        }
    }

    #[test]
    fn other_languages_are_refused() {
        let opened = open_bytes("a.pl", b"false :- p(X), X > 3. p(0).".to_vec(), None);
        assert!(anonymous(&opened).is_err());
        let model = "var x: 0..1; startstate begin x := 0; end; invariant \"low\" x < 1;";
        let opened = open_bytes("a.m", model.as_bytes().to_vec(), None);
        assert!(opened.problem.is_some() && anonymous(&opened).is_err());
    }
}
