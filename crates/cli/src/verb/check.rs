//! `alphorn check`: the checker alone, unless `--prove` asks for proofs that the evidence has not.

use crate::args::Check;
use crate::{interrupt, speak, target};
use alphorn_driver::certify::{
    Certified, Request, Unfinished, certify_about, certify_formula, certify_script, is_formula,
    is_other_script, questions, within,
};
use alphorn_driver::evidence::AnyEvidence;
use alphorn_driver::explain::is_explanation;
use alphorn_driver::flow::asked_by;
use alphorn_driver::judge::{choose, describe, exit_after, exit_of};
use alphorn_driver::matching::{certify_matches, is_matches, open_template};
use alphorn_driver::open::{Opened, open_asking, read_bytes};
use alphorn_driver::pareto::{Wish, certify_front, is_front};
use alphorn_driver::report::{Exit, json};
use alphorn_driver::run::memory_limit;
use alphorn_driver::{obligations, sat, smt};

/// Checks a file of evidence. One thread works; this one ends the program at a limit, or when the user
/// wants that.
pub fn main(args: Check) -> u8 {
    interrupt::watch();
    let (file, as_json) = (args.file.clone(), args.json);
    let (time, memory) = (args.time, args.memory);
    let exit = match within(time, memory, interrupt::is_pending, move || check(&args)) {
        Ok(exit) => exit,
        Err(Unfinished::Limit(limit)) => {
            unchecked(&file, limit.describe(), as_json);
            Exit::Unknown
        }
        Err(Unfinished::Failed(text)) => {
            speak::complain(&file, &format!("a fault of this program: {text}"), as_json);
            Exit::Internal
        }
    };
    exit as u8
}

/// Says that evidence is neither accepted nor refused.
fn unchecked(file: &str, why: &str, as_json: bool) {
    match as_json {
        true => speak::object(&json::certified(file, None, why)),
        false => speak::out(&format!("{file}: evidence not checked: {why}\n")),
    }
}

/// The bytes of a file, or how the program ends without them.
fn bytes_of(path: &str, args: &Check) -> Result<Vec<u8>, Exit> {
    read_bytes(path, memory_limit(args.memory)).map_err(|diagnostic| {
        speak::list(path, &[], &[diagnostic], args.json);
        Exit::Input
    })
}

fn check(args: &Check) -> Exit {
    checked(args).unwrap_or_else(|exit| exit)
}

fn checked(args: &Check) -> Result<Exit, Exit> {
    if let Some(folder) = &args.export
        && let Err((about, why)) = target::guard_scripts(&[&args.file, &args.evidence], folder)
    {
        speak::complain(&about, &why, args.json);
        return Err(Exit::Usage);
    }
    let has_time = args.time.is_some();
    let request = Request { prove: args.prove, has_time, ..Request::default() };
    let bytes = bytes_of(&args.file, args)?;
    if args.format.is_none() && is_formula(&args.file, &bytes) {
        return formula(args, &bytes, &request);
    }
    let mut wishes = speak::wishes(&args.program, None);
    let evidence = bytes_of(&args.evidence, args)?;
    if args.template.is_some() || is_matches(&evidence) {
        return matches(args, bytes, &evidence);
    }
    match asked_by(&evidence) {
        Some(Ok(asked)) => wishes.asked = asked,
        Some(Err(diagnostic)) => {
            speak::list(&args.evidence, &evidence, &[*diagnostic], args.json);
            return Err(Exit::Input);
        }
        None => wishes.asked = args.response.asked().unwrap_or_default(),
    }
    if args.export.is_some() && (is_front(&evidence) || is_explanation(&evidence)) {
        let why = "evidence about a front or an explanation has no scripts to export";
        speak::complain(&args.evidence, why, args.json);
        return Err(Exit::Usage);
    }
    let opened = open_asking(&args.file, bytes, args.format, &wishes);
    if is_other_script(&opened) {
        return script(args, &opened.bytes, &evidence, &request);
    }
    speak::diagnostics(&opened, args.json);
    if let Some(exit) = exit_of(&opened) {
        return Err(exit);
    }
    if let Some(costs) = &args.cost {
        let wish =
            Wish { params: args.params.clone(), property: args.property.map(|at| at.to_string()) };
        let text = bytes_of(costs, args)?;
        let question = super::pareto::question(&opened, &wish, (costs, &text), args.json)?;
        return Ok(tell(args, &evidence, &certify_front(&question, &evidence), None));
    }
    let (opened, wanted) = choose(opened, args.property).map_err(|why| {
        speak::complain(&args.file, &why, args.json);
        Exit::Usage
    })?;
    let bytes = evidence;
    let mut exit = Exit::Safe;
    for certified in certify_about(&opened, wanted, &bytes, &request) {
        if let Certified::Accepted(evidence) = &certified {
            exit = exit.max(export(args, &opened, evidence));
        }
        exit = exit.max(tell(args, &bytes, &certified, Some(&opened)));
    }
    Ok(exit)
}

