//! The engine book: pages of the site about engines, made of the tables of engines and of plans.
//!
//! What an engine is, its card and the head of its file say, and how much of the time it has, the plans; so nothing is
//! written twice. A test compares the pages in `docs/engines` with what is made here, and the table of contents with
//! both, and writes them where `ALPHORN_WRITE_BOOK` is set. Tests of the program run the examples.

mod measured;
mod origin;
mod page;

use crate::registry::{EngineLine, engines};
use alphorn_cross::plan::{
    CIRCUIT_PLANS, FLOW_PLANS, GAME_PLANS, HORN_PLANS, TEMPORAL_PLANS, WORDS_PLANS,
};
use alphorn_engine::Plan;
use alphorn_problem::Problem;
use measured::Table;
use origin::{ORIGINS, page_of};
use page::Sources;
use std::fmt::Write;
use std::path::Path;

/// A part of the book: a page with tables, and a folder with a page for each engine.
struct Chapter {
    folder: &'static str,
    title: &'static str,
    /// What the engines of the part have in common.
    about: &'static str,
    /// The kinds of problems that the engines work on.
    kinds: &'static [&'static str],
    plans: fn() -> String,
}

const CHAPTERS: &[Chapter] = &[
    Chapter {
        folder: "horn",
        title: "Engines for Horn clauses",
        about: "An engine looks for meanings of the predicates under which all clauses hold, or for a derivation of \
                false. Programs are Horn clauses, too, once they are read.",
        kinds: &["horn"],
        plans: || plans(HORN_PLANS),
    },
    Chapter {
        folder: "circuits",
        title: "Engines for circuits",
        about: "An engine looks for an inductive invariant over latches, or for a run to a bad state or, for justice, \
                a loop. Systems over words that are made of bits are circuits, too.",
        kinds: &["circuit"],
        plans: || plans(CIRCUIT_PLANS),
    },
    Chapter {
        folder: "words",
        title: "Engines for words",
        about: "Systems over words can be decided as they are, written out in bits, or seen as Horn clauses.",
        kinds: &["words"],
        plans: || plans(WORDS_PLANS),
    },
    Chapter {
        folder: "runs",
        title: "Engines for programs and infinite runs",
        about: "Programs are run, beside what engines for Horn clauses make of them. Whether all runs end, and what a \
                temporal formula says, is asked of flows.",
        kinds: &["program", "flow", "temporal"],
        plans: || plans(FLOW_PLANS) + &plans(TEMPORAL_PLANS),
    },
    Chapter {
        folder: "games",
        title: "Engines for games",
        about: "Of a safety game it is asked whether a controller can keep errors from showing, whatever the \
                environment does.",
        kinds: &["game"],
        plans: || plans(GAME_PLANS),
    },
];

/// The folder with the pages of the engines of a kind.
fn folder_of(kind: &str) -> &'static str {
    let chapter = CHAPTERS.iter().find(|chapter| chapter.kinds.contains(&kind));
    chapter.expect("every kind is in a chapter").folder
}

/// The pages: names of files in `docs/engines`, and texts.
fn pages(sources: &Sources) -> Vec<(String, String)> {
    let chapters =
        CHAPTERS.iter().map(|chapter| (format!("{}.md", chapter.folder), chapter.text()));
    let own = ORIGINS.iter().map(|origin| {
        let file = format!("{}/{}.md", folder_of(origin.kind), origin.engine);
        (file, sources.page(origin))
    });
    chapters.chain(own).collect()
}

/// The lines of the table of contents.
fn contents() -> String {
    let mut text = String::new();
    for Chapter { folder, title, kinds, .. } in CHAPTERS {
        let _ = writeln!(text, "- [{title}](engines/{folder}.md)");
        for origin in ORIGINS.iter().filter(|origin| kinds.contains(&origin.kind)) {
            let _ = writeln!(text, "  - [{0}](engines/{folder}/{0}.md)", origin.engine);
        }
    }
    text
}

impl Chapter {
    fn text(&self) -> String {
        let Chapter { folder, title, about, kinds, plans } = self;
        let mut text = format!(
            "# {title}\n\n{about} `alphorn FILE --engine NAME` runs one alone; without that, a "
        );
        text.push_str(
            "plan says who runs and who has how much of the time.\nKeys of papers are in the ",
        );
        text.push_str("[bibliography](../bibliography.md).\n\n## Engines\n\n| engine | finds | idea |\n|---|---|---|\n");
        for EngineLine { name, works_on, proves, refutes, about } in
            engines().iter().filter(|line| kinds.contains(&line.works_on))
        {
            let finds = match (proves, refutes) {
                (true, true) => "both",
                (true, false) => "proofs",
                (false, _) => "violations",
            };
            let page = page_of(works_on, name).expect("every engine is on a page").engine;
            let _ = writeln!(text, "| [`{name}`]({folder}/{page}.md) | {finds} | {about} |");
        }
        let plans = plans();
        if !plans.is_empty() {
            text.push_str("\n## Plans\n\nWho runs by itself, by the shape of the problem: names with shares of the time, and ");
            text.push_str(
                "after how many milliseconds of the others those begin that seldom answer, or have another share.\n\n",
            );
            text.push_str(&plans);
        }
        text
    }
}

