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
    use super::pages;

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
