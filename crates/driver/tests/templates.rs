//! Any number of copies of a template: proved, accepted for that and nothing else, and violated by copies that are counted.

use alphorn_driver::certify::{Certified, certify};
use alphorn_driver::open::open_asking;
use alphorn_driver::program::{Encoding, Processes, Wishes};
use alphorn_driver::report::Outcome;
use alphorn_driver::{Config, Decision, Opened, Stopper, decide};

const FISCHER: &str = include_str!("../../../corpus/timed/fischer.xml");
const EXCLUDED: &str = "A[] forall (i : id_t) forall (j : id_t) P(i).cs && P(j).cs imply i == j";

fn opened(text: &str, processes: Option<Processes>) -> Opened {
    let encoding = processes.is_none().then_some(Encoding::Parameterised);
    let target = Some(EXCLUDED.to_owned());
    let wishes = Wishes { encoding, processes, target, ..Wishes::default() };
    let opened = open_asking("fischer.xml", text.as_bytes().to_vec(), None, &wishes);
    assert!(opened.problem.is_some(), "{:?}", opened.diagnostics);
    opened
}

fn decided(opened: &Opened) -> Decision {
    let mut config = Config { threads: 1, ..Config::default() };
    config.limits.ticks = 200_000_000;
    let decisions = decide(opened, &config, &Stopper::new(), &mut |_| {}, &mut |_| {});
    decisions.expect("it can be run").remove(0)
}

/// Who waits just as long as others may take to write gets in too early.
fn impatient() -> String {
    let text = FISCHER.replace("x &gt; k &amp;&amp; id == pid", "x &gt;= k &amp;&amp; id == pid");
    assert_ne!(text, FISCHER);
    text
}

#[test]
fn fischers_protocol_is_proved_for_any_number_of_processes() {
    let any = opened(FISCHER, None);
    let decision = decided(&any);
    assert_eq!(decision.answer.verdict, Outcome::Safe, "{:?}", decision.answer.detail);
    let text = decision.evidence.expect("there is a verdict").text(&any);
    assert!(matches!(certify(&any, text.as_bytes())[..], [Certified::Accepted(_)]));
    // It is no proof about other processes, nor about other views of these.
    for other in [opened(&impatient(), None), opened(FISCHER, Some(Processes::Any(3)))] {
        assert!(!matches!(certify(&other, text.as_bytes())[..], [Certified::Accepted(_)]));
    }
}

#[test]
fn a_violation_is_one_of_copies_that_are_counted() {
    let impatient = impatient();
    // What the clauses about any number allow is no run, and it is said how to look for one.
    let any = decided(&opened(&impatient, None)).answer;
    assert_eq!(any.verdict, Outcome::Unknown);
    assert!(any.hints.iter().any(|hint| hint.starts_with("--processes N")), "{:?}", any.hints);
    assert_eq!(
        decided(&opened(&impatient, Some(Processes::Just(1)))).answer.verdict,
        Outcome::Safe
    );
    let two = opened(&impatient, Some(Processes::Just(2)));
    let decision = decided(&two);
    assert_eq!(decision.answer.verdict, Outcome::Unsafe, "{:?}", decision.answer.detail);
    let text = decision.evidence.expect("there is a verdict").text(&two);
    assert!(matches!(certify(&two, text.as_bytes())[..], [Certified::Accepted(_)]));
    assert!(!matches!(
        certify(&opened(FISCHER, Some(Processes::Just(2))), text.as_bytes())[..],
        [Certified::Accepted(_)]
    ));
}
