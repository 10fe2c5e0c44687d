//! What is not treated is named with its place, all of it, and only if it can be reached.

use super::agree::{HEAD, agree, task};
use alphorn_program::c::evidence::Numbers;
use alphorn_program::c::layout::DataModel;
use alphorn_program::c::lower::{Assumption, Options, lower, lower_with};
use alphorn_program::c::property::{Malloc, Property, Task};

fn reach(text: &str) -> Task {
    task(text, &[Property::UnreachCall], DataModel::Lp64, Malloc::Succeeds)
}

#[test]
fn what_is_not_treated_is_named_with_its_place() {
    let text =
        "extern int rand(void); int main(void) { int a = any, b = any; return rand() + (a & b); }";
    let all = lower(&reach(text), Numbers::Integers).expect_err("two things are not treated");
    let whole = format!("{HEAD}\n{text}");
    let named: Vec<(&str, &str, bool)> = all
        .iter()
        .map(|one| {
            let place = &whole[one.span.start as usize..one.span.end as usize];
            (one.what.as_str(), place, one.needs_words)
        })
        .collect();
    let rand = ("a function of the standard library", "rand()", false);
    assert!(named.contains(&rand), "{named:?}");
    assert!(
        named.iter().any(|(what, place, words)| *what == "`&` on integers"
            && *place == "(a & b)"
            && *words),
        "{named:?}"
    );
    let all = lower(&reach(text), Numbers::Words).expect_err("one thing is not treated");
    assert!(all.iter().all(|one| one.what == "a function of the standard library"), "{all:?}");
}

#[test]
fn what_cannot_be_reached_or_is_only_carried_around_does_not_matter() {
    let text = "double unused(double x) { return x * 2; } int main(void) { double d = 3.5; d = d + 1; return 0;
        d = unused(d) > 2; }";
    assert!(lower(&reach(text), Numbers::Integers).is_ok());
}

#[test]
fn threads_of_unknown_functions_and_functions_that_escape_are_not_treated() {
    let text = "extern int pthread_create(unsigned long *, void *, void *(*)(void *), void *);
        void *run(void *p) { reach_error(); return p; }
        void *(*which)(void *) = run;
        int main(void) { unsigned long t; pthread_create(&t, 0, which, 0); return 0; }";
    assert!(lower(&reach(text), Numbers::Integers).is_err());
    let text = "extern void later(void (*)(void)); void f(void) { reach_error(); }
        int main(void) { later(f); return 0; }";
    assert!(lower(&reach(text), Numbers::Integers).is_err());
}

#[test]
fn an_unknown_function_that_gets_an_object_leaves_nothing_proved_about_memory() {
    let text = "extern void take(int *); int main(void) { int *p = malloc(4); take(p); *p = 1; free(p); return 0; }";
    let asked = [Property::ValidDeref, Property::ValidFree];
    let task = task(text, &asked, DataModel::Lp64, Malloc::Succeeds);
    let lowered = lower(&task, Numbers::Integers).expect("treated");
    let tally = agree(&task, &lowered, 1, 5);
    assert_eq!(tally.outside, 5, "{tally:?}");
}

#[test]
fn assumptions_are_named() {
    let text = "extern int g(int); int main(void) { return g(2) + g(3); }";
    let lowered = lower(&reach(text), Numbers::Integers).expect("treated");
    assert!(lowered.assumptions.contains(&Assumption::DataModel(DataModel::Lp64)));
    assert!(lowered.assumptions.contains(&Assumption::SignedWraps));
    let unknown =
        |one: &&Assumption| matches!(one, Assumption::Unknown { name, .. } if name == "g");
    assert_eq!(lowered.assumptions.iter().filter(unknown).count(), 1);
}

#[test]
fn ranges_at_heads_can_be_left_out() {
    let text = "int main(void) { unsigned i = 0; while (i < 9) i++; return 0; }";
    let count = |ranges| {
        let options = Options { numbers: Numbers::Integers, ranges };
        let lowered = lower_with(&reach(text), options).expect("treated");
        let blocks = lowered.program.procs.iter().flat_map(|proc| &proc.blocks);
        blocks.map(|block| block.steps.len()).sum::<usize>()
    };
    assert!(count(true) > count(false));
}
