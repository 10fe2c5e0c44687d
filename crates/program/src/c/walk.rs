//! Going through all nodes of a tree, from left to right.

use crate::c::tree::{Expr, ExprKind, Init, Place, PlaceKind, Stmt, StmtKind};

/// Whoever goes through a tree: each method sees a node and goes on below it by the function of its name.
pub trait Visit {
    /// A statement.
    fn stmt(&mut self, stmt: &Stmt) {
        below_stmt(self, stmt);
    }
    /// An expression.
    fn expr(&mut self, expr: &Expr) {
        below_expr(self, expr);
    }
    /// A place.
    fn place(&mut self, place: &Place) {
        below_place(self, place);
    }
    /// What an object is at first.
    fn init(&mut self, init: &Init) {
        below_init(self, init);
    }
}

/// Goes on below a statement.
pub fn below_stmt<V: Visit + ?Sized>(visit: &mut V, stmt: &Stmt) {
    match &stmt.kind {
        StmtKind::Expr(expr) | StmtKind::GotoValue(expr) | StmtKind::Return(Some(expr)) => {
            visit.expr(expr);
        }
        StmtKind::Declare(_, Some(init)) => visit.init(init),
        StmtKind::Block(stmts) => stmts.iter().for_each(|stmt| visit.stmt(stmt)),
        StmtKind::If(condition, then, otherwise) => {
            visit.expr(condition);
            visit.stmt(then);
            otherwise.iter().for_each(|stmt| visit.stmt(stmt));
        }
        StmtKind::While(condition, body) | StmtKind::Switch(condition, body) => {
            visit.expr(condition);
            visit.stmt(body);
        }
        StmtKind::DoWhile(body, condition) => {
            visit.stmt(body);
            visit.expr(condition);
        }
        StmtKind::For(begin, condition, step, body) => {
            begin.iter().for_each(|stmt| visit.stmt(stmt));
            condition.iter().for_each(|expr| visit.expr(expr));
            visit.stmt(body);
            step.iter().for_each(|expr| visit.expr(expr));
        }
        StmtKind::Case(_, _, stmt) | StmtKind::Default(stmt) | StmtKind::Label(_, stmt) => {
            visit.stmt(stmt);
        }
        StmtKind::Empty
        | StmtKind::Declare(_, None)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(None)
        | StmtKind::Goto(_)
        | StmtKind::Untreated(_) => {}
    }
}

/// Goes on below an expression.
pub fn below_expr<V: Visit + ?Sized>(visit: &mut V, expr: &Expr) {
    match &expr.kind {
        ExprKind::Load(place) | ExprKind::Address(place) | ExprKind::Decay(place) => {
            visit.place(place);
        }
        ExprKind::Step(place, _, _) => visit.place(place),
        ExprKind::Neg(a)
        | ExprKind::BitNot(a)
        | ExprKind::Not(a)
        | ExprKind::Cast(a, _)
        | ExprKind::Member(a, _) => visit.expr(a),
        ExprKind::Arith(_, a, b)
        | ExprKind::Compare(_, a, b)
        | ExprKind::Move(a, b, _)
        | ExprKind::Distance(a, b)
        | ExprKind::Both(a, b)
        | ExprKind::Either(a, b)
        | ExprKind::Comma(a, b) => {
            visit.expr(a);
            visit.expr(b);
        }
        ExprKind::Conditional(condition, then, otherwise) => {
            visit.expr(condition);
            then.iter().for_each(|expr| visit.expr(expr));
            visit.expr(otherwise);
        }
        ExprKind::Assign(place, value) | ExprKind::Update(place, _, _, value) => {
            visit.place(place);
            visit.expr(value);
        }
        ExprKind::Call(_, args) => args.iter().for_each(|arg| visit.expr(arg)),
        ExprKind::CallPointer(function, args) => {
            visit.expr(function);
            args.iter().for_each(|arg| visit.expr(arg));
        }
        ExprKind::Block(stmts) => stmts.iter().for_each(|stmt| visit.stmt(stmt)),
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Function(_)
        | ExprKind::LabelAddress(_)
        | ExprKind::SizeOf(_)
        | ExprKind::Untreated(_) => {}
    }
}

/// Goes on below a place.
pub fn below_place<V: Visit + ?Sized>(visit: &mut V, place: &Place) {
    match &place.kind {
        PlaceKind::Var(_) | PlaceKind::Text(_) => {}
        PlaceKind::Deref(pointer) => visit.expr(pointer),
        PlaceKind::Element(array, index) => {
            visit.place(array);
            visit.expr(index);
        }
        PlaceKind::Member(record, _, _) => visit.place(record),
        PlaceKind::Literal(_, init) => visit.init(init),
    }
}

/// Goes on below what an object is at first.
pub fn below_init<V: Visit + ?Sized>(visit: &mut V, init: &Init) {
    match init {
        Init::Value(expr) => visit.expr(expr),
        Init::Parts(parts) => parts.iter().for_each(|(_, expr)| visit.expr(expr)),
        Init::Text(_) => {}
    }
}

/// Whether evaluating an expression changes anything, or decides where control goes.
pub fn has_effects(expr: &Expr) -> bool {
    struct Search(bool);
    impl Visit for Search {
        fn expr(&mut self, expr: &Expr) {
            self.0 |= matches!(
                expr.kind,
                ExprKind::Assign(..)
                    | ExprKind::Update(..)
                    | ExprKind::Step(..)
                    | ExprKind::Call(..)
                    | ExprKind::CallPointer(..)
                    | ExprKind::Block(_)
            );
            if !self.0 {
                below_expr(self, expr);
            }
        }
        fn place(&mut self, place: &Place) {
            self.0 |= matches!(place.kind, PlaceKind::Literal(..));
            if !self.0 {
                below_place(self, place);
            }
        }
    }
    let mut search = Search(false);
    search.expr(expr);
    search.0
}
