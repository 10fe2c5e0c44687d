//! Declarations and transitions of a file, as trees.

use super::{GRAMMAR, LEXIS, MAX_PROCESSES};
use crate::diag::{Code, Diagnostic, Diagnostics, Read};
use crate::infix::{Cursor, Fallible, Kind, Tree, integer, parse};
use alphorn_problem::Span;
use std::collections::BTreeMap;

/// The words that begin a declaration.
const WORDS: [&str; 8] =
    ["type", "var", "array", "init", "unsafe", "invariant", "transition", "number_procs"];

/// What values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kinds {
    Bool,
    Int,
    Real,
    Proc,
    /// One of so many constructors.
    Enum(usize),
}

/// A variable or an array, by its position among those of its sort.
#[derive(Clone, Debug)]
pub(super) struct Symbol {
    pub name: String,
    pub kind: Kinds,
}

/// What is about some processes.
#[derive(Clone, Debug)]
pub(super) struct Formula {
    pub params: Vec<String>,
    pub tree: Tree,
}

/// What a variable or the elements of an array get.
#[derive(Clone, Debug)]
pub(super) struct Update {
    pub name: String,
    /// The process whose element it is.
    pub index: Option<String>,
    /// Conditions and values; the last has no condition. No value is any value.
    pub cases: Vec<(Option<Tree>, Option<Tree>)>,
    pub span: Span,
}

/// What holds, and what holds of all other processes.
type Guard = (Vec<Tree>, Vec<(String, Tree)>);

#[derive(Clone, Debug)]
pub(super) struct Transition {
    pub name: String,
    pub params: Vec<String>,
    pub guard: Vec<Tree>,
    /// What holds of all other processes.
    pub others: Vec<(String, Tree)>,
    pub updates: Vec<Update>,
    pub span: Span,
}

/// A file.
#[derive(Clone, Debug, Default)]
pub(super) struct File {
    pub number: Option<usize>,
    /// The constructors, with their type and number.
    pub constructors: BTreeMap<String, (usize, i64)>,
    /// How many constructors a type has.
    pub types: Vec<(String, i64)>,
    pub globals: Vec<Symbol>,
    pub arrays: Vec<Symbol>,
    pub init: Option<Formula>,
    pub bad: Vec<Formula>,
    pub transitions: Vec<Transition>,
}

/// Reads a file.
pub(super) fn read(text: &[u8]) -> Read<File> {
    let mut reader = Reader {
        cursor: Cursor::new(text, 0, &LEXIS, Code::CubicleSyntax),
        text,
        file: File::default(),
        diagnostics: Diagnostics::default(),
    };
    if let Some(diagnostic) = Diagnostic::too_large(text) {
        reader.diagnostics.push(diagnostic);
        return (None, reader.diagnostics);
    }
    while !reader.cursor.is_at_end() && !reader.diagnostics.is_full() {
        if let Err(diagnostic) = reader.declaration() {
            reader.diagnostics.push(*diagnostic);
            reader.cursor.recover(&[], &WORDS);
        }
    }
    for (is_missing, word) in
        [(reader.file.init.is_none(), "init"), (reader.file.bad.is_empty(), "unsafe")]
    {
        if is_missing && reader.diagnostics.is_clean() {
            let message = format!("there is no {word}");
            let error = Diagnostic::error(Code::CubicleSyntax, Span::NONE, message);
            let hint = format!("a protocol has {word} (x) {{ A[x] = C }}");
            reader.diagnostics.push(error.hint(hint));
        }
    }
    (Some(reader.file), reader.diagnostics)
}

struct Reader<'t> {
    cursor: Cursor<'t>,
    text: &'t [u8],
    file: File,
    diagnostics: Diagnostics,
}

