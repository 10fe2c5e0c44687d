//! A transition system as Horn clauses, for its first safety property or for all of them.
//!
//! One predicate stands for the reachable states: the first states satisfy it, a step leads from
//! it to it, and it meets no bad state. Constraints stand in the bodies of the step and of the
//! query, so states in which no run can go on or end may satisfy the predicate; they do no harm.
//! Inputs are variables of the clauses, and so are next values that the system leaves open.
//!
//! A derivation uses one clause per step, so reading it off gives a trace. A model of the clauses
//! is an invariant: the formula that defines the predicate, over the states. It is proved on the system,
//! because refutations of clauses are not literally those of the system's own obligations.

use alphorn_engine::{Back, Lost};
use alphorn_problem::evidence::circuit::Property;
use alphorn_problem::evidence::horn::{Derivation, HornClaim, Step};
use alphorn_problem::evidence::words::{ClaimedInvariant, WordClaim, WordTrace};
use alphorn_problem::horn::{Clause, ClauseId, Head};
use alphorn_problem::words::Named;
use alphorn_problem::{Circuit, Horn, Span, Words};
use alphorn_term::{Op, SortId, Substitution, TermId};

use crate::circuit_to_words::circuit_to_words;

const INIT: ClauseId = ClauseId(0);
const STEP: ClauseId = ClauseId(1);
const QUERY: ClauseId = ClauseId(2);

/// The circuit's first safety property as Horn clauses, or why it cannot be written so.
pub fn circuit_to_horn(circuit: &Circuit) -> Result<(Horn, Back<Circuit, Horn>), String> {
    let (system, to_circuit) = circuit_to_words(circuit)?;
    let (horn, to_words) = words_to_horn(&system)?;
    Ok((horn, to_circuit.after(to_words)))
}

/// The system's first safety property as Horn clauses, or why it cannot be written so.
pub fn words_to_horn(system: &Words) -> Result<(Horn, Back<Words, Horn>), String> {
    if system.bads.is_empty() {
        return Err("the system has no safety property".into());
    }
    let horn = clauses(system, &system.bads[..1])?;
    let (states, trace_system) = (system.state_vars(), system.clone());
    let back = Back::new(
        move |claim| carry_claim(&states, claim),
        move |derivation| carry_derivation(&trace_system, &derivation),
    );
    Ok((horn, back))
}

/// All safety properties of the system as Horn clauses: those of the system, which are as many as the
/// number returned, then a query per property, each a question of its own.
pub fn properties_to_horn(system: &Words) -> Result<(Horn, usize), String> {
    Ok((clauses(system, &system.bads)?, QUERY.index()))
}

fn clauses(system: &Words, bads: &[Named]) -> Result<Horn, String> {
    let mut horn = Horn::new(system.terms.clone());
    let states = system.state_vars();
    let sorts: Vec<SortId> = states.iter().map(|&var| horn.terms.sort(var)).collect();
    let pred = horn.declare_pred("reachable", &sorts);
    let reachable = horn.pred(pred).func;
    let atom = horn.terms.mk(Op::Apply(reachable), &states);
    let mut here = vec![atom];
    here.extend(system.constraints.iter().map(|constraint| constraint.term));

    let mut starts = Vec::new();
    for state in &system.states {
        starts.extend(state.init.map(|init| horn.terms.eq(state.var, init)));
    }
    let body = horn.terms.and(&starts);
    let head = Head::Atom(pred, states.clone());
    horn.clauses.push(clause("init", states.clone(), body, head));

    let mut vars: Vec<TermId> = states.iter().chain(&system.inputs).copied().collect();
    let both = vars.clone();
    let mut nexts = Vec::with_capacity(states.len());
    for state in &system.states {
        let next = state.next.unwrap_or_else(|| {
            let name = horn.terms.var_name(state.var).unwrap_or("x").to_owned();
            let open = horn.terms.fresh_var(&name, horn.terms.sort(state.var));
            vars.push(open);
            open
        });
        nexts.push(next);
    }
    let body = horn.terms.and(&here);
    horn.clauses.push(clause("step", vars, body, Head::Atom(pred, nexts)));

    for (index, bad) in bads.iter().enumerate() {
        here.push(bad.term);
        let body = horn.terms.and(&here);
        here.pop();
        let name = match &bad.name {
            Some(name) => name.clone(),
            None if bads.len() == 1 => "bad".to_owned(),
            None => format!("bad {index}"),
        };
        horn.clauses.push(clause(&name, both.clone(), body, Head::False));
    }
    horn.validate().map_err(|(_, reason)| reason)?;
    Ok(horn)
}

fn clause(name: &str, vars: Vec<TermId>, body: TermId, head: Head) -> Clause {
    Clause { vars, body, head, name: Some(name.to_owned()), span: Span::NONE }
}

/// The formula that defines the predicate, over the states.
fn carry_claim(states: &[TermId], claim: HornClaim) -> Result<WordClaim, Lost> {
    let [definition] = &claim.preds[..] else {
        return Err(Lost("the model does not define the predicate".into()));
    };
    let mut terms = claim.terms;
    let map: Substitution = definition.params.iter().copied().zip(states.iter().copied()).collect();
    let formula = terms.substitute(definition.body, &map);
    let invariant = ClaimedInvariant::Formula { terms: Box::new(terms), formula };
    Ok(WordClaim { property: 0, invariant })
}

/// The run that a derivation goes along.
fn carry_derivation(system: &Words, derivation: &Derivation) -> Result<WordTrace, Lost> {
    let shape = || Lost("the derivation is not a chain of steps".into());
    let mut chain: Vec<&Step> = Vec::new();
    let mut at = derivation.steps.len().checked_sub(1).ok_or_else(shape)?;
    loop {
        let step = &derivation.steps[at];
        let expected = if chain.is_empty() { step.clause == QUERY } else { step.clause != QUERY };
        if !expected {
            return Err(shape());
        }
        chain.push(step);
        match step.premises[..] {
            [] if step.clause == INIT => break,
            [premise] if step.clause != INIT && premise < at => at = premise,
            _ => return Err(shape()),
        }
    }
    // The first state shows in the values of the step after it.
    chain.pop();
    chain.reverse();
    let count = system.states.len();
    let (mut states, mut inputs) = (Vec::new(), Vec::new());
    for step in chain {
        if !matches!(step.clause, STEP | QUERY) || step.values.len() < count + system.inputs.len() {
            return Err(shape());
        }
        states.push(step.values[..count].iter().cloned().map(Some).collect());
        inputs.push(step.values[count..count + system.inputs.len()].to_vec());
    }
    Ok(WordTrace { property: Property::Bad(0), states, inputs, trap: None })
}
