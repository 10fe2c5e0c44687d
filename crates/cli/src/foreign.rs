//! The forms in which callers of Z3 and cvc5 give options to `alphorn smt`.
//!
//! What `clap` cannot read (`-in`, `-t:500`, `timeout=500`) is put into our own form before it sees
//! the command line; what it can read (`--tlimit-per=500`, `--incremental`) is in the table of
//! `args`. What has no meaning here is left as it is, so that it is refused.

use std::ffi::OsString;

/// Z3's settings of its own search, which change no meaning: `smt.…=…` and so on.
const SEARCH: &[&str] = &[
    "auto_config=",
    "fp.",
    "model.",
    "nlsat.",
    "opt.",
    "pi.",
    "pp.",
    "rewriter.",
    "sat.",
    "smt.",
    "tactic.",
    "type_check=",
    "well_sorted_check=",
];

/// The command line in our own form.
pub fn translate(mut args: Vec<OsString>) -> Vec<OsString> {
    if args.get(1).is_none_or(|verb| verb != "smt") {
        return args;
    }
    let own = |arg: OsString| arg.to_str().and_then(own_form).map_or(arg, OsString::from);
    let rest: Vec<OsString> = args.drain(2..).collect();
    // What follows `--` is a name.
    let end = rest.iter().position(|arg| arg == "--").unwrap_or(rest.len());
    args.extend(rest.into_iter().enumerate().map(|(n, arg)| if n < end { own(arg) } else { arg }));
    args
}

/// An option in our own form, if it is one of Z3's.
fn own_form(arg: &str) -> Option<String> {
    match arg {
        "-in" => return Some("--stdin".to_owned()),
        "-smt2" => return Some("--lang=smt2".to_owned()),
        "-model" => return Some("--dump-models".to_owned()),
        "-v:0" | "verbose=0" => return Some("--quiet".to_owned()),
        _ => {}
    }
    let options = [
        ("-t:", "--tlimit-per=", ""),
        ("timeout=", "--tlimit-per=", ""),
        ("-T:", "--time=", "s"),
        ("-memory:", "--memory=", "M"),
        ("rlimit=", "--rlimit=", ""),
    ];
    for (theirs, ours, unit) in options {
        if let Some(value) = arg.strip_prefix(theirs) {
            return Some(format!("{ours}{value}{unit}"));
        }
    }
    let options = [
        ("model=", ":produce-models"),
        ("proof=", ":produce-proofs"),
        ("unsat_core=", ":produce-unsat-cores"),
    ];
    for (theirs, ours) in options {
        if let Some(value) = arg.strip_prefix(theirs) {
            return Some(format!("--option={ours}={value}"));
        }
    }
    let is_search = arg.contains('=') && SEARCH.iter().any(|prefix| arg.starts_with(prefix));
    is_search.then(|| format!("--option=:{arg}"))
}

#[cfg(test)]
mod tests {
    use super::translate;

    fn translated(line: &str) -> String {
        let words = translate(line.split(' ').map(Into::into).collect());
        words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn only_the_verb_that_runs_scripts_takes_them() {
        let line = "alphorn -in -t:5";
        assert_eq!(translated(line), line);
        let line = "alphorn check -in -t:5";
        assert_eq!(translated(line), line);
    }

    #[test]
    fn the_forms_of_z3() {
        let line =
            "alphorn smt -smt2 -in -t:500 -T:3 -memory:100 rlimit=7 smt.arith.solver=2 -model";
        let own = "alphorn smt --lang=smt2 --stdin --tlimit-per=500 --time=3s --memory=100M \
                   --rlimit=7 --option=:smt.arith.solver=2 --dump-models";
        assert_eq!(translated(line), own);
    }

    #[test]
    fn names_and_unknown_options_stay() {
        let line = "alphorn smt -frob --seed 3 a=b.smt2 -- -in";
        assert_eq!(translated(line), line);
    }
}
