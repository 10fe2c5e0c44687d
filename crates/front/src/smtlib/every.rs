//! Systems that are to be safe for every interpretation of their declared functions.
//!
//! As SMT-LIB has it, a system with functions is safe if there are functions *and* predicates that satisfy its
//! clauses. `(set-option :functions every)` asks for more: whatever the functions are, as long as they satisfy the
//! axioms, there are predicates. Which predicates there are may depend on the functions, so each predicate
//! takes them as arguments, a function being an array over its first argument with arrays over the others in
//! it; and the axioms, the assertions that speak of functions and of no predicate, are conditions of the clauses
//! that speak of functions, and of those that every derivation begins with. That makes an ordinary system without
//! declared functions. It says just this: its arrays are all the functions that there are, a derivation has the
//! same functions throughout, and it begins with a clause that has the axioms.
//!
//! After the background axioms of McMillan, Rybalchenko, Solving constrained Horn clauses using interpolation
//! (MSR-TR-2013-6).

use alphorn_problem::horn::{Clause, Head, Horn};
use alphorn_term::{FuncId, Op, Store, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// Which interpretations of declared functions a system is to be safe for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Interpretations {
    /// One of them.
    #[default]
    Some,
    /// All that satisfy the axioms.
    Every,
}

/// The system that is safe if the given one is for every interpretation of its functions.
pub(super) fn for_every_interpretation(horn: &Horn) -> Horn {
    let mentioned: Vec<BTreeSet<FuncId>> =
        horn.clauses.iter().map(|clause| horn.functions(clause)).collect();
    let all: BTreeSet<FuncId> = mentioned.iter().flatten().copied().collect();
    if all.is_empty() {
        return horn.clone();
    }
    let mut store = horn.terms.clone();
    let vars: BTreeMap<FuncId, TermId> =
        all.into_iter().map(|func| (func, variable(&mut store, func))).collect();
    let given: Vec<TermId> = vars.values().copied().collect();
    let sorts = given.iter().map(|&var| store.sort(var)).collect::<Vec<_>>();
    let mut result = Horn::default();
    let mut preds = Vec::with_capacity(horn.preds.len());
    for pred in &horn.preds {
        let declared = store.func(pred.func).clone();
        let name = store.name(declared.name).to_owned();
        let args = [&sorts[..], &declared.args].concat();
        preds.push((pred.func, store.declare(&name, &args, declared.result)));
        result.add_pred(preds[preds.len() - 1].1, pred.span);
    }
    let mut seen = Seen { vars, preds: preds.into_iter().collect(), given, done: BTreeMap::new() };
    let is_axiom = |at: usize| {
        let clause = &horn.clauses[at];
        let speaks = clause.head != Head::False || !horn.atoms(clause.body).is_empty();
        !speaks && !mentioned[at].is_empty()
    };
    let mut axioms = Vec::new();
    for at in (0..horn.clauses.len()).filter(|&at| is_axiom(at)) {
        let clause = &horn.clauses[at];
        let body = seen.term(&mut store, clause.body);
        let holds = store.not(body);
        axioms.push(store.forall(&clause.vars, holds));
    }
    for at in (0..horn.clauses.len()).filter(|&at| !is_axiom(at)) {
        let clause = &horn.clauses[at];
        let mut parts = vec![seen.term(&mut store, clause.body)];
        if !mentioned[at].is_empty() || horn.atoms(clause.body).is_empty() {
            parts.extend(&axioms);
        }
        let head = match &clause.head {
            Head::False => Head::False,
            Head::Atom(pred, args) => {
                let own: Vec<TermId> = args.iter().map(|&arg| seen.term(&mut store, arg)).collect();
                Head::Atom(*pred, [&seen.given[..], &own].concat())
            }
        };
        let vars = [&seen.given[..], &clause.vars].concat();
        result.clauses.push(Clause { vars, body: store.and(&parts), head, ..clause.clone() });
    }
    result.terms = store;
    result
}

/// A variable for a function: an array over its first argument, with arrays over the others in it.
fn variable(store: &mut Store, func: FuncId) -> TermId {
    let declared = store.func(func).clone();
    let sort = (declared.args.iter().rev())
        .fold(declared.result, |element, &index| store.array_sort(index, element));
    let name = store.name(declared.name).to_owned();
    store.fresh_var(&name, sort)
}

