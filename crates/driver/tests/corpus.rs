//! The corpus: every file with an `expect:` header, on every engine it names, in several modes.
//!
//! Headers stand in comments: `expect: safe|unsafe`, `engines: NAME …` (engines that must give
//! that answer), `ticks: N` (their budget). Engines that are not named have a small one, and may say
//! unknown, but must not contradict. A second mode prints the problem, reads it again and asks once more;
//! a third goes around the circle of formats, and compares what is said about every property.

use alphorn_driver::convert::{Target, convert};
use alphorn_driver::registry::engines;
use alphorn_driver::report::Outcome;
use alphorn_driver::run::Stopper;
use alphorn_driver::{AnyProblem, Config, Format, Limits, Opened, Severity, decide, open_bytes};
use std::path::{Path, PathBuf};

/// The budget of engines that a file does not name: they are only to be right.
const UNNAMED: u64 = 3_000;
/// The budget of each question on the way around the formats.
const CIRCLING: u64 = 5_000;

struct Case {
    path: PathBuf,
    expect: Outcome,
    must: Vec<String>,
    ticks: u64,
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> =
        std::fs::read_dir(folder).expect("the folder is there").flatten().collect();
    entries.sort_by_key(|entry| entry.path());
    for entry in entries {
        if entry.path().is_dir() {
            files(&entry.path(), found);
        } else {
            found.push(entry.path());
        }
    }
}

fn cases() -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    files(&root.join("corpus"), &mut paths);
    files(&root.join("examples"), &mut paths);
    // Formulas and scripts are no problems with properties; `cnf.rs` and `smt.rs` have them.
    let scripts = root.join("corpus/smt");
    paths.retain(|path| path.extension().is_none_or(|ending| ending != "cnf"));
    paths.retain(|path| !path.starts_with(&scripts));
    paths.into_iter().map(case).collect()
}

fn case(path: PathBuf) -> Case {
    let text = std::fs::read_to_string(&path).expect("corpus files are text");
    let header = |key: &str| {
        let line = text.lines().find_map(|line| {
            line.trim_start_matches([';', ' ']).strip_prefix(key)?.strip_prefix(':')
        });
        line.map(|value| value.trim().to_owned())
    };
    let expect = match header("expect").as_deref() {
        Some("safe") => Outcome::Safe,
        Some("unsafe") => Outcome::Unsafe,
        other => panic!("{}: no expectation: {other:?}", path.display()),
    };
    let must = header("engines").unwrap_or_default();
    let ticks = header("ticks").map_or(200_000, |ticks| ticks.parse().expect("a number"));
    Case { path, expect, must: must.split_whitespace().map(str::to_owned).collect(), ticks }
}

fn read(path: &Path) -> Opened {
    let bytes = std::fs::read(path).expect("the file is there");
    let opened = open_bytes(&path.to_string_lossy(), bytes, None);
    assert!(opened.problem.is_some(), "{}: {:?}", path.display(), opened.diagnostics.list);
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
        _ => ("words", Target::Btor2),
    }
}

#[test]
fn every_engine_agrees_with_the_header() {
    let mut wrong = Vec::new();
    for case in cases() {
        let opened = read(&case.path);
        let (kind, _) = kind(&opened);
        // Engines for circuits work on words, too, bit by bit.
        let works = |on: &str| on == kind || (kind == "words" && on == "circuit");
        for engine in engines().iter().filter(|engine| works(engine.works_on)) {
            let must = case.must.iter().any(|name| name == engine.name);
            let ticks = if must { case.ticks } else { case.ticks.min(UNNAMED) };
            let got = ask(&opened, Some(engine.name), ticks);
            let fine = got == case.expect || (!must && got == Outcome::Unknown);
            if !fine {
                wrong.push(format!("{}: {} says {got:?}", case.path.display(), engine.name));
            }
        }
        for name in &case.must {
            let exists = engines().iter().any(|e| e.name == name && works(e.works_on));
            assert!(exists, "{}: there is no engine {name}", case.path.display());
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn printing_and_reading_changes_no_verdict() {
    for case in cases() {
        let opened = read(&case.path);
        let (_, target) = kind(&opened);
        let printed = convert(&opened, target, None);
        let printed = printed.expect("a problem can be printed in its own format").bytes;
        let again = open_bytes("again", printed, opened.format);
        assert!(again.problem.is_some(), "{}: {:?}", case.path.display(), again.diagnostics.list);
        let (first, second) = (ask(&opened, None, case.ticks), ask(&again, None, case.ticks));
        assert_eq!(first, second, "{}", case.path.display());
    }
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
#[test]
fn conversion_changes_no_verdict() {
    const CIRCLE: [Target; 6] = [
        Target::AigerBinary,
        Target::Btor2,
        Target::SmtLib,
        Target::Btor2,
        Target::AigerText,
        Target::SmtLib,
    ];
    let (mut decided, mut furthest) = (0, 0);
    for case in cases() {
        let name = case.path.display();
        let mut current = read(&case.path);
        // One question that stays a script is printed and read again above.
        let stays = current.format == Some(Format::SmtLib) && current.more.is_empty();
        if stays && convert(&current, Target::Btor2, None).is_err() {
            continue;
        }
        let ticks = case.ticks.min(CIRCLING);
        let first = verdicts(&current, ticks);
        let mut steps = 0;
        for target in CIRCLE {
            let converted = match convert(&current, target, None) {
                Ok(converted) => converted.bytes,
                Err(refused) => {
                    assert_eq!(refused.severity, Severity::Unsupported, "{name}: {refused:?}");
                    continue;
                }
            };
            let again = open_bytes("again", converted, Some(target.format()));
            let list = &again.diagnostics.list;
            assert!(again.problem.is_some(), "{name} to {target:?}: {list:?}");
            let then = verdicts(&again, ticks);
            assert_eq!(then.len(), first.len(), "{name} to {target:?}: properties are lost");
            for (index, (one, other)) in first.iter().zip(&then).enumerate() {
                let is_known = *one != Outcome::Unknown && *other != Outcome::Unknown;
                assert!(!is_known || one == other, "{name} to {target:?}: property {index}");
                decided += usize::from(is_known);
            }
            steps += 1;
            current = again;
        }
        furthest += usize::from(steps == CIRCLE.len());
    }
    assert!(decided >= 200, "only {decided} properties were decided on both sides");
    assert!(furthest >= 30, "only {furthest} files went all the way round");
}
