//! The ARI form of transition systems: rewrite rules with guards over integers.
//!
//! `(fun f (-> Int Int Int))` declares a location with its arguments, the last sort being that of the result,
//! `(entrypoint f)` says where runs begin, with any arguments, and `(rule (f x y) (g t u) :guard φ)` is a
//! transition. Variables need no declaration. Without an entry point runs begin anywhere. A rule whose right
//! side is no location ends the run. Locations inside arguments, that is recursion, are not treated.
//!
//! After the ARI format of the termination and confluence competitions.

use super::inputs::open;
use super::words::{
    bind_negative_numerals, malformed, shown, unknown_location, unreadable, untreated,
};
use crate::diag::{Code, Diagnostic, Read};
use crate::smtlib::{Context, Cursor, Fallible, Kind, Lexer, Token, next_command};
use crate::suggest::nearest;
use alphorn_problem::Span;
use alphorn_problem::flow::{Flow, LocId};
use alphorn_program::rules::Arguments;
use alphorn_term::{SortId, Store, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// The items of a file.
const ITEMS: [&str; 8] =
    ["define-fun", "entrypoint", "format", "fun", "meta-info", "rule", "sort", "theory"];

/// Whether a text looks like a system of this form: its first item is `(format LCTRS …)`.
pub fn begins(bytes: &[u8]) -> bool {
    let mut lexer = Lexer::new(bytes, 0);
    let mut word = |wanted: &[u8]| {
        let token = lexer.next_token();
        &bytes[token.start as usize..token.end as usize] == wanted
    };
    word(b"(") && word(b"format") && word(b"LCTRS")
}

/// Reads a system.
pub fn read(bytes: &[u8]) -> Read<Flow> {
    let mut reader = Reader {
        context: Context::new(Store::new()),
        cursor: Cursor::new(bytes),
        funs: Vec::new(),
        names: BTreeMap::new(),
        sorts: BTreeSet::new(),
        entry: None,
        begins_at: None,
        rules: Vec::new(),
        used: BTreeSet::new(),
        has_format: false,
    };
    match unreadable(bytes) {
        Some(diagnostic) => reader.context.diagnostics.push(diagnostic),
        None => {
            bind_negative_numerals(&mut reader.context, bytes);
            reader.run();
            if reader.context.diagnostics.is_clean() {
                reader.complete();
            }
            if reader.context.diagnostics.is_clean() {
                return reader.flow();
            }
        }
    }
    (None, reader.context.diagnostics)
}

/// A location.
struct Fun<'t> {
    name: &'t str,
    args: Vec<SortId>,
    span: Span,
}

/// A transition, over variables of its own.
struct Rule {
    from: (LocId, Vec<TermId>),
    to: (LocId, Vec<TermId>),
    formula: TermId,
    span: Span,
}

struct Reader<'t> {
    context: Context,
    cursor: Cursor<'t>,
    funs: Vec<Fun<'t>>,
    names: BTreeMap<&'t str, LocId>,
    /// Sorts of results that are declared.
    sorts: BTreeSet<&'t str>,
    /// The name of the entry point, which may be declared later, and what it names.
    entry: Option<Token>,
    begins_at: Option<(LocId, Span)>,
    rules: Vec<Rule>,
    /// Variables that quantifiers of rules have become.
    used: BTreeSet<TermId>,
    has_format: bool,
}

impl<'t> Reader<'t> {
    fn run(&mut self) {
        let is_item = |word: &[u8]| ITEMS.iter().any(|name| name.as_bytes() == word);
        while !self.context.diagnostics.is_full() {
            let called = ("an item", is_item);
            match next_command(self, |reader| &mut reader.cursor, called, Reader::item) {
                Some(Ok(())) => {}
                Some(Err(diagnostic)) => self.context.diagnostics.push(diagnostic),
                None => return,
            }
        }
    }

