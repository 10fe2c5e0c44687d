//! Expressions that are read at a place of a program.

use super::show::expr;
use super::unit;
use alphorn_front::Code;
use alphorn_front::c::read_expression;
use alphorn_program::c::DataModel;

const SOURCE: &str = "typedef unsigned char byte; enum { LIMIT = 7 }; struct s { int a; } *list;
int x; int g(int);
int f(int n) { int x = 1; { char x = 2; /*inner*/ x++; } /*outer*/ enum { LOCAL = 3 }; return x; }
int h(int n) { /*other*/ return n; }
";

/// An expression as it is read behind a comment of the program.
fn at(mark: &str, function: &str, text: &str) -> Result<String, (Code, String)> {
    let mut unit = unit(SOURCE, DataModel::Lp64);
    let before = (unit.vars.len(), unit.functions.len());
    let place = SOURCE.find(mark).expect("the mark is there") as u32;
    let function = unit.find_function(function);
    let result = read_expression(&mut unit, function, place, text);
    assert_eq!((unit.vars.len(), unit.functions.len()), before, "the program is as it was");
    match result {
        Ok(value) => Ok(format!("{}:{}", expr(&unit, &value), super::show::ty(&unit, value.ty))),
        Err(list) => {
            let first = &list.list[0];
            Err((first.code, text[first.span.start as usize..first.span.end as usize].to_owned()))
        }
    }
}

#[test]
fn names_mean_what_they_mean_at_the_place() {
    assert_eq!(at("/*inner*/", "f", "x").unwrap(), "x:char");
    assert_eq!(at("/*outer*/", "f", "x").unwrap(), "x:int");
    assert_eq!(at("/*other*/", "h", "n").unwrap(), "n:int");
    assert_eq!(
        at("/*outer*/", "f", "LIMIT + (byte)n").unwrap(),
        "+:int(7:int, as:int(cast:uchar(n))):int"
    );
    assert_eq!(at("return x", "f", "LOCAL").unwrap(), "3:int:int");
    assert_eq!(at("/*other*/", "h", "LOCAL").unwrap_err().0, Code::CUndeclared);
    assert_eq!(
        at("/*outer*/", "f", "list->a == sizeof(struct s)").unwrap(),
        "==(as:ulong(*list.0), 4:ulong):int"
    );
}

#[test]
fn the_types_of_the_language_hold() {
    assert_eq!(
        at("/*outer*/", "f", "x < 2147483648").unwrap(),
        "<(as:long(x), 2147483648:long):int"
    );
    assert_eq!(
        at("/*outer*/", "f", "0 <= x && x <= n").unwrap(),
        "both(<=(0:int, x), <=(x, n)):int"
    );
}

#[test]
fn what_changes_the_state_is_refused() {
    for (text, at_text) in [
        ("x = 1", "x = 1"),
        ("n + x++", "x++"),
        ("g(n) > 0", "g(n)"),
        ("*(x += 1, list) .a", ""),
        ("({ 1; })", ""),
        ("(struct s){1}.a", "(struct s){1}"),
    ] {
        let (_, found) = at("/*outer*/", "f", text).unwrap_err();
        if !at_text.is_empty() {
            assert_eq!(found, at_text, "{text}");
        }
    }
}

#[test]
fn what_is_no_expression_is_refused() {
    for text in ["", "x +", "x x", "int", "x;", "unknown", "unknown(1)", "(x"] {
        assert!(at("/*outer*/", "f", text).is_err(), "{text}");
    }
}
