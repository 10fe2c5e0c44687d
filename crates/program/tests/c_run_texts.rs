//! What C programs mean, construct by construct: a program says `fail` where it runs otherwise than it should.

use alphorn_front::c;
use alphorn_problem::Span;
use alphorn_program::c::layout::DataModel;
use alphorn_program::c::property::{Asked, Choice, Malloc, Property, Task};
use alphorn_program::c::run::{Chooser, Limits, Listed, Outcome, Reason, Runnable, Wanted};
use std::sync::Arc;

const HEAD: &str = "
    extern void reach_error(void); extern void abort(void); extern void exit(int);
    extern void *malloc(unsigned long); extern void *calloc(unsigned long, unsigned long);
    extern void *realloc(void *, unsigned long); extern void free(void *);
    extern void *alloca(unsigned long); extern void *memcpy(void *, const void *, unsigned long);
    extern void *memset(void *, int, unsigned long); extern unsigned long strlen(const char *);
    extern int strcmp(const char *, const char *); extern char *strcpy(char *, const char *);
    extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int);
    extern unsigned char __VERIFIER_nondet_uchar(void); extern void __assert_fail(void);
    #define fail reach_error()
    #define is(x) if (!(x)) fail
";

fn task(model: DataModel, text: &str, properties: &[Property], malloc: Malloc) -> Task {
    let text = format!("{HEAD}\n{text}");
    let (unit, diagnostics) = c::read(text.as_bytes(), &c::Options::new(model));
    let unit = unit.unwrap_or_else(|| panic!("{text}\n{diagnostics:?}"));
    let entry = unit.find_function("main").expect("a main");
    Task { unit: Arc::new(unit), entry, properties: properties.to_vec(), malloc }
}

fn run(task: &Task, choices: &[Choice]) -> Outcome {
    Runnable::new(task).run(&mut Listed::new(choices), Limits::default(), &mut ()).outcome
}

/// Whoever is asked says nine.
struct Nines;

impl Chooser for Nines {
    fn choose(&mut self, _: Asked, wanted: Wanted, _: Span) -> Option<Choice> {
        Some(match wanted {
            Wanted::Int(_) | Wanted::Pointer => Choice::Value(9),
            Wanted::Contents(_) => contents(&[], 9),
            Wanted::Allocated => Choice::Allocated(true),
            Wanted::Turn { ready, .. } => {
                Choice::Turn { thread: ready.trailing_zeros(), points: 1 }
            }
        })
    }
}

fn outcome(text: &str, properties: &[Property], choices: &[Choice]) -> Outcome {
    run(&task(DataModel::Lp64, text, properties, Malloc::Succeeds), choices)
}

/// The statements run to the end without failing.
#[track_caller]
fn runs(body: &str) {
    program(&format!("int main(void) {{ {body} return 0; }}"));
}

/// The whole program does.
#[track_caller]
fn program(text: &str) {
    let task = task(DataModel::Lp64, text, &[Property::UnreachCall], Malloc::Succeeds);
    let ended = Runnable::new(&task).run(&mut Nines, Limits::default(), &mut ()).outcome;
    assert_eq!(ended, Outcome::Finished, "{text}");
}

/// The statements violate a property.
#[track_caller]
fn violates(property: Property, body: &str, choices: &[Choice]) {
    let text = format!("int main(void) {{ {body} return 0; }}");
    match outcome(&text, &[property], choices) {
        Outcome::Violation(violation) => assert_eq!(violation.property, property, "{body}"),
        ended => panic!("{body}\n{ended:?}"),
    }
    let unasked = outcome(&text, &[], choices);
    assert!(!matches!(unasked, Outcome::Violation(_)), "{body}");
}

#[track_caller]
fn undefined(body: &str, choices: &[Choice]) {
    let text = format!("int main(void) {{ {body} return 0; }}");
    let ended = outcome(&text, &Property::ALL, choices);
    assert!(matches!(ended, Outcome::Undefined(..)), "{body}\n{ended:?}");
}

fn contents(cells: &[(u64, i128)], default: i128) -> Choice {
    Choice::Contents { cells: cells.to_vec(), default }
}

