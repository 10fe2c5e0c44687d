//! Places: every node says where it stands, to the character.

use super::unit;
use alphorn_front::diag::Span;
use alphorn_program::Unit;
use alphorn_program::c::tree::{Init, Stmt, StmtKind};
use alphorn_program::c::{DataModel, Expr, ExprKind};

const SOURCE: &str = "int g(int);
int f(int n, char *p) {
  int i = n + 1, j;
  for (i = 0; i < n; i++) {
    int k = g(i) * (2 + j);
    while (k > 0) k--;
  }
  {
    int k = 1;
    j = k;
  }
loop: if (n) goto loop;
  do { n = p[1] ; } while (n);
  return g(g(1) + *p);
}
";

fn text(span: Span) -> &'static str {
    &SOURCE[span.start as usize..span.end as usize]
}

fn body(unit: &Unit) -> &[Stmt] {
    let function = unit.function(unit.find_function("f").expect("it is there"));
    match &function.body.as_ref().expect("it is defined").kind {
        StmtKind::Block(list) => list,
        _ => unreachable!("a body is a block"),
    }
}

#[test]
fn statements_begin_with_their_keyword_and_end_with_their_last_character() {
    let unit = unit(SOURCE, DataModel::Lp64);
    let starts: Vec<&str> =
        body(&unit).iter().map(|s| text(s.span).split(' ').next().unwrap()).collect();
    assert_eq!(starts, ["int", "int", "for", "{\n", "loop:", "do", "return"]);
    let list = body(&unit);
    assert_eq!(text(list[2].span).lines().count(), 4);
    assert!(text(list[2].span).ends_with('}'));
    assert_eq!(text(list[4].span), "loop: if (n) goto loop;");
    let StmtKind::Label(_, inner) = &list[4].kind else { panic!("a label") };
    assert_eq!(text(inner.span), "if (n) goto loop;");
    assert!(text(list[5].span).ends_with("while (n);"));
    assert_eq!(text(list[6].span), "return g(g(1) + *p);");
}

#[test]
fn calls_end_with_their_right_parenthesis_and_operators_span_their_operands() {
    let unit = unit(SOURCE, DataModel::Lp64);
    let StmtKind::Return(Some(call)) = &body(&unit)[6].kind else { panic!("a return") };
    assert_eq!(text(call.span), "g(g(1) + *p)");
    let ExprKind::Call(_, args) = &call.kind else { panic!("a call") };
    assert_eq!(text(args[0].span), "g(1) + *p");
    let ExprKind::Arith(_, left, right) = &args[0].kind else { panic!("a sum") };
    assert_eq!(text(left.span), "g(1)");
    assert_eq!(text(right.span), "*p");
    let StmtKind::For(_, _, _, inner) = &body(&unit)[2].kind else { panic!("a loop") };
    let StmtKind::Block(list) = &inner.kind else { panic!("a block") };
    let StmtKind::Declare(_, Some(Init::Value(product))) = &list[0].kind else { panic!("k") };
    assert_eq!(text(product.span), "g(i) * (2 + j)");
    let ExprKind::Arith(_, _, sum) = &product.kind else { panic!("a product") };
    assert_eq!(text(sum.span), "(2 + j)");
}

#[test]
fn variables_know_their_name_and_the_scope_in_which_it_means_them() {
    let unit = unit(SOURCE, DataModel::Lp64);
    let scopes: Vec<(&str, &str, &str)> = (unit.vars.iter())
        .map(|var| (var.name.as_str(), text(var.span), text(var.scope)))
        .collect();
    for (name, span, scope) in &scopes {
        assert_eq!(name, span);
        assert!(scope.starts_with(name) && scope.ends_with('}'), "{scope}");
    }
    let ks: Vec<&str> = scopes.iter().filter(|var| var.0 == "k").map(|var| var.2).collect();
    assert_eq!(ks, ["k = g(i) * (2 + j);\n    while (k > 0) k--;\n  }", "k = 1;\n    j = k;\n  }"]);
    let n = scopes.iter().find(|var| var.0 == "n").unwrap();
    assert!(n.2.ends_with("*p);\n}"));
}

#[test]
fn every_expression_lies_inside_its_statement() {
    fn check(expr: &Expr, outer: Span) {
        assert!(outer.start <= expr.span.start && expr.span.end <= outer.end, "{expr:?}");
        match &expr.kind {
            ExprKind::Arith(_, a, b) | ExprKind::Compare(_, a, b) => {
                check(a, expr.span);
                check(b, expr.span);
            }
            ExprKind::Cast(a, _) => check(a, expr.span),
            ExprKind::Call(_, args) => args.iter().for_each(|arg| check(arg, expr.span)),
            _ => {}
        }
    }
    let unit = unit(SOURCE, DataModel::Lp64);
    for stmt in body(&unit) {
        if let StmtKind::Return(Some(value)) = &stmt.kind {
            check(value, stmt.span);
        }
    }
}