fn plans<P: Problem>(table: &[&Plan<P>]) -> String {
    let mut text = String::new();
    for Plan { about, rows } in table {
        let row = |entry: &alphorn_engine::Entry<P>| {
            let share = format!("`{}` {}", entry.card.name, entry.weight);
            let late = (entry.late > 0).then(|| format!("after {}", entry.late));
            let later = entry.later.map(|(after, weight)| format!("{weight} from {after} on"));
            match late.into_iter().chain(later).collect::<Vec<_>>().join(", ") {
                none if none.is_empty() => share,
                when => format!("{share} ({when})"),
            }
        };
        let rows: Vec<String> = rows.iter().map(row).collect();
        let _ = writeln!(text, "- {about}: {}", rows.join(", "));
    }
    text
}

/// The plans that an engine for a kind is in, with its shares.
fn weights(kind: &str, engine: &str) -> Vec<String> {
    fn of<P: Problem>(table: &[&Plan<P>], engine: &str) -> Vec<String> {
        let share = |plan: &&Plan<P>| {
            let all: u64 = plan.rows.iter().map(|entry| u64::from(entry.weight)).sum();
            let own = plan.rows.iter().find(|entry| entry.card.name == engine)?;
            Some(format!("{}: {} of {all}", plan.about, own.weight))
        };
        table.iter().filter_map(share).collect()
    }
    match kind {
        "horn" => of(HORN_PLANS, engine),
        "circuit" => of(CIRCUIT_PLANS, engine),
        "words" => of(WORDS_PLANS, engine),
        "flow" => of(FLOW_PLANS, engine),
        "temporal" => of(TEMPORAL_PLANS, engine),
        "game" => of(GAME_PLANS, engine),
        _ => Vec::new(),
    }
}

/// The root of the repository.
fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_default()
}

/// Compares a file of the repository with what it must be, or writes it.
fn compare(path: &str, text: &str) {
    if std::env::var_os("ALPHORN_WRITE_BOOK").is_some() {
        let full = root().join(path);
        std::fs::create_dir_all(full.parent().expect("it has a folder")).expect("it can be made");
        std::fs::write(full, text).expect("it can be written");
    }
    let is_so = read(path) == text;
    assert!(is_so, "{path} is not what the tables say; run this with ALPHORN_WRITE_BOOK=1");
}

#[test]
fn every_engine_is_on_one_page() {
    for line in engines() {
        let is_it = |origin: &&origin::Origin| {
            origin.kind == line.works_on
                && (origin.engine == line.name || origin.presets.contains(&line.name))
        };
        let count = ORIGINS.iter().filter(is_it).count();
        assert_eq!(count, 1, "{} for {}", line.name, line.works_on);
    }
    let named: usize = ORIGINS.iter().map(|origin| 1 + origin.presets.len()).sum();
    assert_eq!(named, engines().len(), "all pages are of engines");
}

#[test]
fn settings_that_pages_name_are_there() {
    for origin in ORIGINS {
        for own in origin.settings {
            let is_own =
                |setting: &alphorn_setting::Setting| setting.name.split('.').next() == Some(own);
            assert!(crate::registry::settings().any(is_own), "{} of {}", own, origin.engine);
        }
    }
}

#[test]
fn what_was_measured_is_about_engines_that_are_there() {
    for row in measured::MEASURED {
        assert!(page_of(row.kind, row.engine).is_some(), "{} for {}", row.engine, row.kind);
        assert!(root().join("bench/notes").join(row.note).exists(), "{}", row.note);
    }
}

#[test]
fn the_pages_in_the_repository_are_those_of_the_tables() {
    let (bibliography, table) = (read("docs/bibliography.md"), read("bench/notes/engines.tsv"));
    let sources = Sources {
        root: root(),
        bibliography: &bibliography,
        table: &Table::read(&table),
        engines: &engines(),
    };
    for (file, text) in pages(&sources) {
        compare(&format!("docs/engines/{file}"), &text);
    }
    let summary = read("docs/SUMMARY.md");
    let (before, rest) = summary.split_once("# The engine book\n\n").expect("a part about engines");
    let (_, after) = rest.split_once("- [Bibliography]").expect("the bibliography comes last");
    let summary = format!("{before}# The engine book\n\n{}- [Bibliography]{after}", contents());
    compare("docs/SUMMARY.md", &summary);
}