    fn item(&mut self) -> Fallible<()> {
        let start = self.cursor.open("an item")?.start;
        let token = self.cursor.symbol("the name of an item")?;
        let name = self.cursor.text_of(token);
        match name {
            "format" => self.format()?,
            "theory" => {
                let theory = self.cursor.symbol("a theory")?;
                if self.cursor.text_of(theory) != "Ints" {
                    return Err(untreated(theory.span(), "only the theory Ints is treated"));
                }
            }
            "sort" => {
                let sort = self.cursor.symbol("a sort")?;
                self.sorts.insert(self.cursor.text_of(sort));
            }
            "fun" => self.fun()?,
            "entrypoint" => {
                let token = self.cursor.symbol("a location")?;
                if self.entry.is_some() {
                    return Err(malformed(token.span(), "there is one entry point"));
                }
                self.entry = Some(token);
            }
            "rule" => self.rule(start)?,
            "define-fun" => self.context.define_fun(&mut self.cursor, start)?,
            "meta-info" => {
                while self.cursor.peek().kind != Kind::Close {
                    self.cursor.skip_expression("a closing parenthesis")?;
                }
            }
            _ => {
                let message = format!("there is no item `{}`", shown(name));
                let mut diagnostic = malformed(token.span(), message);
                diagnostic.hint =
                    nearest(name, ITEMS.into_iter()).map(|n| format!("did you mean `{n}`?"));
                return Err(diagnostic);
            }
        }
        self.cursor.close("a closing parenthesis at the end of the item")?;
        Ok(())
    }

    /// Reads the name of the format; the version of SMT-LIB's terms says nothing that matters here.
    fn format(&mut self) -> Fallible<()> {
        let token = self.cursor.symbol("a format")?;
        if self.cursor.text_of(token) != "LCTRS" {
            return Err(untreated(token.span(), "only the format LCTRS is treated"));
        }
        if self.cursor.peek().kind == Kind::Keyword {
            let keyword = self.cursor.take();
            if self.cursor.text_of(keyword) != ":smtlib" {
                return Err(untreated(keyword.span(), "this says what is not treated"));
            }
            self.cursor.skip_expression("a version")?;
        }
        self.has_format = true;
        Ok(())
    }

    /// Reads a location with the sorts of its arguments.
    fn fun(&mut self) -> Fallible<()> {
        let token = self.cursor.symbol("the name of a function")?;
        let name = self.cursor.text_of(token);
        let mut args = Vec::new();
        if self.cursor.eat(Kind::Open).is_some() {
            if !self.cursor.is_word("->") {
                return Err(self.cursor.unexpected("->"));
            }
            self.cursor.take();
            let mut last = self.argument_sort()?;
            while self.cursor.eat(Kind::Close).is_none() {
                args.push(last.ok_or_else(|| {
                    let span = self.cursor.peek().span();
                    untreated(span, "arguments that are neither numbers nor truth values")
                })?);
                last = self.argument_sort()?;
            }
        } else {
            self.argument_sort()?;
        }
        if self.names.contains_key(name) || self.context.is_declared(name) {
            let message = format!("`{}` is declared twice", shown(name));
            return Err(Box::new(Diagnostic::error(Code::SmtRedeclared, token.span(), message)));
        }
        let id = LocId(u32::try_from(self.funs.len()).expect("fewer than 2^32 functions"));
        self.names.insert(name, id);
        self.funs.push(Fun { name, args, span: token.span() });
        Ok(())
    }

    /// Reads a sort; none if it is one that the file declares.
    fn argument_sort(&mut self) -> Fallible<Option<SortId>> {
        let token = self.cursor.peek();
        if token.kind == Kind::Symbol && self.sorts.contains(self.cursor.text_of(token)) {
            self.cursor.take();
            return Ok(None);
        }
        self.context.parse_sort(&mut self.cursor).map(Some)
    }

    fn location(&self, token: Token) -> Fallible<LocId> {
        let found = self.names.get(self.cursor.text_of(token)).copied();
        found.ok_or_else(|| unknown_location(&self.cursor, token, self.names.keys().copied()))
    }

    /// Reads a rule behind its word.
    fn rule(&mut self, start: u32) -> Fallible<()> {
        let vars = self.variables()?;
        let mark = self.context.declared();
        for (name, sort) in vars {
            let mut var = self.context.store_mut().var(name, sort);
            if self.used.contains(&var) {
                var = self.context.store_mut().fresh_var(name, sort);
            }
            self.context.bind(name, var);
        }
        let result = self.rule_over_variables(start);
        self.context.undeclare(mark);
        result
    }

