//! Random systems without recursion, of every shape, against the one formula that says that a query
//! has a derivation.

use crate::judge::run;
use alphorn_horn::shape::Shape;
use alphorn_problem::Horn;
use alphorn_problem::horn::{Clause, Head};
use alphorn_problem::obligation::horn::unfold;
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::{Store, Substitution, TermId};
use alphorn_testkit::horn::acyclic::{Style, system};

/// Whether some query has a derivation, and the background function a value to go with it.
fn is_derivable(horn: &Horn) -> bool {
    let mut store = horn.terms.clone();
    let queries: Vec<&Clause> =
        horn.clauses.iter().filter(|clause| clause.head == Head::False).collect();
    let ways: Vec<TermId> =
        queries.into_iter().map(|query| derivations(horn, &mut store, query, &[])).collect();
    let any = store.or(&ways);
    let mut smt = Smt::new(Options::default());
    smt.assert(&mut store, any);
    match smt.check(&mut store, &[]) {
        Answer::Sat => true,
        Answer::Unsat => false,
        Answer::Unknown => panic!("the solver does not know"),
    }
}

/// A clause derives its head on `args`.
fn derivations(horn: &Horn, store: &mut Store, clause: &Clause, args: &[TermId]) -> TermId {
    let names: Vec<TermId> =
        clause.vars.iter().map(|&var| store.fresh_var("y", store.sort(var))).collect();
    let map: Substitution = clause.vars.iter().copied().zip(names).collect();
    let body = unfold(horn, clause, store, |store, atom, inner| {
        let inner = store.substitute_all(inner, &map);
        let pred = horn.atom(atom).unwrap();
        let mut ways = Vec::new();
        for clause in &horn.clauses {
            if matches!(clause.head, Head::Atom(head, _) if head == pred) {
                ways.push(derivations(horn, store, clause, &inner));
            }
        }
        Ok(Some(store.or(&ways)))
    });
    let mut parts = vec![store.substitute(body.unwrap(), &map)];
    if let Head::Atom(_, head) = &clause.head {
        let head = store.substitute_all(head, &map);
        parts.extend(head.iter().zip(args).map(|(&left, &right)| store.eq(left, right)));
    }
    store.and(&parts)
}

/// Compares verdicts; `fits` says what shape the style is to give.
fn compare(style: Style, seeds: std::ops::Range<u64>, fits: impl Fn(&Shape) -> bool) {
    let total = seeds.end - seeds.start;
    let (mut safe, mut refused) = (0, 0);
    for seed in seeds {
        let horn = system(seed, style);
        horn.validate().unwrap();
        let shape = Shape::of(&horn);
        assert!(!shape.is_recursive() && fits(&shape), "seed {seed}: {shape:?}");
        let expected = if is_derivable(&horn) { "unsafe" } else { "safe" };
        let found = run(&horn);
        if style.functions && expected == "unsafe" && found.contains("leaves open") {
            refused += 1;
            continue;
        }
        assert_eq!(found, expected, "seed {seed}");
        safe += u64::from(found == "safe");
    }
    let unsafe_ = total - safe - refused;
    assert!(safe >= total / 10 && unsafe_ >= total / 10, "{safe} safe, {unsafe_} unsafe");
}

#[test]
fn tree_like_systems() {
    let style =
        Style { body_disjoint: true, head_disjoint: true, disjunctions: false, ..Style::GENERAL };
    compare(style, 0..150, Shape::is_tree_like);
}

#[test]
fn linear_systems() {
    let style = Style { atoms: 1, disjunctions: false, ..Style::GENERAL };
    compare(style, 1_000..1_150, |shape| shape.is_linear);
}

#[test]
fn body_disjoint_systems() {
    let style = Style { body_disjoint: true, ..Style::GENERAL };
    compare(style, 2_000..2_150, |shape| shape.is_body_disjoint);
}

#[test]
fn head_disjoint_systems() {
    let style = Style { head_disjoint: true, ..Style::GENERAL };
    compare(style, 3_000..3_100, |shape| shape.is_head_disjoint);
}

#[test]
fn general_systems() {
    compare(Style::GENERAL, 4_000..4_150, |_| true);
}

#[test]
fn systems_with_functions() {
    let style = Style { functions: true, atoms: 2, ..Style::GENERAL };
    compare(style, 5_000..5_100, |_| true);
}
