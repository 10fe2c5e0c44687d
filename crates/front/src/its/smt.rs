//! The SMT-LIB form of transition systems.
//!
//! Locations are constants of a declared sort, asserted to be different. `cfg_init`, `cfg_trans2` and
//! `cfg_trans3` must be defined as the competition defines them, and are then words of the format: a relation
//! is all that is read as a formula. Calls (`cfg_trans3`) are not treated.

use super::inputs::open;
use super::words::{
    bind_negative_numerals, malformed, shown, unknown_location, unreadable, untreated,
};
use crate::diag::{Code, Diagnostic, Read};
use crate::smtlib::{Context, Cursor, Fallible, Kind, Token, next_command};
use crate::suggest::nearest;
use alphorn_problem::Span;
use alphorn_problem::flow::{Flow, LocId, Start, Transition};
use alphorn_term::{SortId, Store, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// How much of a file is searched for the words of the format.
const MAX_SEARCHED: usize = 1 << 20;

/// Whether a text looks like a system of this form: it mentions `cfg_init` early on.
pub fn begins(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(MAX_SEARCHED)];
    start.windows(8).any(|word| word == b"cfg_init")
}

/// The commands that files of this form have.
const COMMANDS: [&str; 10] = [
    "assert",
    "declare-const",
    "declare-fun",
    "declare-sort",
    "define-const",
    "define-fun",
    "exit",
    "set-info",
    "set-logic",
    "set-option",
];

/// The words of the format, by how many locations they are about.
const WORDS: [&str; 3] = ["cfg_init", "cfg_trans2", "cfg_trans3"];

/// Reads a system.
pub fn read(bytes: &[u8]) -> Read<Flow> {
    let mut reader = Reader {
        context: Context::new(Store::new()),
        cursor: Cursor::new(bytes),
        sort: None,
        names: BTreeMap::new(),
        flow: Flow::default(),
        used: BTreeSet::new(),
        is_defined: [false; 3],
        different: BTreeSet::new(),
        vars: None,
        has_start: false,
        has_next: false,
    };
    match unreadable(bytes) {
        Some(diagnostic) => reader.context.diagnostics.push(diagnostic),
        None => {
            bind_negative_numerals(&mut reader.context, bytes);
            reader.run();
            reader.complete();
        }
    }
    let Reader { context, mut flow, .. } = reader;
    let diagnostics = context.diagnostics.clone();
    flow.terms = context.into_store();
    (diagnostics.is_clean().then_some(flow), diagnostics)
}

/// A start or a transition, as written.
struct Way {
    ends: Vec<LocId>,
    relation: TermId,
    span: Span,
}

/// A parameter of a definition; the sort is none for a location.
type Parameter<'t> = (&'t str, Option<SortId>);

struct Reader<'t> {
    context: Context,
    cursor: Cursor<'t>,
    /// The sort of the locations.
    sort: Option<&'t str>,
    names: BTreeMap<&'t str, LocId>,
    flow: Flow,
    /// The variables that are something already.
    used: BTreeSet<TermId>,
    /// Which words of the format are defined.
    is_defined: [bool; 3],
    /// The locations that are said to be different.
    different: BTreeSet<LocId>,
    /// The sorts of the variables, once they are known.
    vars: Option<Vec<SortId>>,
    has_start: bool,
    has_next: bool,
}

impl<'t> Reader<'t> {
    fn run(&mut self) {
        let is_command = |word: &[u8]| COMMANDS.iter().any(|name| name.as_bytes() == word);
        while !self.context.diagnostics.is_full() {
            let called = ("a command", is_command);
            match next_command(self, |reader| &mut reader.cursor, called, Reader::command) {
                Some(Ok(true)) => {}
                Some(Err(diagnostic)) => self.context.diagnostics.push(diagnostic),
                Some(Ok(false)) | None => return,
            }
        }
    }

