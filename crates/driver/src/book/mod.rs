//! The engine book: pages of the site about engines, made of the tables of engines and of plans.
//!
//! What an engine is, its card says, and how much of the time it has, the plans; so neither is written twice. A test
//! compares the pages in `docs/engines` with what is made here, and writes them where `ALPHORN_WRITE_BOOK` is set.

use crate::registry::{EngineLine, engines};
use alphorn_cross::plan::{CIRCUIT_PLANS, FLOW_PLANS, HORN_PLANS, TEMPORAL_PLANS, WORDS_PLANS};
use alphorn_engine::Plan;
use alphorn_problem::Problem;
use std::fmt::Write;

/// A page of the book.
struct Chapter {
    file: &'static str,
    title: &'static str,
    /// What the engines of the page have in common.
    about: &'static str,
    /// The kinds of problems that the engines work on.
    kinds: &'static [&'static str],
    plans: fn() -> String,
}

const CHAPTERS: &[Chapter] = &[
    Chapter {
        file: "horn.md",
        title: "Engines for Horn clauses",
        about: "An engine looks for meanings of the predicates under which all clauses hold, or for a derivation of \
                false. Programs are Horn clauses, too, once they are read.",
        kinds: &["horn"],
        plans: || plans(HORN_PLANS),
    },
    Chapter {
        file: "circuits.md",
        title: "Engines for circuits",
        about: "An engine looks for an inductive invariant over latches, or for a run to a bad state or, for justice, \
                a loop. Systems over words that are made of bits are circuits, too.",
        kinds: &["circuit"],
        plans: || plans(CIRCUIT_PLANS),
    },
    Chapter {
        file: "words.md",
        title: "Engines for words",
        about: "Systems over words can be decided as they are, written out in bits, or seen as Horn clauses.",
        kinds: &["words"],
        plans: || plans(WORDS_PLANS),
    },
    Chapter {
        file: "runs.md",
        title: "Engines for programs and infinite runs",
        about: "Programs are run, beside what engines for Horn clauses make of them. Whether all runs end, and what a \
                temporal formula says, is asked of flows.",
        kinds: &["program", "flow", "temporal"],
        plans: || plans(FLOW_PLANS) + &plans(TEMPORAL_PLANS),
    },
];

/// What an engine decides alone.
struct Measured {
    /// What it works on.
    kind: &'static str,
    engine: &'static str,
    /// The problems, and how long each may take.
    on: &'static str,
    decided: &'static str,
    /// The note that says how it was measured, in `bench/notes`.
    note: &'static str,
}

const MEASURED: &[Measured] = &[
    Measured {
        kind: "horn",
        engine: "pdr",
        on: "90 files of LIA-Lin, 71 of LIA, 10 s",
        decided: "80, 68",
        note: "chc.md",
    },
    Measured { kind: "horn", engine: "duality", on: "the same", decided: "76, 62", note: "chc.md" },
    Measured {
        kind: "horn",
        engine: "cegar",
        on: "36 regression tests of Eldarica and the like, 5 s",
        decided: "36",
        note: "cegar.md",
    },
    Measured {
        kind: "horn",
        engine: "accelerate-pdr",
        on: "90 linear systems over integers, 4 s",
        decided: "26",
        note: "acceleration.md",
    },
    Measured {
        kind: "horn",
        engine: "abmc",
        on: "the same",
        decided: "18, all violated",
        note: "acceleration.md",
    },
    Measured {
        kind: "horn",
        engine: "cegaar",
        on: "62 numerical transition systems",
        decided: "62 in 5.7 s",
        note: "acceleration.md",
    },
    Measured {
        kind: "horn",
        engine: "contract-pdr",
        on: "the same",
        decided: "50",
        note: "acceleration.md",
    },
    Measured {
        kind: "horn",
        engine: "contract",
        on: "the same",
        decided: "44",
        note: "acceleration.md",
    },
    Measured {
        kind: "horn",
        engine: "folds",
        on: "20 files of ADT-LIA, 8 s",
        decided: "9, all within 0.2 s",
        note: "horn-data.md",
    },
    Measured {
        kind: "horn",
        engine: "forward",
        on: "the same",
        decided: "2",
        note: "horn-data.md",
    },
    Measured {
        kind: "horn",
        engine: "wqo",
        on: "35 nets and threads",
        decided: "33, the slowest in 1.4 s",
        note: "counters.md",
    },
    Measured {
        kind: "circuit",
        engine: "ic3",
        on: "140 circuits of HWMCC'08, '15, '17, '20, 10 s",
        decided: "99",
        note: "hw-interpolation.md",
    },
    Measured {
        kind: "circuit",
        engine: "rlive",
        on: "15 files of HWMCC'17 with justice, 6 s",
        decided: "9",
        note: "hw-live.md",
    },
    Measured { kind: "circuit", engine: "klive", on: "the same", decided: "8", note: "hw-live.md" },
    Measured { kind: "circuit", engine: "l2s", on: "the same", decided: "8", note: "hw-live.md" },
    Measured { kind: "circuit", engine: "lasso", on: "the same", decided: "5", note: "hw-live.md" },
    Measured {
        kind: "flow",
        engine: "rank",
        on: "19 systems that end",
        decided: "19",
        note: "flow.md",
    },
    Measured {
        kind: "flow",
        engine: "rank-union",
        on: "the same",
        decided: "18 in 5.5 s",
        note: "flow.md",
    },
    Measured {
        kind: "flow",
        engine: "lasso",
        on: "21 systems that do not",
        decided: "18 in 0.5 s",
        note: "flow.md",
    },
    Measured {
        kind: "flow",
        engine: "recurrence",
        on: "the same",
        decided: "21 in 42 s",
        note: "flow.md",
    },
];

