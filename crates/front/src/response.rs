//! Questions about responses, as users write them.

use crate::diag::{Code, Diagnostic};
use alphorn_problem::Span;
use alphorn_problem::response::{Fair, Response};
use alphorn_problem::words::Words;
use alphorn_term::{SortId, TermId};

/// What leads to what, and which actions runs are fair to, as written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResponseWish {
    /// What holds first.
    pub from: String,
    /// What must hold then or later.
    pub to: String,
    /// `weak` or `strong`, and behind a colon which actions.
    pub fair: Vec<String>,
}

impl ResponseWish {
    /// The kinds of fairness, strong or not, with the actions that they are about.
    pub(crate) fn kinds(&self) -> Result<Vec<(bool, Option<&str>)>, Box<Diagnostic>> {
        let mut kinds = Vec::new();
        for text in &self.fair {
            let (word, actions) = match text.split_once(':') {
                Some((word, actions)) => (word, Some(actions)),
                None => (text.as_str(), None),
            };
            let is_strong = match word.trim() {
                "weak" => false,
                "strong" => true,
                _ => {
                    let error = wrong(format!("`{text}` is no fairness"));
                    return Err(Box::new(error.hint("weak, strong, weak:ACTION or strong:ACTION")));
                }
            };
            kinds.push((is_strong, actions));
        }
        Ok(kinds)
    }
}

/// Something is wrong with a question.
pub(crate) fn wrong(message: String) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(Code::Response, Span::NONE, message))
}

/// Asks about a system whose outputs, states and inputs have names.
pub fn ask(words: &mut Words, wish: &ResponseWish) -> Result<(), Box<Diagnostic>> {
    let (from, to) = (named(words, &wish.from)?, named(words, &wish.to)?);
    let mut fair = Vec::new();
    for (is_strong, actions) in wish.kinds()? {
        let pair = actions.and_then(|actions| actions.split_once(':'));
        let Some((enabled, taken)) = pair else {
            let message = "of a system without rules, an action is said by two names".to_owned();
            return Err(Box::new(wrong(message).hint("weak:ENABLED:TAKEN")));
        };
        let (enabled, taken) = (named(words, enabled)?, named(words, taken)?);
        fair.push(Fair { is_strong, enabled, taken });
    }
    Response { from, to, fair }.ask(words);
    Ok(())
}

/// The formula with a name, negated behind `!`.
fn named(words: &mut Words, name: &str) -> Result<TermId, Box<Diagnostic>> {
    let name = name.trim();
    if let Some(inner) = name.strip_prefix('!') {
        let inner = named(words, inner)?;
        return Ok(words.terms.not(inner));
    }
    let outputs = words.outputs.iter().chain(&words.bads).chain(&words.constraints);
    let output =
        outputs.filter(|named| named.name.as_deref() == Some(name)).map(|named| named.term);
    let vars = words.states.iter().map(|state| state.var).chain(words.inputs.iter().copied());
    let var = vars.filter(|var| words.terms.var_name(*var) == Some(name));
    let Some(term) = output.chain(var).next() else {
        let error = wrong(format!("there is no output, state or input with the name `{name}`"));
        return Err(error);
    };
    let store = &mut words.terms;
    match store.sort(term) {
        SortId::BOOL => Ok(term),
        sort if store.width_of(sort) == Some(1) => Ok(store.bv_to_bool(term)),
        _ => Err(wrong(format!("`{name}` has more than one bit"))),
    }
}
