//! The flows of the corpus: every file on every engine, one expected answer.
//!
//! Headers stand in comments: `expect: terminates|runs forever`, `engines: NAME …` (engines that must give that
//! answer), `ticks: N` (their budget). Engines that are not named may say nothing, but must not contradict.

use alphorn_check::flow::{check_recurrence, check_termination};
use alphorn_engine::{Card, Ctx, Stopper};
use alphorn_flow::engines::FLOW_ENGINES;
use alphorn_flow::prove::conclude;
use alphorn_front::{Diagnostics, its, t2};
use alphorn_problem::{Flow, Verdict};
use alphorn_program::program_to_flow;
use alphorn_testkit::corpus::{files, header, root};

fn flow(path: &str, bytes: &[u8]) -> Flow {
    let clean = |diagnostics: Diagnostics| {
        assert!(diagnostics.list.is_empty(), "{path}: {:?}", diagnostics.list);
    };
    if path.ends_with(".t2") {
        let (program, diagnostics) = t2::read_runs(bytes);
        clean(diagnostics);
        return program_to_flow(&program.expect("it is read")).expect("it has no calls");
    }
    let read = if its::begins_ari(bytes) { its::read_ari } else { its::read };
    let (flow, diagnostics) = read(bytes);
    clean(diagnostics);
    flow.expect("it is read")
}

/// Whether every run ends, as an engine has it; its evidence is accepted.
fn terminates(card: &Card<Flow>, flow: &Flow, ticks: u64) -> Option<bool> {
    let mut sink = |_| {};
    let mut ctx = Ctx::new(ticks, Stopper::new(), 0, &mut sink);
    let finding = (card.build)().run(flow, &mut ctx).ok()?;
    match conclude(flow, finding, &mut ctx).ok()? {
        Verdict::Safe(evidence) => {
            check_termination(flow, &evidence).expect("the ranks are accepted");
            Some(true)
        }
        Verdict::Unsafe(evidence) => {
            check_recurrence(flow, &evidence).expect("the recurrence is accepted");
            Some(false)
        }
    }
}

#[test]
fn every_file_has_the_answer_it_says() {
    for path in files("corpus/flow") {
        let text = std::fs::read_to_string(root().join(&path)).expect("corpus files are text");
        let expected = match header(&text, "expect").as_deref() {
            Some("terminates") => true,
            Some("runs forever") => false,
            other => panic!("{path}: no expectation: {other:?}"),
        };
        let must = header(&text, "engines").unwrap_or_default();
        let must: Vec<&str> = must.split_whitespace().collect();
        let known = |name: &&&str| FLOW_ENGINES.iter().any(|card| card.name == **name);
        assert!(must.iter().all(|name| known(&name)), "{path}: an engine does not exist");
        let ticks = header(&text, "ticks").map_or(200_000, |t| t.parse().expect("a number"));
        let flow = flow(&path, text.as_bytes());
        for card in FLOW_ENGINES {
            let answer = terminates(card, &flow, ticks);
            let is_fine = answer.is_none() && !must.contains(&card.name);
            assert!(is_fine || answer == Some(expected), "{path}: {} says {answer:?}", card.name);
        }
    }
}
