//! From sets and moves to evidence: the terms that matter in a store of their own, the obligations refuted.

use super::chain::Move;
use super::grow::lean;
use crate::prove::prove_recurrence;
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::Flow;
use alphorn_problem::evidence::flow::{Choice, Path, Recurrence};
use alphorn_term::parts::conjuncts;
use alphorn_term::{Op, Store, TermId};
use std::collections::BTreeMap;

/// What is said to be a recurrence, with terms over the flow's variables in the search's store.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// The states, by location.
    pub(super) sets: Vec<TermId>,
    /// How to go on.
    pub(super) choices: Vec<Choice>,
}

impl Candidate {
    /// Moves round a simple cycle: the set at its head, and elsewhere what leads back into it.
    pub(super) fn round(
        flow: &Flow,
        store: &mut Store,
        moves: &[Move],
        head: Vec<TermId>,
        ctx: &mut Ctx<'_>,
    ) -> Result<Candidate, Stop> {
        let mut sets = vec![TermId::FALSE; flow.locations.len()];
        let head = lean(store, head, ctx)?;
        let head = store.and(&head);
        let mut after = head;
        for (position, step) in moves.iter().enumerate().rev() {
            after = match position {
                0 => head,
                _ => {
                    let into = step.into(flow, store, after);
                    let literals = conjuncts(store, &[into]);
                    let literals = lean(store, literals, ctx)?;
                    store.and(&literals)
                }
            };
            sets[step.from.index()] = after;
        }
        let choices = moves.iter().map(|step| step.choice(TermId::TRUE)).collect();
        Ok(Candidate { sets, choices })
    }

    /// The evidence that this is with a path into it, if all is proved.
    pub(super) fn prove(
        &self,
        flow: &Flow,
        store: &Store,
        path: Path,
        ctx: &mut Ctx<'_>,
    ) -> Result<Option<Recurrence>, Stop> {
        let mut own = flow.terms.clone();
        let mut copy = Copy::new(store, flow.terms.len());
        let sets: Option<Vec<TermId>> =
            self.sets.iter().map(|&set| copy.term(&mut own, set)).collect();
        let choices: Option<Vec<Choice>> =
            self.choices.iter().map(|choice| copy.choice(&mut own, choice)).collect();
        let (Some(sets), Some(choices)) = (sets, choices) else { return Ok(None) };
        Ok(prove_recurrence(flow, own, path, sets, choices, ctx)?.ok())
    }
}

impl Move {
    /// The move where a formula holds.
    pub(super) fn choice(&self, when: TermId) -> Choice {
        let (next, inputs) = (self.next.clone(), self.inputs.clone());
        Choice { when, transition: self.transition, next, inputs }
    }
}

/// Terms made again in another store that begins with the same ones.
pub(super) struct Copy<'a> {
    from: &'a Store,
    /// How many terms both have.
    known: usize,
    done: BTreeMap<TermId, TermId>,
}

impl<'a> Copy<'a> {
    /// Terms of a store of which the first `known` ones are those of the other store, too.
    pub(super) fn new(from: &'a Store, known: usize) -> Copy<'a> {
        Copy { from, known, done: BTreeMap::new() }
    }

    /// A term in the other store; none if it has a variable that only the first one has.
    pub(super) fn term(&mut self, to: &mut Store, root: TermId) -> Option<TermId> {
        for term in self.from.subterms(&[root]) {
            if self.done.contains_key(&term) {
                continue;
            }
            let made = if term.index() < self.known {
                term
            } else if let Some(value) = self.from.literal_value(term) {
                to.value_term(&value)?
            } else {
                let args: Option<Vec<TermId>> =
                    self.from.args(term).iter().map(|arg| self.done.get(arg).copied()).collect();
                match self.from.op(term) {
                    Op::Var(_) => return None,
                    Op::ConstArray => to.const_array(self.from.sort(term), args?[0]),
                    op => to.mk(op, &args?),
                }
            };
            self.done.insert(term, made);
        }
        self.done.get(&root).copied()
    }

    fn choice(&mut self, to: &mut Store, choice: &Choice) -> Option<Choice> {
        let mut all = |terms: &[TermId]| -> Option<Vec<TermId>> {
            terms.iter().map(|&term| self.term(to, term)).collect()
        };
        let (next, inputs) = (all(&choice.next)?, all(&choice.inputs)?);
        let when = self.term(to, choice.when)?;
        Some(Choice { when, transition: choice.transition, next, inputs })
    }
}
