//! Programs construct by construct.

use super::agree::{agree, both, task, violates};
use alphorn_program::c::evidence::Numbers;
use alphorn_program::c::layout::DataModel;
use alphorn_program::c::lower::lower;
use alphorn_program::c::property::{Malloc, Property};

const REACH: &[Property] = &[Property::UnreachCall];
const MEMORY: &[Property] =
    &[Property::ValidDeref, Property::ValidFree, Property::ValidMemtrack, Property::ArrayBounds];

/// The program agrees, always returns where it has a meaning, and does so in some runs.
#[track_caller]
fn returns(text: &str) {
    let tally = both(text, REACH);
    assert!(tally.returned > 0 && tally.violated == 0 && tally.outside == 0, "{tally:?}");
}

/// Statements with two numbers of a type compute a value that is compared with what the program gets: the
/// form is run twice, and must fail where the value is the one the program had.
#[track_caller]
fn computes(ty: &str, expression: &str) {
    let call = ty.split(' ').next_back().expect("a type has a name");
    let call = if ty.starts_with("unsigned") { format!("u{call}") } else { call.to_owned() };
    let text = format!(
        "int main(void) {{ {ty} a = __VERIFIER_nondet_{call}(), b = __VERIFIER_nondet_{call}();
           long r = ({expression}); long s = __VERIFIER_nondet_char();
           if (r == s) fail; if (r % 7 == 3) fail; if (r > 1000) fail; if (r < -1000) fail;
           return 0; }}"
    );
    let tally = both(&text, REACH);
    assert!(tally.returned + tally.violated > 0 && tally.outside == 0, "{expression} {tally:?}");
}

#[test]
fn arithmetic_wraps_promotes_and_divides_as_programs_do() {
    for ty in ["char", "unsigned char", "short", "int", "unsigned int", "long", "unsigned long"] {
        let ty = if ty == "unsigned int" { "unsigned int" } else { ty };
        for expression in [
            "a + b",
            "a - b",
            "a * b",
            "a / b",
            "a % b",
            "-a",
            "~a",
            "!a",
            "a / 3",
            "a % 5",
            "a / -3",
            "a % -5",
            "a << 3",
            "a >> 2",
            "a & 7",
            "a & 0x18",
            "a & ~3",
            "a | 5",
            "a ^ 9",
            "(a > b) & (b > 2)",
            "(a > b) ^ (b > 2)",
            "(a < 3) | (b < 3)",
            "a & 1 & b",
            "a < b",
            "a >= b",
            "a == b",
            "a ? b : 3",
            "(char)a",
            "(unsigned char)(a + b)",
            "(short)(a * 3)",
            "(unsigned)a + 1",
            "(long)a - (unsigned)b",
            "(_Bool)a",
            "a && b || !a",
            "a++ + b",
            "--a - b",
            "a += b",
            "a -= 200",
            "a *= b",
            "a <<= 2",
            "a >>= 1",
            "(a = b, a + 1)",
        ] {
            computes(ty, expression);
        }
    }
}

#[test]
fn overflow_is_found_where_programs_overflow() {
    for expression in ["a + b", "a - b", "a * b", "-a", "a / b", "a++", "--a", "a += b", "a *= 3"] {
        let text =
            format!("int main(void) {{ int a = any, b = any; int c = {expression}; return 0; }}");
        let tally = both(&text, &[Property::NoOverflow]);
        assert!(
            tally.outside == 0 && tally.returned + tally.violated > 0,
            "{expression} {tally:?}"
        );
        if expression != "a / b" {
            assert!(tally.violated > 0, "{expression} {tally:?}");
        }
    }
    let guarded = "int main(void) { int a = any, b = any;
        if (a > 100 || b > 100 || a < -100 || b < -100) return 0; return a * b + a - b; }";
    let tally = both(guarded, &[Property::NoOverflow]);
    assert!(tally.violated == 0 && tally.returned > 0, "{tally:?}");
}

#[test]
fn division_by_zero_is_a_violation_where_it_is_asked_about() {
    let text = "int main(void) { int a = any, b = any & 3; return b != 1 && a / b > 3; }";
    violates(text, &[Property::NoDivisionByZero]);
}

