//! Trees as text, for comparison.

use super::unit;
use alphorn_program::Unit;
use alphorn_program::c::tree::{Init, Stmt, StmtKind};
use alphorn_program::c::{DataModel, Expr, ExprKind, Place, PlaceKind, Type, TypeId};

/// A type, briefly.
pub fn ty(unit: &Unit, id: TypeId) -> String {
    match unit.types.get(id) {
        Type::Int(kind) => kind.name().replace("unsigned ", "u").replace("long long", "llong"),
        Type::Pointer(target) => format!("{}*", ty(unit, *target)),
        Type::Array(element, length) => format!("{}[{length:?}]", ty(unit, *element)),
        Type::Record(record) => unit.types.record(*record).name.clone().unwrap_or_default(),
        other => format!("{other:?}").to_lowercase(),
    }
}

/// An expression: operators with the type of their value, then their operands.
pub fn expr(unit: &Unit, e: &Expr) -> String {
    let go = |e: &Expr| expr(unit, e);
    let t = ty(unit, e.ty);
    match &e.kind {
        ExprKind::Int(value) => format!("{value}:{t}"),
        ExprKind::Float(text) => format!("{text}:{t}"),
        ExprKind::Load(p) => place(unit, p),
        ExprKind::Address(p) => format!("&{}", place(unit, p)),
        ExprKind::Decay(p) => format!("decay({})", place(unit, p)),
        ExprKind::Function(f) => format!("fn {}", unit.function(*f).name),
        ExprKind::LabelAddress(label) => format!("label {}", label.0),
        ExprKind::Neg(a) => format!("neg:{t}({})", go(a)),
        ExprKind::BitNot(a) => format!("~:{t}({})", go(a)),
        ExprKind::Not(a) => format!("!({})", go(a)),
        ExprKind::Arith(op, a, b) => format!("{}:{t}({}, {})", op.text(), go(a), go(b)),
        ExprKind::Compare(op, a, b) => format!("{}({}, {})", op.text(), go(a), go(b)),
        ExprKind::Move(a, b, up) => {
            format!("move{}({}, {})", if *up { "+" } else { "-" }, go(a), go(b))
        }
        ExprKind::Distance(a, b) => format!("distance:{t}({}, {})", go(a), go(b)),
        ExprKind::Both(a, b) => format!("both({}, {})", go(a), go(b)),
        ExprKind::Either(a, b) => format!("either({}, {})", go(a), go(b)),
        ExprKind::Conditional(c, a, b) => {
            let a = a.as_ref().map_or("-".to_owned(), |a| go(a));
            format!("if:{t}({}, {a}, {})", go(c), go(b))
        }
        ExprKind::Cast(a, written) => {
            format!("{}:{t}({})", if *written { "cast" } else { "as" }, go(a))
        }
        ExprKind::Assign(p, a) => format!("set({}, {})", place(unit, p), go(a)),
        ExprKind::Update(p, op, computed, a) => {
            format!("{}=:{}({}, {})", op.text(), ty(unit, *computed), place(unit, p), go(a))
        }
        ExprKind::Step(p, up, before) => {
            let op = if *up { "++" } else { "--" };
            if *before {
                format!("{op}{}", place(unit, p))
            } else {
                format!("{}{op}", place(unit, p))
            }
        }
        ExprKind::Comma(a, b) => format!("comma({}, {})", go(a), go(b)),
        ExprKind::Call(f, args) => {
            let args: Vec<String> = args.iter().map(go).collect();
            format!("{}:{t}({})", unit.function(*f).name, args.join(", "))
        }
        ExprKind::CallPointer(p, args) => {
            let args: Vec<String> = args.iter().map(go).collect();
            format!("call:{t}({}; {})", go(p), args.join(", "))
        }
        ExprKind::Block(list) => {
            let list: Vec<String> = list.iter().map(|s| stmt(unit, s)).collect();
            format!("block:{t}({})", list.join(" "))
        }
        ExprKind::SizeOf(of) => format!("sizeof({})", ty(unit, *of)),
        ExprKind::Member(a, index) => format!("member({}, {index})", go(a)),
        ExprKind::Untreated(words) => format!("untreated:{t}({words})"),
    }
}

