//! The corpus: every file with an `expect:` header, on every engine it names, in several modes; one test each.
//!
//! Headers stand in comments: `expect: safe|unsafe`, or `realizable|unrealizable` where the file is a game; `engines: NAME …` (engines that must give
//! that answer), `ticks: N` (their budget). Engines that are not named have a small one, and may say
//! unknown, but must not contradict. A second mode prints the problem, reads it again and asks once more;
//! a third goes around the circle of formats, and compares what is said about every property.
//!
//! A test is called by its file and by the engine or the mode: `cargo test -p alphorn-driver --test corpus --
//! horn/shape ::pdr` runs a part.

use alphorn_driver::convert::{Target, convert};
use alphorn_driver::flow::Asked;
use alphorn_driver::open::open_asking;
use alphorn_driver::program::Wishes;
use alphorn_driver::registry::{EngineLine, engines};
use alphorn_driver::report::Outcome;
use alphorn_driver::run::Stopper;
use alphorn_driver::{AnyProblem, Config, Format, Limits, Opened, Severity, decide, open_bytes};
use alphorn_testkit::corpus::{files, header, root};
use alphorn_testkit::harness::Suite;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The budget of engines that a file does not name: they are only to be right.
const UNNAMED: u64 = 3_000;
/// The budget of each question on the way around the formats.
const CIRCLING: u64 = 5_000;
/// The way around the formats.
const CIRCLE: [Target; 6] = [
    Target::AigerBinary,
    Target::Btor2,
    Target::SmtLib,
    Target::Btor2,
    Target::AigerText,
    Target::SmtLib,
];

/// A file and what is expected of it.
struct Case {
    path: String,
    /// Whether it is asked who wins the file's game.
    is_game: bool,
    expect: Outcome,
    must: Vec<String>,
    ticks: u64,
}

/// What the ways around the circle amount to: properties decided on both sides, files that went all the way.
#[derive(Default)]
struct Circled {
    decided: AtomicUsize,
    furthest: AtomicUsize,
}

fn main() -> ExitCode {
    let mut suite = Suite::default();
    let circled = Arc::new(Circled::default());
    for path in files("corpus").into_iter().chain(files("examples")) {
        // Formulas and scripts are no problems with properties; `cnf.rs` and `smt.rs` have them.
        // Verilog is for Yosys to read; the tests of `cli` have it, and costs and observations.
        // The programs and flows among the examples are those of `docs/programs.md` and
        // `docs/termination.md`, with a question each.
        let is_asked = [".c", ".t2"].iter().any(|end| path.ends_with(end));
        let is_other = [".cnf", ".v", ".cost", ".json"].iter().any(|end| path.ends_with(end))
            || path.starts_with("examples/") && is_asked;
        // Whether runs end is another question; the tests of `flow` ask it.
        // Netlists are to be matched with templates; the tests of `cli` do it.
        let elsewhere = ["corpus/smt/", "corpus/flow/", "corpus/matching/"];
        if is_other || elsewhere.iter().any(|folder| path.starts_with(folder)) {
            continue;
        }
        let case = Arc::new(case(path));
        let (kind, _) = kind(&read(&case));
        for engine in engines().into_iter().filter(|engine| works(engine, kind)) {
            let own = case.clone();
            let name = format!("{}::{}", case.path, engine.name);
            suite.add(name, move || agrees_with_the_header(&own, engine.name));
        }
        let own = case.clone();
        suite.add(format!("{}::names", case.path), move || names_engines_that_exist(&own, kind));
        // What is printed of a game is its circuit.
        if case.is_game {
            continue;
        }
        let own = case.clone();
        let name = format!("{}::printed", case.path);
        suite.add(name, move || printing_and_reading_changes_no_verdict(&own));
        let (own, circled) = (case.clone(), circled.clone());
        let name = format!("{}::converted", case.path);
        suite.add(name, move || conversion_changes_no_verdict(&own, &circled));
    }
    suite.add_total("enough_is_decided_around_the_circle", move || {
        let (decided, furthest) = (&circled.decided, &circled.furthest);
        let (decided, furthest) =
            (decided.load(Ordering::Relaxed), furthest.load(Ordering::Relaxed));
        assert!(decided >= 200, "only {decided} properties were decided on both sides");
        assert!(furthest >= 30, "only {furthest} files went all the way round");
    });
    suite.main()
}

fn case(path: String) -> Case {
    let text = std::fs::read_to_string(root().join(&path)).expect("corpus files are text");
    let (expect, is_game) = match header(&text, "expect").as_deref() {
        Some("safe") => (Outcome::Safe, false),
        Some("unsafe") => (Outcome::Unsafe, false),
        Some("realizable") => (Outcome::Safe, true),
        Some("unrealizable") => (Outcome::Unsafe, true),
        other => panic!("{path}: no expectation: {other:?}"),
    };
    let must = header(&text, "engines").unwrap_or_default();
    let ticks = header(&text, "ticks").map_or(200_000, |ticks| ticks.parse().expect("a number"));
    let must = must.split_whitespace().map(str::to_owned).collect();
    Case { path, is_game, expect, must, ticks }
}

