//! The names that the program answers to, for callers that know another tool by its name and its options.
//!
//! A link to the program is enough. What such a caller says is put into our own form before the table of
//! `args` sees it. An option that only steers the other tool's search is left out, with a word about it on
//! standard error; one that would change what is asked is passed on, and refused. A verdict ends with 0 under
//! all of these names, since callers take anything else for a crash.

use crate::{foreign, speak};
use std::ffi::OsString;
use std::path::Path;

/// A name, and how what is said to it is put into our own form.
struct Name {
    name: &'static str,
    translate: fn(Vec<OsString>) -> Vec<OsString>,
}

/// All names with a command line of their own.
static NAMES: &[Name] = &[
    Name { name: "alphorn-smt", translate: |rest| [words(&["smt"]), rest].concat() },
    Name { name: "alphorn-z3", translate: z3 },
    Name { name: "alphorn-eld", translate: eldarica },
    Name { name: "alphorn-golem", translate: golem },
    Name {
        name: "alphorn-horn",
        translate: |rest| [words(&["--exit-codes", "errors"]), rest].concat(),
    },
    Name { name: "alphorn-sby", translate: sby },
];

/// The command line in our own form.
pub fn translate(args: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut args: Vec<OsString> = args.collect();
    let stem = args.first().and_then(|name| Path::new(name).file_stem());
    let known = stem.and_then(|stem| NAMES.iter().find(|known| stem == known.name));
    if let Some(known) = known {
        let rest = args.split_off(1);
        args.extend((known.translate)(rest));
    }
    foreign::translate(args)
}

fn words(all: &[&str]) -> Vec<OsString> {
    all.iter().map(OsString::from).collect()
}

/// What is said about an option that is left out.
fn left_out(option: &str) {
    speak::err(&format!("alphorn: {option} has no meaning here and is left out\n"));
}

/// Z3: scripts, in a file or on standard input.
fn z3(rest: Vec<OsString>) -> Vec<OsString> {
    [words(&["smt", "--exit-codes", "errors"]), rest].concat()
}

/// A Horn solver's form of the command line: flags that mean something, and those that take a value and mean nothing.
struct Form {
    /// Their flag, and ours.
    flags: &'static [(&'static str, &'static [&'static str])],
    /// Their option with its value in one word, and ours with the unit behind it.
    values: &'static [(&'static str, &'static str, &'static str)],
    /// Options that only steer the search and have their value in the next word.
    steering: &'static [&'static str],
}

/// Eldarica: `eld [-t:S] [-ssol] [-scex] [FILE]`; without a file the clauses come from standard input.
fn eldarica(rest: Vec<OsString>) -> Vec<OsString> {
    let form = Form {
        flags: &[
            ("-ssol", &["--model"]),
            ("-sol", &["--model"]),
            ("-scex", &["--tree"]),
            ("-cex", &["--tree"]),
            ("-in", &["-"]),
            ("-hsmt", &["--format", "smtlib"]),
            ("-horn", &["--format", "prolog"]),
        ],
        values: &[("-t:", "--time=", "s")],
        steering: &[],
    };
    horn(rest, &form)
}

/// Golem: `golem [--print-witness] [--engine E] [--logic L] FILE`.
fn golem(rest: Vec<OsString>) -> Vec<OsString> {
    let form = Form {
        flags: &[
            ("--print-witness", &["--model", "--tree"]),
            ("--validate", &[]),
            ("-i", &[]),
            ("--input", &[]),
        ],
        values: &[("--input=", "", "")],
        steering: &["-e", "--engine", "-l", "--logic", "--proof-format"],
    };
    horn(rest, &form)
}

