//! Runs of trees that are made by hand: choices, loops, calls, violations.

use alphorn_problem::Span;
use alphorn_program::c::layout::{DataModel, IntKind, Signature, Type, TypeId, Types};
use alphorn_program::c::property::{Choice, Malloc, Property, Task, Violation};
use alphorn_program::c::run::{Limits, Listed, Outcome, Reason, Runnable, State, Watcher};
use alphorn_program::c::tree::{
    Arith, Compare, Expr, ExprKind, FuncId, Function, Place, PlaceKind, Stmt, StmtKind, Storage,
    Unit, VarId, Variable,
};
use std::sync::Arc;

/// A program of an `int main()` with `int` variables, and functions that are only declared.
struct Builder {
    unit: Unit,
    int: TypeId,
}

fn at(place: usize) -> Span {
    Span::new(place, place + 1)
}

impl Builder {
    fn new() -> Builder {
        let mut types = Types::new(DataModel::Lp64);
        let int = types.id(Type::Int(IntKind::Int));
        let signature =
            Signature { result: int, params: Vec::new(), is_variadic: false, is_open: true };
        types.id(Type::Function(signature));
        Builder { unit: Unit { types, ..Unit::default() }, int }
    }

    fn function(&mut self, name: &str) -> FuncId {
        let signature =
            Signature { result: self.int, params: Vec::new(), is_variadic: false, is_open: true };
        let ty = self.unit.types.id(Type::Function(signature));
        self.unit.functions.push(Function {
            name: name.to_owned(),
            ty,
            params: Vec::new(),
            body: None,
            labels: Vec::new(),
            span: Span::NONE,
            is_address_taken: false,
            is_noreturn: false,
        });
        FuncId(self.unit.functions.len() as u32 - 1)
    }

    fn var(&mut self, name: &str, storage: Storage) -> VarId {
        self.unit.vars.push(Variable {
            name: name.to_owned(),
            ty: self.int,
            storage,
            function: Some(FuncId(0)),
            init: None,
            span: Span::NONE,
            scope: Span::NONE,
            is_address_taken: false,
            is_atomic: false,
            is_thread_local: false,
        });
        VarId(self.unit.vars.len() as u32 - 1)
    }

    fn expr(&self, kind: ExprKind) -> Expr {
        Expr { kind, ty: self.int, span: at(100) }
    }

    fn int(&self, number: i128) -> Expr {
        self.expr(ExprKind::Int(number))
    }

    fn place(&self, var: VarId) -> Box<Place> {
        Box::new(Place { kind: PlaceKind::Var(var), ty: self.int, span: at(100) })
    }

    fn load(&self, var: VarId) -> Expr {
        self.expr(ExprKind::Load(self.place(var)))
    }

    fn add(&self, left: Expr, right: Expr) -> Expr {
        self.expr(ExprKind::Arith(Arith::Add, Box::new(left), Box::new(right)))
    }

    fn less(&self, left: Expr, right: Expr) -> Expr {
        self.expr(ExprKind::Compare(Compare::Lt, Box::new(left), Box::new(right)))
    }

    fn assign(&self, var: VarId, value: Expr) -> Stmt {
        let value = ExprKind::Assign(self.place(var), Box::new(value));
        stmt(StmtKind::Expr(self.expr(value)))
    }

    fn call(&self, function: FuncId, args: Vec<Expr>) -> Expr {
        self.expr(ExprKind::Call(function, args))
    }

    fn task(mut self, main: Vec<Stmt>, properties: &[Property]) -> Task {
        self.unit.functions[0].body = Some(stmt(StmtKind::Block(main)));
        Task {
            unit: Arc::new(self.unit),
            entry: FuncId(0),
            properties: properties.to_vec(),
            malloc: Malloc::Succeeds,
        }
    }
}

fn stmt(kind: StmtKind) -> Stmt {
    Stmt { kind, span: at(7) }
}

fn run(task: &Task, choices: &[Choice]) -> Outcome {
    let limits = Limits { steps: 10_000, ..Limits::default() };
    Runnable::new(task).run(&mut Listed::new(choices), limits, &mut ()).outcome
}

/// `int x = nondet(), i = 0; while (i < x) i = i + 1; if (3 < i) reach_error();`
fn counting(properties: &[Property]) -> Task {
    let mut b = Builder::new();
    b.function("main");
    let nondet = b.function("__VERIFIER_nondet_int");
    let error = b.function("reach_error");
    let (x, i) = (b.var("x", Storage::Local), b.var("i", Storage::Local));
    let main = vec![
        stmt(StmtKind::Declare(x, None)),
        stmt(StmtKind::Declare(i, None)),
        b.assign(x, b.call(nondet, Vec::new())),
        b.assign(i, b.int(0)),
        stmt(StmtKind::While(
            b.less(b.load(i), b.load(x)),
            Box::new(b.assign(i, b.add(b.load(i), b.int(1)))),
        )),
        stmt(StmtKind::If(
            b.less(b.int(3), b.load(i)),
            Box::new(stmt(StmtKind::Expr(b.call(error, Vec::new())))),
            None,
        )),
    ];
    b.task(main, properties)
}