    /// Reads a command; says whether there may be more.
    fn command(&mut self) -> Fallible<bool> {
        let start = self.cursor.open("a command")?.start;
        let token = self.cursor.symbol("the name of a command")?;
        let name = self.cursor.text_of(token);
        match name {
            "declare-sort" => self.declare_sort()?,
            "declare-const" => self.declare_location(false)?,
            "declare-fun" => self.declare_location(true)?,
            "assert" => self.distinct()?,
            "define-fun" => self.define(start)?,
            "define-const" => self.context.define_const(&mut self.cursor)?,
            "set-info" | "set-logic" => self.skip_arguments()?,
            "set-option" => {
                self.skip_arguments()?;
                let message = "the option has no effect";
                let span = self.cursor.span_from(start);
                let warning = Diagnostic::warning(Code::SmtIgnored, span, message);
                self.context.diagnostics.push(warning);
            }
            "exit" => {}
            _ => {
                let message = format!("a transition system has no command `{}`", shown(name));
                let mut diagnostic =
                    Diagnostic::unsupported(Code::SmtCommand, token.span(), message);
                diagnostic.hint =
                    nearest(name, COMMANDS.into_iter()).map(|n| format!("did you mean `{n}`?"));
                return Err(Box::new(diagnostic));
            }
        }
        self.cursor.close("a closing parenthesis at the end of the command")?;
        let next = self.cursor.peek();
        if name == "exit" && next.kind != Kind::End {
            let message = "what comes after (exit) has no effect";
            let warning = Diagnostic::warning(Code::SmtIgnored, next.span(), message);
            self.context.diagnostics.push(warning);
        }
        Ok(name != "exit")
    }

    fn skip_arguments(&mut self) -> Fallible<()> {
        while self.cursor.peek().kind != Kind::Close {
            self.cursor.skip_expression("a closing parenthesis")?;
        }
        Ok(())
    }

    fn declare_sort(&mut self) -> Fallible<()> {
        let token = self.cursor.symbol("the sort of the locations")?;
        let name = self.cursor.text_of(token);
        if self.cursor.peek().kind != Kind::Close {
            let place = self.cursor.peek().span();
            if self.cursor.small_numeral("the number of arguments")? != 0 {
                return Err(malformed(place, "the sort of the locations has no arguments"));
            }
        }
        if matches!(name, "Bool" | "Int" | "Real" | "Array") {
            let message = format!("`{name}` is a sort of the theories and cannot be declared");
            return Err(Box::new(Diagnostic::error(Code::SmtRedeclared, token.span(), message)));
        }
        match self.sort {
            None => self.sort = Some(name),
            Some(_) => {
                let message = "only one sort is declared, that of the locations";
                return Err(malformed(token.span(), message));
            }
        }
        Ok(())
    }

    fn declare_location(&mut self, has_arguments: bool) -> Fallible<()> {
        let token = self.cursor.symbol("a location")?;
        let name = self.cursor.text_of(token);
        if has_arguments {
            self.cursor.open("an empty list of arguments")?;
            self.cursor.close("an empty list of arguments")?;
        }
        let place = self.cursor.peek().span();
        if !self.sort.is_some_and(|sort| self.cursor.is_word(sort)) {
            self.cursor.skip_expression("a sort")?;
            let message = "a constant that is no location is not treated";
            return Err(untreated(place, message));
        }
        self.cursor.take();
        if self.names.contains_key(name) || self.context.is_declared(name) {
            let message = format!("`{}` is declared twice", shown(name));
            return Err(Box::new(Diagnostic::error(Code::SmtRedeclared, token.span(), message)));
        }
        let location = self.flow.add_location(name, token.span());
        self.names.insert(name, location);
        Ok(())
    }

    /// Reads what is asserted: that locations are different.
    fn distinct(&mut self) -> Fallible<()> {
        let start = self.cursor.peek().start;
        let is_list = self.cursor.eat(Kind::Open).is_some();
        if !is_list || !self.cursor.is_word("distinct") {
            let message = "only that the locations are different is asserted in this form";
            let span = Span { start, end: self.cursor.peek().end };
            return Err(untreated(span, message));
        }
        self.cursor.take();
        let mut different = BTreeSet::new();
        while self.cursor.eat(Kind::Close).is_none() {
            let token = self.cursor.symbol("a location")?;
            let location = self.location(token)?;
            if !different.insert(location) {
                return Err(malformed(token.span(), "a location is not different from itself"));
            }
        }
        if different.len() > self.different.len() {
            self.different = different;
        }
        Ok(())
    }

