//! Declarations: types, constants, functions, variables, procedures.
//!
//! All are noted first, so that what is used may be declared later; bodies and formulas are read when all
//! names are known.

use super::{GRAMMAR, LEXIS, braces, sorts};
use crate::diag::{Code, Diagnostic, Diagnostics};
use crate::infix::{Cursor, Fallible, Kind, Tree, parse};
use crate::suggest::nearest;
use alphorn_problem::Span;
use alphorn_program::Program;
use alphorn_program::form::{ProcId, VarId};
use alphorn_term::{FuncId, Sort, SortId, TermId};
use std::collections::BTreeMap;

/// A name with its type and perhaps a condition.
#[derive(Clone, Debug)]
pub(super) struct Typed<'t> {
    pub name: &'t str,
    pub span: Span,
    pub sort: Span,
    pub condition: Option<Tree>,
}

/// What a function means.
#[derive(Clone, Debug)]
pub(super) enum Meaning<'t> {
    /// Nothing is known but what axioms say.
    Open(FuncId),
    /// An operator on words, by its name in SMT-LIB.
    Builtin(String),
    /// A formula over the parameters, not looked at yet.
    Body(Vec<Typed<'t>>, Tree),
    /// A term over variables for the parameters.
    Known(Vec<TermId>, TermId),
    /// It is being looked at: a use of it now would be a circle.
    InWork,
}

/// A function.
#[derive(Clone, Debug)]
pub(super) struct Function<'t> {
    pub args: Vec<SortId>,
    pub result: SortId,
    pub meaning: Meaning<'t>,
}

/// A line of a contract.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    pub is_free: bool,
    pub tree: Tree,
}

/// A body: the names of its parameters, and where it begins.
#[derive(Clone, Debug)]
pub(super) struct Body<'t> {
    pub inputs: Vec<Typed<'t>>,
    pub outputs: Vec<Typed<'t>>,
    pub at: u32,
    pub span: Span,
}

/// A procedure.
#[derive(Clone, Debug)]
pub(super) struct Procedure<'t> {
    pub id: ProcId,
    pub inputs: Vec<Typed<'t>>,
    pub outputs: Vec<Typed<'t>>,
    pub requires: Vec<Clause>,
    pub ensures: Vec<Clause>,
    pub modifies: Vec<(&'t str, Span)>,
    pub bodies: Vec<Body<'t>>,
    pub is_entry: bool,
    pub span: Span,
}

/// The state of reading a file.
pub(super) struct Reader<'t> {
    pub cursor: Cursor<'t>,
    pub program: Program,
    pub types: BTreeMap<&'t str, SortId>,
    pub globals: BTreeMap<&'t str, VarId>,
    /// Constants: globals that nothing changes.
    pub constants: Vec<VarId>,
    /// Constants that differ from each other.
    pub unique: Vec<VarId>,
    pub functions: BTreeMap<&'t str, Function<'t>>,
    pub axioms: Vec<Tree>,
    pub procedures: BTreeMap<&'t str, Procedure<'t>>,
    /// Names of the procedures in the order of the file.
    pub order: Vec<&'t str>,
    pub implementations: Vec<(&'t str, Body<'t>)>,
    /// What holds of variables whenever they get any value.
    pub conditions: BTreeMap<VarId, Tree>,
    pub typed: Vec<(Declaration, Vec<Typed<'t>>)>,
}

/// What kind of names are declared together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Declaration {
    Variable,
    Constant,
    Unique,
}

pub(super) fn error<T>(code: Code, span: Span, message: impl Into<String>) -> Fallible<T> {
    Err(Box::new(Diagnostic::error(code, span, message)))
}

pub(super) fn unsupported<T>(span: Span, message: impl Into<String>) -> Fallible<T> {
    Err(Box::new(Diagnostic::unsupported(Code::BoogieUnsupported, span, message)))
}

/// Words that begin a declaration.
const BEGINNINGS: &[&str] =
    &["type", "const", "axiom", "function", "var", "procedure", "implementation"];

