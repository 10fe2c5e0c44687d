//! `alphorn-check`: evidence about a problem, judged by a program that cannot search.
//!
//! It says what `alphorn check` says, and ends as that does. It has no options but those that say what is
//! meant, and no dependencies but the readers and the checker.

use alphorn_audit::flow::{Asked, ResponseWish};
use alphorn_audit::format::{FORMATS, Format};
use alphorn_audit::judge::{Case, Judgement, Said, judge};
use alphorn_audit::open::read_bytes;
use alphorn_audit::program::{DataModel, ENCODINGS, Processes, Wishes};
use alphorn_report::diagnostic::{Located, render};
use alphorn_report::{Exit, json, printable};
use std::io::Write;
use std::process::ExitCode;

const HELP: &str = "\
alphorn-check [OPTIONS] PROBLEM EVIDENCE

Says whether a file of evidence shows what it claims about a problem: it replays proofs, evaluates
models and runs traces again, and looks for nothing. `-` is standard input.

Options:
      --property N       The property or question that the evidence must be about, by position
      --format FORMAT    The format of the problem; from the name, then the content, if not given
      --template FILE    The template that the evidence is about, where it is about one
      --data-model M     How wide integers of a C program are: ilp32 or lp64
      --entry FUNCTION   The function where runs of a C program begin; main if not given
      --target STATE     What must not be reached, where it does not stand in the file: of threads, of timed automata
      --encoding NAME    The clauses of timed automata: product, owicki-gries, rely-guarantee, parameterised
      --processes N      A protocol of just N processes, or N copies of a template
      --seen K           ... or any number of them, of which K are seen at once
      --copies TEMPLATE  The template of timed automata of which there are copies
      --from P --to Q    The evidence is about whether P leads to Q, as in alphorn respond
      --fair HOW         ... on runs that are fair in this way; may be given several times
      --json             Print one JSON object per line
  -h, --help             Print this
  -V, --version          Print the version

Exit codes:
  0  the evidence is accepted
  2  nothing was decided: the evidence comes without proofs
  3  the command line is wrong
  4  the problem or the evidence cannot be read
  5  the problem is outside what this program treats
  6  the evidence is refused
";

/// Readers and the checker recurse in places (terms, values).
const STACK: usize = 1 << 26;

/// What the command line asks for.
#[derive(Default)]
struct Args {
    files: Vec<String>,
    property: Option<usize>,
    format: Option<Format>,
    wishes: Wishes,
    template: Option<String>,
    json: bool,
}

fn main() -> ExitCode {
    let args = match parse(std::env::args().skip(1)) {
        Ok(args) => args,
        Err(Some(wrong)) => {
            err(&format!("error: {wrong}\n\nalphorn-check --help says more\n"));
            return ExitCode::from(Exit::Usage as u8);
        }
        Err(None) => return ExitCode::SUCCESS,
    };
    let work = std::thread::Builder::new().stack_size(STACK).spawn(move || check(args));
    let exit = match work.map(std::thread::JoinHandle::join) {
        Ok(Ok(exit)) => exit,
        _ => {
            err("error: a fault of this program\n");
            Exit::Internal
        }
    };
    ExitCode::from(exit as u8)
}