/// A Horn solver's command line in our own form.
fn horn(rest: Vec<OsString>, form: &Form) -> Vec<OsString> {
    let mut own = words(&["--dialect", "horn", "--exit-codes", "errors"]);
    let (mut has_file, mut rest) = (false, rest.into_iter());
    while let Some(arg) = rest.next() {
        let Some(text) = arg.to_str() else {
            has_file = true;
            own.push(arg);
            continue;
        };
        if let Some((_, ours)) = form.flags.iter().find(|(theirs, _)| *theirs == text) {
            has_file |= ours.contains(&"-");
            own.extend(words(ours));
        } else if let Some((theirs, ours, unit)) =
            form.values.iter().find(|(theirs, ..)| text.starts_with(theirs))
        {
            own.push(format!("{ours}{}{unit}", &text[theirs.len()..]).into());
            has_file |= ours.is_empty();
        } else if form.steering.contains(&text) {
            let value = rest.next().unwrap_or_default();
            left_out(&format!("{text} {}", value.to_string_lossy()));
        } else if matches!(text, "-h" | "--help" | "-V" | "--version" | "-")
            || !text.starts_with('-')
        {
            has_file |= text == "-" || !text.starts_with('-');
            own.push(arg);
        } else if OURS
            .iter()
            .any(|option| text == *option || text.starts_with(&format!("{option}=")))
        {
            own.push(arg.clone());
            if !text.contains('=') {
                own.extend(rest.next());
            }
        } else {
            left_out(text);
        }
    }
    if !has_file && !own.iter().any(|arg| arg == "--help" || arg == "-h" || arg == "--version") {
        own.push("-".into());
    }
    own
}

/// Options of ours that stay what they are under another name, each with a value.
const OURS: &[&str] =
    &["--time", "--memory", "--ticks", "--seed", "--threads", "--evidence", "--property"];

/// SBY, which calls `suprove`: `[+simple_liveness] FILE`.
fn sby(rest: Vec<OsString>) -> Vec<OsString> {
    let own = words(&["--dialect", "sby", "--exit-codes", "errors", "--quiet"]);
    let is_ours = |arg: &OsString| arg != "+simple_liveness";
    own.into_iter().chain(rest.into_iter().filter(is_ours)).collect()
}

#[cfg(test)]
mod tests {
    use super::translate;

    fn translated(line: &str) -> String {
        let words = translate(line.split(' ').map(Into::into));
        words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn solidity_calls_eldarica_with_a_script_on_standard_input() {
        let own = "alphorn-eld --dialect horn --exit-codes errors --time=10s --model -";
        assert_eq!(translated("alphorn-eld -t:10 -ssol"), own);
    }

    #[test]
    fn pychc_calls_eldarica_and_golem_with_a_file() {
        let own = "alphorn-eld --dialect horn --exit-codes errors f.smt2 --tree --model";
        assert_eq!(translated("alphorn-eld f.smt2 -scex -ssol"), own);
        let own = "alphorn-golem --dialect horn --exit-codes errors f.smt2 --model --tree";
        let line = "alphorn-golem f.smt2 --print-witness --proof-format alethe";
        assert_eq!(translated(line), own);
    }

    #[test]
    fn options_that_steer_the_search_of_others_are_left_out() {
        let own = "alphorn-eld --dialect horn --exit-codes errors f.smt2";
        assert_eq!(translated("alphorn-eld -portfolio -abstract:relEqs f.smt2"), own);
        let own = "alphorn-golem --dialect horn --exit-codes errors --time 5s f.smt2";
        assert_eq!(translated("alphorn-golem -e tpa -l QF_LIA --time 5s f.smt2"), own);
    }

    #[test]
    fn callers_of_z3_get_the_verb_for_scripts() {
        let own = "alphorn-z3 smt --exit-codes errors --stdin --lang=smt2 --tlimit-per=500";
        assert_eq!(translated("alphorn-z3 -in -smt2 -t:500"), own);
    }

    #[test]
    fn sby_calls_suprove() {
        let own = "alphorn-sby --dialect sby --exit-codes errors --quiet model/design_aiger.aig";
        assert_eq!(translated("alphorn-sby +simple_liveness model/design_aiger.aig"), own);
    }

    #[test]
    fn our_own_name_is_left_alone() {
        assert_eq!(translated("alphorn -t:10 f.smt2"), "alphorn -t:10 f.smt2");
    }
}