    fn rule_over_variables(&mut self, start: u32) -> Fallible<()> {
        let token = self.cursor.peek();
        let Some(from) = self.side()? else {
            let message = "the left side of a rule is a location with its arguments";
            return Err(malformed(token.span(), message));
        };
        let to = self.side()?;
        let mut formula = TermId::TRUE;
        while self.cursor.peek().kind == Kind::Keyword {
            let keyword = self.cursor.take();
            let place = self.cursor.peek().start;
            match self.cursor.text_of(keyword) {
                ":guard" => {
                    formula = self.context.parse_term(&mut self.cursor)?;
                    if self.context.store().sort(formula) != SortId::BOOL {
                        let span = self.cursor.span_from(place);
                        let message = "the guard is not a formula";
                        return Err(Box::new(Diagnostic::error(Code::SmtSort, span, message)));
                    }
                }
                // Seen before.
                ":var" => {
                    self.cursor.skip_expression("variables with their sorts")?;
                }
                _ => return Err(untreated(keyword.span(), "this part of a rule is not treated")),
            }
        }
        let span = self.cursor.span_from(start);
        let (formula, _) = open(self.context.store_mut(), formula, &mut self.used, span)?;
        if let Some(to) = to {
            self.rules.push(Rule { from, to, formula, span });
        }
        Ok(())
    }

    /// Reads a side of a rule; nothing if it is a term without locations, of which only the place is read.
    fn side(&mut self) -> Fallible<Option<(LocId, Vec<TermId>)>> {
        let is_list = self.cursor.peek().kind == Kind::Open;
        let mut inner = self.cursor.clone();
        if is_list {
            inner.take();
        }
        let head = inner.peek();
        let Some(location) = self.location_ahead(&inner) else {
            self.context.parse_term(&mut self.cursor)?;
            return Ok(None);
        };
        self.cursor = inner;
        self.cursor.take();
        let mut args = Vec::new();
        while is_list && self.cursor.eat(Kind::Close).is_none() {
            let place = self.cursor.peek().start;
            let arg = self.context.parse_term(&mut self.cursor)?;
            let wanted = self.funs[location.index()].args.get(args.len());
            if wanted.is_some_and(|&sort| sort != self.context.store().sort(arg)) {
                let message = "the argument has another sort than its location declares";
                let span = self.cursor.span_from(place);
                return Err(Box::new(Diagnostic::error(Code::SmtSort, span, message)));
            }
            args.push(arg);
        }
        if args.len() != self.funs[location.index()].args.len() {
            let message = format!(
                "`{}` has {} arguments, not {}",
                shown(self.cursor.text_of(head)),
                self.funs[location.index()].args.len(),
                args.len()
            );
            return Err(Box::new(Diagnostic::error(Code::SmtSort, head.span(), message)));
        }
        Ok(Some((location, args)))
    }