    fn location(&self, token: Token) -> Fallible<LocId> {
        let found = self.names.get(self.cursor.text_of(token)).copied();
        found.ok_or_else(|| unknown_location(&self.cursor, token, self.names.keys().copied()))
    }

    /// Reads a definition: of a word of the format, of one of the two formulas, or of anything.
    fn define(&mut self, start: u32) -> Fallible<()> {
        let token = self.cursor.peek();
        let name = match token.kind {
            Kind::Symbol | Kind::Quoted => self.cursor.text_of(token),
            _ => "",
        };
        if let Some(word) = WORDS.iter().position(|word| *word == name) {
            self.cursor.take();
            self.define_word(word, token.span())
        } else if matches!(name, "init_main" | "next_main") {
            self.cursor.take();
            self.define_system(usize::from(name == "next_main"), token.span())
        } else {
            self.context.define_fun(&mut self.cursor, start)
        }
    }

    /// A word of the format means what the competition says.
    fn define_word(&mut self, word: usize, span: Span) -> Fallible<()> {
        let start = self.cursor.peek().start;
        let mut found: Vec<&str> = Vec::new();
        for wanted in ["the list of parameters", "a sort", "the definition"] {
            let from = self.cursor.clone();
            let end = self.cursor.skip_expression(wanted)?.end;
            let mut inner = from;
            while inner.peek().end <= end && inner.peek().kind != Kind::End {
                let token = inner.take();
                found.push(inner.text_of(token));
            }
        }
        let names: Vec<&str> = parameter_names(&found);
        let are_different = names.iter().collect::<BTreeSet<_>>().len() == names.len();
        if !are_different || found != expected_word(word, self.sort.unwrap_or(""), &names) {
            let message = format!("`{}` is not defined as the format has it", WORDS[word]);
            let diagnostic = malformed(self.cursor.span_from(start), message);
            return Err(Box::new(diagnostic.hint(example(word))));
        }
        if std::mem::replace(&mut self.is_defined[word], true) {
            let message = format!("`{}` is defined twice", WORDS[word]);
            return Err(Box::new(Diagnostic::error(Code::SmtRedeclared, span, message)));
        }
        Ok(())
    }

    /// Reads one of the two formulas: `init_main` about one location, `next_main` about two.
    fn define_system(&mut self, word: usize, span: Span) -> Fallible<()> {
        let seen = if word == 0 { &mut self.has_start } else { &mut self.has_next };
        if std::mem::replace(seen, true) {
            let message = "this formula is defined twice";
            return Err(Box::new(Diagnostic::error(Code::SmtRedeclared, span, message)));
        }
        if !self.is_defined[word] {
            let message = format!("`{}` is not defined before it is used", WORDS[word]);
            return Err(Box::new(malformed(span, message).hint(example(word))));
        }
        let start = self.cursor.peek().start;
        let params = self.parameters()?;
        let span = self.cursor.span_from(start);
        if !self.cursor.is_word("Bool") {
            return Err(self.cursor.unexpected("Bool"));
        }
        self.cursor.take();
        let pcs = self.adopt(&params, word + 1, span)?;
        let vars: Vec<TermId> = match word {
            0 => self.flow.vars.clone(),
            _ => self.flow.vars.iter().chain(&self.flow.next).copied().collect(),
        };
        let named: Vec<&str> =
            params.iter().filter(|param| param.1.is_some()).map(|param| param.0).collect();
        let (cursor, locations) = (&mut self.cursor, &self.names);
        let ways = self.context.scoped(|context| {
            for (name, &var) in named.iter().zip(&vars) {
                context.bind(name, var);
            }
            ways(context, cursor, locations, word, &pcs)
        })?;
        for way in ways {
            self.add(way)?;
        }
        Ok(())
    }

