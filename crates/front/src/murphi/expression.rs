//! Expressions and types of Murphi, by precedence: `? :`, `->`, `|`, `&`, `!`, comparisons, sums, products.

use super::parse::Parser;
use super::tree::{Binary, Expr, ExprKind, Over, Range, TypeKind, TypeTree};
use crate::infix::{Fallible, Kind};
use alphorn_problem::Span;

/// The infix operators, the weakest first; each level goes from left to right.
const LEVELS: [&[(&str, Binary)]; 5] = [
    &[("|", Binary::Or)],
    &[("&", Binary::And)],
    &[
        ("=", Binary::Equal),
        ("!=", Binary::Different),
        ("<=", Binary::AtMost),
        (">=", Binary::AtLeast),
        ("<", Binary::Less),
        (">", Binary::More),
    ],
    &[("+", Binary::Add), ("-", Binary::Sub)],
    &[("*", Binary::Mul), ("/", Binary::Div), ("%", Binary::Rem)],
];

/// The level of comparisons, in front of which `!` stands.
const COMPARISONS: usize = 2;

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Fallible<Expr> {
        self.deeper(|parser| {
            let condition = parser.implication()?;
            if parser.cursor.eat("?").is_none() {
                return Ok(condition);
            }
            let then = parser.expr()?;
            parser.cursor.expect(":")?;
            let otherwise = parser.expr()?;
            let span = condition.span;
            let kind =
                ExprKind::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise));
            Ok(parser.made(span, kind))
        })
    }

    fn implication(&mut self) -> Fallible<Expr> {
        let left = self.level(0)?;
        if self.cursor.eat("->").is_none() {
            return Ok(left);
        }
        let right = self.deeper(Self::implication)?;
        let span = left.span;
        Ok(self.made(span, ExprKind::Binary(Binary::Implies, Box::new(left), Box::new(right))))
    }

    fn level(&mut self, level: usize) -> Fallible<Expr> {
        if level == LEVELS.len() {
            return self.unary();
        }
        if level == COMPARISONS && self.cursor.is("!") {
            let span = self.cursor.take().span;
            let operand = self.deeper(|parser| parser.level(level))?;
            return Ok(self.made(span, ExprKind::Not(Box::new(operand))));
        }
        let mut left = self.level(level + 1)?;
        loop {
            let found = LEVELS[level].iter().find(|(symbol, _)| self.cursor.is(symbol));
            let Some(&(_, op)) = found else { return Ok(left) };
            self.cursor.take();
            let is_negated = self.cursor.is("!");
            let right = match is_negated {
                true => self.level(COMPARISONS)?,
                false => self.level(level + 1)?,
            };
            let span = left.span;
            left = self.made(span, ExprKind::Binary(op, Box::new(left), Box::new(right)));
        }
    }

    fn unary(&mut self) -> Fallible<Expr> {
        let span = self.cursor.peek().span;
        if self.cursor.eat("-").is_some() {
            let operand = self.deeper(Self::unary)?;
            return Ok(self.made(span, ExprKind::Neg(Box::new(operand))));
        }
        if self.cursor.eat("!").is_some() {
            let operand = self.deeper(Self::unary)?;
            return Ok(self.made(span, ExprKind::Not(Box::new(operand))));
        }
        self.primary()
    }

    fn primary(&mut self) -> Fallible<Expr> {
        let token = self.cursor.peek();
        match token.kind {
            Kind::Number => {
                self.cursor.take();
                let value = self.cursor.text(token.span).parse().ok();
                let value = value.filter(|value: &i64| *value <= i64::from(i32::MAX));
                let Some(value) = value else {
                    return Err(self.error(token.span, "this number has more than 31 bits"));
                };
                Ok(self.made(token.span, ExprKind::Number(value)))
            }
            Kind::Symbol("(") => {
                self.cursor.take();
                let inner = self.expr()?;
                self.cursor.expect(")")?;
                Ok(inner)
            }
            Kind::Name if self.cursor.is("forall") || self.cursor.is("exists") => {
                let is_forall = self.cursor.is("forall");
                self.cursor.take();
                let over = Box::new(self.over()?);
                self.cursor.expect("do")?;
                let body = Box::new(self.expr()?);
                self.end(&["endforall", "endexists"])?;
                let kind = match is_forall {
                    true => ExprKind::Forall(over, body),
                    false => ExprKind::Exists(over, body),
                };
                Ok(self.made(token.span, kind))
            }
            Kind::Name if self.cursor.is("isundefined") => {
                self.cursor.take();
                self.cursor.expect("(")?;
                let place = Box::new(self.designator()?);
                self.cursor.expect(")")?;
                Ok(self.made(token.span, ExprKind::IsUndefined(place)))
            }
            Kind::Name if self.cursor.peek_second().kind == Kind::Symbol("(") => {
                let (name, span) = self.name("a function")?;
                let args = self.args()?;
                Ok(self.made(span, ExprKind::Call(name, args)))
            }
            Kind::Name => self.designator(),
            _ => Err(self.cursor.unexpected("an expression")),
        }
    }

    /// A place: a name with fields and indices.
    pub(super) fn designator(&mut self) -> Fallible<Expr> {
        let (name, span) = self.name("a variable")?;
        let mut place = Expr { kind: ExprKind::Name(name), span };
        for _ in 0..super::MAX_DEPTH {
            if self.cursor.eat(".").is_some() {
                let (field, _) = self.name("a field")?;
                place = self.made(span, ExprKind::Field(Box::new(place), field));
            } else if self.cursor.eat("[").is_some() {
                let index = self.expr()?;
                self.cursor.expect("]")?;
                place = self.made(span, ExprKind::Index(Box::new(place), Box::new(index)));
            } else {
                return Ok(place);
            }
        }
        Err(self.error(span, "this place lies too deep"))
    }

    pub(super) fn args(&mut self) -> Fallible<Vec<Expr>> {
        self.cursor.expect("(")?;
        let mut args = Vec::new();
        while self.cursor.eat(")").is_none() {
            if !args.is_empty() {
                self.cursor.expect(",")?;
            }
            args.push(self.expr()?);
        }
        Ok(args)
    }

    /// `i : type` or `i := 1 to 3 by 2`.
    pub(super) fn over(&mut self) -> Fallible<Over> {
        let (name, span) = self.name("a name")?;
        let range = if self.cursor.eat(":=").is_some() {
            let first = self.expr()?;
            self.cursor.expect("to")?;
            let last = self.expr()?;
            let by = self.cursor.eat("by").map(|_| self.expr()).transpose()?;
            Range::Numbers(first, last, by)
        } else {
            self.cursor.expect(":")?;
            Range::Type(self.ty()?)
        };
        Ok(Over { name, range, span })
    }

    pub(super) fn ty(&mut self) -> Fallible<TypeTree> {
        self.deeper(Self::type_inside)
    }

    fn type_inside(&mut self) -> Fallible<TypeTree> {
        let span = self.cursor.peek().span;
        let kind = if self.cursor.eat("enum").is_some() {
            self.cursor.expect("{")?;
            let mut names = vec![self.name("a value")?];
            while self.cursor.eat(",").is_some() && !self.cursor.is("}") {
                names.push(self.name("a value")?);
            }
            self.cursor.expect("}")?;
            TypeKind::Enum(names)
        } else if self.cursor.eat("scalarset").is_some() {
            self.cursor.expect("(")?;
            let size = self.expr()?;
            self.cursor.expect(")")?;
            TypeKind::Scalarset(size)
        } else if self.cursor.eat("union").is_some() {
            self.cursor.expect("{")?;
            let mut parts = vec![self.ty()?];
            while self.cursor.eat(",").is_some() {
                parts.push(self.ty()?);
            }
            self.cursor.expect("}")?;
            TypeKind::Union(parts)
        } else if self.cursor.eat("array").is_some() {
            self.cursor.expect("[")?;
            let index = self.ty()?;
            self.cursor.expect("]")?;
            self.cursor.expect("of")?;
            TypeKind::Array(Box::new(index), Box::new(self.ty()?))
        } else if self.cursor.eat("record").is_some() {
            TypeKind::Record(self.fields()?)
        } else if self.cursor.is("multiset") {
            return Err(self.untreated(span, "multisets are not treated"));
        } else if self.cursor.peek().kind == Kind::Name
            && self.cursor.peek_second().kind != Kind::Symbol("..")
            && !self.is_sum_ahead()
        {
            TypeKind::Name(self.name("a type")?.0)
        } else {
            let first = self.level(COMPARISONS + 1)?;
            self.cursor.expect("..")?;
            TypeKind::Range(first, self.level(COMPARISONS + 1)?)
        };
        Ok(TypeTree { kind, span: self.cursor.span_from(span) })
    }

    /// Whether a sum begins with the name ahead, as in `N-1 .. N+1`.
    fn is_sum_ahead(&self) -> bool {
        let next = self.cursor.peek_second().kind;
        ["+", "-", "*", "/", "%"].iter().any(|symbol| next == Kind::Symbol(symbol))
    }

    fn fields(&mut self) -> Fallible<Vec<(Vec<String>, TypeTree)>> {
        let mut fields = Vec::new();
        while !self.is_end(&["endrecord"]) {
            let mut names = vec![self.name("a field")?.0];
            while self.cursor.eat(",").is_some() {
                names.push(self.name("a field")?.0);
            }
            self.cursor.expect(":")?;
            fields.push((names, self.ty()?));
            if self.cursor.eat(";").is_none() && !self.is_end(&["endrecord"]) {
                return Err(self.cursor.unexpected("`;`"));
            }
        }
        self.end(&["endrecord"])?;
        Ok(fields)
    }

    pub(super) fn made(&self, start: Span, kind: ExprKind) -> Expr {
        Expr { kind, span: self.cursor.span_from(start) }
    }
}
