//! Horn clauses in scripts: what whoever decides them is asked, and what the script hears of it.

use alphorn_check::accept::Checked;
use alphorn_problem::Horn;
use alphorn_script::{DecidesHorn, HornLimits, HornQuestion, NoEngines, Request, Said, run};
use std::cell::RefCell;

/// Decides nothing, and keeps what it is asked: the clauses, the text, and the time.
#[derive(Default)]
struct Listener(RefCell<Vec<(usize, String, Option<u64>)>>);

impl DecidesHorn for Listener {
    fn decide(
        &self,
        question: &HornQuestion,
        limits: &HornLimits<'_>,
    ) -> Result<Box<Checked<Horn>>, String> {
        let text = String::from_utf8_lossy(&question.text).into_owned();
        self.0.borrow_mut().push((question.horn.clauses.len(), text, limits.milliseconds));
        Err("nobody knows".to_owned())
    }
}

fn replies(text: &str, horn: &dyn DecidesHorn) -> Vec<String> {
    let mut replies = Vec::new();
    run(&text.as_bytes().into(), &Request::default(), horn, |said| {
        if let Said::Reply(reply) = said {
            replies.push(reply);
        }
    });
    replies
}

const CLAUSES: &str = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 0))";

#[test]
fn the_clauses_in_force_are_asked_about_with_their_text_and_time() {
    let listener = Listener::default();
    let text = format!(
        "(set-option :timeout 700){CLAUSES}(push 1)(assert (not (p 1)))(check-sat)
        (get-info :reason-unknown)(get-model)(pop 1)(check-sat)"
    );
    let said = replies(&text, &listener);
    assert_eq!(said[..2], ["unknown", "(:reason-unknown \"nobody knows\")"]);
    assert!(said[2].ends_with("there is no model: the last answer was unknown\")"), "{said:?}");
    assert_eq!(said[3], "unknown");
    let asked = listener.0.take();
    let clauses: Vec<usize> = asked.iter().map(|(clauses, ..)| *clauses).collect();
    assert_eq!(clauses, [2, 1]);
    assert!(asked[0].1.contains("(assert (not (p 1)))") && !asked[1].1.contains("(not (p 1))"));
    assert!(asked.iter().all(|(_, _, time)| *time == Some(700)), "{asked:?}");
}

#[test]
fn clauses_that_are_not_horn_are_left_to_the_solver() {
    let listener = Listener::default();
    let said = replies(&format!("{CLAUSES}(assert (or (p 1) (p 2)))(check-sat)"), &listener);
    assert_eq!(said, ["sat"]);
    assert!(listener.0.take().is_empty());
}

#[test]
fn without_engines_horn_clauses_are_undecided_and_other_formulas_are_not() {
    assert_eq!(replies(&format!("{CLAUSES}(check-sat)"), &NoEngines), ["unknown"]);
    let text = "(declare-const x Int)(assert (> x 2))(check-sat)";
    assert_eq!(replies(text, &NoEngines), ["sat"]);
}