impl<'t> Reader<'t> {
    /// A reader at the start of a text.
    pub(super) fn new(bytes: &'t [u8]) -> Reader<'t> {
        Reader {
            cursor: Cursor::new(bytes, 0, &LEXIS, Code::BoogieSyntax),
            program: Program::default(),
            types: BTreeMap::new(),
            globals: BTreeMap::new(),
            constants: Vec::new(),
            unique: Vec::new(),
            functions: BTreeMap::new(),
            axioms: Vec::new(),
            procedures: BTreeMap::new(),
            order: Vec::new(),
            implementations: Vec::new(),
            conditions: BTreeMap::new(),
            typed: Vec::new(),
        }
    }

    /// What to say about a name that means nothing.
    pub(super) fn undeclared<T>(&self, name: &str, span: Span, kind: &str) -> Fallible<T> {
        let message = format!("the {kind} `{name}` is not declared");
        let mut diagnostic = Diagnostic::error(Code::BoogieUndeclared, span, message);
        let near = match kind {
            "type" => nearest(name, self.types.keys().copied()),
            "procedure" => nearest(name, self.procedures.keys().copied()),
            "function" => nearest(name, self.functions.keys().copied()),
            _ => nearest(name, self.globals.keys().copied()),
        };
        if let Some(near) = near {
            diagnostic = diagnostic.hint(format!("did you mean `{near}`?"));
        }
        Err(Box::new(diagnostic))
    }

    /// Notes all declarations.
    pub(super) fn declarations(&mut self, diagnostics: &mut Diagnostics) {
        // Functions have types, which may be declared behind them.
        let mut functions = Vec::new();
        while !self.cursor.is_at_end() && !diagnostics.is_full() {
            if let Err(diagnostic) = self.declaration(&mut functions) {
                diagnostics.push(*diagnostic);
                if !self.cursor.is_at_end() {
                    self.cursor.recover(&[], BEGINNINGS);
                }
            }
        }
        for (declaration, typed) in std::mem::take(&mut self.typed) {
            for typed in typed {
                if let Err(diagnostic) = self.global(declaration, typed) {
                    diagnostics.push(*diagnostic);
                }
            }
        }
        for (name, signature) in functions {
            if let Err(diagnostic) = self.function(name, signature) {
                diagnostics.push(*diagnostic);
            }
        }
    }

    /// Skips attributes; whether one of them has this name, and the text it has, if any.
    pub(super) fn attributes(&mut self, wanted: &[&str]) -> Fallible<Option<&'t str>> {
        let mut found = None;
        while self.cursor.is("{") && self.cursor.peek_second().kind == Kind::Symbol(":") {
            let mut inside = self.cursor.clone();
            braces(&mut self.cursor)?;
            inside.take();
            inside.take();
            if wanted.iter().any(|word| inside.eat(word).is_some()) {
                let token = inside.peek();
                found = Some(match token.kind {
                    Kind::Text => self.cursor.text(token.span).trim_matches('"'),
                    _ => "",
                });
            }
        }
        Ok(found)
    }

    fn declaration(&mut self, functions: &mut Vec<(&'t str, Signature<'t>)>) -> Fallible<()> {
        let start = self.cursor.peek().span;
        if self.cursor.eat("type").is_some() {
            self.attributes(&[])?;
            return self.declare_type();
        }
        if self.cursor.eat("const").is_some() {
            self.attributes(&[])?;
            let is_unique = self.cursor.eat("unique").is_some();
            let names = self.typed_names()?;
            self.cursor.expect(";")?;
            let kind = if is_unique { Declaration::Unique } else { Declaration::Constant };
            self.typed.push((kind, names));
        } else if self.cursor.eat("var").is_some() {
            self.attributes(&[])?;
            let names = self.typed_list()?;
            self.cursor.expect(";")?;
            self.typed.push((Declaration::Variable, names));
        } else if self.cursor.eat("axiom").is_some() {
            self.attributes(&[])?;
            let axiom = parse(&mut self.cursor, &GRAMMAR)?;
            self.cursor.expect(";")?;
            self.axioms.push(axiom);
        } else if self.cursor.eat("function").is_some() {
            let builtin = self.attributes(&["bvbuiltin", "builtin"])?;
            functions.push(self.signature(builtin)?);
        } else if self.cursor.eat("procedure").is_some() {
            self.procedure()?;
        } else if self.cursor.eat("implementation").is_some() {
            self.implementation(start)?;
        } else {
            return Err(self.cursor.unexpected("a declaration"));
        }
        Ok(())
    }

