//! Memory that is used with different types, functions about texts and bytes, and what lives until when.

use super::agree::{agree, both, task, violates};
use alphorn_program::c::evidence::Numbers;
use alphorn_program::c::layout::DataModel;
use alphorn_program::c::lower::lower;
use alphorn_program::c::property::{Malloc, Property};

const REACH: &[Property] = &[Property::UnreachCall];
const DEREF: &[Property] = &[Property::ValidDeref, Property::ValidFree];

/// The program agrees, always returns where it has a meaning, and does so in some runs.
#[track_caller]
fn returns(text: &str) {
    for properties in [REACH, DEREF] {
        let tally = both(text, properties);
        assert!(tally.returned > 0 && tally.violated == 0 && tally.outside == 0, "{tally:?}");
    }
}

/// The form does not follow any run.
#[track_caller]
fn is_outside(text: &str) {
    let task = task(text, REACH, DataModel::Lp64, Malloc::Succeeds);
    let lowered = lower(&task, Numbers::Integers).expect("treated");
    let tally = agree(&task, &lowered, 1, 5);
    assert_eq!(tally.outside, 5, "{tally:?}");
}

#[test]
fn numbers_are_read_and_written_by_their_bytes() {
    returns(
        "int main(void) { int x = any; char *p = (char *)&x; int y = x;
           is((unsigned char)p[0] == (y & 255)); is(p[3] == y >> 24); p[1] = 0;
           is(x == (y & ~0xff00)); p[0] = 1; p[1] = 2; p[2] = 3; p[3] = 4; is(x == 0x04030201);
           x = -2; is(p[3] == -1); is((unsigned char)p[0] == 254); return 0; }",
    );
    violates(
        "int main(void) { int a[3]; a[0] = a[1] = a[2] = 300; unsigned char *p = (unsigned char *)a;
           int s = 0; for (int i = 0; i < 12; i++) s += p[i]; is(s != 3 * 45); return 0; }",
        REACH,
    );
    violates(
        "int main(void) { int a[3] = { 1, 2, 3 }; char *p = (char *)a; int i = __VERIFIER_nondet_uchar();
           __VERIFIER_assume(i < 16); return p[i]; }",
        DEREF,
    );
    violates(
        "int main(void) { short a[3] = { 0 }; int *p = (int *)a; int i = __VERIFIER_nondet_uchar();
           __VERIFIER_assume(i < 3); p[i / 2] = 7; return 0; }",
        DEREF,
    );
}

#[test]
fn unions_are_their_bytes() {
    returns(
        "union u { int i; unsigned char c[4]; short s[2]; } g; int main(void) {
           union u a, b; a.i = any; b = a; is(b.c[0] == (a.i & 255)); is(b.s[1] == a.i >> 16);
           b.c[2] = 7; is(((b.i >> 16) & 255) == 7); g = b; is(g.c[2] == 7); is(g.i == b.i);
           union u c = { 0x01020304 }; is(c.c[3] == 1); is(c.s[0] == 0x0304); return 0; }",
    );
    violates(
        "union u { int i; unsigned char c[4]; }; int main(void) { union u a; a.i = any;
           if (a.c[0] == 5 && a.c[3] == 0) fail; return 0; }",
        REACH,
    );
    returns(
        "struct s { int tag; union { long l; unsigned u[2]; } v; }; int main(void) { struct s x, y;
           x.tag = 1; x.v.u[0] = 5; x.v.u[1] = 6; y = x; is(y.v.u[1] == 6); is(y.tag == 1);
           if (sizeof(long) == 8) { is(y.v.l % 1000000 == 5 + 4294967296 * 6 % 1000000); } else { is(y.v.l == 5); }
           return 0; }",
    );
}

#[test]
fn structures_are_used_as_others_and_pointers_stay_what_they_are() {
    returns(
        "struct a { int x; struct a *next; }; struct b { int y; struct b *link; };
         int main(void) { struct a *p = malloc(sizeof *p), *q = malloc(sizeof *q); p->x = any; p->next = q;
           q->x = 5; q->next = 0; struct b *r = (struct b *)p; is(r->y == p->x); is(r->link == (struct b *)q);
           is(r->link->y == 5); is(!r->link->link); r->link->y = 6; is(q->x == 6);
           free(p); free(q); return 0; }",
    );
    returns(
        "struct list { struct list *next, *prev; }; struct node { int value; struct list list; };
         struct list head = { &head, &head };
         int main(void) { struct node *n = malloc(sizeof *n); n->value = any; n->list.next = head.next;
           n->list.prev = &head; head.next->prev = &n->list; head.next = &n->list;
           struct node *m = (struct node *)((char *)head.next - (unsigned long)&((struct node *)0)->list);
           is(m == n); is(m->value == n->value); m->value = 3; is(n->value == 3); is(head.prev == &n->list);
           free(m); return 0; }",
    );
    violates(
        "struct a { int x, y; }; struct b { long z; }; int main(void) { struct b *p = malloc(sizeof(int));
           struct a *q = (struct a *)p; q->x = 1; p->z = 2; free(q); return 0; }",
        DEREF,
    );
    returns(
        "struct a { long x; int *p; }; struct b { unsigned char u[sizeof(long)]; int *q; }; int g = 4;
         int main(void) { struct a *a = calloc(1, sizeof *a); struct b *b = (struct b *)a; is(!b->q);
           is(!b->u[1]); a->p = &g; is(*b->q == 4); b->q = 0; is(!a->p); a->x = 7; is(b->u[0] == 7);
           free(a); return 0; }",
    );
}

