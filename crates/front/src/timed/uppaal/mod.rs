//! Networks of timed automata in UPPAAL's XML.
//!
//! Read are global and local declarations of clocks, bounded integers, truth values, constants, types and channels; templates
//! with parameters, of which a template without arguments in `system` gets all values; `select`, guards, pairs of `!` and
//! `?`, assignments; invariants, urgent and committed locations, urgent channels whose edges do not ask for clocks.
//! What must hold are the queries `A[] φ`; `E<> φ` asks the opposite, and what can be reached is reported as a
//! violation. A location is named as `P.cs`, or `P(1).cs`.
//!
//! Refused: broadcast channels (who hears one depends on guards), functions, records, arrays of arrays, branch points,
//! priorities, other queries. An edge that would give an integer a value outside of its bounds cannot be taken, where UPPAAL
//! stops with an error.
//!
//! After the manual of UPPAAL, "System description", and Behrmann, David, Larsen, "A tutorial on Uppaal" (2004).

mod declare;
mod process;
mod xml;

use super::encode::{Encoding, horn};
use super::network::{Move, Network};
use super::value::{Evaluator, Scope, Thing};
use crate::diag::{Code, Diagnostic, Diagnostics, Read};
use crate::infix::{Cursor, Fallible, Lexis};
use alphorn_problem::{Horn, Span};
use alphorn_term::Int;
use declare::{Param, Type};
use std::collections::BTreeMap;
use xml::Document;

static LEXIS: Lexis = Lexis {
    line_comments: &["//"],
    has_block_comments: true,
    has_decimals: false,
    has_escapes: false,
    has_words: false,
    begins_name: |byte| byte.is_ascii_alphabetic() || byte == b'_',
    // In queries P(1).cs is one name, with other characters for the brackets.
    continues_name: |byte| byte.is_ascii_alphanumeric() || b"_.$@".contains(&byte),
    symbols: &[
        "==", "!=", "<=", ">=", "&&", "||", ":=", "++", "--", "+=", "-=", "<", ">", "=", "!", "+",
        "-", "*", "/", "%", "(", ")", "[", "]", "{", "}", ":", ";", ",", "?", "&", "'",
    ],
};

const CODES: [Code; 3] = [Code::TimedSyntax, Code::TimedName, Code::TimedUntreated];

/// The most processes of one template, and the most joint moves.
const MAX_PROCESSES: usize = 256;
const MAX_MOVES: usize = 200_000;

/// A channel, and the edges that send and receive.
#[derive(Clone, Debug)]
struct Channel {
    is_urgent: bool,
    ends: [Vec<(usize, usize)>; 2],
}

struct Reader<'d> {
    document: &'d Document,
    network: Network,
    globals: Scope,
    types: BTreeMap<String, Type>,
    channels: Vec<Channel>,
    /// Edges without a channel.
    alone: Vec<(usize, usize)>,
    diagnostics: Diagnostics,
}

/// Whether a text begins as these files do.
pub fn begins(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(1024)];
    let has = |wanted: &[u8]| head.windows(wanted.len()).any(|piece| piece == wanted);
    head.trim_ascii_start().starts_with(b"<") && has(b"<nta>")
}

/// Reads a network; `target` is a query, or a formula that must not hold, in place of the file's queries.
pub fn read(bytes: &[u8], target: Option<&str>, encoding: Encoding) -> Read<Horn> {
    let mut diagnostics = Diagnostics::default();
    if let Some(diagnostic) = Diagnostic::too_large(bytes) {
        diagnostics.push(diagnostic);
        return (None, diagnostics);
    }
    let document = match xml::read(bytes, "nta") {
        Ok(document) => document,
        Err(diagnostic) => {
            diagnostics.push(*diagnostic);
            return (None, diagnostics);
        }
    };
    let mut reader = Reader {
        document: &document,
        network: Network::new(),
        globals: Scope::default(),
        types: BTreeMap::new(),
        channels: Vec::new(),
        alone: Vec::new(),
        diagnostics,
    };
    if let Err(diagnostic) = reader.run(target) {
        reader.diagnostics.push(*diagnostic);
    }
    let Reader { network, diagnostics, .. } = reader;
    let found = diagnostics.is_clean().then(|| horn(network, encoding));
    (found, diagnostics)
}

impl<'d> Reader<'d> {
    fn run(&mut self, target: Option<&str>) -> Fallible<()> {
        let document = self.document;
        let mut globals = Scope { names: vec![BTreeMap::new()] };
        if let Some(declaration) = document.child(0, "declaration") {
            let mut cursor = self.cursor(document.elements[declaration].text);
            self.declarations(&mut cursor, &mut globals, "")?;
        }
        self.globals = globals;
        self.system()?;
        self.moves()?;
        self.queries(target)
    }

