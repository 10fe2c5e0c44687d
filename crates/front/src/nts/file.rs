//! A file as it is written: declarations, systems, edges.

use super::edge::{Rule, rule};
use super::{GRAMMAR, LEXIS};
use crate::diag::{Code, Diagnostic, Diagnostics};
use crate::infix::{Cursor, Fallible, Kind, Tree, parse as expression};
use alphorn_problem::Span;
use alphorn_term::SortId;

/// A declared variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Declared<'t> {
    pub name: &'t str,
    pub sort: SortId,
    pub span: Span,
}

/// An edge.
#[derive(Debug)]
pub(super) struct Edge<'t> {
    pub from: &'t str,
    pub to: &'t str,
    pub rule: Rule<'t>,
    pub span: Span,
}

/// A system.
#[derive(Debug)]
pub(super) struct System<'t> {
    pub name: &'t str,
    pub span: Span,
    pub inputs: Vec<Declared<'t>>,
    pub outputs: Vec<Declared<'t>>,
    pub locals: Vec<Declared<'t>>,
    pub states: Vec<(&'t str, Span)>,
    pub initial: Vec<(&'t str, Span)>,
    pub finals: Vec<(&'t str, Span)>,
    pub errors: Vec<(&'t str, Span)>,
    pub edges: Vec<Edge<'t>>,
}

/// A file.
#[derive(Debug, Default)]
pub(super) struct File<'t> {
    pub globals: Vec<Declared<'t>>,
    pub init: Option<Tree>,
    /// The one system that runs, where the file names it.
    pub instance: Option<(&'t str, Span)>,
    pub systems: Vec<System<'t>>,
}

/// Parses a file; what is wrong is reported, and the rest is read on.
pub(super) fn parse<'t>(bytes: &'t [u8], diagnostics: &mut Diagnostics) -> File<'t> {
    let cursor = Cursor::new(bytes, 0, &LEXIS, Code::NtsSyntax);
    let mut parser = Parser { cursor, diagnostics, file: File::default() };
    while !parser.cursor.is_at_end() && !parser.diagnostics.is_full() {
        if let Err(diagnostic) = parser.item() {
            parser.report(*diagnostic);
            parser.cursor.recover(&[";", "}"], &[]);
        }
    }
    if parser.file.systems.is_empty() && parser.diagnostics.is_clean() {
        let message = "the file has no systems";
        parser.report(Diagnostic::error(Code::NtsSyntax, Span::NONE, message));
    }
    parser.file
}

struct Parser<'t, 'd> {
    cursor: Cursor<'t>,
    diagnostics: &'d mut Diagnostics,
    file: File<'t>,
}

fn unsupported(span: Span, message: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::unsupported(Code::NtsUnsupported, span, message))
}

