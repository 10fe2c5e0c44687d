//! What a Murphi model says, as it is written.

use alphorn_problem::Span;

/// An expression.
#[derive(Clone, Debug)]
pub(super) struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum ExprKind {
    Number(i64),
    Name(String),
    Field(Box<Expr>, String),
    Index(Box<Expr>, Box<Expr>),
    Call(String, Vec<Expr>),
    Not(Box<Expr>),
    Neg(Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    Forall(Box<Over>, Box<Expr>),
    Exists(Box<Over>, Box<Expr>),
    IsUndefined(Box<Expr>),
}

/// An operator between two expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binary {
    Implies,
    Or,
    And,
    Equal,
    Different,
    Less,
    AtMost,
    More,
    AtLeast,
    Add,
    Sub,
    Mul,
    Div,
    Rem,
}

/// A name that stands for each value in turn.
#[derive(Clone, Debug)]
pub(super) struct Over {
    pub name: String,
    pub range: Range,
    pub span: Span,
}

/// The values that a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Range {
    /// All of a type.
    Type(TypeTree),
    /// From the first to the second, by the third.
    Numbers(Expr, Expr, Option<Expr>),
}

/// A type.
#[derive(Clone, Debug)]
pub(super) struct TypeTree {
    pub kind: TypeKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum TypeKind {
    Name(String),
    Range(Expr, Expr),
    Enum(Vec<(String, Span)>),
    Scalarset(Expr),
    Union(Vec<TypeTree>),
    Array(Box<TypeTree>, Box<TypeTree>),
    Record(Vec<(Vec<String>, TypeTree)>),
}

/// A declaration.
#[derive(Clone, Debug)]
pub(super) enum Declaration {
    Const(String, Expr, Span),
    Type(String, TypeTree, Span),
    Vars(Vec<(String, Span)>, TypeTree),
}

/// A statement.
#[derive(Clone, Debug)]
pub(super) struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum StmtKind {
    Assign(Expr, Expr),
    /// Conditions with what is done, and what is done otherwise.
    If(Vec<(Expr, Vec<Stmt>)>, Vec<Stmt>),
    Switch(Expr, Vec<(Vec<Expr>, Vec<Stmt>)>, Vec<Stmt>),
    For(Over, Vec<Stmt>),
    While(Expr, Vec<Stmt>),
    Alias(Vec<(String, Expr)>, Vec<Stmt>),
    Call(String, Vec<Expr>),
    Clear(Expr),
    Undefine(Expr),
    Error,
    Assert(Expr),
    Return(Option<Expr>),
    /// What only prints.
    Nothing,
}

/// A parameter of a procedure.
#[derive(Clone, Debug)]
pub(super) struct Param {
    pub name: String,
    /// Whether the place is handed over, and not its value.
    pub is_var: bool,
    pub ty: TypeTree,
}

/// A procedure, or a function if it has a result.
#[derive(Clone, Debug)]
pub(super) struct Procedure {
    pub name: String,
    pub params: Vec<Param>,
    pub result: Option<TypeTree>,
    pub body: Body,
    pub span: Span,
}

/// Statements with their own declarations.
#[derive(Clone, Debug, Default)]
pub(super) struct Body {
    pub declarations: Vec<Declaration>,
    pub stmts: Vec<Stmt>,
}

/// A rule, a start state or a property.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub name: Option<String>,
    pub kind: RuleKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum RuleKind {
    Step(Option<Expr>, Body),
    Start(Body),
    Invariant(Expr),
    /// From every reachable state one can come to where something is so.
    Liveness(Expr),
    /// Only runs on which this is so count.
    Assume(Expr),
    Ruleset(Vec<Over>, Vec<Rule>),
    Alias(Vec<(String, Expr)>, Vec<Rule>),
}

/// A model.
#[derive(Clone, Debug, Default)]
pub(super) struct File {
    pub declarations: Vec<Declaration>,
    pub procedures: Vec<Procedure>,
    pub rules: Vec<Rule>,
}
