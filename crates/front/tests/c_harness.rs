//! Tests made of runs: they compile, and leave with the code of the violation.

use alphorn_front::c::harness::{Chosen, VIOLATED, harness};
use alphorn_front::c::{Options, read};
use alphorn_problem::Span;
use alphorn_program::c::DataModel;
use alphorn_program::c::property::{Asked, Choice, Malloc, Property, Task};
use alphorn_program::c::run::{Chooser, Limits, Outcome, Runnable, Wanted, Watcher};
use std::process::Command;
use std::sync::Arc;

/// Gives numbers in order; variables have 7 in them everywhere but at the offset 8, and other objects zeros.
struct Values<'v>(std::slice::Iter<'v, i128>);

impl Chooser for Values<'_> {
    fn choose(&mut self, asked: Asked, wanted: Wanted, _: Span) -> Option<Choice> {
        Some(match wanted {
            Wanted::Contents(_) if asked == Asked::Allocation => {
                Choice::Contents { cells: Vec::new(), default: 0 }
            }
            Wanted::Contents(_) => Choice::Contents { cells: vec![(8, -300)], default: 7 },
            Wanted::Allocated => Choice::Allocated(*self.0.next()? != 0),
            Wanted::Turn { .. } => return None,
            _ => Choice::Value(*self.0.next()?),
        })
    }
}

#[derive(Default)]
struct Kept(Vec<Chosen>);

impl Watcher for Kept {
    fn chosen(&mut self, asked: Asked, choice: &Choice, span: Span) {
        self.0.push(Chosen { asked, choice: choice.clone(), span });
    }
}

