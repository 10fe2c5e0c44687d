//! C programs as trees in which nothing is left unsaid.
//!
//! The reader decides what names mean, which types expressions have, and where values are converted;
//! the tree has all of it, and the place in the file of every node. Whoever runs the tree, or makes
//! formulas of it, needs no rule of promotion or conversion of their own.
//!
//! Invariant: the operands of arithmetic and comparisons have the type that the operation is done in
//! (shifts: the left one has), conditions are scalars, and whatever is assigned, passed or returned has
//! the type of where it goes. A place is read by `ExprKind::Load` and by nothing else.

pub mod evidence;
pub mod layout;
pub mod library;
pub mod lower;
pub mod property;
pub mod run;
pub mod tree;
pub mod walk;

pub use layout::{DataModel, IntKind, Type, TypeId, Types};
pub use property::Property;
pub use tree::{Expr, ExprKind, FuncId, Place, PlaceKind, Stmt, StmtKind, Unit, VarId};
