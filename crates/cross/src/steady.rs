//! Linear systems whose loops take the steadiest of their rounds, with closures: violations after very many rounds.
//!
//! A loop has a closure if its rounds all do alike. Most loops of programs do not, because they ask for inputs and
//! because values may wrap around; but a violation that needs many rounds seldom needs either. Here a clause that
//! leads from a predicate to the same gets stronger: nothing wraps around in it (`unwrapped`), and what it does not
//! take from the state before is zero, where its constraints allow that. There are fewer derivations then, and
//! each of them, with the same values, is one of the system as it is. A model says nothing of the others, and is no answer.
//!
//! Source: closures of loops under assumptions, as \[FG24\] chooses their branches.

use crate::unwrapped::split;
use alphorn_chc::accel::ACCELERATED;
use alphorn_engine::{Back, Ctx, Lost, Seen, Steps, Stop, View};
use alphorn_horn::{TRANSFORMS, simplify_with};
use alphorn_problem::Horn;
use alphorn_problem::horn::{Clause, Head};
use alphorn_term::{SortId, Store, Substitution, TermId};
use rustc_hash::FxHashSet;

/// Systems whose loops take their steadiest rounds.
pub static STEADY: View<Horn, Horn> = View { name: "steady loops", steps: Steps::Changed, make };

fn make(horn: &Horn, ctx: &mut Ctx<'_>) -> Result<Seen<Horn, Horn>, Stop> {
    if !horn.is_linear() {
        return Err(Stop::Unsupported("the clauses are not linear".to_owned()));
    }
    let mut steady = Horn::new(horn.terms.clone());
    for pred in &horn.preds {
        steady.add_pred(pred.func, pred.span);
    }
    let mut is_changed = false;
    for clause in &horn.clauses {
        ctx.tick(1)?;
        let stronger = match is_loop(horn, clause) {
            true => at_rest(horn, &mut steady.terms, clause),
            false => clause.clone(),
        };
        is_changed |= stronger != *clause;
        steady.clauses.push(stronger);
    }
    if !is_changed {
        return Err(Stop::Unsupported("no loop asks for inputs or wraps around".to_owned()));
    }
    let chosen: Vec<_> = TRANSFORMS.iter().filter(|card| card.is_default).collect();
    let small = simplify_with(&steady, &chosen, ctx)?;
    // A view of what nobody else sees, so it is not shared.
    let closed = (ACCELERATED.make)(&small.horn, ctx)?;
    let back = Back::new(|_| Err(Lost("a model of some rounds only".to_owned())), Ok);
    let small = Seen::new(small.horn, small.back);
    Ok(Seen::new(steady, back).then(small).then(closed))
}

/// Whether a clause leads from a predicate to the same.
fn is_loop(horn: &Horn, clause: &Clause) -> bool {
    let Head::Atom(pred, _) = &clause.head else { return false };
    horn.atoms(clause.body).iter().any(|&atom| horn.atom(atom) == Some(*pred))
}

/// A clause where nothing wraps around, and what comes from outside is zero if it may be.
fn at_rest(horn: &Horn, terms: &mut Store, clause: &Clause) -> Clause {
    let (plain, _) = split(terms, clause);
    let taken: Vec<TermId> =
        horn.atoms(clause.body).iter().flat_map(|&atom| horn.terms.args(atom).to_vec()).collect();
    let taken: FxHashSet<TermId> = terms.subterms(&taken).into_iter().collect();
    let zero = terms.int(0);
    let mut parts = vec![plain.body];
    let mut known = Substitution::default();
    for &var in &plain.vars {
        if terms.sort(var) != SortId::INT || taken.contains(&var) {
            continue;
        }
        known.insert(var, zero);
        if terms.substitute(plain.body, &known) == TermId::FALSE {
            known.remove(&var);
            continue;
        }
        parts.push(terms.eq(var, zero));
    }
    Clause { body: terms.and(&parts), ..plain }
}
