//! The places of a program that a witness can speak about.

use alphorn_problem::Span;
use alphorn_program::c::tree::{Init, StmtKind};
use alphorn_program::c::{Expr, ExprKind, FuncId, Place, PlaceKind, Stmt, TypeId, Unit};

/// A statement.
pub(super) struct Statement {
    pub(super) span: Span,
    /// Whether it stands among others, so that more can be put before it.
    pub(super) is_in_block: bool,
}

/// What a branch is.
pub(super) enum Way {
    /// A condition.
    Condition,
    /// A `switch` with these cases.
    Switch(Vec<(i128, i128)>),
}

/// A branch.
pub(super) struct Branch {
    /// Where it stands: the first character of the statement, or the question mark.
    pub(super) at: u32,
    /// The condition.
    pub(super) condition: Span,
    pub(super) way: Way,
}

/// A loop.
pub(super) struct Loop {
    pub(super) at: u32,
    /// The condition, or, for `do`, the body.
    pub(super) condition: Option<Span>,
    pub(super) body: Span,
    pub(super) is_do: bool,
}

/// A call.
pub(super) struct Call {
    pub(super) span: Span,
    pub(super) function: Option<FuncId>,
    pub(super) result: TypeId,
}

/// All places.
#[derive(Default)]
pub(super) struct Places {
    pub(super) statements: Vec<Statement>,
    pub(super) branches: Vec<Branch>,
    pub(super) loops: Vec<Loop>,
    pub(super) calls: Vec<Call>,
}

impl Places {
    /// The places of a program with this text.
    pub(super) fn of(unit: &Unit, source: &[u8]) -> Places {
        let mut walk = Walk { source, places: Places::default(), cases: Vec::new() };
        for function in &unit.functions {
            if let Some(body) = &function.body {
                walk.statement(body, false);
            }
        }
        walk.places
    }
}

struct Walk<'a> {
    source: &'a [u8],
    places: Places,
    /// The cases of the switches around.
    cases: Vec<Vec<(i128, i128)>>,
}