#[test]
fn control_flows_as_written() {
    returns("int main(void) { int s = 0; for (int i = 0; i < 9; i++) { if (i == 2) continue; if (i == 7) break;
        s += i; } is(s == 19); int n = 5; do { n--; } while (n > 2); is(n == 2); while (n < 4) ++n; is(n == 4);
        return 0; }");
    returns("int main(void) { int x = __VERIFIER_nondet_uchar(), r = 0; switch (x) { case 1: r = 1; break; case 2:
        case 3: r = 2; case 4 ... 9: r += 10; break; default: r = 7; } is(x != 1 || r == 1);
        is(x != 3 || r == 12); is(x != 5 || r == 10); is(x < 10 && x || r == 7); return 0; }");
    returns(
        "int main(void) { int i = 0; again: if (i < 5) { i++; goto again; } is(i == 5);
        { int k = 3; goto out; k = 4; out: is(k == 3); } return 0; }",
    );
    returns(
        "int f(int x) { return x < 2 ? x : f(x - 1) + f(x - 2); } int main(void) { is(f(9) == 34); return 0; }",
    );
    returns("int g; int set(int v) { g = v; return v; } int main(void) { int a = 1;
        if (a && set(3) && (set(0) || set(5))) a = g; is(a == 5); a = g ? set(7) : set(8); is(g == 7 && a == 7);
        int b = a + set(2) + g; is(b == 11); int c = set(0) ?: 6; is(c == 6); return 0; }");
    returns(
        "int main(void) { int x = ({ int y = 3; y + 1; }); is(x == 4); if (any > 3) exit(3); return 0; }",
    );
    returns("static int count(void) { static int n = 4; return ++n; } int main(void) { count(); is(count() == 6);
        return 0; }");
    violates(
        "int main(void) { int x = any; __VERIFIER_assume(x > 3); if (x == 5) fail; return 0; }",
        REACH,
    );
}

#[test]
fn what_is_not_initialised_is_chosen() {
    violates("int main(void) { int x; if (x == 3) fail; int a[3]; if (a[1] > 50) fail; struct { int p; char q; } s;
        if (s.p == 7) fail; return 0; }", REACH);
    violates(
        "extern int e; int main(int argc, char **argv) { if (e > argc) fail; return 0; }",
        REACH,
    );
    violates("int main(void) { if (unknown(3) == 2) fail; return 0; }", REACH);
}

#[test]
fn structures_and_arrays_are_their_parts() {
    returns("struct s { int a; char b[3]; struct { short c; } d; }; struct s make(int x) { struct s r = { x, { 1, 2 } };
        r.d.c = 9; return r; } int main(void) { struct s p = make(4), q; q = p; q.b[1] = 7; is(p.b[1] == 2);
        is(q.a == 4 && q.b[0] == 1 && q.b[1] == 7 && q.b[2] == 0 && q.d.c == 9); is(make(8).a == 8);
        struct s v[3] = { [1] = { 5 } }; v[2] = q; is(v[2].b[1] == 7 && v[1].a == 5 && v[0].a == 0); return 0; }");
    returns("int main(void) { int m[3][4] = { { 1, 2 }, { 3 } }; m[2][3] = 8; int s = 0;
        for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) s += m[i][j]; is(s == 14); return 0; }");
    returns("int main(void) { struct { unsigned a : 3; int b : 4; } s = { 9, 12 }; is(s.a == 1); is(s.b == -4);
        s.a += 7; is(s.a == 0); s.b--; is(s.b == -5); return 0; }");
    returns(
        "int main(void) { char t[] = \"abc\"; is(t[1] == 'b' && t[3] == 0 && sizeof t == 4); return 0; }",
    );
    returns(
        "union u { int a; int b; }; int main(void) { union u x; x.a = 5; is(x.b == 5); return 0; }",
    );
    violates(
        "int main(void) { int a[4]; int i = (any & 7) - 1; a[i] = 3; return 0; }",
        &[Property::ArrayBounds],
    );
}

