//! Formulas of computation tree logic, as users type them.
//!
//! ```text
//! AG (x > 0 -> AF (y == 1))      AX EX AG EG AF EF before a formula
//! A[x > 0 U y == 1]              U (until) and W (unless) between two, after A or E
//! [AG](x > 0 || [EF](y == 1))    the same in T2's brackets; [AU](a, b)
//! at(loop) && !(x == y)          at(…) is a location; -> || && ! bind as usual, and = is ==
//! ```
//!
//! Terms are sums and products of the flow's variables and of numbers; `|a b|` is a variable with a name that
//! could not be written otherwise. What comes out is in negation normal form, its parts before it.

use crate::diag::{Code, Diagnostic};
use alphorn_problem::temporal::{Node, NodeId, Runs};
use alphorn_problem::{Flow, Span};
use alphorn_term::{Op, SortId, TermId};

/// How deep formulas may be nested.
const MAX_DEPTH: usize = 200;

type Fallible<T> = Result<T, Box<Diagnostic>>;

/// Reads a formula about a flow, to whose terms its atoms are added; its last node is the whole.
pub fn read_formula(text: &str, flow: &mut Flow) -> Result<Vec<Node>, Box<Diagnostic>> {
    let tokens = tokens(text)?;
    let mut reader = Reader { text, tokens, at: 0, depth: 0, flow };
    let start = reader.span();
    let whole = reader.implication()?;
    reader.finish()?;
    let tree = reader.formula(whole, start)?;
    let mut nodes = Vec::new();
    normal(&tree, false, reader.flow, &mut nodes);
    Ok(nodes)
}

/// Reads a formula without temporal operators: one for each location.
pub fn read_condition(text: &str, flow: &mut Flow) -> Result<Vec<TermId>, Box<Diagnostic>> {
    match read_formula(text, flow)?.pop() {
        Some(Node::Atom(formulas)) => Ok(formulas),
        _ => Err(wrong(Span::new(0, text.len()), "a condition has no temporal operators")),
    }
}

fn wrong(span: Span, message: impl Into<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(Code::Temporal, span, message))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Name,
    Number,
    Symbol,
    End,
}

#[derive(Clone, Copy, Debug)]
struct Token {
    kind: Kind,
    start: usize,
    end: usize,
}

/// Symbols, longer ones before their beginnings.
const SYMBOLS: &[&str] = &[
    "<->", "->", "=>", "||", "&&", "==", "!=", "<=", ">=", "=", "<", ">", "!", "(", ")", "[", "]",
    "+", "-", "*", ",",
];

fn tokens(text: &str) -> Fallible<Vec<Token>> {
    let bytes = text.as_bytes();
    let begins = |byte: u8| byte.is_ascii_alphabetic() || b"_$@".contains(&byte);
    let continues = |byte: u8| byte.is_ascii_alphanumeric() || b"_$@.'^!#".contains(&byte);
    let mut all = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let kind = match bytes[at] {
            byte if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'|' if !text[at..].starts_with("||") => {
                let rest = &bytes[at + 1..];
                let Some(end) = rest.iter().position(|&byte| byte == b'|') else {
                    return Err(wrong(Span::new(at, at + 1), "this name does not end"));
                };
                at += end + 2;
                Kind::Name
            }
            byte if begins(byte) => {
                at += bytes[at..].iter().take_while(|&&byte| continues(byte)).count();
                // `x!=1` is a comparison.
                if bytes[at - 1] == b'!' && bytes.get(at) == Some(&b'=') {
                    at -= 1;
                }
                Kind::Name
            }
            byte if byte.is_ascii_digit() => {
                at += bytes[at..].iter().take_while(|&&byte| byte.is_ascii_digit()).count();
                Kind::Number
            }
            _ => {
                let found = SYMBOLS.iter().find(|symbol| text[at..].starts_with(**symbol));
                let Some(symbol) = found else {
                    let length = text[at..].chars().next().map_or(1, char::len_utf8);
                    return Err(wrong(Span::new(at, at + length), "this means nothing here"));
                };
                at += symbol.len();
                Kind::Symbol
            }
        };
        all.push(Token { kind, start, end: at });
    }
    all.push(Token { kind: Kind::End, start: bytes.len(), end: bytes.len() });
    Ok(all)
}

