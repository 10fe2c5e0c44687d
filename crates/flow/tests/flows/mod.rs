//! Flows written down as Horn clauses: a fact is a start, and a rule with one atom a transition.

use alphorn_problem::Flow;
use alphorn_problem::flow::{LocId, Start, Transition};
use alphorn_problem::horn::Head;
use alphorn_term::parts::conjuncts;
use alphorn_term::{Op, SortId, TermId};

/// The flow that linear clauses without a query describe; all predicates have as many arguments.
pub fn flow(text: &str) -> Flow {
    let horn = alphorn_testkit::read::horn(text);
    let mut terms = horn.terms.clone();
    let func = horn.preds[0].func;
    let sorts: Vec<SortId> = horn.terms.func(func).args.to_vec();
    let vars: Vec<TermId> = sorts
        .iter()
        .enumerate()
        .map(|(at, &sort)| terms.fresh_var(&format!("v{at}"), sort))
        .collect();
    let mut flow = Flow::new(terms, &vars);
    for pred in &horn.preds {
        let name = horn.terms.name(horn.terms.func(pred.func).name).to_owned();
        flow.add_location(&name, pred.span);
    }
    for clause in &horn.clauses {
        let Head::Atom(to, args) = &clause.head else { panic!("a query") };
        let (mut from, mut parts) = (None, Vec::new());
        for part in conjuncts(&flow.terms, &[clause.body]) {
            match flow.terms.op(part) {
                Op::Apply(func) if horn.preds.iter().any(|pred| pred.func == func) => {
                    let at = horn.preds.iter().position(|pred| pred.func == func);
                    from = Some((at.expect("a predicate"), flow.terms.args(part).to_vec()));
                }
                _ => parts.push(part),
            }
        }
        let inputs = clause.vars.clone();
        let after = if from.is_some() { flow.next.clone() } else { flow.vars.clone() };
        for (var, &arg) in after.into_iter().zip(args) {
            parts.push(flow.terms.eq(var, arg));
        }
        if let Some((_, args)) = &from {
            for (var, &arg) in flow.vars.clone().into_iter().zip(args) {
                parts.push(flow.terms.eq(var, arg));
            }
        }
        let formula = flow.terms.and(&parts);
        let (to, span) = (LocId(to.0), clause.span);
        match from {
            None => flow.starts.push(Start { at: to, formula, inputs, span }),
            Some((from, _)) => {
                let from = LocId(from as u32);
                let name = None;
                flow.transitions.push(Transition { from, to, formula, inputs, name, span });
            }
        }
    }
    flow.validate().expect("a flow");
    flow
}
