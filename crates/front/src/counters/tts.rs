//! Thread transition systems: any number of threads with finitely many local states, and a shared state.
//!
//! The first line has the numbers of shared and of local states. A line `s l -> t m` lets a thread in `l` go to `m`
//! while the shared state goes from `s` to `t`; `s l +> t m` lets it stay where it is and start a
//! thread in `m`. Runs begin with the shared state 0 and one thread or more in the local state 0. The target
//! `t|l,m,…` is the shared state `t` with at least these threads, and is not part of the file.
//!
//! Each shared state is a location and each local state counts its threads, so what is left out of a
//! configuration (which thread is which) is what nobody can ask about.
//!
//! After the files of BFC \[KKW14\], Ucob and IJIT. Transfers (`~>`) are refused: our sources differ in what
//! they mean.

use super::{Builder, Guard, Sum};
use crate::diag::{Code, Diagnostic, Diagnostics, Read};
use crate::infix::{Cursor, Fallible, Kind, Lexis, integer};
use alphorn_problem::{Horn, Span};
use alphorn_term::Int;
use std::collections::{BTreeMap, BTreeSet};

static LEXIS: Lexis = Lexis { symbols: &["->", "+>", "~>", "|", ",", "-"], ..Lexis::PLAIN };

/// A shared state, and a local state of one thread.
type State = (u32, u32);

/// What must not be covered: a shared state and the local states of some threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    shared: u32,
    /// How many threads there are at least in each local state.
    locals: BTreeMap<u32, u32>,
}

impl Target {
    /// The target that a text such as `4|23,23` says.
    pub fn read(text: &[u8]) -> Result<Target, Box<Diagnostic>> {
        let mut cursor = Cursor::new(text, 0, &LEXIS, Code::ThreadTarget);
        let shared = number(&mut cursor)?;
        cursor.expect("|")?;
        let mut locals = BTreeMap::new();
        loop {
            *locals.entry(number(&mut cursor)?).or_insert(0) += 1;
            if cursor.eat(",").is_none() {
                break;
            }
        }
        match cursor.is_at_end() {
            true => Ok(Target { shared, locals }),
            false => Err(cursor.unexpected("`,` or the end")),
        }
    }
}

struct Rule {
    from: State,
    to: State,
    starts_thread: bool,
    span: Span,
}

/// Whether a text begins as these files do: two numbers, then a rule.
pub fn begins(bytes: &[u8]) -> bool {
    let mut cursor = Cursor::new(bytes, 0, &LEXIS, Code::ThreadSyntax);
    for _ in 0..4 {
        if cursor.take().kind != Kind::Number {
            return false;
        }
    }
    ["->", "+>", "~>"].iter().any(|arrow| cursor.is(arrow))
}

/// Reads a system, with what must not be covered.
pub fn read(bytes: &[u8], target: Option<&Target>) -> Read<Horn> {
    let mut diagnostics = Diagnostics::default();
    if let Some(diagnostic) = Diagnostic::too_large(bytes) {
        diagnostics.push(diagnostic);
        return (None, diagnostics);
    }
    let mut cursor = Cursor::new(bytes, 0, &LEXIS, Code::ThreadSyntax);
    let sizes = number(&mut cursor).and_then(|shared| Ok((shared, number(&mut cursor)?)));
    let sizes = match sizes {
        Ok(sizes) => sizes,
        Err(diagnostic) => {
            let hint = "the file begins with the numbers of shared and of local states";
            diagnostics.push(diagnostic.hint(hint));
            return (None, diagnostics);
        }
    };
    let mut rules = Vec::new();
    while !cursor.is_at_end() && !diagnostics.is_full() {
        match rule(&mut cursor, sizes) {
            Ok(rule) => rules.push(rule),
            Err(diagnostic) => {
                diagnostics.push(*diagnostic);
                cursor.recover(&[], &["->", "+>"]);
            }
        }
    }
    let Some(target) = target else {
        let message = "which state must not be covered is not said";
        let diagnostic = Diagnostic::error(Code::ThreadTarget, Span::NONE, message);
        diagnostics.push(diagnostic.hint("say it with --target 'SHARED|LOCAL,LOCAL…', or in a file of the same name that ends with .prop"));
        return (None, diagnostics);
    };
    if target.shared >= sizes.0 || target.locals.keys().any(|&local| local >= sizes.1) {
        let message = format!(
            "the target has a state that the file has not: there are {} shared and {} local states",
            sizes.0, sizes.1
        );
        diagnostics.push(Diagnostic::error(Code::ThreadTarget, Span::NONE, message));
    }
    if !diagnostics.is_clean() {
        return (None, diagnostics);
    }
    let horn = system(&rules, target);
    if horn.is_none() {
        let message = "the system has more rules times local states than this program treats";
        diagnostics.push(Diagnostic::unsupported(Code::NetUntreated, Span::NONE, message));
    }
    (horn, diagnostics)
}

