//! What is said where answers and a limit come together: each question has one answer, whichever was first.

use super::{Message, Speaker};
use crate::args::{Cli, Dialect};
use crate::speak;
use crate::target::Plan;
use alphorn_driver::flow::Asked;
use alphorn_driver::program::Wishes;
use alphorn_driver::report::Exit;
use alphorn_driver::report::answer::Outcome;
use alphorn_driver::run::{Limit, Stopper, property_named};
use alphorn_driver::{AnyProblem, Config, decide, open_program};
use clap::Parser;

/// Decides a file, hears the first `most` of its answers, then that the time is over; what was said, and how it ends.
fn late(line: &str, most: usize) -> (Vec<Outcome>, Exit) {
    let args = Cli::parse_from(line.split(' ')).decide;
    let plan = Plan::of(&args).expect("the command line is right");
    // In this dialect nothing is printed before the end.
    let mut speaker = Speaker::new(&args, Dialect::Sby, &plan, 0);
    let property = args.property.as_deref();
    let wishes = Wishes { asked: Asked::Safety, ..speak::wishes(&args.program, property) };
    let file = format!("{}/../../{}", env!("CARGO_MANIFEST_DIR"), args.files[0]);
    let opened = open_program(&file, None, None, &wishes);
    let wanted = property.filter(|_| !matches!(opened.problem, Some(AnyProblem::C(_))));
    let config = Config {
        property: wanted.map(|name| property_named(&opened, name).expect("it is there")),
        ..Config::default()
    };
    speaker.hear(Message::Opened(Box::new(opened.clone())));
    let mut heard = 0;
    let mut hear = |decision: &_| {
        if heard < most {
            heard += 1;
            speaker.hear(Message::Decided(Box::new(Clone::clone(decision))));
        }
    };
    decide(&opened, &config, &Stopper::new(), &mut |_| {}, &mut hear).expect("it is decided");
    speaker.unknown(Limit::Time.describe());
    let said = speaker.decided.iter().map(|(_, outcome)| *outcome).collect();
    (said, speaker.total.exit)
}

#[test]
fn nothing_is_unknown_where_all_was_answered_before_the_limit() {
    for (line, outcome, exit) in [
        ("alphorn examples/bounded_counter.smt2", Outcome::Safe, Exit::Safe),
        ("alphorn examples/arbiter.aag --property 0", Outcome::Safe, Exit::Safe),
        ("alphorn examples/lock.aag --property 0", Outcome::Unsafe, Exit::Unsafe),
        ("alphorn examples/traffic_light.btor2", Outcome::Safe, Exit::Safe),
        ("alphorn examples/mccarthy.c --property unreach-call", Outcome::Safe, Exit::Safe),
    ] {
        assert_eq!(late(line, usize::MAX), (vec![outcome], exit), "{line}");
    }
}

#[test]
fn each_question_without_an_answer_is_unknown_once() {
    for line in
        ["alphorn examples/bounded_counter.smt2", "alphorn examples/arbiter.aag --property 0"]
    {
        assert_eq!(late(line, 0), (vec![Outcome::Unknown], Exit::Unknown), "{line}");
    }
}
