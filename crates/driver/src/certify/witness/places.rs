//! The places of a program that a witness can speak about.

use alphorn_problem::Span;
use alphorn_program::c::tree::StmtKind;
use alphorn_program::c::walk::{Visit, below_expr, below_stmt};
use alphorn_program::c::{Expr, ExprKind, FuncId, Stmt, TypeId, Unit};

/// A statement that a witness can point at.
pub(super) struct Statement {
    pub(super) span: Span,
    /// Whether it stands among others, so that more can be put before it.
    pub(super) is_in_block: bool,
}

/// Which kind of branch it is: this decides what its outcomes are called.
pub(super) enum Way {
    /// A condition.
    Condition,
    /// A `switch` with these cases.
    Switch(Vec<(i128, i128)>),
}

/// A place where a run goes one of several ways.
pub(super) struct Branch {
    /// Where it stands: the first character of the statement, or the question mark.
    pub(super) at: u32,
    /// Where the condition stands that decides it.
    pub(super) condition: Span,
    pub(super) way: Way,
}

/// A loop at whose head a witness can state an invariant.
pub(super) struct Loop {
    pub(super) at: u32,
    /// The condition, or, for `do`, the body.
    pub(super) condition: Option<Span>,
    pub(super) body: Span,
    pub(super) is_do: bool,
}

/// A call that a witness can point at, before it or after it.
pub(super) struct Call {
    pub(super) span: Span,
    pub(super) function: Option<FuncId>,
    pub(super) result: TypeId,
}

/// All places of a program that witnesses speak of.
#[derive(Default)]
pub(super) struct Places {
    pub(super) statements: Vec<Statement>,
    pub(super) branches: Vec<Branch>,
    pub(super) loops: Vec<Loop>,
    pub(super) calls: Vec<Call>,
    /// The statements behind labels, by their positions.
    pub(super) labelled: Vec<usize>,
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
    /// A statement that stands in the text: among others, so that more can be put before it, or alone.
    fn statement(&mut self, stmt: &Stmt, is_in_block: bool) {
        let span = stmt.span;
        self.places.statements.push(Statement { span, is_in_block });
        self.stmt(stmt);
    }

    /// Nothing can be put before what stands here.
    fn begin_of_for(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Block(all) => all.iter().for_each(|inner| self.begin_of_for(inner)),
            _ => self.stmt(stmt),
        }
    }

    fn branch(&mut self, at: u32, condition: Span, way: Way) {
        self.places.branches.push(Branch { at, condition, way });
    }
}

/// `stmt` goes on below a statement; whether it is listed is decided by `statement`.
impl Visit for Walk<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        let at = stmt.span.start;
        let (condition, body, is_do) = match &stmt.kind {
            StmtKind::While(condition, body) => (Some(condition), body, false),
            StmtKind::DoWhile(body, condition) => (Some(condition), body, true),
            StmtKind::For(begin, condition, step, body) => {
                begin.iter().for_each(|begin| self.begin_of_for(begin));
                step.iter().for_each(|step| self.expr(step));
                (condition.as_ref(), body, false)
            }
            StmtKind::If(condition, then, otherwise) => {
                self.branch(at, condition.span, Way::Condition);
                self.expr(condition);
                self.statement(then, false);
                otherwise.iter().for_each(|otherwise| self.statement(otherwise, false));
                return;
            }
            StmtKind::Switch(value, body) => {
                self.expr(value);
                self.cases.push(Vec::new());
                self.statement(body, false);
                let cases = self.cases.pop().unwrap_or_default();
                return self.branch(at, value.span, Way::Switch(cases));
            }
            StmtKind::Block(all) => {
                return all.iter().for_each(|inner| self.statement(inner, true));
            }
            StmtKind::Case(low, high, inner) => {
                if let Some(cases) = self.cases.last_mut() {
                    cases.push((*low, *high));
                }
                return self.statement(inner, true);
            }
            StmtKind::Default(inner) => return self.statement(inner, true),
            StmtKind::Label(_, inner) => {
                self.places.labelled.push(self.places.statements.len());
                return self.statement(inner, true);
            }
            _ => return below_stmt(self, stmt),
        };
        if let Some(condition) = condition {
            self.branch(at, condition.span, Way::Condition);
        }
        let condition_span = condition.map(|condition| condition.span);
        self.places.loops.push(Loop { at, condition: condition_span, body: body.span, is_do });
        condition.iter().for_each(|condition| self.expr(condition));
        self.statement(body, false);
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Conditional(test, ..) => {
                let after = self.source.get(test.span.end as usize..).unwrap_or_default();
                if let Some(mark) = after.iter().position(|&byte| byte == b'?') {
                    self.branch(test.span.end + mark as u32, test.span, Way::Condition);
                }
            }
            ExprKind::Call(function, _) => {
                let function = Some(*function);
                self.places.calls.push(Call { span: expr.span, function, result: expr.ty });
            }
            ExprKind::CallPointer(..) => {
                self.places.calls.push(Call { span: expr.span, function: None, result: expr.ty });
            }
            ExprKind::Block(all) => {
                return all.iter().for_each(|inner| self.statement(inner, true));
            }
            _ => {}
        }
        below_expr(self, expr);
    }
}
