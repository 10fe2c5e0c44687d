//! When two Horn systems are the same problem: printed alike, and equal part by part.
//!
//! Terms live in two stores, so equality is a walk over pairs of terms that ignores the numbers
//! of symbols, functions, sorts and constructors and looks at what they stand for.

use alphorn_front::smtlib::{self, Script, print_horn};
use alphorn_problem::Horn;
use alphorn_problem::horn::Head;
use alphorn_term::{Op, Store, TermId};
use std::collections::BTreeSet;

/// Why two terms of two stores have not the same structure, names and sorts.
pub fn same_terms(left: &Store, right: &Store, pairs: Vec<(TermId, TermId)>) -> Result<(), String> {
    let mut seen: BTreeSet<(TermId, TermId)> = BTreeSet::new();
    let mut stack = pairs;
    while let Some((a, b)) = stack.pop() {
        if !seen.insert((a, b)) {
            continue;
        }
        let sorts = (left.show_sort(left.sort(a)), right.show_sort(right.sort(b)));
        let same = sorts.0 == sorts.1 && left.args(a).len() == right.args(b).len();
        if !same || describe(left, a) != describe(right, b) {
            let (a, b) = (left.show(a), right.show(b));
            return Err(format!("{:.200} differs from {:.200}", a, b));
        }
        stack.extend(left.args(a).iter().copied().zip(right.args(b).iter().copied()));
    }
    Ok(())
}

/// What the root of a term is, in words that hold in every store.
fn describe(store: &Store, term: TermId) -> String {
    match store.op(term) {
        Op::IntVal(_) => format!("{:?}", store.int_value(term)),
        Op::RealVal(_) => format!("{:?}", store.real_value(term)),
        Op::BvVal(_) => format!("{:?}", store.bv_value(term)),
        Op::Var(name) => format!("var {}", store.name(name)),
        Op::Apply(func) => format!("func {}", store.name(store.func(func).name)),
        Op::Construct(ctor) => format!("ctor {}", store.name(store.ctor(ctor).name)),
        Op::Is(ctor) => format!("is {}", store.name(store.ctor(ctor).name)),
        Op::Field(ctor, field) => format!("{} of {}", field, store.name(store.ctor(ctor).name)),
        op => format!("{op:?}"),
    }
}

/// Why two systems are not the same problem.
pub fn same_problem(left: &Horn, right: &Horn) -> Result<(), String> {
    let preds = |horn: &Horn| -> Vec<(String, Vec<String>)> {
        let sorts = |pred| horn.pred_args(pred).iter().map(|&s| horn.terms.show_sort(s)).collect();
        horn.pred_ids().map(|pred| (horn.pred_name(pred).to_owned(), sorts(pred))).collect()
    };
    if preds(left) != preds(right) {
        return Err(format!("predicates: {:?} and {:?}", preds(left), preds(right)));
    }
    if left.clauses.len() != right.clauses.len() {
        return Err(format!("{} and {} clauses", left.clauses.len(), right.clauses.len()));
    }
    for (a, b) in left.clauses.iter().zip(&right.clauses) {
        if a.name != b.name || a.vars.len() != b.vars.len() {
            return Err(format!("names or variables: {:?} and {:?}", a.name, b.name));
        }
        let mut pairs: Vec<(TermId, TermId)> =
            a.vars.iter().copied().zip(b.vars.iter().copied()).collect();
        pairs.push((a.body, b.body));
        match (&a.head, &b.head) {
            (Head::False, Head::False) => {}
            (Head::Atom(p, xs), Head::Atom(q, ys)) if p == q && xs.len() == ys.len() => {
                pairs.extend(xs.iter().copied().zip(ys.iter().copied()));
            }
            _ => return Err("heads differ".to_owned()),
        }
        same_terms(&left.terms, &right.terms, pairs)?;
    }
    Ok(())
}

/// Reads a script that must be sound.
#[track_caller]
pub fn read_sound(text: &[u8]) -> Script {
    let (script, diagnostics) = smtlib::read(text);
    script.unwrap_or_else(|| panic!("not read: {:#?}", diagnostics.list))
}

/// Checks that printing and reading a system gives the same problem.
#[track_caller]
pub fn check_round_trip(horn: &Horn, whose: &str) {
    assert_eq!(horn.validate(), Ok(()), "{whose}");
    let text = print_horn(horn);
    let (again, diagnostics) = smtlib::read(text.as_bytes());
    let Some(again) = again else { panic!("{whose}: {:#?}\n{text}", diagnostics.list) };
    assert_eq!(again.horn.validate(), Ok(()), "{whose}");
    let second = print_horn(&again.horn);
    assert_eq!(text, second, "{whose}");
    // Which instances stand for what is quantified may depend on the order of terms in a store.
    if let Err(reason) = same_problem(&horn.as_read(), &again.horn.as_read()) {
        panic!("{whose}: {reason}\n{text:.2000}");
    }
}
