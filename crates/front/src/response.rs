//! Questions about responses, as users write them.

use crate::diag::{Code, Diagnostic};
use alphorn_problem::Span;
use alphorn_problem::circuit::{Circuit, Lit};
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
        let (enabled, taken) = pair(actions)?;
        let (enabled, taken) = (named(words, enabled)?, named(words, taken)?);
        fair.push(Fair { is_strong, enabled, taken });
    }
    Response { from, to, fair }.ask(words);
    Ok(())
}

/// Asks about a circuit whose signals have names, or are called by the letter of their section and their position.
pub fn ask_circuit(circuit: &Circuit, wish: &ResponseWish) -> Result<Circuit, Box<Diagnostic>> {
    let (from, to) = (signal(circuit, &wish.from)?, signal(circuit, &wish.to)?);
    let mut fair = Vec::new();
    for (is_strong, actions) in wish.kinds()? {
        let (enabled, taken) = pair(actions)?;
        let (enabled, taken) = (signal(circuit, enabled)?, signal(circuit, taken)?);
        fair.push(Fair { is_strong, enabled, taken });
    }
    Ok(Response { from, to, fair }.ask(circuit))
}

/// The names of an action: when it is enabled, and when it is taken.
fn pair(actions: Option<&str>) -> Result<(&str, &str), Box<Diagnostic>> {
    actions.and_then(|actions| actions.split_once(':')).ok_or_else(|| {
        let message = "of a system without rules, an action is said by two names".to_owned();
        Box::new(wrong(message).hint("weak:ENABLED:TAKEN"))
    })
}

/// The literal with a name, negated behind `!`.
fn signal(circuit: &Circuit, name: &str) -> Result<Lit, Box<Diagnostic>> {
    let name = name.trim();
    if let Some(inner) = name.strip_prefix('!') {
        return Ok(!signal(circuit, inner)?);
    }
    let section = |kind: u8, index: usize| -> Option<Lit> {
        match kind {
            b'o' => circuit.outputs.get(index).copied(),
            b'b' => circuit.bads.get(index).copied(),
            b'c' => circuit.constraints.get(index).copied(),
            b'f' => circuit.fairness.get(index).copied(),
            b'l' => (index < circuit.latches.len()).then(|| circuit.latch(index)),
            b'i' => (index < circuit.inputs as usize).then(|| circuit.input(index)),
            _ => None,
        }
    };
    let named = circuit.symbols.entries.iter().filter(|(_, _, known)| known == name);
    let mut found: Vec<Lit> =
        named.filter_map(|(kind, index, _)| section(*kind, *index as usize)).collect();
    found.sort_unstable();
    found.dedup();
    if found.is_empty()
        && let Some(kind) = name.bytes().next()
        && let Some(index) = name.get(1..).and_then(|digits| digits.parse::<usize>().ok())
    {
        found.extend(section(kind, index));
    }
    match found[..] {
        [one] => Ok(one),
        [] => {
            let error = wrong(format!("there is no signal with the name `{name}`"));
            Err(Box::new(error.hint("a symbol of the file, or o0, b0, c0, l0, i0 and so on")))
        }
        _ => Err(wrong(format!("several signals have the name `{name}`"))),
    }
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