impl Walk<'_> {
    fn statement(&mut self, stmt: &Stmt, is_in_block: bool) {
        let at = stmt.span.start;
        self.places.statements.push(Statement { span: stmt.span, is_in_block });
        let branch = |condition: Span, way: Way, places: &mut Places| {
            places.branches.push(Branch { at, condition, way });
        };
        match &stmt.kind {
            StmtKind::Empty
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Goto(_)
            | StmtKind::Untreated(_)
            | StmtKind::Return(None)
            | StmtKind::Declare(_, None) => {}
            StmtKind::Expr(expr) | StmtKind::Return(Some(expr)) | StmtKind::GotoValue(expr) => {
                self.expr(expr);
            }
            StmtKind::Declare(_, Some(init)) => self.init(init),
            StmtKind::Block(all) => all.iter().for_each(|inner| self.statement(inner, true)),
            StmtKind::If(condition, then, otherwise) => {
                branch(condition.span, Way::Condition, &mut self.places);
                self.expr(condition);
                self.statement(then, false);
                if let Some(otherwise) = otherwise {
                    self.statement(otherwise, false);
                }
            }
            StmtKind::While(condition, body) => {
                branch(condition.span, Way::Condition, &mut self.places);
                let (condition_span, body_span) = (Some(condition.span), body.span);
                let found = Loop { at, condition: condition_span, body: body_span, is_do: false };
                self.places.loops.push(found);
                self.expr(condition);
                self.statement(body, false);
            }
            StmtKind::DoWhile(body, condition) => {
                branch(condition.span, Way::Condition, &mut self.places);
                let (condition_span, body_span) = (Some(condition.span), body.span);
                let found = Loop { at, condition: condition_span, body: body_span, is_do: true };
                self.places.loops.push(found);
                self.statement(body, false);
                self.expr(condition);
            }
            StmtKind::For(init, condition, step, body) => {
                if let Some(condition) = condition {
                    branch(condition.span, Way::Condition, &mut self.places);
                }
                let condition_span = condition.as_ref().map(|condition| condition.span);
                let body_span = body.span;
                self.places.loops.push(Loop {
                    at,
                    condition: condition_span,
                    body: body_span,
                    is_do: false,
                });
                if let Some(init) = init {
                    // Nothing can be put before it.
                    self.inner_of_for(init);
                }
                condition.iter().for_each(|condition| self.expr(condition));
                step.iter().for_each(|step| self.expr(step));
                self.statement(body, false);
            }
            StmtKind::Switch(value, body) => {
                self.expr(value);
                self.cases.push(Vec::new());
                self.statement(body, false);
                let cases = self.cases.pop().unwrap_or_default();
                self.places.branches.push(Branch {
                    at,
                    condition: value.span,
                    way: Way::Switch(cases),
                });
            }
            StmtKind::Case(low, high, inner) => {
                if let Some(cases) = self.cases.last_mut() {
                    cases.push((*low, *high));
                }
                self.statement(inner, true);
            }
            StmtKind::Default(inner) | StmtKind::Label(_, inner) => self.statement(inner, true),
        }
    }

    fn inner_of_for(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Block(all) => all.iter().for_each(|inner| self.inner_of_for(inner)),
            StmtKind::Declare(_, Some(init)) => self.init(init),
            StmtKind::Expr(expr) => self.expr(expr),
            _ => {}
        }
    }

    fn init(&mut self, init: &Init) {
        match init {
            Init::Value(expr) => self.expr(expr),
            Init::Parts(parts) => parts.iter().for_each(|(_, expr)| self.expr(expr)),
            Init::Text(_) => {}
        }
    }

    fn place(&mut self, place: &Place) {
        match &place.kind {
            PlaceKind::Var(_) | PlaceKind::Text(_) => {}
            PlaceKind::Deref(expr) => self.expr(expr),
            PlaceKind::Element(inner, index) => {
                self.place(inner);
                self.expr(index);
            }
            PlaceKind::Member(inner, _, _) => self.place(inner),
            PlaceKind::Literal(_, init) => self.init(init),
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Function(_)
            | ExprKind::LabelAddress(_)
            | ExprKind::SizeOf(_)
            | ExprKind::Untreated(_) => {}
            ExprKind::Load(place)
            | ExprKind::Address(place)
            | ExprKind::Decay(place)
            | ExprKind::Step(place, _, _) => self.place(place),
            ExprKind::Neg(a)
            | ExprKind::BitNot(a)
            | ExprKind::Not(a)
            | ExprKind::Cast(a, _)
            | ExprKind::Member(a, _) => self.expr(a),
            ExprKind::Arith(_, a, b)
            | ExprKind::Compare(_, a, b)
            | ExprKind::Move(a, b, _)
            | ExprKind::Distance(a, b)
            | ExprKind::Both(a, b)
            | ExprKind::Either(a, b)
            | ExprKind::Comma(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Conditional(test, then, otherwise) => {
                let after = self.source.get(test.span.end as usize..).unwrap_or_default();
                if let Some(mark) = after.iter().position(|&byte| byte == b'?') {
                    let at = test.span.end + mark as u32;
                    let condition = test.span;
                    self.places.branches.push(Branch { at, condition, way: Way::Condition });
                }
                self.expr(test);
                then.iter().for_each(|then| self.expr(then));
                self.expr(otherwise);
            }
            ExprKind::Assign(place, value) | ExprKind::Update(place, _, _, value) => {
                self.place(place);
                self.expr(value);
            }
            ExprKind::Call(function, args) => {
                let function = Some(*function);
                self.places.calls.push(Call { span: expr.span, function, result: expr.ty });
                args.iter().for_each(|arg| self.expr(arg));
            }
            ExprKind::CallPointer(callee, args) => {
                self.places.calls.push(Call { span: expr.span, function: None, result: expr.ty });
                self.expr(callee);
                args.iter().for_each(|arg| self.expr(arg));
            }
            ExprKind::Block(all) => all.iter().for_each(|inner| self.statement(inner, true)),
        }
    }
}
