//! Simplifies SMT-LIB files and prints a line for each: predicates, arguments and clauses before and
//! after, the size of the terms, and the milliseconds it took.
//!
//! `cargo run --release -p alphorn-chc --example simplify -- [--only NAMES] [--trace] [--engine NAME
//! --ticks COUNT] FILE...`, where NAMES are transforms separated by commas; without it the default
//! ones are applied. With an engine the file is decided as it is and simplified, and the evidence is
//! carried back and checked.

use alphorn_chc::engines::HORN_ENGINES;
use alphorn_engine::{Back, Ctx, Event, Stop, Stopper};
use alphorn_horn::{Simplified, TRANSFORMS, TransformCard, conclude, simplify_with};
use alphorn_problem::horn::Head;
use alphorn_problem::{Horn, Verdict};
use std::time::Instant;

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut cards: Vec<&TransformCard> = TRANSFORMS.iter().filter(|c| c.is_default).collect();
    let engine = option(&mut arguments, "--engine");
    let ticks = option(&mut arguments, "--ticks").and_then(|t| t.parse().ok());
    if let Some(names) = option(&mut arguments, "--only") {
        cards = TRANSFORMS.iter().filter(|c| names.split(',').any(|n| n == c.name)).collect();
    }
    let traces = arguments.iter().position(|argument| argument == "--trace");
    if let Some(at) = traces {
        arguments.remove(at);
    }
    println!("preds    args  clauses   vars   atoms     size  milliseconds  file");
    for file in arguments {
        let Ok(bytes) = std::fs::read(&file) else {
            println!("unreadable {file}");
            continue;
        };
        let (script, diagnostics) = alphorn_front::smtlib::read(&bytes);
        let Some(script) = script.filter(|_| diagnostics.is_clean()) else {
            println!("unread {file}");
            continue;
        };
        let horn = script.horn;
        let begin = Instant::now();
        let mut sink = |event| {
            if let (Event::Remark(text), Some(_)) = (event, traces) {
                println!("  {:?} {text}", begin.elapsed());
            }
        };
        let mut ctx = Ctx::new(u64::MAX, Stopper::new(), 1, &mut sink);
        match simplify_with(&horn, &cards, &mut ctx) {
            Ok(Simplified { horn: changed, back, .. }) => {
                let (before, after) = (counts(&horn), counts(&changed));
                let time = begin.elapsed().as_millis();
                let pairs = before.iter().zip(after).map(|(b, a)| format!("{b}>{a}"));
                let pairs: Vec<String> = pairs.collect();
                println!("{} {time}  {file}", pairs.join("  "));
                if traces.is_some() {
                    show(&changed);
                }
                if let Some(engine) = &engine {
                    let ticks = ticks.unwrap_or(1_000_000);
                    let plain = decide(engine, ticks, &horn, &horn, &Back::identity());
                    let simple = decide(engine, ticks, &horn, &changed, &back);
                    println!("    {plain} | {simple}");
                }
            }
            Err(stop) => println!("{stop:?} {file}"),
        }
    }
}

/// The value of an option, which is removed.
fn option(arguments: &mut Vec<String>, name: &str) -> Option<String> {
    let at = arguments.iter().position(|argument| argument == name)?;
    arguments.drain(at..(at + 2).min(arguments.len())).nth(1)
}

/// Decides a simplified system, and judges what that says about the original.
fn decide(
    engine: &str,
    ticks: u64,
    original: &Horn,
    changed: &Horn,
    back: &Back<Horn, Horn>,
) -> String {
    let Some(card) = HORN_ENGINES.iter().find(|card| card.name == engine) else {
        return "no such engine".to_owned();
    };
    let begin = Instant::now();
    let mut sink = |_| ();
    let mut ctx = Ctx::new(ticks, Stopper::new(), 1, &mut sink);
    let found = (card.build)().run(changed, &mut ctx);
    let (time, used) = (begin.elapsed().as_millis(), ctx.ticks_used());
    let mut ctx = Ctx::new(u64::MAX, Stopper::new(), 1, &mut sink);
    let text = match found {
        Err(Stop::Budget(limit)) => limit.describe().to_owned(),
        Err(stop) => stop.describe(),
        Ok(finding) => {
            let finding = back.finding(finding, &mut ctx);
            match finding.and_then(|finding| conclude(original, finding, &mut ctx)) {
                Err(stop) => format!("LOST {stop:?}"),
                Ok(verdict) => judge(original, &verdict),
            }
        }
    };
    let later = begin.elapsed().as_millis() - time;
    format!("{text}, {used} ticks, {time} + {later} ms")
}

fn judge(horn: &Horn, verdict: &Verdict<Horn>) -> String {
    let (word, outcome) = match verdict {
        Verdict::Safe(model) => {
            let bodies: Vec<_> = model.preds.iter().map(|definition| definition.body).collect();
            let word = format!("safe {}", model.terms.dag_size(&bodies));
            (word, alphorn_check::horn::check_model(horn, model).map(|_| ()))
        }
        Verdict::Unsafe(derivation) => {
            let word = format!("unsafe {}", derivation.steps.len());
            (word, alphorn_check::horn::check_derivation(horn, derivation))
        }
    };
    match outcome {
        Ok(()) => word,
        Err(refusal) => format!("{word} REFUSED {refusal:?}"),
    }
}

/// Predicates, arguments, clauses, variables, atoms in bodies, subterms.
fn counts(horn: &Horn) -> [usize; 6] {
    let arguments = horn.pred_ids().map(|pred| horn.pred_args(pred).len()).sum();
    let vars = horn.clauses.iter().map(|clause| clause.vars.len()).sum();
    let atoms = horn.clauses.iter().map(|clause| horn.atoms(clause.body).len()).sum();
    let sizes = horn.clauses.iter().map(|clause| {
        let mut roots = vec![clause.body];
        if let Head::Atom(_, args) = &clause.head {
            roots.extend(args);
        }
        horn.terms.dag_size(&roots)
    });
    [horn.preds.len(), arguments, horn.clauses.len(), vars, atoms, sizes.sum()]
}

fn show(horn: &Horn) {
    for clause in &horn.clauses {
        let head = match &clause.head {
            Head::False => "false".to_owned(),
            Head::Atom(pred, args) => {
                let args: Vec<String> =
                    args.iter().map(|&a| horn.terms.show(a).to_string()).collect();
                format!("({} {})", horn.pred_name(*pred), args.join(" "))
            }
        };
        println!("    {}\n      => {head}", horn.terms.show(clause.body));
    }
}
