//! What languages with infix operators have in common: tokens, operators, and their trees.
//!
//! Prolog, NTS, T2 and Boogie differ in their words and in what they mean, not in how a formula is
//! parsed. A language is a table of symbols (`Lexis`) and one of operators (`Grammar`); an expression
//! becomes a list of nodes in which operands stand before what is applied to them (`Tree`), which each
//! reader evaluates with a stack.
//!
//! Invariant: nothing recurses, so that depth is bounded by memory alone; a tree has no more nodes than
//! its text has tokens, and every node takes operands that are there.

mod arithmetic;
mod cursor;
mod expression;
mod lex;
mod numerals;
pub(crate) mod written;

pub(crate) use arithmetic::{compare, divide, remainder, same_sort};
pub(crate) use cursor::Cursor;
pub(crate) use expression::{Assoc, Grammar, Node, Shape, Tree, infix, parse};
pub(crate) use lex::{Kind, Lexis};
pub(crate) use numerals::{decimal, integer};

/// The result of reading a piece of text.
pub(crate) type Fallible<T> = Result<T, Box<crate::diag::Diagnostic>>;
