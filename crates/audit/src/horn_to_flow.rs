//! A linear Horn system as a flow: what can be derived one after the other, for ever or not.
//!
//! A predicate is a location with arguments of its own. A clause without predicates in its body is a start, one
//! with a predicate there a transition, and a query is neither: it says nothing about how derivations go on.
//! An infinite run of the flow is an infinite chain of facts, each derived from the one before.

use alphorn_problem::flow::{Flow, LocId};
use alphorn_problem::horn::{Clause, Head, Horn};
use alphorn_program::rules::Arguments;
use alphorn_term::parts::conjuncts;
use alphorn_term::{Op, SortId, TermId};

/// The flow of a system whose bodies are conjunctions with at most one predicate; or why it has none.
pub fn horn_to_flow(horn: &Horn) -> Result<Flow, String> {
    if !horn.quantified.is_empty() {
        return Err("a body asks for a predicate at all values of a variable".to_owned());
    }
    let sorts: Vec<Vec<SortId>> =
        horn.pred_ids().map(|pred| horn.pred_args(pred).to_vec()).collect();
    let named = horn.pred_ids().zip(&sorts);
    let locations: Vec<_> = named
        .map(|(pred, sorts)| (horn.pred_name(pred), &sorts[..], horn.pred(pred).span))
        .collect();
    let (mut flow, mut arguments) = Arguments::flow(horn.terms.clone(), &locations);
    for clause in &horn.clauses {
        let Head::Atom(to, head) = &clause.head else { continue };
        let to = LocId(to.0);
        let (atom, formula) = split(horn, clause, &mut flow)?;
        match atom {
            None => arguments.start(&mut flow, to, head, formula, clause.span),
            Some((from, args)) => {
                let (from, to) = ((from, &args[..]), (to, &head[..]));
                arguments.step(&mut flow, from, to, formula, clause.name.clone(), clause.span);
            }
        }
    }
    // Instances of quantified bodies are not all that a body as read asks for.
    flow.is_loose = !horn.quantified.is_empty();
    flow.validate()?;
    Ok(flow)
}

/// The predicate of a body with its arguments, and the rest.
#[allow(clippy::type_complexity)]
fn split(
    horn: &Horn,
    clause: &Clause,
    flow: &mut Flow,
) -> Result<(Option<(LocId, Vec<TermId>)>, TermId), String> {
    let (mut atom, mut rest) = (None, Vec::new());
    for part in conjuncts(&horn.terms, &[clause.body]) {
        let pred = match horn.terms.op(part) {
            Op::Apply(func) => horn.pred_of(func),
            _ => None,
        };
        match pred {
            None => rest.push(part),
            Some(_) if atom.is_some() => {
                return Err("a clause has two predicates in its body".to_owned());
            }
            Some(pred) => atom = Some((LocId(pred.0), horn.terms.args(part).to_vec())),
        }
    }
    let is_atom = |term: &TermId| match horn.terms.op(*term) {
        Op::Apply(func) => horn.pred_of(func).is_some(),
        _ => false,
    };
    if horn.terms.subterms(&rest).iter().any(is_atom) {
        return Err("a clause has a predicate below a disjunction".to_owned());
    }
    Ok((atom, flow.terms.and(&rest)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alphorn_testkit::read::horn as read;

    #[test]
    fn facts_are_starts_and_rules_are_transitions() {
        let horn = read(
            "(set-logic HORN)(declare-fun p (Int Bool) Bool)(declare-fun q (Int Int) Bool)\
             (assert (forall ((x Int)) (=> (> x 0) (p x true))))\
             (assert (forall ((x Int) (y Int) (b Bool)) (=> (and (p x b) (> y x)) (q y (+ x 1)))))\
             (assert (forall ((x Int)) (=> (q x x) (p (* 2 x) false))))\
             (assert (forall ((x Int)) (=> (q x 7) false)))(check-sat)",
        );
        let flow = horn_to_flow(&horn).expect("it is linear");
        // Two integers and a truth value, though no predicate has all three.
        assert_eq!(flow.vars.len(), 3);
        assert_eq!((flow.starts.len(), flow.transitions.len()), (1, 2));
        assert_eq!(flow.location_name(flow.transitions[0].from), "p");
        assert_eq!(flow.location_name(flow.transitions[0].to), "q");
        assert!(flow.transitions[0].inputs.is_empty(), "y is what the first argument becomes");
        let formula = flow.terms.show(flow.transitions[1].formula);
        assert!(formula.contains("(= x1 x3)") || formula.contains("(= x3 x1)"), "{formula}");
    }

    #[test]
    fn two_predicates_in_a_body_are_refused() {
        let refused = |body: &str| {
            let horn = read(&format!(
                "(set-logic HORN)(declare-fun p (Int) Bool)\
                 (assert (forall ((x Int) (y Int)) (=> {body} (p x))))(check-sat)"
            ));
            horn_to_flow(&horn).expect_err("it is not linear")
        };
        assert!(refused("(and (p y) (p (+ x 1)))").contains("two predicates"));
        assert!(refused("(or (p y) (> x 0))").contains("disjunction"));
        assert!(refused("(forall ((z Int)) (p z))").contains("all values"));
    }
}