fn rule(cursor: &mut Cursor<'_>, sizes: (u32, u32)) -> Fallible<Rule> {
    let start = cursor.peek().span;
    let from = state(cursor, sizes)?;
    if cursor.is("~>") {
        let message = "transfers (~>) are not treated";
        let diagnostic = Diagnostic::unsupported(Code::ThreadTransfer, cursor.peek().span, message);
        cursor.take();
        state(cursor, sizes)?;
        return Err(Box::new(diagnostic));
    }
    let starts_thread = cursor.eat("+>").is_some();
    if !starts_thread {
        cursor.expect("->")?;
    }
    let to = state(cursor, sizes)?;
    Ok(Rule { from, to, starts_thread, span: cursor.span_from(start) })
}

fn state(cursor: &mut Cursor<'_>, (shared, local): (u32, u32)) -> Fallible<State> {
    let place = cursor.peek().span;
    let state = (number(cursor)?, number(cursor)?);
    if state.0 < shared && state.1 < local {
        return Ok(state);
    }
    let message = format!(
        "there is no state {}|{}: the file says that there are {shared} shared and {local} local states",
        state.0, state.1
    );
    let diagnostic = Diagnostic::error(Code::ThreadSyntax, cursor.span_from(place), message);
    Err(Box::new(diagnostic.hint("states are counted from 0")))
}

fn number(cursor: &mut Cursor<'_>) -> Fallible<u32> {
    if cursor.peek().kind != Kind::Number {
        return Err(cursor.unexpected("a number"));
    }
    let span = cursor.take().span;
    integer(cursor.text(span)).to_i64().and_then(|value| u32::try_from(value).ok()).ok_or_else(
        || {
            let message = "the number is larger than this program reads";
            Box::new(Diagnostic::error(cursor.code(), span, message))
        },
    )
}

/// The clauses. Only states that are mentioned have a predicate or a counter.
fn system(rules: &[Rule], target: &Target) -> Option<Horn> {
    let states = || rules.iter().flat_map(|rule| [rule.from, rule.to]);
    let mut shared: BTreeSet<u32> = states().map(|(shared, _)| shared).collect();
    let mut locals: BTreeSet<u32> = states().map(|(_, local)| local).collect();
    shared.extend([0, target.shared]);
    locals.insert(0);
    locals.extend(target.locals.keys());
    let names = |states: &BTreeSet<u32>, word: &str| -> Vec<String> {
        states.iter().map(|state| format!("{word}_{state}")).collect()
    };
    let places = |states: BTreeSet<u32>| -> BTreeMap<u32, usize> {
        states.into_iter().enumerate().map(|(at, state)| (state, at)).collect()
    };
    let (shared_names, local_names) = (names(&shared, "shared"), names(&locals, "local"));
    let mut builder = Builder::new(&shared_names, &local_names, rules.len())?;
    let (shared, locals) = (places(shared), places(locals));
    let some = |local: u32, count: u32| Guard {
        counter: locals[&local],
        is_equal: false,
        value: Int::from(i64::from(count)),
    };
    let changed = |local: u32, change: i64| {
        let parts = vec![(locals[&local], Int::ONE)];
        (locals[&local], Sum { parts, constant: Int::from(change) })
    };
    builder.start(shared[&0], &[some(0, 1)], Span::NONE);
    for rule in rules {
        let (from, to) = (rule.from, rule.to);
        let mut updates = BTreeMap::new();
        if rule.starts_thread {
            updates.extend([changed(to.1, 1)]);
        } else if from.1 != to.1 {
            updates.extend([changed(from.1, -1), changed(to.1, 1)]);
        }
        let ends = (shared[&from.0], shared[&to.0]);
        builder.rule(ends, &[some(from.1, 1)], &updates, rule.span);
    }
    let wanted: Vec<Guard> =
        target.locals.iter().map(|(&local, &count)| some(local, count)).collect();
    builder.target(shared[&target.shared], &wanted, Span::NONE);
    Some(builder.horn)
}
