//! Rules about words in the code of crates: one table.
//!
//! Tests may do what they like: a rule about code does not look into `tests.rs`, into folders
//! called `tests`, into a `#[cfg(test)]` module, or into the crate that tests share. Text in strings is never looked at.

use super::code::{has_word, split};
use super::{File, Violation};

/// Words that code must not contain, except in some crates.
struct Rule {
    words: &'static [&'static str],
    /// The crates that may.
    except: &'static [&'static str],
    sentence: &'static str,
}

const RULES: &[Rule] = &[
    Rule {
        words: &["println!", "eprintln!", "print!", "eprint!", "stdout()", "stderr()"],
        except: &["audit", "web", "cli", "xtask"],
        sentence: "prints: only command lines do; emit an event or return the text",
    },
    Rule {
        words: &["std::time", "Instant::now", "SystemTime"],
        except: &["engine", "audit", "driver", "web", "cli", "xtask"],
        sentence: "only engine, driver and the products read the clock; count ticks instead",
    },
    Rule {
        words: &["std::thread", "std::env"],
        except: &["engine", "audit", "driver", "web", "cli", "xtask"],
        sentence: "only engine, driver and the products use threads and the environment",
    },
    Rule {
        words: &["use std::{"],
        except: &["engine", "audit", "driver", "web", "cli", "xtask"],
        sentence: "write one `use` per module of std, so that the rules about std can be read off",
    },
    Rule {
        words: &["HashMap", "HashSet", "RandomState"],
        except: &[],
        sentence: "hashing must not be random; use FxHashMap, FxHashSet or the BTree kinds",
    },
    Rule {
        words: &[".unwrap()"],
        except: &[],
        sentence: "say with expect(\"…\") which invariant holds, or return the error",
    },
    Rule {
        words: &["todo!", "unimplemented!", "dbg!"],
        except: &[],
        sentence: "unfinished code does not belong in the repository",
    },
    Rule { words: &["unsafe"], except: &[], sentence: "there is no unsafe code here" },
];

/// Applies the rules to a file of a crate.
pub fn check(file: &File, violations: &mut Vec<Violation>) {
    if is_test(&file.path) {
        return;
    }
    let name = file.crate_name().expect("only files of crates are checked");
    for (line, text) in product_lines(split(&file.text).code) {
        let mut names = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        if let Some(limit) = names.find(|name| name.starts_with("MOST_")) {
            let sentence = format!("`{limit}`: limits are called MAX_…, as Rust's habit is");
            violations.push(Violation::new(&file.path, line, sentence));
        }
        for rule in RULES.iter().filter(|rule| !rule.except.contains(&name)) {
            if let Some(word) = rule.words.iter().find(|word| has_word(&text, word)) {
                let sentence = format!("`{word}`: {}", rule.sentence);
                violations.push(Violation::new(&file.path, line, sentence));
            }
        }
    }
}

/// Whether a file is a test or for tests alone.
pub fn is_test(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.contains("/tests/") || path.starts_with("crates/testkit/")
}

/// The lines, with their numbers, outside of test modules. A module ends at the first closing
/// brace without indentation, as formatted code has it.
pub fn product_lines(lines: Vec<String>) -> Vec<(usize, String)> {
    let mut product = Vec::new();
    let mut lines = lines.into_iter().zip(1..).peekable();
    while let Some((text, line)) = lines.next() {
        let opens = |text: &str| text.trim().starts_with("mod ") && text.trim_end().ends_with('{');
        if text.trim() == "#[cfg(test)]" && lines.peek().is_some_and(|(next, _)| opens(next)) {
            let _ = lines.find(|(text, _)| text == "}");
        } else {
            product.push((line, text));
        }
    }
    product
}