    fn parameters(&mut self) -> Fallible<Vec<Parameter<'t>>> {
        self.cursor.open("the list of parameters")?;
        let (mut params, mut seen) = (Vec::new(), BTreeSet::new());
        while self.cursor.eat(Kind::Close).is_none() {
            self.cursor.open("a parameter with its sort")?;
            let token = self.cursor.symbol("a parameter")?;
            let name = self.cursor.text_of(token);
            if !seen.insert(name) {
                let message = format!("the parameter `{}` is repeated", shown(name));
                let diagnostic = Diagnostic::error(Code::SmtRedeclared, token.span(), message);
                return Err(Box::new(diagnostic));
            }
            if self.sort.is_some_and(|sort| self.cursor.is_word(sort)) {
                self.cursor.take();
                params.push((name, None));
            } else {
                params.push((name, Some(self.context.parse_sort(&mut self.cursor)?)));
            }
            self.cursor.close("a closing parenthesis after the parameter's sort")?;
        }
        Ok(params)
    }

    /// Takes the parameters of a formula about `count` states for the variables of the system; returns the
    /// names of the locations among them.
    fn adopt(
        &mut self,
        params: &[Parameter<'t>],
        count: usize,
        span: Span,
    ) -> Fallible<Vec<&'t str>> {
        let size = params.len() / count;
        let wrong = || malformed(span, "each state has one location, which comes first");
        if size == 0 || params.len() != count * size {
            return Err(wrong());
        }
        let mut pcs = Vec::new();
        for (index, (name, sort)) in params.iter().enumerate() {
            match (index % size == 0, sort) {
                (true, None) => pcs.push(*name),
                (false, Some(_)) => {}
                _ => return Err(wrong()),
            }
        }
        let sorts = |half: usize| params[half * size + 1..(half + 1) * size].iter();
        let first: Vec<SortId> = sorts(0).filter_map(|param| param.1).collect();
        for half in 0..count {
            let these: Vec<SortId> = sorts(half).filter_map(|param| param.1).collect();
            if these != *self.vars.get_or_insert(first.clone()) {
                let message = "the variables are not those of the other states";
                return Err(malformed(span, message));
            }
        }
        if self.flow.vars.len() != first.len() {
            self.flow.vars = sorts(0).map(|&param| self.variable(param)).collect();
        }
        if count == 2 {
            self.flow.next = sorts(1).map(|&param| self.variable(param)).collect();
        }
        Ok(pcs)
    }

    /// A variable that is nothing yet.
    fn variable(&mut self, (name, sort): Parameter<'_>) -> TermId {
        let (store, sort) = (self.context.store_mut(), sort.unwrap_or(SortId::INT));
        let mut var = store.var(name, sort);
        if self.used.contains(&var) {
            var = store.fresh_var(name, sort);
        }
        self.used.insert(var);
        var
    }

    /// Adds a start or a transition.
    fn add(&mut self, way: Way) -> Fallible<()> {
        let Way { ends, relation, span } = way;
        let store = self.context.store_mut();
        let (formula, inputs) = open(store, relation, &mut self.used, span)?;
        match ends[..] {
            [at] => self.flow.starts.push(Start { at, formula, inputs, span }),
            [from, to] => {
                let name = None;
                self.flow.transitions.push(Transition { from, to, formula, inputs, name, span });
            }
            _ => unreachable!("a way is about one location or two"),
        }
        Ok(())
    }

    /// Reports what the file as a whole lacks.
    fn complete(&mut self) {
        if !self.context.diagnostics.is_clean() {
            return;
        }
        for (has, name) in [(self.has_start, "init_main"), (self.has_next, "next_main")] {
            if !has {
                let message = format!("the file does not define `{name}`");
                self.context.diagnostics.push(*malformed(Span::NONE, message));
            }
        }
        if self.flow.locations.len() > 1 && self.different.len() < self.flow.locations.len() {
            let left = self.flow.location_ids().find(|id| !self.different.contains(id));
            let location = &self.flow.locations[left.map_or(0, LocId::index)];
            let message = format!("`{}` may be the same as another location", location.name);
            let diagnostic = malformed(location.span, message);
            let hint = "say that all locations are different: (assert (distinct …))";
            self.context.diagnostics.push(diagnostic.hint(hint));
        }
    }
}

