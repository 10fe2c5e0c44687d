//! Expressions, parsed by the precedence of operators.
//!
//! Operators wait on a stack until one that binds weaker, or a closing bracket, comes; then they are put
//! out after their operands. What comes out is a list that an evaluator reads from left to right.
//!
//! After Dijkstra, "Algol 60 translation" (1961), the shunting-yard.

mod grammar;

use super::Fallible;
use super::cursor::Cursor;
use super::lex::Kind;
use alphorn_problem::Span;
pub(crate) use grammar::{Assoc, Grammar, Infix, Node, Shape, Tree, infix};

/// What waits on the stack.
enum Waiting {
    Prefix { word: &'static str, power: u8, span: Span },
    Infix { word: &'static str, power: u8, assoc: Assoc, operands: usize, span: Span },
    Group,
    Call { open: &'static str, close: &'static str, name: Span, arguments: usize },
    Index { shape: Shape, operands: usize, span: Span },
    If { span: Span },
    Then { span: Span },
    Else { span: Span },
    Binder { word: &'static str, span: Span },
}

struct Parser<'g, 'c, 't> {
    grammar: &'g Grammar,
    cursor: &'c mut Cursor<'t>,
    nodes: Vec<Node>,
    waiting: Vec<Waiting>,
}

/// Parses the expression at the cursor, up to the first token that cannot belong to it.
pub(crate) fn parse(cursor: &mut Cursor<'_>, grammar: &Grammar) -> Fallible<Tree> {
    let start = cursor.peek().span;
    let mut parser = Parser { grammar, cursor, nodes: Vec::new(), waiting: Vec::new() };
    loop {
        while !parser.operand()? {}
        if !parser.after_operand()? {
            let span = parser.cursor.span_from(start);
            return Ok(Tree { nodes: parser.nodes, span });
        }
    }
}

impl Parser<'_, '_, '_> {
    fn put(&mut self, shape: Shape, operands: usize, span: Span) {
        self.nodes.push(Node { shape, operands, span });
    }

    /// The word among `words` that is ahead.
    fn ahead<T>(
        &self,
        words: &'static [T],
        word: impl Fn(&T) -> &'static str,
    ) -> Option<&'static T> {
        words.iter().find(|entry| self.cursor.is(word(entry)))
    }

    /// Takes what stands where an operand is expected; whether that was an operand.
    fn operand(&mut self) -> Fallible<bool> {
        let grammar = self.grammar;
        let token = self.cursor.peek();
        let is_literal =
            matches!(token.kind, Kind::Text | Kind::Number | Kind::Decimal | Kind::Word);
        if let Some(&(word, power)) = self.ahead(grammar.prefix, |entry| entry.0) {
            self.cursor.take();
            self.waiting.push(Waiting::Prefix { word, power, span: token.span });
        } else if let Some(&word) = self.ahead(grammar.binders, |word| word) {
            self.cursor.take();
            let start = self.cursor.peek().span;
            (grammar.bindings)(self.cursor)?;
            self.put(Shape::Binding, 0, self.cursor.span_from(start));
            self.waiting.push(Waiting::Binder { word, span: token.span });
        } else if grammar.has_conditional && self.cursor.eat("if").is_some() {
            self.waiting.push(Waiting::If { span: token.span });
        } else if self.cursor.eat("(").is_some() {
            self.waiting.push(Waiting::Group);
        } else if is_literal {
            let shape = match self.cursor.take().kind {
                Kind::Text => Shape::Text,
                Kind::Decimal => Shape::Decimal,
                Kind::Word => Shape::Word,
                _ => Shape::Number,
            };
            self.put(shape, 0, token.span);
            return Ok(true);
        } else if token.kind == Kind::Name && self.ahead(grammar.reserved, |word| word).is_none() {
            self.cursor.take();
            return Ok(self.name(token.span));
        } else {
            return Err(self.cursor.unexpected("an expression"));
        }
        Ok(false)
    }

    /// A name was taken; whether it is an operand already, or its arguments follow.
    fn name(&mut self, name: Span) -> bool {
        let Some(&(open, close)) = self.ahead(self.grammar.calls, |entry| entry.0) else {
            self.put(Shape::Name, 0, name);
            return true;
        };
        self.cursor.take();
        if self.cursor.eat(close).is_some() {
            self.put(Shape::Call(open), 0, name);
            return true;
        }
        self.waiting.push(Waiting::Call { open, close, name, arguments: 1 });
        false
    }

    /// Takes what stands behind an operand; whether another operand must follow.
    fn after_operand(&mut self) -> Fallible<bool> {
        loop {
            let span = self.cursor.peek().span;
            if self.grammar.has_indices && self.cursor.eat("[").is_some() {
                self.waiting.push(Waiting::Index { shape: Shape::Index, operands: 2, span });
                return Ok(true);
            }
            if self.separator() {
                return Ok(true);
            }
            let mut rows = self.grammar.infix.iter();
            let word_of =
                |row: &'static Infix| self.ahead(row.words, |word| word).map(|&word| (word, row));
            if let Some((word, row)) = rows.find_map(word_of) {
                self.cursor.take();
                self.infix(word, row, span)?;
                return Ok(true);
            }
            if !self.close()? {
                return Ok(false);
            }
        }
    }

