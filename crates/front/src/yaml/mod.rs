//! The part of YAML in which witnesses and task definitions are written.
//!
//! Block and flow maps and lists; plain, quoted, folded and literal scalars; comments; one document.
//! Every node keeps its place. Anchors, aliases, tags, directives and keys that are not scalars occur in no
//! file of the kind, and are errors with their place.
//!
//! Invariant: a map has no key twice.
//!
//! Source: YAML 1.2.2, chapters 6 to 8.

mod flow;
mod read;
mod scalar;

use alphorn_problem::Span;
pub use read::read;

/// A piece of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// What it is.
    pub value: Value,
    /// Where it stands.
    pub span: Span,
}

/// What a piece of a document is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Nothing, where something could stand.
    Null,
    /// Text; numbers and truth values are text, too.
    Scalar(String),
    /// A list.
    List(Vec<Node>),
    /// A map, in the order of the file.
    Map(Vec<(Key, Node)>),
}

/// A key of a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// Its text.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

impl Node {
    /// The text, if it is a scalar.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar(text) => Some(text),
            _ => None,
        }
    }

    /// The members, if it is a list.
    pub fn list(&self) -> Option<&[Node]> {
        match &self.value {
            Value::List(list) => Some(list),
            _ => None,
        }
    }

    /// The keys and what belongs to them, if it is a map.
    pub fn map(&self) -> Option<&[(Key, Node)]> {
        match &self.value {
            Value::Map(map) => Some(map),
            _ => None,
        }
    }

    /// What belongs to a key of a map.
    pub fn find(&self, key: &str) -> Option<&Node> {
        self.map()?.iter().find(|(found, _)| found.text == key).map(|(_, node)| node)
    }

    /// What it is, in a word.
    pub fn kind(&self) -> &'static str {
        match self.value {
            Value::Null => "nothing",
            Value::Scalar(_) => "a text",
            Value::List(_) => "a list",
            Value::Map(_) => "a map",
        }
    }
}