    /// The processes that `system` names.
    fn system(&mut self) -> Fallible<()> {
        let document = self.document;
        let Some(system) = document.child(0, "system") else {
            let message = "there is no <system>";
            return Err(Box::new(Diagnostic::error(Code::TimedSyntax, Span::NONE, message)));
        };
        let mut cursor = self.cursor(document.elements[system].text);
        let mut made: BTreeMap<&'d str, (usize, Vec<Thing>)> = BTreeMap::new();
        while cursor.eat("system").is_none() {
            let (name, _) = cursor.name("an assignment or `system`")?;
            cursor.expect("=")?;
            let (template, span) = cursor.name("a template")?;
            let template = self.template(template, span)?;
            let arguments = self.arguments(template, &mut cursor)?;
            cursor.expect(";")?;
            made.insert(name, (template, arguments));
        }
        loop {
            let (name, span) = cursor.name("a process")?;
            match made.get(name).cloned() {
                Some((template, arguments)) => self.process(name, template, &arguments)?,
                None => {
                    let template = self.template(name, span)?;
                    self.all_of(name, template, span)?;
                }
            }
            if cursor.is("<") {
                let message = "priorities of processes are not treated";
                let span = cursor.peek().span;
                return Err(Box::new(Diagnostic::unsupported(Code::TimedUntreated, span, message)));
            }
            if cursor.eat(",").is_none() {
                break;
            }
        }
        cursor.expect(";")?;
        match cursor.is_at_end() {
            true => Ok(()),
            false => Err(cursor.unexpected("the end of <system>")),
        }
    }

    fn template(&self, name: &str, span: Span) -> Fallible<usize> {
        let document = self.document;
        let is_called = |at: &usize| {
            document.child(*at, "name").is_some_and(|child| document.text(child) == name)
        };
        let found = document.children(0, "template").find(is_called);
        found.ok_or_else(|| {
            let message = format!("there is no template {name}");
            Box::new(Diagnostic::error(Code::TimedName, span, message))
        })
    }

    fn params_of(&mut self, template: usize) -> Fallible<Vec<Param>> {
        let document = self.document;
        let Some(child) = document.child(template, "parameter") else { return Ok(Vec::new()) };
        let scope = self.globals.clone();
        let mut cursor = self.cursor(document.elements[child].text);
        self.params(&mut cursor, &scope)
    }

    /// What is handed to a template.
    fn arguments(&mut self, template: usize, cursor: &mut Cursor<'_>) -> Fallible<Vec<Thing>> {
        let params = self.params_of(template)?;
        let mut things = Vec::new();
        cursor.expect("(")?;
        for (at, param) in params.iter().enumerate() {
            if at > 0 {
                cursor.expect(",")?;
            }
            let Reader { network, globals, .. } = self;
            let mut evaluator =
                Evaluator { network, scope: globals, defined: Vec::new(), codes: CODES };
            things.push(match (&param.kind, param.is_reference) {
                (Type::Int(..), false) => Thing::Constant(evaluator.constant(cursor)?),
                _ => evaluator.reference(cursor)?,
            });
        }
        cursor.expect(")")?;
        Ok(things)
    }

    /// A template without arguments stands for all values of its parameters.
    fn all_of(&mut self, name: &str, template: usize, span: Span) -> Fallible<()> {
        let mut all: Vec<Vec<Int>> = vec![Vec::new()];
        for param in self.params_of(template)? {
            let Type::Int(least, most) = &param.kind else {
                let message = format!("the template {name} needs arguments");
                return Err(Box::new(Diagnostic::error(Code::TimedName, span, message)));
            };
            let mut longer = Vec::new();
            let mut value = least.clone();
            while value <= *most {
                longer
                    .extend(all.iter().map(|known| [known.as_slice(), &[value.clone()]].concat()));
                value = &value + &Int::ONE;
                if longer.len() > MAX_PROCESSES {
                    let message =
                        format!("the template {name} has more than {MAX_PROCESSES} processes");
                    let error = Diagnostic::unsupported(Code::TimedUntreated, span, message);
                    return Err(Box::new(error));
                }
            }
            all = longer;
        }
        for values in all {
            let words: Vec<String> = values.iter().map(ToString::to_string).collect();
            let name = match words.is_empty() {
                true => name.to_owned(),
                false => format!("{name}@{}@", words.join("@")),
            };
            let things: Vec<Thing> = values.into_iter().map(Thing::Constant).collect();
            self.process(&name, template, &things)?;
        }
        Ok(())
    }

