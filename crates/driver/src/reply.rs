//! What a Horn script gets to see of an answer: replies to `get-model`, `get-proof`, `get-info` and
//! `echo`.
//!
//! Replies are those of SMT-LIB. A request that has no answer, such as a model after `unsat`, gets
//! a remark for standard error instead of `(error …)`: competitions count a run that prints that
//! word as failed, although its verdict is right.

use crate::evidence::AnyEvidence;
use crate::open::Opened;
use alphorn_front::smtlib::Request;
pub use alphorn_front::smtlib::general::reply::horn_model;
use alphorn_report::{Answer, Outcome, printable};

/// A reply to a request of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Text for standard output, ending with a newline.
    Text(String),
    /// Why there is nothing to say.
    Nothing(String),
}

/// Replies to what the script asks before its first question.
pub fn before(opened: &Opened) -> Vec<Reply> {
    let requests = opened.requests.iter().filter(|(asked, _)| *asked == 0);
    requests.map(|(_, request)| reply(request, opened, None)).collect()
}

/// Replies to what the script asks after question number `index`, which had this answer; `opened`
/// is the file as if it asked only that question.
pub fn after(
    opened: &Opened,
    index: usize,
    answer: &Answer,
    evidence: Option<&AnyEvidence>,
) -> Vec<Reply> {
    let requests = opened.requests.iter().filter(|(asked, _)| *asked == index + 1);
    requests.map(|(_, request)| reply(request, opened, Some((answer, evidence)))).collect()
}

/// Whether the script asks for the model that answers question number `index`.
pub fn shows_model(opened: &Opened, index: usize) -> bool {
    opened.requests.contains(&(index + 1, Request::Model))
}

fn reply(
    request: &Request,
    opened: &Opened,
    last: Option<(&Answer, Option<&AnyEvidence>)>,
) -> Reply {
    let evidence = last.and_then(|(_, evidence)| evidence);
    let nothing = |command: &str| {
        let answer = match last {
            Some((answer, _)) => format!("the answer was {}", answer.verdict.human()),
            None => "nothing was asked".to_owned(),
        };
        Reply::Nothing(format!("{command} has nothing to show: {answer}"))
    };
    match request {
        // Whoever reads it, it says something to people.
        Request::Echo(text) => Reply::Text(format!("{}\n", printable::text(text))),
        Request::Model => match evidence.and_then(|evidence| evidence.definitions(opened)) {
            Some(definitions) => Reply::Text(horn_model(&definitions)),
            None => nothing("get-model"),
        },
        Request::Proof => match evidence {
            Some(evidence) if evidence.outcome() == Outcome::Unsafe => {
                Reply::Text(evidence.text(opened))
            }
            _ => nothing("get-proof"),
        },
        Request::Info(keyword) => info(keyword, last.map(|(answer, _)| answer)),
        Request::Unsupported(_) => Reply::Text("unsupported\n".to_owned()),
    }
}

fn info(keyword: &str, answer: Option<&Answer>) -> Reply {
    let value = match keyword {
        ":name" => "\"alphorn\"".to_owned(),
        ":version" => format!("\"{}\"", env!("CARGO_PKG_VERSION")),
        ":authors" => "\"the authors of alphorn\"".to_owned(),
        ":error-behavior" => "immediate-exit".to_owned(),
        ":reason-unknown" => match answer {
            Some(answer) if answer.verdict == Outcome::Unknown => reason(&answer.detail).to_owned(),
            _ => {
                let message = "get-info :reason-unknown has nothing to show";
                return Reply::Nothing(message.to_owned());
            }
        },
        _ => return Reply::Text("unsupported\n".to_owned()),
    };
    Reply::Text(format!("({keyword} {value})\n"))
}

/// SMT-LIB's word for a reason, from how an answer puts it.
fn reason(detail: &str) -> &'static str {
    use alphorn_engine::Limit;
    match detail {
        _ if detail == Limit::Memory.describe() => "memout",
        _ if detail == Limit::Time.describe() => "timeout",
        _ => "incomplete",
    }
}
