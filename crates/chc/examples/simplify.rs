//! Simplifies SMT-LIB files and prints a line for each: predicates, arguments and clauses before and
//! after, the size of the terms, and the milliseconds it took.
//!
//! `cargo run --release -p alphorn-chc --example simplify -- [--only NAMES] [--trace] FILE...`, where
//! NAMES are transforms separated by commas; without it the default ones are applied.

use alphorn_chc::{TRANSFORMS, TransformCard, simplify_with};
use alphorn_engine::{Ctx, Event, Stopper};
use alphorn_problem::Horn;
use alphorn_problem::horn::Head;
use std::time::Instant;

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut cards: Vec<&TransformCard> = TRANSFORMS.iter().filter(|c| c.is_default).collect();
    if let Some(at) = arguments.iter().position(|argument| argument == "--only") {
        let names = arguments.drain(at..at + 2).nth(1).unwrap_or_default();
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
            Ok((changed, _)) => {
                let (before, after) = (counts(&horn), counts(&changed));
                let time = begin.elapsed().as_millis();
                let pairs = before.iter().zip(after).map(|(b, a)| format!("{b}>{a}"));
                let pairs: Vec<String> = pairs.collect();
                println!("{} {time}  {file}", pairs.join("  "));
                if traces.is_some() {
                    show(&changed);
                }
            }
            Err(stop) => println!("{stop:?} {file}"),
        }
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