    /// What processes do alone, and in pairs.
    fn moves(&mut self) -> Fallible<()> {
        let alone = |&edge: &(usize, usize)| Move { edges: vec![edge], ..Move::default() };
        self.network.moves.extend(self.alone.iter().map(alone));
        for channel in std::mem::take(&mut self.channels) {
            let [senders, receivers] = &channel.ends;
            for &sender in senders {
                for &receiver in receivers.iter().filter(|receiver| receiver.0 != sender.0) {
                    if channel.is_urgent {
                        self.is_untimed(sender)?;
                        self.is_untimed(receiver)?;
                    }
                    let edges = vec![sender, receiver];
                    let is_urgent = channel.is_urgent;
                    self.network.moves.push(Move { edges, is_urgent, ..Move::default() });
                }
            }
        }
        if self.network.moves.len() > MAX_MOVES {
            let message = format!("there are more than {MAX_MOVES} joint moves");
            let error = Diagnostic::unsupported(Code::TimedUntreated, Span::NONE, message);
            return Err(Box::new(error));
        }
        Ok(())
    }

    /// Refuses an edge of an urgent channel that asks for clocks.
    fn is_untimed(&self, (process, edge): (usize, usize)) -> Fallible<()> {
        let edge = &self.network.processes[process].edges[edge];
        if !self.network.terms.free_vars(&[edge.guard]).contains(&self.network.now) {
            return Ok(());
        }
        let message = "an edge of an urgent channel asks for clocks, which is not treated";
        Err(Box::new(Diagnostic::unsupported(Code::TimedUntreated, edge.span, message)))
    }

    /// What must hold.
    fn queries(&mut self, target: Option<&str>) -> Fallible<()> {
        let document = self.document;
        let mut asked: Vec<(String, Span)> = Vec::new();
        if let Some(target) = target {
            asked.push((target.to_owned(), Span::NONE));
        } else if let Some(queries) = document.child(0, "queries") {
            for query in document.children(queries, "query") {
                if let Some(formula) = document.child(query, "formula") {
                    let (start, end) = document.elements[formula].text;
                    asked.push((document.text(formula).to_owned(), Span::new(start, end)));
                }
            }
            asked.retain(|(text, _)| !text.is_empty());
        }
        if asked.is_empty() {
            let message = "no query says what must hold";
            let error = Diagnostic::error(Code::TimedTarget, Span::NONE, message);
            let hint = "say it with --target 'A[] not (P.cs and Q.cs)'";
            return Err(Box::new(error.hint(hint)));
        }
        let is_many = asked.len() > 1;
        for (text, span) in asked {
            self.query(&text, span, is_many)?;
        }
        Ok(())
    }

    fn query(&mut self, text: &str, span: Span, is_many: bool) -> Fallible<()> {
        let (is_always, formula) = match (text.strip_prefix("A[]"), text.strip_prefix("E<>")) {
            (Some(formula), _) => (true, formula),
            (_, Some(formula)) => (false, formula),
            _ => (false, text),
        };
        let is_other = ["A<>", "E[]"].iter().any(|word| text.starts_with(word));
        let is_other = is_other || text.contains("-->") || text.contains("deadlock");
        if is_other || is_many && !is_always {
            let message = format!("the query `{text}` is not treated here");
            let error = Diagnostic::unsupported(Code::TimedTarget, span, message);
            let hint =
                "files with queries A[] alone, or with one query E<>, are; --target names one";
            return Err(Box::new(error.hint(hint)));
        }
        let text = one_name(formula);
        let mut cursor = Cursor::new(&text, 0, &LEXIS, Code::TimedTarget);
        let Reader { network, globals, .. } = self;
        let mut evaluator =
            Evaluator { network, scope: globals, defined: Vec::new(), codes: CODES };
        let at_query = |mut diagnostic: Box<Diagnostic>| {
            diagnostic.span = span;
            diagnostic
        };
        let mut formula = evaluator.formula(&mut cursor).map_err(at_query)?;
        if !cursor.is_at_end() {
            return Err(at_query(cursor.unexpected("an operator")));
        }
        if is_always {
            formula = self.network.terms.not(formula);
        }
        self.network.bad.push((formula, span));
        Ok(())
    }
}

/// `P(1).cs` as one name.
fn one_name(text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for at in 0..bytes.len() {
        if !bytes[at..].starts_with(b").") {
            continue;
        }
        let Some(open) = bytes[..at].iter().rposition(|&byte| byte == b'(') else { continue };
        let is_index = |&byte: &u8| byte.is_ascii_digit() || byte == b',' || byte == b'-';
        if open > 0
            && bytes[open - 1].is_ascii_alphanumeric()
            && bytes[open + 1..at].iter().all(is_index)
        {
            bytes[open] = b'@';
            bytes[at] = b'@';
            bytes[open..at].iter_mut().filter(|byte| **byte == b',').for_each(|byte| *byte = b'@');
        }
    }
    bytes
}