#[test]
fn integers_wrap_and_convert() {
    runs("unsigned char c = 255; c++; is(c == 0);");
    runs("int x = 2147483647; x = x + 1; is(x == -2147483647 - 1);");
    runs("unsigned u = 1; is(-1 > u); is(u - 2 == 4294967295u);");
    runs("signed char c = (signed char)200; is(c == -56);");
    runs("long l = 1L << 40; is((int)l == 0); is((_Bool)l == 1);");
    runs("is(-7 / 2 == -3); is(-7 % 2 == -1); is(-8 >> 1 == -4);");
    runs("unsigned short s = 65535; is(s * s == -131071);");
    runs("int i = 5; i += 2.5; is(i == 7); i -= 3U; is(i == 4);");
    runs("__int128 x = 1; x <<= 100; is((x >> 98) == 4);");
    runs("double d = 0.1; float f = 0.1f; is(d != f); is((int)(d * 100) == 10);");
}

#[test]
fn the_data_model_decides_about_long() {
    let text = "int main(void) { long x = 2147483647; x++; is(x < 0); is(sizeof(void *) == 4); }";
    let properties = [Property::UnreachCall];
    let small = task(DataModel::Ilp32, text, &properties, Malloc::Succeeds);
    assert_eq!(run(&small, &[]), Outcome::Finished);
    let large = task(DataModel::Lp64, text, &properties, Malloc::Succeeds);
    assert!(matches!(run(&large, &[]), Outcome::Violation(_)));
}