/// The pages: names of files, and texts.
pub fn pages() -> Vec<(&'static str, String)> {
    CHAPTERS.iter().map(|chapter| (chapter.file, chapter.text())).collect()
}

impl Chapter {
    fn text(&self) -> String {
        let Chapter { title, about, kinds, plans, .. } = self;
        let mut text = format!(
            "# {title}\n\n{about} `alphorn FILE --engine NAME` runs one alone; without that, a "
        );
        text.push_str(
            "plan says who runs and who has how much of the time.\nKeys of papers are in the ",
        );
        text.push_str("[bibliography](../bibliography.md).\n\n## Engines\n\n| engine | finds | idea |\n|---|---|---|\n");
        for EngineLine { name, proves, refutes, about, .. } in
            engines().iter().filter(|line| kinds.contains(&line.works_on))
        {
            let finds = match (proves, refutes) {
                (true, true) => "both",
                (true, false) => "proofs",
                (false, _) => "violations",
            };
            let _ = writeln!(text, "| `{name}` | {finds} | {about} |");
        }
        text.push_str(&measured(kinds));
        let plans = plans();
        if !plans.is_empty() {
            text.push_str("\n## Plans\n\nWho runs by itself, by the shape of the problem: names with shares of the time, and ");
            text.push_str(
                "after how many milliseconds of the others those begin that seldom answer.\n\n",
            );
            text.push_str(&plans);
        }
        text
    }
}

/// What the engines for these kinds decide alone, as far as it is known.
fn measured(kinds: &[&str]) -> String {
    let rows = || MEASURED.iter().filter(|row| kinds.contains(&row.kind));
    if rows().next().is_none() {
        return String::new();
    }
    let mut text = "\n## Measured\n\nWhat an engine decides alone, where that was measured; the note says how. A number is one run on \
                    one machine.\n\n| engine | on | decided | note |\n|---|---|---|---|\n"
        .to_owned();
    for Measured { engine, on, decided, note, .. } in rows() {
        let _ = writeln!(text, "| `{engine}` | {on} | {decided} | `bench/notes/{note}` |");
    }
    text
}

fn plans<P: Problem>(table: &[&Plan<P>]) -> String {
    let mut text = String::new();
    for Plan { about, rows } in table {
        let row = |entry: &alphorn_engine::Entry<P>| match entry.late {
            0 => format!("`{}` {}", entry.card.name, entry.weight),
            late => format!("`{}` {} (after {late})", entry.card.name, entry.weight),
        };
        let rows: Vec<String> = rows.iter().map(row).collect();
        let _ = writeln!(text, "- {about}: {}", rows.join(", "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{MEASURED, pages};
    use crate::registry::engines;

    #[test]
    fn what_was_measured_is_about_engines_that_are_there() {
        let all = engines();
        for row in MEASURED {
            let is_it = |line: &&crate::registry::EngineLine| {
                (line.name, line.works_on) == (row.engine, row.kind)
            };
            assert!(all.iter().any(|line| is_it(&line)), "{} for {}", row.engine, row.kind);
            let note = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bench/notes/");
            assert!(std::path::Path::new(&format!("{note}{}", row.note)).exists(), "{}", row.note);
        }
    }

    #[test]
    fn the_pages_in_the_repository_are_those_of_the_tables() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/engines");
        for (file, text) in pages() {
            let path = format!("{folder}/{file}");
            if std::env::var_os("ALPHORN_WRITE_BOOK").is_some() {
                std::fs::write(&path, &text).expect("it can be written");
            }
            let there = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(
                there == text,
                "{path} is not what the tables say; run this with ALPHORN_WRITE_BOOK=1"
            );
        }
    }
}