    fn declare_type(&mut self) -> Fallible<()> {
        loop {
            let (name, span) = self.cursor.name("a type")?;
            if self.cursor.peek().kind == Kind::Name {
                return unsupported(span, "types with parameters are not treated");
            }
            let sort = if self.cursor.eat("=").is_some() {
                let place = sorts::skip(&mut self.cursor)?;
                self.sort_at(place)?
            } else {
                let symbol = self.program.terms.symbol(name);
                self.program.terms.sort_id(Sort::Uninterpreted(symbol, Vec::new()))
            };
            if self.types.insert(name, sort).is_some() {
                return error(
                    Code::BoogieRedeclared,
                    span,
                    format!("the type `{name}` is declared twice"),
                );
            }
            if self.cursor.eat(",").is_none() {
                return self.cursor.expect(";").map(|_| ());
            }
        }
    }

    /// `a, b: int`
    fn typed_names(&mut self) -> Fallible<Vec<Typed<'t>>> {
        self.attributes(&[])?;
        let names = self.cursor.names("a name")?;
        self.cursor.expect(":")?;
        let sort = sorts::skip(&mut self.cursor)?;
        let condition = match self.cursor.eat("where") {
            Some(_) => Some(parse(&mut self.cursor, &GRAMMAR)?),
            None => None,
        };
        let typed = |(name, span)| Typed { name, span, sort, condition: condition.clone() };
        Ok(names.into_iter().map(typed).collect())
    }

    /// `a, b: int, c: bool where c`
    pub(super) fn typed_list(&mut self) -> Fallible<Vec<Typed<'t>>> {
        let mut all = self.typed_names()?;
        while self.cursor.eat(",").is_some() {
            all.extend(self.typed_names()?);
        }
        Ok(all)
    }

    /// Parameters between parentheses.
    fn parameters(&mut self) -> Fallible<Vec<Typed<'t>>> {
        self.cursor.expect("(")?;
        let list = if self.cursor.is(")") { Vec::new() } else { self.typed_list()? };
        self.cursor.expect(")")?;
        Ok(list)
    }

    fn global(&mut self, declaration: Declaration, typed: Typed<'t>) -> Fallible<()> {
        let sort = self.sort_at(typed.sort)?;
        let var = self.program.add_var(typed.name, sort, typed.span);
        if self.globals.insert(typed.name, var).is_some() {
            let message = format!("`{}` is declared twice", typed.name);
            return error(Code::BoogieRedeclared, typed.span, message);
        }
        self.program.globals.push(var);
        if declaration != Declaration::Variable {
            self.constants.push(var);
        }
        if declaration == Declaration::Unique {
            self.unique.push(var);
        }
        if let Some(condition) = typed.condition {
            self.conditions.insert(var, condition);
        }
        Ok(())
    }

    /// `f(x: int, int) returns (bool) { body }`
    fn signature(&mut self, builtin: Option<&'t str>) -> Fallible<(&'t str, Signature<'t>)> {
        let (name, span) = self.cursor.name("a function")?;
        if self.cursor.is("<") {
            return unsupported(span, "functions over types are not treated");
        }
        self.cursor.expect("(")?;
        let mut parameters = Vec::new();
        while !self.cursor.is(")") {
            if !parameters.is_empty() {
                self.cursor.expect(",")?;
            }
            parameters.extend(self.parameter()?);
        }
        self.cursor.take();
        let result = if self.cursor.eat("returns").is_some() {
            self.cursor.expect("(")?;
            let result = self.parameter()?;
            self.cursor.expect(")")?;
            result[0].sort
        } else {
            self.cursor.expect(":")?;
            sorts::skip(&mut self.cursor)?
        };
        let body = if self.cursor.eat(";").is_some() {
            None
        } else {
            self.cursor.expect("{")?;
            let body = parse(&mut self.cursor, &GRAMMAR)?;
            self.cursor.expect("}")?;
            Some(body)
        };
        Ok((name, Signature { parameters, result, body, builtin, span }))
    }

    /// One type, or names with a type.
    fn parameter(&mut self) -> Fallible<Vec<Typed<'t>>> {
        let mut ahead = self.cursor.clone();
        let is_named = ahead.names("a name").is_ok() && ahead.is(":");
        if is_named {
            return self.typed_names();
        }
        let sort = sorts::skip(&mut self.cursor)?;
        Ok(vec![Typed { name: "", span: sort, sort, condition: None }])
    }

    fn function(&mut self, name: &'t str, signature: Signature<'t>) -> Fallible<()> {
        let Signature { parameters, result, body, builtin, span } = signature;
        let args: Fallible<Vec<SortId>> =
            parameters.iter().map(|parameter| self.sort_at(parameter.sort)).collect();
        let (args, result) = (args?, self.sort_at(result)?);
        let meaning = match (builtin, body) {
            (Some(operator), _) => Meaning::Builtin(operator.to_owned()),
            (None, Some(tree)) => Meaning::Body(parameters, tree),
            (None, None) => Meaning::Open(self.program.terms.declare(name, &args, result)),
        };
        if self.functions.insert(name, Function { args, result, meaning }).is_some() {
            return error(
                Code::BoogieRedeclared,
                span,
                format!("the function `{name}` is declared twice"),
            );
        }
        Ok(())
    }

    fn procedure(&mut self) -> Fallible<()> {
        let is_entry = self.attributes(&["entrypoint"])?.is_some();
        let (name, span) = self.cursor.name("a procedure")?;
        if self.cursor.is("<") {
            return unsupported(span, "procedures over types are not treated");
        }
        let inputs = self.parameters()?;
        let outputs =
            if self.cursor.eat("returns").is_some() { self.parameters()? } else { Vec::new() };
        let has_semicolon = self.cursor.eat(";").is_some();
        let (mut requires, mut ensures, mut modifies) = (Vec::new(), Vec::new(), Vec::new());
        loop {
            let is_free = self.cursor.eat("free").is_some();
            let is_requires = self.cursor.is("requires");
            if is_requires || self.cursor.is("ensures") {
                self.cursor.take();
                self.attributes(&[])?;
                let tree = parse(&mut self.cursor, &GRAMMAR)?;
                self.cursor.expect(";")?;
                let list = if is_requires { &mut requires } else { &mut ensures };
                list.push(Clause { is_free, tree });
            } else if !is_free && self.cursor.eat("modifies").is_some() {
                if !self.cursor.is(";") {
                    modifies.extend(self.cursor.names("a variable")?);
                }
                self.cursor.expect(";")?;
            } else if is_free {
                return Err(self.cursor.unexpected("`requires` or `ensures`"));
            } else {
                break;
            }
        }
        let mut bodies = Vec::new();
        if !has_semicolon {
            let at = self.cursor.peek().span.start;
            if !self.cursor.is("{") {
                return Err(self.cursor.unexpected("`;`, a contract or a body"));
            }
            braces(&mut self.cursor)?;
            bodies.push(Body { inputs: inputs.clone(), outputs: outputs.clone(), at, span });
        }
        let id = ProcId(self.order.len() as u32);
        let procedure =
            Procedure { id, inputs, outputs, requires, ensures, modifies, bodies, is_entry, span };
        if self.procedures.insert(name, procedure).is_some() {
            return error(
                Code::BoogieRedeclared,
                span,
                format!("the procedure `{name}` is declared twice"),
            );
        }
        self.order.push(name);
        Ok(())
    }

    fn implementation(&mut self, start: Span) -> Fallible<()> {
        let is_entry = self.attributes(&["entrypoint"])?.is_some();
        let (name, span) = self.cursor.name("a procedure")?;
        let inputs = self.parameters()?;
        let outputs =
            if self.cursor.eat("returns").is_some() { self.parameters()? } else { Vec::new() };
        let at = self.cursor.peek().span.start;
        braces(&mut self.cursor)?;
        if is_entry {
            let place = self.cursor.span_from(start);
            return error(
                Code::BoogieSyntax,
                place,
                "the attribute entrypoint belongs to the procedure",
            );
        }
        self.implementations.push((name, Body { inputs, outputs, at, span }));
        Ok(())
    }
}

/// A function as it is written.
pub(super) struct Signature<'t> {
    parameters: Vec<Typed<'t>>,
    result: Span,
    body: Option<Tree>,
    builtin: Option<&'t str>,
    span: Span,
}
