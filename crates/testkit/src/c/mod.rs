//! Random C programs, for comparing how they run here with what a compiler makes of them.
//!
//! A program is text with a structure: expressions that can be replaced by smaller ones, statements that can
//! be left out. It computes with integers of all widths, in variables, arrays, structures with
//! bit-fields and through pointers, in functions with loops, jumps and tables of cases, and returns a
//! checksum of all that it changed. Every loop ends. Evaluation order never matters: what has an effect is a
//! statement of its own.
//!
//! A program is defined up to signed overflow (`-fwrapv`), except that a few shift by too much or divide by
//! zero. Others ask for values and assert, and are defined.

mod random;

pub use random::{asserting, random};

use std::fmt::Write;

/// An expression: a leaf, or pieces of text with expressions between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// A constant or a name.
    Leaf(String),
    /// An operation.
    Node(Vec<Part>),
}

/// A part of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Text.
    Text(String),
    /// An operand.
    Expr(Expr),
}

/// A statement: pieces of text, expressions, and lists of statements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stmt(pub Vec<Item>);

/// A part of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// Text.
    Text(String),
    /// An expression.
    Expr(Expr),
    /// An expression that is assigned to.
    Place(Expr),
    /// Statements, any of which can be left out.
    Body(Vec<Stmt>),
}

/// A function: its head up to the declarations, its statements, its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// The name, the parameters, the declarations of locals.
    pub head: String,
    /// The statements.
    pub body: Vec<Stmt>,
    /// The last statements, which stay.
    pub tail: String,
}

/// A program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The globals.
    pub globals: String,
    /// The functions; the last is the one to call, and returns the checksum as an `unsigned long`.
    pub functions: Vec<Function>,
    /// The name of the last one.
    pub entry: String,
}

impl Expr {
    fn print(&self, out: &mut String) {
        match self {
            Expr::Leaf(text) => out.push_str(text),
            Expr::Node(parts) => {
                for part in parts {
                    match part {
                        Part::Text(text) => out.push_str(text),
                        Part::Expr(expr) => expr.print(out),
                    }
                }
            }
        }
    }

    /// Its operands.
    fn operands(&self) -> impl Iterator<Item = &Expr> {
        let parts: &[Part] = match self {
            Expr::Leaf(_) => &[],
            Expr::Node(parts) => parts,
        };
        parts.iter().filter_map(|part| match part {
            Part::Expr(expr) => Some(expr),
            Part::Text(_) => None,
        })
    }
}

impl Stmt {
    fn print(&self, out: &mut String, indent: usize) {
        let _ = write!(out, "{:indent$}", "");
        for item in &self.0 {
            match item {
                Item::Text(text) => out.push_str(text),
                Item::Expr(expr) | Item::Place(expr) => expr.print(out),
                Item::Body(body) => {
                    out.push_str("{\n");
                    for stmt in body {
                        stmt.print(out, indent + 2);
                    }
                    let _ = write!(out, "{:indent$}}}", "");
                }
            }
        }
        out.push('\n');
    }
}

impl Program {
    /// The text of the program.
    pub fn text(&self) -> String {
        let mut out = self.globals.clone();
        for function in &self.functions {
            out.push_str(&function.head);
            for stmt in &function.body {
                stmt.print(&mut out, 2);
            }
            out.push_str(&function.tail);
        }
        out
    }
}

/// What is simpler than an expression: its operands, and 1.
pub(crate) fn simpler(expr: &Expr) -> Vec<Expr> {
    let mut all: Vec<Expr> = expr.operands().cloned().collect();
    if *expr != Expr::Leaf("1".to_owned()) {
        all.push(Expr::Leaf("1".to_owned()));
    }
    all
}