impl<'t> Parser<'t, '_> {
    fn report(&mut self, diagnostic: Diagnostic) {
        if !self.diagnostics.is_full() {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Skips `@name:type: … ;`, which says something to other tools.
    fn annotations(&mut self) {
        while self.cursor.is("@") {
            self.cursor.recover(&[";"], &["}"]);
        }
    }

    /// Something at the top of the file.
    fn item(&mut self) -> Fallible<()> {
        self.annotations();
        if self.cursor.is_at_end() {
            return Ok(());
        }
        let second = self.cursor.peek_second().kind;
        if self.cursor.is("nts") && second == Kind::Name {
            self.cursor.take();
            self.cursor.name("the name of the file")?;
            self.cursor.expect(";")?;
        } else if self.cursor.is("init") && second != Kind::Symbol("{") {
            self.cursor.take();
            self.file.init = Some(expression(&mut self.cursor, &GRAMMAR)?);
            self.cursor.expect(";")?;
        } else if self.cursor.is("instances") && second == Kind::Name {
            self.instances()?;
        } else if second == Kind::Symbol("{") {
            let system = self.system()?;
            self.file.systems.push(system);
        } else {
            // A parameter is a variable that no edge changes.
            if second == Kind::Name {
                self.cursor.eat("par");
            }
            let declared = self.declared()?;
            self.file.globals.extend(declared);
        }
        Ok(())
    }

    /// `instances name[1];`: one system that runs; several run in parallel.
    fn instances(&mut self) -> Fallible<()> {
        let start = self.cursor.take().span;
        let instance = self.cursor.name("a system")?;
        self.cursor.expect("[")?;
        let count = self.cursor.peek();
        let is_one = count.kind == Kind::Number && self.cursor.text(count.span) == "1";
        while !self.cursor.is("]") && !self.cursor.is(";") && !self.cursor.is_at_end() {
            self.cursor.take();
        }
        self.cursor.expect("]")?;
        if !is_one || self.cursor.is(",") {
            let place = self.cursor.span_from(start);
            return Err(unsupported(place, "systems that run in parallel are not treated"));
        }
        self.cursor.expect(";")?;
        self.file.instance = Some(instance);
        Ok(())
    }

    /// `a, b : int, c : real;`
    fn declared(&mut self) -> Fallible<Vec<Declared<'t>>> {
        let mut all = Vec::new();
        loop {
            self.annotations();
            let mut names = vec![self.variable()?];
            while self.cursor.eat(",").is_some() {
                self.annotations();
                names.push(self.variable()?);
            }
            self.cursor.expect(":")?;
            let sort = self.sort()?;
            all.extend(names.into_iter().map(|(name, span)| Declared { name, sort, span }));
            if self.cursor.eat(",").is_none() {
                self.cursor.expect(";")?;
                return Ok(all);
            }
        }
    }

    fn variable(&mut self) -> Fallible<(&'t str, Span)> {
        let (name, span) = self.cursor.name("a variable")?;
        if self.cursor.is("[") {
            return Err(unsupported(span, "arrays are not treated"));
        }
        if name.ends_with('\'') {
            let message = "a declared name has no prime: that is the value after an edge";
            return Err(Box::new(Diagnostic::error(Code::NtsSyntax, span, message)));
        }
        Ok((name, span))
    }

    fn sort(&mut self) -> Fallible<SortId> {
        let (name, span) = self.cursor.name("a type")?;
        match name {
            "int" => Ok(SortId::INT),
            "real" => Ok(SortId::REAL),
            "bool" => Ok(SortId::BOOL),
            _ => {
                let message = format!("`{name}` is no type");
                let diagnostic = Diagnostic::error(Code::NtsSyntax, span, message);
                Err(Box::new(diagnostic.hint("the types are int, real and bool")))
            }
        }
    }

    fn system(&mut self) -> Fallible<System<'t>> {
        let (name, span) = self.cursor.name("a system")?;
        self.cursor.expect("{")?;
        let mut system = System {
            name,
            span,
            inputs: Vec::new(),
            outputs: Vec::new(),
            locals: Vec::new(),
            states: Vec::new(),
            initial: Vec::new(),
            finals: Vec::new(),
            errors: Vec::new(),
            edges: Vec::new(),
        };
        loop {
            self.annotations();
            if self.cursor.eat("}").is_some() {
                return Ok(system);
            }
            if self.cursor.is_at_end() || self.diagnostics.is_full() {
                return Err(self.cursor.unexpected("`}` at the end of the system"));
            }
            if let Err(diagnostic) = self.part(&mut system) {
                if self.cursor.is_at_end() {
                    return Err(diagnostic);
                }
                self.report(*diagnostic);
                self.cursor.recover(&[";", "}"], &[]);
            }
        }
    }

    /// A declaration or an edge of a system.
    fn part(&mut self, system: &mut System<'t>) -> Fallible<()> {
        let second = self.cursor.peek_second().kind;
        let is_list = second == Kind::Name || second == Kind::Symbol("@");
        let word = if is_list { self.cursor.text(self.cursor.peek().span) } else { "" };
        match word {
            "in" | "out" => {
                self.cursor.take();
                let declared = self.declared()?;
                let list = if word == "in" { &mut system.inputs } else { &mut system.outputs };
                list.extend(declared);
            }
            "states" | "initial" | "final" | "error" => {
                self.cursor.take();
                let list = match word {
                    "states" => &mut system.states,
                    "initial" => &mut system.initial,
                    "final" => &mut system.finals,
                    _ => &mut system.errors,
                };
                loop {
                    while self.cursor.is("@") {
                        self.cursor.recover(&[";"], &["}"]);
                    }
                    list.push(self.cursor.name("a location")?);
                    if self.cursor.eat(",").is_none() {
                        break;
                    }
                }
                self.cursor.expect(";")?;
            }
            _ if second == Kind::Symbol("->") => system.edges.push(self.edge()?),
            _ if self.is_labelled() => {
                self.cursor.take();
                self.cursor.take();
                system.edges.push(self.edge()?);
            }
            _ => system.locals.extend(self.declared()?),
        }
        Ok(())
    }

    /// Whether an edge with a label in front of it is ahead: `t : a -> b { … }`.
    fn is_labelled(&self) -> bool {
        let mut ahead = self.cursor.clone();
        ahead.take();
        ahead.eat(":").is_some() && ahead.peek_second().kind == Kind::Symbol("->")
    }

    fn edge(&mut self) -> Fallible<Edge<'t>> {
        let (from, start) = self.cursor.name("a location")?;
        self.cursor.expect("->")?;
        let (to, _) = self.cursor.name("a location")?;
        self.annotations();
        self.cursor.expect("{")?;
        let rule = rule(&mut self.cursor)?;
        if !self.cursor.is("}") {
            return Err(self.cursor.unexpected("`}` or an operator"));
        }
        self.cursor.take();
        Ok(Edge { from, to, rule, span: self.cursor.span_from(start) })
    }
}
