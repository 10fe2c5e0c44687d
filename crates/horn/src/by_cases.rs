//! Clauses proved case by case, equations put to use before anything is searched for.
//!
//! A step of a wide system says of most of its variables that they stay, and of the others what they come to,
//! often depending on a phase. A search over what was read must find out that two copies of a formula about
//! values that stay agree; with the phase and the equations put for the variables there is one copy. So each
//! case of the clause (`cases`) is taken for itself, its equations are put in round by round, as what was put
//! decides conditions of others, and what is left is refuted.
//!
//! Invariant: the cases are those that the checker makes itself (`obligation::horn::of_case`,
//! `put_round`); values for a case that does not hold are values for the clause.

use crate::ask::ask_within;
use crate::evidence::{Cause, conclusions};
use crate::settings::PROOF_MAX_ROUNDS;
use alphorn_engine::{Ctx, Stop};
use alphorn_problem::evidence::horn::{Case, ClauseProof};
use alphorn_problem::obligation::horn::{of_case, put_round};
use alphorn_smt::{Answer, Options, Smt};
use alphorn_term::eval::eval;
use alphorn_term::parts::{conjuncts, disjuncts};
use alphorn_term::{Model, Op, Store, TermId, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many subterms are put together for the price of a tick.
const PUT_PER_TICK: u64 = 64;

/// Proves that the assertions cannot hold together, in these cases and one for what is left; nothing if
/// there is neither a case nor an equation, so that nothing would be gained.
pub(crate) fn prove_by_cases(
    terms: &mut Store,
    assertions: &[TermId],
    conditions: &[TermId],
    conflicts: u64,
    ctx: &mut Ctx<'_>,
) -> Result<Option<Result<ClauseProof, Cause>>, Stop> {
    let mut cases = Vec::with_capacity(conditions.len() + 1);
    let conditions = [conditions, &[TermId::TRUE]].concat();
    for (at, &condition) in conditions.iter().enumerate() {
        let mut left = of_case(assertions, condition, &conditions[..at], terms);
        let rounds = rounds(terms, &mut left, ctx)?;
        if conditions.len() == 1 && rounds.is_empty() {
            return Ok(None);
        }
        let options = Options { proofs: true, instance_rounds: 0, ..Options::default() };
        let mut smt = Smt::closed(options, terms, &left);
        match ask_in_parts(&mut smt, terms, left[assertions.len() - 1], conflicts, ctx)? {
            Answer::Sat => {
                let model = completed(terms, smt.model(terms), &rounds);
                return Ok(model.map(|model| Err(Cause::Broken(Box::new(model)))));
            }
            Answer::Unknown => return Ok(Some(Err(Cause::Unknown))),
            Answer::Unsat => match smt.refutation_or_reason(terms) {
                Ok(refutation) => cases.push(Case { condition, rounds, proof: refutation.proof }),
                Err(reason) => return Ok(Some(Err(Cause::Unwritten(reason)))),
            },
        }
    }
    Ok(Some(Ok(ClauseProof::Cases(cases))))
}

/// Whether what a solver knows can hold, which needs a part of a disjunction: each is asked about first, as a
/// search about all of them at once goes from one to another, and what is learned about one is known of the next.
fn ask_in_parts(
    smt: &mut Smt,
    terms: &mut Store,
    disjunction: TermId,
    conflicts: u64,
    ctx: &mut Ctx<'_>,
) -> Result<Answer, Stop> {
    let mut parts = conclusions(terms, disjunction);
    if parts.is_empty() {
        parts = disjuncts(terms, &[disjunction]);
    }
    if parts.len() > 1 {
        for part in parts {
            match ask_within(smt, terms, &[part], conflicts, ctx)? {
                Answer::Sat => return Ok(Answer::Sat),
                Answer::Unknown if conflicts < u64::MAX => return Ok(Answer::Unknown),
                Answer::Unknown | Answer::Unsat => {}
            }
        }
    }
    ask_within(smt, terms, &[], conflicts, ctx)
}

/// Puts equations into formulas for as long as there are any; the rounds.
fn rounds(
    terms: &mut Store,
    formulas: &mut Vec<TermId>,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<Vec<(TermId, TermId)>>, Stop> {
    let mut rounds = Vec::new();
    while rounds.len() < PROOF_MAX_ROUNDS.size() {
        ctx.tick(1 + terms.dag_size(formulas) as u64 / PUT_PER_TICK)?;
        let round = Round::of(terms, formulas).in_order();
        if round.is_empty() {
            break;
        }
        *formulas = put_round(formulas, &round, terms, |_, _, _| Ok(())).map_err(Stop::Stuck)?;
        rounds.push(round);
    }
    Ok(rounds)
}

/// Equations that can be put in at once: no variable depends on itself by way of others.
struct Round {
    order: Vec<TermId>,
    terms: FxHashMap<TermId, (TermId, Vec<TermId>)>,
}

impl Round {
    /// The equations among the conjuncts of formulas; those with literals first, so that they decide what
    /// others say.
    fn of(terms: &Store, formulas: &[TermId]) -> Round {
        let mut round = Round { order: Vec::new(), terms: FxHashMap::default() };
        let parts = conjuncts(terms, formulas);
        for want_literal in [true, false] {
            for &part in &parts {
                for (var, term) in equations(terms, part) {
                    if terms.is_literal(term) == want_literal && round.take(terms, var, term) {
                        break;
                    }
                }
            }
        }
        round
    }

    /// Takes an equation if its variable has none yet, and does not depend on itself then.
    fn take(&mut self, terms: &Store, var: TermId, term: TermId) -> bool {
        if self.terms.contains_key(&var) {
            return false;
        }
        let needs = terms.free_vars(&[term]);
        let (mut seen, mut stack) = (FxHashSet::default(), needs.clone());
        while let Some(next) = stack.pop() {
            if next == var {
                return false;
            }
            if seen.insert(next)
                && let Some((_, further)) = self.terms.get(&next)
            {
                stack.extend(further);
            }
        }
        self.order.push(var);
        self.terms.insert(var, (term, needs));
        true
    }

    /// The equations, each after those of the variables that its term mentions.
    fn in_order(&self) -> Vec<(TermId, TermId)> {
        let (mut sorted, mut seen) = (Vec::new(), FxHashSet::default());
        for &root in &self.order {
            let mut stack = vec![(root, false)];
            while let Some((var, is_ready)) = stack.pop() {
                let Some((term, needs)) = self.terms.get(&var) else { continue };
                if is_ready {
                    sorted.push((var, *term));
                } else if seen.insert(var) {
                    stack.push((var, true));
                    stack.extend(needs.iter().map(|&need| (need, false)));
                }
            }
        }
        sorted
    }
}

/// What a formula says that a variable is.
fn equations(terms: &Store, part: TermId) -> Vec<(TermId, TermId)> {
    let is_var = |term: TermId| matches!(terms.op(term), Op::Var(_));
    match (terms.op(part), terms.args(part)) {
        (Op::Var(_), _) => vec![(part, TermId::TRUE)],
        (Op::Not, &[arg]) if is_var(arg) => vec![(arg, TermId::FALSE)],
        (Op::Eq, &[left, right]) => {
            let sides = [(left, right), (right, left)];
            sides.into_iter().filter(|&(var, _)| is_var(var)).collect()
        }
        _ => Vec::new(),
    }
}

/// A model with values of the variables for which something was put; nothing if one has none.
fn completed(terms: &Store, mut model: Model, rounds: &[Vec<(TermId, TermId)>]) -> Option<Model> {
    for &(var, term) in rounds.iter().rev().flatten() {
        for free in terms.free_vars(&[term]) {
            if !model.vars.contains_key(&free) {
                // Nothing that is left depends on it.
                model.set(free, Value::default_of(terms, terms.sort(free))?);
            }
        }
        let value = eval(terms, term, &model).ok()?;
        model.set(var, value);
    }
    Some(model)
}
