//! Which variables and functions have their addresses taken.

use super::unit;
use alphorn_program::c::DataModel;

fn taken(source: &str) -> Vec<String> {
    let unit = unit(source, DataModel::Lp64);
    let vars = unit.vars.iter().filter(|var| var.is_address_taken).map(|var| var.name.clone());
    let functions = unit.functions.iter().filter(|f| f.is_address_taken).map(|f| f.name.clone());
    vars.chain(functions).collect()
}

#[test]
fn arrays_that_are_only_indexed_have_no_address_taken() {
    assert!(
        taken("int a[3], m[2][2]; int f(int i) { return a[i] + m[i][0] + *a + sizeof(a); }")
            .is_empty()
    );
    assert!(
        taken("struct { int a[3]; } s; int f(int i) { s.a[1] = 2; return s.a[i]; }").is_empty()
    );
}

#[test]
fn arrays_that_become_pointers_have_their_address_taken() {
    assert_eq!(taken("int a[3]; int *f(void) { return a; }"), ["a"]);
    assert_eq!(taken("int a[3]; void g(int *); void f(void) { g(a); }"), ["a"]);
    assert_eq!(taken("int m[2][2]; void f(void) { int *p = m[1]; }"), ["m"]);
    assert_eq!(taken("struct { int a[3]; } s; void f(void) { int *p = s.a; }"), ["s"]);
    assert_eq!(taken("int a[3], *p = a;"), ["a"]);
}

#[test]
fn an_ampersand_takes_the_address_of_the_whole_variable() {
    assert_eq!(taken("int x; int *f(void) { return &x; }"), ["x"]);
    assert_eq!(taken("struct { int y; } s; int *f(void) { return &s.y; }"), ["s"]);
    assert_eq!(taken("int a[3]; int *f(void) { return &a[1]; }"), ["a"]);
    assert!(taken("int *f(int *p) { return &p[1]; } int g(int *p) { return *&*p; }").is_empty());
    assert!(taken("int x; int f(void) { return sizeof(&x); }").is_empty());
}

#[test]
fn a_function_that_is_only_called_has_no_address_taken() {
    assert!(taken("int g(void); int f(void) { return g() + (*g)(); }").is_empty());
    assert_eq!(taken("int g(void); int (*p)(void) = g;"), ["g"]);
    assert_eq!(taken("int g(void); void *f(void) { return &g; }"), ["g"]);
}