#[test]
fn a_part_of_an_address_is_no_number() {
    is_outside(
        "int main(void) { int x = 0; int *p = &x; unsigned char *c = (unsigned char *)&p; return c[0]; }",
    );
    is_outside(
        "int main(void) { int x = 0; int *p = &x; int **pp = &p; unsigned char *c = (unsigned char *)&p;
           c[2] = 0; return **pp; }",
    );
}

#[test]
fn bytes_are_copied_and_set() {
    returns(
        "struct s { char c; int i; short h[3]; int *p; }; int g; int main(void) { struct s a, b;
           char *o = (char *)&a; a.c = 1; a.i = any; a.h[0] = a.h[1] = 2; a.h[2] = 3; a.p = &g;
           memset(&b, 0, sizeof b); is(b.i == 0 && !b.p); memcpy(&b, &a, sizeof b);
           is(b.i == a.i); is(b.h[2] == 3); is(b.p == &g); is(*o == 1);
           memset(&b.i, 255, 4); is(b.i == -1); memset(&b.i, 1, 2); is(b.i == (int)0xffff0101); return 0; }",
    );
    returns(
        "int main(void) { int a[9], b[9]; unsigned n = __VERIFIER_nondet_uint() % 10;
           memset(a, 0, sizeof(int) * n); for (unsigned i = 0; i < n; i++) { is(a[i] == 0); a[i] = i; }
           memcpy(b, a, n * sizeof *a); for (unsigned i = 0; i < n; i++) is(b[i] == i); return 0; }",
    );
    returns(
        "struct a { int x; int *p; }; struct b { int y; int *q; }; int g; int main(void) {
           unsigned n = 1 + __VERIFIER_nondet_uint() % 3; struct a *a = malloc(n * sizeof *a);
           a[n - 1].x = 5; a[n - 1].p = &g; memset(a, 0, n * sizeof *a); struct b *b = (struct b *)a;
           is(!b[n - 1].y && !b[n - 1].q); b->q = &g; b->y = 6; struct a *c = malloc(n * sizeof *c);
           memcpy(c, b, n * sizeof *c); is(c->p == &g); is(c->x == 6); free(a); free(c); return 0; }",
    );
    violates(
        "int main(void) { int a[4], b[4] = { 1 }; unsigned n = __VERIFIER_nondet_uint() % 6;
           memcpy(a, b, n * sizeof *a); return 0; }",
        DEREF,
    );
    violates(
        "int main(void) { char a[4]; unsigned n = __VERIFIER_nondet_uint() % 6; memset(a, 7, n);
           return 0; }",
        DEREF,
    );
}

#[test]
fn what_is_allocated_anew_keeps_as_much_as_fits() {
    let realloc = "extern void *realloc(void *, unsigned long);";
    returns(&format!(
        "{realloc} int main(void) {{ int n = __VERIFIER_nondet_uchar() % 5; int *p = malloc(4 * sizeof *p);
           for (int i = 0; i < 4; i++) p[i] = i + 10; p = realloc(p, (n + 1) * sizeof *p);
           is(p[n < 4 ? n : 3] == 10 + (n < 4 ? n : 3)); is(*p == 10); free(p); return 0; }}"
    ));
    returns(&format!(
        "{realloc} struct a {{ int x; struct a *p; }}; struct b {{ int y; struct b *q; }};
         int main(void) {{ struct a *a = realloc(0, sizeof *a); a->x = any; a->p = a; struct a *old = a;
           a = realloc(a, 2 * sizeof *a); struct b *b = (struct b *)a; is(b->y == a->x);
           is(b->q == (struct b *)old); free(b); return 0; }}"
    ));
    // What comes behind is new, though it was something else once.
    violates(
        &format!(
            "{realloc} int main(void) {{ int *p = calloc(2, sizeof *p); p = realloc(p, sizeof *p);
               p = realloc(p, 2 * sizeof *p); if (p[1] > 50) fail; free(p); return 0; }}"
        ),
        REACH,
    );
    violates(
        &format!(
            "{realloc} int main(void) {{ int *p = malloc(8), *q = p; p = realloc(p, 4); if (any) return *q;
               p[1] = 2; return 0; }}"
        ),
        DEREF,
    );
}

