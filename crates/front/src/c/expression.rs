//! One expression of C, read as if it stood at a place of a program.
//!
//! Witnesses and properties speak about programs in expressions of their language. Names mean what they
//! mean at the place: of several variables of a name, the one whose scope began last. What changes the
//! state, or asks for a call, is refused: such an expression is a formula.
//!
//! Source: format 2.0 of SV-COMP's witnesses, "C expressions".

use super::parse::Parser;
use super::preprocess::{self, Options};
use super::scope::{Entity, Tag};
use super::token::Kind;
use super::typing::Typer;
use crate::diag::{Code, Diagnostics};
use alphorn_problem::Span;
use alphorn_program::c::tree::Storage;
use alphorn_program::c::walk::{Visit, below_expr, below_place};
use alphorn_program::c::{Expr, ExprKind, FuncId, Place, PlaceKind, Unit, VarId};

/// Reads an expression that stands at an offset of a program's file, inside a function or outside all.
///
/// Spans of what is returned, and of what is said, are places in `text`. The program gets types and
/// strings that are new in the expression, and stays as it is otherwise.
pub fn read_expression(
    unit: &mut Unit,
    function: Option<FuncId>,
    at: u32,
    text: &str,
) -> Result<Expr, Diagnostics> {
    let mut diagnostics = Diagnostics::default();
    let options = Options::new(unit.types.model);
    let tokens = preprocess::tokens(text.as_bytes(), &options, &mut diagnostics);
    let (vars, functions) = (unit.vars.len(), unit.functions.len());
    let mut parser = Parser::new(&tokens, std::mem::take(unit));
    parser.typer.report.list = diagnostics;
    parser.typer.function = function;
    // Nothing of it is ever done, so that no address is taken by it.
    parser.typer.unevaluated = 1;
    for token in &tokens.all {
        if let Kind::Name(symbol) = token.kind {
            let name = tokens.symbols.text(symbol);
            if let Some(entity) = entity(&parser.typer.unit, function, at, name) {
                parser.scopes.bind(symbol, entity);
            }
            let records = parser.typer.unit.types.records();
            let tag = records.filter(|(_, record)| record.name.as_deref() == Some(name)).last();
            if let Some((record, _)) = tag {
                parser.scopes.bind_tag(symbol, Tag::Record(record));
            }
        }
    }
    let result = parser.lone_expression();
    if let Ok(expr) = &result {
        Effects { typer: &mut parser.typer }.expr(expr);
    }
    let Typer { unit: changed, report, .. } = parser.typer;
    *unit = changed;
    unit.vars.truncate(vars);
    unit.functions.truncate(functions);
    match result {
        Ok(expr) if report.list.is_clean() => Ok(expr),
        _ => Err(report.list),
    }
}

/// What a name means at a place.
fn entity(unit: &Unit, function: Option<FuncId>, at: u32, name: &str) -> Option<Entity> {
    let covers = |scope: Span| scope.start <= at && at <= scope.end;
    let mut best: Option<(u32, Entity)> = None;
    let mut offer = |start: u32, entity: Entity| {
        if best.is_none_or(|(before, _)| before <= start) {
            best = Some((start, entity));
        }
    };
    for (index, var) in unit.vars.iter().enumerate() {
        let is_own = var.function.is_none() || var.function == function;
        if var.name == name && is_own && var.storage != Storage::Hidden && covers(var.scope) {
            // Included files stand where they are included, so globals may all begin at one place.
            let start = if var.function.is_none() { 0 } else { var.scope.start };
            offer(start, Entity::Var(VarId(index as u32)));
        }
    }
    for named in unit.named_types.iter().filter(|named| named.name == name && covers(named.scope)) {
        offer(named.scope.start, Entity::Typedef(named.ty, 0));
    }
    let constants = unit.named_constants.iter();
    for named in constants.filter(|named| named.name == name && covers(named.scope)) {
        offer(named.scope.start, Entity::Constant(named.value, named.ty));
    }
    best.map(|(_, entity)| entity).or_else(|| unit.find_function(name).map(Entity::Function))
}

/// Says what an expression does besides having a value.
struct Effects<'t> {
    typer: &'t mut Typer,
}

impl Visit for Effects<'_> {
    fn expr(&mut self, expr: &Expr) {
        let what = match &expr.kind {
            ExprKind::Assign(..) | ExprKind::Update(..) | ExprKind::Step(..) => {
                "this changes the state"
            }
            ExprKind::Call(..) | ExprKind::CallPointer(..) => "this is a call",
            ExprKind::Block(_) => "these are statements",
            ExprKind::Untreated(words) => words,
            _ => return below_expr(self, expr),
        };
        let message = format!("{what}, and an expression about a state does not have such");
        self.typer.report.error(Code::CType, expr.span, message);
    }

    fn place(&mut self, place: &Place) {
        if !matches!(place.kind, PlaceKind::Literal(..)) {
            return below_place(self, place);
        }
        let message = "this makes an object, and an expression about a state does not";
        self.typer.report.error(Code::CType, place.span, message);
    }
}
