//! Projection of variables of arrays and datatypes: what is left is true in the model, free of the variables,
//! and implies that values for them exist.

use alphorn_smt::project::{Projection, project};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Model, Op, Sort, Store, TermId, eval};
use alphorn_testkit::formulas::{Formulas, Kind, seeds};

fn solve(store: &mut Store, formulas: &[TermId]) -> Option<Model> {
    let mut smt = Smt::new(Options::default());
    smt.set_budget(alphorn_sat::Budget { conflicts: Some(2000), ..Default::default() });
    for formula in formulas {
        smt.assert(store, *formula);
    }
    (smt.check(store, &[]) == Answer::Sat).then(|| smt.model(store))
}

/// Whether values of other variables can be completed to a model of the formula.
fn extends(store: &mut Store, formula: TermId, others: &[TermId], model: &Model) -> Option<bool> {
    let mut all = vec![formula];
    for &other in others {
        let Some(value) = model.vars.get(&other) else { continue };
        let term = store.value_term(value)?;
        all.push(store.eq(other, term));
    }
    // What selectors give on other constructors is part of the model.
    for ((ctor, field), table) in &model.choices.fields {
        for (args, value) in &table.entries {
            let of = store.value_term(&args[0])?;
            let (field, value) =
                (store.mk(Op::Field(*ctor, *field), &[of]), store.value_term(value)?);
            all.push(store.eq(field, value));
        }
    }
    let mut smt = Smt::new(Options::default());
    for formula in &all {
        smt.assert(store, *formula);
    }
    match smt.check(store, &[]) {
        Answer::Sat => Some(true),
        Answer::Unsat => Some(false),
        Answer::Unknown => None,
    }
}

fn run(kind: Kind, seeds: std::ops::Range<u64>) -> [u32; 2] {
    let mut counts = [0; 2];
    for seed in seeds {
        let mut store = Store::new();
        let mut formulas = Formulas::new(&mut store, seed, kind);
        let parts: Vec<TermId> = (0..3).map(|_| formulas.formula(&mut store, 2)).collect();
        let formula = store.and(&parts);
        let Some(model) = solve(&mut store, &[formula]) else { continue };
        let vars = store.free_vars(&[formula]);
        let (gone, others): (Vec<TermId>, Vec<TermId>) =
            vars.iter().partition(|_| formulas.rng.one_in(2));
        let Projection { literals, kept } = project(&mut store, &[formula], &gone, &model)
            .unwrap_or_else(|| panic!("seed {seed}: no projection"));
        let all = store.and(&literals);
        let left = store.free_vars(&[all]);
        for var in &gone {
            assert!(!left.contains(var) || kept.contains(var), "seed {seed}: {}", store.show(*var));
        }
        let strange: Vec<&TermId> = left.iter().filter(|var| !vars.contains(var)).collect();
        assert!(strange.is_empty(), "seed {seed}: {}", store.show(all));
        assert!(eval(&store, all, &model).is_ok_and(|value| value.as_bool() == Some(true)));
        counts[0] += 1;
        counts[1] += u32::from(kept.is_empty());
        // Another model of the projection, different where that is possible.
        let mut question = literals.clone();
        for &other in &others {
            let is_array = matches!(store.sort_of(store.sort(other)), Sort::Array(..));
            let Some(value) = model.vars.get(&other).filter(|_| !is_array) else { continue };
            let Some(term) = store.value_term(value) else { continue };
            let same = store.eq(other, term);
            question.push(store.not(same));
            match solve(&mut store, &question) {
                Some(_) => {}
                None => {
                    question.pop();
                }
            }
        }
        let Some(found) = solve(&mut store, &question) else { continue };
        let free: Vec<TermId> = others.iter().chain(&kept).copied().collect();
        let result = extends(&mut store, formula, &free, &found);
        assert_ne!(
            result,
            Some(false),
            "seed {seed}: {} without {:?} is not {}",
            store.show(formula),
            gone.iter().map(|var| store.show(*var).to_string()).collect::<Vec<_>>(),
            store.show(all)
        );
    }
    counts
}

/// Projects formulas of a kind; at least so many percent must come without a variable that stays.
#[track_caller]
fn check(kind: Kind, percent: u32) {
    let [all, complete] = run(kind, seeds(300));
    assert!(all > 0 && complete * 100 > all * percent, "{complete} of {all}");
}

#[test]
fn arrays_of_integers() {
    check(Kind { arrays: true, ints: true, ..Kind::default() }, 50);
}

#[test]
fn nested_arrays() {
    check(Kind { arrays: true, nested: true, ints: true, ..Kind::default() }, 50);
}

#[test]
fn arrays_with_operators() {
    check(Kind { arrays: true, ints: true, operators: true, ..Kind::default() }, 50);
}

#[test]
fn arrays_of_reals() {
    check(Kind { arrays: true, reals: true, ..Kind::default() }, 50);
}

#[test]
fn datatypes() {
    check(Kind { data: true, ..Kind::default() }, 95);
}

#[test]
fn datatypes_with_integers() {
    check(Kind { data: true, ints: true, ..Kind::default() }, 95);
}
