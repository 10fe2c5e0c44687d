//! Networks of timed automata in TChecker's text.
//!
//! ```text
//! system:fischer
//! event:tau
//! int:1:0:2:0:id                    size, least, largest, first value
//! process:P
//! clock:1:x
//! location:P:A{initial: : invariant: x<=10 : labels: cs}
//! edge:P:A:B:tau{provided: x<=10 && id==0 : do: x=0; id=1}
//! sync:P@a:Q@b?                     `?`: only if Q can
//! ```
//!
//! What must not be reached is a set of labels: a state in which each of them is a label of some process'
//! location. They are given beside the file, or in a comment `#labels=a:b` before the first declaration, as TChecker's generators write it. An event
//! of a process that stands in a `sync` happens only there. An edge that would give an integer a value outside
//! of its bounds cannot be taken.
//!
//! After the documentation of TChecker (ticktac-project), version 0.8.

use super::encode::horn;
use super::network::{Edge, Location, Move, Network};
use super::value::{Evaluator, Scope, Thing, Updates};
use super::{Kind as Asked, Reading};
use crate::diag::{Code, Diagnostic, Diagnostics, Read};
use crate::infix::{Cursor, Fallible, Kind, Lexis, integer};
use crate::suggest::nearest;
use alphorn_problem::{Horn, Span};
use alphorn_term::{Int, TermId};
use std::collections::{BTreeMap, BTreeSet};

static LEXIS: Lexis = Lexis {
    line_comments: &["#"],
    has_block_comments: false,
    has_decimals: false,
    has_escapes: false,
    has_words: false,
    begins_name: |byte| byte.is_ascii_alphabetic() || byte == b'_',
    continues_name: |byte| byte.is_ascii_alphanumeric() || b"_.$".contains(&byte),
    symbols: &[
        "==", "!=", "<=", ">=", "&&", "||", "<", ">", "=", "!", "+", "-", "*", "/", "%", "(", ")",
        "[", "]", "{", "}", ":", ";", ",", "@", "?",
    ],
};

/// The words that begin a declaration.
const WORDS: [&str; 8] = ["system", "event", "clock", "int", "process", "location", "edge", "sync"];

/// The most elements of an array, and the most joint moves of all `sync`s.
const MAX_ELEMENTS: usize = 4096;
const MAX_MOVES: usize = 200_000;

const CODES: [Code; 3] = [Code::TimedSyntax, Code::TimedName, Code::TimedUntreated];

/// An attribute: its name, and where its value stands.
type Attributes<'t> = BTreeMap<&'t str, (Span, Cursor<'t>)>;

/// A participant of a `sync`: a process, an event, and whether it may be missing.
type Party<'t> = (usize, &'t str, bool);

/// Whether a text begins as these files do, behind comments.
pub fn begins(bytes: &[u8]) -> bool {
    let cursor = Cursor::new(bytes, 0, &LEXIS, Code::TimedSyntax);
    cursor.is("system") && cursor.peek_second().kind == Kind::Symbol(":")
}

/// Reads a network; a target is labels between colons or commas, which must not hold together.
pub fn read(bytes: &[u8], asked: &Reading<'_>) -> Read<Horn> {
    let mut reader = Reader {
        cursor: Cursor::new(bytes, 0, &LEXIS, Code::TimedSyntax),
        network: Network::new(),
        scope: Scope::default(),
        events: BTreeSet::new(),
        processes: BTreeMap::new(),
        labels: BTreeMap::new(),
        edges: BTreeMap::new(),
        syncs: Vec::new(),
        diagnostics: Diagnostics::default(),
    };
    if let Some(diagnostic) = Diagnostic::too_large(bytes) {
        reader.diagnostics.push(diagnostic);
        return (None, reader.diagnostics);
    }
    let Ok(Asked::Written(encoding)) = asked.kind() else {
        let message = "this text has no templates, of which there could be copies";
        let diagnostic = Diagnostic::error(Code::TimedTemplate, Span::NONE, message);
        reader.diagnostics.push(diagnostic.hint("UPPAAL's XML has them"));
        return (None, reader.diagnostics);
    };
    reader.declarations();
    reader.moves();
    reader.target(asked.target.or_else(|| first_comment(bytes)));
    let Reader { network, diagnostics, .. } = reader;
    let found = diagnostics.is_clean().then(|| horn(network, encoding));
    (found, diagnostics)
}

