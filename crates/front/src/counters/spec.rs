//! Petri nets with transfers, resets and tests, in the language of mist.
//!
//! ```text
//! vars    x0 x1 …
//! rules   x0 >= 1, x1 >= 2 -> x0' = x0 - 1, x1' = x1 + x0;  …
//! init    x0 >= 1, x1 = 0
//! target  x1 >= 2, x0 >= 1
//! invariants  x0 = 1, x1 = 1
//! ```
//!
//! Counters that `init` does not name are zero, those that a rule gives no new value stay. Conjunctions of
//! `target` that no comma joins are sets of their own: none may be covered. What stands under `invariants`
//! are weights whose sums mist takes for granted; here nothing is, and engines find such sums themselves.
//!
//! After mist \[GRB06\] and its files.

use super::{Builder, Counter, Guard, Sum};
use crate::diag::{Code, Diagnostic, Diagnostics, Read};
use crate::infix::{Cursor, Fallible, Kind, Lexis, integer};
use crate::suggest::nearest;
use alphorn_problem::{Horn, Span};
use alphorn_term::Int;
use std::collections::BTreeMap;

static LEXIS: Lexis =
    Lexis { symbols: &["->", ">=", "=", "+", "-", "*", ",", ";", "'"], ..Lexis::PLAIN };

/// The words that begin a part of the file.
const SECTIONS: [&str; 5] = ["vars", "rules", "init", "target", "invariants"];

/// A rule as read.
struct Rule {
    guards: Vec<Guard>,
    updates: BTreeMap<Counter, Sum>,
    span: Span,
}

/// A conjunction about counters as read.
type Cube = (Vec<Guard>, Span);

/// Whether a text begins as these files do, behind comments.
pub fn begins(bytes: &[u8]) -> bool {
    let cursor = Cursor::new(bytes, 0, &LEXIS, Code::NetSyntax);
    cursor.is("vars") && cursor.peek_second().kind == Kind::Name
}

/// Reads a net.
pub fn read(bytes: &[u8]) -> Read<Horn> {
    let mut reader = Reader {
        cursor: Cursor::new(bytes, 0, &LEXIS, Code::NetSyntax),
        names: BTreeMap::new(),
        order: Vec::new(),
        diagnostics: Diagnostics::default(),
    };
    let horn = match Diagnostic::too_large(bytes) {
        Some(diagnostic) => {
            reader.diagnostics.push(diagnostic);
            None
        }
        None => reader.run(),
    };
    (horn.filter(|_| reader.diagnostics.is_clean()), reader.diagnostics)
}

struct Reader<'t> {
    cursor: Cursor<'t>,
    names: BTreeMap<&'t str, Counter>,
    order: Vec<String>,
    diagnostics: Diagnostics,
}

