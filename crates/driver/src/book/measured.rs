//! What engines decide alone: figures of the notes, and the table of `bench/engines.py`.
//!
//! The notes are about problems of competitions, and not about every engine. The table is about all engines and the small
//! problems of the repository, with a number of ticks, so that it comes out the same on every machine.

use std::collections::BTreeMap;

/// What an engine decides alone.
pub struct Measured {
    /// What it works on.
    pub kind: &'static str,
    pub engine: &'static str,
    /// The problems, and how long each may take.
    pub on: &'static str,
    pub decided: &'static str,
    /// The note that says how it was measured, in `bench/notes`.
    pub note: &'static str,
}

pub const MEASURED: &[Measured] = &[
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
        on: "38 nets, systems of threads and Boolean programs",
        decided: "36, the slowest in 1.4 s",
        note: "counters.md",
    },
    Measured {
        kind: "horn",
        engine: "iic",
        on: "queuedbusyflag, which neither of the others for counters decides",
        decided: "in 4.1 s of processor time",
        note: "counters.md",
    },
    Measured {
        kind: "horn",
        engine: "karp-miller",
        on: "delegatebuffer, which neither of the others for counters decides",
        decided: "in 3.5 s of processor time",
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

/// An engine's answer about a problem of the repository.
pub struct Decided {
    kind: String,
    engine: String,
    group: String,
    /// The words behind `alphorn`.
    pub words: String,
    pub verdict: String,
    seconds: f64,
}

/// The table of all engines.
pub struct Table {
    /// How many problems a kind has in a group.
    sizes: BTreeMap<(String, String), usize>,
    rows: Vec<Decided>,
}

impl Table {
    /// The table that `bench/engines.py` wrote.
    pub fn read(text: &str) -> Table {
        let mut table = Table { sizes: BTreeMap::new(), rows: Vec::new() };
        for line in text.lines() {
            let cells: Vec<String> = line.split('\t').map(str::to_owned).collect();
            match <[String; 6]>::try_from(cells) {
                Ok([kind, engine, group, words, verdict, seconds]) => {
                    let seconds = seconds.parse().expect("seconds are a number");
                    table.rows.push(Decided { kind, engine, group, words, verdict, seconds });
                }
                Err(cells) => match <[String; 4]>::try_from(cells) {
                    Ok([kind, of, group, size]) if of == "of" => {
                        let size = size.parse().expect("a size is a number");
                        table.sizes.insert((kind, group), size);
                    }
                    _ => panic!("no row of the table: {line}"),
                },
            }
        }
        table
    }

    fn of(&self, kind: &str, engine: &str) -> impl Iterator<Item = &Decided> {
        self.rows.iter().filter(move |row| row.kind == kind && row.engine == engine)
    }

    /// How many problems of each group an engine decides, with the groups of which it decides none left out.
    pub fn groups(&self, kind: &str, engine: &str) -> Vec<(&str, usize, usize)> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for row in self.of(kind, engine).filter(|row| row.group != NAMED) {
            *counts.entry(&row.group).or_default() += 1;
        }
        let size = |group: &str| self.sizes[&(kind.to_owned(), group.to_owned())];
        counts.into_iter().map(|(group, count)| (group, count, size(group))).collect()
    }

    /// The problem that shows best what an engine is for: of those that are quickly decided the one that the fewest
    /// engines decide.
    pub fn example(&self, kind: &str, engine: &str) -> Option<&Decided> {
        let problem = |row: &Decided| row.words.split(" --engine ").next().map(str::to_owned);
        let others = |row: &Decided| {
            let same = |other: &&Decided| other.kind == kind && problem(other) == problem(row);
            self.rows.iter().filter(same).count()
        };
        let quickest = self.of(kind, engine).map(|row| row.seconds).fold(f64::INFINITY, f64::min);
        self.of(kind, engine)
            .filter(|row| row.seconds <= quickest + QUICK)
            .min_by_key(|row| (others(row), row.words.clone()))
    }
}

/// The group of problems that name an engine, and were asked of that one only.
const NAMED: &str = "named";
/// Seconds of CPU that an example may take longer than the quickest one, in a build for release.
const QUICK: f64 = 0.1;