#[test]
fn statements_jump_where_they_should() {
    runs("int n = 0; for (int i = 0; i < 10; i++) { if (i == 3) continue; if (i == 6) break; n += i; }
          is(n == 0 + 1 + 2 + 4 + 5);");
    runs("int n = 0; do n++; while (n < 5); is(n == 5);");
    runs("int n = 7, s = 0; switch (n % 4) { case 0: do { s++; case 3: s++; case 2: s++; case 1: s++; }
          while ((n -= 4) > 0); } is(s == 7);");
    runs(
        "int n = 0; switch (5) { case 1 ... 4: n = 1; break; default: n = 2; case 9: n += 10; } is(n == 12);",
    );
    runs("int i = 0, n = 0; goto in; for (; i < 3; i++) { n += 10; in: n++; } is(n == 23);");
    runs("int n = 0; again: n++; if (n < 4) goto again; is(n == 4);");
    runs("void *to = &&b; int n = 0; goto *to; a: n = 1; b: n += 2; is(n == 2);");
    runs("int x = ({ int y = 3; if (y) y++; y * 2; }); is(x == 8);");
    runs("int n = 1 + ({ if (1) goto out; 2; }); fail; out: ;");
}

#[test]
fn operators_have_their_order_and_effects() {
    runs("int a = 0, b = 0; if (a++ && b++) fail; is(a == 1 && b == 0);");
    runs("int a = 1; if (a++ || a++) a += 10; is(a == 12);");
    runs("int a = 4; is((a ?: 9) == 4); a = 0; is((a ?: 9) == 9);");
    runs("int a = 1; int b = (a = 5, a + 1); is(b == 6);");
    runs(
        "int a[3] = { 1, 2, 3 }; int *p = a; is(*p++ == 1 && *p == 2 && *++p == 3 && p - a == 2);",
    );
    program(
        "int g = 1; int f(void) { g = 10; return 5; }
             int main(void) { g += f(); is(g == 15); }",
    );
}

#[test]
fn objects_are_bytes() {
    runs(
        "union { unsigned u; unsigned char c[4]; } x; x.u = 0x01020304; is(x.c[0] == 4 && x.c[3] == 1);",
    );
    runs(
        "struct { unsigned a : 3; int b : 5; unsigned c : 9; } s = { 9, -3, 511 }; is(s.a == 1);
          is(s.b == -3); is(s.c == 511); s.b = 17; is(s.b == -15); s.a++; is(s.a == 2);",
    );
    runs(
        "struct s { int a; char b[3]; } x = { 1, \"ab\" }, y; y = x; x.a = 2; is(y.a == 1 && y.b[1] == 'b');",
    );
    runs("int x = 3, *p = &x, *q; memcpy(&q, &p, sizeof p); *q = 4; is(x == 4);");
    runs(
        "int x, *p = &x, *q; char *from = (char *)&p, *to = (char *)&q;
          for (int i = 0; i < sizeof p; i++) to[i] = from[i]; is(p == q);",
    );
    runs(
        "int a[2][3] = { { 1, 2 }, [1][2] = 6 }; is(a[0][2] == 0 && a[1][2] == 6 && *(*a + 5) == 6);",
    );
    runs(
        "int n = 4; int a[n]; for (int i = 0; i < n; i++) a[i] = i; is(a[3] == 3 && sizeof a == 16);",
    );
    runs("int *p = (int[]){ 1, 2 }; is(p[1] == 2);");
    runs(
        "char *s = \"hello\"; char t[9]; is(strlen(s) == 5); strcpy(t, s); is(strcmp(s, t) == 0);",
    );
    runs("long x = 0; void *p = (void *)(unsigned long)&x; is(p == &x); is((long)p != 0);");
}

#[test]
fn functions_are_called_by_value_and_by_pointer() {
    program(
        "struct s { int a[3]; }; struct s f(struct s x) { x.a[1] = 7; return x; }
             int main(void) { struct s y = { { 1, 2, 3 } }; is(f(y).a[1] == 7); is(y.a[1] == 2); }",
    );
    program("int add(int a, int b) { return a + b; } int sub(int a, int b) { return a - b; }
             int main(void) { int (*f[2])(int, int) = { add, sub }; is(f[1](5, 3) == 2 && (*f)(5, 3) == 8); }");
    program(
        "int next(void) { static int n = 3; return n++; } int main(void) { next(); is(next() == 4); }",
    );
    program(
        "int f(int n) { return n ? n + f(n - 1) : 0; } int main(void) { is(f(1000) == 500500); }",
    );
    program("void set(int *p) { *p = 5; } int main(void) { int x = 1; set(&x); is(x == 5); }");
}

#[test]
fn what_is_not_initialised_is_what_was_chosen() {
    let text =
        "int main(void) { int x; int a[4]; is(x == 7 && a[1] == 5 && a[3] == 9 && a[3] == 9); }";
    let choices = [Choice::Value(7), contents(&[(4, 5)], 9)];
    assert_eq!(outcome(text, &[Property::UnreachCall], &choices), Outcome::Finished);
    let text = "int main(void) { int *p = malloc(8); p[0] = 1; int *q = realloc(p, 12);
                is(q[0] == 1 && q[1] == 3 && q[2] == 4); }";
    let choices = [contents(&[(4, 3)], 0), contents(&[(8, 4)], 0)];
    assert_eq!(outcome(text, &[Property::UnreachCall], &choices), Outcome::Finished);
    undefined("goto past; int x = 1; past: return x + 1;", &[]);
    undefined("switch (1) { int x; case 1: if (x) return 1; }", &[]);
    program("int f(int n) { if (n) return 1; } int main(void) { f(0); }");
    let ended =
        outcome("int f(int n) { if (n) return 1; } int main(void) { return f(0) + 1; }", &[], &[]);
    assert!(matches!(ended, Outcome::Undefined(..)), "{ended:?}");
}

#[test]
fn invalid_accesses_are_found() {
    let any = [contents(&[], 0)];
    violates(Property::ValidDeref, "int *p = 0; *p = 1;", &[]);
    violates(Property::ValidDeref, "int *p = malloc(4); free(p); return *p;", &any);
    violates(Property::ValidDeref, "int *p = malloc(4); return p[1];", &any);
    violates(
        Property::ValidDeref,
        "int *p; { int x = 1; p = &x; } return *p;",
        &[Choice::Value(0)],
    );
    violates(Property::ValidDeref, "int a[3] = { 0 }; return a[3];", &[]);
    violates(Property::ValidDeref, "char t[2]; strcpy(t, \"ab\");", &any);
    violates(Property::ArrayBounds, "int a[2][3] = { 0 }; return a[0][3];", &[]);
    violates(Property::ArrayBounds, "int a[2] = { 0 }; int i = -1; return a[i];", &[]);
    runs("int a[2] = { 0 }; int *p = &a[2]; is(p - a == 2);");
    let text = "int *f(void) { int x = 1; int *p = &x; return p; } int main(void) { return *f(); }";
    assert!(matches!(outcome(text, &[Property::ValidDeref], &[]), Outcome::Violation(_)));
}

#[test]
fn bit_fields_wider_than_int_are_computed_in_as_many_bits() {
    // The values are those of gcc.
    runs(
        "struct { long a : 40; unsigned long b : 40; unsigned long c : 33; } x;
         x.a = (1L << 39) - 1; x.b = ~0ul; x.c = 1ul << 32;
         is(x.b + 1 == 0); is((unsigned long)~x.c == 0xfffffffful); is(x.c * 2 == 0);
         is((x.b << 4) == 0xfffffffff0ul); is(x.a + 1 == -(1L << 39)); is(-x.b == 1);
         is(x.b + 1ul == 1ul << 40); is((x.c + x.b) == (1ul << 32) - 1); is(x.a < x.b);
         is(sizeof(x.c + 0) == 8); x.b += 5; is(x.b == 4); is((x.b = 0) - 1 == 0xfffffffffful);",
    );
    violates(
        Property::NoOverflow,
        "struct { long a : 40; } x; x.a = (1L << 39) - 1; x.a++;",
        &[contents(&[], 0)],
    );
    let wide =
        "int main(void) { struct { long a : 40; } x; x.a = (1L << 39) - 1; return x.a + 1l > 0; }";
    let any = [contents(&[], 0)];
    assert_eq!(outcome(wide, &[Property::NoOverflow], &any), Outcome::Finished);
}

#[test]
fn a_leak_is_found_where_the_program_ends() {
    let place = |text: &str| match outcome(text, &[Property::MemCleanup], &[contents(&[], 0)]) {
        Outcome::Violation(violation) => {
            let whole = format!("{HEAD}\n{text}");
            whole[violation.span.start as usize..violation.span.end as usize].to_owned()
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(place("int main(void) { malloc(1); return 0; }"), "return 0;");
    assert_eq!(place("void main(void) { malloc(1); }"), "}");
    assert_eq!(place("int main(void) { malloc(1); exit(1); }"), "exit(1)");
}

#[test]
fn bad_frees_and_leaks_are_found() {
    let any = [contents(&[], 0)];
    violates(Property::ValidFree, "int *p = malloc(4); free(p); free(p);", &any);
    violates(Property::ValidFree, "int x; free(&x);", &[Choice::Value(0)]);
    violates(Property::ValidFree, "char *p = malloc(4); free(p + 1);", &any);
    violates(Property::ValidFree, "char *p = alloca(4); free(p);", &any);
    violates(Property::ValidMemtrack, "int *p = malloc(4); p = 0;", &any);
    violates(Property::ValidMemtrack, "int *p = malloc(4);", &any);
    violates(Property::ValidMemtrack, "int *p = malloc(4); p = 0; abort();", &any);
    violates(Property::MemCleanup, "int *p = malloc(4); exit(0);", &any);
    let kept = "int *g; int main(void) { g = malloc(4); return 0; }";
    assert_eq!(outcome(kept, &[Property::ValidMemtrack], &any), Outcome::Finished);
    assert!(matches!(outcome(kept, &[Property::MemCleanup], &any), Outcome::Violation(_)));
    let freed = "int main(void) { int *p = malloc(4); free(p); free(0); return 0; }";
    assert_eq!(outcome(freed, &Property::ALL, &any), Outcome::Finished);
    let held = "int main(void) { int *p = malloc(4); abort(); }";
    assert_eq!(outcome(held, &[Property::ValidMemtrack], &any), Outcome::Stopped(Reason::Abort));
    let chained = "struct n { struct n *next; } *g; int main(void) { g = malloc(sizeof *g);
                   g->next = malloc(sizeof *g); g->next->next = 0; return 0; }";
    let two = [contents(&[], 0), contents(&[], 0)];
    assert_eq!(outcome(chained, &[Property::ValidMemtrack], &two), Outcome::Finished);
}

#[test]
fn what_is_lost_is_lost_though_the_run_has_no_end() {
    let any = [contents(&[], 0)];
    violates(Property::ValidMemtrack, "int *p = malloc(4); p = 0; while (1);", &any);
    violates(Property::ValidMemtrack, "int *p = malloc(4); p = 0; for (;;) { }", &any);
    violates(Property::ValidMemtrack, "int *p = malloc(4); p = 0; do ; while (1);", &any);
    violates(Property::ValidMemtrack, "int *p = malloc(4); p = 0; again: goto again;", &any);
    violates(Property::ValidMemtrack, "{ int *p = malloc(4); } while (1);", &any);
    violates(
        Property::ValidMemtrack,
        "while (1) { int *p = malloc(4); }",
        &[any[0].clone(), any[0].clone()],
    );
    let called = "void f(int n) { f(n + 1); } int main(void) { malloc(4); f(0); }";
    let ended = outcome(called, &[Property::ValidMemtrack], &any);
    assert!(matches!(ended, Outcome::Violation(_)), "{ended:?}");
    for kept in [
        "int main(void) { int *p = malloc(4); while (1); }",
        "int main(void) { int *p = malloc(4), **q = &p; again: goto again; }",
        "void f(int *p) { while (1); } int main(void) { f(malloc(4)); }",
        "void f(void) { while (1); } int main(void) { int *p = malloc(4); f(); }",
        "struct s { int *p; } f(void) { struct s s = { malloc(4) }; return s; }
         int g(struct s s) { while (1); } int main(void) { g(f()); }",
        "int main(void) { int *p = malloc(4); free(p); while (1); }",
    ] {
        assert_eq!(outcome(kept, &[Property::ValidMemtrack], &any), Outcome::Limit, "{kept}");
    }
}

#[test]
fn a_run_in_slices_is_the_run_and_ends_when_somebody_says_so() {
    let text = "int main(void) { int n = 0, s = 0; while (n < 1000) { for (int i = 0; i < n % 7; i++) s += i;
                n++; } is(s != 4990); return 0; }";
    let task = task(DataModel::Lp64, text, &[Property::UnreachCall], Malloc::Succeeds);
    let ready = Runnable::new(&task);
    let whole = ready.run(&mut Listed::new(&[]), Limits::default(), &mut ());
    for slice in [1, 10, 333, 1 << 40] {
        let mut told = Vec::new();
        let mut note = |steps| {
            told.push(steps);
            true
        };
        let limits = Limits::default();
        let sliced = ready.run_in_slices(&mut Listed::new(&[]), limits, &mut (), slice, &mut note);
        assert_eq!(sliced, whole);
        assert!(told.windows(2).all(|two| two[0] + slice <= two[1]), "{told:?}");
        assert_eq!(told.is_empty(), slice > whole.steps);
    }
    let limits = Limits::default();
    let ended =
        ready.run_in_slices(&mut Listed::new(&[]), limits, &mut (), 100, &mut |steps| steps < 500);
    assert_eq!(ended.outcome, Outcome::Limit);
    assert!(ended.steps >= 500 && ended.steps < 700, "{ended:?}");
}