fn read(case: &Case) -> Opened {
    let path = &case.path;
    let bytes = std::fs::read(root().join(path)).expect("the file is there");
    let asked = if case.is_game { Asked::Synthesis } else { Asked::Safety };
    let opened = open_asking(path, bytes, None, &Wishes { asked, ..Wishes::default() });
    assert!(opened.problem.is_some(), "{path}: {:?}", opened.diagnostics.list);
    opened
}

fn ask(opened: &Opened, engine: Option<&str>, ticks: u64) -> Outcome {
    let config = Config {
        limits: Limits { ticks, ..Limits::default() },
        engines: engine.map(str::to_owned).into_iter().collect(),
        property: Some(0),
        ..Config::default()
    };
    let result = decide(opened, &config, &Stopper::new(), &mut |_| {}, &mut |_| {});
    result.expect("the engine exists")[0].answer.verdict
}

fn kind(opened: &Opened) -> (&'static str, Target) {
    match opened.problem {
        Some(AnyProblem::Horn(_)) => ("horn", Target::SmtLib),
        Some(AnyProblem::Circuit(_)) => ("circuit", Target::AigerBinary),
        Some(AnyProblem::C(_)) => ("program", Target::SvLib),
        Some(AnyProblem::Game(_)) => ("game", Target::AigerBinary),
        _ => ("words", Target::Btor2),
    }
}

/// Whether an engine works on problems of a kind. Those for circuits work on words, too, bit by bit, and
/// those for Horn clauses on programs.
fn works(engine: &EngineLine, kind: &str) -> bool {
    let also = match kind {
        "words" => "circuit",
        "program" => "horn",
        _ => kind,
    };
    engine.works_on == kind || engine.works_on == also
}

fn agrees_with_the_header(case: &Case, engine: &str) {
    let must = case.must.iter().any(|name| name == engine);
    let ticks = if must { case.ticks } else { case.ticks.min(UNNAMED) };
    let got = ask(&read(case), Some(engine), ticks);
    let fine = got == case.expect || (!must && got == Outcome::Unknown);
    assert!(fine, "{engine} says {got:?}, and {:?} is expected", case.expect);
}

fn names_engines_that_exist(case: &Case, kind: &str) {
    for name in &case.must {
        let exists = engines().iter().any(|engine| engine.name == name && works(engine, kind));
        assert!(exists, "there is no engine {name}");
    }
}

fn printing_and_reading_changes_no_verdict(case: &Case) {
    let opened = read(case);
    let (_, target) = kind(&opened);
    let printed = match convert(&opened, target, None) {
        Ok(printed) => printed.bytes,
        // Programs have no format of their own that has all of them.
        Err(refused) if matches!(opened.problem, Some(AnyProblem::C(_))) => {
            assert_eq!(refused.severity, Severity::Unsupported, "{refused:?}");
            return;
        }
        Err(refused) => panic!("a problem can be printed in its own format: {refused:?}"),
    };
    let again = open_bytes("again", printed, Some(target.format()));
    assert!(again.problem.is_some(), "{:?}", again.diagnostics.list);
    let (first, second) = (ask(&opened, None, case.ticks), ask(&again, None, case.ticks));
    assert_eq!(first, second);
}

/// What is said about every property.
fn verdicts(opened: &Opened, ticks: u64) -> Vec<Outcome> {
    let limits = Limits { ticks, ..Limits::default() };
    let config = Config { limits, ..Config::default() };
    let result = decide(opened, &config, &Stopper::new(), &mut |_| {}, &mut |_| {});
    let decisions = result.expect("there are properties");
    decisions.iter().map(|decision| decision.answer.verdict).collect()
}

/// Around the circle of formats, each file made of the one before: every property is still there, and
/// what is said about it is never the opposite. What cannot be said is refused with a reason.
fn conversion_changes_no_verdict(case: &Case, circled: &Circled) {
    let mut current = read(case);
    // One question that stays a script is printed and read again above.
    let stays = current.format == Some(Format::SmtLib) && current.more.is_empty();
    if stays && convert(&current, Target::Btor2, None).is_err() {
        return;
    }
    let ticks = case.ticks.min(CIRCLING);
    let first = verdicts(&current, ticks);
    let mut steps = 0;
    for target in CIRCLE {
        let converted = match convert(&current, target, None) {
            Ok(converted) => converted.bytes,
            Err(refused) => {
                assert_eq!(refused.severity, Severity::Unsupported, "{refused:?}");
                continue;
            }
        };
        let again = open_bytes("again", converted, Some(target.format()));
        assert!(again.problem.is_some(), "to {target:?}: {:?}", again.diagnostics.list);
        let then = verdicts(&again, ticks);
        assert_eq!(then.len(), first.len(), "to {target:?}: properties are lost");
        for (index, (one, other)) in first.iter().zip(&then).enumerate() {
            let is_known = *one != Outcome::Unknown && *other != Outcome::Unknown;
            assert!(!is_known || one == other, "to {target:?}: property {index}");
            circled.decided.fetch_add(usize::from(is_known), Ordering::Relaxed);
        }
        steps += 1;
        current = again;
    }
    circled.furthest.fetch_add(usize::from(steps == CIRCLE.len()), Ordering::Relaxed);
}