/// A formula with negations anywhere.
enum Tree {
    Atom(Vec<TermId>),
    Not(Box<Tree>),
    And(Box<Tree>, Box<Tree>),
    Or(Box<Tree>, Box<Tree>),
    Next(Runs, Box<Tree>),
    Until(Runs, Box<Tree>, Box<Tree>),
    Weak(Runs, Box<Tree>, Box<Tree>),
}

/// What has been read: a term of the store, or a formula that is more than that.
enum Value {
    Term(TermId),
    Tree(Tree),
}

struct Reader<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    flow: &'t mut Flow,
}

impl<'t> Reader<'t> {
    fn token(&self) -> Token {
        self.tokens[self.at]
    }

    fn word(&self) -> &'t str {
        let Token { start, end, .. } = self.token();
        &self.text[start..end]
    }

    fn span(&self) -> Span {
        let Token { start, end, .. } = self.token();
        Span::new(start, end)
    }

    fn take(&mut self) -> &'t str {
        let word = self.word();
        if self.token().kind != Kind::End {
            self.at += 1;
        }
        word
    }

    fn is(&self, symbol: &str) -> bool {
        self.token().kind != Kind::End && self.word() == symbol
    }

    fn eat(&mut self, symbols: &[&str]) -> Option<&'t str> {
        symbols.iter().any(|symbol| self.is(symbol)).then(|| self.take())
    }

    fn expect(&mut self, symbol: &str) -> Fallible<()> {
        match self.eat(&[symbol]) {
            Some(_) => Ok(()),
            None => Err(self.unexpected(&format!("`{symbol}`"))),
        }
    }

    fn unexpected(&self, wanted: &str) -> Box<Diagnostic> {
        match self.token().kind {
            Kind::End => {
                wrong(self.span(), format!("the formula ends where {wanted} should stand"))
            }
            _ => wrong(self.span(), format!("{wanted} should stand here")),
        }
    }

    fn finish(&self) -> Fallible<()> {
        match self.token().kind {
            Kind::End => Ok(()),
            _ => Err(self.unexpected("an operator, or the end,")),
        }
    }

    /// A formula that a value is.
    fn formula(&mut self, value: Value, start: Span) -> Fallible<Tree> {
        match value {
            Value::Tree(tree) => Ok(tree),
            Value::Term(term) if self.flow.terms.sort(term) == SortId::BOOL => {
                Ok(Tree::Atom(vec![term; self.flow.locations.len()]))
            }
            Value::Term(_) => {
                let span = Span { end: self.span().start, ..start };
                Err(wrong(span, "this is a number, and a formula is wanted"))
            }
        }
    }

    /// A number that a value is.
    fn number(&self, value: Value, start: Span) -> Fallible<TermId> {
        match value {
            Value::Term(term) if self.flow.terms.sort(term) != SortId::BOOL => Ok(term),
            _ => {
                let span = Span { end: self.span().start, ..start };
                Err(wrong(span, "this is a formula, and a number is wanted"))
            }
        }
    }

    /// A conjunction or disjunction; one atom where both are atoms.
    fn joined(&mut self, op: Op, a: Tree, b: Tree) -> Tree {
        match (a, b) {
            (Tree::Atom(a), Tree::Atom(b)) => {
                let pairs = a.into_iter().zip(b);
                Tree::Atom(pairs.map(|(a, b)| self.flow.terms.mk(op, &[a, b])).collect())
            }
            (a, b) if op == Op::And => Tree::And(Box::new(a), Box::new(b)),
            (a, b) => Tree::Or(Box::new(a), Box::new(b)),
        }
    }

    fn negated(&mut self, tree: Tree) -> Tree {
        match tree {
            Tree::Atom(atoms) => {
                Tree::Atom(atoms.into_iter().map(|atom| self.flow.terms.not(atom)).collect())
            }
            other => Tree::Not(Box::new(other)),
        }
    }

    fn implication(&mut self) -> Fallible<Value> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(wrong(self.span(), "formulas are nested too deeply here"));
        }
        let start = self.span();
        let mut left = self.disjunction()?;
        if let Some(symbol) = self.eat(&["->", "=>", "<->"]) {
            let middle = self.span();
            let right = self.implication()?;
            let (a, b) = (self.formula(left, start)?, self.formula(right, middle)?);
            left = Value::Tree(match symbol {
                "<->" => match (a, b) {
                    (Tree::Atom(a), Tree::Atom(b)) => {
                        let pairs = a.into_iter().zip(b);
                        Tree::Atom(pairs.map(|(a, b)| self.flow.terms.eq(a, b)).collect())
                    }
                    _ => {
                        let message = "`<->` stands between formulas without temporal operators";
                        return Err(wrong(start, message));
                    }
                },
                _ => {
                    let not = self.negated(a);
                    self.joined(Op::Or, not, b)
                }
            });
        }
        self.depth -= 1;
        Ok(left)
    }

    fn disjunction(&mut self) -> Fallible<Value> {
        let start = self.span();
        let mut left = self.conjunction()?;
        while self.eat(&["||"]).is_some() {
            let middle = self.span();
            let right = self.conjunction()?;
            let (a, b) = (self.formula(left, start)?, self.formula(right, middle)?);
            left = Value::Tree(self.joined(Op::Or, a, b));
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Fallible<Value> {
        let start = self.span();
        let mut left = self.comparison()?;
        while self.eat(&["&&"]).is_some() {
            let middle = self.span();
            let right = self.comparison()?;
            let (a, b) = (self.formula(left, start)?, self.formula(right, middle)?);
            left = Value::Tree(self.joined(Op::And, a, b));
        }
        Ok(left)
    }

    fn comparison(&mut self) -> Fallible<Value> {
        let start = self.span();
        let left = self.sum()?;
        let Some(symbol) = self.eat(&["==", "!=", "<=", ">=", "=", "<", ">"]) else {
            return Ok(left);
        };
        let middle = self.span();
        let right = self.sum()?;
        let (a, b) = (self.number(left, start)?, self.number(right, middle)?);
        let (a, b) = self.alike(a, b, start)?;
        let terms = &mut self.flow.terms;
        Ok(Value::Term(match symbol {
            "==" | "=" => terms.eq(a, b),
            "!=" => {
                let equal = terms.eq(a, b);
                terms.not(equal)
            }
            "<=" => terms.le(a, b),
            ">=" => terms.ge(a, b),
            "<" => terms.lt(a, b),
            _ => terms.gt(a, b),
        }))
    }

    /// Two numbers as such of one sort: an integer may stand for a real.
    fn alike(&mut self, a: TermId, b: TermId, start: Span) -> Fallible<(TermId, TermId)> {
        let terms = &mut self.flow.terms;
        let (of_a, of_b) = (terms.sort(a), terms.sort(b));
        if of_a == of_b && of_a.is_arithmetic() {
            return Ok((a, b));
        }
        match (of_a, of_b) {
            (SortId::INT, SortId::REAL) => Ok((terms.mk(Op::ToReal, &[a]), b)),
            (SortId::REAL, SortId::INT) => Ok((a, terms.mk(Op::ToReal, &[b]))),
            _ => Err(wrong(start, "only integers and reals are compared and added here")),
        }
    }

    fn sum(&mut self) -> Fallible<Value> {
        let start = self.span();
        let mut left = self.product()?;
        while let Some(symbol) = self.eat(&["+", "-"]) {
            let middle = self.span();
            let right = self.product()?;
            let (a, b) = (self.number(left, start)?, self.number(right, middle)?);
            let (a, b) = self.alike(a, b, start)?;
            let terms = &mut self.flow.terms;
            left = Value::Term(if symbol == "+" { terms.add(&[a, b]) } else { terms.sub(a, b) });
        }
        Ok(left)
    }

    fn product(&mut self) -> Fallible<Value> {
        let start = self.span();
        let mut left = self.unary()?;
        while self.eat(&["*"]).is_some() {
            let middle = self.span();
            let right = self.unary()?;
            let (a, b) = (self.number(left, start)?, self.number(right, middle)?);
            let (a, b) = self.alike(a, b, start)?;
            left = Value::Term(self.flow.terms.mul(&[a, b]));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Fallible<Value> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(wrong(self.span(), "formulas are nested too deeply here"));
        }
        let start = self.span();
        let value = if self.eat(&["!"]).is_some() {
            let inner = self.unary()?;
            let inner = self.formula(inner, start)?;
            Value::Tree(self.negated(inner))
        } else if self.eat(&["-"]).is_some() {
            let inner = self.unary()?;
            let inner = self.number(inner, start)?;
            Value::Term(self.flow.terms.neg(inner))
        } else if self.eat(&["("]).is_some() {
            let inner = self.implication()?;
            self.expect(")")?;
            inner
        } else if let Some(quantified) = self.quantified()? {
            Value::Tree(quantified)
        } else {
            self.primary()?
        };
        self.depth -= 1;
        Ok(value)
    }

    /// A formula that begins with a path quantifier, if one follows.
    fn quantified(&mut self) -> Fallible<Option<Tree>> {
        let is_bracketed = self.is("[");
        let at = self.at + usize::from(is_bracketed);
        let word = |at: usize| {
            let token = self.tokens.get(at);
            token.map_or("", |token| &self.text[token.start..token.end])
        };
        let operator = word(at);
        let runs = match operator.as_bytes().first() {
            Some(b'A') => Runs::All,
            _ => Runs::Some,
        };
        let is_variable = !is_bracketed && self.variable(operator).is_some();
        match operator {
            "AX" | "EX" | "AG" | "EG" | "AF" | "EF" | "AU" | "EU" | "AW" | "EW" if !is_variable => {
            }
            "A" | "E" if !is_bracketed && word(at + 1) == "[" => {}
            _ => return Ok(None),
        }
        self.take();
        if is_bracketed {
            self.take();
            self.expect("]")?;
        }
        let all = |this: &Self| vec![TermId::TRUE; this.flow.locations.len()];
        let none = |this: &Self| vec![TermId::FALSE; this.flow.locations.len()];
        if operator.len() == 1 {
            self.expect("[")?;
            let a = self.part()?;
            let is_until = match self.eat(&["U", "W"]) {
                Some(word) => word == "U",
                None => return Err(self.unexpected("`U` or `W`")),
            };
            let b = self.part()?;
            self.expect("]")?;
            return Ok(Some(binary(runs, is_until, a, b)));
        }
        if let "AU" | "EU" | "AW" | "EW" = operator {
            self.expect("(")?;
            let a = self.part()?;
            self.expect(",")?;
            let b = self.part()?;
            self.expect(")")?;
            return Ok(Some(binary(runs, operator.ends_with('U'), a, b)));
        }
        let start = self.span();
        let inner = self.unary()?;
        let inner = self.formula(inner, start)?;
        Ok(Some(match operator.as_bytes()[1] {
            b'X' => Tree::Next(runs, Box::new(inner)),
            b'F' => binary(runs, true, Tree::Atom(all(self)), inner),
            _ => binary(runs, false, inner, Tree::Atom(none(self))),
        }))
    }

    /// A formula that is part of a longer operator.
    fn part(&mut self) -> Fallible<Tree> {
        let start = self.span();
        let value = self.implication()?;
        self.formula(value, start)
    }

    fn variable(&self, name: &str) -> Option<TermId> {
        let name = name.strip_prefix('|').and_then(|name| name.strip_suffix('|')).unwrap_or(name);
        let terms = &self.flow.terms;
        let vars = || self.flow.vars.iter().copied();
        if let Some(var) = vars().find(|&var| terms.var_name(var) == Some(name)) {
            return Some(var);
        }
        // A variable of a program has a number behind its name.
        let is_numbered = |&var: &TermId| {
            terms.var_name(var).and_then(|own| own.rsplit_once('!')).is_some_and(
                |(stem, number)| stem == name && number.bytes().all(|byte| byte.is_ascii_digit()),
            )
        };
        let mut found = vars().filter(is_numbered);
        found.next().filter(|_| found.next().is_none())
    }

    fn primary(&mut self) -> Fallible<Value> {
        let (kind, span, word) = (self.token().kind, self.span(), self.word());
        match kind {
            Kind::Number => {
                self.take();
                let value = word.parse().map_err(|_| wrong(span, "this number is too large"))?;
                let value: i64 = value;
                Ok(Value::Term(self.flow.terms.int(value)))
            }
            Kind::Name => {
                self.take();
                if let Some(var) = self.variable(word) {
                    return Ok(Value::Term(var));
                }
                match word {
                    "true" => Ok(Value::Term(TermId::TRUE)),
                    "false" => Ok(Value::Term(TermId::FALSE)),
                    "at" => self.location().map(Value::Tree),
                    _ => Err(self.unknown(word, span)),
                }
            }
            _ => Err(self.unexpected("a formula")),
        }
    }

    fn unknown(&self, name: &str, span: Span) -> Box<Diagnostic> {
        let terms = &self.flow.terms;
        let mut names: Vec<&str> =
            self.flow.vars.iter().filter_map(|&var| terms.var_name(var)).collect();
        names.truncate(12);
        let message = format!("there is no variable `{name}`");
        Box::new(
            Diagnostic::error(Code::Temporal, span, message)
                .hint(format!("the flow has {}", names.join(", "))),
        )
    }

    /// That a run is at a location: its name in parentheses.
    fn location(&mut self) -> Fallible<Tree> {
        self.expect("(")?;
        let (span, name) = (self.span(), self.take());
        let name = name.strip_prefix('|').and_then(|name| name.strip_suffix('|')).unwrap_or(name);
        let found = self.flow.locations.iter().position(|location| location.name == name);
        let Some(found) = found else {
            return Err(wrong(span, format!("there is no location `{name}`")));
        };
        self.expect(")")?;
        let mut atoms = vec![TermId::FALSE; self.flow.locations.len()];
        atoms[found] = TermId::TRUE;
        Ok(Tree::Atom(atoms))
    }
}

fn binary(runs: Runs, is_until: bool, a: Tree, b: Tree) -> Tree {
    match is_until {
        true => Tree::Until(runs, Box::new(a), Box::new(b)),
        false => Tree::Weak(runs, Box::new(a), Box::new(b)),
    }
}

/// Adds the nodes of a formula, or of its negation.
fn normal(tree: &Tree, is_negated: bool, flow: &mut Flow, nodes: &mut Vec<Node>) -> NodeId {
    let turned = |runs: Runs| match (runs, is_negated) {
        (Runs::All, false) | (Runs::Some, true) => Runs::All,
        (Runs::Some, false) | (Runs::All, true) => Runs::Some,
    };
    let node = match tree {
        Tree::Atom(formulas) if is_negated => {
            Node::Atom(formulas.iter().map(|&formula| flow.terms.not(formula)).collect())
        }
        Tree::Atom(formulas) => Node::Atom(formulas.clone()),
        Tree::Not(inner) => return normal(inner, !is_negated, flow, nodes),
        Tree::And(a, b) | Tree::Or(a, b) => {
            let is_and = matches!(tree, Tree::And(..)) != is_negated;
            let (a, b) = (normal(a, is_negated, flow, nodes), normal(b, is_negated, flow, nodes));
            if is_and { Node::And(a, b) } else { Node::Or(a, b) }
        }
        Tree::Next(runs, a) => Node::Next(turned(*runs), normal(a, is_negated, flow, nodes)),
        Tree::Until(runs, a, b) | Tree::Weak(runs, a, b) => {
            let is_until = matches!(tree, Tree::Until(..)) != is_negated;
            let (a, b) = (normal(a, is_negated, flow, nodes), normal(b, is_negated, flow, nodes));
            let (a, b) = match is_negated {
                false => (a, b),
                // Not (a until b): not b, until neither holds.
                true => {
                    nodes.push(Node::And(a, b));
                    (b, nodes.len() - 1)
                }
            };
            let runs = turned(*runs);
            if is_until { Node::Until(runs, a, b) } else { Node::Weak(runs, a, b) }
        }
    };
    nodes.push(node);
    nodes.len() - 1
}