    /// The variables of the rule ahead: its names that mean nothing else. Their sorts are those that `:var`
    /// says, or those of the arguments that they are, or integers.
    fn variables(&self) -> Fallible<BTreeMap<&'t str, SortId>> {
        let mut cursor = self.cursor.clone();
        let (mut found, mut arguments, mut others) = (BTreeMap::new(), Vec::new(), Vec::new());
        for _ in 0..2 {
            self.names_of_side(&mut cursor, &mut arguments, &mut others)?;
        }
        while cursor.peek().kind != Kind::Close {
            let token = cursor.peek();
            if token.kind == Kind::Keyword && cursor.text_of(token) == ":var" {
                cursor.take();
                said_variables(&mut cursor, &mut found)?;
            } else {
                self.names(&mut cursor, &mut others)?;
            }
        }
        let others = others.into_iter().map(|name| (name, SortId::INT));
        for (name, sort) in arguments.into_iter().chain(others) {
            found.entry(name).or_insert(sort);
        }
        Ok(found)
    }

    /// The variables of a side of a rule: those that are arguments with their sorts, and others.
    fn names_of_side(
        &self,
        cursor: &mut Cursor<'t>,
        arguments: &mut Vec<(&'t str, SortId)>,
        others: &mut Vec<&'t str>,
    ) -> Fallible<()> {
        let is_list = cursor.peek().kind == Kind::Open;
        let mut inner = cursor.clone();
        if is_list {
            inner.take();
        }
        let Some(location) = self.location_ahead(&inner) else {
            return self.names(cursor, others);
        };
        *cursor = inner;
        cursor.take();
        let mut sorts = self.funs[location.index()].args.iter();
        while is_list && cursor.eat(Kind::Close).is_none() {
            let (token, sort) = (cursor.peek(), sorts.next());
            match sort {
                Some(&sort) if self.is_variable(cursor, token) => {
                    arguments.push((cursor.text_of(token), sort));
                    cursor.take();
                }
                _ => self.names(cursor, others)?,
            }
        }
        Ok(())
    }

    /// The variables of an expression; what is applied to arguments is none.
    fn names(&self, cursor: &mut Cursor<'t>, found: &mut Vec<&'t str>) -> Fallible<()> {
        let outside = cursor.depth();
        let mut is_applied = false;
        loop {
            let token = cursor.peek();
            let is_over = token.kind == Kind::Close && cursor.depth() == outside;
            if is_over || matches!(token.kind, Kind::End | Kind::Bad(_)) {
                return Err(cursor.unexpected("a term"));
            }
            if self.location_ahead(cursor).is_some() {
                let message = "a location inside of a term: recursion is not treated";
                return Err(untreated(token.span(), message));
            }
            if !is_applied && self.is_variable(cursor, token) {
                found.push(cursor.text_of(token));
            }
            is_applied = token.kind == Kind::Open;
            cursor.take();
            if cursor.depth() == outside {
                return Ok(());
            }
        }
    }

    /// The location that the token ahead is.
    fn location_ahead(&self, cursor: &Cursor<'_>) -> Option<LocId> {
        let token = cursor.peek();
        let is_name = matches!(token.kind, Kind::Symbol | Kind::Quoted);
        self.names.get(cursor.text_of(token)).filter(|_| is_name).copied()
    }

    /// Whether a token is a name that means nothing yet.
    fn is_variable(&self, cursor: &Cursor<'_>, token: Token) -> bool {
        let name = cursor.text_of(token);
        matches!(token.kind, Kind::Symbol | Kind::Quoted)
            && !self.context.is_declared(name)
            && !crate::smtlib::is_reserved_name(name)
    }

    /// Reports what the file as a whole lacks.
    fn complete(&mut self) {
        if !self.has_format {
            let diagnostic = malformed(Span::NONE, "the file does not say its format");
            self.context.diagnostics.push(diagnostic.hint("begin with (format LCTRS)"));
        }
        if let Some(token) = self.entry {
            match self.location(token) {
                Ok(location) => self.begins_at = Some((location, token.span())),
                Err(diagnostic) => self.context.diagnostics.push(*diagnostic),
            }
        }
    }

    fn flow(self) -> Read<Flow> {
        let Reader { context, funs, begins_at: entry, rules, .. } = self;
        let diagnostics = context.diagnostics.clone();
        let locations: Vec<(&str, &[SortId], Span)> =
            funs.iter().map(|fun| (fun.name, &fun.args[..], fun.span)).collect();
        let (mut flow, mut arguments) = Arguments::flow(context.into_store(), &locations);
        let starts: Vec<(LocId, Span)> = match entry {
            Some(entry) => vec![entry],
            None => flow.location_ids().zip(funs.iter().map(|fun| fun.span)).collect(),
        };
        for (at, span) in starts {
            let any: Vec<TermId> = Vec::new();
            arguments.start(&mut flow, at, &any, TermId::TRUE, span);
        }
        for Rule { from, to, formula, span } in rules {
            let (from, to) = ((from.0, &from.1[..]), (to.0, &to.1[..]));
            arguments.step(&mut flow, from, to, formula, None, span);
        }
        (Some(flow), diagnostics)
    }
}

/// Reads `((x Int) …)`.
fn said_variables<'t>(
    cursor: &mut Cursor<'t>,
    found: &mut BTreeMap<&'t str, SortId>,
) -> Fallible<()> {
    cursor.open("variables with their sorts")?;
    while cursor.eat(Kind::Close).is_none() {
        cursor.open("a variable with its sort")?;
        let token = cursor.symbol("a variable")?;
        let sort = if cursor.is_word("Int") {
            SortId::INT
        } else if cursor.is_word("Bool") {
            SortId::BOOL
        } else {
            return Err(cursor.unexpected("Int or Bool"));
        };
        cursor.take();
        cursor.close("a closing parenthesis after the sort")?;
        found.insert(cursor.text_of(token), sort);
    }
    Ok(())
}