impl Reader<'_> {
    fn run(&mut self) -> Option<Horn> {
        self.section("vars")?;
        self.counters();
        self.section("rules")?;
        let rules = self.rules();
        self.section("init")?;
        let start = self.cube();
        self.section("target")?;
        let targets = self.cubes();
        if targets.is_empty() && self.diagnostics.is_clean() {
            let place = self.cursor.peek().span;
            let message = "the target is empty, so that nothing is asked";
            let diagnostic = Diagnostic::error(Code::NetSyntax, place, message);
            self.diagnostics.push(diagnostic.hint("a target is written x0 >= 1, x1 >= 2"));
        }
        if let Some(word) = self.cursor.eat("invariants") {
            self.invariants(word.span);
        }
        if !self.cursor.is_at_end() && !self.diagnostics.is_full() {
            let diagnostic = self.cursor.unexpected("the end of the file");
            self.diagnostics.push(*diagnostic);
        }
        if !self.diagnostics.is_clean() {
            return None;
        }
        let Some(mut builder) = Builder::new(&["net".to_owned()], &self.order, rules.len()) else {
            let message = "the net has more rules times counters than this program treats";
            let diagnostic = Diagnostic::unsupported(Code::NetUntreated, Span::NONE, message);
            self.diagnostics.push(diagnostic);
            return None;
        };
        let (start, span) = start?;
        builder.start(0, &start, span);
        for rule in &rules {
            builder.rule((0, 0), &rule.guards, &rule.updates, rule.span);
        }
        for (guards, span) in &targets {
            builder.target(0, guards, *span);
        }
        Some(builder.horn)
    }

    /// The word that begins a part.
    fn section(&mut self, word: &str) -> Option<()> {
        match self.cursor.expect(word) {
            Ok(_) => Some(()),
            Err(diagnostic) => {
                let hint = "a net has the parts vars, rules, init, target, in this order";
                self.diagnostics.push(diagnostic.hint(hint));
                None
            }
        }
    }

    fn is_at_section(&self) -> bool {
        self.cursor.is_at_end() || SECTIONS.iter().any(|word| self.cursor.is(word))
    }

    fn counters(&mut self) {
        while !self.is_at_section() && !self.diagnostics.is_full() {
            match self.cursor.name("the name of a counter") {
                Ok((name, span)) => {
                    if self.names.insert(name, self.order.len()).is_some() {
                        let message = format!("the counter {name} is declared twice");
                        self.diagnostics.push(Diagnostic::error(Code::NetName, span, message));
                    }
                    self.order.push(name.to_owned());
                    self.cursor.eat(",");
                }
                Err(diagnostic) => {
                    self.diagnostics.push(*diagnostic);
                    self.cursor.take();
                }
            }
        }
    }

    fn rules(&mut self) -> Vec<Rule> {
        let mut rules = Vec::new();
        while !self.is_at_section() && !self.diagnostics.is_full() {
            match self.rule() {
                Ok(rule) => rules.push(rule),
                Err(diagnostic) => {
                    self.diagnostics.push(*diagnostic);
                    self.cursor.recover(&[";"], &SECTIONS);
                }
            }
        }
        rules
    }

    fn rule(&mut self) -> Fallible<Rule> {
        let start = self.cursor.peek().span;
        let mut guards = Vec::new();
        if self.cursor.eat("true").is_none() && !self.cursor.is("->") {
            guards = self.conjunction()?;
        }
        self.cursor.expect("->")?;
        let mut updates = BTreeMap::new();
        while !self.cursor.is(";") {
            let (counter, span) = self.counter()?;
            self.cursor.expect("'")?;
            self.cursor.expect("=")?;
            let sum = self.sum()?;
            if updates.insert(counter, sum).is_some() {
                let message = "the counter has two new values in one rule, and this one counts";
                self.diagnostics.push(Diagnostic::warning(Code::NetTwice, span, message));
            }
            if self.cursor.eat(",").is_none() {
                break;
            }
        }
        if !self.cursor.is(";") {
            return Err(self.cursor.unexpected("`,` or `;`"));
        }
        self.cursor.take();
        Ok(Rule { guards, updates, span: self.cursor.span_from(start) })
    }

    fn cube(&mut self) -> Option<Cube> {
        let start = self.cursor.peek().span;
        if self.is_at_section() {
            return Some((Vec::new(), start));
        }
        match self.conjunction() {
            Ok(guards) => Some((guards, self.cursor.span_from(start))),
            Err(diagnostic) => {
                self.diagnostics.push(*diagnostic);
                self.cursor.recover(&[], &SECTIONS);
                None
            }
        }
    }

    fn cubes(&mut self) -> Vec<Cube> {
        let mut cubes = Vec::new();
        while !self.is_at_section() && !self.diagnostics.is_full() {
            cubes.extend(self.cube());
        }
        cubes
    }

    fn conjunction(&mut self) -> Fallible<Vec<Guard>> {
        let mut guards = vec![self.guard()?];
        while self.cursor.eat(",").is_some() {
            guards.push(self.guard()?);
        }
        Ok(guards)
    }

    fn guard(&mut self) -> Fallible<Guard> {
        let (counter, _) = self.counter()?;
        let is_equal = self.cursor.eat("=").is_some();
        if !is_equal && self.cursor.eat(">=").is_none() {
            return Err(self.cursor.unexpected("`>=` or `=`"));
        }
        let value = self.number()?;
        Ok(Guard { counter, is_equal, value })
    }

    fn counter(&mut self) -> Fallible<(Counter, Span)> {
        let (name, span) = self.cursor.name("a counter")?;
        if let Some(&counter) = self.names.get(name) {
            return Ok((counter, span));
        }
        let message = format!("{name} is not one of the vars");
        let diagnostic = Diagnostic::error(Code::NetName, span, message);
        Err(Box::new(match nearest(name, self.names.keys().copied()) {
            Some(other) => diagnostic.hint(format!("is {other} meant?")),
            None => diagnostic,
        }))
    }

    fn number(&mut self) -> Fallible<Int> {
        if self.cursor.peek().kind != Kind::Number {
            return Err(self.cursor.unexpected("a number"));
        }
        let span = self.cursor.take().span;
        Ok(integer(self.cursor.text(span)))
    }

    /// Counters, numbers and products of both, with signs between them.
    fn sum(&mut self) -> Fallible<Sum> {
        let mut sum = Sum::default();
        let mut is_minus = self.cursor.eat("-").is_some();
        loop {
            let sign = |value: Int| if is_minus { -value } else { value };
            if self.cursor.peek().kind == Kind::Number {
                let number = sign(self.number()?);
                if self.cursor.eat("*").is_some() {
                    sum.parts.push((self.counter()?.0, number));
                } else {
                    sum.constant = &sum.constant + &number;
                }
            } else {
                sum.parts.push((self.counter()?.0, sign(Int::ONE)));
            }
            if self.cursor.eat("+").is_some() {
                is_minus = false;
            } else if self.cursor.eat("-").is_some() {
                is_minus = true;
            } else {
                return Ok(sum);
            }
        }
    }

    /// Weights of counters whose sum stays the same, as somebody says.
    fn invariants(&mut self, word: Span) {
        while !self.cursor.is_at_end() && !self.diagnostics.is_full() {
            if let Err(diagnostic) = self.conjunction() {
                self.diagnostics.push(*diagnostic);
                return;
            }
        }
        let message = "the invariants are not used: nothing is taken for granted here";
        let warning = Diagnostic::warning(Code::NetIgnored, word, message);
        let hint = "engines find the sums that stay the same, and prove what they need of them";
        self.diagnostics.push(warning.hint(hint));
    }
}