/// The labels that a comment before the first declaration names.
fn first_comment(bytes: &[u8]) -> Option<&str> {
    let lines = bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let mut comments = lines.take_while(|line| line.is_empty() || line.starts_with(b"#"));
    str::from_utf8(comments.find_map(|line| line.strip_prefix(b"#labels="))?).ok()
}

struct Reader<'t> {
    cursor: Cursor<'t>,
    network: Network,
    scope: Scope,
    events: BTreeSet<&'t str>,
    processes: BTreeMap<&'t str, usize>,
    /// The locations that have a label.
    labels: BTreeMap<&'t str, Vec<(usize, usize)>>,
    /// The edges of a process and an event.
    edges: BTreeMap<(usize, &'t str), Vec<usize>>,
    syncs: Vec<(Vec<Party<'t>>, Span)>,
    diagnostics: Diagnostics,
}

impl<'t> Reader<'t> {
    fn declarations(&mut self) {
        let mut is_first = true;
        while !self.cursor.is_at_end() && !self.diagnostics.is_full() {
            let start = self.cursor.peek().span;
            if is_first && !self.cursor.is("system") {
                let diagnostic = self.cursor.unexpected("`system`");
                let hint = "the first declaration is system:NAME";
                self.diagnostics.push(diagnostic.hint(hint));
            }
            is_first = false;
            if let Err(diagnostic) = self.declaration(start) {
                self.diagnostics.push(*diagnostic);
                self.cursor.recover(&[], &WORDS);
            }
        }
        if is_first {
            let message = "there is no system";
            let diagnostic = Diagnostic::error(Code::TimedSyntax, Span::NONE, message);
            self.diagnostics.push(diagnostic.hint("the first declaration is system:NAME"));
        }
    }

    fn declaration(&mut self, start: Span) -> Fallible<()> {
        let (word, span) = self.cursor.name("a declaration")?;
        if !WORDS.contains(&word) {
            let message = format!("there is no declaration {word}");
            let diagnostic = Diagnostic::error(Code::TimedSyntax, span, message);
            let hint = match nearest(word, WORDS.iter().copied()) {
                Some(other) => format!("is {other} meant?"),
                None => format!("declarations are {}", WORDS.join(", ")),
            };
            return Err(Box::new(diagnostic.hint(hint)));
        }
        self.cursor.expect(":")?;
        match word {
            "system" => {
                self.network.name = self.cursor.name("a name")?.0.to_owned();
                self.ignored()
            }
            "event" => {
                let (name, span) = self.cursor.name("the name of an event")?;
                if !self.events.insert(name) {
                    return twice("event", name, span);
                }
                self.ignored()
            }
            "clock" => self.clock(),
            "int" => self.int(),
            "process" => {
                let (name, span) = self.cursor.name("the name of a process")?;
                let id = self.network.process(name);
                if self.processes.insert(name, id).is_some() {
                    return twice("process", name, span);
                }
                self.ignored()
            }
            "location" => self.location(),
            "edge" => self.edge(start),
            _ => self.sync(start),
        }
    }

    /// Attributes where none has a meaning.
    fn ignored(&mut self) -> Fallible<()> {
        self.attributes(&[]).map(drop)
    }

    /// `{name: value : name: value}`; values are skipped and read later.
    fn attributes(&mut self, known: &[&str]) -> Fallible<Attributes<'t>> {
        let mut found = BTreeMap::new();
        if self.cursor.eat("{").is_none() {
            return Ok(found);
        }
        while self.cursor.eat("}").is_none() {
            let (name, span) = self.cursor.name("an attribute or `}`")?;
            self.cursor.expect(":")?;
            let value = self.cursor.clone();
            while !self.cursor.is(":") && !self.cursor.is("}") {
                if self.cursor.is_at_end() {
                    return Err(self.cursor.unexpected("`}`"));
                }
                self.cursor.take();
            }
            self.cursor.eat(":");
            if !known.contains(&name) {
                let message = format!("the attribute {name} has no effect");
                let warning = Diagnostic::warning(Code::TimedIgnored, span, message);
                self.diagnostics.push(match nearest(name, known.iter().copied()) {
                    Some(other) => warning.hint(format!("is {other} meant?")),
                    None => warning,
                });
            } else if found.insert(name, (span, value)).is_some() {
                return twice("attribute", name, span);
            }
        }
        Ok(found)
    }

    fn int_literal(&mut self) -> Fallible<Int> {
        let is_negative = self.cursor.eat("-").is_some();
        if self.cursor.peek().kind != Kind::Number {
            return Err(self.cursor.unexpected("a number"));
        }
        let span = self.cursor.take().span;
        let value = integer(self.cursor.text(span));
        Ok(if is_negative { -value } else { value })
    }

    /// How many elements a clock or an integer has.
    fn size(&mut self) -> Fallible<usize> {
        let span = self.cursor.peek().span;
        let size = self.int_literal()?.to_i64().and_then(|size| usize::try_from(size).ok());
        match size {
            Some(size) if (1..=MAX_ELEMENTS).contains(&size) => Ok(size),
            _ => {
                let message = format!("a size is a number from 1 to {MAX_ELEMENTS}");
                Err(Box::new(Diagnostic::error(Code::TimedSyntax, span, message)))
            }
        }
    }

    fn declare(
        &mut self,
        kind: &str,
        things: Vec<Thing>,
        (name, span): (&str, Span),
    ) -> Fallible<()> {
        let thing = match <[Thing; 1]>::try_from(things) {
            Ok([only]) => only,
            Err(things) => Thing::Array(things),
        };
        match self.scope.insert(name, thing) {
            true => self.ignored(),
            false => twice(kind, name, span),
        }
    }

    fn clock(&mut self) -> Fallible<()> {
        let size = self.size()?;
        self.cursor.expect(":")?;
        let (name, span) = self.cursor.name("the name of a clock")?;
        let of = |at: usize| if size == 1 { name.to_owned() } else { format!("{name}[{at}]") };
        let things = (0..size).map(|at| Thing::Clock(self.network.clock(&of(at)))).collect();
        self.declare("clock", things, (name, span))
    }

    fn int(&mut self) -> Fallible<()> {
        let size = self.size()?;
        self.cursor.expect(":")?;
        let start = self.cursor.peek().span;
        let mut bounds = Vec::new();
        for _ in 0..3 {
            bounds.push(self.int_literal()?);
            self.cursor.expect(":")?;
        }
        let bounds = <[Int; 3]>::try_from(bounds).expect("there are three");
        let span = self.cursor.span_from(start);
        if bounds[2] < bounds[0] || bounds[2] > bounds[1] {
            let message = "the first value is not between the bounds";
            let hint = "an integer is declared int:SIZE:LEAST:LARGEST:FIRST:NAME";
            let diagnostic = Diagnostic::error(Code::TimedSyntax, span, message);
            return Err(Box::new(diagnostic.hint(hint)));
        }
        let (name, span) = self.cursor.name("the name of an integer")?;
        let of = |at: usize| if size == 1 { name.to_owned() } else { format!("{name}[{at}]") };
        let things =
            (0..size).map(|at| Thing::Number(self.network.number(&of(at), bounds.clone())));
        let things = things.collect();
        self.declare("integer", things, (name, span))
    }

    fn process(&mut self) -> Fallible<usize> {
        let (name, span) = self.cursor.name("a process")?;
        self.cursor.expect(":")?;
        match self.processes.get(name) {
            Some(&process) => Ok(process),
            None => {
                let names: Vec<&str> = self.processes.keys().copied().collect();
                unknown("process", name, span, &names)
            }
        }
    }

    fn location(&mut self) -> Fallible<()> {
        let process = self.process()?;
        let (name, span) = self.cursor.name("the name of a location")?;
        let known = ["initial", "invariant", "labels", "committed", "urgent"];
        let attributes = self.attributes(&known)?;
        let locations = &self.network.processes[process].locations;
        if locations.iter().any(|location| location.name == name) {
            return twice("location", name, span);
        }
        let place = (process, locations.len());
        let mut invariant = TermId::TRUE;
        if let Some((_, value)) = attributes.get("invariant") {
            let start = value.peek().span;
            invariant = self.formula(value.clone())?;
            if !self.is_convex(invariant) {
                let message =
                    "an invariant with a choice between conditions on clocks is not treated";
                return Err(Box::new(Diagnostic::unsupported(
                    Code::TimedUntreated,
                    start,
                    message,
                )));
            }
        }
        if let Some((_, value)) = attributes.get("labels") {
            for (label, _) in value.clone().names("a label")? {
                self.labels.entry(label).or_default().push(place);
            }
        }
        self.network.processes[process].locations.push(Location {
            name: name.to_owned(),
            is_initial: attributes.contains_key("initial"),
            is_committed: attributes.contains_key("committed"),
            is_urgent: attributes.contains_key("urgent"),
            invariant,
        });
        Ok(())
    }

    /// Whether a formula that holds now and later holds between, whatever the time is: no disjunction
    /// speaks of clocks.
    fn is_convex(&self, formula: TermId) -> bool {
        super::value::is_convex(&self.network, formula)
    }

    fn evaluator(&mut self) -> Evaluator<'_, '_> {
        let Reader { network, scope, .. } = self;
        Evaluator { network, scope, defined: Vec::new(), codes: CODES }
    }

    /// The formula of an attribute, up to its end.
    fn formula(&mut self, mut cursor: Cursor<'t>) -> Fallible<TermId> {
        if cursor.is(":") || cursor.is("}") {
            return Ok(TermId::TRUE);
        }
        let formula = self.evaluator().formula(&mut cursor)?;
        ends(&cursor, "an operator or the end of the attribute")?;
        Ok(formula)
    }

    fn updates(&mut self, mut cursor: Cursor<'t>) -> Fallible<Updates> {
        let mut updates = Updates::default();
        while !cursor.is(":") && !cursor.is("}") {
            if cursor.eat("nop").is_none() {
                for word in ["if", "while", "for", "local"] {
                    if cursor.is(word) {
                        let message = format!("the statement {word} is not treated");
                        let span = cursor.peek().span;
                        let diagnostic =
                            Diagnostic::unsupported(Code::TimedUntreated, span, message);
                        return Err(Box::new(
                            diagnostic.hint("assignments between semicolons are"),
                        ));
                    }
                }
                self.evaluator().statement(&mut cursor, &mut updates)?;
            }
            if cursor.eat(";").is_none() {
                ends(&cursor, "`;` or the end of the attribute")?;
            }
        }
        Ok(updates)
    }

    fn place(&mut self, process: usize) -> Fallible<usize> {
        let (name, span) = self.cursor.name("a location")?;
        self.cursor.expect(":")?;
        let locations = &self.network.processes[process].locations;
        match locations.iter().position(|location| location.name == name) {
            Some(at) => Ok(at),
            None => {
                let names: Vec<&str> = locations.iter().map(|place| place.name.as_str()).collect();
                unknown("location", name, span, &names)
            }
        }
    }

    fn event(&mut self) -> Fallible<&'t str> {
        let (name, span) = self.cursor.name("an event")?;
        match self.events.contains(name) {
            true => Ok(name),
            false => {
                let names: Vec<&str> = self.events.iter().copied().collect();
                unknown("event", name, span, &names)
            }
        }
    }

    fn edge(&mut self, start: Span) -> Fallible<()> {
        let process = self.process()?;
        let (from, to) = (self.place(process)?, self.place(process)?);
        let event = self.event()?;
        let attributes = self.attributes(&["provided", "do"])?;
        let span = self.cursor.span_from(start);
        let guard = match attributes.get("provided") {
            Some((_, value)) => self.formula(value.clone())?,
            None => TermId::TRUE,
        };
        let updates = match attributes.get("do") {
            Some((_, value)) => self.updates(value.clone())?,
            None => Updates::default(),
        };
        let Updates { ranges, values } = updates;
        let edges = &mut self.network.processes[process].edges;
        self.edges.entry((process, event)).or_default().push(edges.len());
        edges.push(Edge { from, to, guard, ranges, updates: values, span });
        Ok(())
    }

    fn sync(&mut self, start: Span) -> Fallible<()> {
        let mut parties: Vec<Party<'t>> = Vec::new();
        loop {
            let (name, span) = self.cursor.name("a process")?;
            let Some(&process) = self.processes.get(name) else {
                let names: Vec<&str> = self.processes.keys().copied().collect();
                return unknown("process", name, span, &names);
            };
            if parties.iter().any(|party| party.0 == process) {
                return twice("process", name, span);
            }
            self.cursor.expect("@")?;
            let event = self.event()?;
            parties.push((process, event, self.cursor.eat("?").is_some()));
            if self.cursor.eat(":").is_none() {
                break;
            }
        }
        self.ignored()?;
        self.syncs.push((parties, self.cursor.span_from(start)));
        Ok(())
    }

    /// What processes do alone and together.
    fn moves(&mut self) {
        let parties = self.syncs.iter().flat_map(|(parties, _)| parties);
        let synced: BTreeSet<(usize, &str)> =
            parties.map(|&(process, event, _)| (process, event)).collect();
        for (&(process, event), edges) in &self.edges {
            if !synced.contains(&(process, event)) {
                let alone =
                    |&edge: &usize| Move { edges: vec![(process, edge)], ..Move::default() };
                self.network.moves.extend(edges.iter().map(alone));
            }
        }
        for (parties, span) in std::mem::take(&mut self.syncs) {
            if let Err(diagnostic) = self.together(&parties, span) {
                self.diagnostics.push(*diagnostic);
                return;
            }
        }
        for process in &self.network.processes {
            if !process.locations.iter().any(|location| location.is_initial) {
                let message = format!("the process {} has no initial location", process.name);
                let diagnostic = Diagnostic::error(Code::TimedName, Span::NONE, message);
                self.diagnostics.push(diagnostic.hint("a location is made initial by {initial:}"));
            }
        }
    }

    /// The joint moves of a `sync`. Who may be missing is so in all locations without such an edge.
    fn together(&mut self, parties: &[Party<'_>], span: Span) -> Fallible<()> {
        let mut moves = vec![Move::default()];
        for &(process, event, is_weak) in parties {
            let edges = self.edges.get(&(process, event)).cloned().unwrap_or_default();
            let of = |edge: &usize| &self.network.processes[process].edges[*edge];
            if is_weak && edges.iter().any(|edge| of(edge).guard != TermId::TRUE) {
                let message = "an edge that joins only if it can has a guard, which is not treated";
                return Err(Box::new(Diagnostic::unsupported(Code::TimedUntreated, span, message)));
            }
            let sources: BTreeSet<usize> = edges.iter().map(|edge| of(edge).from).collect();
            let mut more = Vec::new();
            for known in &moves {
                for &edge in &edges {
                    let mut next = known.clone();
                    next.edges.push((process, edge));
                    more.push(next);
                }
                if is_weak {
                    let mut next = known.clone();
                    next.absent.push((process, sources.clone()));
                    more.push(next);
                }
            }
            moves = more;
            if moves.len() + self.network.moves.len() > MAX_MOVES {
                let message = format!("there are more than {MAX_MOVES} joint moves");
                return Err(Box::new(Diagnostic::unsupported(Code::TimedUntreated, span, message)));
            }
        }
        self.network.moves.extend(moves.into_iter().filter(|one| !one.edges.is_empty()));
        Ok(())
    }

    /// What must not be reached: all of the labels together.
    fn target(&mut self, labels: Option<&str>) {
        if !self.diagnostics.is_clean() {
            return;
        }
        let mut parts = Vec::new();
        let named = labels.unwrap_or_default();
        for label in named.split([':', ',']).map(str::trim).filter(|label| !label.is_empty()) {
            let Some(places) = self.labels.get(label) else {
                let names: Vec<&str> = self.labels.keys().copied().collect();
                if let Err(diagnostic) = unknown::<()>("label", label, Span::NONE, &names) {
                    self.diagnostics.push(*diagnostic);
                }
                continue;
            };
            let mut some = Vec::new();
            for &(process, place) in places {
                some.push(self.network.is_at(process, place));
            }
            parts.push(self.network.terms.or(&some));
        }
        if parts.is_empty() && self.diagnostics.is_clean() {
            let message = "no label is named, so that every state has all of them";
            let warning = Diagnostic::warning(Code::TimedTarget, Span::NONE, message);
            let hint = "say which labels must not hold together with --target 'a:b', or in a comment #labels=a:b at the beginning";
            self.diagnostics.push(warning.hint(hint));
        }
        let bad = self.network.terms.and(&parts);
        self.network.bad.push((bad, Span::NONE));
    }
}

/// Refuses what stands before the end of an attribute.
fn ends(cursor: &Cursor<'_>, wanted: &str) -> Fallible<()> {
    match cursor.is(":") || cursor.is("}") {
        true => Ok(()),
        false => Err(cursor.unexpected(wanted)),
    }
}

fn twice<T>(kind: &str, name: &str, span: Span) -> Fallible<T> {
    let message = format!("the {kind} {name} is there twice");
    Err(Box::new(Diagnostic::error(Code::TimedName, span, message)))
}

fn unknown<T>(kind: &str, name: &str, span: Span, names: &[&str]) -> Fallible<T> {
    let diagnostic = Diagnostic::error(Code::TimedName, span, format!("there is no {kind} {name}"));
    Err(Box::new(match nearest(name, names.iter().copied()) {
        Some(other) => diagnostic.hint(format!("is {other} meant?")),
        None => diagnostic.hint(format!("a {kind} is declared before it is used")),
    }))
}