#[test]
fn overflow_and_division_are_violations_if_asked() {
    violates(Property::NoOverflow, "int x = 2147483647; x++;", &[]);
    violates(Property::NoOverflow, "int x = -2147483647 - 1; x = -x;", &[]);
    violates(Property::NoOverflow, "long x = 1L << 62; x *= 2;", &[]);
    violates(Property::NoOverflow, "int x = -2147483647 - 1, y = -1; x /= y;", &[]);
    violates(Property::NoDivisionByZero, "int x = 0; return 1 % x;", &[]);
    violates(Property::NoDivisionByZero, "unsigned x = 0; return 1 / x;", &[]);
    undefined("int x = 32; return 1 << x;", &[]);
    undefined("int x = -1; return 1 >> x;", &[]);
    let properties = [Property::NoOverflow, Property::UnreachCall];
    let text = "int main(void) { unsigned u = 0; u--; char c = 127; c++; is(c == -128);
                int x = 1 << 31; is(x < 0); short s = -32768; s--; is(s == 32767); }";
    assert_eq!(outcome(text, &properties, &[]), Outcome::Finished);
}

#[test]
fn runs_end_where_the_program_says() {
    let text =
        "int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 3); is(x > 2); }";
    let properties = [Property::UnreachCall];
    assert_eq!(outcome(text, &properties, &[Choice::Value(4)]), Outcome::Finished);
    let ended = outcome(text, &properties, &[Choice::Value(3)]);
    assert_eq!(ended, Outcome::Stopped(Reason::Assume));
    let text = "int main(void) { __assert_fail(); }";
    assert_eq!(outcome(text, &properties, &[]), Outcome::Stopped(Reason::Failed));
    assert!(matches!(outcome(text, &[Property::Assert], &[]), Outcome::Violation(_)));
    let text = "extern int fork(void); int main(void) { fork(); }";
    assert!(matches!(outcome(text, &properties, &[]), Outcome::Untreated(..)));
}

