//! Horn systems with their assertions lifted out of calls.
//!
//! A procedure whose calls can fail has a flag for that among its results, and a query about the flag of the entry
//! has the whole tree of calls below it. Told apart by their flags (`truth-arguments`), the calls that fail are a
//! path from the entry to the assertion, beside which all other calls return; and that path is followed from
//! the entry down (`reversal`). So what fails is asked about where it fails, and calls that return matter by
//! what they return alone (Lal, Qadeer, FMCAD 2014).
//!
//! Only systems are seen so in which queries ask about flags, and are more than two calls away from what they
//! depend on: for others there is nothing to lift. (Predicates that are told apart by truth values without being asked
//! about can be reversed as well, but that is another search in the dark: it won and lost as many files.)

use crate::settings::LIFTED_DEPTH;
use alphorn_engine::{Ctx, Seen, Steps, Stop, View};
use alphorn_horn::shape::Shape;
use alphorn_horn::{TRANSFORMS, TransformCard, simplify_with};
use alphorn_problem::Horn;
use alphorn_problem::horn::{Clause, Head};
use alphorn_term::{Op, SortId, TermId};
use std::collections::BTreeSet;

/// Systems with their assertions lifted out of calls.
pub static LIFTED: View<Horn, Horn> =
    View { name: "assertions lifted out of calls", steps: Steps::Changed, make };

/// Whether queries ask about flags, and are so far from what they depend on that lifting may pay.
pub fn is_deep(horn: &Horn, shape: &Shape) -> bool {
    !shape.is_linear && asks_for_flags(horn) && shape.query_depth(horn) > LIFTED_DEPTH.size()
}

/// Whether a query says what a truth value among the arguments of a predicate is, as it does of flags of calls that fail.
fn asks_for_flags(horn: &Horn) -> bool {
    let store = &horn.terms;
    let asks = |query: &Clause| {
        let (mut facts, mut stack) = (BTreeSet::new(), vec![query.body]);
        while let Some(term) = stack.pop() {
            match store.op(term) {
                Op::And => stack.extend(store.args(term)),
                Op::Not => drop(facts.insert(store.args(term)[0])),
                _ => drop(facts.insert(term)),
            }
        }
        let is_flag = |&arg: &TermId| {
            store.sort(arg) == SortId::BOOL && (store.is_literal(arg) || facts.contains(&arg))
        };
        horn.atoms(query.body).into_iter().any(|atom| store.args(atom).iter().any(is_flag))
    };
    horn.clauses.iter().any(|clause| clause.head == Head::False && asks(clause))
}

fn make(horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Seen<Horn, Horn>, Stop> {
    if !is_deep(horn, &Shape::of(horn)) {
        return Err(Stop::Unsupported("no assertion is deep below calls".to_owned()));
    }
    let split = |card: &TransformCard| card.is_default || card.name == "truth-arguments";
    let apart = simplified(horn, split, ctx)?;
    if apart.problem.preds.is_empty() {
        return Ok(apart);
    }
    let reversed = simplified(&apart.problem, |card| card.name == "reversal", ctx)?;
    let funcs = |horn: &Horn| horn.preds.iter().map(|pred| pred.func).collect::<Vec<_>>();
    if funcs(&apart.problem) == funcs(&reversed.problem) {
        return Err(Stop::Unsupported("no call that fails is told apart".to_owned()));
    }
    let smaller = simplified(&reversed.problem, |card| card.is_default, ctx)?;
    Ok(apart.then(reversed).then(smaller))
}

fn simplified(
    horn: &Horn,
    is_chosen: impl Fn(&TransformCard) -> bool,
    ctx: &mut Ctx<'_>,
) -> Result<Seen<Horn, Horn>, Stop> {
    let chosen: Vec<&TransformCard> = TRANSFORMS.iter().filter(|card| is_chosen(card)).collect();
    let small = simplify_with(horn, &chosen, ctx)?;
    Ok(Seen::new(small.horn, small.back))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alphorn_engine::Stopper;
    use alphorn_testkit::read::horn as read;

    /// A chain of `depth` procedures that call the next one twice, at whose end a call fails where its
    /// argument is not positive; it may call itself.
    fn chain(depth: usize, is_recursive: bool) -> Horn {
        let mut text = String::from("(set-logic HORN)\n");
        for at in 0..=depth {
            text += &format!("(declare-fun P{at} (Int Int Bool) Bool)\n");
        }
        text += &format!(
            "(assert (forall ((s Int)) (=> (> s 0) (P{depth} s s false))))
             (assert (forall ((s Int)) (=> (<= s 0) (P{depth} s s true))))\n"
        );
        if is_recursive {
            text += &format!(
                "(assert (forall ((s Int) (t Int) (e Bool))
                   (=> (P{depth} s t e) (P{depth} (+ s 1) t e))))\n"
            );
        }
        for at in 0..depth {
            let below = at + 1;
            text += &format!(
                "(assert (forall ((s Int) (t Int)) (=> (P{below} s t true) (P{at} s t true))))
                 (assert (forall ((s Int) (t Int) (u Int) (e Bool))
                   (=> (and (P{below} s t false) (P{below} t u e)) (P{at} s u e))))\n"
            );
        }
        text += "(assert (forall ((s Int) (t Int)) (=> (and (= s 5) (P0 s t true)) false)))";
        read(&text)
    }

    fn seen(horn: &Horn) -> Result<Seen<Horn, Horn>, Stop> {
        let mut sink = |_| {};
        let mut ctx = Ctx::new(10_000_000, Stopper::new(), 1, &mut sink);
        make(horn, &mut ctx)
    }

    #[test]
    fn calls_that_fail_are_a_path_from_the_entry() {
        let lifted = seen(&chain(6, true)).expect("there is something to lift");
        let is_lifted = |name: &str| name.contains("@backward");
        assert!(lifted.problem.pred_ids().any(|pred| is_lifted(lifted.problem.pred_name(pred))));
    }

    #[test]
    fn what_is_not_deep_is_left_as_it_is() {
        assert!(matches!(seen(&chain(1, true)), Err(Stop::Unsupported(_))));
    }

    #[test]
    fn truth_values_that_no_query_fixes_are_no_flags() {
        let mut horn = chain(6, true);
        let entry = horn.clauses.iter().position(|clause| clause.head == Head::False);
        let entry = entry.expect("there is a query");
        let unasked = read(
            "(set-logic HORN)
             (declare-fun P (Int Bool) Bool) (declare-fun Q (Int) Bool)
             (assert (forall ((x Int) (e Bool)) (=> (= e (> x 0)) (P x e))))
             (assert (forall ((x Int)) (=> (and (P x true) (P (+ x 1) false)) (Q x))))
             (assert (forall ((x Int) (e Bool)) (=> (and (Q x) (P x e)) false)))",
        );
        assert!(asks_for_flags(&horn) && !asks_for_flags(&unasked));
        horn.clauses.remove(entry);
        assert!(!asks_for_flags(&horn), "without a query nothing is asked");
    }

    #[test]
    fn what_calls_told_apart_decide_by_themselves_is_handed_on() {
        let decided = seen(&chain(6, false)).expect("nothing is left to lift");
        assert!(decided.problem.preds.is_empty());
    }
}