/// A place.
pub fn place(unit: &Unit, p: &Place) -> String {
    match &p.kind {
        PlaceKind::Var(var) => unit.var(*var).name.clone(),
        PlaceKind::Deref(pointer) => format!("*{}", expr(unit, pointer)),
        PlaceKind::Element(array, index) => {
            format!("{}[{}]", place(unit, array), expr(unit, index))
        }
        PlaceKind::Member(inner, _, index) => format!("{}.{index}", place(unit, inner)),
        PlaceKind::Text(text) => format!("text {text}"),
        PlaceKind::Literal(_, value) => format!("literal {}", init(unit, value)),
    }
}

/// An initialiser.
pub fn init(unit: &Unit, value: &Init) -> String {
    match value {
        Init::Value(value) => expr(unit, value),
        Init::Text(text) => format!("text {text}"),
        Init::Parts(parts) => {
            let parts: Vec<String> = (parts.iter())
                .map(|(path, value)| format!("{path:?}={}", expr(unit, value)))
                .collect();
            format!("{{{}}}", parts.join(" "))
        }
    }
}

/// A statement.
pub fn stmt(unit: &Unit, s: &Stmt) -> String {
    let go = |s: &Stmt| stmt(unit, s);
    let e = |value: &Expr| expr(unit, value);
    match &s.kind {
        StmtKind::Empty => ";".to_owned(),
        StmtKind::Expr(value) => format!("{};", e(value)),
        StmtKind::Declare(var, value) => {
            let value =
                value.as_ref().map_or(String::new(), |value| format!(" = {}", init(unit, value)));
            format!("{} {}{value};", ty(unit, unit.var(*var).ty), unit.var(*var).name)
        }
        StmtKind::Block(list) => {
            format!("{{{}}}", list.iter().map(go).collect::<Vec<_>>().join(" "))
        }
        StmtKind::If(c, a, None) => format!("if ({}) {}", e(c), go(a)),
        StmtKind::If(c, a, Some(b)) => format!("if ({}) {} else {}", e(c), go(a), go(b)),
        StmtKind::While(c, body) => format!("while ({}) {}", e(c), go(body)),
        StmtKind::DoWhile(body, c) => format!("do {} while ({})", go(body), e(c)),
        StmtKind::For(first, c, step, body) => format!(
            "for ({} {}; {}) {}",
            first.as_ref().map_or(";".to_owned(), |s| go(s)),
            c.as_ref().map_or(String::new(), e),
            step.as_ref().map_or(String::new(), e),
            go(body)
        ),
        StmtKind::Switch(value, body) => format!("switch ({}) {}", e(value), go(body)),
        StmtKind::Case(low, high, inner) if low == high => format!("case {low}: {}", go(inner)),
        StmtKind::Case(low, high, inner) => format!("case {low}...{high}: {}", go(inner)),
        StmtKind::Default(inner) => format!("default: {}", go(inner)),
        StmtKind::Break => "break;".to_owned(),
        StmtKind::Continue => "continue;".to_owned(),
        StmtKind::Return(None) => "return;".to_owned(),
        StmtKind::Return(Some(value)) => format!("return {};", e(value)),
        StmtKind::Goto(label) => format!("goto {};", label.0),
        StmtKind::GotoValue(value) => format!("goto *{};", e(value)),
        StmtKind::Label(label, inner) => format!("L{}: {}", label.0, go(inner)),
        StmtKind::Untreated(words) => format!("untreated({words});"),
    }
}

/// The body of the function `f` after some declarations.
pub fn body(declarations: &str, statements: &str) -> String {
    body_in(DataModel::Lp64, declarations, statements)
}

/// The same in a data model.
pub fn body_in(model: DataModel, declarations: &str, statements: &str) -> String {
    let unit = unit(&format!("{declarations}\nvoid f(void) {{ {statements} }}"), model);
    let function = unit.function(unit.find_function("f").expect("f is there"));
    let text = stmt(&unit, function.body.as_ref().expect("f has a body"));
    text[1..text.len() - 1].to_owned()
}

/// An expression that stands in a function after some declarations.
pub fn value(declarations: &str, expression: &str) -> String {
    let text = body(declarations, &format!("{expression};"));
    text[..text.len() - 1].to_owned()
}