#[test]
fn pointers_are_followed() {
    returns("void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; } int main(void) { int x = 3, y = 4;
        swap(&x, &y); is(x == 4 && y == 3); int *p = &x; int **q = &p; *q = &y; **q = 9; is(y == 9 && x == 4);
        is(p == &y && p != &x && p); return 0; }");
    returns("int sum(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
        int main(void) { int a[5] = { 1, 2, 3, 4, 5 }; is(sum(a, 5) == 15); is(sum(a + 2, 2) == 7);
        int *p = a; p++; *p++ = 7; is(a[1] == 7 && p - a == 2 && p > a); p -= 2; is(*p == 1); return 0; }");
    returns("struct n { int v; struct n *next; }; int main(void) { struct n a = { 1, 0 }, b = { 2, &a };
        struct n **pp = &b.next; is((*pp)->v == 1); *pp = &b; is(b.next->next->v == 2); struct n *head = &a;
        pp = &head; is((*pp)->v == 1); pp = &(*pp)->next; *pp = &b; is(head->next->v == 2); return 0; }");
    returns("struct s { int a; int b[4]; }; int main(void) { struct s v[2] = { { 1, { 2, 3 } } }; struct s *p = v + 1;
        p->b[2] = 6; is(v[1].b[2] == 6); int *q = v[1].b; q[3] = 8; is(p->b[3] == 8); *p = v[0]; is(p->b[1] == 3);
        is(v[1].b[3] == 0); return 0; }");
    returns(
        "int add(int a, int b) { return a + b; } int mul(int a, int b) { return a * b; }
        int main(void) { int (*f)(int, int) = add; is(f(2, 3) == 5); f = mul; is(f(2, 3) == 6);
        int (*t[2])(int, int) = { add, mul }; is(t[any & 1](2, 2) == 4); return 0; }",
    );
    returns("int *f(int d) { int x = d; int *p = &x; if (d > 0) { f(d - 1); is(*p == d); } return 0; }
        int main(void) { f(3); for (int i = 0; i < 3; i++) { int y; int *q = &y; *q = i; is(y == i); } return 0; }");
    returns(
        "int main(void) { const char *s = \"hey\"; int n = 0; while (s[n]) n++; is(n == 3); return 0; }",
    );
}

#[test]
fn the_heap_is_followed() {
    let list = "struct n { int v; struct n *next; }; int main(void) { struct n *head = 0; int count = any & 3;
        for (int i = 0; i < count; i++) { struct n *x = malloc(sizeof(struct n)); x->v = i; x->next = head; head = x; }
        int seen = 0; for (struct n *x = head; x; x = x->next) { seen++; is(x->v == count - seen); }
        is(seen == count); while (head) { struct n *next = head->next; free(head); head = next; } return 0; }";
    returns(list);
    let tally = both(list, MEMORY);
    assert!(tally.returned > 0 && tally.violated == 0 && tally.outside == 0, "{tally:?}");
    returns("int main(void) { int n = 4; int *a = calloc(n, sizeof(int)); is(a[2] == 0); a[1] = 3; int *b = a;
        is(b[1] == 3); int *c = alloca(8); c[1] = b[1]; is(c[1] == 3); memset(a, 0, 2 * sizeof(int)); is(a[1] == 0);
        struct { int x, y; } s = { 1, 2 }, t; memcpy(&t, &s, sizeof s); is(t.y == 2); free(a); return 0; }");
    violates(
        "int main(void) { int *a = malloc(3 * sizeof(int)); if (a[1] != 0) fail; return 0; }",
        REACH,
    );
}

#[test]
fn misuse_of_memory_is_found() {
    for body in [
        "int *p = 0; if (any) *p = 1;",
        "int *p = malloc(4); free(p); if (any > 0) return *p;",
        "int *p = malloc(4); free(p); if (any > 0) free(p);",
        "int x; int *p = &x; if (any > 0) free(p);",
        "int *p = malloc(8); int i = any & 3; p[i] = 3; free(p);",
        "int *p; { int x = 3; p = &x; } if (any > 0) return *p;",
        "int a[3]; int i = any & 3; a[i] = 2;",
        "struct { int a, b; } *p = malloc(4); p->a = 3; if (any > 0) p->b = 2; free(p);",
        "char *p = malloc(3); p++; if (any > 0) free(p);",
    ] {
        violates(&format!("int main(void) {{ {body} return 0; }}"), MEMORY);
    }
    violates(
        "int main(void) { int *p = malloc(4); if (any > 3) free(p); return 0; }",
        &[Property::MemCleanup],
    );
    let tally = both("int main(void) { int *p = malloc(4); *p = 2; free(p); return 0; }", MEMORY);
    assert_eq!(tally.violated, 0);
}

#[test]
fn allocation_may_fail_where_that_is_said() {
    let text = "int main(void) { int *p = malloc(4); if (!p) fail; int *q = calloc(1, 4); if (!q) return 1; return *q; }";
    for numbers in [Numbers::Integers, Numbers::Words] {
        let task = task(text, REACH, DataModel::Lp64, Malloc::MayFail);
        let tally = agree(&task, &lower(&task, numbers).expect("treated"), 3, 60);
        assert!(tally.violated > 0 && tally.returned > 0, "{tally:?}");
    }
}