fn values(values: &[i128]) -> Vec<Choice> {
    values.iter().map(|&value| Choice::Value(value)).collect()
}

#[test]
fn choices_decide_whether_the_error_is_reached() {
    let task = counting(&[Property::UnreachCall]);
    let violation = Violation { property: Property::UnreachCall, span: at(100) };
    assert_eq!(run(&task, &values(&[9, 9, 4])), Outcome::Violation(violation));
    assert_eq!(run(&task, &values(&[9, 9, 3])), Outcome::Finished);
    assert_eq!(run(&counting(&[]), &values(&[9, 9, 4])), Outcome::Stopped(Reason::Failed));
}

#[test]
fn choices_that_do_not_fit_are_refused() {
    let task = counting(&[Property::UnreachCall]);
    assert!(matches!(run(&task, &values(&[9, 9])), Outcome::Refused(..)));
    assert!(matches!(run(&task, &values(&[9, 9, 1 << 31])), Outcome::Refused(..)));
    let kinds = [Choice::Value(9), Choice::Allocated(true)];
    assert!(matches!(run(&task, &kinds), Outcome::Refused(..)));
}

#[test]
fn a_long_run_is_ended_by_its_limit() {
    let task = counting(&[Property::UnreachCall]);
    assert_eq!(run(&task, &values(&[0, 0, 100_000])), Outcome::Limit);
}

#[test]
fn a_signed_sum_out_of_range_is_a_violation_if_that_is_asked() {
    let mut b = Builder::new();
    b.function("main");
    let x = b.var("x", Storage::Local);
    let main = vec![
        stmt(StmtKind::Declare(x, None)),
        stmt(StmtKind::Return(Some(b.add(b.load(x), b.int(1))))),
    ];
    let unit = b.task(main, &[Property::NoOverflow]);
    let violation = Violation { property: Property::NoOverflow, span: at(100) };
    assert_eq!(run(&unit, &values(&[i128::from(i32::MAX)])), Outcome::Violation(violation));
    assert_eq!(run(&unit, &values(&[5])), Outcome::Finished);
    let unasked = Task { properties: Vec::new(), ..unit };
    assert_eq!(run(&unasked, &values(&[i128::from(i32::MAX)])), Outcome::Finished);
}

#[test]
fn a_watcher_sees_variables_at_loop_heads() {
    struct Seen(VarId, Vec<i128>);
    impl Watcher for Seen {
        fn loop_head(&mut self, _: Span, state: &State<'_>) {
            if let Some(alphorn_program::c::run::Value::Int(number)) = state.var(self.0) {
                self.1.push(number);
            }
        }
    }
    let task = counting(&[]);
    let mut seen = Seen(VarId(1), Vec::new());
    let choices = values(&[0, 0, 3]);
    let runnable = Runnable::new(&task);
    let ran = runnable.run(&mut Listed::new(&choices), Limits::default(), &mut seen);
    assert_eq!(ran.outcome, Outcome::Finished);
    assert_eq!(seen.1, [0, 1, 2, 3]);
}

#[test]
fn deep_recursion_is_limited_by_the_limit_and_not_by_the_stack() {
    // int f(int n) { return n < 1 ? 0 : f(n - 1) + 1; }
    let mut b = Builder::new();
    b.function("main");
    let f = b.function("f");
    let n = b.var("n", Storage::Parameter);
    b.unit.vars[n.0 as usize].function = Some(f);
    b.unit.functions[f.0 as usize].params = vec![n];
    let less = b.less(b.load(n), b.int(1));
    let inner = b.call(f, vec![b.add(b.load(n), b.int(-1))]);
    let more = b.add(inner, b.int(1));
    let value = ExprKind::Conditional(Box::new(less), Some(Box::new(b.int(0))), Box::new(more));
    let body = vec![stmt(StmtKind::Return(Some(b.expr(value))))];
    b.unit.functions[f.0 as usize].body = Some(stmt(StmtKind::Block(body)));
    let error = b.function("reach_error");
    let deep = b.call(f, vec![b.int(15_000)]);
    let main = vec![stmt(StmtKind::If(
        b.less(b.int(14_999), deep),
        Box::new(stmt(StmtKind::Expr(b.call(error, Vec::new())))),
        None,
    ))];
    let task = b.task(main, &[Property::UnreachCall]);
    let runnable = Runnable::new(&task);
    let ran = runnable.run(&mut Listed::new(&[]), Limits::default(), &mut ());
    assert!(matches!(ran.outcome, Outcome::Violation(_)), "{ran:?}");
    let limits = Limits { depth: 10_000, ..Limits::default() };
    assert_eq!(runnable.run(&mut Listed::new(&[]), limits, &mut ()).outcome, Outcome::Limit);
}
