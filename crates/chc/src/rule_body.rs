//! The body of a clause as one formula, with truth values in the place of its atoms.
//!
//! Every atom is replaced by "this atom is used", which is plainly true where the atom is a conjunct and a
//! new variable elsewhere. So a body with atoms under disjunctions is one rule and is never multiplied out.

use alphorn_engine::Stop;
use alphorn_problem::Horn;
use alphorn_problem::horn::Clause;
use alphorn_problem::obligation::horn::unfold;
use alphorn_term::{Op, SortId, Store, TermId};

/// A predicate, by its position.
pub(crate) type Pred = usize;

/// An atom of a rule's body.
pub(crate) struct Atom {
    /// Its predicate.
    pub(crate) pred: Pred,
    /// Its arguments.
    pub(crate) args: Vec<TermId>,
    /// Whether the body uses it: a variable, or true.
    pub(crate) used: TermId,
}

/// A clause's body without atoms, and these.
pub(crate) struct RuleBody {
    /// The body, with truth values for its atoms.
    pub(crate) body: TermId,
    /// The predicates that the body uses, each with the truth value that stands for it.
    pub(crate) atoms: Vec<Atom>,
    /// The clause's variables, then the truth values for atoms.
    pub(crate) vars: Vec<TermId>,
}

impl RuleBody {
    /// A clause's body in that form; none if it is false whatever the atoms are.
    pub(crate) fn of(
        horn: &Horn,
        clause: &Clause,
        store: &mut Store,
    ) -> Result<Option<RuleBody>, Stop> {
        let always = conjuncts(horn, clause);
        let (mut vars, mut atoms) = (clause.vars.clone(), Vec::new());
        let body = unfold(horn, clause, store, |store, atom, args| {
            let Some(pred) = horn.atom(atom) else { return Ok(None) };
            let used = if always.contains(&atom) {
                TermId::TRUE
            } else {
                let used = store.fresh_var("used", SortId::BOOL);
                vars.push(used);
                used
            };
            atoms.push(Atom { pred: pred.index(), args: args.to_vec(), used });
            Ok(Some(used))
        });
        let body = body.map_err(Stop::Stuck)?;
        Ok((body != TermId::FALSE).then_some(RuleBody { body, atoms, vars }))
    }
}

/// The atoms that are conjuncts of a body.
fn conjuncts(horn: &Horn, clause: &Clause) -> Vec<TermId> {
    let mut atoms = Vec::new();
    let mut stack = vec![clause.body];
    while let Some(term) = stack.pop() {
        if horn.atom(term).is_some() {
            atoms.push(term);
        } else if horn.terms.op(term) == Op::And {
            stack.extend(horn.terms.args(term));
        }
    }
    atoms
}