/// Reads a disjunction of starts or transitions; `pcs` are the variables for the locations.
fn ways(
    context: &mut Context,
    cursor: &mut Cursor<'_>,
    locations: &BTreeMap<&str, LocId>,
    word: usize,
    pcs: &[&str],
) -> Fallible<Vec<Way>> {
    let (mut found, mut depth) = (Vec::new(), 0usize);
    loop {
        let start = cursor.peek().start;
        let wanted = format!("({} …)", WORDS[word]);
        if cursor.is_word("false") {
            cursor.take();
        } else {
            cursor.open(&wanted)?;
            if cursor.is_word("or") {
                cursor.take();
                depth += 1;
            } else if cursor.is_word(WORDS[2]) {
                return Err(untreated(cursor.peek().span(), "calls of procedures are not treated"));
            } else if cursor.is_word(WORDS[word]) {
                cursor.take();
                found.push(way(context, cursor, locations, pcs, start)?);
            } else {
                let diagnostic = cursor.unexpected(&format!("{}, or", WORDS[word]));
                return Err(Box::new(Diagnostic { code: Code::ItsForm, ..*diagnostic }));
            }
        }
        while depth > 0 && cursor.eat(Kind::Close).is_some() {
            depth -= 1;
        }
        if depth == 0 {
            return Ok(found);
        }
    }
}

/// Reads a start or a transition behind its word.
fn way(
    context: &mut Context,
    cursor: &mut Cursor<'_>,
    locations: &BTreeMap<&str, LocId>,
    pcs: &[&str],
    start: u32,
) -> Fallible<Way> {
    let mut ends = Vec::new();
    for &pc in pcs {
        let token = cursor.symbol("the variable for the location")?;
        if cursor.text_of(token) != pc {
            return Err(malformed(token.span(), format!("`{}` expected here", shown(pc))));
        }
        let token = cursor.symbol("a location")?;
        let found = locations.get(cursor.text_of(token)).copied();
        let known = locations.keys().copied();
        ends.push(found.ok_or_else(|| unknown_location(cursor, token, known))?);
    }
    let place = cursor.peek().start;
    let relation = context.parse_term(cursor)?;
    if context.store().sort(relation) != SortId::BOOL {
        let message = "the relation is not a formula";
        let span = cursor.span_from(place);
        return Err(Box::new(Diagnostic::error(Code::SmtSort, span, message)));
    }
    cursor.close("a closing parenthesis after the relation")?;
    Ok(Way { ends, relation, span: cursor.span_from(start) })
}

/// The names in a list of parameters, which begins the tokens.
fn parameter_names<'t>(tokens: &[&'t str]) -> Vec<&'t str> {
    let pairs = tokens.windows(2).skip(1);
    let mut names: Vec<&str> = Vec::new();
    for pair in pairs {
        match pair {
            ["(", name] => names.push(name),
            [")", ")"] => break,
            _ => {}
        }
    }
    names
}

/// The tokens of the definition of a word whose parameters have these names.
fn expected_word<'t>(word: usize, sort: &'t str, names: &[&'t str]) -> Vec<&'t str> {
    let states = word + 1;
    if names.len() != 2 * states + 1 {
        return Vec::new();
    }
    let mut tokens = vec!["("];
    for (index, name) in names.iter().enumerate() {
        let sort = if index == 2 * states { "Bool" } else { sort };
        tokens.extend(["(", name, sort, ")"]);
    }
    tokens.extend([")", "Bool", "(", "and"]);
    for pair in names[..2 * states].chunks(2) {
        tokens.extend(["(", "=", pair[0], pair[1], ")"]);
    }
    tokens.extend([names[2 * states], ")"]);
    tokens
}

/// The definition of a word.
fn example(word: usize) -> &'static str {
    match word {
        0 => "(define-fun cfg_init ((pc Loc) (src Loc) (rel Bool)) Bool (and (= pc src) rel))",
        1 => {
            "(define-fun cfg_trans2 ((pc Loc) (src Loc) (pc1 Loc) (dst Loc) (rel Bool)) Bool \
             (and (= pc src) (= pc1 dst) rel))"
        }
        _ => {
            "(define-fun cfg_trans3 ((pc Loc) (exit Loc) (pc1 Loc) (call Loc) (pc2 Loc) \
             (return Loc) (rel Bool)) Bool (and (= pc exit) (= pc1 call) (= pc2 return) rel))"
        }
    }
}