    /// The innermost bracket that is open.
    fn bracket(&self) -> Option<usize> {
        let is_bracket = |waiting: &Waiting| {
            !matches!(
                waiting,
                Waiting::Prefix { .. }
                    | Waiting::Infix { .. }
                    | Waiting::Binder { .. }
                    | Waiting::Else { .. }
            )
        };
        self.waiting.iter().rposition(is_bracket)
    }

    /// Takes a comma between arguments, and what stands between the parts of an index or a conditional.
    fn separator(&mut self) -> bool {
        let Some(at) = self.bracket() else { return false };
        let separator = match &self.waiting[at] {
            Waiting::Call { .. } => self.cursor.is(","),
            Waiting::Index { shape: Shape::Index, .. } => {
                [",", ":=", ":"].iter().any(|word| self.cursor.is(word))
            }
            Waiting::If { .. } => self.cursor.is("then"),
            Waiting::Then { .. } => self.cursor.is("else"),
            _ => false,
        };
        if !separator {
            return false;
        }
        self.reduce_to(at);
        let is_update = self.cursor.is(":=");
        let is_bits = self.cursor.is(":");
        self.cursor.take();
        match self.waiting.last_mut() {
            Some(Waiting::Call { arguments, .. }) => *arguments += 1,
            Some(Waiting::Index { shape, operands, .. }) => {
                *operands += 1;
                if is_update {
                    *shape = Shape::Update;
                } else if is_bits {
                    *shape = Shape::Bits;
                }
            }
            Some(waiting) => {
                let next = match *waiting {
                    Waiting::If { span } => Waiting::Then { span },
                    Waiting::Then { span } => Waiting::Else { span },
                    _ => unreachable!("a separator belongs to a bracket that has parts"),
                };
                *waiting = next;
            }
            None => unreachable!("a separator belongs to a bracket"),
        }
        true
    }

    /// Takes a closing bracket; whether there was one that closes what is open.
    fn close(&mut self) -> Fallible<bool> {
        let Some(at) = self.bracket() else {
            while !self.waiting.is_empty() {
                self.put_out();
            }
            return Ok(false);
        };
        let close = match &self.waiting[at] {
            Waiting::Group => ")",
            Waiting::Call { close, .. } => close,
            Waiting::Index { .. } => "]",
            Waiting::If { .. } => "then",
            _ => "else",
        };
        if !self.cursor.is(close) {
            let expected = self.cursor.unexpected(&format!("`{close}` or an operator"));
            return Err(expected);
        }
        self.reduce_to(at);
        self.cursor.take();
        match self.waiting.pop() {
            Some(Waiting::Call { open, name, arguments, .. }) => {
                self.put(Shape::Call(open), arguments, name);
            }
            Some(Waiting::Index { shape, operands, span }) => self.put(shape, operands, span),
            _ => {}
        }
        Ok(true)
    }

    /// Puts out all operators above position `at` of the stack.
    fn reduce_to(&mut self, at: usize) {
        while self.waiting.len() > at + 1 {
            self.put_out();
        }
    }

    /// Puts out operators that bind at least as strongly as `power`; nothing stops at brackets.
    fn reduce(&mut self, power: u8) {
        while let Some(Waiting::Prefix { power: top, .. } | Waiting::Infix { power: top, .. }) =
            self.waiting.last()
            && *top >= power
        {
            self.put_out();
        }
    }

    /// Puts out the last operator that waits.
    fn put_out(&mut self) {
        match self.waiting.pop() {
            Some(Waiting::Prefix { word, span, .. }) => self.put(Shape::Prefix(word), 1, span),
            Some(Waiting::Infix { word, operands, span, .. }) => {
                self.put(Shape::Infix(word), operands, span);
            }
            Some(Waiting::Binder { word, span }) => self.put(Shape::Binder(word), 1, span),
            Some(Waiting::Else { span }) => self.put(Shape::Conditional, 3, span),
            _ => {}
        }
    }

    /// An infix operator was taken.
    fn infix(&mut self, word: &'static str, row: &Infix, span: Span) -> Fallible<()> {
        let Infix { power, assoc, .. } = *row;
        self.reduce(power.saturating_add(1));
        if let Some(Waiting::Infix { word: top, power: strength, assoc: side, operands, .. }) =
            self.waiting.last_mut()
            && *strength == power
        {
            if assoc == Assoc::None || *side == Assoc::None {
                let message = format!("`{top}` and `{word}` side by side: which comes first?");
                let diagnostic = crate::diag::Diagnostic::error(self.cursor.code(), span, message);
                return Err(Box::new(diagnostic.hint("add parentheses")));
            }
            if assoc == Assoc::Chain && *top == word {
                *operands += 1;
                return Ok(());
            }
        }
        if assoc != Assoc::Right {
            self.reduce(power);
        }
        self.waiting.push(Waiting::Infix { word, power, assoc, operands: 2, span });
        Ok(())
    }
}
