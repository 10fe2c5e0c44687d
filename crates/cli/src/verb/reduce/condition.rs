//! Conditions: what must stay true of a file while it is made smaller.

use super::trial::{Runs, Trial};
use alphorn_driver::report::Exit;
use alphorn_driver::report::batch::answers;
use alphorn_driver::report::json::Object;
use std::io;
use std::path::Path;
use std::time::Duration;

/// What must stay true.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    Refused,
    Panic,
    Exit(i32),
    Answer { verdict: String, by: Option<String> },
    Says(String),
    Slower(Duration),
    SlowerThan { factor: f64, options: Vec<String> },
    Differs(String),
    Command(String),
}

impl Condition {
    /// The condition that a text says.
    pub fn parse(text: &str) -> Result<Condition, String> {
        let text = text.trim();
        let words: Vec<&str> = text.split_whitespace().collect();
        let rest = |first: &str| text.strip_prefix(first).map_or("", str::trim).to_owned();
        match words[..] {
            [] => Err("say what must stay true (see `alphorn reduce --help`)".to_owned()),
            ["refused"] => Ok(Condition::Refused),
            ["panic"] => Ok(Condition::Panic),
            ["exit", code] => match code.parse::<u8>() {
                Ok(code) => Ok(Condition::Exit(code.into())),
                Err(_) => Err(format!("'{code}' is no exit code")),
            },
            [answer] if answer.starts_with("answer=") => Condition::answer(answer, None),
            [answer, "by", engine] if answer.starts_with("answer=") => {
                Condition::answer(answer, Some(engine))
            }
            ["says", ..] if words.len() > 1 => Ok(Condition::Says(rest("says"))),
            ["slower-than", ..] => Condition::slower(&words[1..]),
            ["differs", "from", ..] if words.len() > 2 => {
                Ok(Condition::Differs(rest("differs").trim_start_matches("from").trim().to_owned()))
            }
            _ if text.contains("{}") => Ok(Condition::Command(text.to_owned())),
            _ => Err(format!(
                "'{text}' is no condition, and a command says where the file goes with {{}} (see \
                 `alphorn reduce --help`)"
            )),
        }
    }

    fn answer(word: &str, by: Option<&str>) -> Result<Condition, String> {
        let verdict = word.strip_prefix("answer=").unwrap_or_default();
        match verdict {
            "safe" | "unsafe" | "unknown" | "sat" | "unsat" => {
                Ok(Condition::Answer { verdict: verdict.to_owned(), by: by.map(str::to_owned) })
            }
            _ => Err(format!(
                "'{verdict}' is no verdict: safe, unsafe, unknown; sat, unsat of scripts"
            )),
        }
    }

    fn slower(words: &[&str]) -> Result<Condition, String> {
        let Some((&first, options)) = words.split_first() else {
            return Err("slower-than wants a time or a factor: 500ms, 3s, 5x".to_owned());
        };
        if let Some(factor) = first.strip_suffix('x').and_then(|n| n.parse::<f64>().ok())
            && factor > 1.0
            && !options.is_empty()
        {
            let options = options.iter().map(|&option| option.to_owned()).collect();
            return Ok(Condition::SlowerThan { factor, options });
        }
        match crate::quantity::duration(first) {
            Ok(time) if options.is_empty() => Ok(Condition::Slower(time)),
            _ => {
                Err(format!("'{first}' is neither a time alone nor a factor above 1 with options"))
            }
        }
    }