#[test]
fn what_lies_behind_a_member_is_another_member() {
    returns(
        "struct s { int x, y; } a[2]; int main(void) { int v[2] = { 5, 6 }; a[1].x = any; int x = a[1].x;
           a[1].y = 3; memcpy(&a[0].x, v, 0); memset(&a[0].y, 0, 4); is(a[1].x == x); is(a[0].x == 0); return 0; }",
    );
    let text = "struct s { int x, y; } a[2]; int main(void) { a[0].y = 4; memset(&a[0].x, 0, 8);
                  if (a[0].y) fail; a[1].x = 7; memset(&a[0].x, 0, 8); if (!a[1].x) fail; return 0; }";
    let task = task(text, REACH, DataModel::Lp64, Malloc::Succeeds);
    let lowered = lower(&task, Numbers::Integers).expect("treated loosely");
    assert!(!lowered.loose.is_empty());
    let task = super::agree::task(text, DEREF, DataModel::Lp64, Malloc::Succeeds);
    assert!(lower(&task, Numbers::Integers).is_err());
}

const TEXTS: &str = "extern unsigned long strlen(const char *); extern char *strcpy(char *, const char *);
    extern char *strncpy(char *, const char *, unsigned long); extern int strcmp(const char *, const char *);
    extern char *strcat(char *, const char *); extern int strncmp(const char *, const char *, unsigned long);
    extern char *strchr(const char *, int); extern int memcmp(const void *, const void *, unsigned long);";