#[test]
fn choices_are_of_the_type_that_is_asked_for() {
    let text = "int main(void) { unsigned char c = __VERIFIER_nondet_uchar(); is(c < 200); }";
    let properties = [Property::UnreachCall];
    assert!(matches!(outcome(text, &properties, &[Choice::Value(255)]), Outcome::Violation(_)));
    assert!(matches!(outcome(text, &properties, &[Choice::Value(256)]), Outcome::Refused(..)));
    assert!(matches!(outcome(text, &properties, &[contents(&[], 0)]), Outcome::Refused(..)));
}

#[test]
fn an_allocation_may_fail_if_it_may() {
    let text = "int main(void) { int *p = malloc(4); is(p); }";
    let may = task(DataModel::Lp64, text, &[Property::UnreachCall], Malloc::MayFail);
    assert!(matches!(run(&may, &[Choice::Allocated(false)]), Outcome::Violation(_)));
    let choices = [Choice::Allocated(true), contents(&[], 0)];
    assert_eq!(run(&may, &choices), Outcome::Finished);
}

#[test]
fn unknown_functions_return_what_was_chosen() {
    let text = "extern int who(int *); int main(void) { int x = 3; is(who(&x) != 5); is(x == 3); }";
    let properties = [Property::UnreachCall];
    assert!(matches!(outcome(text, &properties, &[Choice::Value(5)]), Outcome::Violation(_)));
    assert_eq!(outcome(text, &properties, &[Choice::Value(6)]), Outcome::Finished);
    let text = "extern char *where(void); int main(void) { char *p = where(); if (p) return *p; }";
    assert!(matches!(outcome(text, &properties, &[Choice::Value(1)]), Outcome::Untreated(..)));
    assert_eq!(outcome(text, &properties, &[Choice::Value(0)]), Outcome::Finished);
}

#[test]
fn unknown_functions_may_not_return_and_may_keep_what_they_get() {
    let text = "extern void gone(void) __attribute__((noreturn)); int main(void) { gone(); fail; }";
    let properties = [Property::UnreachCall];
    assert_eq!(outcome(text, &properties, &[]), Outcome::Stopped(Reason::Abort));
    let text = "extern void keep(int *); int main(void) { int *p = malloc(4); keep(p); return 0; }";
    let any = [contents(&[], 0)];
    let ended = outcome(text, &[Property::ValidMemtrack], &any);
    assert!(matches!(ended, Outcome::Untreated(..)), "{ended:?}");
    assert_eq!(outcome(text, &properties, &any), Outcome::Finished);
    let text =
        "extern int __sync_synchronise(void); int main(void) { return __sync_synchronise(); }";
    assert!(matches!(outcome(text, &properties, &[]), Outcome::Untreated(..)));
}