/// Checks evidence about a CNF formula.
fn formula(args: &Check, bytes: &[u8], request: &Request) -> Result<Exit, Exit> {
    let (cnf, diagnostics) = sat::read(bytes);
    speak::list(&args.file, bytes, &diagnostics.list, args.json);
    let cnf = cnf.ok_or_else(|| exit_after(&diagnostics))?;
    if args.export.is_some() {
        speak::complain(&args.file, "a formula has no obligations to export", args.json);
        return Err(Exit::Usage);
    }
    let bytes = bytes_of(&args.evidence, args)?;
    Ok(tell(args, &bytes, &certify_formula(&cnf, &bytes, request), None))
}

/// Checks evidence about a template in a circuit.
fn matches(args: &Check, bytes: Vec<u8>, evidence: &[u8]) -> Result<Exit, Exit> {
    let Some(path) = &args.template else {
        let why = "the evidence is about a template; say which with --template";
        speak::complain(&args.file, why, args.json);
        return Err(Exit::Usage);
    };
    if args.export.is_some() || args.property.is_some() {
        let why = "--export and --property have no meaning for templates";
        speak::complain(&args.file, why, args.json);
        return Err(Exit::Usage);
    }
    let text = bytes_of(path, args)?;
    let opened = open_template(&args.file, bytes, args.format, &text);
    speak::diagnostics(&opened.circuit, args.json);
    if let Some(exit) = exit_of(&opened.circuit) {
        return Err(exit);
    }
    speak::list(path, &text, &opened.diagnostics.list, args.json);
    let matching = opened.problem.ok_or_else(|| exit_after(&opened.diagnostics))?;
    Ok(tell(args, evidence, &certify_matches(&matching, evidence), None))
}

/// Checks evidence about a question of a script.
fn script(args: &Check, bytes: &[u8], evidence: &[u8], request: &Request) -> Result<Exit, Exit> {
    let (script, diagnostics) = smt::read(bytes);
    speak::list(&args.file, bytes, &diagnostics.list, args.json);
    let Some(script) = script.filter(|_| diagnostics.is_clean()) else {
        return Err(exit_after(&diagnostics));
    };
    let usage = |message: &str| {
        speak::complain(&args.file, message, args.json);
        Exit::Usage
    };
    if args.export.is_some() {
        return Err(usage("evidence about a script has no obligations to export"));
    }
    let questions = questions(&script);
    let asked = match (args.property, &questions[..]) {
        (_, []) => return Err(usage("the script asks no question: it has no (check-sat)")),
        (None, [only]) => only,
        (None, all) => {
            let count = all.len();
            let message = format!("the script asks {count} questions; choose with --property");
            return Err(usage(&message));
        }
        (Some(position), all) => all
            .get(position)
            .ok_or_else(|| usage(&format!("the script has no question {position}")))?,
    };
    Ok(tell(args, evidence, &certify_script(&script, asked, evidence, request), None))
}

/// Says what became of a piece of evidence.
fn tell(args: &Check, bytes: &[u8], certified: &Certified, opened: Option<&Opened>) -> Exit {
    let exit = match certified {
        Certified::Accepted(_) | Certified::Answered(_) => Exit::Safe,
        Certified::Refused(_) => Exit::Refused,
        Certified::Unproved(_) => Exit::Unknown,
        Certified::Unreadable(diagnostics) => {
            speak::list(&args.evidence, bytes, &diagnostics.list, args.json);
            return exit_after(diagnostics);
        }
    };
    let (accepted, detail) = describe(certified, opened);
    if args.json {
        speak::object(&json::certified(&args.file, accepted, &detail));
    } else {
        let word = match accepted {
            Some(true) => "accepted",
            Some(false) => "REFUSED",
            None => "not checked",
        };
        speak::out(&format!("{}: evidence {word}: {detail}\n", args.file));
    }
    exit
}

/// Writes the obligations of accepted evidence, if they are asked for. Whatever cannot be exported is no reason not to
/// say what was checked, but the program then ends as one that did not do what was asked.
fn export(args: &Check, opened: &Opened, evidence: &AnyEvidence) -> Exit {
    let Some(folder) = &args.export else { return Exit::Safe };
    let (exit, message) = match obligations::scripts(opened, evidence) {
        Err(message) => (Exit::Unsupported, message),
        Ok(scripts) if scripts.is_empty() => {
            speak::err("evidence of a violation is evaluated and has no obligations\n");
            return Exit::Safe;
        }
        Ok(scripts) => match obligations::write(scripts, folder) {
            Ok(files) => {
                files.iter().for_each(|file| speak::err(&format!("wrote {file}\n")));
                return Exit::Safe;
            }
            Err(message) => (Exit::Usage, message),
        },
    };
    speak::complain(&args.evidence, &format!("not exported: {message}"), args.json);
    exit
}