#[test]
fn texts_are_measured_copied_compared_and_searched() {
    returns(&format!(
        "{TEXTS} int main(void) {{ char a[12], b[12]; is(strlen(\"abc\") == 3); is(strcpy(a, \"hello\") == a);
           is(strlen(a) == 5); is(a[5] == 0); strcat(a, \" you\"); is(strlen(a) == 9); is(a[6] == 'y');
           strncpy(b, a, 11); is(strcmp(a, b) == 0); is(b[10] == 0); strncpy(b, \"xyz\", 2);
           is(b[0] == 'x' && b[1] == 'y' && b[2] == 'l'); is(strcmp(\"abc\", \"abd\") < 0);
           is(strcmp(\"b\", \"a\") > 0); is(strcmp(\"\", \"a\") == -1); is(strncmp(\"abc\", \"abd\", 2) == 0);
           is(strncmp(\"abc\", \"abd\", 3) < 0); is(strchr(a, 'o') == a + 4); is(!strchr(a, 'z'));
           is(strchr(a, 0) == a + 9); is(memcmp(a, \"help\", 3) == 0); is(memcmp(a, \"help\", 4) < 0);
           char c = __VERIFIER_nondet_char(); char d[2] = {{ c, 0 }}; is(strlen(d) == (c != 0));
           is((strcmp(d, \"a\") > 0) == ((unsigned char)c > 'a')); return 0; }}"
    ));
}

#[test]
fn texts_are_doubled_and_letters_change_their_case() {
    returns(&format!(
        "{TEXTS} extern char *strdup(const char *); extern int toupper(int); extern int tolower(int);
         int main(void) {{ char a[3] = \"ab\"; char *p = strdup(a); a[0] = 'x'; is(strcmp(p, \"ab\") == 0);
           is(p[2] == 0); p[1] = 'y'; is(a[1] == 'b'); free(p); int c = __VERIFIER_nondet_uchar();
           is(toupper(c) == (c >= 'a' && c <= 'z' ? c - 32 : c)); is(tolower('Q') == 'q'); is(tolower(c) >= c);
           is(toupper('z') == 'Z' && toupper('{{') == '{{'); return 0; }}"
    ));
    violates(
        &format!(
            "{TEXTS} extern char *strdup(const char *); int main(void) {{ char *p = strdup(any ? \"a\" : \"ab\");
               p[2] = 0; free(p); return 0; }}"
        ),
        DEREF,
    );
}

#[test]
fn texts_must_end_and_fit() {
    for body in [
        "char a[3]; a[0] = 'a'; a[1] = any; a[2] = 'c'; return strlen(a);",
        "char a[3]; strcpy(a, any ? \"abc\" : \"ab\"); return 0;",
        "char a[4] = \"ab\"; strcat(a, any ? \"cd\" : \"c\"); return 0;",
        "char a[4]; strncpy(a, \"b\", __VERIFIER_nondet_uchar() % 6); return 0;",
        "char a[2] = { 'a', any ? 'b' : 0 }; return strcmp(a, \"ab\");",
        "char a[2] = { 'a', any }; return strchr(a, 'b') != 0;",
        "char a[2] = { 'a', 'b' }; return memcmp(a, \"abc\", 1 + __VERIFIER_nondet_uchar() % 3);",
        "char *p = malloc(2); p[0] = 'a'; p[1] = any; int n = strlen(p); free(p); return n;",
    ] {
        violates(&format!("{TEXTS} int main(void) {{ {body} }}"), DEREF);
    }
}

#[test]
fn what_is_allocated_in_a_frame_lives_until_the_function_returns() {
    returns(
        "int f(int n) { int *p = alloca(3 * sizeof(int)); p[2] = n; if (n > 5) return p[2]; return p[2] + 1; }
         int main(void) { is(f(3) == 4); is(f(6) == 6); return 0; }",
    );
    violates(
        "int *f(void) { int *p = alloca(4); *p = 1; if (any) return 0; return p; }
         int main(void) { int *p = f(); if (p) return *p; return 0; }",
        DEREF,
    );
    is_outside_of(
        "void f(void) { for (int i = 0; i < 2; i++) { char *p = alloca(1); *p = 0; } }
         int main(void) { f(); return 0; }",
        DEREF,
    );
}

#[track_caller]
fn is_outside_of(text: &str, properties: &[Property]) {
    let task = task(text, properties, DataModel::Lp64, Malloc::Succeeds);
    let lowered = lower(&task, Numbers::Integers).expect("treated");
    assert_eq!(agree(&task, &lowered, 1, 5).outside, 5);
}

#[test]
fn memory_that_static_variables_hold_is_not_lost() {
    let tracked: &[Property] = &[Property::ValidMemtrack];
    let kept = "int *g; struct { int n; char *p; } s; int main(void) { g = malloc(4);
                if (any) { s.p = malloc(1); } return 0; }";
    let tally = both(kept, tracked);
    assert!(tally.returned > 0 && tally.violated == 0 && tally.other == 0, "{tally:?}");
    let lost =
        "int *g, *h; int main(void) { g = malloc(4); h = malloc(4); if (any) h = g; return 0; }";
    let tally = violates(lost, tracked);
    assert!(tally.returned > 0, "{tally:?}");
    let tally =
        violates("int *g; int main(void) { g = malloc(4); return 0; }", &[Property::MemCleanup]);
    assert_eq!(tally.returned, 0, "{tally:?}");
}

#[test]
fn what_is_lost_is_lost_though_the_run_has_no_end() {
    let tracked: &[Property] = &[Property::ValidMemtrack];
    for lost in [
        "int main(void) { int *p = malloc(4); if (any) p = 0; while (1); }",
        "int main(void) { { int *p = malloc(4); } again: goto again; }",
        "int main(void) { int *p = malloc(4); p = 0; for (;;) { } }",
        "int main(void) { int *p = malloc(4); p = 0; do ; while (any || 1); }",
        "void f(int n) { f(n + 1); } int main(void) { malloc(4); f(0); }",
        "void f(int n); void g(int n) { f(n + 1); } void f(int n) { g(n); }
         int main(void) { void (*h)(int) = g; malloc(4); h(0); }",
    ] {
        assert!(violates(lost, tracked).violated > 0, "{lost}");
    }
    for kept in [
        "int main(void) { int *p = malloc(4); while (any); free(p); return 0; }",
        "int *g; int main(void) { g = malloc(4); for (int i = 0; i < 3; i++) { } return 0; }",
        "int main(void) { int *p = malloc(4), *q = malloc(4); again: if (any) goto again; free(p); free(q); return 0; }",
        "void f(int *p) { while (any); free(p); } int main(void) { f(malloc(4)); return 0; }",
    ] {
        let tally = both(kept, tracked);
        assert!(tally.returned > 0 && tally.violated == 0, "{kept} {tally:?}");
    }
}

#[test]
fn a_variable_that_a_jump_finds_dead_keeps_nothing() {
    // The pointer of the first life is gone when the block is entered again, past its declaration.
    let text = "int main(void) { int n = 0; back: if (n == 1) goto in; { int *p = malloc(4); n = 1; goto back;
                in: while (1); } }";
    assert!(violates(text, &[Property::ValidMemtrack]).violated > 0);
}

#[test]
fn a_comparison_of_floating_numbers_may_come_out_either_way() {
    let text = "int main(void) { double d = 0.5; int x = d * 4; x += 0.5; if (d > x) return 1; return 0; }";
    let task = task(text, REACH, DataModel::Lp64, Malloc::Succeeds);
    let lowered = lower(&task, Numbers::Integers).expect("treated");
    assert!(lowered.loose.iter().any(|loose| loose.what == "floating numbers"));
    let text = "int main(void) { double d = 0.5; if (d > 1.0) fail; return 0; }";
    let task = super::agree::task(text, REACH, DataModel::Lp64, Malloc::Succeeds);
    assert!(lower(&task, Numbers::Integers).is_ok());
}