impl<'t> Reader<'t> {
    fn declaration(&mut self) -> Fallible<()> {
        let (word, span) = self.cursor.name("a declaration")?;
        match word {
            "type" => self.types(),
            "var" => {
                let (name, _) = self.fresh("a variable")?;
                self.cursor.expect(":")?;
                let kind = self.kind()?;
                self.file.globals.push(Symbol { name, kind });
                Ok(())
            }
            "array" => self.array(),
            "init" => {
                let formula = self.formula()?;
                if self.file.init.is_some() {
                    return Err(wrong(Code::CubicleSyntax, span, "there are two of init"));
                }
                if formula.params.len() > 1 {
                    let message = "an init about several processes at once is not treated";
                    let error = Diagnostic::unsupported(Code::CubicleUntreated, span, message);
                    return Err(Box::new(error));
                }
                self.file.init = Some(formula);
                Ok(())
            }
            "unsafe" => {
                let formula = self.formula()?;
                self.file.bad.push(formula);
                Ok(())
            }
            "invariant" => {
                self.formula()?;
                let message = "the invariant is not used: nothing is taken for granted here";
                let warning = Diagnostic::warning(Code::CubicleIgnored, span, message);
                self.diagnostics.push(warning);
                Ok(())
            }
            "transition" => self.transition(span),
            "number_procs" => {
                let place = self.cursor.peek().span;
                if self.cursor.peek().kind != Kind::Number {
                    return Err(self.cursor.unexpected("a number"));
                }
                self.cursor.take();
                let number = integer(self.cursor.text(place)).to_i64();
                let number = number.and_then(|number| usize::try_from(number).ok());
                if !number.is_some_and(|number| (1..=MAX_PROCESSES).contains(&number)) {
                    let message = format!("this program treats 1 to {MAX_PROCESSES} processes");
                    let error = Diagnostic::unsupported(Code::CubicleUntreated, place, message);
                    return Err(Box::new(error));
                }
                self.file.number = number;
                Ok(())
            }
            _ => {
                let message = format!("there is no declaration {word}");
                let error = Diagnostic::error(Code::CubicleSyntax, span, message);
                Err(Box::new(error.hint(format!("declarations are {}", WORDS.join(", ")))))
            }
        }
    }

    /// A name that nothing else has.
    fn fresh(&mut self, what: &str) -> Fallible<(String, Span)> {
        let (name, span) = self.cursor.name(what)?;
        let mut symbols = self.file.globals.iter().chain(&self.file.arrays);
        if symbols.any(|symbol| symbol.name == name)
            || self.file.constructors.contains_key(name)
            || matches!(name, "True" | "False")
        {
            return Err(wrong(Code::CubicleName, span, format!("{name} is declared twice")));
        }
        Ok((name.to_owned(), span))
    }

    fn types(&mut self) -> Fallible<()> {
        let (name, _) = self.cursor.name("a type")?;
        let id = self.file.types.len();
        let mut count = 0;
        if self.cursor.eat("=").is_some() {
            self.cursor.eat("|");
            loop {
                let (constructor, _) = self.fresh("a constructor")?;
                self.file.constructors.insert(constructor, (id, count));
                count += 1;
                if self.cursor.eat("|").is_none() {
                    break;
                }
            }
        }
        self.file.types.push((name.to_owned(), count));
        Ok(())
    }

    fn kind(&mut self) -> Fallible<Kinds> {
        let (name, span) = self.cursor.name("a type")?;
        Ok(match name {
            "bool" => Kinds::Bool,
            "int" => Kinds::Int,
            "real" => Kinds::Real,
            "proc" => Kinds::Proc,
            _ => match self.file.types.iter().position(|(other, _)| other == name) {
                Some(at) if self.file.types[at].1 == 0 => {
                    let message = "a type without constructors is not treated";
                    let error = Diagnostic::unsupported(Code::CubicleUntreated, span, message);
                    return Err(Box::new(error));
                }
                Some(at) => Kinds::Enum(at),
                None => {
                    let message = format!("there is no type {name}");
                    return Err(wrong(Code::CubicleName, span, message));
                }
            },
        })
    }

    fn array(&mut self) -> Fallible<()> {
        let (name, _) = self.fresh("an array")?;
        self.cursor.expect("[")?;
        self.cursor.expect("proc")?;
        if self.cursor.is(",") {
            let message = "an array of several processes is not treated";
            let span = self.cursor.peek().span;
            return Err(Box::new(Diagnostic::unsupported(Code::CubicleUntreated, span, message)));
        }
        self.cursor.expect("]")?;
        self.cursor.expect(":")?;
        let kind = self.kind()?;
        self.file.arrays.push(Symbol { name, kind });
        Ok(())
    }

    fn params(&mut self) -> Fallible<Vec<String>> {
        self.cursor.expect("(")?;
        let mut params: Vec<String> = Vec::new();
        while self.cursor.eat(")").is_none() {
            let (name, span) = self.cursor.name("a process or `)`")?;
            if params.iter().any(|other| other == name) {
                return Err(wrong(Code::CubicleName, span, format!("{name} is there twice")));
            }
            params.push(name.to_owned());
            self.cursor.eat(",");
        }
        Ok(params)
    }

