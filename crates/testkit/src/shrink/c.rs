//! C programs made smaller: fewer statements, then simpler expressions.

use super::{Shrink, shorter};
use crate::c::{Expr, Item, Part, Program, Stmt, simpler};

/// Lists with fewer statements, or a smaller one.
fn smaller_bodies(body: &[Stmt]) -> Vec<Vec<Stmt>> {
    let mut all: Vec<Vec<Stmt>> = shorter(body).collect();
    for (index, stmt) in body.iter().enumerate() {
        for small in smaller_stmts(stmt) {
            let mut body = body.to_vec();
            body[index] = small;
            all.push(body);
        }
    }
    all
}

/// Statements with a smaller part.
fn smaller_stmts(stmt: &Stmt) -> Vec<Stmt> {
    let mut all = Vec::new();
    for (index, item) in stmt.0.iter().enumerate() {
        let smaller: Vec<Item> = match item {
            Item::Text(_) => continue,
            Item::Expr(expr) => smaller_exprs(expr).into_iter().map(Item::Expr).collect(),
            Item::Place(expr) => smaller_operands(expr).into_iter().map(Item::Place).collect(),
            Item::Body(body) => smaller_bodies(body).into_iter().map(Item::Body).collect(),
        };
        for small in smaller {
            let mut items = stmt.0.clone();
            items[index] = small;
            all.push(Stmt(items));
        }
    }
    all
}

/// What is simpler than an expression, and versions in which one operand is smaller.
fn smaller_exprs(expr: &Expr) -> Vec<Expr> {
    let mut all = simpler(expr);
    all.extend(smaller_operands(expr));
    all
}

/// Versions of an expression in which one operand is smaller.
fn smaller_operands(expr: &Expr) -> Vec<Expr> {
    let mut all = Vec::new();
    if let Expr::Node(parts) = expr {
        for (index, part) in parts.iter().enumerate() {
            let Part::Expr(operand) = part else { continue };
            for small in smaller_exprs(operand) {
                let mut parts = parts.clone();
                parts[index] = Part::Expr(small);
                all.push(Expr::Node(parts));
            }
        }
    }
    all
}

impl Shrink for Program {
    fn smaller(&self) -> Box<dyn Iterator<Item = Self> + '_> {
        // A function keeps its head, so that calls of it stay calls.
        Box::new((0..self.functions.len()).rev().flat_map(move |at| {
            smaller_bodies(&self.functions[at].body).into_iter().map(move |body| {
                let mut small = self.clone();
                small.functions[at].body = body;
                small
            })
        }))
    }

    fn show(&self) -> String {
        self.text()
    }
}
