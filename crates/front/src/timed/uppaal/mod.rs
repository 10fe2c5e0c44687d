//! Networks of timed automata in UPPAAL's XML.
//!
//! Read are global and local declarations of clocks, bounded integers, truth values, constants, types and channels; templates
//! with parameters, of which a template without arguments in `system` gets all values; `select`, guards, pairs of `!` and
//! `?`, assignments; invariants, urgent and committed locations, urgent channels whose edges do not ask for clocks.
//! What must hold are the queries `A[] φ`; `E<> φ` asks the opposite, and what can be reached is reported as a
//! violation. A location is named as `P.cs`, or `P(1).cs`; behind `A[]` there may be `forall (i : t)`, behind `E<>` `exists (i : t)`, and `P(i).cs`.
//! A template may stand for any number of copies (`copies`).
//!
//! Refused: broadcast channels (who hears one depends on guards), functions, records, arrays of arrays, branch points,
//! priorities, other queries. An edge that would give an integer a value outside of its bounds cannot be taken, where UPPAAL
//! stops with an error.
//!
//! After the manual of UPPAAL, "System description", and Behrmann, David, Larsen, "A tutorial on Uppaal" (2004).

mod copies;
mod declare;
mod process;
mod query;
mod xml;

use super::encode::horn;
use super::family::{Bad, Copies, Family};
use super::network::{Move, Network};
use super::value::{Evaluator, Scope, Thing};
use super::{Kind, Reading, parameterised};
use crate::diag::{Code, Diagnostic, Diagnostics, Read};
use crate::infix::{Cursor, Fallible, Lexis};
use alphorn_problem::{Horn, Span};
use alphorn_term::Int;
use copies::Copied;
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
    /// The template of which there are copies.
    family: Option<Copied>,
    bad: Vec<Bad>,
}

/// Whether a text begins as these files do.
pub fn begins(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(1024)];
    let has = |wanted: &[u8]| head.windows(wanted.len()).any(|piece| piece == wanted);
    head.trim_ascii_start().starts_with(b"<") && has(b"<nta>")
}

/// Reads a network; a target is a query, or a formula that must not hold, in place of the file's queries.
pub fn read(bytes: &[u8], asked: &Reading<'_>) -> Read<Horn> {
    let mut diagnostics = Diagnostics::default();
    if let Some(diagnostic) = Diagnostic::too_large(bytes) {
        diagnostics.push(diagnostic);
        return (None, diagnostics);
    }
    let found = asked.kind().and_then(|kind| {
        let document = xml::read(bytes, "nta")?;
        let mut reader = Reader {
            document: &document,
            network: Network::new(),
            globals: Scope::default(),
            types: BTreeMap::new(),
            channels: Vec::new(),
            alone: Vec::new(),
            family: None,
            bad: Vec::new(),
        };
        reader.run(asked, kind)?;
        reader.clauses(kind)
    });
    match found {
        Ok(horn) => (Some(horn), diagnostics),
        Err(diagnostic) => {
            diagnostics.push(*diagnostic);
            (None, diagnostics)
        }
    }
}

impl<'d> Reader<'d> {
    fn run(&mut self, asked: &Reading<'_>, kind: Kind) -> Fallible<()> {
        let document = self.document;
        if !matches!(kind, Kind::Written(_)) {
            self.family = Some(self.copied(asked.template)?);
        }
        let mut globals = Scope { names: vec![BTreeMap::new()] };
        if let Some(declaration) = document.child(0, "declaration") {
            let mut cursor = self.cursor(document.elements[declaration].text);
            self.declarations(&mut cursor, &mut globals, "")?;
        }
        self.globals = globals;
        self.system()?;
        self.moves()?;
        self.queries(asked.target)
    }

    /// The clauses of what was read.
    fn clauses(self, kind: Kind) -> Fallible<Horn> {
        let Reader { mut network, family, bad, .. } = self;
        let template = family.and_then(|family| family.template);
        let Some(template) = template else {
            // Without a template no query names a copy.
            network.bad.extend(bad.into_iter().map(|bad| (bad.formula, bad.span)));
            let Kind::Written(encoding) = kind else { unreachable!("a template was found") };
            return Ok(horn(network, encoding));
        };
        let mut family = Family { network, template, bad };
        Ok(match kind {
            Kind::Any(seen) => parameterised::any(family, seen),
            Kind::Just(count, encoding) => {
                let terms = std::mem::take(&mut family.network.terms);
                horn(family.scene(terms, Copies::All(count)).network, encoding)
            }
            Kind::Written(_) => unreachable!("only copies have a template"),
        })
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
                Some((template, _)) if self.is_copied(template) => {
                    return Err(copies::not_copied(name, span));
                }
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
        if self.is_copied(template) {
            return self.stand_in(name, template, span);
        }
        let mut all: Vec<Vec<Int>> = vec![Vec::new()];
        for param in self.params_of(template)? {
            let Type::Int(least, most) = &param.kind else {
                let message = format!("the template {name} needs arguments");
                return Err(Box::new(Diagnostic::error(Code::TimedName, span, message)));
            };
            let [least, most] = self.between((*least, *most), span)?;
            let mut longer = Vec::new();
            let mut value = least;
            while value <= most {
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
        let copies = self.standing_in();
        for channel in std::mem::take(&mut self.channels) {
            let [senders, receivers] = &channel.ends;
            for &sender in senders {
                // A copy meets another one.
                let is_other =
                    |receiver: &&(usize, usize)| receiver.0 != sender.0 || copies == Some(sender.0);
                for &receiver in receivers.iter().filter(is_other) {
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
}