/// What the words of a command line ask for; an error with the words that are wrong, or none if it was
/// answered.
fn parse(words: impl Iterator<Item = String>) -> Result<Args, Option<String>> {
    let (mut args, mut are_options_over) = (Args::default(), false);
    let mut words = words.peekable();
    let (mut from, mut to, mut fair) = (None, None, Vec::new());
    while let Some(word) = words.next() {
        if are_options_over || word == "-" || !word.starts_with('-') {
            args.files.push(word);
            continue;
        }
        let (name, inline) = match word.split_once('=') {
            Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
            None => (word, None),
        };
        let mut value = || {
            let value = inline.clone().or_else(|| words.next());
            value.ok_or_else(|| Some(format!("{name} wants a value")))
        };
        match name.as_str() {
            "--" => are_options_over = true,
            "--json" => args.json = true,
            "-h" | "--help" => {
                out(HELP);
                return Err(None);
            }
            "-V" | "--version" => {
                out(concat!("alphorn-check ", env!("CARGO_PKG_VERSION"), "\n"));
                return Err(None);
            }
            "--property" => {
                let text = value()?;
                let number = text.parse().map_err(|_| Some(format!("`{text}` is no position")))?;
                args.property = Some(number);
            }
            "--format" => {
                let text = value()?;
                let names: Vec<&str> = FORMATS.iter().map(|card| card.name).collect();
                let unknown = || Some(format!("`{text}` is none of {}", names.join(", ")));
                args.format = Some(Format::named(&text).ok_or_else(unknown)?);
            }
            "--data-model" => {
                args.wishes.model = Some(match value()?.as_str() {
                    "ilp32" => DataModel::Ilp32,
                    "lp64" => DataModel::Lp64,
                    other => return Err(Some(format!("`{other}` is none of ilp32, lp64"))),
                });
            }
            "--template" => args.template = Some(value()?),
            "--target" => args.wishes.target = Some(value()?),
            "--copies" => args.wishes.copies = Some(value()?),
            "--encoding" => {
                let text = value()?;
                let known = ENCODINGS.iter().find(|(name, _)| *name == text);
                let names = ENCODINGS.map(|(name, _)| name);
                let unknown = || Some(format!("`{text}` is none of {}", names.join(", ")));
                args.wishes.encoding = Some(known.ok_or_else(unknown)?.1);
            }
            "--processes" | "--seen" => {
                let text = value()?;
                let number = text.parse().map_err(|_| Some(format!("`{text}` is no number")))?;
                let processes = match name.as_str() {
                    "--processes" => Processes::Just(number),
                    _ => Processes::Any(number),
                };
                if args.wishes.processes.replace(processes).is_some() {
                    return Err(Some("--processes and --seen exclude each other".to_owned()));
                }
            }
            "--entry" => args.wishes.entry = Some(value()?),
            "--from" => from = Some(value()?),
            "--to" => to = Some(value()?),
            "--fair" => fair.push(value()?),
            _ => return Err(Some(format!("there is no option {name}"))),
        }
    }
    match (from, to) {
        (Some(from), Some(to)) => {
            args.wishes.asked = Asked::Response(ResponseWish { from, to, fair });
        }
        (None, None) if fair.is_empty() => {}
        _ => return Err(Some("--from and --to belong together, and --fair to both".to_owned())),
    }
    match args.files.len() {
        2 if args.files.iter().all(|file| file == "-") => {
            Err(Some("one of the files must not be standard input".to_owned()))
        }
        2 => Ok(args),
        _ => Err(Some("a problem and evidence about it are wanted".to_owned())),
    }
}

fn check(args: Args) -> Exit {
    let Args { mut files, property, format, wishes, template, json } = args;
    files.extend(template);
    let mut contents = Vec::new();
    for file in &files {
        match read_bytes(file, None) {
            Ok(bytes) => contents.push(bytes),
            Err(diagnostic) => {
                let empty = std::sync::Arc::new(Vec::new());
                say(file, &Said::Noticed(file.clone(), empty, vec![diagnostic]), json);
                return Exit::Input;
            }
        }
    }
    let text = (contents.len() > 2).then(|| contents.pop().unwrap_or_default());
    let (evidence, problem) =
        (contents.pop().unwrap_or_default(), contents.pop().unwrap_or_default());
    let template = text.map(|text| (files[2].as_str(), text));
    let (file, evidence_file) = (&files[0], &files[1]);
    let case = Case { file, problem, format, wishes, property, template, evidence_file, evidence };
    let Judgement { said, exit } = judge(case);
    said.iter().for_each(|said| say(file, said, json));
    exit
}

/// Says something of the case about `file`.
fn say(file: &str, said: &Said, as_json: bool) {
    match said {
        Said::Noticed(about, bytes, list) => {
            for diagnostic in list {
                let located = Located::new(diagnostic, about, bytes);
                match as_json {
                    true => object(&json::diagnostic(&located)),
                    false => err(&render(&located, false)),
                }
            }
        }
        Said::Wrong(why) => match as_json {
            true => object(&json::error(file, why)),
            false => err(&format!("error: {}: {why}\n", printable::line(file))),
        },
        Said::Judged(accepted, detail) if as_json => {
            object(&json::certified(file, *accepted, detail));
        }
        Said::Judged(accepted, detail) => {
            let word = match accepted {
                Some(true) => "accepted",
                Some(false) => "REFUSED",
                None => "not checked",
            };
            out(&printable::text(&format!("{file}: evidence {word}: {detail}\n")));
        }
    }
}

fn object(object: &json::Object) {
    out(&format!("{}\n", printable::json(&object.to_string())));
}

/// Who went away does not listen; the exit code tells.
fn out(text: &str) {
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
}

fn err(text: &str) {
    let _ = std::io::stderr().lock().write_all(printable::text(text).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::{Args, Asked, parse};

    fn parsed(words: &str) -> Result<Args, Option<String>> {
        parse(words.split(' ').map(str::to_owned))
    }

    #[test]
    fn what_leads_to_what_is_asked_with_its_fairness() {
        let args = parsed("m.m ev --from p --to=q --fair weak --fair strong:r");
        let args = args.unwrap_or_else(|why| panic!("{why:?}"));
        let Asked::Response(wish) = &args.wishes.asked else { panic!("it is a response") };
        assert_eq!((wish.from.as_str(), wish.to.as_str()), ("p", "q"));
        assert_eq!(wish.fair, ["weak", "strong:r"]);
    }

    #[test]
    fn half_a_question_is_refused() {
        for words in ["m.m ev --from p", "m.m ev --to q", "m.m ev --fair weak"] {
            assert!(matches!(parsed(words), Err(Some(_))), "{words}");
        }
    }
}