    /// Whether it is true of a file, and what was seen.
    pub fn holds(&self, runs: &Runs, file: &Path) -> io::Result<(bool, String)> {
        if let Condition::Command(line) = self {
            let trial = runs.shell(line, file)?;
            return Ok((trial.code == Some(0), ended(&trial)));
        }
        let own = runs.own(file, None)?;
        let said = answers(&own.out);
        let holds = match self {
            Condition::Refused => {
                own.code == Some(Exit::Refused as i32) || has_attempt(&said, "evidence was refused")
            }
            Condition::Panic => {
                let is_fault =
                    own.code == Some(Exit::Internal as i32) || own.err.contains("panicked at");
                is_fault || has_attempt(&said, "failed (a fault of ours)")
            }
            Condition::Exit(code) => own.code == Some(*code),
            Condition::Answer { verdict, by } if runs.is_script() => {
                by.is_none() && own.out.lines().any(|line| line == verdict)
            }
            Condition::Answer { verdict, by } => said.iter().any(|answer| {
                let by_whom = by.as_deref().is_none_or(|by| text(answer, "engine") == Some(by));
                by_whom && text(answer, "verdict") == Some(verdict)
            }),
            Condition::Says(what) => own.out.contains(what) || own.err.contains(what),
            Condition::Slower(time) => own.time > *time,
            Condition::SlowerThan { factor, options } => {
                // Where both are quick, times say nothing.
                let other = runs.own(file, Some(options))?;
                let is_ended = other.code == Some(0) || other.code == Some(1);
                is_ended && own.time.as_secs_f64() > factor * other.time.as_secs_f64()
            }
            Condition::Differs(line) => {
                let other = runs.shell(line, file)?;
                match (verdict(runs, &own, &said), word(runs, &other.out)) {
                    (Some(ours), Some(theirs)) => ours != theirs,
                    _ => false,
                }
            }
            Condition::Command(_) => false,
        };
        Ok((holds, seen(&own, &said)))
    }
}

fn text<'a>(answer: &'a Object, name: &str) -> Option<&'a str> {
    answer.get(name).and_then(Object::as_str)
}

/// Whether some engine ended so.
fn has_attempt(answers: &[Object], how: &str) -> bool {
    let attempts = answers.iter().filter_map(|answer| answer.get("attempts")?.as_array());
    attempts
        .flatten()
        .any(|attempt| text(attempt, "ended").is_some_and(|ended| ended.contains(how)))
}

/// Whether our run says that nothing bad can happen, if it says anything.
fn verdict(runs: &Runs, own: &Trial, answers: &[Object]) -> Option<bool> {
    if runs.is_script() {
        return word(runs, &own.out);
    }
    let all = || answers.iter().filter_map(|answer| text(answer, "verdict"));
    if all().any(|verdict| verdict == "unsafe") {
        return Some(false);
    }
    (all().count() > 0 && all().all(|verdict| verdict == "safe")).then_some(true)
}

/// What another tool says: its last word that is a verdict.
fn word(runs: &Runs, out: &str) -> Option<bool> {
    out.lines().rev().find_map(|line| match line.trim().to_ascii_lowercase().as_str() {
        "sat" => Some(!runs.is_hardware),
        "unsat" => Some(runs.is_hardware),
        "safe" | "true" => Some(true),
        "unsafe" | "false" => Some(false),
        _ => None,
    })
}

fn ended(trial: &Trial) -> String {
    match trial.code {
        Some(code) => format!("it ends with {code}"),
        None if trial.is_late => "its time is over".to_owned(),
        None => "a signal ends it".to_owned(),
    }
}

/// What a run of ours came to, in a phrase.
fn seen(own: &Trial, answers: &[Object]) -> String {
    let verdicts: Vec<&str> = answers.iter().filter_map(|answer| text(answer, "verdict")).collect();
    match verdicts.is_empty() {
        true => ended(own),
        false => format!("{}, {}", ended(own), verdicts.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::Condition;
    use std::time::Duration;

    #[test]
    fn conditions_are_read() {
        let said = |verdict: &str, by: Option<&str>| Condition::Answer {
            verdict: verdict.to_owned(),
            by: by.map(str::to_owned),
        };
        let slower =
            Condition::SlowerThan { factor: 5.0, options: vec!["--engine".into(), "pdr".into()] };
        for (text, condition) in [
            ("refused", Condition::Refused),
            (" panic ", Condition::Panic),
            ("exit 7", Condition::Exit(7)),
            ("answer=unsafe", said("unsafe", None)),
            ("answer=safe by pdr", said("safe", Some("pdr"))),
            ("says index out of", Condition::Says("index out of".to_owned())),
            ("slower-than 500ms", Condition::Slower(Duration::from_millis(500))),
            ("slower-than 5x --engine pdr", slower),
            ("differs from z3 {}", Condition::Differs("z3 {}".to_owned())),
            ("grep -q x {}", Condition::Command("grep -q x {}".to_owned())),
        ] {
            assert_eq!(Condition::parse(text), Ok(condition), "{text}");
        }
    }

    #[test]
    fn what_is_no_condition_is_refused() {
        for text in
            ["", "exit x", "answer=maybe", "slower-than", "slower-than 5x", "slower-than 5", "grep"]
        {
            assert!(Condition::parse(text).is_err(), "{text}");
        }
    }
}