    fn formula(&mut self) -> Fallible<Formula> {
        let params = self.params()?;
        self.cursor.expect("{")?;
        let tree = parse(&mut self.cursor, &GRAMMAR)?;
        self.cursor.expect("}")?;
        Ok(Formula { params, tree })
    }

    fn transition(&mut self, start: Span) -> Fallible<()> {
        let (name, _) = self.cursor.name("the name of a transition")?;
        let params = self.params()?;
        let (mut guard, mut others) = (Vec::new(), Vec::new());
        if self.cursor.eat("requires").is_some() {
            self.cursor.expect("{")?;
            (guard, others) = self.guard()?;
        }
        self.cursor.expect("{")?;
        let mut updates = Vec::new();
        while self.cursor.eat("}").is_none() {
            updates.push(self.update()?);
            if self.cursor.eat(";").is_none() && !self.cursor.is("}") {
                return Err(self.cursor.unexpected("`;` or `}`"));
            }
        }
        let span = self.cursor.span_from(start);
        let name = name.to_owned();
        self.file.transitions.push(Transition { name, params, guard, others, updates, span });
        Ok(())
    }

    /// A guard: formulas, and what holds of all other processes, up to where the next of these begins.
    fn guard(&mut self) -> Fallible<Guard> {
        let (mut guard, mut others) = (Vec::new(), Vec::new());
        loop {
            let mut name = None;
            if self.cursor.eat("forall_other").is_some() {
                name = Some(self.cursor.name("a process")?.0.to_owned());
                self.cursor.expect(".")?;
            }
            let end = self.end_of_part();
            let mut part = match end {
                Some(end) => {
                    let at = self.cursor.peek().span.start as usize;
                    Cursor::new(&self.text[..end], at, &LEXIS, Code::CubicleSyntax)
                }
                None => self.cursor.clone(),
            };
            let tree = parse(&mut part, &GRAMMAR)?;
            match end {
                Some(end) => {
                    if !part.is_at_end() {
                        return Err(part.unexpected("an operator"));
                    }
                    self.cursor = self.cursor.at(end as u32);
                    self.cursor.expect("&&")?;
                }
                None => self.cursor = part,
            }
            match name {
                Some(name) => others.push((name, tree)),
                None => guard.push(tree),
            }
            if end.is_none() {
                self.cursor.expect("}")?;
                return Ok((guard, others));
            }
        }
    }

    /// Where the `&&` before the next `forall_other` of this guard stands.
    fn end_of_part(&self) -> Option<usize> {
        let mut cursor = self.cursor.clone();
        let mut last = None;
        while !cursor.is("}") && !cursor.is_at_end() {
            if cursor.is("forall_other") {
                return last;
            }
            last = cursor.is("&&").then(|| cursor.peek().span.start as usize);
            cursor.take();
        }
        None
    }

    fn update(&mut self) -> Fallible<Update> {
        let (name, span) = self.cursor.name("an assignment or `}`")?;
        let mut index = None;
        if self.cursor.eat("[").is_some() {
            index = Some(self.cursor.name("a process")?.0.to_owned());
            self.cursor.expect("]")?;
        }
        self.cursor.expect(":=")?;
        let mut cases = Vec::new();
        if self.cursor.eat("case").is_none() {
            cases.push((None, self.value()?));
        } else {
            while self.cursor.eat("|").is_some() {
                let condition = match self.cursor.eat("_") {
                    Some(_) => None,
                    None => Some(parse(&mut self.cursor, &GRAMMAR)?),
                };
                self.cursor.expect(":")?;
                let is_last = condition.is_none();
                cases.push((condition, self.value()?));
                if is_last {
                    break;
                }
            }
            if cases.last().is_none_or(|(condition, _)| condition.is_some()) {
                let error = self.cursor.unexpected("`| _ :`");
                return Err(Box::new(error.hint("the last case is for all others")));
            }
        }
        Ok(Update { name: name.to_owned(), index, cases, span: self.cursor.span_from(span) })
    }

    /// A value; none for any.
    fn value(&mut self) -> Fallible<Option<Tree>> {
        if self.cursor.eat(".").is_some() {
            return Ok(None);
        }
        parse(&mut self.cursor, &GRAMMAR).map(Some)
    }
}

pub(super) fn wrong(code: Code, span: Span, message: impl Into<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(code, span, message))
}
