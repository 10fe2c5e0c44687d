//! What a grammar of infix expressions says, and the trees that are read by it.

use crate::infix::Fallible;
use crate::infix::cursor::Cursor;
use alphorn_problem::Span;

/// What happens with operators of one strength side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Assoc {
    /// `a - b - c` is `(a - b) - c`.
    Left,
    /// `a -> b -> c` is `a -> (b -> c)`.
    Right,
    /// `a and b and c` is one node with three operands.
    Chain,
    /// `a < b < c` is refused.
    None,
}

/// Infix operators that differ in nothing but how they are written.
#[derive(Debug)]
pub(crate) struct Infix {
    /// How strongly they bind.
    pub(super) power: u8,
    pub(super) assoc: Assoc,
    pub(super) words: &'static [&'static str],
}

/// A row of a grammar.
pub(crate) const fn infix(power: u8, assoc: Assoc, words: &'static [&'static str]) -> Infix {
    Infix { power, assoc, words }
}

/// The operators of a language.
#[derive(Debug)]
pub(crate) struct Grammar {
    /// Prefix operators and how strongly they bind.
    pub prefix: &'static [(&'static str, u8)],
    /// Infix operators.
    pub infix: &'static [Infix],
    /// Brackets of arguments after a name, and what closes them.
    pub calls: &'static [(&'static str, &'static str)],
    /// Whether `a[i]`, `a[i := v]` and `a[7:0]` follow any operand.
    pub has_indices: bool,
    /// Whether `if a then b else c` is an operand.
    pub has_conditional: bool,
    /// What begins a binding, such as `forall`.
    pub binders: &'static [&'static str],
    /// Takes what is bound, with what ends the list.
    pub bindings: fn(&mut Cursor<'_>) -> Fallible<()>,
    /// Words that are no names.
    pub reserved: &'static [&'static str],
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A name.
    Name,
    /// A number without a point.
    Number,
    /// A number with a point.
    Decimal,
    /// A word: its value and its width.
    Word,
    /// A text between quotes.
    Text,
    /// A name before brackets, which the node is named after; its span is that of the name.
    Call(&'static str),
    /// A prefix operator.
    Prefix(&'static str),
    /// An infix operator.
    Infix(&'static str),
    /// An index: of the array and the indices.
    Index,
    /// An update: of the array, the indices and the new value.
    Update,
    /// Bits: of the word, the upper end and the lower one.
    Bits,
    /// `if`: of the condition and the two values.
    Conditional,
    /// What a binder binds, before its body; no operand. The span is that of the list.
    Binding,
    /// A binder, of its body.
    Binder(&'static str),
}

/// A node, behind its operands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// What it is.
    pub shape: Shape,
    /// How many operands it takes.
    pub operands: usize,
    /// Where it stands: for operators that is the word.
    pub span: Span,
}

/// An expression.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    /// The nodes, each after its operands.
    pub(super) nodes: Vec<Node>,
    /// Where the expression stands.
    pub span: Span,
}

impl Tree {
    /// The value of the root, from what each node makes of those of its operands; a binding has none.
    pub(crate) fn fold<V>(
        &self,
        mut value: impl FnMut(Node, Vec<V>) -> Fallible<Option<V>>,
    ) -> Fallible<V> {
        let mut stack: Vec<V> = Vec::new();
        for node in &self.nodes {
            let operands = stack.split_off(stack.len() - node.operands);
            stack.extend(value(*node, operands)?);
        }
        Ok(stack.pop().expect("an expression has a root"))
    }
}