/// Terms with functions as variables.
struct Seen {
    vars: BTreeMap<FuncId, TermId>,
    /// Predicates with functions among their arguments.
    preds: BTreeMap<FuncId, FuncId>,
    given: Vec<TermId>,
    done: BTreeMap<TermId, TermId>,
}

impl Seen {
    fn term(&mut self, store: &mut Store, root: TermId) -> TermId {
        for term in store.subterms(&[root]) {
            if self.done.contains_key(&term) {
                continue;
            }
            let args: Vec<TermId> = store.args(term).iter().map(|arg| self.done[arg]).collect();
            let seen = match store.op(term) {
                Op::Apply(func) => match (self.preds.get(&func), self.vars.get(&func)) {
                    (Some(&pred), _) => {
                        let args = [&self.given[..], &args].concat();
                        store.mk(Op::Apply(pred), &args)
                    }
                    (None, Some(&var)) => {
                        args.iter().fold(var, |array, &arg| store.select(array, arg))
                    }
                    (None, None) => store.rebuild(term, &args),
                },
                op @ (Op::Forall | Op::Exists) => store.mk(op, &args),
                _ if args == store.args(term) => term,
                _ => store.rebuild(term, &args),
            };
            self.done.insert(term, seen);
        }
        self.done[&root]
    }
}

#[cfg(test)]
mod tests {
    use crate::smtlib::{print_horn, read};
    use alphorn_problem::horn::Horn;

    fn system(text: &str) -> Horn {
        let (script, diagnostics) = read(text.as_bytes());
        script.unwrap_or_else(|| panic!("{diagnostics:?}")).horn
    }

    const CLAUSES: &str = "(set-logic HORN)
        (declare-fun f (Int) Int)
        (declare-fun at (Int) Bool)
        (assert (forall ((x Int)) (> (f x) 0)))
        (assert (at 0))
        (assert (forall ((x Int)) (=> (at x) (at (+ x (f x))))))
        (assert (forall ((x Int)) (=> (and (at x) (< x 0)) false)))";

    #[test]
    fn predicates_take_functions_as_arguments_and_clauses_axioms_as_conditions() {
        let some = system(CLAUSES);
        assert_eq!(some.clauses.len(), 4);
        let every = system(&format!("(set-option :functions every){CLAUSES}"));
        assert_eq!(every.clauses.len(), 3);
        let pred = every.pred_ids().next().expect("there is a predicate");
        let sorts: Vec<String> =
            every.pred_args(pred).iter().map(|&sort| every.terms.show_sort(sort)).collect();
        assert_eq!(sorts, ["(Array Int Int)", "Int"]);
        let has_axiom: Vec<bool> =
            every.clauses.iter().map(|clause| every.terms.has_quantifier(clause.body)).collect();
        // The query says nothing of functions, and every derivation of its fact has the axiom.
        assert_eq!(has_axiom, [true, true, false]);
        assert!(every.clauses.iter().all(|clause| every.functions(clause).is_empty()));
        assert!(every.validate().is_ok());
    }

    #[test]
    fn sorts_are_every_one_as_well_and_stay_so_where_the_system_is_written() {
        let sort = "(declare-sort Thing 0) (declare-fun is (Thing) Bool) (assert (forall ((e Thing)) (is e)))";
        assert!(!system(&format!("{CLAUSES}{sort}")).every_sort);
        let every = system(&format!("(set-option :functions every){CLAUSES}{sort}"));
        assert!(every.every_sort && system(&print_horn(&every)).every_sort);
        let without = system(&format!("(set-option :functions every){CLAUSES}"));
        assert!(!without.every_sort && !print_horn(&without).contains("set-option"));
    }

    #[test]
    fn an_assertion_that_speaks_of_nothing_is_neither_an_axiom_nor_a_query() {
        let unclear = "(assert (forall ((x Int)) (distinct (f x) (f x))))";
        for (option, is_read) in [("every", false), ("some", true)] {
            let text = format!("(set-option :functions {option}){CLAUSES}{unclear}(check-sat)");
            assert_eq!(read(text.as_bytes()).0.is_some(), is_read, "{option}");
        }
    }

    #[test]
    fn what_is_meant_is_said_before_the_first_question_and_in_known_words() {
        for (before, after) in
            [("(set-option :functions all)", ""), ("", "(check-sat)(set-option :functions every)")]
        {
            let (script, _) = read(format!("{before}{CLAUSES}{after}(check-sat)").as_bytes());
            assert!(script.is_none(), "{before}{after}");
        }
    }
}
