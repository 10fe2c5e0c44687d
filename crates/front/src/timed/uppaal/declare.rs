//! Declarations of UPPAAL: types, constants, integers, clocks and channels, global or of a process.

use super::{CODES, Channel, LEXIS, Reader};
use crate::diag::{Code, Diagnostic};
use crate::infix::{Cursor, Fallible};
use crate::timed::value::{Evaluator, Scope, Thing};
use alphorn_problem::Span;
use alphorn_term::{Int, TermId};

/// The most elements of an array.
const MAX_ELEMENTS: usize = 4096;

/// What is declared.
#[derive(Clone, Debug)]
pub(super) enum Type {
    /// An integer with bounds, which may depend on how many copies of a template there are.
    Int(TermId, TermId),
    Clock,
    /// A channel, and whether time waits for it.
    Chan(bool),
}

/// A parameter of a template.
#[derive(Clone, Debug)]
pub(super) struct Param {
    pub name: String,
    pub kind: Type,
    pub is_reference: bool,
}

fn untreated(span: Span, what: &str) -> Box<Diagnostic> {
    let message = format!("{what} not treated");
    Box::new(Diagnostic::unsupported(Code::TimedUntreated, span, message))
}

impl<'d> Reader<'d> {
    pub(super) fn cursor(&self, (start, end): (usize, usize)) -> Cursor<'d> {
        Cursor::new(&self.document.bytes[..end], start, &LEXIS, Code::TimedSyntax)
    }

    fn evaluate(&mut self, cursor: &mut Cursor<'_>, scope: &Scope) -> Fallible<Int> {
        let network = &mut self.network;
        let found =
            Evaluator { network, scope, defined: Vec::new(), codes: CODES }.constant(cursor);
        match &self.family {
            None => found,
            Some(family) => found.map_err(|diagnostic| {
                let hint = format!("of any number of copies, {} is not known", family.constant);
                Box::new(diagnostic.hint(hint))
            }),
        }
    }

    /// A bound of an integer.
    fn bound(&mut self, cursor: &mut Cursor<'_>, scope: &Scope) -> Fallible<TermId> {
        let size = self.family.as_ref().map(|family| family.size);
        let network = &mut self.network;
        Evaluator { network, scope, defined: Vec::new(), codes: CODES }.bound(cursor, size)
    }

    /// The numbers between bounds, if they do not depend on how many copies there are.
    pub(super) fn between(
        &self,
        (least, most): (TermId, TermId),
        span: Span,
    ) -> Fallible<[Int; 2]> {
        let terms = &self.network.terms;
        match (terms.int_value(least), terms.int_value(most)) {
            (Some(least), Some(most)) => Ok([least.clone(), most.clone()]),
            _ => {
                let message = "how many values there are depends on the number of copies";
                Err(Box::new(Diagnostic::error(Code::TimedTemplate, span, message)))
            }
        }
    }

    /// A type with what stands before it, and whether it is constant.
    pub(super) fn kind(
        &mut self,
        cursor: &mut Cursor<'_>,
        scope: &Scope,
    ) -> Fallible<(Type, bool)> {
        let (mut is_constant, mut is_urgent) = (false, false);
        loop {
            let span = cursor.peek().span;
            if cursor.eat("const").is_some() {
                is_constant = true;
            } else if cursor.eat("urgent").is_some() {
                is_urgent = true;
            } else if cursor.is("broadcast") {
                let error = untreated(span, "broadcast channels are");
                return Err(Box::new(error.hint("who hears a broadcast depends on guards of clocks; pairs of `!` and `?` are treated")));
            } else if cursor.is("void") || cursor.is("hybrid") || cursor.is("struct") {
                let word = cursor.text(span).to_owned();
                return Err(untreated(span, &format!("`{word}` is")));
            } else {
                break;
            }
        }
        let (word, span) = cursor.name("a type")?;
        let kind = match word {
            "clock" => Type::Clock,
            "chan" => Type::Chan(is_urgent),
            "bool" => self.ints(0, 1),
            "int" if cursor.eat("[").is_some() => {
                let least = self.bound(cursor, scope)?;
                cursor.expect(",")?;
                let most = self.bound(cursor, scope)?;
                cursor.expect("]")?;
                Type::Int(least, most)
            }
            "int" => self.ints(-32768, 32767),
            _ => match self.types.get(word) {
                Some(kind) => kind.clone(),
                None => {
                    let message = format!("there is no type {word}");
                    let error = Diagnostic::error(Code::TimedName, span, message);
                    return Err(Box::new(error));
                }
            },
        };
        Ok((kind, is_constant))
    }

    fn ints(&mut self, least: i64, most: i64) -> Type {
        let terms = &mut self.network.terms;
        Type::Int(terms.int(least), terms.int(most))
    }

    /// Reads declarations up to their end; what belongs to a process has its name before.
    pub(super) fn declarations(
        &mut self,
        cursor: &mut Cursor<'_>,
        scope: &mut Scope,
        prefix: &str,
    ) -> Fallible<()> {
        while !cursor.is_at_end() {
            if cursor.eat("typedef").is_some() {
                let (kind, _) = self.kind(cursor, scope)?;
                let (name, _) = cursor.name("the name of a type")?;
                self.types.insert(name.to_owned(), kind);
                cursor.expect(";")?;
                continue;
            }
            let (kind, is_constant) = self.kind(cursor, scope)?;
            loop {
                self.declarator(cursor, scope, (&kind, is_constant), prefix)?;
                if cursor.eat(",").is_none() {
                    break;
                }
            }
            cursor.expect(";")?;
        }
        Ok(())
    }

    fn declarator(
        &mut self,
        cursor: &mut Cursor<'_>,
        scope: &mut Scope,
        (kind, is_constant): (&Type, bool),
        prefix: &str,
    ) -> Fallible<()> {
        let (name, span) = cursor.name("a name")?;
        if cursor.is("(") {
            return Err(untreated(span, "functions are"));
        }
        let mut size = None;
        if cursor.eat("[").is_some() {
            let place = cursor.peek().span;
            let count =
                self.evaluate(cursor, scope)?.to_i64().and_then(|n| usize::try_from(n).ok());
            match count {
                Some(count) if (1..=MAX_ELEMENTS).contains(&count) => size = Some(count),
                _ => {
                    let message = format!("a size is a number from 1 to {MAX_ELEMENTS}");
                    return Err(Box::new(Diagnostic::error(Code::TimedSyntax, place, message)));
                }
            }
            cursor.expect("]")?;
            if cursor.is("[") {
                return Err(untreated(cursor.peek().span, "arrays of arrays are"));
            }
        }
        let count = size.unwrap_or(1);
        let mut firsts = vec![Int::ZERO; count];
        if cursor.eat("=").is_some() || cursor.eat(":=").is_some() {
            let is_list = size.is_some();
            if is_list {
                cursor.expect("{")?;
            }
            for (at, first) in firsts.iter_mut().enumerate() {
                if at > 0 {
                    cursor.expect(",")?;
                }
                *first = self.evaluate(cursor, scope)?;
            }
            if is_list {
                cursor.expect("}")?;
            }
        }
        if let (Some(family), true, true, None) =
            (&self.family, is_constant, prefix.is_empty(), size)
            && family.constant == name
        {
            scope.insert(name, Thing::Unknown(family.size));
            return Ok(());
        }
        let mut things = Vec::with_capacity(count);
        for (at, first) in firsts.into_iter().enumerate() {
            let full = match size {
                Some(_) => format!("{prefix}{name}[{at}]"),
                None => format!("{prefix}{name}"),
            };
            things.push(self.thing(kind, is_constant, &full, first, span)?);
        }
        let thing = match (size, things.pop()) {
            (None, Some(only)) => only,
            (_, last) => {
                things.extend(last);
                Thing::Array(things)
            }
        };
        match scope.insert(name, thing) {
            true => Ok(()),
            false => {
                let message = format!("{name} is declared twice");
                Err(Box::new(Diagnostic::error(Code::TimedName, span, message)))
            }
        }
    }

    fn thing(
        &mut self,
        kind: &Type,
        is_constant: bool,
        name: &str,
        first: Int,
        span: Span,
    ) -> Fallible<Thing> {
        Ok(match kind {
            Type::Clock => Thing::Clock(self.network.clock(name)),
            Type::Chan(is_urgent) => {
                self.channels.push(Channel { is_urgent: *is_urgent, ends: Default::default() });
                Thing::Channel(self.channels.len() - 1)
            }
            Type::Int(..) if is_constant => Thing::Constant(first),
            Type::Int(least, most) => {
                let terms = &mut self.network.terms;
                let value = terms.int(first.clone());
                // Where the bounds exclude 0 and no value is given, runs begin with the least one.
                let (above, below) = (terms.ge(value, *least), terms.le(value, *most));
                let is_inside = terms.and(&[above, below]);
                let is_some = terms.le(*least, *most);
                if is_some == TermId::FALSE || is_inside == TermId::FALSE && !first.is_zero() {
                    let message = format!("the first value of {name} is not between its bounds");
                    return Err(Box::new(Diagnostic::error(Code::TimedSyntax, span, message)));
                }
                let first = match first.is_zero() {
                    true => terms.ite(is_inside, value, *least),
                    false => value,
                };
                Thing::Number(self.network.number_within(name, [*least, *most, first]))
            }
        })
    }

    /// The parameters of a template.
    pub(super) fn params(
        &mut self,
        cursor: &mut Cursor<'_>,
        scope: &Scope,
    ) -> Fallible<Vec<Param>> {
        let mut params = Vec::new();
        while !cursor.is_at_end() {
            let (kind, _) = self.kind(cursor, scope)?;
            let is_reference = cursor.eat("&").is_some();
            let name = cursor.name("a parameter")?.0.to_owned();
            if cursor.is("[") {
                return Err(untreated(cursor.peek().span, "parameters that are arrays are"));
            }
            params.push(Param { name, kind, is_reference });
            if cursor.eat(",").is_none() && !cursor.is_at_end() {
                return Err(cursor.unexpected("`,`"));
            }
        }
        Ok(params)
    }
}