/// Runs a program with these values; the run must violate the property, and so must its test.
fn compiles_and_fails(name: &str, source: &str, property: Property, values: &[i128]) {
    let (unit, diagnostics) = read(source.as_bytes(), &Options::new(DataModel::Lp64));
    let unit = Arc::new(unit.unwrap_or_else(|| panic!("{diagnostics:?}")));
    let entry = unit.find_function("main").expect("it has a main");
    let malloc = Malloc::MayFail;
    let task = Task { unit, entry, properties: vec![property], malloc };
    let mut kept = Kept::default();
    let mut values = Values(values.iter());
    let ran = Runnable::new(&task).run(&mut values, Limits::default(), &mut kept);
    let Outcome::Violation(violation) = ran.outcome else { panic!("{name}: {ran:?}") };
    assert_eq!(violation.property, property);
    let test = harness(&task, "some/program.c", source.as_bytes(), property, &kept.0);
    assert_eq!(test.left_out, [""; 0], "{name}");
    if Command::new("gcc").arg("--version").output().is_err() {
        return;
    }
    let folder = std::env::temp_dir().join(format!("alphorn-test-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let (path, program) = (folder.join("t.c"), folder.join("t"));
    std::fs::write(&path, &test.text).expect("the folder is there");
    let built = Command::new("gcc").args(&test.flags).arg("-o").args([&program, &path]).output();
    let built = built.expect("gcc runs");
    let text = String::from_utf8_lossy(&test.text);
    assert!(built.status.success(), "{}\n{text}", String::from_utf8_lossy(&built.stderr));
    let ran = Command::new(&program).output().expect("it runs");
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert_eq!(ran.status.code(), Some(i32::from(VIOLATED)), "{name}: {said}\n{text}");
    std::fs::remove_dir_all(&folder).expect("it was made here");
}

#[test]
fn an_error_function_of_the_program_leaves_with_our_code() {
    let source = "extern void __assert_fail(const char *, const char *, unsigned int, const char *) \
        __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__noreturn__));\n\
        void reach_error() { __assert_fail(\"0\", \"a.c\", 3, \"reach_error\"); }\n\
        extern int __VERIFIER_nondet_int();\nvoid __VERIFIER_assert(int cond) { if (!cond) \
        { ERROR: {reach_error();} } }\n\
        int main() { int x = __VERIFIER_nondet_int(); int y = __VERIFIER_nondet_int();\n\
        __VERIFIER_assert(x + y != 7); return 0; }\n";
    compiles_and_fails("own", source, Property::UnreachCall, &[10, -3]);
}

#[test]
fn functions_that_nobody_defines_are_defined_whatever_they_take() {
    let source = "extern void __VERIFIER_error(void);\nextern void __VERIFIER_assume(int);\n\
        extern unsigned long __VERIFIER_nondet_ulong(void);\nextern _Bool __VERIFIER_nondet_bool();\n\
        struct s { int a; };\nextern int lookup(const char *name, const struct s *where);\n\
        extern void log_it(const char *, ...);\nint unused(void *);\n\
        void main(int argc, char **argv) { unsigned long n = __VERIFIER_nondet_ulong();\n\
        __VERIFIER_assume(n > 4000000000UL); struct s v; v.a = 1; log_it(\"x %d\", 1);\n\
        if (argc == 77) unused(0);\n\
        if (argc == 3 && __VERIFIER_nondet_bool() && lookup(\"k\", &v) == -9) __VERIFIER_error(); }\n";
    compiles_and_fails("undefined", source, Property::UnreachCall, &[3, 5_000_000_000, 1, -9]);
}

#[test]
fn locals_without_initialiser_get_their_values() {
    let source = "#include <assert.h>\nint main(void) { int sum = 0;\n\
        for (int i = 0; i < 3; i++) { short a, b; sum += a * b; }\nassert(sum != 32); return 0; }\n";
    compiles_and_fails("locals", source, Property::Assert, &[1, 4, 2, 5, 3, 6]);
}

#[test]
fn arrays_and_structures_without_initialiser_get_their_contents() {
    let source = "#include <assert.h>\nstruct s { short a; char b; int *c; struct { long d[2]; } e; };\n\
        int main(void) { int sum = 0; for (int i = 0; i < 2; i++) { short a[10], b, c[2][3];\n\
        struct s t; sum += a[3] + a[4] + c[1][0] + c[1][1] + t.b + (int)t.e.d[1]; a[3] = b; }\n\
        assert(sum != 2 * (7 - 300 + 7 - 300 + 7 + 7)); return 0; }\n";
    compiles_and_fails("objects", source, Property::Assert, &[1, 2]);
}

#[test]
fn pointers_without_initialiser_get_their_values() {
    let source = "extern void reach_error(void);\nint main(void) { int x = 3; const int *p;\n\
        { int *q; p = q; if (!p) reach_error(); } p = &x; return *p; }\n";
    compiles_and_fails("pointers", source, Property::UnreachCall, &[1, 0]);
}

#[test]
fn an_assertion_without_its_header_fails_too() {
    let source = "void twice(void) { static int done = 0; assert(done == 0); done++; }\n\
        void main() { twice(); twice(); }\n";
    compiles_and_fails("bare", source, Property::Assert, &[]);
}

#[test]
fn memory_that_is_lost_is_not_kept_by_what_calls_left_behind() {
    let source = "#include <stdlib.h>\ntypedef struct { int *a, *b; } pair;\n\
        static void make(pair *p) { p->a = malloc(4); p->b = malloc(4); }\n\
        static void drop(pair *p) { int *a = p->a, *b = p->b; if (a == b) free(a);\n\
        p->a = 0; p->b = 0; }\n\
        int main() { pair p; make(&p); drop(&p); return 0; }\n";
    compiles_and_fails("lost", source, Property::ValidMemtrack, &[1, 1]);
}

#[test]
fn memory_that_is_lost_before_a_loop_without_an_end_is_found() {
    let source = "#include <stdlib.h>\nint main() { int *p = malloc(4); p = 0; while (1); }\n";
    compiles_and_fails("endless", source, Property::ValidMemtrack, &[1]);
    let source = "#include <stdlib.h>\nextern int __VERIFIER_nondet_int();\n\
        int main() { int *p = malloc(4); if (__VERIFIER_nondet_int()) p = 0; again:\n\
        if (__VERIFIER_nondet_int()) goto again; free(p); return 0; }\n";
    compiles_and_fails("asking", source, Property::ValidMemtrack, &[1, 1, 1, 1]);
}

#[test]
fn memory_that_is_left_is_found_though_a_variable_points_to_it() {
    let source = "#include <stdlib.h>\nint *g; int main() { g = malloc(4); return 0; }\n";
    compiles_and_fails("left", source, Property::MemCleanup, &[1]);
    let source = "#include <stdlib.h>\nint *g; int main() { g = malloc(4); exit(0); }\n";
    compiles_and_fails("exit", source, Property::MemCleanup, &[1]);
}

#[test]
fn a_pointer_that_nobody_chose_is_null_and_streams_stay_those_of_the_library() {
    let source = "extern void reach_error(void); extern void *__VERIFIER_nondet_pointer(void);\n\
        extern struct _IO_FILE *stdout; extern int printf(const char *, ...);\n\
        int main() { printf(\"%d\\n\", 5); if (!__VERIFIER_nondet_pointer()) reach_error(); return 0; }\n";
    compiles_and_fails("null", source, Property::UnreachCall, &[2]);
}

#[test]
fn functions_of_the_library_that_the_run_does_not_call_stay() {
    // The sanitizers' own code needs some of these before `main` runs.
    let source = "extern char *getenv(const char *); extern int mblen(const char *, unsigned long);\n\
        extern long strtol(const char *, char **, int); extern int elsewhere(int);\n\
        extern int getpagesize(void); extern long sysconf(int); extern int open(const char *, int, ...);\n\
        int main(int argc, char **argv) { int *p = 0; if (argc > 5) return elsewhere(argc); return *p; }\n";
    compiles_and_fails("library", source, Property::ValidDeref, &[1]);
}

#[test]
fn what_has_no_size_is_not_defined() {
    let source = "extern void reach_error(void);\nstruct hidden; extern struct hidden it;\n\
        extern struct hidden *other;\nint main(void) { reach_error(); return other == 0; }\n";
    compiles_and_fails("hidden", source, Property::UnreachCall, &[]);
}

#[test]
fn overflows_and_bad_accesses_are_caught_by_sanitizers() {
    let source = "extern int __VERIFIER_nondet_int(void);\n\
        int main() { int x = __VERIFIER_nondet_int(); int y = x + 1; return y < x; }\n";
    compiles_and_fails("overflow", source, Property::NoOverflow, &[2_147_483_647]);
    let source = "extern int __VERIFIER_nondet_int(void);\n\
        int main() { int x = __VERIFIER_nondet_int(); return 10 / x; }\n";
    compiles_and_fails("division", source, Property::NoDivisionByZero, &[0]);
    let source =
        "#include <stdlib.h>\nint main() { int *p = malloc(sizeof *p); *p = 1; return *p; }\n";
    compiles_and_fails("null", source, Property::ValidDeref, &[0]);
    let source = "#include <stdlib.h>\nint main() { int *p = malloc(sizeof *p);\n\
        if (!p) return 0; free(p); free(p); return 0; }\n";
    compiles_and_fails("twice", source, Property::ValidFree, &[1]);
}
